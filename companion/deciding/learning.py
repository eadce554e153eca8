"""What entries teach: which card a thing is, what is not to be entered again, and what the camera
confuses. Every entry says which reading it was made of or which one it was said instead of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.core.catalog import game_named
from companion.deciding.confusions import Confusions, confirmed, put_right
from companion.deciding.memory import REMEMBERED, BookEntry, Books, EnteredReading, Memory
from companion.tabletop.layout import features_of
from companion.tabletop.observations import TableChange
from companion.tabletop.readings import Reading

_SURELY = 0.97
"""Who reads a card so surely and is told that it is another has misread it."""


def followed(memory: Memory, books: Books, now: float) -> Memory:
    """The memory once the books have moved: it learns from what was entered and taken back."""
    fresh = [each for each in reversed(books.recent) if each.seq > memory.seq]
    undone = _undone(memory, books)
    taken_back = [each.reading for each in undone]
    if memory.entering is not None and _undone_at_once(memory.entering, books):
        taken_back.append(memory.entering)
    by_camera = memory.entering is not None and _is_all_of(memory.entering, fresh)
    by_people = [] if by_camera else fresh
    against = (*memory.barred, *taken_back)
    meant = _meant(memory, fresh)
    names = _named(memory, books.game, taken_back, by_people, meant)
    entered = tuple(each for each in memory.entered if each not in undone)
    if meant is not None:
        entered = (*entered, EnteredReading(books.seq, meant))[-REMEMBERED:]
    confusions = memory.confusions
    if not by_camera:
        confusions = _confused(memory, books.game, taken_back, fresh, meant)
    wrong = [each for each in taken_back if not _is_made_of(each, fresh)]
    return replace(
        memory,
        seq=books.seq,
        ids={},
        names=names,
        entered=entered,
        barred=() if by_people else against,  # they have said what it was: the rest is read anew
        disputed=_disputed(memory, against, len(by_people)) - set(names),
        entering=None,
        entered_at=now if by_people else memory.entered_at,
        changes=_after(memory, by_camera=by_camera) if fresh else memory.changes,
        blamed=None,
        rejected=None,
        confusions=confusions,
        put_right=(*memory.put_right, *(books.seq for _ in wrong))[-REMEMBERED:],
    )


def _undone(memory: Memory, books: Books) -> list[EnteredReading]:
    """Readings that were entered and do not count any more."""
    counting = {each.seq for each in books.recent}
    oldest = min(counting) if len(counting) >= REMEMBERED else 0
    return [each for each in memory.entered if each.seq > oldest and each.seq not in counting]


def _undone_at_once(entering: Reading, books: Books) -> bool:
    """Whether people took a reading back before the camera had found it in the books."""
    return bool(entering.id) and entering.ref(0) in books.taken_back


def _is_all_of(reading: Reading, entries: Sequence[BookEntry]) -> bool:
    """Whether the entries are its lines, every one, and nothing else."""
    refs = [reading.ref(at) for at in range(len(reading.lines))]
    return bool(refs and reading.id) and [each.because for each in entries] == refs


def _is_made_of(reading: Reading, entries: Iterable[BookEntry]) -> bool:
    """Whether every line of it is among the entries."""
    because = {each.because for each in entries} - {None}
    return all(reading.ref(at) in because for at in range(len(reading.lines)))


def _meant(memory: Memory, fresh: Sequence[BookEntry]) -> Reading | None:
    """The reading the entries begin with, whoever entered it."""
    known = (*memory.readings, *(() if memory.blamed is None else (memory.blamed,)))
    return next((each for each in known if _is_all_of(each, fresh[: len(each.lines)])), None)


def _named(
    memory: Memory,
    game: str,
    taken_back: Iterable[Reading],
    by_people: Sequence[BookEntry],
    meant: Reading | None,
) -> dict[int, str]:
    """Which card a thing is, now that people have spoken."""
    names = dict(memory.names)
    for reading in taken_back:
        for number, _ in reading.names:
            names.pop(number, None)
    for reading in (*memory.barred, *taken_back):
        said = said_instead(game, reading, by_people)
        names.update((number, said[word]) for number, word in reading.names if word in said)
    names.update(meant.names if meant is not None else ())
    return names


def _disputed(memory: Memory, against: Sequence[Reading], spoken: int) -> frozenset[int]:
    """Also the things of readings that as many entries of people have now spoken of."""
    blamed = () if memory.blamed is None else (memory.blamed,)
    spoken_of = (*blamed, *against)[:spoken]
    return memory.disputed | {number for each in spoken_of for number, _ in each.names}


def _after(memory: Memory, *, by_camera: bool) -> tuple[TableChange, ...]:
    """What changed after the reading that was entered: it is yet to be understood."""
    return tuple(each for each in memory.changes if by_camera and each.at > memory.since)


# What is confused


def _confused(
    memory: Memory,
    game: str,
    undone: Sequence[Reading],
    fresh: Sequence[BookEntry],
    meant: Reading | None,
) -> Confusions:
    """What people have said now about how cards are read."""
    confusions = memory.confusions
    for reading in dict.fromkeys((*undone, *memory.barred)):
        if reading.pixels >= _SURELY ** len(reading.names):
            for read, said in said_instead(game, reading, fresh).items():
                confusions = put_right(confusions, read, said, features_of(game))
    return confusions if meant is None else _heard_of(memory, game, meant, confusions)


def _heard_of(memory: Memory, game: str, meant: Reading, confusions: Confusions) -> Confusions:
    """How the cards read that people have now named for the first time, by entering a reading."""
    said_of = dict(meant.names)
    for thing in memory.table:
        if thing.number in said_of and thing.number not in memory.names:
            read, said = str(thing.label or ""), said_of[thing.number]
            if read == said:
                confusions = confirmed(confusions, read, features_of(game))
            elif thing.p >= _SURELY:
                confusions = put_right(confusions, read, said, features_of(game))
    return confusions


def said_instead(game: str, reading: Reading, entries: Iterable[BookEntry]) -> dict[str, str]:
    """What people say the cards of a reading are that they took back or rejected: the same, where
    a line of it was entered after all; else those of the line that was entered instead."""
    said: dict[str, str] = {}
    for entry in entries:
        for ref, entered in ((entry.instead_of, True), (entry.because, False)):
            if ref is not None and ref.line is not None and ref.reading == reading.id:
                line = reading.lines[ref.line]
                said |= _words_instead(game, line, entry.action if entered else line)
    cards = {word for _, word in reading.names}
    return {read: meant for read, meant in said.items() if read in cards}


def _words_instead(game: str, before: str, now: str) -> dict[str, str]:
    """Word by word, what another line of the same seat and kind says; no other tells of cards."""
    (seat, *words), (also, *others) = before.split(), now.split()
    parse = game_named(game).parse
    if seat != also or len(words) != len(others) or type(parse(before)) is not type(parse(now)):
        return {}
    gone = [word for word in (seat, *words) if word not in (also, *others)]
    come = [word for word in (also, *others) if word not in (seat, *words)]
    same = {word: word for word in (seat, *words) if word in (also, *others)}
    return same | dict(zip(gone, come, strict=False))
