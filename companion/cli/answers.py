"""How commands answer: objects for programs, a line for people."""

from __future__ import annotations

import msgspec

from companion.ledger.session import Session


def json_line(value: object) -> bytes:
    """Always UTF-8, whatever the terminal has."""
    return msgspec.json.encode(value)


def standing_text(session: Session) -> str:
    standing = session.game.standing(session.state)
    names = session.setup.names
    scores = ", ".join(f"{n} {p}" for n, p in zip(names, standing.points, strict=True))
    if not standing.over:
        return f"standing: {scores}"
    winners = " and ".join(names[seat] for seat in standing.winners)
    return f"final: {scores}; won by {winners or 'nobody'}"
