"""A host that lies between: every device is reached through one session with it."""

from typing import TYPE_CHECKING

import paramiko
from msgspec import Struct

from advisor.collect.crypto import disabled_algorithms
from advisor.collect.faults import Limits
from advisor.collect.host_keys import KnownHosts, Strict, prefer_known_types
from advisor.collect.hosts import Target
from advisor.collect.login import OneTry
from advisor.collect.stop import Stop
from advisor.collect.transport import OneService, dialled

if TYPE_CHECKING:
    from paramiko import Channel


class Jump(Struct):
    """An open session with the jump host, shared by all devices."""

    client: paramiko.SSHClient

    def channel(self, target: Target, limits: Limits) -> "Channel":
        """Open a way to a device; it stands in for a socket.

        Raises
        ------
        paramiko.SSHException
            If the jump host does not reach it.
        """
        transport = self.client.get_transport()
        if transport is None:
            raise paramiko.SSHException("the session with the jump host has ended")
        place = (target.address, target.port)
        return transport.open_channel("direct-tcpip", place, ("", 0), timeout=limits.connect_s)

    def close(self) -> None:
        """End the session."""
        self.client.close()


def jump_over(
    host: Target, login: OneTry, known_hosts: KnownHosts, limits: Limits, stop: Stop
) -> Jump:
    """Log in to the jump host, with the same care as to a device.

    Raises
    ------
    DeviceError, HostKeyError, OSError, paramiko.SSHException
        If that fails; see `connection.trouble_as_faults`.
    """
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(Strict(known_hosts, host))
    keys = known_hosts.keys_of(host.known_as)

    def transport(*arguments: object, **options: object) -> paramiko.Transport:
        session = OneService(*arguments, **options)
        prefer_known_types(session, keys)
        return session

    line = dialled(host.address, host.port, limits.connect_s, stop)
    stop.cuts_for_good(line)
    try:
        client.connect(
            host.address,
            host.port,
            login.credentials.username,
            timeout=limits.connect_s,
            channel_timeout=limits.login_s,
            banner_timeout=limits.connect_s,
            auth_timeout=limits.login_s,
            disabled_algorithms=disabled_algorithms(host.profile),
            transport_factory=transport,
            auth_strategy=login,
            sock=line,
        )
    except BaseException:
        client.close()
        raise
    return Jump(client)
