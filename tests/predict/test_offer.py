"""What the classes of an output offer, where the policy does not name class-default."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.outlet.background import ring_sizes
from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets
from advisor.settings import PacketShare, Settings, Traffic
from tests.support.devices import device_of

PRIORITY_ONLY = """\
class-map match-all VOICE
 match ip dscp ef
class-map match-all VIDEO
 match ip dscp af41
policy-map EDGE
 class VOICE
  priority 64
 class VIDEO
  priority 128
interface Serial0/0
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 10
 service-policy output EDGE
"""
RULES = load_rules(Settings().budgets)


def stated(name: str, per_s: float | None, *sizes_bytes: int) -> Traffic:
    arrivals = "saturated" if per_s is None else "poisson"
    shares = tuple(PacketShare(each, 1 / len(sizes_bytes)) for each in sizes_bytes)
    return Traffic("*", "*", name, shares, per_s, 1, arrivals, "site.toml:1")


CASES = [
    pytest.param((stated("VOICE", 50, 60),), None, id="an LLQ alone says nothing of the others"),
    pytest.param((stated("VOICE", 50),), None, id="a rate of an LLQ says nothing of sizes"),
    pytest.param(
        (stated("VOICE", 50, 60), stated("class-default", 10)),
        None,
        id="a rate of class-default says nothing of sizes",
    ),
    pytest.param(
        (stated("VOICE", 50, 60), stated("class-default", None, 576, 1500)),
        {60, 576, 1500},
        id="class-default is there without being named",
    ),
    pytest.param(
        (stated("VOICE", 50, 60), stated("class-default", 0)),
        {60},
        id="an empty class-default leaves the ring to the LLQ",
    ),
    pytest.param(
        (stated("VOICE", 0), stated("VIDEO", 0), stated("class-default", 0)),
        None,
        id="an output without any traffic has no sizes",
    ),
]


@pytest.mark.parametrize(("traffic", "sizes"), CASES)
def test_sizes_in_the_ring(traffic: tuple[Traffic, ...], sizes: set[int] | None) -> None:
    (outlet,) = outlets(device_of(PRIORITY_ONLY))
    found = ring_sizes(offers_of(outlet, traffic), outlet)
    assert (None if found is None else set(found)) == sizes


@pytest.mark.parametrize(("traffic", "sizes"), CASES)
def test_a_policy_of_priority_classes_alone_is_judged(
    traffic: tuple[Traffic, ...], sizes: set[int] | None
) -> None:
    del sizes
    source = Source("r1.ios", PRIORITY_ONLY.encode())
    verdict = review([source], RULES, Settings(traffic=traffic))
    assert not verdict.incomplete
    rings = [each for each in verdict.findings if each.rule.startswith("TXR")]
    assert {each.object for each in rings} <= {"interface Serial0/0"}
