"""Commands as somebody at a keyboard gives them: words in, an exit code and text out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from click.testing import CliRunner

from companion.__main__ import main


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def objects(self) -> list[dict[str, Any]]:
        """One JSON object a line."""
        return [msgspec.json.decode(line, type=dict[str, Any]) for line in self.lines]


def companion(*words: str, stdin: str | bytes = "") -> Answer:
    """In this process; whatever would end in a traceback ends the test."""
    result = CliRunner().invoke(main, words, input=stdin, catch_exceptions=False)
    return Answer(result.exit_code, result.stdout_bytes, result.stderr)


def refused(answer: Answer, *sentences: str) -> None:
    """Bad input: said on the error output, one line each, and nothing else."""
    assert answer.err.splitlines() == [f"companion: {each}" for each in sentences]
    assert (answer.code, answer.text) == (2, "")


def misused(answer: Answer, problem: str) -> None:
    """Click says how the command is used."""
    assert answer.err.startswith("Usage: ")
    assert problem in answer.err
    assert (answer.code, answer.text) == (2, "")
