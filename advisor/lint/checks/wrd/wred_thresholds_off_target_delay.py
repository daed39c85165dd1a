"""A maximum threshold is a delay: that of the queue at which WRED drops every packet."""

from collections.abc import Iterator, Sequence
from math import log

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import Unit
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.wrd.shared.cure import Stage
from advisor.lint.checks.wrd.shared.decision import cure_of
from advisor.lint.checks.wrd.shared.rows import (
    WredClass,
    described,
    queues_not_modelled,
    span,
    wred_classes,
)
from advisor.lint.checks.wrd.shared.setting import WredSetting
from advisor.lint.checks.wrd.shared.target import is_off
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.class_service import ClassService, class_services
from advisor.outlet.wred_rows import WredRow
from advisor.quantity import Basis, Figure, RateKind, plain, rate_text
from advisor.units import kbps_from_bps

_TINY_MS = 1e-9


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
    advice: str
    rest: str
    wred: WredSetting


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each WRED class with a maximum that is off the target at every output.

    If the mean packet is not known, a row is off only if it is off at both ends of its range.
    """
    yield from queues_not_modelled(device)
    factors = params.least_factor, params.most_factor
    for wred_class in wred_classes(device):
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
            yield _hit(device, wred_class, services, wrong, params)


def _hit(
    device: Device,
    wred_class: WredClass,
    services: tuple[ClassService, ...],
    wrong: tuple[WredRow, ...],
    params: Params,
) -> Hit[Evidence]:
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
        _confidence(device, wrong, service),
        forecast,
        level=cure.level,
        curable=why_not is None,
        advice=cure.why_not(Stage.TARGET),
    )


def _evidence(
    service: ClassService,
    pairs: list[tuple[WredRow, WredRow]],
    params: Params,
    setting: WredSetting,
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
        advice="" if advised.max_threshold == row.max_threshold else _advice(advised, service),
        rest=f", and {more} more" if more else "",
        wred=setting,
    )


def _advice(advised: WredRow, service: ClassService) -> str:
    unit = "" if advised.unit is Unit.PACKETS else f" {advised.unit}"
    delay_ms = span(service.queue_ms(advised.max_threshold, advised.unit))
    return f"; {plain(advised.max_threshold)}{unit} is {delay_ms} ms"


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


CHECK = Check(Params, Evidence, find, measure)
