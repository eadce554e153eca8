"""Games in record files for the commands to work on."""

from __future__ import annotations

HEAD = "odin 1\nA: Anna\nB: Céline\nlimit: 5\n\n"

# A game to its end, with all a record can hold, exactly as `companion export` writes it.
WHOLE = """\
odin 1
A: Anna
B: Céline
edition: en
limit: 5
goat: true
opened: 2026-11-16T19:00:00.000Z page

carry 1 2                        @ 2026-11-16T19:00:05.000Z page
deal A                           @ 2026-11-16T19:01:00.000Z button
A r7                             @ 2026-11-16T19:01:10.000Z camera
! B r3                           @ 2026-11-16T19:01:20.500Z page
undo                             @ 2026-11-16T19:01:30.000Z button
B k8 k2                          @ 2026-11-16T19:01:40.000Z page
A g8 g4                          @ 2026-11-16T19:01:50.000Z page
A take k8                        @ 2026-11-16T19:01:55.000Z page
undo 2                           @ 2026-11-16T19:02:00.000Z page
A pass                           @ 2026-11-16T19:02:10.000Z button
! B shows p1 p4 p5               @ 2026-11-16T19:02:20.000Z page
B p1 p4 p5                       @ 2026-11-16T19:02:30.000Z page
! A has 3                        @ 2026-11-16T19:02:40.000Z record
count 3 0 goat=A                 @ 2026-11-16T19:02:50.000Z page
"""
