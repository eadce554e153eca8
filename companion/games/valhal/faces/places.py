"""More pictures, drawn as those in `emblems`: what Valhal's Jarls build, hold and raid."""

from __future__ import annotations

from companion.sim.faces.beings import sword
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
from companion.sim.faces.emblems import Tones, axe, both, disc, drawn, filled, ring, shield

# -- units ------------------------------------------------------------------------------


def warrior(t: Tones) -> tuple[Shape, ...]:
    """One helmet."""
    half = (
        filled("M-30,-2 L-6,-2 L-6,14 Q-18,22 -28,12 Z", t.deep),
        area(ellipse(-16, 5, 4, 3), t.light),
        filled("M0,26 Q-8,20 -18,27 Q-12,34 0,32 Z", t.deep),
    )
    return (
        filled("M-32,-4 L-32,20 Q-26,46 0,56 Q26,46 32,20 L32,-4 Z", t.light),
        filled("M-36,-4 C-38,-56 38,-56 36,-4 Z", t.light),
        filled("M0,-43 C20,-43 38,-30 36,-4 L0,-4 Z", t.deep),
        area(rectangle(-4.5, -44, 9, 40, 2), t.light),
        *both(half),
        area(rectangle(-40, -10, 80, 10, 3), t.light),
        *(disc(x, -5, 2, t.deep) for x in (-32, -16, 0, 16, 32)),
        filled("M-5,-4 L5,-4 L6,18 L0,23 L-6,18 Z", t.light),
    )


def veteran(t: Tones) -> tuple[Shape, ...]:
    """A shield before two swords."""
    blade = moved(sword(t), 0, 0, 1.08, 180)
    return (
        *moved(blade, 0, 0, 1, 38),
        *moved(mirrored(blade), 0, 0, 1, -38),
        disc(0, 2, 34, t.main),
        *moved(shield(t), 0, 2, 0.62),
    )


def bear(t: Tones) -> tuple[Shape, ...]:
    half = (
        disc(-30, -32, 15, t.light),
        disc(-30, -32, 8, t.deep),
        filled("M-30,-4 L-10,2 Q-10,9 -17,9 Q-27,7 -30,-4 Z", t.deep),
    )
    return (
        *both(half[:2]),
        filled("M0,-42 C30,-42 46,-18 42,8 Q40,28 24,36 Q18,54 0,54 Q-18,54 -24,36 Q-40,28 -42,8"
               " C-46,-18 -30,-42 0,-42 Z", t.light),
        *both(half[2:]),
        area(ellipse(0, 30, 20, 18), t.deep),
        filled("M-11,14 Q0,10 11,14 L5,24 L-5,24 Z", t.light),
        filled("M-12,32 L12,32 L8,44 L-8,44 Z", t.main),
        filled("M-11,31 L-8,40 L-5,31 Z M11,31 L8,40 L5,31 Z", t.light),
        *drawn("M-14,-34 L-10,-18 M0,-36 L0,-20 M14,-34 L10,-18", 3.4, t.deep),
    )  # fmt: skip


def boar(t: Tones) -> tuple[Shape, ...]:
    half = (
        filled("M-16,-30 L-40,-50 L-42,-22 L-30,-12 Z", t.light),
        filled("M-22,-30 L-36,-42 L-36,-24 Z", t.deep),
        filled("M-30,-8 L-11,0 Q-12,6 -18,6 Q-27,3 -30,-8 Z", t.deep),
        filled("M-17,40 Q-34,40 -34,18 Q-28,28 -15,28 Z", t.light),
        area(ellipse(-7, 38, 3.4, 5), t.light),
    )
    return (
        *both(half[:2]),
        filled("M-8,-36 L-4,-48 L0,-38 L4,-48 L8,-36 Q38,-28 36,0 Q30,16 21,24 L20,44 Q12,54 0,54"
               " Q-12,54 -20,44 L-21,24 Q-30,16 -36,0 Q-38,-28 -8,-36 Z", t.light),
        *both(half[2:3]),
        area(ellipse(0, 38, 18, 13), t.deep),
        *both(half[3:]),
        *drawn("M-6,-30 L0,-12 L6,-30", 3.4, t.deep),
    )  # fmt: skip


def eagle(t: Tones) -> tuple[Shape, ...]:
    half = (
        filled("M0,-14 Q-14,-34 -54,-40 Q-50,-24 -42,-20 L-48,-12 L-36,-6 L-42,4 L-28,6 L-32,16"
               " L-18,14 Q-10,22 -6,30 L0,30 Z", t.light),
        *drawn("M-40,-29 Q-20,-24 -10,-8 M-32,-13 Q-20,-8 -10,2 M-26,2 Q-18,4 -11,10", 2.6, t.deep),
    )  # fmt: skip
    return (
        *both(half),
        filled("M-7,24 L7,24 L16,52 L6,46 L0,54 L-6,46 L-16,52 Z", t.deep),
        filled("M-9,-26 Q-9,-44 2,-44 Q14,-44 20,-30 L10,-32 Q8,-24 10,26 L-10,26 Z", t.light),
        disc(3, -35, 2.6, t.deep),
    )


# -- boats and buildings ----------------------------------------------------------------


def warehouse(t: Tones) -> tuple[Shape, ...]:
    barrels = [
        shape
        for x in (-22, 22)
        for shape in (
            filled(f"M{x - 13},12 Q{x - 18},30 {x - 13},48 L{x + 13},48 Q{x + 18},30 {x + 13},12 Z",
                   t.light),
            area(rectangle(x - 16, 19, 32, 5), t.deep),
            area(rectangle(x - 16, 36, 32, 5), t.deep),
        )
    ]  # fmt: skip
    return (
        filled("M0,-52 L54,-6 L46,2 L0,-36 L-46,2 L-54,-6 Z", t.light),
        filled("M0,-30 L40,4 L-40,4 Z", t.deep),
        *drawn("M-6,-50 L8,-60 M6,-50 L-8,-60", 5, t.light),
        ring(0, -10, 8, 4, t.light),
        *barrels,
        area(rectangle(-50, 49, 100, 7, 2), t.light),
    )


def granary(t: Tones) -> tuple[Shape, ...]:
    """A sheaf."""
    ears: list[Shape] = []
    for lean in (-34, -17, 0, 17, 34):
        ear = [
            *drawn("M0,14 L0,-40", 3.4, t.light),
            *(filled(f"M0,{y} Q-11,{y - 4} -9,{y - 15} Q-1,{y - 11} 0,{y} Z", t.light)
              for y in (-14, -24, -34)),
            *(filled(f"M0,{y} Q11,{y - 4} 9,{y - 15} Q1,{y - 11} 0,{y} Z", t.deep)
              for y in (-14, -24, -34)),
            filled("M0,-36 Q-6,-46 0,-58 Q6,-46 0,-36 Z", t.light),
        ]  # fmt: skip
        ears.extend(moved(ear, 0, 14, 1, lean))
    return (
        *ears,
        filled("M-13,12 L13,12 L26,54 L12,50 L0,56 L-12,50 L-26,54 Z", t.light),
        filled("M0,12 L13,12 L26,54 L12,50 L0,56 Z", t.deep),
        area(rectangle(-17, 8, 34, 11, 4), t.light),
        area(rectangle(-17, 12, 34, 3), t.deep),
    )


def blacksmith(t: Tones) -> tuple[Shape, ...]:
    """An anvil under the sparks."""
    return (
        filled("M-54,-8 L-22,-8 L-22,-14 L46,-14 L46,2 Q22,4 18,16 L22,30 L-18,30 L-14,16"
               " Q-20,8 -34,6 Q-48,4 -54,-8 Z", t.light),
        filled("M-22,-8 L46,-8 L46,2 Q22,4 18,16 L22,30 L2,30 Q8,4 -22,-2 Z", t.deep),
        area(rectangle(-28, 30, 56, 10, 2), t.light),
        area(rectangle(-34, 42, 68, 12, 3), t.deep),
        area(star(8, -36, 15, 5, 6), t.light),
        area(star(-16, -46, 8, 2.8, 4), t.light),
        area(star(32, -48, 8, 2.8, 4), t.light),
        area(star(-26, -26, 6, 2.2, 4), t.light),
        area(star(38, -26, 6, 2.2, 4), t.light),
    )  # fmt: skip


def altar(t: Tones) -> tuple[Shape, ...]:
    """A fire on a stone."""
    return (
        filled("M2,-58 C6,-40 28,-32 24,-8 Q20,6 0,6 Q-20,6 -24,-8 C-26,-22 -14,-26 -12,-38"
               " Q-4,-32 -5,-24 Q4,-36 2,-58 Z", t.light),
        filled("M2,-26 Q12,-16 10,-6 Q8,2 0,2 Q-9,2 -9,-7 Q-8,-12 -4,-15 Q0,-14 2,-26 Z", t.deep),
        area(rectangle(-44, 8, 88, 12, 3), t.light),
        filled("M-32,20 L32,20 L36,54 L-36,54 Z", t.deep),
        *drawn("M-24,42 L-16,30 L-8,42 L0,30 L8,42 L16,30 L24,42", 3.6, t.light),
    )  # fmt: skip


# -- what lies on the boards ------------------------------------------------------------


def fish(t: Tones) -> tuple[Shape, ...]:
    return (
        filled("M-52,0 C-34,-32 8,-32 30,-6 L52,-24 L46,0 L52,24 L30,6 C8,32 -34,32 -52,0 Z",
               t.light),
        filled("M-52,0 C-34,32 8,32 30,6 L52,24 L46,0 L30,0 Q-10,12 -52,0 Z", t.deep),
        *drawn("M-24,-17 Q-17,0 -24,17", 3.4, t.main),
        disc(-37, -5, 4.4, t.deep),
    )  # fmt: skip


def logs(t: Tones) -> tuple[Shape, ...]:
    def end(x: float, y: float) -> tuple[Shape, ...]:
        return (
            disc(x, y, 23, t.deep),
            disc(x, y, 19, t.light),
            ring(x, y, 13, 10, t.deep),
            disc(x, y, 4, t.deep),
        )

    return (*end(-23, 20), *end(23, 20), *end(0, -20))


def ingots(t: Tones) -> tuple[Shape, ...]:
    def bar(x: float, y: float) -> tuple[Shape, ...]:
        return (
            filled(f"M{x - 18},{y - 13} L{x + 18},{y - 13} L{x + 27},{y + 15} L{x - 27},{y + 15} Z",
                   t.light),
            filled(f"M{x - 22},{y} L{x + 22},{y} L{x + 27},{y + 15} L{x - 27},{y + 15} Z", t.deep),
        )  # fmt: skip

    return (*bar(-28, 24), *bar(28, 24), *bar(0, -10))


def coin(t: Tones) -> tuple[Shape, ...]:
    return (
        ring(0, 0, 48, 42, t.light),
        *(disc(x, y, 2.6, t.light) for x, y in ellipse(0, 0, 35)[::7]),
        filled("M-22,16 L-26,-18 L-11,-3 L0,-24 L11,-3 L26,-18 L22,16 Z", t.light),
        area(rectangle(-22, 19, 44, 7, 2), t.light),
    )


def seasons(t: Tones) -> tuple[Shape, ...]:
    """A marker: sun, snow and leaf about its middle."""
    flake = drawn("M0,-14 L0,14 M-12,-7 L12,7 M-12,7 L12,-7", 4.4, t.light)
    leaf = (filled("M-12,12 Q-14,-12 14,-14 Q12,12 -12,12 Z", t.light),
            *drawn("M-14,14 L6,-6", 3, t.deep))  # fmt: skip
    parts = ((area(star(0, 0, 17, 9, 8), t.light),), flake, leaf)
    return (
        *(shape for part, (x, y) in zip(parts, ((0, -26), (23, 15), (-23, 15)), strict=True)
          for shape in moved(part, x, y)),
        ring(0, 0, 50, 45, t.light),
    )  # fmt: skip


def flame(t: Tones) -> tuple[Shape, ...]:
    return (*altar(t)[:2],)


def raven_head(t: Tones) -> tuple[Shape, ...]:
    return (
        filled("M-52,4 Q-30,-14 -16,-18 C-8,-44 30,-48 44,-20 Q52,2 46,50 L-4,50 Q-2,24 -16,10"
               " Q-30,8 -52,4 Z", t.light),
        filled("M-52,4 Q-34,-2 -14,0 L-16,10 Q-30,8 -52,4 Z", t.deep),
        filled("M20,50 L46,50 Q52,2 44,-20 Q40,8 30,16 L36,22 L24,30 L32,36 Z", t.deep),
        disc(4, -14, 5, t.deep),
    )  # fmt: skip


def first(t: Tones) -> tuple[Shape, ...]:
    """The axe of the first player."""
    return moved(axe(t), turn=28)


def barred(t: Tones) -> tuple[Shape, ...]:
    return (
        ring(0, 0, 48, 36, t.light),
        stroke([(-28, -28), (28, 28)], 12, t.light),
    )


# -- the arms of towns ------------------------------------------------------------------

STAVE = (
    "M-8,0 L-8,-7 L-10,-7 L-5,-12 L-7,-12 L-3,-18 L-1,-18 L0,-25 L1,-18 L3,-18 L7,-12 L5,-12"
    " L10,-7 L8,-7 L8,0 Z"
)


def tower(t: Tones) -> tuple[Shape, ...]:
    return (
        filled("M-30,50 L-26,-20 L-34,-20 L-34,-50 L-20,-50 L-20,-38 L-8,-38 L-8,-50 L8,-50 L8,-38"
               " L20,-38 L20,-50 L34,-50 L34,-20 L26,-20 L30,50 Z", t.light),
        filled("M4,50 L4,-20 L34,-20 L26,-20 L30,50 Z", t.deep),
        filled("M-12,50 L-12,26 Q0,8 12,26 L12,50 Z", t.main),
        area(rectangle(-6, -12, 12, 18, 5), t.main),
    )  # fmt: skip


def stave_church(t: Tones) -> tuple[Shape, ...]:
    """Roof upon roof."""
    return (
        filled("M-30,52 L-30,24 L-42,24 L-18,2 L-27,2 L-9,-20 L-4,-20 L0,-56 L4,-20 L9,-20 L27,2"
               " L18,2 L42,24 L30,24 L30,52 Z", t.light),
        filled("M0,-56 L4,-20 L9,-20 L27,2 L18,2 L42,24 L0,24 Z", t.deep),
        filled("M-9,52 L-9,36 Q0,24 9,36 L9,52 Z", t.deep),
    )  # fmt: skip


def moon(t: Tones) -> tuple[Shape, ...]:
    """A crescent and its star."""
    return (
        filled("M14,-50 C-24,-54 -50,-26 -46,6 C-42,38 -8,56 24,42 C-4,40 -22,20 -20,-6"
               " C-19,-26 -6,-42 14,-50 Z", t.light),
        area(star(22, -2, 26, 10, 5), t.light),
        disc(22, -2, 5, t.deep),
    )  # fmt: skip


def key(t: Tones) -> tuple[Shape, ...]:
    return (
        ring(0, -30, 24, 12, t.light),
        area(rectangle(-6, -8, 12, 62, 2), t.light),
        area(rectangle(5, 22, 22, 11, 2), t.light),
        area(rectangle(5, 40, 30, 12, 2), t.light),
        area(rectangle(-10, -8, 20, 7, 2), t.deep),
        area(rectangle(-6, 12, 12, 5), t.deep),
    )


def crown(t: Tones) -> tuple[Shape, ...]:
    tips = ((-46, -24), (0, -42), (46, -24))
    return (
        filled("M-40,24 L-46,-20 L-20,0 L0,-38 L20,0 L46,-20 L40,24 Z", t.light),
        filled("M0,-38 L20,0 L46,-20 L40,24 L0,24 Z", t.deep),
        *(disc(x, y, 7, t.light) for x, y in tips),
        area(rectangle(-42, 24, 84, 16, 3), t.light),
        *(disc(x, 32, 4.4, t.deep) for x in (-26, 0, 26)),
    )


def bridge(t: Tones) -> tuple[Shape, ...]:
    """One arch over the water, a tower at either end."""
    end = (
        area(rectangle(-52, -34, 22, 60, 1), t.light),
        filled("M-56,-34 L-41,-52 L-26,-34 Z", t.deep),
        area(rectangle(-45, -22, 8, 14), t.deep),
    )
    return (
        *both(end),
        filled("M-32,-8 L32,-8 L32,26 Q30,6 0,6 Q-30,6 -32,26 Z", t.light),
        area(rectangle(-32, -14, 64, 7), t.deep),
        *drawn("M-52,36 Q-39,28 -26,36 Q-13,44 0,36 Q13,28 26,36 Q39,44 52,36", 6, t.light),
        *drawn("M-40,49 Q-30,43 -20,49 Q-10,55 0,49 Q10,43 20,49 Q30,55 40,49", 5, t.light),
    )


def mill(t: Tones) -> tuple[Shape, ...]:
    """A water wheel."""
    spokes = [area(rectangle(-4.5, -46, 9, 40), t.light)]
    paddle = [area(rectangle(-11, -54, 22, 9, 1), t.light)]
    return (
        *(shape for at in range(8) for shape in moved(paddle, turn=45 * at)),
        ring(0, 0, 46, 34, t.light),
        *(shape for at in range(8) for shape in moved(spokes, turn=45 * at)),
        ring(0, 0, 26, 20, t.deep),
        disc(0, 0, 13, t.light),
        disc(0, 0, 6, t.deep),
    )
