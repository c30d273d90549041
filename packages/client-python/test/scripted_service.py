"""A service on the loopback that gives scripted answers."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Asked:
    """A request that the service received."""

    method: str
    path: str
    headers: Dict[str, str]
    body: bytes


def answer(status: int, body: object, headers: Dict[str, str] | None = None) -> Answer:
    """Returns an answer in JSON."""

    def write(handler: BaseHTTPRequestHandler) -> None:
        content = json.dumps(body).encode()
        handler.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return write


def lost(handler: BaseHTTPRequestHandler) -> None:
    """Closes the connection without an answer."""
    handler.close_connection = True


def torn(handler: BaseHTTPRequestHandler) -> None:
    """Closes the connection in the middle of the answer."""
    handler.send_response(200)
    handler.send_header("content-length", "100")
    handler.end_headers()
    handler.wfile.write(b'{"ok":')
    handler.close_connection = True


def stream(*chunks: str) -> Answer:
    """Returns a stream of events that sends the chunks and ends."""

    def write(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.end_headers()
        for chunk in chunks:
            handler.wfile.write(chunk.encode())
            handler.wfile.flush()
        handler.close_connection = True

    return write


class ScriptedService:
    """Sends the answers in order and repeats the last one; `asked` has the requests."""

    def __init__(self, *answers: Answer) -> None:
        self.asked: List[Asked] = []
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def answer(handler) -> None:
                body = handler.rfile.read(int(handler.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in handler.headers.items()}
                with lock:
                    chosen = answers[min(len(self.asked), len(answers) - 1)]
                    self.asked.append(Asked(handler.command, handler.path, headers, body))
                chosen(handler)

            do_GET = do_POST = do_DELETE = do_PATCH = answer

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        """Closes the port."""
        self._server.shutdown()
        self._server.server_close()
