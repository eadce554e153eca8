"""Names as people type them."""

from __future__ import annotations


def on_one_line(text: str, most: int) -> str:
    """Printable, without needless spaces, not too long; empty if nothing is left."""
    plain = "".join(each if each.isprintable() else " " for each in text)
    return " ".join(plain.split())[:most].rstrip()
