"""A scenario: one output interface, its queues and its traffic, as scenario files describe it.

The keys are those of the files, and each field explains its key. This module knows no model and no
router.
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct, field

from advisor.faults import AdvisorError

_Positive = Annotated[float, Meta(gt=0, le=1e9)]
_NotNegative = Annotated[float, Meta(ge=0, le=1e9)]
_Count = Annotated[int, Meta(ge=1, le=1_000_000)]
_Weight = Annotated[float, Meta(gt=0, le=100)]
_IpBytes = Annotated[int, Meta(ge=1, le=65_535)]
_Overhead = Annotated[int, Meta(ge=0, le=1_000)]
_Name = Annotated[str, Meta(min_length=1)]
SchedulerName: TypeAlias = Literal["llq+cbwfq", "cbwfq", "fifo"]


class ScenarioError(AdvisorError):
    """A file of scenarios is unreadable or describes an impossible interface."""


class Link(Struct, frozen=True):
    """The wire. With `atm_cell_tax`, overhead is the header before the AAL5 trailer (8 or 0)."""

    rate_kbps: _Positive
    l2_overhead_bytes_per_packet: _Overhead
    atm_cell_tax: bool = False
    encapsulation: str | None = None


class TxRing(Struct, frozen=True):
    """The transmit ring; a packet is admitted while fewer than `limit` units are used."""

    unit: Literal["packets", "particles"]
    limit: _Count
    particle_bytes: _Count = 512


class Fragmentation(Struct, frozen=True):
    """LFI: non-priority packets above `fragment_ip_bytes` are cut into fragments of that size.

    `overhead_bytes_per_fragment` replaces the overhead of the link per packet.
    """

    fragment_ip_bytes: _IpBytes
    overhead_bytes_per_fragment: _Overhead


class WredProfile(Struct, frozen=True):
    """Drop profile of one precedence or DSCP."""

    name: str
    min_threshold_packets: _NotNegative
    max_threshold_packets: _Positive
    mark_probability_denominator: _Positive


class Wred(Struct, frozen=True):
    """WRED of one class: one average queue size, several profiles."""

    exponential_weighting_constant: Annotated[int, Meta(ge=1, le=16)]
    profiles: tuple[WredProfile, ...]
    idle_decay_packet_time_ms: _Positive
    kind: Literal["dscp-based", "prec-based"] | None = None


class FairQueue(Struct, frozen=True):
    """Flow-based fair queueing inside a class."""

    per_flow_queue_limit_packets: _Count


class _Queue(Struct, frozen=True, tag_field="kind"):
    name: _Name
    queue_limit_packets: _Count


class PriorityQueue(_Queue, frozen=True, tag="priority"):
    """A class of the LLQ; `burst_bytes` and the rate count only if it is policed."""

    priority_kbps: _Positive
    burst_bytes: _Positive
    policed_under_congestion: bool


class SharedQueue(_Queue, frozen=True, tag="bandwidth"):
    """A CBWFQ class; only the ratio of the percentages matters."""

    bandwidth_percent: _Weight
    wred: Wred | None = None
    fair_queue: FairQueue | None = None


class DefaultQueue(SharedQueue, frozen=True, tag="class-default"):
    """class-default, which shares the link like any other class."""


class FifoQueue(_Queue, frozen=True, tag="fifo"):
    """The one queue of an interface without a service policy."""

    wred: Wred | None = None


Queue: TypeAlias = PriorityQueue | SharedQueue | DefaultQueue | FifoQueue


class _Sizes(Struct, frozen=True, tag_field="distribution"):
    pass


class FixedSize(_Sizes, frozen=True, tag="fixed"):
    """Every packet has `bytes`."""

    bytes: _IpBytes


class DiscreteSizes(_Sizes, frozen=True, tag="discrete"):
    """Sizes with their weights."""

    bytes_and_weights: Annotated[tuple[tuple[_IpBytes, _Positive], ...], Meta(min_length=1)]


class UniformSizes(_Sizes, frozen=True, tag="uniform_integer"):
    """Every whole number of bytes from `min_bytes` to `max_bytes` has the same probability."""

    min_bytes: _IpBytes
    max_bytes: _IpBytes


Sizes: TypeAlias = FixedSize | DiscreteSizes | UniformSizes


class _Arrival(Struct, frozen=True, tag_field="process"):
    pass


class Cbr(_Arrival, frozen=True, tag="cbr"):
    """Packet k at phase + k / packets_per_second + U(0, uniform_jitter_ms)."""

    packets_per_second: _Positive
    uniform_jitter_ms: _NotNegative = 0.0


class Poisson(_Arrival, frozen=True, tag="poisson"):
    """Independent exponential gaps."""

    packets_per_second: _Positive


class PoissonBursts(_Arrival, frozen=True, tag="poisson_bursts"):
    """Bursts start as a Poisson process; their packets follow at a fixed spacing."""

    bursts_per_second: _Positive
    packets_per_burst: _Count
    spacing_within_burst_ms: _NotNegative


class OnOff(_Arrival, frozen=True, tag="on_off"):
    """Exponential on and off times; periodic while on."""

    packets_per_second_while_on: _Positive
    mean_on_ms: _Positive
    mean_off_ms: _Positive


class Saturated(_Arrival, frozen=True, tag="saturated"):
    """A constant number of packets waits in the software queue."""

    backlog_packets_kept_in_queue: _Count


Arrival: TypeAlias = Cbr | Poisson | PoissonBursts | OnOff | Saturated


class Stream(Struct, frozen=True, tag_field="loop", tag="open"):
    """Traffic that does not react to loss; the rates are those of one stream."""

    class_name: str = field(name="class")
    queue: str
    arrival: Arrival
    ip_packet_bytes: Sizes
    independent_identical_streams: _Count = 1
    conversations_per_stream: _Count = 1
    wred_profile: str | None = None


class TcpGroup(Struct, frozen=True, tag_field="loop", tag="tcp"):
    """Identical TCP flows. `transfer_size_packets` None: greedy."""

    class_name: str = field(name="class")
    queue: str
    tcp_flows: _Count
    base_rtt_ms: _Positive
    ip_packet_bytes: _IpBytes
    receiver_window_packets: _Count
    initial_window_packets: _Count = 2
    minimum_rto_ms: _Positive = 1000.0
    transfer_size_packets: _Count | None = None
    wred_profile: str | None = None
    delayed_ack: bool = False
    limited_transmit: bool = False


class Scenario(Struct, frozen=True):
    """One interface under traffic. `not_read` names the keys of the file that are not read."""

    id: _Name
    link: Link
    tx_ring: TxRing
    scheduler: SchedulerName
    queues: Annotated[tuple[Queue, ...], Meta(min_length=1)]
    traffic: Annotated[tuple[Stream | TcpGroup, ...], Meta(min_length=1)]
    fragmentation: Fragmentation | None = None
    not_read: tuple[str, ...] = ()

    def queue_named(self, name: str) -> Queue:
        """The queue of that name; `read_scenarios` guarantees that it exists."""
        return next(queue for queue in self.queues if queue.name == name)


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
