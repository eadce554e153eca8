"""Whether a companion that was just installed is well: does its page answer, wherever the settings
say that it listens? `make install` asks, and goes back to the last version if it does not."""

from __future__ import annotations

import sys
import time
import urllib.error
import urllib.request
from http import HTTPStatus
from pathlib import Path

from companion.service.chosen_settings import SettingsStore

PATIENCE_SECONDS = 60.0
ANSWER_SECONDS = 5.0
ANYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 - only compared with


def page_address(settings: Path, data: Path) -> str:
    """As this machine reaches it; what was chosen on the page counts as well."""
    found = SettingsStore(settings, {"data": str(data)}).read().settings
    host = "localhost" if found.host in ANYWHERE else found.host
    return f"http://{host}:{found.port}/"


def answers(address: str, patience: float = PATIENCE_SECONDS) -> bool:
    """Whether a page is there in the end that is no error of its own."""
    until = time.monotonic() + patience
    while True:
        try:
            with urllib.request.urlopen(f"{address}licences", timeout=ANSWER_SECONDS):  # noqa: S310
                return True
        except urllib.error.HTTPError as answer:
            with answer:
                return answer.code < HTTPStatus.INTERNAL_SERVER_ERROR
        except OSError:
            if time.monotonic() > until:
                return False
        time.sleep(min(1.0, patience))


def main() -> None:
    """`python -m companion.service.healthy SETTINGS DATA`, with `--address` only says where."""
    settings, data, *only = sys.argv[1:]
    address = page_address(Path(settings), Path(data))
    if only:
        print(address)
        return
    sys.exit(not answers(address))


if __name__ == "__main__":
    main()
