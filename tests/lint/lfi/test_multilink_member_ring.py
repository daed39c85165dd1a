"""LFI007: the ring of a bundle's member that nothing sets."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit
from advisor.lint.checks.lfi.bundles import LongMemberRing
from advisor.lint.checks.txr import RingBudget
from advisor.lint.findings import Confidence, Severity
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of

MULTILINK_MEMBER_RING = CHECKS["multilink-member-ring"]
TX_RING_TOO_DEEP_FOR_LLQ = CHECKS["tx-ring-too-deep-for-llq"]

PARAMS = RingBudget(ring_wait_ms=25.0)
C2811 = "license udi pid CISCO2811 sn FDO00000000\n"
LLQ = "  priority 256\n"


def bundle(*members: str, head: str = C2811, queue: str = LLQ, clock_bps: int = 1_536_000) -> str:
    text = (
        f"version 12.4(15)T\nhostname r1\n{head}class-map match-all VOICE\n match ip dscp ef\n"
        f"policy-map EDGE\n class VOICE\n{queue} class class-default\n  fair-queue\n"
        "interface Multilink1\n ppp multilink\n ppp multilink group 1\n"
        " service-policy output EDGE\n"
    )
    for number, lines in enumerate(members):
        text += (
            f"interface Serial0/0/{number}\n clock rate {clock_bps}\n encapsulation ppp\n{lines}"
            " ppp multilink\n ppp multilink group 1\n"
        )
    return text


def found(text: str) -> list[Hit[LongMemberRing]]:
    return hits_of(MULTILINK_MEMBER_RING.find(device_of(text), PARAMS))


def test_a_member_without_a_ring_may_have_that_of_a_fifo() -> None:
    evidence = hit_of(MULTILINK_MEMBER_RING.find(device_of(bundle("")), PARAMS)).evidence

    # 129 packets of 1510 to 1513 bytes at 1536 kb/s
    assert (evidence.ring, evidence.bound_ms, evidence.advised) == ("128", "1015-1017", 2)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(bundle(" tx-ring-limit 2\n"), id="its ring is set"),
        pytest.param(bundle(" tx-ring-limit 20\n"), id="a deep ring is TXR001's"),
        pytest.param(bundle("", queue="  bandwidth 256\n"), id="no voice in the bundle"),
        pytest.param(bundle("", clock_bps=100_000_000), id="128 packets pass in time"),
        pytest.param(bundle("").replace(" service-policy output EDGE\n", ""), id="no policy"),
    ],
)
def test_silent(text: str) -> None:
    assert found(text) == []


def test_each_member_has_its_own_finding() -> None:
    hits = found(bundle("", " tx-ring-limit 2\n", ""))

    assert [hit.evidence.member for hit in hits] == ["Serial0/0/0", "Serial0/0/2"]


@pytest.mark.parametrize(
    ("head", "severity", "confidence"),
    [
        pytest.param(C2811, None, Confidence.LIKELY, id="the FIFO of a 2811 is known"),
        pytest.param("", Severity.INFO, Confidence.POSSIBLE, id="an unknown platform"),
    ],
)
def test_how_sure_the_ring_is(head: str, severity: Severity | None, confidence: Confidence) -> None:
    hit = hit_of(MULTILINK_MEMBER_RING.find(device_of(bundle("", head=head)), PARAMS))

    assert (hit.severity, hit.confidence) == (severity, confidence)


@pytest.mark.parametrize(
    ("member", "rules"),
    [
        pytest.param("", ["LFI007"], id="unset"),
        pytest.param(" tx-ring-limit 20\n", ["TXR001"], id="deep"),
        pytest.param(" tx-ring-limit 2\n", [], id="right"),
    ],
)
def test_one_rule_judges_the_ring_of_a_member(member: str, rules: list[str]) -> None:
    device = device_of(bundle(member))
    deep = hits_of(
        TX_RING_TOO_DEEP_FOR_LLQ.find(device, TX_RING_TOO_DEEP_FOR_LLQ.params(ring_wait_ms=25.0))
    )

    said = ["LFI007"] * len(found(bundle(member))) + ["TXR001"] * len(deep)
    assert said == rules


def test_a_profile_without_a_budget_is_silent() -> None:
    assert (
        list(MULTILINK_MEMBER_RING.find(device_of(bundle("")), RingBudget(ring_wait_ms=None))) == []
    )
