"""Who may do what, told without a page."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from companion.foundation.errors import BadInput
from companion.service.access.book import PRESENT_SECONDS, AccessBook
from companion.service.access.roles import Policy, Role, role_of
from companion.service.access.tries import (
    FROM_ALL,
    FROM_ONE_ADDRESS,
    HERE,
    MOST_WRITTEN,
    WRITTEN_SECONDS,
    Slowdown,
)

OPEN = Policy()
OWNED = Policy(owned=True)
CODES = Policy(owned=True, codes=True)
CLOSED = Policy(owned=True, codes=True, closed=True)


@pytest.mark.parametrize(
    ("policy", "joined", "role"),
    [
        (OPEN, None, Role.OWN),  # whoever comes first may set the owner's code
        (OPEN, Role.PLAY, Role.OWN),
        (OWNED, None, Role.PLAY),
        (OWNED, Role.WATCH, Role.PLAY),
        (OWNED, Role.OWN, Role.OWN),
        (CODES, None, Role.WATCH),
        (CODES, Role.WATCH, Role.WATCH),
        (CODES, Role.PLAY, Role.PLAY),
        (CODES, Role.OWN, Role.OWN),
        (CLOSED, None, Role.NOBODY),
        (CLOSED, Role.PLAY, Role.PLAY),
    ],
)
def test_what_somebody_may_do(policy: Policy, joined: Role | None, role: Role) -> None:
    assert role_of(policy, joined) is role


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def book(tmp_path: Path, clock: Clock) -> AccessBook:
    made = AccessBook(tmp_path / "access.json", clock)
    made.set_owner_code("nine worlds")
    made.decide(codes=True, closed=False)
    return made


def again(book: AccessBook, tmp_path: Path) -> AccessBook:
    return AccessBook(tmp_path / "access.json")


def wrong(book: AccessBook) -> str:
    return "0000" if book.table_code != "0000" else "1111"


def test_joining_is_remembered_over_a_restart(book: AccessBook, tmp_path: Path) -> None:
    joined = book.join(book.table_code, " Anna's \n phone ", "10.0.0.1", None)
    assert (joined.name, joined.role) == ("Anna's phone", Role.PLAY)
    found = again(book, tmp_path).device(joined.key)
    assert found == joined
    assert again(book, tmp_path).policy == CODES


def test_the_code_to_scan_lets_in_too(book: AccessBook) -> None:
    assert book.join(book.invitation, "Ben", "10.0.0.1", None).role is Role.PLAY


def test_the_file_is_nobody_elses(book: AccessBook, tmp_path: Path) -> None:
    file = tmp_path / "access.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert b"nine worlds" not in file.read_bytes()


def test_wrong_codes_cost_time_whoever_tries_them(book: AccessBook, clock: Clock) -> None:
    for _ in range(FROM_ONE_ADDRESS.free):
        with pytest.raises(BadInput, match="not the code"):
            book.join(wrong(book), "x", "10.0.0.1", None)
    with pytest.raises(BadInput, match="Try again in 10 seconds"):
        book.join(book.table_code, "x", "10.0.0.1", None)  # even the right one
    assert book.join(book.table_code, "Ben", "10.0.0.2", None).role is Role.PLAY
    clock.now += 11
    assert book.join(book.table_code, "Anna", "10.0.0.1", None).role is Role.PLAY


def test_many_addresses_do_not_help(book: AccessBook) -> None:
    for at in range(FROM_ALL.free):
        with pytest.raises(BadInput, match="not the code"):
            book.join(wrong(book), "x", f"10.0.1.{at}", None)
    with pytest.raises(BadInput, match="Too many wrong codes"):
        book.join(wrong(book), "x", "10.0.2.1", None)
    assert (
        book.join(book.invitation, "Ben", "10.0.2.1", None).role is Role.PLAY
    )  # nobody is locked out


def test_a_day_of_guessing_tries_few_codes() -> None:
    """Of ten thousand, by somebody with any number of addresses and all the patience."""
    slow, now, tried = Slowdown(), 0.0, 0
    while now < 24 * 3600:
        address = str(tried)
        wait = slow.wait(address, now)
        if wait:
            now += wait
            continue
        slow.failed(address, now)
        tried += 1
    assert tried < 50


def guessed(book: AccessBook, address: str, times: int) -> None:
    for _ in range(times):
        with pytest.raises(BadInput):
            book.own("a guess", "x", address, None)


def test_a_guesser_cannot_keep_the_owner_out(book: AccessBook, clock: Clock) -> None:
    """Not even one with every address of the network."""
    phone = book.join(book.table_code, "Anna's phone", "10.0.0.200", None)
    for at in range(50):
        clock.now += 10.1
        guessed(book, f"10.0.0.{at}", 1)
    with pytest.raises(BadInput, match="Try again in 10 seconds"):
        book.own("nine worlds", "Anna", "10.0.0.201", None)
    clock.now += 10.1
    assert book.own("nine worlds", "Anna", "10.0.0.201", None).role is Role.OWN
    guessed(book, "10.0.0.77", 1)
    assert book.own("nine worlds", "Anna", "10.0.0.200", phone).role is Role.OWN, "who has joined"


def test_one_address_waits_longer_and_longer(book: AccessBook, clock: Clock) -> None:
    guessed(book, "10.0.0.1", FROM_ONE_ADDRESS.free)
    waits = []
    for _ in range(4):
        with pytest.raises(BadInput) as refused:
            book.own("nine worlds", "x", "10.0.0.1", None)
        waits.append(int(str(dict(refused.value.message.facts)["seconds"])))
        clock.now += waits[-1] + 0.1
        guessed(book, "10.0.0.1", 1)
    assert waits == [10, 20, 40, 80]


def test_at_the_box_nobody_is_locked_out(book: AccessBook, clock: Clock) -> None:
    for at in range(40):
        guessed(book, f"10.0.0.{at}", 2)
    assert book.own("nine worlds", "Anna", HERE, None).role is Role.OWN
    guessed(book, HERE, 50)
    clock.now += 2.1
    assert book.own("nine worlds", "Anna", HERE, None).role is Role.OWN
    for at in range(40):
        with pytest.raises(BadInput):
            book.join(wrong(book), "x", f"10.0.1.{at}", None)
    assert book.join(book.table_code, "Anna", HERE, None).role is Role.PLAY


def test_naming_a_phone_over_and_over_does_not_grind_the_card(tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "access.json"
    book = AccessBook(file, clock)
    phone = book.join("", "Anna's phone", "10.0.0.1", None)
    before = file.stat().st_ino  # every write makes another file
    for _ in range(50):
        assert book.join("", "Anna's phone", "10.0.0.1", phone) == phone
    assert file.stat().st_ino == before
    for _ in range(MOST_WRITTEN):
        book.join("", "somebody", "10.0.0.9", None)
    with pytest.raises(BadInput, match="Many phones"):
        book.join("", "somebody", "10.0.0.9", None)
    assert book.join("", "Ben", "10.0.0.2", None).name == "Ben", "others are not held up"
    clock.now += WRITTEN_SECONDS + 1
    assert book.join("", "Cleo", "10.0.0.9", None).name == "Cleo"


def test_owning_needs_the_owners_code(book: AccessBook) -> None:
    for bad in ("", "nine world", "nine worldsx", "0" * 10_000):
        with pytest.raises(BadInput, match="not the code"):
            book.own(bad, "x", "10.0.0.1", None)
    assert book.own("nine worlds", "Anna", "10.0.0.2", None).role is Role.OWN


def test_whoever_holds_both_buttons_owns_the_box_once(book: AccessBook, clock: Clock) -> None:
    book.present()
    assert book.own("", "Anna", "10.0.0.1", None).role is Role.OWN
    with pytest.raises(BadInput):
        book.own("", "Ben", "10.0.0.2", None)
    book.present()
    clock.now += PRESENT_SECONDS + 1
    with pytest.raises(BadInput):
        book.own("", "Ben", "10.0.0.2", None)


def test_who_only_gave_a_name_while_playing_was_open_does_not_stay_in(tmp_path: Path) -> None:
    book = AccessBook(tmp_path / "access.json")
    stranger = book.join("", "Stranger", "10.0.0.1", None)
    guest = book.join(book.table_code, "Guest", "10.0.0.2", None)
    book.set_owner_code("nine worlds")
    book.decide(codes=True, closed=False)
    roles = {each.key: role_of(book.policy, each.role) for each in book.devices}
    assert roles == {stranger.key: Role.WATCH, guest.key: Role.PLAY}


def test_who_is_sent_away_is_gone(book: AccessBook, tmp_path: Path) -> None:
    joined = book.join(book.table_code, "Anna", "10.0.0.1", None)
    book.revoke(joined.handle)
    assert book.device(joined.key) is None
    assert again(book, tmp_path).device(joined.key) is None


def test_new_codes_end_the_old_ones(book: AccessBook) -> None:
    invitation = book.invitation
    book.new_codes()
    with pytest.raises(BadInput):
        book.join(invitation, "Ben", "10.0.0.1", None)


def test_a_program_has_a_key_that_is_kept_nowhere(book: AccessBook, tmp_path: Path) -> None:
    key = book.add_program("scoreboard", Role.WATCH)
    found = again(book, tmp_path).program(key)
    assert found is not None
    assert (found.name, found.role) == ("scoreboard", Role.WATCH)
    assert key.encode() not in (tmp_path / "access.json").read_bytes()
    assert book.program(key + "x") is None


@pytest.mark.parametrize("damaged", [b"", b"{", b"[]", b"\xff\xfe", b'{"secret": 1}', b"{}"])
def test_a_damaged_file_opens_nothing(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "access.json").write_bytes(damaged)
    book = AccessBook(tmp_path / "access.json")
    assert role_of(book.policy, None) is Role.WATCH
    with pytest.raises(BadInput):
        book.own("", "x", "10.0.0.1", None)
    book.present()
    assert book.own("", "Anna", "10.0.0.1", None).role is Role.OWN


def test_there_are_never_more_devices_than_can_be_kept(book: AccessBook) -> None:
    owner = book.own("nine worlds", "Owner", "10.0.0.1", None)
    for at in range(230):
        book.join(book.invitation, f"phone {at}", f"10.0.0.{at % 20}", None)
    assert len(book.devices) == 200
    assert book.device(owner.key) == owner


def test_a_program_plays_under_its_own_name_and_only_if_it_may() -> None:
    book = AccessBook()
    lamp, board = book.add_program("lamp", Role.PLAY), book.add_program("board", Role.WATCH)
    assert book.player_of("") == ""  # playing is open until codes are switched on
    book.set_owner_code("a long code")
    book.decide(codes=True, closed=False)
    assert [book.player_of(key) for key in (lamp, board, "", "x")] == ["lamp", None, None, None]
