"""Simulated routers as SSH clients meet them: what goes over the wire, and what is recorded."""

import asyncio
import socket
import warnings
from collections.abc import Awaitable, Callable

import asyncssh
import pytest
from msgspec.structs import replace

from advisor.collect.demo.script import DemoFault, Script
from advisor.collect.demo.ssh_server import Router, routers

pytestmark = pytest.mark.slow


R1 = Script(
    "r1",
    {
        "show version": "Cisco IOS Software\n",
        "show running-config": "!\nhostname r1\n!\n" + "ip host x 192.0.2.1\n" * 60 + "end\n",
    },
)


def talk(router: Router, *lines: str, until: str | None = None, username: str = "advisor") -> str:
    """What comes back on a shell when these lines are typed, each after a prompt."""

    async def session() -> str:
        heard = ""
        async with asyncssh.connect(
            "127.0.0.1",
            router.port,
            username=username,
            password="demo",  # noqa: S106
            known_hosts=None,
            client_keys=None,
            config=None,
        ) as connection:
            process = await connection.create_process(term_type="vt100")
            for line in lines:
                process.stdin.write(line)
            if until is None:
                process.stdin.write("exit\r")
                return str(await process.stdout.read())
            while until not in heard:
                heard += await process.stdout.read(100)
        return heard

    return run(session)


def run(work: Callable[[], Awaitable[str]]) -> str:
    async def limited() -> str:
        return await asyncio.wait_for(work(), 10)

    return asyncio.run(limited())


def test_a_shell_echoes_and_records_what_is_typed() -> None:
    with routers(replace(R1, exec_banner="Authorised users only")) as (router,):
        heard = talk(router, "show version\r")
    assert heard == (
        "\r\nAuthorised users only\r\nr1#show version\r\nCisco IOS Software\r\nr1#exit\r\n"
    )
    assert router.received == ["show version", "exit"]
    assert bytes(router.record.raw) == b"show version\rexit\r"
    assert router.record.logins[-1] == ("password", "advisor", True) or (
        router.record.logins[-1] == ("keyboard-interactive", "advisor", True)
    )


def test_long_outputs_wait_for_a_key_at_each_page() -> None:
    with routers(R1) as (router,):
        heard = talk(router, "show running-config\r", " ", "q")
    assert heard.count(" --More-- ") == 2
    assert router.received == ["show running-config", " ", "q", "exit"]


def test_length_0_ends_paging_and_the_size_is_told() -> None:
    with routers(R1) as (router,):
        heard = talk(router, "terminal length 0\r", "show running-config\r")
    config = heard.partition("bytes\r\n")[2].partition("r1#")[0].replace("\r\n", "\n")
    assert "--More--" not in heard
    assert f"Current configuration : {len(config)} bytes\r\n!" in heard


def test_enable_takes_its_password_without_an_echo() -> None:
    with routers(replace(R1, privilege=1, enable_password="en-secret")) as (router,):  # noqa: S106
        heard = talk(router, "enable\r", "en-secret\r", "show privilege\r")
    assert "en-secret" not in heard
    assert "Current privilege level is 15" in heard
    assert router.received == ["enable", "en-secret", "show privilege", "exit"]


@pytest.mark.parametrize(
    ("fault", "until", "seen"),
    [
        pytest.param(
            DemoFault.PROMPT_IN_OUTPUT, "r1#\r\nip host", "\r\nr1#\r\nip host", id="prompt"
        ),
        pytest.param(DemoFault.ALWAYS_PAGES, "--More--", "--More--", id="pages whatever was set"),
        pytest.param(DemoFault.NO_PROMPT, "\r\n", "\r\n", id="no prompt"),
    ],
)
def test_fault_is_heard(fault: DemoFault, until: str, seen: str) -> None:
    with routers(replace(R1, faults=frozenset({fault}))) as (router,):
        heard = talk(router, "terminal length 0\r", "show running-config\r", until=until)
    assert seen in heard


def first_bytes(router: Router) -> bytes:
    with socket.create_connection(("127.0.0.1", router.port), timeout=0.3) as line:
        return line.recv(100)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        pytest.param(DemoFault.REFUSED, ConnectionRefusedError, id="refused"),
        pytest.param(DemoFault.RESETS, ConnectionResetError, id="reset"),
        pytest.param(DemoFault.SILENT, TimeoutError, id="silent"),
    ],
)
def test_fault_of_the_connection(fault: DemoFault, error: type[Exception]) -> None:
    with routers(replace(R1, faults=frozenset({fault}))) as (router,), pytest.raises(error):
        first_bytes(router)


def test_a_port_without_ssh_closes() -> None:
    with routers(replace(R1, faults=frozenset({DemoFault.CLOSES}))) as (router,):
        assert first_bytes(router) == b""


def host_key(router: Router) -> str:
    async def ask() -> str:
        key = await asyncssh.get_server_host_key("127.0.0.1", router.port, config=None)
        assert key is not None
        return key.export_public_key().decode().strip()

    return run(ask)


def test_the_key_changes_with_the_second_connection() -> None:
    with routers(R1, replace(R1, faults=frozenset({DemoFault.KEY_CHANGES}))) as (steady, changing):
        assert [host_key(steady), host_key(steady)] == [steady.host_keys[0]] * 2
        assert [host_key(changing), host_key(changing)] == list(changing.host_keys)


def test_a_refused_login_is_recorded() -> None:
    with routers(R1) as (router,):
        with pytest.raises(asyncssh.PermissionDenied):
            talk(router, username="mallory")
        assert {(user, granted) for _, user, granted in router.record.logins} == {
            ("mallory", False)
        }
        assert router.received == []


def test_old_crypto_alone_is_offered_and_no_warning_breaks_it() -> None:
    async def session(port: int) -> str:
        async with asyncssh.connect(
            "127.0.0.1",
            port,
            username="advisor",
            password="demo",  # noqa: S106
            known_hosts=None,
            client_keys=None,
            config=None,
            kex_algs=["diffie-hellman-group14-sha1"],
            encryption_algs=["3des-cbc", "aes128-cbc"],
            mac_algs=["hmac-sha1"],
            server_host_key_algs=["ssh-rsa"],
        ) as connection:
            return str(connection.get_extra_info("send_cipher"))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with routers(replace(R1, is_legacy=True)) as (router,):
            # The router closes as soon as it knows; its end may be heard before its offer is read.
            with pytest.raises((asyncssh.KeyExchangeFailed, asyncssh.ConnectionLost)):
                talk(router)
            assert router.record.logins == []
            assert run(lambda: session(router.port)) == "3des-cbc"


def test_two_hundred_run_in_one_thread() -> None:
    with routers(*[R1] * 200) as devices:
        assert len({device.port for device in devices}) == 200
        assert "Cisco IOS Software" in talk(devices[-1], "show version\r")
