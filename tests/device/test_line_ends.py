"""A configuration means the same, at the same lines, whatever ends its lines."""

import pytest

from tests.support.devices import device_read

LINES = ("Current configuration : 99 bytes", "version 15.1", "hostname R1", "interface Serial0/0",
         " tx-ring-limit 3", "end", "")  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n", "\r"])
def test_the_ring_is_read_at_its_line(end: str) -> None:
    interface = device_read(end.join(LINES)).facts.interface("Serial0/0")
    assert interface is not None
    assert interface.tx_ring_limit is not None
    assert (interface.tx_ring_limit.value, interface.tx_ring_limit.at.line) == (3, 5)
