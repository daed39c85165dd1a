"""Configured policies of real routers, compared value by value with what genieparser reads."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from advisor.shows.policy_map import ShownClass, ShownPolicer, ShownWredRow
from tests.support.outside import CORPUS, needs
from tests.support.readers import read_policy_map

SHOW = CORPUS / "show"
FOLDERS = ("show_policy-map", "show_policy_map_type_queueing_policyname")
FILES = sorted(
    path
    for folder in FOLDERS
    for path in (SHOW / folder).glob("*.txt")
    if path.with_suffix(".expected.json").exists()
)
needs_corpus = needs(SHOW)

# Keys of genieparser's that we do not compare, and why.
UNCOMPARED = {
    "priority": "says only that the word was there; the rate beside it is compared",
    "conform_color": "not kept: the class of a color-aware policer is in the config",
    "wred_type": "kept as the unit of the thresholds",
}


def leaves(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    if isinstance(tree, dict):
        for name, below in tree.items():
            yield from leaves(below, (*path, name))
    elif tree is not None and path[-1] not in UNCOMPARED:
        yield path, tree


def police_of(policer: ShownPolicer) -> dict[str, Any]:
    outcomes = (
        ("conform", policer.conformed),
        ("exceed", policer.exceeded),
        ("violate", policer.violated),
    )
    return {
        "cir_bps": policer.cir_bps,
        "rate": policer.cir_bps,
        "cir_percent": policer.cir_percent,
        "rate_percent": policer.cir_percent,
        "rate_pps": policer.rate_pps,
        "cir_bc_bytes": policer.bc_bytes,
        "cir_be_bytes": policer.be_bytes,
        "bc_ms": policer.bc_ms,
        "pir": policer.pir_bps,
        "pir_percent": policer.pir_percent,
        "pir_be_bytes": policer.be_bytes,
        "be_ms": policer.be_ms,
        **{f"{name}_action": list(done.actions) for name, done in outcomes if done is not None},
    }


def thresholds_of(row: ShownWredRow) -> dict[str, str]:
    low, high = row.min_threshold, row.max_threshold
    return {
        "min_threshold": "-" if low is None else str(low.percent),
        "max_threshold": "-" if high is None else str(high.percent),
        "mark_probability": f"1/{row.mark_probability_denominator}",
    }


def class_of(shown: ShownClass) -> dict[str, Any]:
    """A configured class of ours in genieparser's words."""
    tree: dict[str, Any] = {"service_policy": shown.child_policy}
    if shown.policer is not None:
        tree["police"] = {**police_of(shown.policer), "service_policy": shown.child_policy}
    if shown.shaper is not None:
        tree["average_rate_traffic_shaping"] = shown.shaper.kind == "average"
        tree["cir_bps"], tree["cir_percent"] = shown.shaper.cir_bps, shown.shaper.cir_percent
        tree["bc_bits"], tree["be_bits"] = shown.shaper.bc_bits, shown.shaper.be_bits
    if shown.bandwidth is not None:
        tree["bandwidth_kbps"] = shown.bandwidth.rate_kbps
        tree["bandwidth_remaining_ratio"] = shown.bandwidth.remaining_ratio
    if shown.priority is not None:
        tree["priority_percent"] = shown.priority.rate_percent
        tree["priority_level"] = {str(shown.priority.level): {"kbps": shown.priority.rate_kbps}}
    if shown.wred is not None:
        tree["exponential_weight"] = shown.wred.exponent
        tree["class_val"] = {row.name: thresholds_of(row) for row in shown.wred.rows}
    if shown.queue_limit is not None:
        tree["queue_limit_bytes"] = shown.queue_limit.bytes
    return tree


@needs_corpus
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem.rpartition("__")[2])
def test_configured_values_agree_with_genieparser(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text())
    theirs = {
        (policy, name, *place): value
        for policy, body in next(iter(expected.values())).items()
        for name, shown in next(iter(body.values())).items()
        for place, value in leaves(shown)
    }
    mine = {
        (policy.policy, shown.name, *place): value
        for policy in read_policy_map(path.read_text(), path.name)
        for shown in policy.classes
        for place, value in leaves(class_of(shown))
    }
    wrong = {k: (value, mine.get(k)) for k, value in theirs.items() if mine.get(k) != value}
    assert wrong == {}
