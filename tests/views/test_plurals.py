"""One and many, in every language: the catalogues have the forms, and the right one is said."""

from __future__ import annotations

import pytest

from companion.core.notation import Seat
from companion.foundation.messages import NN_, Counted, message
from companion.games.valhal.words.naming import amount
from companion.games.valhalla.rules.state import Phase
from companion.games.valhalla.words.sentences import WAITING
from companion.ledger.events import Retracted
from companion.views import tell
from companion.views.speech import LANGUAGES, Speech, catalogue

COINS = {
    "en": ("0 coins", "a coin", "2 coins"),
    "de": ("0 Münzen", "eine Münze", "2 Münzen"),
    "fr": ("une pièce", "une pièce", "2 pièces"),
    "es": ("0 monedas", "una moneda", "2 monedas"),
    "it": ("0 monete", "una moneta", "2 monete"),
    "nl": ("0 munten", "een munt", "2 munten"),
}
"""Nobody pays or gets none of a thing, so French, whose zero is singular, never says the first."""
TAKEN_BACK = {
    "en": ("The last entry was taken back.", "The last 3 entries were taken back."),
    "de": ("Der letzte Eintrag wurde zurückgenommen.", "Die letzten 3 Einträge wurden"),
    "fr": ("La dernière entrée a été annulée.", "Les 3 dernières entrées ont été annulées."),
    "es": ("Se deshizo la última anotación.", "Se deshicieron las últimas 3 anotaciones."),
    "it": ("L’ultima voce è stata annullata.", "Le ultime 3 voci sono state annullate."),
    "nl": ("De laatste invoer is teruggenomen.", "De laatste 3 invoeren zijn teruggenomen."),
}
LAST_STAND = {
    "en": ("Anna makes a last stand", "Anna, Ben make a last stand"),
    "de": ("Letztes Gefecht für Anna: drei", "Letztes Gefecht für Anna, Ben: je drei"),
    "fr": ("Anna livre", "Anna, Ben livrent"),
    "es": ("Anna hace", "Anna, Ben hacen"),
    "it": ("Anna fa", "Anna, Ben fanno"),
    "nl": ("Anna biedt", "Anna, Ben bieden"),
}
POINTS = {
    "en": ("points", "point", "points"),
    "de": ("Punkte", "Punkt", "Punkte"),
    "fr": ("point", "point", "points"),  # zero is singular
    "es": ("puntos", "punto", "puntos"),
    "it": ("punti", "punto", "punti"),
    "nl": ("punten", "punt", "punten"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_amount_has_the_form_of_its_number(language: str) -> None:
    speech = Speech(language)
    assert tuple(amount(speech, "coins", count) for count in (0, 1, 2)) == COINS[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_undo_counts_its_entries(language: str) -> None:
    speech = Speech(language, "odin", ("Anna", "Ben"))
    one, many = TAKEN_BACK[language]
    assert tell(speech, Retracted(1)) == one
    assert tell(speech, Retracted(3)).startswith(many)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_number_of_people_counts_too(language: str) -> None:
    speech = Speech(language, "valhalla", ("Anna", "Ben"))
    one, many = LAST_STAND[language]
    sentence = WAITING[Phase.STAND]
    assert speech.say(sentence, seats=(Seat.A,)).startswith(one)
    assert speech.say(sentence, seats=(Seat.A, Seat.B)).startswith(many)


@pytest.mark.parametrize("language", LANGUAGES)
def test_templates_count_with_ngettext(language: str) -> None:
    words = catalogue(language)
    assert (
        tuple(words.ngettext("point", "points", count) for count in (0, 1, 2)) == POINTS[language]
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_singular_is_also_found_alone(language: str) -> None:
    """A coin is said with and without a number."""
    assert Speech(language).say("a coin") == COINS[language][1]


def test_a_message_counts_in_english_as_well() -> None:
    cards = NN_("%(count)s card", "%(count)s cards")
    assert isinstance(cards, Counted)
    said = [str(message("cards", cards, count=count)) for count in (0, 1, 2)]
    assert said == ["0 cards", "1 card", "2 cards"]
