"""One request as WSGI has it, and the page's answer to it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from companion.dashboard.serving.live import Live

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

Headers = list[tuple[str, str]]

PIECE_BYTES = 65_536
"""A long answer is sent in pieces; between them it holds no thread."""
_BY_THEIR_OWN_NAME = {"CONTENT_TYPE", "CONTENT_LENGTH"}
_NOT_PASSED_ON = {"CONTENT_LENGTH", "TRANSFER_ENCODING", "CONNECTION"}


@dataclass(slots=True)
class PageAnswer:
    status: int
    headers: Headers
    body: Iterable[bytes]
    piece: bytes = b""
    last: bool = False
    _rest: Iterator[bytes] = field(default_factory=lambda: iter(()))

    def begin(self) -> None:
        if not isinstance(self.body, Live):
            self._rest = iter(self.body)
            self.pull()

    def pull(self) -> None:
        """The next piece."""
        made, size = list[bytes](), 0
        while size < PIECE_BYTES:
            chunk = next(self._rest, None)
            if chunk is None:
                self.last = True
                break
            made.append(chunk)
            size += len(chunk)
        self.piece = b"".join(made)

    def close(self) -> None:
        close: Callable[[], None] | None = getattr(self.body, "close", None)
        if close is not None:
            close()


def environ_of(scope: dict[str, Any], body: bytes) -> WSGIEnvironment:
    host, port = scope["server"] or ("localhost", 80)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "REMOTE_ADDR": scope["client"][0] if scope["client"] else "",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
    }
    for name, value in scope["headers"]:
        _add(environ, name.decode("latin-1"), value.decode("latin-1"))
    return environ


def _add(environ: dict[str, Any], name: str, value: str) -> None:
    """X_Live must not pass for X-Live: names with a line under them are dropped."""
    key = name.upper().replace("-", "_")
    if "_" in name or key in _NOT_PASSED_ON:
        return
    if key not in _BY_THEIR_OWN_NAME:
        key = f"HTTP_{key}"
    joint = "; " if key == "HTTP_COOKIE" else ","
    environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value


def answered(page: WSGIApplication, environ: WSGIEnvironment) -> PageAnswer:
    """Asks the page; what it answers, with the first piece of it."""
    begun: list[tuple[str, Headers]] = []

    def start(status: str, headers: Headers, _trouble: object = None) -> Callable[..., object]:
        begun[:] = [(status, headers)]
        return _written

    body = page(environ, start)
    status, headers = begun[0]
    answer = PageAnswer(int(status[:3]), headers, body)
    answer.begin()
    return answer


def _written(_data: bytes) -> None:
    raise NotImplementedError("the page returns its answers")
