"""Claims of Cisco's DLSw+ TCP performance tests, by their ids."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.device.device import Device
from advisor.device.platforms.process_switching import find_platform, platforms
from advisor.ground.quantity import Basis
from advisor.predict.size import Load, takeovers
from advisor.predict.size.platform_line import line_of, moving
from advisor.predict.size.sizing import Limits, size
from advisor.shows.cpu import CpuLoad, read_cpu
from advisor.theory.dlsw import CpuEstimate
from tests.support.devices import device_read
from tests.support.outside import FACTS, needs
from tests.support.readers import read_version
from tools.validation.claims import Claim
from tools.validation.dlsw_claims import TOLD, dlsw_claims

FIXTURES = Path(__file__).parents[1] / "fixtures"
CLAIMS = FACTS / "seed_claims.csv"
RATES = FACTS / "platform_pps.csv"
COMPUTED = tuple(dlsw_claims())
RING_CONFIG = """\
hostname tr
source-bridge ring-group 100
dlsw local-peer peer-id 10.20.0.1
dlsw remote-peer 0 tcp 10.20.0.2
interface TokenRing0/0
 load-interval 30
 source-bridge 10 1 100
 llc2 t1-time 2000
 llc2 ti-time 30000
 llc2 n2 8
end
"""
SHOW_VERSION = """\
IOS (tm) C1700 Software (C1700-BNR2SY-M), Version {}, RELEASE SOFTWARE (fc1)
"""


def ethernet() -> Device:
    return device_read((FIXTURES / "configs/seed-004-dlsw.ios").read_bytes(), file="r1.ios")


def remarks(platform: str = "3640") -> str:
    return " ".join(line_of(platform, None).remarks)


def interim(version: str) -> str | None:
    release = read_version(SHOW_VERSION.format(version), "v.txt").release
    return None if release is None else release.interim


def head(five: str, minute: int, minutes: int) -> CpuLoad:
    text = f"CPU utilization for five seconds: {five}; one minute: {minute}%; five minutes: "
    load = read_cpu(f"{text}{minutes}%", "r1.txt")
    assert load is not None
    return load


def survivor_is_judged_by_the_design_limit() -> bool:
    load = Load("r1", 400, Basis.CONFIGURED, "test")
    alone = size(load, line_of("3640", None), Limits())
    (after,) = takeovers((load,))
    pair = size(load, line_of("3640", None), Limits(), after)
    return len(alone.states) == 1 and pair.states[1].limit_percent == 50


def both_configs_are_typed() -> bool:
    one, other = ethernet().facts, device_read(RING_CONFIG.encode(), file="r1.ios").facts
    peers = [of.dlsw.local_peer and of.dlsw.local_peer.peer_id for of in (one, other)]
    remote = [each.peer for of in (one, other) for each in of.dlsw.remote_peers]
    group = [each.bridge_group and each.bridge_group.value for each in one.interfaces]
    rings = [each.value for each in other.dlsw.ring_groups]
    bridged = [each.source_bridge for each in other.interfaces]
    return (
        peers == ["10.20.0.1"] * 2
        and remote == ["10.20.0.2"] * 2
        and group == [1, None]
        and rings == [100]
        and [each.target_ring for each in bridged if each] == [100]
    )


def load_interval_and_clock_rate() -> bool:
    lan, wan = ethernet().facts.interfaces
    stated = (lan.load_interval_s, wan.load_interval_s, wan.clock_rate_bps)
    return [each.value for each in stated if each] == [30, 30, 800_000]


def llc2_lines_are_kept() -> bool:
    (ring,) = device_read(RING_CONFIG.encode(), file="r1.ios").facts.interfaces
    said = [each.value for each in ring.sna_lines]
    return said == ["llc2 t1-time 2000", "llc2 ti-time 30000", "llc2 n2 8"]


def one_minute_is_read_and_convergence_judged() -> bool:
    settled, rising = head("27%/3%", 27, 26), head("27%/3%", 27, 12)
    return settled.one_minute_percent == 27 and moving(settled) is None and bool(moving(rising))


READ: dict[str, Callable[[], bool]] = {
    "E02": lambda: "routing, other features" in remarks() and "add to it" in remarks(),
    "E03": lambda: "explorers and other frame sizes" in remarks(),
    "E10": survivor_is_judged_by_the_design_limit,
    "E22": both_configs_are_typed,
    "E23": load_interval_and_clock_rate,
    "E24": llc2_lines_are_kept,
    "E34": one_minute_is_read_and_convergence_judged,
    "E38": lambda: "its top value is no limit" in remarks("RSP4"),
    "E42": lambda: (interim("12.1(3.3)"), interim("12.1(3.1)")) == ("3", "1"),
}


@pytest.mark.parametrize("claim", [pytest.param(each, id=each.id) for each in COMPUTED])
def test_the_model_says_the_same_within_the_tolerance(claim: Claim) -> None:
    assert claim.holds, claim.said


@pytest.mark.parametrize("claim", sorted(READ))
def test_the_tool_reads_or_says_the_same(claim: str) -> None:
    assert READ[claim]()


@pytest.mark.parametrize("claim", [pytest.param(each, id=each.id) for each in TOLD])
def test_a_claim_without_a_tolerance_is_told_with_why(claim: Claim) -> None:
    assert claim.said


@needs(CLAIMS)
def test_no_claim_is_forgotten() -> None:
    with CLAIMS.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["id"].startswith("E")]
    held = {name for each in COMPUTED for name in each.id.split(", ")} | READ.keys()
    told = {name for each in TOLD for name in each.id.split(", ")}

    assert {row["id"] for row in rows if row["tolerance"] != "-"} - held == set()
    assert {row["id"] for row in rows} - held - told == set()


@needs(RATES)
def test_rates_are_those_of_the_sheet_of_router_switching_performance() -> None:
    with RATES.open(encoding="utf-8") as file:
        printed = {row["platform"]: row for row in csv.DictReader(file) if row["process_pps"]}
    for name, row in printed.items():
        found = find_platform(name)
        if found is not None and not found.is_family:
            assert CpuEstimate(float(row["process_pps"]), 1).slope_percent == pytest.approx(
                CpuEstimate(found.pps_low, 1).slope_percent
            ), name
            assert found.grade == row["grade"], name
    assert len(platforms()) > 40
