"""The SSH side of a simulated router: keys, ciphers, users and their passwords."""

from collections.abc import Sequence
from functools import cache, partial
from typing import Final

import asyncssh

from advisor.demo.script import Fault, Script
from advisor.demo.session import CutError, Session
from advisor.demo.terminal import Record, Terminal

_LOGIN_TIMEOUT_S: Final = 120
# The algorithms of a router with IOS 12.4; current clients accept none of them by default.
_LEGACY: Final = {
    "kex_algs": ("diffie-hellman-group14-sha1", "diffie-hellman-group1-sha1"),
    "encryption_algs": ("aes128-cbc", "3des-cbc"),
    "mac_algs": ("hmac-sha1",),
    "signature_algs": ("ssh-rsa",),
}
_RSA_BITS: Final = 2048
_INTERACTIVE: Final = (Fault.ASKS_AGAIN, Fault.EXPIRED)
_CHALLENGE: Final = ("", "", "en-US", (("Password: ", False),))
_NEW_PASSWORD: Final = (
    *("Password expired", "Your password has expired.", "en-US"),
    (("New password: ", False), ("Retype new password: ", False)),
)


@cache
def host_keys(*, is_legacy: bool) -> tuple[asyncssh.SSHKey, asyncssh.SSHKey]:
    """Return the two host keys that all routers of this process share."""
    if is_legacy:
        rsa = partial(asyncssh.generate_private_key, "ssh-rsa", key_size=_RSA_BITS)
        return rsa(), rsa()
    return asyncssh.generate_private_key("ssh-ed25519"), asyncssh.generate_private_key(
        "ssh-ed25519"
    )


def _key_pair(script: Script, key: asyncssh.SSHKey) -> asyncssh.SSHKeyPair:
    (pair,) = asyncssh.load_keypairs([key])
    if script.is_legacy:
        pair.host_key_algorithms = [b"ssh-rsa"]  # the SHA-2 signatures came years later
    return pair


def options_of(
    script: Script, record: Record, key: asyncssh.SSHKey
) -> asyncssh.SSHServerConnectionOptions:
    """Return the options of the connections to a device."""
    return asyncssh.SSHServerConnectionOptions(
        server_host_keys=[_key_pair(script, key)],
        server_factory=partial(RouterServer, script, record),
        process_factory=partial(_serve, script, record),
        server_version="Cisco-1.25",
        login_timeout=_LOGIN_TIMEOUT_S,
        line_editor=False,
        encoding=None,
        agent_forwarding=False,
        public_key_auth="publickey" in script.methods,
        kbdint_auth="keyboard-interactive" in script.methods,
        password_auth="password" in script.methods and not script.has(*_INTERACTIVE),
        **(_LEGACY if script.is_legacy else {}),
    )


class RouterServer(asyncssh.SSHServer):
    """The answers to asyncssh about one connection."""

    def __init__(self, script: Script, record: Record) -> None:
        self._script, self._record = script, record
        self._connection: asyncssh.SSHServerConnection | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn

    def begin_auth(self, username: str) -> bool:
        del username
        if self._script.login_banner and self._connection is not None:
            self._connection.send_auth_banner(f"{self._script.login_banner}\r\n")
        return True

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return self._grants(username, password, "password")

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(
        self, username: str, lang: str, submethods: str
    ) -> tuple[str, str, str, Sequence[tuple[str, bool]]]:
        del username, lang, submethods
        return _NEW_PASSWORD if self._script.has(Fault.EXPIRED) else _CHALLENGE

    def validate_kbdint_response(
        self, username: str, responses: Sequence[str]
    ) -> bool | tuple[str, str, str, Sequence[tuple[str, bool]]]:
        password = responses[0] if responses else ""
        is_granted = self._grants(username, password, "keyboard-interactive")
        return _CHALLENGE if self._script.has(Fault.ASKS_AGAIN) else is_granted

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        authorized = {asyncssh.import_public_key(line) for line in self._script.authorized_keys}
        is_right = username == self._script.username and key in authorized
        return self._noted("publickey", username, is_right=is_right)

    def connection_requested(
        self, dest_host: str, dest_port: int, orig_host: str, orig_port: int
    ) -> bool:
        del orig_host, orig_port
        self._record.forwarded.append((dest_host, dest_port))
        return self._script.forwards and dest_host in {"127.0.0.1", "localhost"}

    def _grants(self, username: str, password: str, method: str) -> bool:
        expected = (self._script.username, self._script.password)
        return self._noted(method, username, is_right=(username, password) == expected)

    def _noted(self, method: str, username: str, *, is_right: bool) -> bool:
        is_granted = is_right and not self._script.has(Fault.LOGIN_REFUSED)
        self._record.logins.append((method, username, is_granted))
        return is_granted


class _Stdin:
    """The input of a client, without the events that a router ignores."""

    def __init__(self, reader: "asyncssh.SSHReader[bytes]") -> None:
        self._reader = reader

    async def read(self, n: int = -1) -> bytes:
        """Read the input that has come; raises OSError if the connection is lost."""
        while True:
            try:
                return await self._reader.read(n)
            except (asyncssh.TerminalSizeChanged, asyncssh.BreakReceived, asyncssh.SignalReceived):
                continue
            except asyncssh.Error as error:
                raise ConnectionError(str(error)) from None


async def _serve(
    script: Script, record: Record, process: "asyncssh.SSHServerProcess[bytes]"
) -> None:
    terminal = Terminal(_Stdin(process.stdin), process.stdout, record, script.seconds_per_byte)
    session = Session(script, terminal, record)
    try:
        if process.command is not None:
            await session.run_command(process.command)
        elif process.subsystem is not None:
            record.received.append(f"subsystem: {process.subsystem}")
        else:
            await session.run()
    except CutError:
        process.channel.get_connection().abort()
        return
    process.exit(0)
