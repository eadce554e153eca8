"""What the eyes are worth on strangers' photographs: `python -m models.photographs FOLDER`.

FOLDER holds sets of photographs, each with a `manifest.jsonl`. Every set is looked at with the
built-in playing cards; a set whose scenes are games of one home-made deck is enrolled from the first
and read in the others. Prints a row for each demand, and how reliable the probabilities of all
photographs together are.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from companion.tabletop.observations import Sighting
from companion.vision import decks
from companion.vision.decks import Deck
from companion.vision.enrolment.deck_making import Listed, enrolled, listed_in, pictured, shown
from companion.vision.look import look
from companion.vision.manifests import ManifestEntry, Marked, read_manifest
from companion.vision.pictures import read_picture
from companion.vision.scoring import Compared, compared, reliability, same

_SURE, _CERTAIN = 0.9, 0.97
_ENOUGH = 20
"""A bin of probabilities with fewer in it says nothing."""
_COURTS, _PIPS = "JQK", "23456789T"
_PLAIN_PIPS = ("2", "3", "4", "5")
"""Faces of dice that are pips on every die: a one may be a skull, a six a bird."""

Said = tuple[float, bool]
Wanted = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Looked:
    """One set, picture by picture."""

    name: str
    rows: list[tuple[ManifestEntry, Compared]] = field(default_factory=list)

    def said(self) -> Iterator[Said]:
        """Of every label: how probable it was called, and whether it was right."""
        for _, each in self.rows:
            for thing, one in each.pairs:
                if one is not None and one.label is not None:
                    yield one.p, same(thing.label, one.label)
            yield from ((one.p, False) for one in each.strays)

    def counted(self, wanted: Wanted = lambda _: True, least: float = 0.5) -> dict[str, int]:
        """Things whose label is wanted: how many, right, wrong, unnamed and missed; and strays."""
        out = dict.fromkeys(("things", "right", "wrong", "unsure", "missed"), 0)
        for _, each in self.rows:
            for thing, one in each.pairs:
                if wanted(str(thing.label)):
                    out["things"] += 1
                    out[_outcome(thing, one, least)] += 1
        return {**out, "false": sum(len(each.strays) for _, each in self.rows)}


def _outcome(thing: Marked, one: Sighting | None, least: float) -> str:
    if one is None or (one.p < least and one.label is not None):
        return "missed"
    if same(thing.label, one.label):
        return "right"
    return "unsure" if one.label is None else "wrong"


def looked_at(folder: Path, deck: Deck, scenes: Sequence[str] = ()) -> Looked:
    out = Looked(folder.name)
    for entry in read_manifest(folder / "manifest.jsonl"):
        if not scenes or entry.scene in scenes:
            seen = look(read_picture(folder / entry.file), deck)
            out.rows.append((entry, compared(entry, seen)))
    return out


def enrolled_and_read(folder: Path) -> Looked:
    """The deck of a set, enrolled from its first scene, read in the others."""
    entries = read_manifest(folder / "manifest.jsonl")
    first, *others = dict.fromkeys(entry.scene for entry in entries)
    files = {folder / entry.file for entry in entries if entry.scene == first}
    listed: list[Listed] = [
        each for each in listed_in(folder / "manifest.jsonl") if each.file in files
    ]
    deck = enrolled(folder.name, [pictured(sample) for sample in shown(listed)]).deck
    return looked_at(folder, deck, others)


def rows_of(looked: Looked) -> Iterator[str]:
    """What is asked of a set, as counted."""
    yield f"{looked.name:<28} {_told(looked.counted())}"
    if "epfl" in looked.name:
        yield f"{'  with p >= 0.9':<28} {_told(looked.counted(least=_SURE))}"
    if "fudw" in looked.name:
        yield f"{'  2 to 5 alone':<28} {_told(looked.counted(lambda w: w in _PLAIN_PIPS))}"


def rows_of_others(sets: Sequence[Looked]) -> Iterator[str]:
    """Other people's printings together: pip cards, courts, aces."""
    together = Looked("decks_of_others", [row for each in sets for row in each.rows])
    kinds: dict[str, Wanted] = {
        "": lambda _: True,
        "  pip cards": lambda word: word[0] in _PIPS,
        "  courts": lambda word: word[0] in _COURTS,
        "  aces": lambda word: word[0] == "A",
    }
    for name, wanted in kinds.items():
        yield f"{name or together.name:<28} {_told(together.counted(wanted))}"


def _told(counts: dict[str, int]) -> str:
    share = 100 * counts["right"] / max(1, counts["things"])
    return f"{share:5.1f} %  " + "  ".join(f"{name} {many}" for name, many in counts.items())


def rows_of_reliability(said: Sequence[Said]) -> Iterator[str]:
    """Said against right, all photographs together."""
    for mean, right, many in reliability(said):
        few = "  (few)" if many < _ENOUGH else ""
        off = 100 * abs(mean - right)
        yield f"  said {mean:.3f}  right {right:.3f}  of {many:5}  off by {off:4.1f} points{few}"
    sure = [right for p, right in said if p >= _CERTAIN]
    yield f"  p >= {_CERTAIN}: {len(sure) - sum(sure)} wrong of {len(sure)}"


def sets_in(folder: Path, only: str) -> list[Path]:
    found = sorted(file.parent for file in folder.rglob("manifest.jsonl"))
    return [each for each in found if only in str(each.relative_to(folder))]


def main() -> None:
    parser = argparse.ArgumentParser(prog="photographs", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="sets whose path holds this")
    parser.add_argument("--keep", type=Path, help="write what was said of each thing to this file")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    playing_cards = decks.named(decks.PLAYING_CARDS)
    said: list[Said] = []
    others: list[Looked] = []
    kept: list[object] = []
    for folder in sets_in(args.folder, args.only):
        begun = time.monotonic()
        enrols = "epfl" in folder.name
        looked = enrolled_and_read(folder) if enrols else looked_at(folder, playing_cards)
        said += looked.said()
        kept += _for_keeping(looked)
        if folder.parent.name == "decks_of_others":
            others.append(looked)
        spent = time.monotonic() - begun
        print(*(f"{row}  ({spent:.0f} s)" for row in rows_of(looked)), sep="\n", flush=True)
    if others:
        print(*rows_of_others(others), sep="\n")
    print("all together", *rows_of_reliability(said), sep="\n")
    if args.keep is not None:
        args.keep.write_text("".join(json.dumps(row) + "\n" for row in kept))


def _for_keeping(looked: Looked) -> Iterator[object]:
    for entry, each in looked.rows:
        for thing, one in (*each.pairs, *((None, stray) for stray in each.strays)):
            yield {
                "set": looked.name,
                "file": entry.file,
                "is": None if thing is None else thing.label,
                "said": None if one is None else one.label,
                "p": None if one is None else round(one.p, 4),
                "found": None if one is None else round(one.found, 3),
                "kind": None if one is None else one.kind,
                "others": [] if one is None else [[n, round(p, 3)] for n, p in one.others],
                "quad": None if one is None else one.quad,
            }


if __name__ == "__main__":
    main()
