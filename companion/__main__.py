"""`companion` and `python -m companion`."""

from __future__ import annotations

from companion.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
