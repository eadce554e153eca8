"""A network camera as phone apps are: MJPEG over HTTP on this machine. What it shows can be
changed, and it can be switched off."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import numpy.typing as npt

BOUNDARY = "picture"
FPS = 15
QUALITY = 92


class NetworkCamera:
    def __init__(self, image: npt.NDArray[np.uint8]) -> None:
        self.on = True
        self.watchers = 0
        self.show(image)
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path != "/video":
                    self.send_error(404)
                    return
                self.send_response(200)
                kind = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
                self.send_header("Content-Type", kind)
                self.end_headers()
                camera.watchers += 1
                with suppress(OSError):
                    while camera.on:
                        self.wfile.write(camera.part())
                        time.sleep(1 / FPS)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
                """Nobody reads it."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/video"

    def show(self, image: npt.NDArray[np.uint8]) -> None:
        self._jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()

    def part(self) -> bytes:
        head = (
            f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(self._jpeg)}\r\n\r\n"
        )
        return head.encode() + self._jpeg + b"\r\n"

    def switch_off(self) -> None:
        if self.on:
            self.on = False
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()


@contextmanager
def network_camera(image: npt.NDArray[np.uint8]) -> Iterator[NetworkCamera]:
    camera = NetworkCamera(image)
    try:
        yield camera
    finally:
        camera.switch_off()
