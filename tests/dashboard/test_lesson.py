"""A first game against bots: the rules come when they matter, and nothing of it is kept."""

from __future__ import annotations

import re

from companion.ledger.journal import Journal
from companion.sim.lesson import Lesson
from companion.views.lessons import Newcomer
from companion.views.public import speech_for
from tests.dashboard.phone import Phone, text


def test_a_whole_lesson_is_played_on_the_page_and_kept_nowhere(
    phone: Phone, journal: Journal
) -> None:
    page = phone.get("/learn/odin")
    assert "Get rid of all your cards first." in text(page)
    for _ in range(200):
        cards = re.findall(r'name="card" value="([^"]+)"', page.text)
        if 'name="leave"' in page.text:
            phone.submit("/learn/odin", leave="pass")
        elif cards:
            phone.submit("/learn/odin", card=cards[0])
        else:
            break
        page = phone.get("/learn/odin")
    assert "That was a whole game." in text(page)
    assert "Play it for real" in text(page)
    assert journal.count_games() == 0
    assert phone.referee.moment.session is None


def test_a_mistake_is_refused_with_its_rule_and_can_be_made_good(phone: Phone) -> None:
    page = phone.get("/learn/odin")
    for _ in range(40):  # until somebody else has led
        if 'name="leave"' in page.text:
            break
        phone.submit("/learn/odin/again")
        page = phone.get("/learn/odin")
    cards = re.findall(r'type="checkbox" name="card" value="([^"]+)"', page.text)
    phone.submit("/learn/odin", card=cards)
    wrong = text(phone.get("/learn/odin"))
    assert "ODIN-PLAY" in wrong
    assert phone.submit("/learn/odin", card="nonsense").status_code == 400
    assert phone.submit("/learn/odin", leave="pass").status_code == 303


def test_a_hint_is_given_once_and_fits_the_moment() -> None:
    codes = set()
    for seed in range(12):
        lesson = Lesson("odin", seed)
        for _ in range(60):
            speech = speech_for(lesson.session.setup, "en")
            newcomer = Newcomer(lesson.session.state, lesson.session.state.seats[0], lesson.hand)
            found = {hint.code for hint in lesson.plan.hints(speech, newcomer)}
            codes |= found
            if lesson.asked is None:
                break
            if "pass" in found:
                assert lesson.asked.leave == "pass"
            lesson.say("pass" if lesson.asked.leave else lesson.asked.cards[0])
    assert {"goal", "lead", "beat", "pass", "set", "more", "again", "over"} <= codes


def test_a_game_without_a_lesson_says_so(phone: Phone) -> None:
    assert phone.get("/learn/valhal").status_code == 404
    assert phone.get("/learn/chess").status_code == 404
    assert "Learn it by playing" in text(phone.get("/rules/odin"))
    assert "Learn it by playing" not in text(phone.get("/rules/valhal"))
