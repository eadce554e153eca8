"""The page that names what the companion stands on."""

from __future__ import annotations

import re

from companion.foundation.libraries import libraries
from tests.dashboard.phone import Phone, text


def test_every_library_is_named_with_its_version_and_licence(phone: Phone) -> None:
    shown = text(phone.get("/licences"))
    for each in libraries():
        assert f"{each.name} {each.version} {each.licence}".strip() in shown
        assert each.licence, each.name


def test_the_licences_of_what_the_page_is_drawn_with_can_be_read(phone: Phone) -> None:
    links = re.findall(
        r'href="(/static/[^"]*(?:LICEN[SC]E|OFL)[^"]*)"', phone.get("/licences").text
    )
    assert links
    for each in links:
        with phone.get(each) as reply:
            assert (reply.status_code, len(reply.data) > 200) == (200, True), each
