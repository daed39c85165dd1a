"""Which outputs a device has, and which ones rules lack: no output is both."""

import pytest

from advisor.lint.cards import load_rules
from advisor.lint.coverage import device_coverage, wanted_by
from advisor.settings import Settings
from tests.support.devices import device_read

_LOG = """r1#show running-config
version 15.1
hostname r1
end
r1#show interfaces{bar}
{printed}
r1#
"""
_COUNTED = "Number of lines which match regexp = 14"
_WHOLE = """Serial0/0 is up, line protocol is up
  Hardware is GT96K Serial
  MTU 1500 bytes, BW 512 Kbit/sec, DLY 20000 usec,"""


@pytest.mark.parametrize(
    ("bar", "printed", "is_captured"),
    [
        pytest.param("", _WHOLE, True, id="whole"),
        pytest.param(" | count drops", _COUNTED, False, id="counted"),
        pytest.param(" | redirect flash:x", "!", False, id="redirected"),
        pytest.param(
            " description",
            "Interface      Status         Protocol Description\nSe0/0          up             up",
            False,
            id="a table of another layout",
        ),
    ],
)
def test_an_output_is_captured_or_missing(bar: str, printed: str, *, is_captured: bool) -> None:
    device = device_read(_LOG.format(bar=bar, printed=printed))
    coverage = device_coverage(device, wanted_by(load_rules(Settings().budgets)))
    assert ("show interfaces" in coverage.captured) is is_captured
    assert ("show interfaces" in {lack.command for lack in coverage.missing}) is not is_captured
