"""The server of the what-if page: who may ask, what is refused, and what ends it."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.serve import server as module
from advisor.serve.answer import answer_json
from advisor.serve.server import Server

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EDGE = (ROOT / "fixtures/configs/wan-edge-512k.ios").read_text("utf-8")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.run)
    thread.start()
    yield server
    server.stop()
    thread.join(5)
    assert not thread.is_alive()


class Client:
    def __init__(self, server: Server) -> None:
        self.address = server.address

    def send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        host: str | None = None,
        **headers: str,
    ) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.address.port, timeout=30)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        own = {"Host": host or f"127.0.0.1:{self.address.port}", **given}
        connection.request(method, path, body, own)
        response = connection.getresponse()
        response.read_all = response.read()  # type: ignore[attr-defined]
        connection.close()
        return response

    def ask(self, body: bytes, **changed: str) -> http.client.HTTPResponse:
        headers = {"Origin": self.address.origin, "Content_Type": "application/json", **changed}
        path = f"/{self.address.token}/ask"
        return self.send("POST", path, body, **{key: text for key, text in headers.items() if text})


@pytest.fixture(scope="module")
def client(server: Server) -> Client:
    return Client(server)


def content(response: http.client.HTTPResponse) -> bytes:
    return bytes(response.read_all)  # type: ignore[attr-defined]


QUESTION = json.dumps({"texts": {"r1.cfg": EDGE}}).encode()


def test_the_page_asks_and_is_answered(client: Client) -> None:
    page = client.send("GET", f"/{client.address.token}/")
    assert page.status == 200
    assert b"<h1>What if</h1>" in content(page)
    answered = client.ask(QUESTION)
    assert answered.status == 200
    assert json.loads(content(answered)) == json.loads(answer_json(QUESTION))


@pytest.mark.parametrize("path", ["index.html", "page.css", "page.js", ""])
def test_no_answer_may_be_kept_framed_or_run_anything_else(client: Client, path: str) -> None:
    response = client.send("GET", f"/{client.address.token}/{path}")
    assert response.status == 200
    assert response.getheader("cache-control") == "no-store"
    assert response.getheader("x-content-type-options") == "nosniff"
    policy = response.getheader("content-security-policy") or ""
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert response.getheader("server") is None
    assert response.getheader("access-control-allow-origin") is None


@pytest.mark.parametrize(
    "path",
    ["/", "/index.html", "/wrong/", "/wrong/page.js", "/{token}x/", "/{token}/../etc/passwd"],
)
def test_without_the_token_there_is_nothing(client: Client, path: str) -> None:
    response = client.send("GET", path.format(token=client.address.token))
    assert response.status == 404
    assert client.address.token.encode() not in content(response)


def test_without_the_token_nothing_is_answered(client: Client) -> None:
    headers = {"Origin": client.address.origin, "Content_Type": "application/json"}
    assert client.send("POST", "/wrong/ask", QUESTION, **headers).status == 404


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost:{port}", "0.0.0.0:{port}"]
)
def test_another_host_is_refused(client: Client, host: str) -> None:
    for path in ("/", f"/{client.address.token}/"):
        asked = client.send("GET", path, host=host.format(port=client.address.port))
        assert asked.status == 421


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "https://127.0.0.1:{port}"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content_Type": ""}, 415),
    ],
    ids=str,
)
def test_another_page_cannot_ask(client: Client, changed: dict[str, str], status: int) -> None:
    port = client.address.port
    named = {key: text.format(port=port) for key, text in changed.items()}
    assert client.ask(QUESTION, **named).status == status


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS"])
def test_other_methods_are_refused(client: Client, method: str) -> None:
    assert client.send(method, f"/{client.address.token}/ask").status in (404, 405)


def test_a_large_request_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 100_000)
    assert client.ask(b"x" * 100_001).status == 413
    assert client.ask(b"x" * 100_000).status == 200


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[" * 50_000, b"\xff\xfe", b"[]", b'{"texts": 3}'], ids=lambda b: b[:12]
)
def test_what_is_no_request_has_a_sentence(client: Client, body: bytes) -> None:
    response = client.ask(body)
    assert response.status == 200
    assert "not understood" in json.loads(content(response))["error"]


def test_one_answer_is_made_at_a_time_and_few_wait(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, most, gate = [], [], threading.Event()

    def slow(_: object) -> str:
        running.append(1)
        most.append(len(running))
        gate.wait(10)
        running.pop()
        return "{}"

    monkeypatch.setattr(module, "answer_json", slow)
    statuses: list[int] = []
    askers = [
        threading.Thread(target=lambda: statuses.append(client.ask(b"{}").status))
        for _ in range(12)
    ]
    for asker in askers:
        asker.start()
    for _ in range(100):
        if statuses.count(503) == 4:
            break
        gate.wait(0.05)
    gate.set()
    for asker in askers:
        asker.join(10)
    assert max(most) == 1
    assert sorted(statuses) == [200] * 8 + [503] * 4


def test_only_loopback_is_bound(client: Client) -> None:
    other = socket.gethostbyname(socket.gethostname())
    if other.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((other, client.address.port), timeout=2)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_it_ends_with_its_terminal_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    command = [sys.executable, "-m", "advisor", "serve"]
    environment = {**os.environ, "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(  # noqa: S603 -- ours
        command,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/(.+)/\n", process.stdout.readline())
        assert found is not None
        held = Server.__new__(Server)
        held.address = module.Address(int(found[1]), found[2])
        asker = Client(held)
        for _ in range(100):
            try:
                answered = asker.ask(QUESTION)
                break
            except ConnectionError:
                threading.Event().wait(0.05)
        assert answered.status == 200
        process.send_signal(getattr(signal, name))
        try:
            assert process.wait(20) in (0, 143)
        finally:
            process.kill()
        assert process.stderr.read() == ""
        assert "br-lisbon" not in process.stdout.read()
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(b"br-lisbon" not in path.read_bytes() for path in left)
