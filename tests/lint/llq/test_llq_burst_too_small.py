"""LLQ004: the burst of an LLQ against what it has to let pass."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit
from advisor.lint.checks.llq.rates import SmallBurst, SmallBurstParams
from advisor.lint.findings import Confidence
from advisor.settings import Settings
from advisor.settings.file import settings_of_text
from tests.support.devices import device_read
from tests.support.verdicts import hits_of

LLQ_BURST_TOO_SMALL = CHECKS["llq-burst-too-small"]

PARAMS = SmallBurstParams(voice_packet_bytes=200)
G729 = '[[traffic]]\nclass = "VOICE"\ncalls = 2\ncodec = "g729"\n'
BURSTS = (
    '[[traffic]]\nclass = "VOICE"\npacket_bytes = 196\npackets_per_second = 50\n'
    'arrivals = "bursts"\nburst_packets = 10\n'
)


def found(action: str, traffic: str = "", version: str = "12.4") -> list[Hit[SmallBurst]]:
    text = (
        f"version {version}\nhostname R1\nclass-map match-all VOICE\n match ip dscp ef\n"
        f"policy-map WAN\n class VOICE\n{action} class class-default\n  fair-queue\n"
        "interface Serial0/0\n bandwidth 1536\n clock rate 1536000\n encapsulation ppp\n"
        " service-policy output WAN\nend\n"
    )
    settings = Settings(traffic=settings_of_text(traffic).traffic)
    return hits_of(LLQ_BURST_TOO_SMALL.find(device_read(text, settings, file="r1.ios"), PARAMS))


@pytest.mark.parametrize(
    ("action", "traffic", "needed_bytes"),
    [
        pytest.param("  priority 128 203\n", "", 204, id="one byte under G.711 with PPP"),
        pytest.param("  priority percent 10 150\n", "", 204, id="of a percentage"),
        pytest.param("  priority 128 63\n", G729, 64, id="under the stated codec"),
        pytest.param("  priority 128 1999\n", BURSTS, 2000, id="under a stated burst"),
        pytest.param("  priority\n  police 128000 150\n", "", 204, id="of the own policer"),
        pytest.param(
            "  priority 76 100\n", "", 128, id="a rate of G.729 alone: two of its packets"
        ),
        pytest.param("  priority 30 60\n", "", 64, id="a rate of one call of G.729: its packet"),
    ],
)
def test_a_burst_that_is_too_small_is_found(action: str, traffic: str, needed_bytes: int) -> None:
    (hit,) = found(action, traffic)

    assert hit.evidence.needed_bytes == needed_bytes
    assert hit.object == "policy-map WAN > class VOICE"


@pytest.mark.parametrize(
    ("action", "traffic"),
    [
        pytest.param("  priority 128 204\n", "", id="one packet fits"),
        pytest.param("  priority 76 128\n", "", id="a rate of G.729 alone, and two packets fit"),
        pytest.param("  priority 128 64\n", G729, id="one packet of the stated codec fits"),
        pytest.param("  priority 128 2000\n", BURSTS, id="a stated burst fits"),
        pytest.param("  priority 8\n", "", id="the default of 200 ms is not judged"),
        pytest.param("  bandwidth 128\n", "", id="no LLQ"),
    ],
)
def test_a_burst_that_holds_enough_is_silent(action: str, traffic: str) -> None:
    assert found(action, traffic) == []


def test_an_assumed_packet_makes_the_finding_possible() -> None:
    (hit,) = found("  priority 128 150\n")

    assert hit.confidence is Confidence.POSSIBLE


def test_a_policer_has_no_lines() -> None:
    (hit,) = found("  priority\n  police 128000 150\n")

    assert not hit.curable
