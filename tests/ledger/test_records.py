"""Record files: whatever is in a log comes back from its record, and whatever a person types
wrong is shown to them to the letter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import Refused, Setup
from companion.foundation.errors import BadInput, BadRecord, BadSetup
from companion.games.odin import rules as odin
from companion.ledger.events import Did, Event, Fact, LetStood, Opened, Retracted
from companion.ledger.journal import Journal
from companion.ledger.records import MOST_BYTES, RecordLine, facts, judged, open_record, read, write
from companion.ledger.session import Ruling, replayed
from tests.ledger.logs import kept, logs
from tests.strategies import examples

NOW = "2026-11-16T10:00:00.000Z"
HEAD = "odin 1\nA: Anna\nB: Ben\n\n"  # entries start in line 5

Log = tuple[Event, ...]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journal]:
    """One journal in which all the games of a test pile up."""
    with Journal(tmp_path_factory.mktemp("shelf") / "journal.db") as journal:
        yield journal


# There and back


@examples(120)
@given(logs())
def test_a_log_comes_back_from_its_record(shelf: Journal, log: Log) -> None:
    text = write(log)
    again = shelf.import_game(facts(read(text.encode()), NOW))
    assert kept(again) == kept(log)
    assert replayed(again).state == replayed(log).state
    assert write(again) == text
    assert write(shelf.events(again[0].game)) == text


@examples(40)
@given(logs(most=8), st.data())
def test_however_it_is_copied_it_reads_the_same(log: Log, data: st.DataObject) -> None:
    """Line ends of another system, a mark at the front, comments, blank lines, wide gaps."""
    text = write(log)
    record = read(text.encode())
    lines = []
    for line in text.splitlines():
        lines += data.draw(st.sampled_from(([], [""], ["# a word"], ["   ", "\t# - odin 2"])))
        indent = data.draw(st.sampled_from(("", "  ", "\t"))) if lines else ""
        lines.append(indent + line + data.draw(st.sampled_from(("", "  ", "  # by # Anna"))))
    copied = data.draw(st.sampled_from(("\n", "\r\n"))).join(lines)
    for encoding in ("utf-8", "utf-8-sig"):
        again = read(copied.encode(encoding))
        assert (again.setup, again.rules) == (record.setup, record.rules)
        assert (again.opened_at, again.opened_by) == (record.opened_at, record.opened_by)
        assert [_said(line) for line in again.lines] == [_said(line) for line in record.lines]
        assert facts(again, NOW) == facts(record, NOW)


def _said(line: RecordLine) -> tuple[str, str, str]:
    return line.text, line.at, line.source


def test_a_record_as_the_companion_writes_it() -> None:
    changes = (("limit", "20"), ("goat", "true"))
    setup = Setup("odin", ("Anna", "Bo-Erik", "Cé O’Dea"), "de", changes)
    told: list[tuple[Fact, str]] = [
        (Opened(setup, 1), "page"),
        (Did("deal A"), "button"),
        (Did("A shows r1 r2 r3 r4 r5 r6 r7 r8 r9"), "page"),
        (LetStood("B r1", ("too-low",)), "camera"),
        (Retracted(1), "button"),
        (Retracted(2), "record"),
    ]
    log = [
        Event(seq, 1, seq - 1, f"2026-11-16T10:11:0{seq}.000Z", source, fact)
        for seq, (fact, source) in enumerate(told, start=1)
    ]
    assert write(log) == (
        "odin 1\n"
        "A: Anna\n"
        "B: Bo-Erik\n"
        "C: Cé O’Dea\n"
        "edition: de\n"
        "limit: 20\n"
        "goat: true\n"
        "opened: 2026-11-16T10:11:01.000Z page\n"
        "\n"
        "deal A                           @ 2026-11-16T10:11:02.000Z button\n"
        "A shows r1 r2 r3 r4 r5 r6 r7 r8 r9 @ 2026-11-16T10:11:03.000Z page\n"
        "! B r1                           @ 2026-11-16T10:11:04.000Z camera\n"
        "undo                             @ 2026-11-16T10:11:05.000Z button\n"
        "undo 2                           @ 2026-11-16T10:11:06.000Z record\n"
    )


def test_reading_and_writing_tidies_once_and_then_changes_nothing() -> None:
    typed = f"{HEAD.replace('Ben', 'Ben # the elder')}deal a\n ! b  R3 # oh\nundo\n"
    tidy = write(log_of(typed))
    assert tidy == (
        "odin 1\nA: Anna\nB: Ben\nedition: en\n"
        f"opened: {NOW} record\n\n"
        f"deal A                           @ {NOW} record\n"
        f"! B r3                           @ {NOW} record\n"
        f"undo                             @ {NOW} record\n"
    )
    assert write(log_of(tidy)) == tidy


def log_of(text: str) -> Log:
    """The log an empty journal would have after this record came in."""
    told = facts(read(text.encode()), NOW)
    return tuple(Event(n, 1, n - 1, at, by, fact) for n, (fact, at, by) in enumerate(told, 1))


def test_a_record_starts_with_an_opening() -> None:
    with pytest.raises(BadInput, match="a record starts with the opening of a game"):
        write([Event(2, 1, 1, NOW, "page", Did("deal A"))])


# Typed by hand


def test_a_record_typed_by_hand() -> None:
    record = read(
        """
# Friday at Anna's
  odin  1

a: Anna
B:Ben
C : Cé O’Dea      # sits by the window
limit: 20

deal a
# A had no choice
 A R7 # high!
!b r3
B  take r7   # a slip
undo
c pass       @ 2026-11-16T10:11:12.000Z button
UNDO 2
""".encode()
    )
    assert record.setup == Setup("odin", ("Anna", "Ben", "Cé O’Dea"), "en", (("limit", "20"),))
    assert (record.rules, record.opened_at, record.opened_by) == (1, "", "record")
    assert [(line.number, line.column, line.text) for line in record.lines] == [
        (10, 1, "deal a"),
        (12, 2, "A R7"),
        (13, 1, "!b r3"),
        (14, 1, "B  take r7"),
        (15, 1, "undo"),
        (16, 1, "c pass"),
        (17, 1, "UNDO 2"),
    ]
    assert [line.stands for line in record.lines] == [False, False, True, *[False] * 4]
    kinds = [type(each.ruling) for each in judged(record)]
    assert kinds == [Ruling, Ruling, Ruling, Refused, Ruling, Refused, Ruling]


@pytest.mark.parametrize("key", ["opened", "Opened", "OPENED "])
def test_when_it_was_opened_may_be_written_in_any_case(key: str) -> None:
    record = read(f"odin 1\nA: Anna\nB: Ben\n{key}: {NOW} page\n".encode())
    assert (record.opened_at, record.opened_by) == (NOW, "page")


def test_a_refusal_is_told_in_the_readers_language() -> None:
    """The way on, too: nothing of it is put together here."""
    for entries, code in (("B r3", "against-rules-may-stand"), ("F r3", "against-rules")):
        with pytest.raises(BadRecord) as refused:
            facts(read(f"{HEAD}deal A\nA r7\n{entries}\n".encode()), NOW)
        problem = refused.value.problem
        assert problem.code == code
        assert not [fact for name, fact in problem.facts if name not in ("text", "why")]


def test_facts_of_a_record_typed_by_hand() -> None:
    typed = "deal a\nA R7\n!b r3\nundo\n!B PASS\nc pass @ 2020-01-02T03:04:05Z button\nundo 2\n"
    assert facts(read((HEAD.replace("\n\n", "\nC: Cleo\n\n") + typed).encode()), NOW) == [
        (Opened(Setup("odin", ("Anna", "Ben", "Cleo")), 1), NOW, "record"),
        (Did("deal A"), NOW, "record"),
        (Did("A r7"), NOW, "record"),
        (LetStood("B r3", ("too-low",)), NOW, "record"),
        (Retracted(1), NOW, "record"),
        (Did("B pass"), NOW, "record"),
        (Did("C pass"), "2020-01-02T03:04:05Z", "button"),
        (Retracted(2), NOW, "record"),
    ]


def test_editions_and_options_may_be_written_large() -> None:
    record = read(b"odin 1\nA: Anna\nB: Ben\nEdition: DE\nGoat: True\nLIMIT: One_Hand\n")
    assert record.setup.names == ("Anna", "Ben")
    assert record.setup.edition == "de"
    assert record.setup.changes == (("goat", "true"), ("limit", "one_hand"))


def test_a_record_needs_no_entries() -> None:
    record = read(b"odin 1\r\nA: Anna\r\nB: Ben")
    assert record.lines == ()
    assert open_record(record).state == odin.start(Setup("odin", ("Anna", "Ben"), rules=1))
    assert len(facts(record, NOW)) == 1


def test_judging_goes_on_after_a_refused_line() -> None:
    record = read(f"{HEAD}deal A\nB r3\nA r4\nundo 9\nB pass\n".encode())
    seen = list(judged(record))
    assert [each.line for each in seen] == list(record.lines)
    assert [isinstance(each.ruling, Ruling) for each in seen] == [True, False, True, False, True]
    assert seen[1].after is seen[0].after
    assert seen[3].after is seen[2].after
    assert seen[-1].after.seq == 4


def test_a_record_knows_the_limits_of_its_setup() -> None:
    record = read(b"odin 1\nA: Anna\nB: anna\nlimit: 0\ncolor: red\n")
    for asked in (lambda: open_record(record), lambda: facts(record, NOW)):
        with pytest.raises(BadSetup) as caught:
            asked()
        assert [each.code for each in caught.value.problems] == [
            "name-twice",
            "option-unknown",
            "option-value",
        ]


# What cannot be read

TITLE = "a record starts with a game and its version, such as odin 2"
CARD = (
    "is not a card; write a colour and a number such as r7 "
    "(b r p g k o, or the suits h d s c with A for the ace), or goat"
)
TIME = "is no time; write it like 2026-11-16T10:11:12.000Z"
SEATS = "seats go A, B, C and so on"
STAND = "If the table let it stand, write ! before it"
BEGINNINGS = "write a seat, A to F, or deal, count, carry"
LONG = "A " + "r1 " * 200

UNREADABLE: dict[str, tuple[bytes, int, int, str]] = {
    "empty": (b"", 1, 1, "the record is empty; it starts with a game such as odin 2"),
    "nothing but comments": (
        b"\xef\xbb\xbf\r\n  # odin 1\n\n",
        1,
        1,
        "the record is empty; it starts with a game such as odin 2",
    ),
    "no version of Valhal": (b"Valhal\nA: Anna\n", 1, 1, TITLE.replace("odin 2", "valhal 5")),
    "unknown game": (b"\n\n  chess 1\nA: Anna\n", 3, 3, TITLE),
    "no version": (b"odin\nA: Anna\n", 1, 1, TITLE),
    "no game": (b"A: Anna\nB: Ben\n", 1, 1, TITLE),
    "version in words": (b"odin one\n", 1, 1, TITLE),
    "endless version": (b"odin 11111\n", 1, 1, TITLE),
    "an endless first line": (b"odin " * 100_000, 1, 1, TITLE),
    "version too new": (
        b"# new\nodin 9999\n",
        2,
        1,
        f"version 9999 of odin is not known here ({odin.VERSION} is the latest)",
    ),
    "version too old": (
        b"odin 0\n",
        1,
        1,
        f"version 0 of odin is not known here ({odin.VERSION} is the latest)",
    ),
    "seats out of order": (b"odin 1\nA: Anna\n C: Cleo\n", 3, 2, SEATS),
    "not from A": (b"odin 1\nB: Ben\nA: Anna\n", 2, 1, SEATS),
    "a seat twice": (b"odin 1\nA: Anna\nB: Ben\nA: Cleo\n", 4, 1, SEATS),
    "a key twice": (
        b"odin 1\nA: Anna\nlimit: 20\nB: Ben\n  limit: 20\n",
        5,
        3,
        "'limit' is set twice",
    ),
    "edition twice": (b"odin 1\nedition: en\nedition: de\n", 3, 1, "'edition' is set twice"),
    "opened twice": (b"odin 1\nopened:\nopened:\n", 3, 1, "'opened' is set twice"),
    "no such seat": (b"odin 1\nA: Anna\n  g: Gro\n", 3, 3, "there is no seat G, only A to F"),
    "an endless header": (
        b"odin 1\nA: " + b"a" * 600,
        2,
        1,
        "the line has 603 characters; 400 are the most",
    ),
    "opened at no time": (b"odin 1\n  opened: yesterday page\n", 2, 11, f"'yesterday' {TIME}"),
    "opened by nothing known": (
        b"odin 1\nopened: 2026-11-16T10:11:12.000Z  ghosts\n",
        2,
        35,
        "nothing is entered by 'ghosts'; known: page, button, camera, record, mqtt, phone",
    ),
    "a time that never was": (
        b"odin 1\n\ndeal A  @ 2026-02-30T10:11:12.000Z page\n",
        3,
        11,
        f"'2026-02-30T10:11:12.000Z' {TIME}",
    ),
    "entered by nothing known": (
        b"odin 1\n\ndeal A @ 2026-11-16T10:11:12.000Z ghosts\n",
        3,
        35,
        "nothing is entered by 'ghosts'; known: page, button, camera, record, mqtt, phone",
    ),
    "not UTF-8": (
        b"odin 1\nA: Anna\nB: C\xe9line\n",
        3,
        5,
        "this is not UTF-8 text; save the file as UTF-8",
    ),
    "UTF-16": (
        "odin 1\n".encode("utf-16"),
        1,
        1,
        "this is not UTF-8 text; save the file as UTF-8",
    ),
    "ten million bytes": (
        b"odin 1\n" + b"#" * 9_999_993,
        1,
        1,
        "the record has 10000000 bytes; 1000000 are the most",
    ),
    "one byte too many": (
        b"odin 1\n".ljust(MOST_BYTES + 1),
        1,
        1,
        "the record has 1000001 bytes; 1000000 are the most",
    ),
}


@pytest.mark.parametrize(("data", "line", "column", "problem"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_is_no_record(data: bytes, line: int, column: int, problem: str) -> None:
    with pytest.raises(BadRecord) as caught:
        read(data)
    bad = caught.value
    assert (bad.line, bad.column, str(bad.problem)) == (line, column, problem)
    assert str(bad) == f"line {line}, column {column}: {problem}"


def test_a_record_of_a_million_bytes_is_read() -> None:
    assert read(b"odin 1\nA: Anna\nB: Ben\n".ljust(MOST_BYTES)).setup.names == ("Anna", "Ben")


BAD_ENTRIES: dict[str, tuple[str, int, int, str]] = {
    "bad card": ("deal A\nA r7 x3\n", 6, 6, f"'x3' {CARD}"),
    "bad card, indented": ("deal A\n   A   r10\n", 6, 8, f"'r10' {CARD}"),
    "bad card, let stand": ("deal A\n! A r0", 6, 5, f"'r0' {CARD}"),
    "bad card, let stand at once": ("deal A\n  !A r0", 6, 6, f"'r0' {CARD}"),
    "bad action": ("deals A\n", 5, 1, f"no line begins with 'deals'; {BEGINNINGS}"),
    "a seat and no more": (
        "deal A\nA\n",
        6,
        1,
        "after 'A' comes cards, or pass, take, has, shows",
    ),
    "pass and more": ("deal A\r\nA pass now\r\n", 6, 8, "nothing follows 'pass'"),
    "nothing stands": ("deal A\n!\n", 6, 2, "nothing is written here"),
    "undo with rubbish": ("deal A\nundo it\n", 6, 6, "'it' is not a whole number up to 9999"),
    "undo with more": (
        "deal A\n undo 1 please\n",
        6,
        9,
        "after 'undo' comes a number of entries or nothing",
    ),
    "undo endless": ("deal A\nundo 99999", 6, 6, "'99999' is not a whole number up to 9999"),
    "undo less than nothing": ("undo -1", 5, 6, "'-1' is not a whole number up to 9999"),
    "undo let stand": ("! undo", 5, 3, f"no line begins with 'undo'; {BEGINNINGS}"),
    "a header among the entries": (
        "deal A\nC: Cleo\n",
        6,
        1,
        (
            "'C: Cleo' belongs to the top, before the first entry; if it is an entry, write it"
            " without the colon"
        ),
    ),
    "an endless line": (
        f"deal A\n{LONG}\n",
        6,
        1,
        "the line has 601 characters; 400 are the most",
    ),
    "a time without a source": (
        "deal A @ 2026-11-16T10:11:12.000Z\n",
        5,
        8,
        "after 'deal' comes only the seat that leads, such as deal A",
    ),
    "refused": (
        "deal A\nA r7\n  B r3\nA b8\n",
        7,
        3,
        f"'B r3' is against the rules: too-low [ODIN-PLAY-1] (value=3, middle=7). {STAND}",
    ),
}


@pytest.mark.parametrize(
    ("entries", "line", "column", "problem"), BAD_ENTRIES.values(), ids=BAD_ENTRIES
)
def test_an_entry_that_cannot_be_kept(entries: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(BadRecord) as caught:
        facts(read((HEAD + entries).encode()), NOW)
    bad = caught.value
    assert (bad.line, bad.column, str(bad.problem)) == (line, column, problem)
    assert str(bad) == f"line {line}, column {column}: {problem}"


@pytest.mark.parametrize(
    ("entries", "line", "why"),
    [
        ("undo\n", 5, "nothing-to-undo [TABLE] (asked=1, have=0)"),
        ("deal A\nundo 2\n", 6, "undo-too-far [TABLE] (asked=2, have=1)"),
        ("deal A\nA r3\n! B r3\n", 7, "on-the-table [ODIN-INV-4] (card=r3)"),
    ],
)
def test_what_can_never_stand_is_refused_on_import(entries: str, line: int, why: str) -> None:
    with pytest.raises(BadRecord) as caught:
        facts(read((HEAD + entries).encode()), NOW)
    said = entries.splitlines()[-1]
    assert str(caught.value) == f"line {line}, column 1: {said!r} is against the rules: {why}"


def test_a_record_that_cannot_be_kept_leaves_no_trace(shelf: Journal) -> None:
    before = shelf.count_games()
    with pytest.raises(BadRecord):
        shelf.import_game(facts(read(f"{HEAD}deal A\nA r7\nB r3\n".encode()), NOW))
    assert shelf.count_games() == before


# Anything at all

junk = st.binary() | st.text().map(str.encode)
SNIPPETS = (
    *"odin1ABrx7!:@#\n\r\t \ufeff",
    *("odin 1\n", "A: Anna\n", "B: Ben\n", "limit: 2\n", "deal A\n", "A r7\n", "! B r3\n"),
    *("undo", "undo 2\n", " @ 2026-11-16T10:11:12Z page\n"),
)
near = st.lists(st.sampled_from(SNIPPETS)).map(lambda parts: "".join(parts).encode())


@examples(400)
@given(junk | near | near.map(lambda text: HEAD.encode() + text))
def test_anything_is_read_or_refused_in_words(data: bytes) -> None:
    """Nothing a file may hold breaks more than the reading of that file."""
    lines = data.count(b"\n") + 1
    try:
        found = facts(read(data), NOW)
    except BadRecord as bad:
        place = (1 <= bad.line <= lines, bad.column >= 1, bool(bad.problem))
        if place != (True, True, True):
            raise
    except BadSetup as bad:
        if not bad.problems:
            raise
    else:
        text = write(log_of(data.decode("utf-8-sig")))
        assert facts(read(text.encode()), NOW) == found
