"""A maximum threshold is a delay: that of the queue at which WRED drops every packet."""

from collections.abc import Iterator, Sequence
from math import ceil, log

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.policy import Unit
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.wrd.shared.rows import (
    WredClass,
    described,
    queues_not_modelled,
    row_command,
    span,
    why_order_changes,
    wred_classes,
)
from advisor.lint.checks.wrd.shared.watched import flows_of_class
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.class_service import ClassService, class_services
from advisor.outlet.wred_rows import WredRow
from advisor.quantity import Basis, Figure, RateKind, plain, rate_text
from advisor.units import kbps_from_bps

_LEAST_MAX_PACKETS = 3  # below it no whole minimum over 0 is under half, in any unit
_LARGEST_PACKETS = 4096  # of a threshold: random-detect precedence, IOS command reference
_LEAST_OF_TOP = (
    0.6  # rows of a lower maximum keep this part of the highest, to stay near the target
)
_MOST_UNNAMED = 8  # rows of codes that the match does not name: those of a precedence
_TINY_MS = 1e-9
_ROOM = 2  # queue-limit over the maximum: a burst is longer than the average


class Params(Struct, frozen=True):
    """Delay in ms that the maximum threshold should be, and how far off it may be."""

    target_ms: float
    least_factor: float
    most_factor: float


class Evidence(Struct, frozen=True):
    """The row that is farthest off, its delay in ms, and the row of the target."""

    row: str
    max_threshold: str
    delay_ms: str
    rate_kbps: str
    target_ms: float
    advised: str
    advised_ms: str
    rest: str
    statements: tuple[str, ...]
    section: tuple[str, ...]


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each WRED class with a maximum that is off the target at every output.

    If the mean packet is not known, a row is off only if it is off at both ends of its range.
    """
    yield from queues_not_modelled(device)
    for wred_class in wred_classes(device):
        services = class_services(device, wred_class.policy, wred_class.policy_class)
        if not wred_class.rows:
            continue
        if not services:
            yield Skip(wred_class.label, "the rate of the class is not known")
            continue
        wrong = tuple(row for row in wred_class.rows if _is_off(row, services, params))
        if wrong:
            yield _hit(device, wred_class, services, wrong, params)


def _is_off(row: WredRow, services: tuple[ClassService, ...], params: Params) -> bool:
    delays = [service.queue_ms(row.max_threshold, row.unit) for service in services]
    too_long = min(delay.low for delay in delays) > params.most_factor * params.target_ms
    too_short = max(delay.high for delay in delays) < params.least_factor * params.target_ms
    return too_long or too_short


def _moved(rows: tuple[WredRow, ...], service: ClassService, target_ms: float) -> list[WredRow]:
    """The rows moved to the target, their order kept; minima are under half of the maximum."""
    top = {row.unit: max(other.max_threshold for other in rows if other.unit is row.unit)
           for row in rows}  # fmt: skip
    steepest = max(row.min_threshold / max(row.max_threshold, 1) for row in rows)
    moved = []
    for row in rows:
        packet = max(1, ceil(service.of_packets(1, row.unit)))
        least = max(_LEAST_MAX_PACKETS, ceil(service.of_packets(_LEAST_MAX_PACKETS, row.unit)))
        aim = max(least, round(service.amount_in(target_ms, row.unit)))
        part = max(_LEAST_OF_TOP, row.max_threshold / max(top[row.unit], 1))
        high = max(least, round(aim * part))
        share = row.min_threshold / max(row.max_threshold, 1)
        low = round(high * share if steepest < 1 / 2 else high / 3 * share / steepest)
        low = max(packet, min(low, (high - 1) // 2))
        moved.append(replace(row, min_threshold=low, max_threshold=high))
    return moved


def _queue_limit(device: Device, wred_class: WredClass, moved: list[WredRow]) -> tuple[str, ...]:
    """The `queue-limit` that prevents earlier tail drop; before HQF there is none."""
    top = max((row.max_threshold for row in moved if row.unit is Unit.PACKETS), default=0)
    stated = wred_class.policy_class.queue_limit
    if device.platform.is_pre_hqf or not top:
        return ()
    limit = wred_class.default_limit_packets or 0.0
    if stated is not None:
        limit = top if stated.packets is None else stated.packets
    return () if top <= limit else (f"queue-limit {plain(_ROOM * top)} packets",)


def _moves(
    wred_class: WredClass, wrong: tuple[WredRow, ...], service: ClassService, target_ms: float
) -> list[tuple[WredRow, WredRow]]:
    """Rows as they are and moved: the wrong ones, or all where these alone change the order."""
    rows = wrong
    moves = list(zip(rows, _moved(rows, service, target_ms), strict=True))
    if why_order_changes(wred_class, moves) is not None:
        unnamed = wred_class.unnamed if len(wred_class.unnamed) <= _MOST_UNNAMED else ()
        rows = (*wred_class.rows, *unnamed)
        moves = list(zip(rows, _moved(rows, service, target_ms), strict=True))
    return moves


def _why_no_lines(
    wred_class: WredClass,
    services: tuple[ClassService, ...],
    moves: list[tuple[WredRow, WredRow]],
    params: Params,
) -> str | None:
    if len({service.rate.value for service in services}) > 1:
        return "the policy has another rate at each output: give each a policy of its own"
    rows, moved = [row for row, _ in moves], [row for _, row in moves]
    in_packets = [row.max_threshold for row in moved if row.unit is Unit.PACKETS]
    if max(in_packets, default=0) > _LARGEST_PACKETS:
        return f"more than {_LARGEST_PACKETS} packets: give thresholds in ms where IOS has them"
    off = any(_is_off(row, services, params) for row in moved)
    if off or (_are_equal(moved) and not _are_equal(rows)):
        one_ms = services[0].queue_ms(1, Unit.PACKETS)
        return (
            f"one packet takes {span(one_ms)} ms: the class is too slow for WRED at this delay; "
            "use `fair-queue`, or tail drop with a short queue-limit"
        )
    if not wred_class.have_own_lines(wred_class.rows):
        return "a line sets the rows of several codes at once: enter it again with these thresholds"
    return why_order_changes(wred_class, moves)


def _are_equal(rows: Sequence[WredRow]) -> bool:
    """Whether the rows treat all packets alike, as small whole numbers may make them."""
    return len({(row.min_threshold, row.max_threshold, row.denominator) for row in rows}) == 1


def _hit(
    device: Device,
    wred_class: WredClass,
    services: tuple[ClassService, ...],
    wrong: tuple[WredRow, ...],
    params: Params,
) -> Hit[Evidence]:
    service = services[0]
    moves = _moves(wred_class, wrong, service, params.target_ms)
    moved_by_row = dict(moves)
    moved = [row for _, row in moves]
    kept_rows = [row for row in wred_class.rows if row not in moved_by_row]
    why_not = _why_no_lines(wred_class, services, moves, params)
    after = _longest([*kept_rows, *moved], service) if why_not is None else None
    forecast = Forecast(
        "delay of a queue at the maximum threshold",
        _longest(wred_class.rows, service),
        after,
        (service.rate, service.mean_packet),
    )
    commands = (
        row_command(row, row.min_threshold, row.max_threshold, row.denominator) for row in moved
    )
    statements = (*commands, *_queue_limit(device, wred_class, moved))
    return Hit(
        wred_class.label,
        tuple(dict.fromkeys(row.at for row in wrong)),
        _evidence(
            wred_class, service, [(row, moved_by_row[row]) for row in wrong], params, statements
        ),
        _confidence(device, wrong, service),
        forecast,
        curable=why_not is None,
        advice=why_not,
    )


def _evidence(
    wred_class: WredClass,
    service: ClassService,
    pairs: list[tuple[WredRow, WredRow]],
    params: Params,
    statements: tuple[str, ...],
) -> Evidence:
    def off(pair: tuple[WredRow, WredRow]) -> float:
        now_ms = service.queue_ms(pair[0].max_threshold, pair[0].unit).value
        return abs(log(max(now_ms, _TINY_MS) / params.target_ms))

    row, advised = max(pairs, key=off)
    unit = "" if row.unit is Unit.PACKETS else f" {row.unit}"
    more = len(pairs) - 1
    return Evidence(
        row=described(row),
        max_threshold=f"{plain(row.max_threshold)}{unit}",
        delay_ms=span(service.queue_ms(row.max_threshold, row.unit)),
        rate_kbps=rate_text(kbps_from_bps(service.rate.value)),
        target_ms=params.target_ms,
        advised=f"{plain(advised.max_threshold)}{unit}",
        advised_ms=span(service.queue_ms(advised.max_threshold, advised.unit)),
        rest=f", and {more} more" if more else "",
        statements=statements,
        section=wred_class.section,
    )


def _longest(rows: Sequence[WredRow], service: ClassService) -> Figure:
    delays = (service.queue_ms(row.max_threshold, row.unit) for row in rows)
    return max(delays, key=lambda figure: figure.value)


def _confidence(device: Device, rows: tuple[WredRow, ...], service: ClassService) -> Confidence:
    configured = all(row.basis is Basis.CONFIGURED for row in rows)
    recalled = any(row.basis is Basis.ASSUMED for row in rows)
    if recalled or (not configured and device.platform.doubts_defaults):
        return Confidence.POSSIBLE
    is_sourced = service.rate.kind in (RateKind.GUARANTEE, RateKind.CLASS_SHAPER)
    exact = service.mean_packet.basis is not Basis.ASSUMED
    return Confidence.CERTAIN if configured and is_sourced and exact else Confidence.LIKELY


def measure(device: Device, label: str) -> Figure | None:
    """Longest delay of a maximum threshold of the class, for the proof of a remedy."""
    for wred_class in wred_classes(device):
        services = class_services(device, wred_class.policy, wred_class.policy_class)
        if wred_class.label == label and wred_class.rows and services:
            return _longest(wred_class.rows, services[0])
    return None


CHECK = Check(Params, Evidence, find, measure, watched=flows_of_class)
