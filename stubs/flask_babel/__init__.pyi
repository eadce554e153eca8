"""The few names of Flask-Babel the companion uses; the library has no annotations."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date

from flask import Flask

class Babel:
    def __init__(self, app: Flask, *, locale_selector: Callable[[], str]) -> None: ...

def force_locale(locale: str) -> AbstractContextManager[None]: ...
def gettext(string: str, **variables: object) -> str: ...
def format_date(date: date, format: str = ...) -> str: ...  # noqa: A002
