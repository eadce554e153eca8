"""What to do about what was read: enter it, show it, ask, object, or look again. A pure fold.

One clear legal reading is shown and entered after a moment. Close ones are asked. A clear illegal
one is proposed as it is, so that the referee refuses it with reason and rule. Whatever is unclear
is never held against anybody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from companion.core.catalog import game_named
from companion.deciding.confusions import Confusions, confirmed, doubted, put_right
from companion.deciding.reader import READERS, word_of
from companion.deciding.scene import Scene
from companion.tabletop.observations import TableChange, Thing
from companion.tabletop.readings import CameraOpinion, Desync, Question, Reading, Shown
from companion.tabletop.zones import Outline

MOST_ASKED = 4
"""Alternatives a question offers."""
_SURELY = 0.97
"""Who reads a card so surely and is told that it is another has misread it."""
REMEMBERED = 24
"""Entries looked back upon."""


@dataclass(frozen=True, slots=True)
class Limits:
    """From when on a reading is clear, and how long it stands before it counts.

    Probabilities come out of `fusing` and `interpret`; `companion track --reliability` measures
    whether they mean what they say.
    """

    temper: float = 1.0
    """What they said is made less sure by this factor, in logits; below 1, surer. Fitted on games
    other than those it is judged on."""

    sure: float = 0.9
    """A legal reading this probable is entered without asking."""
    blame: float = 0.93
    """An illegal one must be this probable, all readings considered,"""
    blame_pixels: float = 0.985
    """and every card of it this sure by the pixels alone: nobody is blamed for a bad picture."""
    believed: int = 2
    """Who was put right so often within `lately` entries is believed against nobody: in some light
    colours are misread for sure, and again and again."""
    lately: int = 40
    worth_asking: float = 0.01
    """Alternatives less probable are not offered."""
    take_seconds: float = 1.5
    open_seconds: float = 2.5
    """The same, while another card may still be laid to the set."""
    blame_seconds: float = 2.0
    blame_open_seconds: float = 5.0
    ask_seconds: float = 3.0
    """Meanwhile the table is looked at again: that costs less than a question."""
    miss_seconds: float = 1.2
    """So long a table that seems unchanged is looked at again: a card may have been missed."""
    desync_seconds: float = 8.0


@dataclass(frozen=True, slots=True)
class Books:
    """What is entered, as far as the camera must know."""

    game: str
    number: int
    seq: int
    state: Any
    recent: tuple[tuple[int, str], ...] = ()
    """Number and action of the last entries that count, newest first."""
    refused: str = ""
    """The action of a refusal that lies on the table."""


@dataclass(frozen=True, slots=True)
class EnteredReading:
    """A reading that was entered, and the number of its last entry."""

    seq: int
    reading: Reading


@dataclass(frozen=True, slots=True)
class Memory:
    number: int = 0
    seq: int = 0
    table: tuple[Thing, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    readings: tuple[Reading, ...] = ()
    desync: Desync | None = None
    since: float = 0.0
    """When these readings were first made."""
    changes: tuple[TableChange, ...] = ()
    entering: tuple[str, ...] = ()
    """Lines given to the referee and not yet found in the books."""
    entered_at: float = float("-inf")
    """When people made the last entry themselves."""
    made: tuple[EnteredReading, ...] = ()
    barred: tuple[Reading, ...] = ()
    """Readings people took back or rejected away, while the table is as it was."""
    blamed: Reading | None = None
    """The reading the referee was given to refuse."""
    disputed: frozenset[int] = frozenset()
    """Things that lie there and that people, having spoken, did not mean as they were read."""
    put_right: tuple[int, ...] = ()
    """After which entries people took something back that was read, or rejected a refusal away."""
    confusions: Confusions = ()
    """What is confused in this light, by what they said it was instead."""
    rejected: Desync | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    opinion: CameraOpinion | None = None
    enter: Reading | None = None
    dismiss: str = ""
    """The action that was refused and does not lie there any more."""
    look_again: bool = False


@dataclass(frozen=True, slots=True)
class Sight:
    """What the camera knows at one moment."""

    now: float
    table: tuple[Thing, ...]
    zones: Mapping[str, Outline]
    changes: tuple[TableChange, ...] = ()
    settled: bool = True
    stirred_at: float = float("-inf")
    """When anything last moved."""


def decide(
    memory: Memory,
    books: Books,
    sight: Sight,
    limits: Limits | None = None,
    *,
    rejected: bool = False,
) -> tuple[Memory, Decision]:
    """One step. `rejected`: people rejected away what was shown or asked."""
    limits = limits or Limits()
    if books.number != memory.number:
        memory = Memory(
            books.number, books.seq, confusions=memory.confusions
        )  # under the same lamp
    if rejected and not memory.entering:  # else it came too late
        memory = _rejected(memory)
    memory = replace(memory, changes=(*memory.changes, *sight.changes)[-REMEMBERED:])
    moved = books.seq != memory.seq
    if moved:
        memory = _followed(memory, books, sight.now)
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


# When the books have moved


def _followed(memory: Memory, books: Books, now: float) -> Memory:
    """Learns from what was entered, and from what was taken back."""
    fresh = [action for seq, action in reversed(books.recent) if seq > memory.seq]
    counting = {seq for seq, _ in books.recent}
    oldest = min(counting) if len(counting) >= REMEMBERED else 0
    undone = [each for each in memory.made if each.seq > oldest and each.seq not in counting]
    by_camera = bool(fresh) and tuple(fresh) == memory.entering
    taken_back = [each.reading for each in undone]
    names = dict(memory.names)
    for reading in taken_back:
        for number, _ in reading.names:
            names.pop(number, None)
    against = [*memory.barred, *taken_back]
    by_people = fresh if not by_camera else []
    for reading, said in zip(against, said_instead(books.game, against, by_people), strict=True):
        names.update((number, said[word]) for number, word in reading.names if word in said)
    meant = _meant(memory, fresh)
    made = tuple(each for each in memory.made if each not in undone)
    if meant is not None:
        names.update(meant.names)
        made = (*made, EnteredReading(books.seq, meant))[-REMEMBERED:]
    confusions = memory.confusions
    if not by_camera:
        confusions = _learnt(memory, books.game, taken_back, fresh, meant)
    barred, disputed = tuple(against), memory.disputed
    if by_people:  # they have said what it was; what came after it is read anew
        blamed = [memory.blamed] if memory.blamed is not None else []
        spoken_of = [*blamed, *against][: len(by_people)]
        disputed |= {number for each in spoken_of for number, _ in each.names}
        barred = ()
    return replace(
        memory,
        seq=books.seq,
        names=names,
        made=made,
        barred=barred,
        disputed=disputed - set(names),
        entering=(),
        entered_at=now if by_people else memory.entered_at,
        changes=_after(memory, by_camera=by_camera) if fresh else memory.changes,
        blamed=None,
        rejected=None,
        confusions=confusions,
        put_right=(
            *memory.put_right,
            *(books.seq for each in undone if not set(each.reading.lines) <= set(fresh)),
        )[-REMEMBERED:],
    )


def _learnt(
    memory: Memory, game: str, undone: list[Reading], fresh: list[str], meant: Reading | None
) -> Confusions:
    """What people have said now about how cards are read."""
    confusions = memory.confusions
    against = [
        each
        for each in dict.fromkeys((*undone, *memory.barred))
        if each.pixels >= _SURELY ** len(each.names)
    ]
    for instead in said_instead(game, against, fresh):
        for read, said in instead.items():
            confusions = put_right(confusions, read, said)
    said_of = dict(meant.names) if meant is not None else {}
    for thing in memory.table:
        if thing.number in said_of and thing.number not in memory.names:
            read, said = word_of(game, thing.label or ""), said_of[thing.number]
            if read == said:
                confusions = confirmed(confusions, read)
            elif thing.p >= _SURELY:
                confusions = put_right(confusions, read, said)
    return confusions


def said_instead(
    game: str, readings: Sequence[Reading], fresh: Sequence[str]
) -> list[dict[str, str]]:
    """What people say the cards of each reading are, whose lines were taken back: the same, if its
    line was entered again; else those of another line that was entered in its place."""
    lines = [line for each in readings for line in each.lines]
    left = [line for line in fresh if line not in lines]
    out: list[dict[str, str]] = []
    for reading in readings:
        cards = {word for _, word in reading.names}
        said: dict[str, str] = {}
        for line in reading.lines:
            other = line if line in fresh else _in_place_of(game, line, left)
            if other is None:
                continue
            if other in left:
                left.remove(other)
            before, now = line.split(), other.split()
            gone = [word for word in before if word not in now]
            come = [word for word in now if word not in before]
            said |= {word: word for word in before if word in now}
            said |= dict(zip(gone, come, strict=False))
        out.append({read: meant for read, meant in said.items() if read in cards})
    return out


def _in_place_of(game: str, line: str, others: Sequence[str]) -> str | None:
    """An action of the same kind and seat, of as many words."""
    parse = game_named(game).parse
    (seat, *words), kind = line.split(), type(parse(line))
    for other in others:
        also, *now = other.split()
        if also == seat and len(now) == len(words) and type(parse(other)) is kind:
            return other
    return None


def _after(memory: Memory, *, by_camera: bool) -> tuple[TableChange, ...]:
    """What changed after the reading that was entered: it is yet to be understood."""
    return tuple(each for each in memory.changes if by_camera and each.at > memory.since)


def _meant(memory: Memory, fresh: list[str]) -> Reading | None:
    """The reading that was entered, whoever entered it."""
    known: tuple[Reading, ...] = (
        *memory.readings,
        *((memory.blamed,) if memory.blamed is not None else ()),
    )
    for each in known:
        if each.lines and each.lines == tuple(fresh[: len(each.lines)]):
            return each
    return None


# Reading the table


def _read(memory: Memory, books: Books, sight: Sight, temper: float) -> Memory:
    reader = READERS.get(books.game)
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
    table = doubted(sight.table, memory.confusions, partial(word_of, books.game))
    disputed = memory.disputed & here
    scene = Scene(table, sight.zones, names, memory.changes, memory.entered_at)
    readings = _tempered(reader.read(books.state, scene), temper)
    if readings and not readings[0].lines:  # nothing happened; but now we know what is what
        names.update(readings[0].names)
        readings = ()
    desync = reader.disagreement(books.state, scene) if not readings else None
    same = _lines(readings) == _lines(memory.readings) and desync == memory.desync
    return replace(
        memory,
        table=sight.table,
        names=names,
        barred=barred,
        disputed=disputed - set(names),
        readings=readings,
        desync=desync,
        since=memory.since if same and books.seq == memory.seq else sight.now,
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
        shown = memory.desync if memory.desync != memory.rejected else None
        told = shown if stood >= limits.desync_seconds else None
        return memory, Decision(told, look_again=stood < limits.miss_seconds)
    readings = _not_barred(memory)
    if not readings:
        return memory, Decision()
    if readings[0] is memory.readings[0] and not _disputed(readings[0], memory):
        if readings[0].legal and readings[0].p >= limits.sure:
            return _trusted(memory, stood, limits)
        if _to_blame(readings[0], limits) and believed(memory, limits):
            return _blamed(memory, books, stood, limits)
    if stood < limits.ask_seconds:
        return memory, Decision(look_again=True)
    return memory, Decision(_question(readings, memory, limits))


def _trusted(memory: Memory, stood: float, limits: Limits) -> tuple[Memory, Decision]:
    best = memory.readings[0]
    wait = limits.open_seconds if best.open_end else limits.take_seconds
    if stood < wait:
        return memory, Decision(Shown(best, memory.since + wait), look_again=True)
    return replace(memory, entering=best.lines), Decision(enter=best)


def _blamed(memory: Memory, books: Books, stood: float, limits: Limits) -> tuple[Memory, Decision]:
    best = memory.readings[0]
    wait = limits.blame_open_seconds if best.open_end else limits.blame_seconds
    if stood < wait or books.refused:  # somebody else's: one thing after the other
        return memory, Decision(look_again=True)
    return replace(memory, blamed=best, entering=best.lines), Decision(enter=best)


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
    ours = books.refused if books.refused in blamed.lines else ""
    if blamed.lines != _lines(memory.readings):
        return replace(memory, blamed=None, entering=()), Decision(dismiss=ours)
    if ours:
        return memory, Decision(look_again=True)
    if books.refused:  # somebody said something else meanwhile; it is said again after that
        return replace(memory, blamed=None, entering=()), Decision()
    # people rejected it away: then it was something else
    barred = (*memory.barred, blamed)
    put_right = (*memory.put_right, books.seq)[-REMEMBERED:]
    memory = replace(memory, blamed=None, entering=(), barred=barred, put_right=put_right)
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
