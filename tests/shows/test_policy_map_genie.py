"""Policies of real routers, compared value by value with what genieparser reads."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from advisor.shows.policy_map import (
    ChildPolicy,
    Count,
    ObservedClass,
    ObservedPolicy,
    PolicerOutcome,
    QueueSize,
    ShownQueue,
    ShownWredRow,
)
from tests.support.outside import CORPUS, needs
from tests.support.readers import read_policy_map_interface

SHOW = CORPUS / "show"
NOT_READ = {
    "show_policy-map_interface 6",
    "show_policy-map_type_queueing_interface_output 10",
}


def key(path: Path) -> str:
    """Folder of the command and number of the output."""
    number = re.search(r"(\d+)$", path.stem)
    return f"{path.parent.name} {number[1] if number else 0}"


def with_values(*folders: str) -> list[Path]:
    return sorted(
        path
        for pattern in folders
        for path in SHOW.glob(f"{pattern}/*.txt")
        if path.with_suffix(".expected.json").exists() and key(path) not in NOT_READ
    )


ATTACHED = with_values(
    "show_policy-map_interface*",
    "show_policy-map_target_service-group",
    "show_policy-map_type_queueing_interface_output",
    "show_policy_map_type",
)
needs_corpus = needs(SHOW)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


Leaf = tuple[tuple[str, ...], str]

# Keys of genieparser's that we do not compare, and why.
UNCOMPARED = {
    "queueing": "says only that the heading was there",
    "afd_weight": "not kept: a weight of the switch's hardware",
    "dscp": "not kept: the DSCP of a virtual class is in the config",
    "min": "not kept: a threshold of a virtual class has no unit",
    "max": "not kept: a threshold of a virtual class has no unit",
    "total_drops_bytes": "not kept: the sum over the virtual classes",
    "total_drops_packets": "not kept: the sum over the virtual classes",
}
OUTER = "genieparser hangs the queue stats of a nested policy on the policy around it"
# Key of an output -> parts of a path that are not compared there, and why.
DIFFERENT = {
    "show_policy-map_interface 18": {"queue_stats_for_all_priority_classes": OUTER},
    "show_policy-map_interface 21": {"queue_stats_for_all_priority_classes": OUTER},
    "show_policy_map_type 21": {"queue_stats_for_all_priority_classes": OUTER},
    "show_policy_map_type 24": {
        "queue_stats_for_all_priority_classes": OUTER,
        "realtime-XYZ123123123": "genieparser loses the end of a line that the terminal broke",
    },
}
# genieparser takes the name from the command line here.
NAMED = {"show_policy-map_type_queueing_interface_output 12": ("Hu2/0/5", "HundredGigE2/0/5")}


def place_of(path: tuple[str, ...], output: str) -> tuple[str, ...]:
    """A path in one form: genieparser has nested policies under their class, or beside it."""
    short, full = NAMED.get(output, ("", ""))
    place = [full if part == short else part for part in path]
    while "child_policy_name" in place:
        at = place.index("child_policy_name")
        start = at - 2 if place[at - 2] == "class_map" else at
        place[start : at + 1] = ["nested"]
    return tuple(place)


def leaves(tree: Any, path: tuple[str, ...] = ()) -> Iterator[Leaf]:
    if isinstance(tree, dict):
        for name, below in tree.items():
            yield from leaves(below, (*path, name))
    elif isinstance(tree, list):
        yield path, " ".join(" ".join(str(item) for item in tree).split())
    elif path[-1] not in UNCOMPARED:
        yield path, str(tree)


def pruned(tree: dict[str, Any]) -> dict[str, Any]:
    """The tree without what is unknown."""
    kept = {k: pruned(v) if isinstance(v, dict) else v for k, v in tree.items()}
    return {k: v for k, v in kept.items() if v not in (None, {}, [])}


def queue_of(queue: ShownQueue | None) -> dict[str, Any]:
    q, limit = queue or ShownQueue(), (queue and queue.limit) or QueueSize()
    depth = q.depth or QueueSize()
    output, matched, queued = q.output or Count(), q.matched or Count(), q.queued or Count()
    drops = q.total_drops_packets
    return {
        "queue_limit_packets": limit.packets,
        "queue_limit_bytes": limit.bytes,
        "queue_depth": depth.packets if depth.packets is not None else depth.bytes,
        "total_drops": q.total_drops_unstated if drops is None else drops,
        "no_buffer_drops": q.no_buffer_drops_packets,
        "pkts_output": output.packets,
        "bytes_output": output.bytes,
        "pkts_matched": matched.packets,
        "pkts_queued": queued.packets,
    }


def outcome_of(outcome: PolicerOutcome | None) -> dict[str, Any]:
    if outcome is None:
        return {}
    seen = outcome.seen or Count()
    actions: dict[str, Any] = {}
    for action in outcome.actions:
        word, _, value = action.partition(" ")
        actions[word.replace("-", "_") if value else word] = value or "True"
    return {
        "packets": seen.packets,
        "bytes": seen.bytes,
        "bps": outcome.rate_bps,
        "actions": actions,
    }


def police_of(seen: ObservedClass, path: Path) -> dict[str, Any]:
    if not seen.policers:
        return {}
    policer, printed = seen.policers[0], text_of(path)
    old = "extended limit" in printed
    by_rate = re.search(r"\brate \d+ bps, burst", printed) is not None
    cir, bc, be = policer.cir_bps, policer.bc_bytes, policer.be_bytes
    terms = (
        {"police_bps": cir, "police_limit": bc, "extended_limit": be}
        if old
        else {"rate_bps": cir, "burst_bytes": bc}
        if by_rate
        else {"cir_bps": cir, "cir_bc_bytes": bc, "cir_be_bytes": be, "pir_be_bytes": be}
    )
    outcomes = {
        name: outcome_of(getattr(policer, name)) for name in ("conformed", "exceeded", "violated")
    }
    return {**terms, **outcomes}


def row_of(row: ShownWredRow) -> dict[str, Any]:
    sent, random = row.transmitted or Count(), row.random_drops or Count()
    tail = row.tail_drops or Count()
    low, high = row.min_threshold or QueueSize(), row.max_threshold or QueueSize()
    return {
        "transmitted_packets": sent.packets,
        "transmitted_bytes": sent.bytes,
        "transmit_packets": sent.packets,
        "transmit_bytes": sent.bytes,
        "random_drop_packets": random.packets,
        "random_drop_bytes": random.bytes,
        "tail_drop_packets": tail.packets,
        "tail_drop_bytes": tail.bytes,
        "minimum_thresh": low.packets,
        "maximum_thresh": high.packets,
        "mark_prob": f"1/{row.mark_probability_denominator}",
    }


def wred_of(seen: ObservedClass) -> dict[str, Any]:
    if seen.wred is None:
        return {}
    rows = {row.name: row_of(row) for row in seen.wred.rows}
    if seen.wred.by == "virtual class":
        return {"afd_wred_stats": {"virtual_class": rows}}
    exponent, depth = seen.wred.exponent or 0, seen.wred.mean_depth or QueueSize()
    weight = f"{exponent} (1/{2**exponent})"
    return {
        "random_detect": {
            "exp_weight_constant": weight,
            "mean_queue_depth": depth.packets,
            "class": rows,
        }
    }


def set_of(seen: ObservedClass) -> dict[str, Any]:
    marks: dict[str, Any] = {}
    for mark in seen.marks:
        if mark.field == "mpls experimental imposition":
            marks["mpls_experimental_imposition"] = mark.value
        else:
            counted = {"packets_marked": mark.marked_packets, "marker_statistics": "Disabled"}
            marks.setdefault(mark.field, {})[mark.value] = counted
    return marks


def class_of(seen: ObservedClass, path: Path) -> dict[str, Any]:
    """A class of ours in genieparser's words."""
    counted, shaper, bandwidth = seen.seen or Count(), seen.shaper, seen.bandwidth
    priority = seen.priority
    rates = {
        "interval": seen.interval_s,
        "offered_rate_bps": seen.offered_rate_bps,
        "drop_rate_bps": seen.drop_rate_bps,
    }
    tree: dict[str, Any] = {
        "match_evaluation": seen.match_kind,
        "packets": counted.packets,
        "bytes": counted.bytes,
        "rate": rates,
        "match": [match.criterion for match in seen.matches],
        "match_stats": {
            match.criterion: {
                "packets": match.seen.packets,
                "bytes": match.seen.bytes,
                "rate": {"interval": seen.interval_s, "offered_rate_bps": match.rate_bps},
            }
            for match in seen.matches
            if match.seen is not None
        },
        "police": police_of(seen, path),
        "qos_set": set_of(seen),
        **queue_of(seen.queue),
        **wred_of(seen),
    }
    if shaper is not None:
        tree["shape_type"] = shaper.kind
        tree["shape_cir_bps"] = shaper.cir_bps
        tree["shape_bc_bps"], tree["shape_be_bps"] = shaper.bc_bits, shaper.be_bits
        tree["target_shape_rate"] = shaper.target_rate_bps
    if bandwidth is not None:
        tree["bandwidth_kbps"] = bandwidth.rate_kbps
        tree["bandwidth_percent"] = bandwidth.rate_percent
        tree["bandwidth_remaining_percent"] = bandwidth.remaining_percent
    if priority is not None:
        rated = priority.rate_kbps is not None
        tree["priority"] = {
            "type": None if rated else "Strict",
            "percent": priority.rate_percent,
            "kbps": priority.rate_kbps,
            "burst_bytes": priority.burst_bytes,
            "exceed_drops": priority.exceed_drops_packets,
        }
        tree["priority_level"] = priority.level
    if seen.child is not None:
        tree["child_policy_name"] = {seen.child.policy: policy_of(seen.child, path)}
    return tree


def policy_of(policy: ObservedPolicy | ChildPolicy, path: Path) -> dict[str, Any]:
    levels = {
        "default" if queue.level is None else str(queue.level): {
            **queue_of(queue.queue),
            "priority_level": queue.level,
        }
        for queue in policy.priority_queues
    }
    return {
        "class_map": {seen.name: class_of(seen, path) for seen in policy.classes},
        "queue_stats_for_all_priority_classes": {"priority_level": levels},
    }


def ours(path: Path) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for policy in read_policy_map_interface(text_of(path), path.name):
        interface = tree.setdefault(policy.interface, {"service_policy": {}})
        if policy.circuit is not None:
            interface["service_group"] = policy.circuit.number
        names = interface["service_policy"].setdefault(policy.direction, {"policy_name": {}})
        names["policy_name"][policy.policy] = policy_of(policy, path)
    return pruned(tree)


@needs_corpus
@pytest.mark.parametrize("path", ATTACHED, ids=key)
def test_values_agree_with_genieparser(path: Path) -> None:
    expected = json.loads(text_of(path.with_suffix(".expected.json")))
    output = key(path)
    mine = {place_of(place, output): value for place, value in leaves(ours(path))}
    theirs = {place_of(place, output): value for place, value in leaves(expected)}
    apart = DIFFERENT.get(output, {})
    wrong = {
        "/".join(place): (value, mine.get(place))
        for place, value in theirs.items()
        if mine.get(place) != value and apart.keys().isdisjoint(place)
    }
    assert wrong == {}
