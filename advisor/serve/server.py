"""The what-if page on loopback, for one user and one browser, until its terminal ends it.

Only 127.0.0.1 is bound, on a port that the system chooses. The path begins with a random token, so
another user of the machine, or another page of the browser, cannot ask. `Host` and `Origin` are
compared with the address that was bound: a name that resolves to it later is refused. Nothing is
written, and nothing of a request is logged.
"""

import secrets
import signal
import socket
from collections.abc import Awaitable, Callable
from threading import BoundedSemaphore, Lock, current_thread, main_thread
from typing import Final

import uvicorn
from msgspec import Struct
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from advisor.api import page
from advisor.serve.answer import MOST_BYTES, answer_json

HOST: Final = "127.0.0.1"
_TOKEN_BYTES: Final = 24
_MOST_WAITING: Final = 8  # requests: a slider that moves asks for few at once
_MOST_CONNECTIONS: Final = 32
_KINDS: Final = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Address(Struct, frozen=True):
    """Where the page is; only who knows the token may ask."""

    port: int
    token: str

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://{HOST}:{self.port}"

    @property
    def url(self) -> str:
        """The address that the user opens."""
        return f"{self.origin}/{self.token}/"


def application(address: Address) -> Starlette:
    """The page, its files, and its answers."""
    files = page.page_texts(page.SERVER)
    turn, waiting = Lock(), BoundedSemaphore(_MOST_WAITING)

    async def show(request: Request) -> Response:
        name = request.path_params["name"] or "index.html"
        if not _is_token(request, address) or name not in files:
            return _refused(404, "no such page")
        kind = _KINDS[name.rpartition(".")[2]]
        return Response(files[name], media_type=kind)

    async def ask(request: Request) -> Response:
        if not _is_token(request, address):
            return _refused(404, "no such page")
        if request.headers.get("origin") != address.origin:
            return _refused(403, "this page is asked by itself alone")
        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return _refused(415, "takes JSON")
        body = await _body(request)
        if body is None:
            return _refused(413, f"takes {MOST_BYTES // 1_000_000} MB at most")
        if not waiting.acquire(blocking=False):
            return _refused(503, "busy")
        try:
            text = await run_in_threadpool(_answered, body, turn)
        finally:
            waiting.release()
        return Response(text, media_type="application/json")

    routes = [
        Route("/{token}/ask", ask, methods=["POST"]),
        Route("/{token}/{name:path}", show, methods=["GET"]),
    ]
    guard = Middleware(BaseHTTPMiddleware, dispatch=_guard(address))
    served = Starlette(routes=routes, middleware=[guard])
    served.router.redirect_slashes = False
    return served


_Next = Callable[[Request], Awaitable[Response]]


def _guard(address: Address) -> Callable[[Request, _Next], Awaitable[Response]]:
    async def guard(request: Request, call_next: _Next) -> Response:
        """Refuse any other host, and add the headers that hold for every answer."""
        is_ours = request.headers.getlist("host") == [f"{HOST}:{address.port}"]
        response = await call_next(request) if is_ours else _refused(421, "another host")
        response.headers.update(_HEADERS)
        return response

    return guard


def _is_token(request: Request, address: Address) -> bool:
    given = str(request.path_params["token"]).encode()
    return secrets.compare_digest(given, address.token.encode())


async def _body(request: Request) -> bytes | None:
    """The body of a request; None of one that is too large, which is not read to its end."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > MOST_BYTES:
            return None
        parts.append(part)
    return b"".join(parts)


def _answered(body: bytes, turn: Lock) -> str:
    """JSON of an answer; one is made at a time."""
    with turn:
        return answer_json(body)


def _refused(status: int, why: str) -> Response:
    return PlainTextResponse(f"{why}\n", status_code=status)


class Server:
    """A server that is bound already: its address is known before it runs."""

    def __init__(self) -> None:
        self._socket = socket.create_server((HOST, 0))
        self.address = Address(self._socket.getsockname()[1], secrets.token_urlsafe(_TOKEN_BYTES))
        self._server = uvicorn.Server(
            uvicorn.Config(
                application(self.address),
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                ws="none",
                lifespan="off",
                limit_concurrency=_MOST_CONNECTIONS,
                timeout_graceful_shutdown=1,
            )
        )

    def run(self) -> None:
        """Serve until Ctrl-C, a signal that ends a process, or the hang-up of the terminal.

        uvicorn takes Ctrl-C and SIGTERM itself; an exception of a handler would end a callback.
        """
        if current_thread() is main_thread() and hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, lambda *_: self.stop())
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        """End `run`, from another thread."""
        self._server.should_exit = True
