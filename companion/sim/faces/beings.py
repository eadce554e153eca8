"""More pictures, drawn as those in `emblems`: sword, wolf and draugr, and a sign for each god."""

from __future__ import annotations

from companion.sim.faces.canvas import (
    Shape,
    area,
    ellipse,
    mirrored,
    moved,
    rectangle,
    star,
    stroke,
)
from companion.sim.faces.emblems import Tones, both, disc, drawn, filled, hammer, horn, ring


def sword(t: Tones) -> tuple[Shape, ...]:
    return (
        filled("M0,-56 L9,-44 L8,22 L-8,22 L-9,-44 Z", t.light),
        filled("M0,-56 L9,-44 L8,22 L0,22 Z", t.deep),
        area(rectangle(-1.6, -38, 3.2, 54, 1.5), t.main),
        filled("M-26,20 Q-28,26 -22,30 L22,30 Q28,26 26,20 Q0,25 -26,20 Z", t.light),
        area(rectangle(-5, 29, 10, 18), t.deep),
        *drawn("M-5,34 L5,32 M-5,39 L5,37 M-5,44 L5,42", 2, t.light),
        filled("M-12,47 Q-12,58 0,58 Q12,58 12,47 Q6,43 0,45 Q-6,43 -12,47 Z", t.light),
        disc(0, 51, 2.6, t.deep),
    )


def wolf(t: Tones) -> tuple[Shape, ...]:
    half = (
        filled("M0,-20 L-14,-26 L-33,-54 L-39,-20 L-52,8 L-39,11 L-44,25 L-27,26 L-13,50 L0,56 Z",
               t.light),
        filled("M-31,-44 L-34,-22 L-20,-27 Z", t.deep),
        filled("M-30,-4 L-12,3 Q-11,8 -13,10 Q-25,9 -30,-4 Z", t.deep),
        disc(-18.5, 4.2, 2.6, t.light),
        *drawn("M-46,7 L-33,9 M-38,23 L-25,20", 2.4, t.deep),
    )  # fmt: skip
    return (
        *both(half),
        filled("M0,-20 L14,-26 L33,-54 L39,-20 L36,-14 L10,-6 L5,22 L0,26 Z", t.deep),
        *mirrored(half[2:4]),
        filled("M31,-44 L34,-22 L20,-27 Z", t.light),
        filled("M-11,28 Q0,24 11,28 L6,37 L0,40 L-6,37 Z", t.deep),
        *drawn("M0,39 L0,46 M-11,47 Q-5,50 0,46 Q5,50 11,47", 2.6, t.deep),
        *drawn("M0,-16 L0,-2 M-7,-17 L-4,-7 M7,-17 L4,-7", 2.2, t.main),
    )


def draugr(t: Tones) -> tuple[Shape, ...]:
    """A skull in a broken helmet."""
    skull = (
        "M-36,-14 C-40,10 -38,16 -28,22 L-25,30 L-22,52 L22,52 L25,30 L28,22 C38,16 40,10 36,-14 Z"
    )
    half = (
        filled("M-30,-2 Q-20,-9 -7,0 Q-6,14 -17,16 Q-30,15 -30,-2 Z", t.deep),
        disc(-17, 5, 5, t.main),
        filled("M-24,27 L-17,23 L-14,30 L-21,33 Z", t.deep),
    )
    return (
        filled(skull, t.light),
        *both(half),
        filled("M0,9 L6,23 L1,21 L-1,21 L-6,23 Z", t.deep),
        area(rectangle(-16, 33, 32, 3), t.deep),
        *drawn("M-11,34 L-11,51 M-4,34 L-4,51 M4,34 L4,51 M11,34 L11,51", 2.2, t.deep),
        filled("M-40,-10 C-42,-40 -20,-52 0,-58 C20,-52 42,-40 40,-10 L28,-14 L24,-6 L14,-15"
               " L4,-8 L-4,-15 L-16,-8 L-24,-14 Z", t.deep),
        filled("M-6,-55 L6,-55 L7,-22 L0,-14 L-7,-22 Z", t.main),
        *drawn("M-34,-24 Q-18,-30 -9,-30 M34,-24 Q18,-30 9,-30", 3, t.main),
        *drawn("M22,-48 L17,-38 L24,-33 L20,-25", 2.2, t.light),
    )  # fmt: skip


# -- a sign for each god ------------------------------------------------------------------


def thunder(t: Tones) -> tuple[Shape, ...]:
    bolt = filled("M-30,2 L-46,28 L-36,26 L-42,54 L-20,18 L-30,20 L-22,2 Z", t.light)
    return (*both((bolt,)), *moved(hammer(t), 0, -6, 0.96))


def cat(t: Tones) -> tuple[Shape, ...]:
    half = (
        filled("M0,-24 L-16,-26 L-36,-52 L-42,-6 Q-46,18 -30,32 Q-16,44 0,44 Z", t.light),
        filled("M-32,-38 L-34,-16 L-20,-24 Z", t.deep),
        filled("M-32,-2 Q-20,-14 -9,0 Q-20,10 -32,-2 Z", t.deep),
        filled("M-20,-8 L-17.5,-1 L-20,7 L-22.5,-1 Z", t.light),
        *drawn("M-12,22 L-48,14 M-12,26 L-48,28", 2, t.deep),
    )
    return (
        *both(half),
        filled("M-7,14 L7,14 L0,22 Z", t.deep),
        *drawn("M0,20 L0,28 M-12,29 Q-6,35 0,28 Q6,35 12,29", 2.6, t.deep),
        *drawn("M0,-22 L0,-10 M-8,-22 L-6,-13 M8,-22 L6,-13", 3, t.deep),
    )


def distaff(t: Tones) -> tuple[Shape, ...]:
    """Wool on a staff, and the spindle that hangs from it."""
    return (
        area(rectangle(-13, -56, 5, 112, 2), t.deep),
        filled("M-10,-50 C-34,-40 -36,-4 -10,10 C16,-4 14,-40 -10,-50 Z", t.light),
        *drawn("M-27,-28 Q-10,-18 7,-28 M-29,-16 Q-10,-6 9,-16 M-24,-4 Q-10,4 4,-4", 2.6, t.deep),
        *drawn("M6,-12 Q26,-10 26,14", 2.2, t.light),
        filled("M26,12 L32,34 L26,56 L20,34 Z", t.light),
        area(ellipse(26, 38, 14, 4.5), t.deep),
        area(ellipse(26, 36, 14, 4.5), t.light),
    )


def sun(t: Tones) -> tuple[Shape, ...]:
    return (
        area(star(0, 0, 54, 31, 12), t.light),
        disc(0, 0, 31, t.deep),
        disc(0, 0, 27, t.light),
        *both((
            *drawn("M-17,-5 Q-11,-11 -5,-5", 3, t.deep),
            *drawn("M0,3 L0,3", 1, t.light),
        )),
        *drawn("M-12,10 Q0,20 12,10 M0,-4 L-3,5 L1,5", 3, t.deep),
    )  # fmt: skip


def hand(t: Tones) -> tuple[Shape, ...]:
    """Tyr's hand, which the wolf bit off."""
    fingers = [
        stroke([(x, 6), (x + lean, top)], 12, t.light)
        for x, top, lean in ((-19, -30, -4), (-6.5, -44, -1), (6.5, -42, 2), (19, -30, 5))
    ]
    return (
        *fingers,
        stroke([(20, 24), (40, -4)], 12, t.light),
        filled("M-25,4 L25,4 L26,24 Q22,44 14,46 L14,56 L-14,56 L-14,46 Q-24,40 -25,20 Z", t.light),
        area(rectangle(-17, 48, 34, 9, 2), t.deep),
        *(ring(x, y, 7, 4, t.deep) for x, y in ((-11, 20), (0, 25), (11, 20))),
    )


def call(t: Tones) -> tuple[Shape, ...]:
    """Heimdall's horn, and its sound."""
    waves = [
        stroke(ellipse(-20, -26, r, r, 200, 275), 4.2, t.light) for r in (20.0, 30.0)
    ]  # fmt: skip
    return (*waves, *moved(horn(t)[3:], 4, 8, 0.92))


def stag(t: Tones) -> tuple[Shape, ...]:
    half = (
        *drawn("M-6,-4 Q-14,-20 -26,-26 Q-40,-34 -38,-54 M-27,-27 Q-22,-40 -26,-54"
               " M-14,-17 Q-8,-28 -12,-44 M-36,-36 Q-46,-38 -50,-46", 5.4, t.light),
        filled("M-9,2 Q-26,-4 -34,6 Q-24,14 -9,10 Z", t.light),
        disc(-10, 14, 3, t.deep),
    )  # fmt: skip
    return (
        *both(half[:2]),
        filled("M-13,-4 Q0,-10 13,-4 L15,16 Q10,30 9,44 Q6,56 0,56 Q-6,56 -9,44 Q-10,30 -15,16 Z",
               t.light),
        filled("M0,-7 Q8,-7 13,-4 L15,16 Q10,30 9,44 L0,44 Z", t.deep),
        *both(half[2:]),
        disc(10, 14, 3, t.light),
        filled("M-7,44 Q0,41 7,44 L4,51 L-4,51 Z", t.deep),
        *drawn("M-5,4 L0,-2 L5,4", 2.4, t.main),
    )  # fmt: skip


def harp(t: Tones) -> tuple[Shape, ...]:
    strings = [stroke([(x, -40 + 0.36 * (x + 22)), (x, 38 - abs(x) * 0.2)], 2, t.light)
               for x in (-14, -7, 0, 7, 14)]  # fmt: skip
    half = (
        filled("M-30,46 C-46,20 -20,-10 -34,-44 Q-40,-54 -46,-50 Q-44,-58 -34,-56"
               " Q-24,-52 -23,-36 C-16,-4 -36,20 -18,38 Z", t.light),
    )  # fmt: skip
    return (
        *strings,
        *both(half),
        area(rectangle(-33, -42, 66, 8, 3), t.light),
        *(disc(x, -38, 1.8, t.deep) for x in (-14, -7, 0, 7, 14)),
        filled("M-34,42 Q0,26 34,42 Q28,56 0,56 Q-28,56 -34,42 Z", t.light),
        filled("M0,34 Q22,36 34,42 Q28,56 0,56 Z", t.deep),
    )


def apple(t: Tones) -> tuple[Shape, ...]:
    return (
        filled("M0,-22 C-10,-36 -46,-32 -44,4 C-43,34 -22,54 -10,52 Q0,49 10,52"
               " C22,54 43,34 44,4 C46,-32 10,-36 0,-22 Z", t.light),
        filled("M22,-29 C36,-27 45,-16 44,4 C43,34 22,54 10,52 C30,36 38,2 22,-29 Z", t.deep),
        *drawn("M0,-22 Q-2,-40 8,-50", 5, t.light),
        filled("M4,-34 Q12,-54 36,-50 Q28,-30 4,-34 Z", t.light),
        *drawn("M9,-37 Q20,-44 29,-46", 2, t.deep),
        area(star(-14, 6, 9, 3.6, 4), t.deep),
    )  # fmt: skip


def snow(t: Tones) -> tuple[Shape, ...]:
    """A snowflake on two skis."""
    ski = filled("M-4,56 L4,56 L4,-40 Q4,-54 12,-58 Q-2,-60 -4,-42 Z", t.deep)
    arm = drawn("M0,0 L0,-38 M-10,-34 L0,-24 L10,-34 M-7,-19 L0,-12 L7,-19", 5, t.light)
    flake = [shape for turn in range(6) for shape in moved(arm, turn=60 * turn)]
    return (
        *moved([ski], 0, 0, 1, 38),
        *moved(mirrored([ski]), 0, 0, 1, -38),
        *(stroke(each.line, 10, t.main) for each in flake if hasattr(each, "line")),
        *flake,
    )


def fly(t: Tones) -> tuple[Shape, ...]:
    half = (
        filled("M-4,-12 C-30,-22 -52,0 -46,30 C-40,44 -18,30 -5,-2 Z", t.light),
        *drawn("M-8,-6 Q-30,2 -38,28 M-10,-2 Q-22,12 -26,30", 2, t.main),
        *drawn("M-9,-14 L-24,-24 L-34,-20 M-9,2 L-20,40 L-28,46 M-8,-20 L-16,-38 L-26,-42", 3.4,
               t.deep),
    )  # fmt: skip
    return (
        *both(half),
        filled("M0,-22 C14,-20 14,6 9,30 Q5,46 0,50 Q-5,46 -9,30 C-14,6 -14,-20 0,-22 Z", t.light),
        *drawn("M-10,12 Q0,17 10,12 M-10,22 Q0,27 10,22 M-8,32 Q0,37 8,32", 3, t.deep),
        disc(0, -28, 11, t.light),
        *both((area(ellipse(-8, -32, 6, 7), t.deep),)),
    )


def mare(t: Tones) -> tuple[Shape, ...]:
    return (
        filled("M-44,22 Q-52,14 -46,4 L-22,-26 Q-16,-40 0,-42 L4,-58 L14,-42 Q40,-30 42,56"
               " L-14,56 Q-16,30 0,14 Q-10,16 -20,14 Q-26,26 -36,26 Z", t.light),
        filled("M4,-58 L14,-42 Q40,-30 42,56 L22,56 Q34,30 25,22 Q32,12 22,4 Q28,-6 16,-12"
               " Q22,-22 8,-28 Q12,-36 4,-42 Z", t.deep),
        disc(-9, -20, 3.6, t.deep),
        disc(-39, 12, 2.4, t.deep),
        *drawn("M-46,19 Q-38,20 -34,15", 2.4, t.deep),
        *drawn("M-26,-22 Q-16,0 -22,14 M-20,-8 L12,8", 2.6, t.deep),
    )  # fmt: skip


def salmon(t: Tones) -> tuple[Shape, ...]:
    body = (
        filled("M-54,4 C-36,-24 4,-26 34,-4 L54,-22 Q48,2 56,24 L34,8 C4,28 -36,24 -54,4 Z",
               t.light),
        filled("M-54,4 C-36,24 4,28 34,8 L56,24 Q50,10 50,2 L34,3 C8,14 -30,14 -54,4 Z", t.deep),
        filled("M-16,-17 Q2,-34 14,-14 Z", t.light),
        *drawn("M-30,-13 Q-24,2 -30,15", 3, t.main),
        disc(-41, -1, 3.2, t.deep),
        *(disc(x, y, 1.9, t.deep) for x, y in ((-16, -8), (-4, -11), (8, -9), (20, -5), (2, -3))),
    )  # fmt: skip
    return (
        *moved(body, 0, -8, 0.98, 38),
        *drawn("M-52,44 Q-42,36 -34,44 Q-26,52 -17,44 Q-9,36 0,44 Q9,52 17,44 Q26,36 34,44"
               " Q42,52 52,44", 4.4, t.light),
    )  # fmt: skip


def seal(t: Tones) -> tuple[Shape, ...]:
    return (
        filled("M-26,-50 C-10,-58 4,-46 4,-30 C8,-6 40,12 46,30 L58,26 L54,46 L42,44 L-20,46"
               " Q-36,40 -28,12 C-26,-4 -32,-18 -40,-22 Q-48,-28 -42,-34 Q-36,-46 -26,-50 Z",
               t.light),
        filled("M-8,4 Q6,24 4,48 L-18,48 Q-8,36 -8,4 Z", t.deep),
        filled("M4,-30 C8,-6 40,12 46,30 L30,40 C26,10 4,0 4,-30 Z", t.deep),
        disc(-21, -35, 4, t.deep),
        disc(-42, -30, 4, t.deep),
        *drawn("M-34,-24 L-16,-22 M-34,-22 L-18,-16", 1.8, t.deep),
        area(rectangle(-52, 46, 104, 8, 4), t.deep),
    )  # fmt: skip


def tree(t: Tones) -> tuple[Shape, ...]:
    """The world tree, its roots as large as its crown."""
    half = (
        *drawn("M-2,6 Q-6,-10 -22,-14 M-2,0 Q-4,-22 -16,-32 M-2,20 Q-10,36 -28,40"
               " M-1,26 Q-6,42 -12,50", 5, t.light),
        disc(-26, -14, 12, t.light),
        disc(-18, -32, 13, t.light),
    )  # fmt: skip
    return (
        *both(half),
        disc(0, -40, 14, t.light),
        filled("M-6,-20 L6,-20 L5,20 L14,44 L0,34 L-14,44 L-5,20 Z", t.light),
        *(disc(x, y, 4, t.deep) for x, y in ((-26, -13), (26, -13), (-17, -31), (17, -31),
                                             (0, -41), (0, -20))),
        ring(0, 0, 54, 50, t.light),
    )  # fmt: skip
