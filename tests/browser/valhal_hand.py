"""A hand at a table of Valhal that never types: it taps buttons, chips, steppers and tabs."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

EFFECT = re.compile(r"([a-z-]+)([+-]\d+)")


class Hand:
    """Enters lines of the notation by what the page offers."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def enter(self, line: str) -> None:
        before = self._seen()
        button = self.page.locator(f"button[value='{line}']")
        if button.count():
            self._reach(button.first)
            self._tap(button.first)
        else:
            self._fill(line)
        expect(self.page.locator(".refusal")).to_have_count(0)
        expect(self.page.locator(f".board:not([data-seq='{before}'])")).to_have_count(1)

    def _seen(self) -> str:
        return self.page.locator(".board").get_attribute("data-seq") or ""

    def _tap(self, what: Locator) -> None:
        what.click()
        self.taps += 1

    def _reach(self, what: Locator) -> None:
        """Opens the tabs and folds it stands in, from the outside in."""
        for tab in what.locator("xpath=ancestor::div[@class='tab']").all():
            if tab.is_visible():
                continue
            at = int(tab.evaluate("each => [...each.parentElement.children].indexOf(each)"))
            row = tab.locator("xpath=../div[contains(@class, 'tab-row')]/label").nth(at - 1)
            self._tap(row)
        for fold in what.locator("xpath=ancestor::details").all():
            if fold.get_attribute("open") is None:
                self._tap(fold.locator("xpath=./summary"))

    # Forms

    def _fill(self, line: str) -> None:
        form, said = self._form(line)
        self._reach(form.locator("button.main").last)
        rest = line.removeprefix(said).split()
        if said == "lay":
            self._lay(form, rest)
        elif said.endswith("rolls"):
            self._pick(form, [word for word in rest if word not in ("against", "strike")])
        elif said.endswith("says"):
            self._card(form, rest)
        else:
            self._sheet(form, said, rest)
        counts = said.endswith("rolls") and rest[-1] == "strike"
        self._tap(form.locator("button[value=strike]" if counts else "button.main").last)

    def _form(self, line: str) -> tuple[Locator, str]:
        """The form that says it, and how it begins: by itself, or with what is picked first."""
        for form in self.page.locator(".vh-form form.vh-fields").all():
            said = form.locator("input[name='say.001']")
            for each in said.all():
                begins = each.input_value()
                if begins and line.startswith(f"{begins} "):
                    if each.get_attribute("type") == "radio":
                        self._reach(form.locator("button.main").last)
                        self._tap(form.locator(f"label:has(input[value='{begins}'])"))
                    return form, begins
        raise AssertionError(f"nothing on the page says: {line}")

    def _pick(self, form: Locator, values: list[str]) -> None:
        groups = form.locator("fieldset.vh-pick").all()
        assert len(groups) == len(values), (len(groups), values)
        for group, value in zip(groups, values, strict=True):
            self._tap(group.locator("label", has=self.page.locator(f"input[value='{value}']")))

    def _step(self, field: Locator, target: int) -> None:
        self._reach(field)
        by = target - int(field.input_value())
        button = field.locator(f"xpath=../button[@data-step='{1 if by > 0 else -1}']")
        for _ in range(abs(by)):
            self._tap(button)
        assert int(field.input_value()) == target

    def _after(self, form: Locator, word: str) -> Locator:
        """The stepper whose word stands before it."""
        path = (
            f"xpath=.//input[@type='hidden' and @value='{word}']/following::input[@type='number']"
        )
        return form.locator(path).first

    def _lay(self, form: Locator, rest: list[str]) -> None:
        words = iter(rest)
        for word in words:
            if word == "new":
                count, level = next(words), next(words)
                level_word = form.locator(f"input[type=hidden][value='{level}']").first
                field = level_word.locator("xpath=preceding::input[@type='number'][1]")
                self._step(field, int(count))
            else:
                self._tap(form.locator(f"label:has(input[value='{word}'])"))

    def _card(self, form: Locator, rest: list[str]) -> None:
        part = form
        for word in rest:
            if word == "|":
                part = form.locator("details.vh-more", has_text="Or: another part").first
            elif word == "activated":
                self._tap(form.locator("label:has(input[value='activated'])"))
            else:
                self._chip(part, word)

    def _chip(self, part: Locator, word: str) -> None:
        """A stepper, or a tick where there is nothing to count."""
        if effect := EFFECT.fullmatch(word):
            chip = part.locator(f"input[type=number][name$='.{effect[1]}']").first
            self._step(chip, int(effect[2]))
        else:
            tick = part.locator(f"label:has(input[value='{word}'])").first
            self._reach(tick)
            self._tap(tick)

    def _sheet(self, form: Locator, said: str, rest: list[str]) -> None:
        if said.startswith("sheet build."):
            marks = dict(word.split(":") for word in rest[1:])
            self._pick(form, [rest[0], *marks.values()])
        elif said.startswith("sheet unit."):
            sides = [word for word in rest if "/" in word]
            numbers = [int(each) for side in sides for each in side.split("/")]
            for at, number in enumerate(numbers):
                self._step(form.locator("input[type=number]").nth(at), number)
        elif said.startswith("sheet town."):
            self._town(form, rest)
        else:
            for word in rest:
                self._chip(form, word)

    def _town(self, form: Locator, rest: list[str]) -> None:
        rows = [word for word in rest if "/" in word]
        numbers = [int(each) for row in rows for each in row.split("/")]
        fields = form.locator("input[type=number]")
        for at, number in enumerate(numbers):
            self._step(fields.nth(at), number)
        glory = next(word for word in rest if word.startswith("glory:"))
        self._step(self._after(form, "glory:"), int(glory.split(":")[1]))
        for stack in ("lesser", "larger", "greater"):
            self._step(self._after(form, f"{stack}:"), rest.count(f"loot:{stack}"))
        for word in rest:
            ability = word.removeprefix("ability:")
            if ability not in (word, "none"):
                self._chip(form, ability)
