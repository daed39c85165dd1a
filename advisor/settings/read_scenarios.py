"""Reads files of scenarios: JSON to types, and what parts of a scenario contradict each other."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain

import msgspec

from advisor.faults import AdvisorError
from advisor.settings.scenario import (
    DefaultQueue,
    FifoQueue,
    PriorityQueue,
    Queue,
    Scenario,
    SharedQueue,
    UniformSizes,
)


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
        raw = json.loads(text)
    except json.JSONDecodeError as error:
        raise ScenarioError(f"{file}:{error.lineno}: not JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        reason = "a number has too many digits or a value is nested too deeply"
        raise ScenarioError(f"{file}: not JSON that can be read: {reason}") from error
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
    name = item.get("id", f"number {place}") if isinstance(item, dict) else f"number {place}"
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
    contradictions = chain(_queue_contradictions(scenario), _traffic_contradictions(scenario))
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
}


def _queue_contradictions(scenario: Scenario) -> Iterator[str]:
    if len({queue.name for queue in scenario.queues}) < len(scenario.queues):
        yield "queues: two queues have one name"
    if scenario.scheduler == "fifo" and len(scenario.queues) > 1:
        yield "queues: scheduler fifo has one queue"
    for place, queue in enumerate(scenario.queues):
        if not isinstance(queue, _KINDS[scenario.scheduler]):
            kind = queue.__struct_config__.tag
            yield f"queues[{place}].kind: scheduler {scenario.scheduler} has no {kind} queue"


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
        wred = None if isinstance(queue, PriorityQueue) else queue.wred
        profiles = [profile.name for profile in wred.profiles] if wred else [None]
        if profile_name not in profiles:
            yield f"{path}.wred_profile: {profile_name} is not a profile of queue {queue.name}"
