"""`/setup`: every step can be done, left out and come back to; what goes wrong is said."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.test import TestResponse, encode_multipart

from companion.dashboard import create_app
from companion.dashboard.access.needs import PHOTOGRAPH_BYTES
from companion.ledger.referee import Press
from companion.onboarding.enrolment import Making
from companion.onboarding.steps import SetupStep, StepState, progress
from tests.dashboard.onboarding.fresh_box import FreshBox
from tests.dashboard.phone import text
from tests.onboarding.table import WORDS, photograph
from tests.onboarding.test_enrolment import shown_deck, wait_until_made

PAGES = {
    SetupStep.YOU: "/setup/you",
    SetupStep.CAMERA: "/setup/camera",
    SetupStep.TABLE: "/setup/table",
    SetupStep.DECK: "/setup/deck",
    SetupStep.ZONES: "/setup/zones",
    SetupStep.BUTTONS: "/setup/buttons",
    SetupStep.TRY: "/setup/try",
}
LIVE = {"X-Live": "1"}
Files = Iterable[tuple[str, bytes]]


@pytest.fixture
def client(box: FreshBox) -> FlaskClient:
    return box.client()


def states(box: FreshBox) -> Mapping[SetupStep, StepState]:
    return progress(box.steps.read(), {}).states


def test_every_step_can_be_left_out_and_then_everything_is_set_up(
    box: FreshBox, client: FlaskClient
) -> None:
    for step, page in PAGES.items():
        shown = client.get(page)
        assert shown.status_code == 200
        assert "Leave this out for now" in text(shown), page
        assert f"Step {list(PAGES).index(step) + 1} of 7" in text(shown)
        done = client.post("/setup/mark", data={"step": step, "state": "skipped"})
        assert done.status_code == 303
    assert "Everything is set up" in text(client.get("/setup"))
    assert set(states(box).values()) == {StepState.SKIPPED}


def test_every_step_says_by_itself_that_it_is_done(box: FreshBox, client: FlaskClient) -> None:
    for page in PAGES.values():
        assert "Next" not in text(client.get(page))
    client.post("/setup/you", data={"table_name": "Kitchen"})
    box.camera.lay(*WORDS[:4])
    client.post("/setup/table", data={"way": "markers"})
    shown_deck(box.desk, box.camera, "mine", "7H", "KS", "2C")
    client.post("/setup/deck/use", data={"deck": "playing-cards/mine/own"})
    box.table.zones.move("odin", next(iter(box.table.zones["odin"])), (50.0, 50.0, 90.0, 90.0))
    client.post("/setup/buttons/begin")
    for press in (Press.PASS, Press.CONFIRM):
        box.trial.press(press)
    client.get("/setup/buttons/pressed")
    for step, page in PAGES.items():
        assert ("Next" in text(client.get(page))) == (step is not SetupStep.TRY), page


def test_what_is_still_open_can_be_left_out_at_once(client: FlaskClient) -> None:
    assert client.post("/setup/leave").status_code == 303
    assert "Everything is set up" in text(client.get("/setup"))
    assert "Setting up this table" not in text(client.get("/home"))


def test_home_says_what_is_next_and_leads_there(client: FlaskClient) -> None:
    first = client.get("/home")
    assert "Setting up this table, next: Your table." in text(first)
    assert 'href="/setup/you"' in first.text
    client.post("/setup/you", data={"table_name": "Kitchen"})
    second = client.get("/home")
    assert "next: Camera." in text(second)
    assert 'href="/setup/camera"' in second.text


@pytest.mark.parametrize("page", ["/settings", "/new"])
def test_who_looks_for_the_camera_is_led_to_the_set_up(client: FlaskClient, page: str) -> None:
    assert 'href="/setup/camera"' in client.get(page).text


def test_the_zones_lead_back_to_the_set_up(client: FlaskClient) -> None:
    assert 'href="/setup/zones"' in client.get("/zones/odin").text


def test_the_owners_first_questions_are_the_first_step(client: FlaskClient) -> None:
    assert client.get("/set-up").location == "/setup/you"
    short = client.post("/setup/you/owner", data={"name": "Anna", "code": "12"})
    assert short.status_code == 400
    made = client.post("/setup/you/owner", data={"name": "Anna", "code": "nine worlds"})
    assert made.location == "/setup/you"
    assert "This box has an owner's code." in text(client.get("/setup/you"))


def test_steps_of_a_demo_are_its_own(box: FreshBox) -> None:
    demo = replace(box.parts, steps=type(box.steps)(box.data / "simulated"))
    create_app(demo).test_client().post("/setup/mark", data={"step": "deck", "state": "done"})
    assert states(box)[SetupStep.DECK] is StepState.OPEN


# -- the camera -----------------------------------------------------------------------------------


def test_a_camera_is_chosen_and_turned_by_one_door(box: FreshBox, client: FlaskClient) -> None:
    assert client.post("/setup/camera", data={"camera": "usb:Other"}).status_code == 200
    assert box.store.read().settings.camera == "usb:Other"
    assert client.post("/setup/camera/turn").status_code == 200
    assert box.store.read().settings.camera_turn == 90
    assert client.post("/camera", data={"camera": "none"}).status_code == 200
    assert box.store.read().settings.camera_turn == 0
    assert box.starts == ["anew"] * 3


def test_a_camera_that_has_gone_and_a_bad_address_are_told(
    box: FreshBox, client: FlaskClient
) -> None:
    for fields in (
        {"camera": "usb:Gone"},
        {"camera": "stream", "address": "file:///etc/passwd"},
        {"camera": "stream", "address": "http://a b"},
    ):
        assert client.post("/setup/camera", data=fields).status_code == 400
    assert box.starts == []
    good = {"camera": "stream", "address": "rtsp://10.0.0.7/live"}
    assert client.post("/setup/camera", data=good).status_code == 200
    assert box.store.read().settings.camera == "stream:rtsp://10.0.0.7/live"


def test_the_first_usb_camera_is_the_one_that_watches(box: FreshBox, client: FlaskClient) -> None:
    box.store.choose({"camera": "usb"})
    box.camera.lay("7H")
    page = client.get("/setup/camera").text
    assert page.count("watches now") == 1
    assert client.get("/setup/camera/picture.jpg?camera=usb:Logi_C920").status_code == 200
    assert box.cameras.looked == []  # it is open already: it is not opened a second time
    client.get("/setup/camera/picture.jpg?camera=usb:Other")
    assert box.cameras.looked == ["usb:Other"]


def test_an_unplugged_camera_is_said_at_every_step_and_no_page_breaks(
    box: FreshBox, client: FlaskClient
) -> None:
    client.post("/setup/deck/begin", data={"name": "mine", "kind": "playing-cards"})
    box.camera.unplug()
    for page in (*PAGES.values(), "/setup/table/lens", "/setup/deck/mine"):
        assert client.get(page).status_code == 200
    assert client.get("/setup/picture.jpg").status_code == 204
    assert client.get("/setup/quality.json").json == {"gauges": []}
    for asks in (
        *(f"/setup/table/seen.json?way={way}" for way in ("markers", "cards")),
        "/setup/table/lens/seen.json",
        "/setup/deck/mine/laid.json",
        "/setup/try/seen.json?deck=playing-cards",
    ):
        assert "No picture comes from the camera" in client.get(asks).get_json()["problem"]
    kept = client.post("/setup/table", data={"way": "markers"})
    assert kept.status_code == 400
    assert "No picture comes from the camera" in text(kept)


def test_the_size_of_the_cards_is_chosen_already_if_the_deck_knows_it(
    box: FreshBox, client: FlaskClient
) -> None:
    assert 'value="63x88" checked' in client.get("/setup/table?way=cards").text
    shown_deck(box.desk, box.camera, "mine", "7H", "KS", "2C")
    deck = replace(box.desk.shelf.get("mine"), sizes=((59.4, 91.8),))
    box.desk.shelf.put(deck)
    client.post("/setup/deck/use", data={"deck": "playing-cards/mine/own"})
    assert 'value="59x92" checked' in client.get("/setup/table?way=cards").text
    box.desk.shelf.put(replace(deck, sizes=((50.0, 75.0),)))
    odd = client.get("/setup/table?way=cards").text
    assert 'value="own" checked' in odd
    assert 'value="75"' in odd


# -- decks ----------------------------------------------------------------------------------------


def posted(client: FlaskClient, path: str, field: str, files: Files) -> TestResponse:
    """As a browser sends them; without a file of its own, as the test client would leave open."""
    given = [FileStorage(io.BytesIO(data), name) for name, data in files]
    boundary, body = encode_multipart(MultiDict((field, each) for each in given))
    kind = f'multipart/form-data; boundary="{boundary}"'
    return client.post(path, data=body, headers=LIVE, content_type=kind)


def sent(client: FlaskClient, *files: tuple[str, bytes]) -> TestResponse:
    return posted(client, "/setup/deck/mine/photographs", "photograph", files)


def test_photographs_that_are_none_are_told_one_by_one_and_the_others_kept(
    box: FreshBox, client: FlaskClient
) -> None:
    client.post("/setup/deck/begin", data={"name": "mine", "kind": "playing-cards"})
    good = photograph("7H")
    reply = sent(
        client,
        ("7H.jpg", good),
        ("KS.jpg", good[:3000]),
        ("letter.pdf", b"%PDF-1.4 hello"),
        ("empty.jpg", b""),
    )
    assert reply.status_code == 200
    assert reply.get_json()["shown"] == ["7♥"]
    assert len(reply.get_json()["told"]) == 3
    assert [each.label for each in box.desk.enrolment.draft("mine").shots] == ["7H"]


def test_a_huge_photograph_is_refused_before_it_is_looked_at(
    box: FreshBox, client: FlaskClient
) -> None:
    client.post("/setup/deck/begin", data={"name": "mine", "kind": "playing-cards"})
    reply = sent(client, ("7H.jpg", b"\xff\xd8" + b"x" * PHOTOGRAPH_BYTES))
    assert reply.status_code == 400
    assert "MB at most" in reply.get_json()["told"][0]
    assert box.desk.enrolment.draft("mine").shots == ()


def test_fifty_photographs_in_one_request(box: FreshBox, client: FlaskClient) -> None:
    words = [f"card-{number}" for number in range(50)]
    client.post(
        "/setup/deck/begin", data={"name": "mine", "kind": "other", "cards": "\n".join(words)}
    )
    good = photograph("7H")
    reply = sent(client, *((f"{word}.jpg", good) for word in words))
    assert reply.get_json() == {"shown": words, "told": []}
    assert box.desk.enrolment.draft("mine").missing == ()


def test_a_deck_is_deleted_only_by_somebody_who_is_sure(box: FreshBox, client: FlaskClient) -> None:
    shown_deck(box.desk, box.camera, "mine", "7H", "KS", "2C")
    assert client.post("/setup/deck/mine/delete").status_code == 400
    assert box.desk.shelf.own() == ("mine",)
    assert client.post("/setup/deck/mine/delete", data={"sure": "yes"}).status_code == 303
    assert box.desk.shelf.own() == ()


def taken_in(client: FlaskClient, name: str, data: bytes) -> int:
    return posted(client, "/setup/deck/take-in", "deck", [(name, data)]).status_code


def test_a_deck_is_downloaded_taken_in_renamed_and_chosen(
    box: FreshBox, client: FlaskClient
) -> None:
    shown_deck(box.desk, box.camera, "mine", "7H", "KS", "2C")
    with client.get("/setup/deck/mine.deck") as reply:
        file = reply.data
    assert taken_in(client, "theirs.deck", file) == 303
    assert taken_in(client, "theirs.deck", file) == 400  # there is one of that name
    assert taken_in(client, "x.deck", b"PK\x03\x04 no deck") == 400
    client.post("/setup/deck/use", data={"deck": "playing-cards/theirs/own"})
    assert client.post("/setup/deck/theirs/rename", data={"to": "ours"}).status_code == 303
    assert box.desk.shelf.own() == ("mine", "ours")
    assert box.desk.shelf.used()["playing-cards"] == ("ours", True)


def test_a_damaged_deck_is_told_in_the_readers_language(box: FreshBox, client: FlaskClient) -> None:
    folder = box.desk.shelf.folder
    folder.mkdir(parents=True)
    (folder / "broken.deck").write_bytes(b"no deck")
    shelved = next(each for each in box.desk.shelf.decks() if each.name == "broken")
    assert shelved.problem is not None
    assert str(shelved.problem) in text(client.get("/setup/deck"))
    assert client.get("/setup/try").status_code == 200


def test_two_phones_make_one_deck(box: FreshBox) -> None:
    phones = [box.client(), box.client()]
    for phone in phones:
        phone.post("/setup/deck/begin", data={"name": "mine", "kind": "other", "cards": "a\nb\nc"})
    box.camera.lay("7H", "KS", "2C")
    looks = [phone.get("/setup/deck/mine/laid.json").get_json() for phone in phones]
    assert looks[0]["token"] == looks[1]["token"]
    kept = {"token": looks[0]["token"], "labels": '["a", "b", "c"]'}
    assert phones[0].post("/setup/deck/mine/keep", data=kept).status_code == 303
    assert phones[1].post("/setup/deck/mine/keep", data=kept, headers=LIVE).status_code == 400
    codes: list[int] = []
    taps = [
        threading.Thread(
            target=lambda phone=phone: codes.append(
                phone.post("/setup/deck/mine/make", headers=LIVE).status_code
            )
        )
        for phone in phones
    ]
    for tap in taps:
        tap.start()
    for tap in taps:
        tap.join()
    assert sorted(codes) == [303, 400]
    wait_until_made(box.desk)
    assert box.desk.enrolment.making.state is Making.DONE
    for phone in phones:
        assert "mine is learnt." in text(phone.get("/setup/deck/mine/made"))


def test_cards_that_were_just_kept_are_not_outlined_again(
    box: FreshBox, client: FlaskClient
) -> None:
    client.post("/setup/deck/begin", data={"name": "mine", "kind": "playing-cards"})
    box.camera.lay(*WORDS[:3])
    laid = client.get("/setup/deck/mine/laid.json").get_json()
    asked = [each["label"] for each in laid["names"][:3]]
    labels = str(asked).replace("'", '"')
    client.post("/setup/deck/mine/keep", data={"token": laid["token"], "labels": labels})
    box.camera.lay(*WORDS[:3])
    again = client.get("/setup/deck/mine/laid.json").get_json()
    assert again["again"] is True
    assert again["quads"] == []


# -- trying it ------------------------------------------------------------------------------------


def test_a_round_is_followed_and_the_button_of_the_box_is_noticed(
    box: FreshBox, client: FlaskClient
) -> None:
    def seen() -> dict[str, bool]:
        reply = client.get("/setup/try/seen.json?deck=playing-cards")
        found: dict[str, bool] = reply.get_json()["round"]
        return found

    box.camera.lay()
    assert seen() == {"lay": False, "take": False, "pass": False}
    box.camera.lay("KS")
    assert seen() == {"lay": True, "take": False, "pass": False}
    box.camera.lay()
    assert seen() == {"lay": True, "take": True, "pass": False}
    box.trial.press(Press.PASS)
    assert seen() == {"lay": True, "take": True, "pass": True}
    assert box.pressed == []  # it was tried, and entered nothing
    assert states(box)[SetupStep.TRY] is StepState.DONE
    box.trial.press(Press.PASS)
    assert box.pressed == [Press.PASS]


def test_pass_on_the_page_needs_no_script(box: FreshBox, client: FlaskClient) -> None:
    box.camera.lay()
    assert client.post("/setup/try/pass").location == "/setup/try"
    assert 'data-try="pass" class="done"' in client.get("/setup/try").text
