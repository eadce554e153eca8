"""A box joins a club and leaves it: from the page or from the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.foundation.errors import HubAway
from companion.outbox.hub_client import HubClient
from companion.outbox.membership import (
    Membership,
    leave,
    read_membership,
    token_for,
    write_membership,
)
from companion.outbox.protocol import Joining

DEFAULT_NAME = "Table"


@dataclass(frozen=True, slots=True)
class Invitation:
    """What the owner of a club tells the owner of a box."""

    address: str
    key: str
    ca_file: str = ""
    """Where the hub's certificate is of an authority of its own."""


@dataclass(frozen=True, slots=True)
class ClubMembership:
    """The club of one box, as its page asks for it."""

    data: Path
    box: str
    name: Callable[[], str]
    """What the table is called now."""

    def club(self) -> str:
        kept = read_membership(self.data)
        return "" if kept is None else f"{kept.club} ({kept.address})"

    def join(self, address: str, key: str, ca_file: str) -> str:
        invitation = Invitation(address, key, ca_file)
        return join_club(self.data, self.box, self.name() or DEFAULT_NAME, invitation).club

    def leave(self) -> bool:
        return leave_club(self.data)


def join_club(data: Path, box: str, name: str, invitation: Invitation) -> Membership:
    """From the next start on, the games of the box are sent to the club's hub."""
    address, ca_file = invitation.address.strip(), invitation.ca_file.strip()
    if ca_file:
        ca_file = str(Path(ca_file).expanduser().absolute())
    client = HubClient(address, ca_file)
    joining = Joining(box, name, token_for(data, address, box))
    told = client.join(invitation.key.strip(), joining)
    membership = Membership(address, told.club, box, told.token, ca_file)
    write_membership(data, membership)
    return membership


def leave_club(data: Path) -> bool:
    """Whether its hub was told; if not, the owner there has to let the box go. In any case nothing
    is sent from the next start on."""
    was = leave(data)
    if was is None:
        return True
    try:
        HubClient(was.address, was.ca_file).leave(was.box, was.token)
    except HubAway:
        return False
    return True
