"""SLA004: operations with failures and no success."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from tests.support.devices import device_read
from tests.support.verdicts import hits_of

PROBE_NEVER_ANSWERS = CHECKS["probe-never-answers"]

SHOWN = """\
r1#show ip sla statistics
IPSLAs Latest Operation Statistics

IPSLA operation id: 10
        Latest RTT: Unknown
Latest operation return code: Timeout
Number of successes: {0}
Number of failures: {1}
Operation time to live: Forever
r1#
"""


@pytest.mark.parametrize(
    ("successes", "failures", "found"),
    [
        pytest.param("0", "1", ["1 failure"], id="no success"),
        pytest.param("1", "31", [], id="one success"),
        pytest.param("0", "0", [], id="it has not run"),
        pytest.param("Unknown", "Unknown", [], id="nothing is known"),
        pytest.param("Unknown", "3", [], id="successes are not known"),
    ],
)
def test_operations_without_an_answer(successes: str, failures: str, found: list[str]) -> None:
    device = device_read(SHOWN.format(successes, failures))
    hits = hits_of(PROBE_NEVER_ANSWERS.find(device, NoParams()))

    assert [hit.evidence.failures for hit in hits] == found
