"""Claims of the three published tests of the transmit ring, by their ids, each in its tolerance."""

import csv
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from advisor.cards.card import load_rules
from advisor.evidence.__main__ import ip_sla_runs
from advisor.evidence.claims import TOLD, Claim, ef_claims, ring_claims
from advisor.evidence.expedited import best_effort_kbps, predicted_ef, scenario
from advisor.facts.policy import PolicyClass
from advisor.findings import Verdict
from advisor.observed.cpu import CpuLoad
from advisor.observed.sla_types import SlaResult, Spread
from advisor.predict.outlet import Outlet, outlets
from advisor.prove import review
from advisor.reading import Source, read_source
from advisor.settings import Settings
from advisor.snapshot import Device

FIXTURES = Path(__file__).parents[1] / "fixtures"
CLAIMS = FIXTURES.parents[1] / "shared/facts/seed_claims.csv"
RULES = load_rules(Settings().budgets)
SLOW, FAST = "configs/seed-000-a1-128k.ios", "configs/seed-000-a1-512k.ios"
EF = "configs/seed-001-7200.ios"

COMPUTED = (*ring_claims(ip_sla_runs()), *ef_claims())
# Ring 1 at 128 kb/s: the simulation has the model's figure too; docs/validation.md names the miss.
KNOWN_MISSES = {"A29 jitter"}


@cache
def source(path: str) -> Source:
    return Source(path, (FIXTURES / path).read_bytes())


@cache
def device(path: str) -> Device:
    return read_source(source(path), Settings()).device


@cache
def lint(path: str) -> Verdict:
    return review([source(path)], RULES, Settings())


def outlet(path: str) -> Outlet:
    return outlets(device(path))[0]


def policy_class(name: str) -> PolicyClass:
    policy = device(FAST).facts.policy_map("EchoPriority")
    assert policy is not None
    return next(each for each in policy.classes if each.name == name)


def serial_bps(path: str) -> float | None:
    bandwidth = outlet(path).interface.bandwidth_bps
    return None if bandwidth is None else bandwidth.value


def message(path: str, rule: str) -> str:
    return next((each.message for each in lint(path).findings if each.rule == rule), "")


def why(rule: str) -> str:
    return " ".join(next(each.card.why for each in RULES if each.card.id == rule).split())


def cpu(name: str) -> CpuLoad:
    (load,) = device(f"show/processes_cpu/{name}").seen.cpu
    return load


def printed_sla() -> SlaResult:
    return device("show/ip_sla/12.4-aggregated-icmp-jitter.txt").seen.sla[0]


def figures(of: Spread | None) -> tuple[float | None, ...]:
    return () if of is None else (of.minimum_ms, of.mean_ms, of.maximum_ms)


def ring_delay_grows_with_the_ring() -> bool:
    short, long = (predicted_ef(scenario(1024, ring)) for ring in (5, 40))
    return (short.mean_ms or 0) < (long.mean_ms or 0)


READ: dict[str, Callable[[], bool]] = {
    "A01": ring_delay_grows_with_the_ring,
    "A03": lambda: "the default is a compromise" in why("TXR001") and "costs CPU" in why("TXR001"),
    "A04": lambda: "tx-ring-limit 1:" in message(SLOW, "TXR001"),
    "A05": lambda: [e.name for e in [outlet(FAST).encapsulation] if e] == ["ppp"],
    "A07": lambda: (
        device(FAST).facts.policy_maps[0].name
        == device("configs/seed-000-a2.ios").facts.policy_maps[0].name
    ),
    "A08": lambda: (
        [each.text for each in device(FAST).facts.class_maps[0].matches] == ["match protocol icmp"]
    ),
    "A09": lambda: (
        outlet(FAST).priority_bps(policy_class("Echo")) == 64_000
        and policy_class("class-default").fair_queue is not None
    ),
    "A10": lambda: serial_bps(FAST) == 512_000 and not message(FAST, "LLQ002"),
    "A11": lambda: "50.0 %" in message(SLOW, "LLQ001") and not message(FAST, "LLQ001"),
    "A12": lambda: any(each.queues for each in outlet(FAST).queueing.classes),
    "A16": lambda: (
        {each.rule for each in lint("show/processes_cpu/12.4-busy-include-cpu.txt").findings}
        == {"CPU001"}
    ),
    "A17": lambda: cpu("12.4-a1-include-cpu.txt").one_minute_percent == 8,
    "A18": lambda: cpu("12.4-a2-include-cpu.txt").one_minute_percent == 12,
    "A19": ring_delay_grows_with_the_ring,
    "A20": lambda: (
        [
            (each.number, each.operation, each.timeout_ms and each.timeout_ms.value)
            for each in device(FAST).facts.probes
        ]
        == [(50000, "icmp-jitter", 1000.0)]
    ),
    "A21": lambda: len(device(FAST).facts.probes[0].options) == 2,
    "A23": lambda: printed_sla().is_aggregated,
    "A24": lambda: figures(printed_sla().rtt) == (6, 15, 31),
    "A25": lambda: all(
        each is None or each.samples == 0
        for each in (printed_sla().latency_to_source, printed_sla().latency_to_destination)
    ),
    "A26": lambda: (
        figures(printed_sla().jitter_to_destination) == (1, 6, 23)
        and figures(printed_sla().jitter_to_source) == (1, 1, 1)
    ),
    "A28": lambda: (serial_bps(SLOW), serial_bps(FAST)) == (128_000, 512_000),
    "B01": lambda: [each.value for each in [outlet(EF).wire] if each] == [1_000_000],
    "B02": lambda: predicted_ef(scenario(500, 5)).throughput_wire_kbps == pytest.approx(300),
    "B06": lambda: outlet(EF).ring is not None and bool(message(EF, "TXR001")),
    "B07": lambda: "no scheduler can overtake in it" in why("TXR001"),
    "B08": ring_delay_grows_with_the_ring,
    "D01": lambda: best_effort_kbps() == 1600,
}
# Not a figure of the model, and nothing that a config or a printout could show.
NOT_HELD = {
    "A13": "one conversation: class-default is modelled as one that never empties",
    "A14": "hundreds of conversations: the LLQ does not wait in them, so they are not counted",
    "A27": "the ring at the far end carries only echoes on an idle way back",
    "A42": "a date",
}


@pytest.mark.parametrize("claim", [pytest.param(each, id=each.id) for each in COMPUTED])
def test_the_model_says_the_same_within_the_tolerance(claim: Claim) -> None:
    assert claim.holds or claim.id in KNOWN_MISSES, claim.said


@pytest.mark.parametrize("claim", sorted(READ))
def test_the_tool_reads_or_says_the_same(claim: str) -> None:
    assert READ[claim]()


@pytest.mark.parametrize("claim", [pytest.param(each, id=each.id) for each in TOLD])
def test_a_claim_without_a_tolerance_is_told_with_why(claim: Claim) -> None:
    assert claim.said


def test_a_known_miss_is_still_one() -> None:
    assert {each.id for each in COMPUTED if not each.holds} == KNOWN_MISSES


def test_no_claim_of_the_three_tests_is_forgotten() -> None:
    if not CLAIMS.is_file():
        pytest.skip("../shared/facts is not here")
    with CLAIMS.open(encoding="utf-8") as file:
        asked = {row["id"] for row in csv.DictReader(file) if row["id"][0] in "ABD"}
    held = {name for each in (*COMPUTED, *TOLD) for name in each.id.split(", ")}
    assert asked - held - READ.keys() - NOT_HELD.keys() == set()
