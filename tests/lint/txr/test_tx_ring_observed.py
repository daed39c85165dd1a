"""TXR007, and TXR001 by the ring in force."""

import pytest
from msgspec.structs import replace

from advisor.device.reading import Source, read_source
from advisor.ground.quantity import Basis
from advisor.lint.cards import load_rules
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.txr.size import find_tx_ring_observed_differs
from advisor.lint.findings import Finding, Severity
from advisor.lint.run import review
from advisor.lint.trial import pasted
from advisor.outlet.outlets import outlets
from advisor.settings import Settings
from tests.support.verdicts import hits_of

RULES = load_rules(Settings().budgets)
POLICY = """\
class-map match-all VOICE
 match ip dscp ef
policy-map EDGE
 class VOICE
  priority 64
 class class-default
  fair-queue
"""
ISR = "!Chassis type: 2811\n"


def session(ring: str, tx_limited: str, *, head: str = "", policy: str = "EDGE") -> Source:
    attached = f" service-policy output {policy}\n" if policy else ""
    text = (
        f"r1#show running-config\n{head}hostname r1\n{POLICY}interface Serial0/1/0\n"
        f" encapsulation ppp\n clock rate 512000\n{ring}{attached}end\n"
        "r1#show controllers serial 0/1/0\nInterface Serial0/1/0\nHardware is GT96K\n"
        f"tx_limited = {tx_limited}, errata19 count1 - 0, count2 - 0\nr1#\n"
    )
    return Source("r1.txt", text.encode())


def version_2811() -> str:
    return (
        "r1#show version\nCisco IOS Software, 2800 Software (C2800NM-IPBASE-M), Version 12.4(15)T9,"
        " RELEASE SOFTWARE (fc5)\nCisco 2811 (revision 53.51) with 251904K/10240K bytes of memory.\n"
        "r1#\n"
    )


def with_platform(source: Source) -> Source:
    return Source(source.name, version_2811().encode() + source.payload)


def verdicts(source: Source) -> list[Hit[object] | Skip]:
    return list(find_tx_ring_observed_differs(read_source(source, Settings()).device))


def tx_ring_finding(source: Source) -> Finding:
    found = [each for each in review([source], RULES, Settings()).findings if each.rule == "TXR001"]
    (only,) = found
    return only


@pytest.mark.parametrize(
    ("ring", "tx_limited", "found"),
    [
        pytest.param(" tx-ring-limit 5\n", "1(16)", True, id="configured 5, in force 16"),
        pytest.param(" tx-ring-limit 5\n", "1(5)", False, id="configured 5, in force 5"),
        pytest.param(" tx-ring-limit 5\n", "0(5)", False, id="the flag says nothing of the length"),
    ],
)
def test_a_configured_ring_against_the_one_in_force(
    ring: str, tx_limited: str, *, found: bool
) -> None:
    said = verdicts(session(ring, tx_limited))

    assert [isinstance(each, Hit) for each in said] == [True] * found


@pytest.mark.parametrize(
    ("tx_limited", "policy", "found"),
    [
        pytest.param("1(2)", "EDGE", [], id="2 with queueing, as a 2811 does by default"),
        pytest.param("1(2)", "", [], id="2 with WFQ, the default of a serial line"),
        pytest.param("0(128)", "EDGE", [Severity.INFO], id="128 although a policy queues"),
    ],
)
def test_a_default_ring_against_the_one_in_force(
    tx_limited: str, policy: str, found: list[Severity]
) -> None:
    said = verdicts(with_platform(session("", tx_limited, policy=policy)))

    assert [each.severity for each in hits_of(said)] == found


def test_the_default_of_an_unknown_platform_is_not_judged() -> None:
    assert [type(each) for each in verdicts(session("", "0(128)"))] == [Skip]


def test_the_ring_in_force_wins_over_the_configured_one() -> None:
    prediction = tx_ring_finding(session(" tx-ring-limit 1\n", "1(16)")).prediction

    assert prediction is not None
    ring = prediction.inputs[0]
    assert (ring.value, ring.basis, ring.source) == (16, Basis.MEASURED, "tx_limited, r1.txt:19")


def test_the_remedy_of_a_ring_that_was_seen_is_proven_with_the_new_one() -> None:
    remedy = tx_ring_finding(session("", "1(16)")).remedy

    assert remedy is not None
    assert remedy.lines == ("interface Serial0/1/0", " tx-ring-limit 1")


def test_where_the_right_ring_is_configured_but_not_in_force_there_are_no_lines() -> None:
    remedy = tx_ring_finding(session(" tx-ring-limit 1\n", "1(16)")).remedy

    assert remedy is not None
    assert remedy.lines == ()
    assert "no shutdown" in (remedy.advice or "")


def test_no_lines_where_the_configured_ring_is_shorter_than_what_the_budget_allows() -> None:
    source = session(" tx-ring-limit 2\n", "1(16)")
    fast = replace(source, payload=source.payload.replace(b"512000", b"2048000"))

    remedy = tx_ring_finding(with_platform(fast)).remedy

    assert remedy is not None
    assert remedy.lines == ()
    assert "the configured ring meets the budget" in (remedy.advice or "")


def test_a_pasted_ring_counts_over_an_output_that_is_older() -> None:
    """The page of a report predicts the plan so; it showed the ring of before."""
    device = read_source(session(" tx-ring-limit 5\n", "1(16)"), Settings()).device
    after = pasted(device, ("interface Serial0/1/0", " tx-ring-limit 3"))

    rings = [outlet.ring for each in (device, after) for outlet in outlets(each) if outlet.ring]
    assert [(ring.limit_low, ring.basis) for ring in rings] == [
        (16, Basis.MEASURED),
        (3, Basis.CONFIGURED),
    ]
