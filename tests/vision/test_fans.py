"""Hands laid open in a fan, as a phone sees them."""

from __future__ import annotations

from companion.sim.phones import PhoneShot, around, hands_laid_open, phone_rng, taken
from companion.sim.render.scene import Light
from companion.sim.render.tables import faces_of
from companion.vision.decks import named
from companion.vision.look import look
from companion.vision.scanning.hands import look_at_hands

STEADY = PhoneShot(slant=25.0, light=Light(hard=0.1, glare=0.0, blur=0.3), shake_px=0.0, props=0)


def test_cards_of_a_fan_are_read_by_the_strips_in_view() -> None:
    faces = {each.face.label: each for each in faces_of("odin")}
    hands = [["r3", "g8", "k2", "p6", "b5", "o9"], ["g1", "b7"]]
    rng = phone_rng(12)
    laid = hands_laid_open([[faces[label] for label in hand] for hand in hands], rng)
    things = [card for hand in laid for card in hand]
    picture = taken(things, around(things), rng, STEADY).image
    deck = named("odin")
    alone = {s.label for s in look(picture, deck) if s.p > 0.9}
    seen = {s.label for s in look_at_hands(picture, deck)}
    assert seen == {label for hand in hands for label in hand}
    assert len(alone) < len(seen), "nothing was hidden in this picture"
