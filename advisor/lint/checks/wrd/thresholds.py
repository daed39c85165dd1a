"""Thresholds of WRED: off the target delay, over the queue-limit, too near to each other."""

from collections.abc import Sequence
from math import log
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import QueueLimit, Unit
from advisor.ground.quantity import Basis, Figure, RateKind, plain, rate_text
from advisor.ground.units import kbps_from_bps
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.wrd import (
    WredClass,
    WredQueue,
    WredSetting,
    described,
    queues_not_modelled,
    wred_classes,
    wred_queues,
)
from advisor.lint.checks.wrd.decision import Stage, cure_of
from advisor.lint.checks.wrd.steps import is_off, third, tuned_classes
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.class_service import ClassService, class_services
from advisor.outlet.wred_rows import WredRow

# Hits of the checks that compare the two thresholds of a row: one hit per queue.


class WrongThresholds(Struct, frozen=True):
    """The first pair of thresholds that is wrong, its rows, the other pairs; the commands."""

    min_threshold: str  # with its unit, if that is not packets
    max_threshold: str
    rows: str  # "precedence 3, precedence 4"
    rest: str  # "" or "; also 28 of 40 (dscp af12)"
    advice: str  # a third of the first pair's maximum
    wred: WredSetting


_FEW_ROWS: Final = 2  # of IOS itself, which are named
_OF_IOS: Final = ("", "")


def _pair(row: WredRow) -> tuple[str, str]:
    thresholds = row.min_threshold, row.max_threshold
    low, high = (f"{plain(value)}{row.unit_words}" for value in thresholds)
    return low, high


def _labels(rows: Sequence[WredRow]) -> str:
    if len(rows) <= _FEW_ROWS or any(row.basis is Basis.CONFIGURED for row in rows):
        return ", ".join(map(described, rows))
    highest = max(rows, key=lambda row: row.min_threshold / row.max_threshold)
    words = f"{len(rows)} rows that IOS chose"
    if _pair(highest) == _pair(rows[0]):
        return words
    return "{}, up to {} of {}".format(words, *_pair(highest))


def hit_for_rows(
    device: Device,
    queue: WredQueue,
    rows: tuple[WredRow, ...],
    confidence: Confidence,
    severity: Severity | None = None,
) -> Hit[WrongThresholds]:
    """One hit for rows of a queue; its lines are those of the decision on the queue."""
    groups: dict[tuple[str, str], list[WredRow]] = {}
    chosen = sum(row.basis is not Basis.CONFIGURED for row in rows) > _FEW_ROWS
    for row in rows:
        is_of_ios = chosen and row.basis is not Basis.CONFIGURED
        groups.setdefault(_OF_IOS if is_of_ios else _pair(row), []).append(row)
    first_rows, *others = groups.values()
    first = _pair(first_rows[0])
    rest = ", ".join(
        "{} of {} ({})".format(*_pair(other_rows[0]), _labels(other_rows)) for other_rows in others
    )
    advised, cure = third(first_rows[0]), cure_of(device, queue)
    return Hit(
        queue.label,
        tuple(dict.fromkeys(row.at for row in rows)),
        WrongThresholds(
            min_threshold=first[0],
            max_threshold=first[1],
            rows=_labels(first_rows),
            rest=f"; also {rest}" if rest else "",
            advice=f"{advised}{first_rows[0].unit_words}" if advised else "none in whole",
            wred=cure.setting,
        ),
        confidence,
        severity=severity,
        level=cure.level,
        curable=cure.why_not(Stage.HALVES) is None,
        advice=cure.why_not(Stage.HALVES),
    )


# A maximum threshold is a delay: that of the queue at which WRED drops every packet.

_TINY_MS = 1e-9


class OffTargetParams(Struct, frozen=True):
    """Delay in ms that the maximum threshold should be, and how far off it may be."""

    target_ms: float
    least_factor: float
    most_factor: float


class OffTarget(Struct, frozen=True):
    """The row that is farthest off, its delay in ms, and the row of the target."""

    row: str
    max_threshold: str
    delay_ms: str
    rate_kbps: str
    target_ms: float
    advice: str
    rest: str
    wred: WredSetting


def find_wred_thresholds_off_target_delay(
    device: Device, params: OffTargetParams
) -> Found[OffTarget]:
    """Yield a hit for each WRED class with a maximum that is off the target at every output.

    If the mean packet is not known, a row is off only if it is off at both ends of its range.
    """
    yield from queues_not_modelled(device)
    factors = params.least_factor, params.most_factor
    for wred_class in tuned_classes(device):
        services = class_services(device, wred_class.policy, wred_class.policy_class)
        if not wred_class.rows:
            continue
        if not services:
            yield Skip(wred_class.label, "the rate of the class is not known")
            continue
        wrong = tuple(
            row for row in wred_class.rows if is_off(row, services, params.target_ms, factors)
        )
        if wrong:
            yield _off_target(device, wred_class, services, wrong, params)


def _off_target(
    device: Device,
    wred_class: WredClass,
    services: tuple[ClassService, ...],
    wrong: tuple[WredRow, ...],
    params: OffTargetParams,
) -> Hit[OffTarget]:
    service = services[0]
    cure = cure_of(device, wred_class)
    why_not = cure.why_not(Stage.TARGET)
    after = _longest(cure.rows, service) if why_not is None and cure.rows else None
    forecast = Forecast(
        "delay of a queue at the maximum threshold",
        _longest(wred_class.rows, service),
        after,
        (service.rate, service.mean_packet),
    )
    by_label = {row.label: row for row in cure.rows} if why_not is None else {}
    pairs = [(row, by_label.get(row.label, row)) for row in wrong]
    return Hit(
        wred_class.label,
        tuple(dict.fromkeys(row.at for row in wrong)),
        _evidence(service, pairs, params, cure.setting),
        _off_target_confidence(device, wrong, service),
        forecast,
        level=cure.level,
        curable=why_not is None,
        advice=cure.why_not(Stage.TARGET),
    )


def _evidence(
    service: ClassService,
    pairs: list[tuple[WredRow, WredRow]],
    params: OffTargetParams,
    setting: WredSetting,
) -> OffTarget:
    def off(pair: tuple[WredRow, WredRow]) -> float:
        now_ms = service.queue_ms(pair[0].max_threshold, pair[0].unit).value
        return abs(log(max(now_ms, _TINY_MS) / params.target_ms))

    row, advised = max(pairs, key=off)
    more = len(pairs) - 1
    return OffTarget(
        row=described(row),
        max_threshold=f"{plain(row.max_threshold)}{row.unit_words}",
        delay_ms=service.queue_ms(row.max_threshold, row.unit).span,
        rate_kbps=rate_text(kbps_from_bps(service.rate.value)),
        target_ms=params.target_ms,
        advice="" if advised.max_threshold == row.max_threshold else _advice(advised, service),
        rest=f", and {more} more" if more else "",
        wred=setting,
    )


def _advice(advised: WredRow, service: ClassService) -> str:
    delay_ms = service.queue_ms(advised.max_threshold, advised.unit).span
    return f"; {plain(advised.max_threshold)}{advised.unit_words} is {delay_ms} ms"


def _longest(rows: Sequence[WredRow], service: ClassService) -> Figure:
    delays = (service.queue_ms(row.max_threshold, row.unit) for row in rows)
    return max(delays, key=lambda figure: figure.value)


def _off_target_confidence(
    device: Device, rows: tuple[WredRow, ...], service: ClassService
) -> Confidence:
    configured = all(row.basis is Basis.CONFIGURED for row in rows)
    recalled = any(row.basis is Basis.ASSUMED for row in rows)
    if recalled or (not configured and device.platform.doubts_defaults):
        return Confidence.POSSIBLE
    is_sourced = service.rate.kind in (RateKind.GUARANTEE, RateKind.CLASS_SHAPER)
    exact = service.mean_packet.basis is not Basis.ASSUMED
    return Confidence.CERTAIN if configured and is_sourced and exact else Confidence.LIKELY


def measure_wred_thresholds_off_target_delay(device: Device, label: str) -> Figure | None:
    """Longest delay of a maximum threshold of the class, for the proof of a remedy."""
    for wred_class in wred_classes(device):
        services = class_services(device, wred_class.policy, wred_class.policy_class)
        if wred_class.label == label and wred_class.rows and services:
            return _longest(wred_class.rows, services[0])
    return None


# A maximum threshold over the queue-limit: the queue is full before WRED would drop all.


class AboveLimit(Struct, frozen=True):
    """The row, the limit that comes first, and the limit that leaves room for the row."""

    row: str
    max_threshold: str
    limit: str  # "64 packets by default"
    generation: str
    room: str  # "; 120 packets leaves room", empty where the thresholds come down instead
    rest: str
    wred: WredSetting


def find_wred_above_queue_limit(device: Device) -> Found[AboveLimit]:
    """Yield a hit for each WRED class of HQF or IOS XE with rows that end over the queue-limit.

    Before HQF the default queue-limit does not apply with WRED, and a class has one of the two.
    """
    if device.platform.is_pre_hqf:
        return
    for wred_class in tuned_classes(device):
        limit = wred_class.policy_class.queue_limit
        default_packets = wred_class.default_limit_packets
        if limit is None and default_packets is None:
            yield Skip(wred_class.label, wred_class.limit.source)
            continue
        amount, unit = (limit.amount, limit.unit) if limit else (default_packets or 0.0, None)
        unit = unit or Unit.PACKETS
        rows_over = [
            row for row in wred_class.rows if row.unit is unit and row.max_threshold > amount
        ]
        labels = [row.label for row in wred_class.rows if row.unit is not unit]
        if rows_over:
            yield _above_limit(device, wred_class, limit, rows_over)
        elif labels:
            words = ", ".join(labels)
            yield Skip(wred_class.label, f"{words}: not in the unit of the queue-limit, {unit}")


def _above_limit(
    device: Device, wred_class: WredClass, limit: QueueLimit | None, rows: list[WredRow]
) -> Hit[AboveLimit]:
    top = max(rows, key=lambda row: row.max_threshold)
    cure = cure_of(device, wred_class)
    advised = cure.setting.queue_limit
    words = f"{plain(wred_class.default_limit_packets or 0.0)} packets by default"
    if limit is not None:
        words = f"{plain(limit.amount)} {limit.unit}"
    return Hit(
        wred_class.label,
        (*dict.fromkeys(row.at for row in rows), *((limit.at,) if limit is not None else ())),
        AboveLimit(
            row=described(top),
            max_threshold=plain(top.max_threshold),
            limit=words,
            generation=device.platform.software,
            room=f"; {advised} leaves room" if advised else "",
            rest=f", and {len(rows) - 1} more" if len(rows) > 1 else "",
            wred=cure.setting,
        ),
        _limit_confidence(limit, rows),
        level=cure.level,
        curable=cure.why_not(Stage.LIMIT) is None,
        advice=cure.why_not(Stage.LIMIT),
    )


def _limit_confidence(limit: QueueLimit | None, rows: list[WredRow]) -> Confidence:
    if any(row.basis is Basis.ASSUMED for row in rows):
        return Confidence.POSSIBLE
    configured = limit is not None and all(row.basis is Basis.CONFIGURED for row in rows)
    return Confidence.CERTAIN if configured else Confidence.LIKELY


# A minimum threshold at or over the maximum: no packet is ever dropped early.


def find_wred_min_not_below_max(device: Device) -> Found[WrongThresholds]:
    """Yield a hit for each class or interface with rows whose minimum is not under the maximum."""
    for queue in wred_queues(device):
        if isinstance(queue, Skip):
            yield queue
            continue
        rows = tuple(row for row in queue.rows if row.min_threshold >= row.max_threshold)
        if rows:
            yield hit_for_rows(device, queue, rows, Confidence.CERTAIN)


# A minimum threshold too near to the maximum: early drops come late and all at once.


def _over_half(row: WredRow) -> bool:
    return row.max_threshold / 2 <= row.min_threshold < row.max_threshold


def _half_confidence(device: Device, rows: tuple[WredRow, ...]) -> Confidence:
    if any(row.basis is Basis.CONFIGURED for row in rows):
        return Confidence.CERTAIN
    if all(row.basis is Basis.MEASURED for row in rows):
        return Confidence.CERTAIN
    is_sourced = all(row.basis is not Basis.ASSUMED for row in rows)
    is_sourced = is_sourced and not device.platform.doubts_defaults
    return Confidence.LIKELY if is_sourced else Confidence.POSSIBLE


def _severity(rows: tuple[WredRow, ...]) -> Severity | None:
    """Only information where IOS chose all the rows itself."""
    chosen = all(row.basis is not Basis.CONFIGURED for row in rows)
    return Severity.INFO if chosen else None


def find_wred_min_over_half_max(device: Device) -> Found[WrongThresholds]:
    """Yield a hit for each queue with rows whose minimum is half of the maximum or more.

    IOS's own rows count where no row is configured, or where the match names their code. A
    minimum that is not under the maximum is left to wred-min-not-below-max.
    """
    tuned = tuned_classes(device)
    for queue in wred_queues(device):
        if isinstance(queue, Skip):
            yield queue
        if isinstance(queue, Skip) or (isinstance(queue, WredClass) and queue not in tuned):
            continue
        rows = tuple(row for row in queue.rows if _over_half(row))
        if rows:
            yield hit_for_rows(device, queue, rows, _half_confidence(device, rows), _severity(rows))
        if queue.unknown:
            unknown = ", ".join(queue.unknown)
            generation = device.platform.software
            yield Skip(queue.label, f"default thresholds of {unknown} not known for {generation}")
