"""Reads files of scenarios: JSON to types, and what parts of a scenario contradict each other."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec

from advisor.ground.data import DataError, json_of, shown_key
from advisor.ground.faults import AdvisorError
from advisor.settings.scenario import (
    DefaultQueue,
    FifoQueue,
    PriorityQueue,
    Queue,
    Scenario,
    SharedQueue,
    UniformSizes,
    WfqQueue,
    wred_of,
)

# JSON Schema of scenario files, from the types that read them.

VERSION = 1
_OPEN, _TCP = "Stream", "TcpGroup"
_TAG = "loop"  # the reader tells TCP by its keys: a file has no tag


def scenario_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a file of scenarios: one of them, or an array."""
    (scenario,), records = msgspec.json.schema_components(
        (Scenario,), ref_template="#/$defs/{name}"
    )
    del records["Scenario"]["properties"]["not_read"]
    for name in (_OPEN, _TCP):
        del records[name]["properties"][_TAG]
        records[name]["required"].remove(_TAG)
    records["Scenario"]["properties"]["traffic"]["items"].pop("discriminator")
    _name_by_group(records[_TCP])
    records[_OPEN]["properties"]["tcp_flows"] = False
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:ios-advisor:scenarios:{VERSION}",
        "title": "advisor predict --scenario FILE",
        "version": VERSION,
        "anyOf": [scenario, {"type": "array", "items": scenario, "minItems": 1}],
        "$defs": records,
    }


def _name_by_group(record: dict[str, Any]) -> None:
    """A group of TCP flows is named by `group`, or by `class` as other traffic is."""
    record["properties"]["group"] = record["properties"]["class"]
    record["required"].remove("class")
    record["anyOf"] = [{"required": ["group"]}, {"required": ["class"]}]


class ScenarioError(AdvisorError):
    """A file of scenarios is unreadable or describes an impossible interface."""


def read_scenarios(text: str, file: str) -> tuple[Scenario, ...]:
    """Scenarios of a JSON text: an array of scenarios, or one scenario; `results` are ignored.

    Parameters
    ----------
    text : str
        The JSON text.
    file : str
        Its name, for errors.

    Raises
    ------
    ScenarioError
        If the text is not JSON, a key is missing or has a wrong value, or two parts contradict.
    """
    try:
        raw = json_of(text, file)
    except DataError as error:
        raise ScenarioError(str(error)) from error
    items = raw if isinstance(raw, list) else [raw]
    if not items:
        raise ScenarioError(f"{file}: holds no scenario")
    scenarios = tuple(_scenario(item, file, place) for place, item in enumerate(items, start=1))
    for name, count in Counter(scenario.id for scenario in scenarios).items():
        if count > 1:
            raise ScenarioError(f"{file}: scenario {name}: id occurs {count} times")
    return scenarios


# Text for people, and figures that follow from other keys.
_WORDS_ONLY = frozenset(
    {
        *("type", "family", "background_kind", "description", "equivalent_ios_summary", "results"),
        *("note", "offered_ip_kbps", "offered_wire_load_fraction_of_link", "applies_to"),
        "packets_per_second",
    }
)


def _scenario(item: object, file: str, place: int) -> Scenario:
    name, stated = f"number {place}", item.get("id") if isinstance(item, dict) else None
    if isinstance(stated, str) and stated:
        name = shown_key(stated, name)
    origin = f"{file}: scenario {name}"
    if isinstance(item, dict) and isinstance(item.get("traffic"), list):
        item = item | {"traffic": [_tagged(traffic) for traffic in item["traffic"]]}
    try:
        scenario = msgspec.convert(item, Scenario)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$")
        key = path.rstrip("`").removeprefix(".")
        raise ScenarioError(
            f"{origin}: {key}: {reason}" if key else f"{origin}: {reason}"
        ) from error
    contradictions = chain(
        _link_contradictions(scenario),
        _queue_contradictions(scenario),
        _share_contradictions(scenario),
        _traffic_contradictions(scenario),
    )
    if contradiction := next(contradictions, None):
        raise ScenarioError(f"{origin}: {contradiction}")
    unread = tuple(_unread(item, msgspec.to_builtins(scenario), ""))
    return msgspec.structs.replace(scenario, not_read=unread)


def _tagged(traffic: object) -> object:
    """Tag traffic as TCP or open loop; TCP entries name their class `group`."""
    if not isinstance(traffic, dict):
        return traffic
    keys = {("class" if key == "group" else key): value for key, value in traffic.items()}
    return keys | {"loop": "tcp" if "tcp_flows" in traffic else "open"}


def _unread(raw: object, converted: object, path: str) -> Iterator[str]:
    if isinstance(raw, dict) and isinstance(converted, dict):
        for key, value in raw.items():
            if key in converted:
                yield from _unread(value, converted[key], f"{path}.{key}" if path else key)
            elif key not in _WORDS_ONLY:
                yield f"{path}.{key}" if path else key
    elif isinstance(raw, list) and isinstance(converted, list | tuple):
        for place, (raw_item, item) in enumerate(zip(raw, converted, strict=True)):
            yield from _unread(raw_item, item, f"{path}[{place}]")


_KINDS: dict[str, tuple[type[Queue], ...]] = {
    "llq+cbwfq": (PriorityQueue, SharedQueue, DefaultQueue),
    "cbwfq": (SharedQueue, DefaultQueue),
    "fifo": (FifoQueue,),
    "wfq": (WfqQueue,),
}
_WHOLE_PERCENT = 100.0
_ONE_QUEUE = frozenset({"fifo", "wfq"})
_OFF_RATIO = 1e-3  # rates of a bundle's members are written to three digits or more


def _queue_contradictions(scenario: Scenario) -> Iterator[str]:
    if len({queue.name for queue in scenario.queues}) < len(scenario.queues):
        yield "queues: two queues have one name"
    if scenario.scheduler in _ONE_QUEUE and len(scenario.queues) > 1:
        yield f"queues: scheduler {scenario.scheduler} has one queue"
    for place, queue in enumerate(scenario.queues):
        if not isinstance(queue, _KINDS[scenario.scheduler]):
            kind = queue.__struct_config__.tag
            yield f"queues[{place}].kind: scheduler {scenario.scheduler} has no {kind} queue"


def _share_contradictions(scenario: Scenario) -> Iterator[str]:
    """Guarantees and parts of the rest, as MQC takes them."""
    kinds: set[str] = set()
    guaranteed = 0.0
    for place, queue in enumerate(scenario.queues):
        if not isinstance(queue, SharedQueue):
            continue
        path = f"queues[{place}]"
        percent, ratio = queue.bandwidth_percent, queue.bandwidth_remaining_ratio
        guaranteed += percent or 0.0
        if percent is not None and ratio is not None:
            yield f"{path}: bandwidth_percent beside bandwidth_remaining_ratio; leave out one"
        kinds.add("percent" if percent else "ratio" if ratio else "neither")
    if scenario.excess_bandwidth == "proportional":
        if len(kinds) > 1:
            yield (
                "queues: proportional sharing needs bandwidth_percent in all classes, or "
                "bandwidth_remaining_ratio in all"
            )
    elif guaranteed > _WHOLE_PERCENT:
        yield f"queues: bandwidth_percent of all classes is {guaranteed:g}: over 100"


def _link_contradictions(scenario: Scenario) -> Iterator[str]:
    link = scenario.link
    total_kbps = sum(link.member_rates_kbps)
    if total_kbps and abs(total_kbps - link.rate_kbps) > _OFF_RATIO * link.rate_kbps:
        yield (
            f"link.member_rates_kbps: their sum is {total_kbps:g}, "
            f"link.rate_kbps is {link.rate_kbps:g}"
        )


def _traffic_contradictions(scenario: Scenario) -> Iterator[str]:
    queues = {queue.name: queue for queue in scenario.queues}
    if len({traffic.class_name for traffic in scenario.traffic}) < len(scenario.traffic):
        yield "traffic: two entries have one class"
    for place, traffic in enumerate(scenario.traffic):
        path = f"traffic[{place}]"
        queue, sizes, profile_name = (
            queues.get(traffic.queue),
            traffic.ip_packet_bytes,
            traffic.wred_profile,
        )
        if queue is None:
            yield f"{path}.queue: no queue {traffic.queue}; there are {', '.join(queues)}"
            continue
        if isinstance(sizes, UniformSizes) and sizes.min_bytes > sizes.max_bytes:
            yield f"{path}.ip_packet_bytes: min_bytes is above max_bytes"
        wred = wred_of(queue)
        profiles = [profile.name for profile in wred.profiles] if wred else [None]
        if profile_name not in profiles:
            yield f"{path}.wred_profile: {profile_name} is not a profile of queue {queue.name}"
