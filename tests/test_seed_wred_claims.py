"""Claims of the published test of WRED, by their ids, each in its tolerance."""

import csv
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from advisor.device.device import Device
from advisor.device.reading import Source
from advisor.facts.policy import PolicyClass, Unit
from advisor.facts.selectable import selectable_by_class
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.settings import Settings
from tests.support.devices import device_read
from tests.support.outside import FACTS, needs
from tools.validation.claims import Claim
from tools.validation.wred_claims import WRED_TOLD, wred_claims
from tools.validation.wred_test import BALANCED, FLOW_COUNTS, predicted

CONFIG = Path(__file__).parents[1] / "fixtures/configs/seed-002-router.ios"
CLAIMS = FACTS / "seed_claims.csv"
COMPUTED = ("C01", "C04", "C05", "C12", "C15", "C16", "C17", "C18", "C20", "C21", "C22")


@cache
def computed() -> dict[str, Claim]:
    return {claim.id: claim for claim in wred_claims()}


@cache
def router() -> Device:
    return device_read(CONFIG.read_bytes(), file="r1.ios")


def outlet() -> Outlet:
    return outlets(router())[0]


def tcp_class() -> PolicyClass:
    return outlet().queueing.classes[0]


def rows() -> list[tuple[int | None, float, float, int | None]]:
    wred = tcp_class().wred
    assert wred is not None
    return [
        (row.code, row.min_threshold, row.max_threshold, row.mark_probability_denominator)
        for row in wred.profiles
    ]


def bandwidth_kbps(each: PolicyClass) -> float | None:
    stated = each.bandwidth
    return stated.amount if stated is not None and stated.unit is Unit.KBPS else None


def sets(policy: str) -> list[str]:
    found = router().facts.policy_map(policy)
    assert found is not None
    return [each.sets[0].value for each in found.classes]


def port_ranges() -> list[str]:
    lines = [line.text for line in router().facts.tree.walk() if "permit tcp" in line.text]
    return [text.partition("range ")[2].split(" host")[0] for text in lines]


def why(rule: str) -> str:
    rules = load_rules(Settings().budgets)
    return " ".join(next(each.card.why for each in rules if each.card.id == rule).split())


READ: dict[str, Callable[[], bool]] = {
    "C02": lambda: len(rows()) == 3,
    "C03": lambda: (
        len({row[1:3] for row in rows()}) == 1 and "different denominators" in why("WRD004")
    ),
    "C09": lambda: "less than half" in why("WRD002") and "a third" in why("WRD002"),
    "C13": lambda: predicted(BALANCED).udp_payload_bps < 1_500_000,
    "C14": lambda: FLOW_COUNTS == (3, 5, 10, 15, 20),
    "C24": lambda: (
        sets("setprec") == ["precedence 3", "precedence 4", "precedence 5", "precedence 0"]
    ),
    "C25": lambda: all(each.interface.name != "FastEthernet3/1" for each in outlets(router())),
    "C26": lambda: router().facts.class_maps[-1].matches[0].text == "match access-group 180",
    "C27": lambda: rows() == [(3, 15, 30, 2), (4, 15, 30, 5), (5, 15, 30, 10)],
    "C28": lambda: bandwidth_kbps(outlet().queueing.classes[1]) == 666,
    "C29": lambda: (
        all(
            each.rule != "LLQ002"
            for each in review(
                [Source("r1.ios", CONFIG.read_bytes())], load_rules(Settings().budgets), Settings()
            ).findings
        )
        and outlet().wire is not None
    ),
    "C30": lambda: (
        (outlet().pvc is not None)
        and outlet().label == "interface ATM0/0/0.2 > pvc infn-qos 0/100"
        and [each.value for each in [outlet().wire] if each] == [3_560_000]
        and [each.name for each in [outlet().encapsulation] if each] == ["aal5mux ip"]
    ),
    "C31": lambda: "CSELT <--> INFN-CNAF" in CONFIG.read_text("utf-8"),
    "C32": lambda: selectable_by_class(router().facts)("prec-only").precedences == {3, 4, 5},
    "C33": lambda: port_ranges() == ["30000 31000", "40000 41000", "50000 51000"],
    "C34": lambda: len(router().facts.policy_maps) == 2,
}
# No figure of the model, and nothing that a config or a printout could show.
NOT_HELD = {
    "C07": "the conversion of time to packets is that of the thresholds' rule",
    "C08": "100 ms is where the advice on thresholds starts",
    "C11": "the release is in the heading of the fixture, no config of the test names it",
    "C23": "a date",
}


@pytest.mark.parametrize("name", COMPUTED)
def test_the_model_says_the_same_within_the_tolerance(name: str) -> None:
    claim = computed()[name]
    assert claim.holds, claim.said


def test_every_computed_claim_is_in_the_table() -> None:
    assert tuple(computed()) == COMPUTED


@pytest.mark.parametrize("claim", sorted(READ))
def test_the_tool_reads_or_says_the_same(claim: str) -> None:
    assert READ[claim]()


@needs(CLAIMS)
def test_no_claim_of_the_test_is_forgotten() -> None:
    with CLAIMS.open(encoding="utf-8") as file:
        asked = {row["id"] for row in csv.DictReader(file) if row["id"][0] == "C"}
    held = {*COMPUTED, *(name for each in WRED_TOLD for name in each.id.split(", "))}
    assert asked - held - READ.keys() - NOT_HELD.keys() == set()
