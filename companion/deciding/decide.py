"""What to do about what was read: enter it, show it, ask, object, or look again. A pure fold.

One clear legal reading is shown and entered after a moment. Close ones are asked. A clear illegal
one is proposed as it is, so that the referee refuses it with reason and rule. Whatever is unclear
is never held against anybody.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.deciding.confusions import doubted
from companion.deciding.learning import followed
from companion.deciding.memory import REMEMBERED, Books, Decision, Limits, Memory, Sight
from companion.deciding.reader import reader_of
from companion.deciding.scene import Scene
from companion.tabletop.layout import features_of
from companion.tabletop.readings import Question, Reading, Shown

MOST_ASKED = 4
"""Alternatives a question offers."""


def decide(
    memory: Memory,
    books: Books,
    sight: Sight,
    limits: Limits | None = None,
    *,
    rejected: bool = False,
) -> tuple[Memory, Decision]:
    """One step. `rejected`: people rejected what was shown or asked."""
    limits = limits or Limits()
    if books.number != memory.number:
        lamp = memory.confusions  # it is the same one
        memory = Memory(books.number, books.seq, confusions=lamp)
    if rejected and memory.entering is None:  # else it came too late
        memory = _rejected(memory)
    memory = replace(memory, changes=(*memory.changes, *sight.changes)[-REMEMBERED:])
    moved = books.seq != memory.seq
    if moved:
        memory = followed(memory, books, sight.now)
    if moved or sight.table != memory.table or rejected:
        memory = _read(memory, books, sight, limits.temper)
    if sight.stirred_at > memory.since:
        memory = replace(memory, since=sight.stirred_at)
    if not sight.settled:  # something is about to change
        return memory, Decision(look_again=True)
    return _decided(memory, books, sight, limits)


def _rejected(memory: Memory) -> Memory:
    barred = (*memory.barred, *(each for each in memory.readings if each.lines))
    return replace(memory, barred=barred, rejected=memory.desync, readings=())


# Reading the table


def _read(memory: Memory, books: Books, sight: Sight, temper: float) -> Memory:
    reader = reader_of(books.game)
    if reader is None:
        return replace(memory, table=sight.table)
    here = {thing.number for thing in sight.table}
    lying = reader.on_table(books.state)
    recent = here | {each.thing.number for each in memory.changes}
    names = {
        number: word for number, word in memory.names.items() if number in recent or word in lying
    }
    barred = tuple(
        each for each in memory.barred if all(number in here for number, _ in each.names)
    )
    table = doubted(sight.table, memory.confusions, features_of(books.game))
    disputed = memory.disputed & here
    scene = Scene(table, sight.zones, names, memory.changes, memory.entered_at)
    readings = _tempered(reader.read(books.state, scene), temper)
    if readings and not readings[0].lines:  # nothing happened; but now we know what is what
        names.update(readings[0].names)
        readings = ()
    desync = reader.disagreement(books.state, scene) if not readings else None
    ids = dict(memory.ids)
    readings = _numbered(readings, books.seq, ids)
    if desync is not None:
        desync = replace(desync, readings=_numbered(desync.readings, books.seq, ids))
    same = _lines(readings) == _lines(memory.readings) and desync == memory.desync
    return replace(
        memory,
        table=sight.table,
        names=names,
        barred=barred,
        disputed=disputed - set(names),
        readings=readings,
        desync=desync,
        ids=ids,
        since=memory.since if same and books.seq == memory.seq else sight.now,
    )


def _numbered(
    readings: Iterable[Reading], seq: int, ids: dict[tuple[str, ...], str]
) -> tuple[Reading, ...]:
    """Each with its number; new ones are added to `ids`."""
    return tuple(
        replace(each, id=ids.setdefault(each.lines, f"{seq}.{len(ids) + 1}")) for each in readings
    )


def tempered(p: float, temper: float) -> float:
    """A probability whose logit is divided by `temper`."""
    if temper == 1.0 or not 0.0 < p < 1.0:
        return p
    return float(1 / (1 + ((1 - p) / p) ** (1 / temper)))


def _tempered(readings: tuple[Reading, ...], temper: float) -> tuple[Reading, ...]:
    """The likeliest as sure as it should be; the others share what it leaves as before."""
    if temper == 1.0 or not readings or readings[0].p >= 1.0:
        return readings
    first = tempered(readings[0].p, temper)
    scale = (1 - first) / (1 - readings[0].p)
    best, *others = readings
    return (replace(best, p=first), *(replace(each, p=each.p * scale) for each in others))


def _lines(readings: tuple[Reading, ...]) -> tuple[str, ...]:
    return readings[0].lines if readings else ()


# Deciding


def _decided(memory: Memory, books: Books, sight: Sight, limits: Limits) -> tuple[Memory, Decision]:
    if memory.blamed is not None:
        return _after_blame(memory, books)
    stood = sight.now - memory.since
    if not memory.readings:
        return memory, _unexplained(memory, stood, limits)
    readings = _not_barred(memory)
    if not readings:
        return memory, Decision()
    best = readings[0]
    if best is memory.readings[0] and not _disputed(best, memory):
        if best.legal and best.p >= limits.sure:
            return _trusted(memory, stood, limits)
        if _to_blame(best, limits) and believed(memory, limits):
            return _blamed(memory, books, stood, limits)
    if stood < limits.ask_seconds:
        return memory, Decision(look_again=True)
    return memory, Decision(_question(readings, memory, limits))


def _unexplained(memory: Memory, stood: float, limits: Limits) -> Decision:
    """Nothing was read: all is well, or table and books disagree and people should know."""
    shown = memory.desync if memory.desync != memory.rejected else None
    told = shown if stood >= limits.desync_seconds else None
    return Decision(told, look_again=stood < limits.miss_seconds)


def _trusted(memory: Memory, stood: float, limits: Limits) -> tuple[Memory, Decision]:
    best = memory.readings[0]
    wait = limits.open_seconds if best.open_end else limits.take_seconds
    if stood < wait:
        return memory, Decision(Shown(best, memory.since + wait), look_again=True)
    return replace(memory, entering=best), Decision(enter=best)


def _blamed(memory: Memory, books: Books, stood: float, limits: Limits) -> tuple[Memory, Decision]:
    best = memory.readings[0]
    wait = limits.blame_open_seconds if best.open_end else limits.blame_seconds
    if stood < wait or books.refused:  # somebody else's: one thing after the other
        return memory, Decision(look_again=True)
    return replace(memory, blamed=best, entering=best), Decision(enter=best)


def _not_barred(memory: Memory) -> tuple[Reading, ...]:
    barred = {each.lines for each in memory.barred}
    return tuple(each for each in memory.readings if each.lines not in barred)


def _disputed(reading: Reading, memory: Memory) -> bool:
    """Whether people have said that a thing it rests on was something else: they are asked."""
    return any(number in memory.disputed for number, _ in reading.names)


def _to_blame(reading: Reading, limits: Limits) -> bool:
    return (
        not reading.legal
        and reading.blamed
        and reading.p >= limits.blame
        and reading.pixels >= limits.blame_pixels
    )


def believed(memory: Memory, limits: Limits) -> bool:
    """Whether the camera is believed against people; not if it was put right too often lately."""
    lately = [seq for seq in memory.put_right if seq > memory.seq - limits.lately]
    return len(lately) < limits.believed


def _after_blame(memory: Memory, books: Books) -> tuple[Memory, Decision]:
    """A refusal of ours lies there, until the cards or the people take it away."""
    blamed = memory.blamed
    if blamed is None:
        return memory, Decision()
    because = books.refused_because
    ours = books.refused if because is not None and because.reading == blamed.id else ""
    if blamed.lines != _lines(memory.readings):
        return replace(memory, blamed=None, entering=None), Decision(dismiss=ours)
    if ours:
        return memory, Decision(look_again=True)
    if books.refused:  # somebody said something else meanwhile; it is said again after that
        return replace(memory, blamed=None, entering=None), Decision()
    # people rejected it: then it was something else
    barred = (*memory.barred, blamed)
    put_right = (*memory.put_right, books.seq)[-REMEMBERED:]
    memory = replace(memory, blamed=None, entering=None, barred=barred, put_right=put_right)
    return memory, Decision()


def _question(readings: tuple[Reading, ...], memory: Memory, limits: Limits) -> Question:
    worth = [each for each in readings if each.p >= limits.worth_asking][:MOST_ASKED]
    numbers = {number for each in worth for number, _ in each.names}
    about = tuple(
        thing
        for thing in memory.table
        if thing.number in numbers and thing.number not in memory.names
    )
    return Question(tuple(worth or readings[:1]), about)
