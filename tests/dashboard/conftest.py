"""Fixtures of the page's tests."""

from tests.dashboard.phone import phone

__all__ = ["phone"]
