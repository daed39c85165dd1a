"""WRED that treats all its packets alike: shares follow the numbers of flows."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import Unit
from advisor.facts.selectable import Selectable, selectable_by_class
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.wrd.shared.cure import Stage
from advisor.lint.checks.wrd.shared.decision import cure_of
from advisor.lint.checks.wrd.shared.rows import WredClass, queues_not_modelled, wred_classes
from advisor.lint.checks.wrd.shared.setting import WredSetting
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.outlets import policies_out
from advisor.outlet.wred_rows import DEFAULT_DENOMINATOR, WredRow
from advisor.predict.wred.inputs import wred_request
from advisor.predict.wred.shares import WredShares, wred_shares
from advisor.quantity import Basis, Unknown, plain
from advisor.theory.wred.interface import Regime

_ADVICE_HIGH = "Lower the minimum thresholds until the average queue passes them"


class Params(Struct, frozen=True):
    """Round trip of the profile, for flows without a stated round trip."""

    rtt_ms: float


class Evidence(Struct, frozen=True):
    """Why WRED treats all packets alike, the shares that follow, and rows that differ."""

    cause: str
    shares: str
    wred: WredSetting


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class whose rows are equal, or whose queue ends below all minima."""
    yield from queues_not_modelled(device)
    classes = list(wred_classes(device))
    if not classes:
        return
    selectable = selectable_by_class(device.facts)
    predicted = _predicted(device, params.rtt_ms)
    for wred_class in classes:
        if len(wred_class.rows) < 2:  # noqa: PLR2004 -- nothing to differentiate
            continue
        shares = predicted.get(wred_class.label)
        if len({_treatment(row) for row in wred_class.rows}) == 1:
            if wred_class.unknown:
                missing = ", ".join(wred_class.unknown)
                yield Skip(wred_class.label, f"default thresholds of {missing} are not known")
                continue
            yield _equal(device, wred_class, selectable(wred_class.policy_class.name), shares)
        elif (limit := _limit(device, wred_class)) is not None and _all_over(wred_class, limit):
            lowest = plain(min(row.min_threshold for row in wred_class.rows))
            cause = f"the queue-limit of {limit:g} is below the lowest minimum of {lowest}"
            yield _high(wred_class, cause, shares, possible=device.platform.doubts_defaults)
        elif shares is not None:
            yield from _by_windows(wred_class, shares)


def _treatment(row: WredRow) -> tuple[float, float, int, Unit]:
    denominator = DEFAULT_DENOMINATOR if row.denominator is None else row.denominator
    return row.min_threshold, row.max_threshold, denominator, row.unit


def _predicted(device: Device, rtt_ms: float) -> dict[str, WredShares]:
    """Shares of the classes whose flows are stated, at the first output of each."""
    shares_by_label: dict[str, WredShares] = {}
    if not any(traffic.tcp is not None for traffic in device.traffic):
        return shares_by_label
    for outlet in policies_out(device):
        question = wred_request(device, outlet, rtt_ms)
        answers = question if isinstance(question, Unknown) else wred_shares(question)
        for class_shares in () if isinstance(answers, Unknown) else answers:
            label = f"policy-map {outlet.queueing.name} > class {class_shares.class_name}"
            shares_by_label.setdefault(label, class_shares)
    return shares_by_label


def _limit(device: Device, wred_class: WredClass) -> float | None:
    """Queue-limit in force in packets; before HQF the default does not hold with WRED."""
    stated = wred_class.policy_class.queue_limit
    if device.platform.is_pre_hqf:
        return None
    if stated is not None:
        return stated.packets
    return wred_class.default_limit_packets


def _all_over(wred_class: WredClass, limit: float) -> bool:
    return all(row.unit is Unit.PACKETS and row.min_threshold >= limit for row in wred_class.rows)


def _equal(
    device: Device, wred_class: WredClass, selectable: Selectable, shares: WredShares | None
) -> Hit[Evidence]:
    low, high, denominator, unit = _treatment(wred_class.rows[0])
    words = "" if unit is Unit.PACKETS else f" {unit}"
    labels = ", ".join(row.label for row in wred_class.rows)
    cure = cure_of(device, wred_class)
    return Hit(
        wred_class.label,
        tuple(dict.fromkeys(row.at for row in wred_class.rows)),
        Evidence(
            cause=f"{labels} have the same row, {plain(low)} to {plain(high)}{words}, "
            f"1 in {denominator}",
            shares=_shares(shares),
            wred=cure.setting,
        ),
        Confidence.CERTAIN if _is_certain(wred_class, selectable) else Confidence.POSSIBLE,
        level=cure.level,
        curable=cure.why_not(Stage.SPREAD) is None,
        advice=cure.why_not(Stage.SPREAD),
    )


def _is_certain(wred_class: WredClass, selectable: Selectable) -> bool:
    """Whether every packet meets one of the rows, none assumed; else default rows may differ."""
    if any(row.basis is Basis.ASSUMED for row in wred_class.rows):
        return False
    scheme = wred_class.rows[0].scheme
    codes = selectable.dscps if scheme == "dscp" else selectable.precedences
    return codes <= {row.code for row in wred_class.rows}


def _by_windows(wred_class: WredClass, shares: WredShares) -> Iterator[Hit[Evidence]]:
    regimes = {regime.name: regime for regime in shares.regimes}
    windows = regimes.get(Regime.WINDOWS_END_FIRST)
    if windows is None or not windows.certain or Regime.DIFFERENTIATION in _certain(shares):
        return
    yield _high(wred_class, windows.said, shares, possible=Regime.DIFFERENTIATION in regimes)


def _certain(shares: WredShares) -> set[Regime]:
    return {regime.name for regime in shares.regimes if regime.certain}


def _high(
    wred_class: WredClass, cause: str, shares: WredShares | None, *, possible: bool
) -> Hit[Evidence]:
    return Hit(
        wred_class.label,
        tuple(dict.fromkeys(row.at for row in wred_class.rows)),
        Evidence(cause, _shares(shares), WredSetting(wred_class.place)),
        Confidence.POSSIBLE if possible else Confidence.LIKELY,
        severity=Severity.INFO if possible else None,
        curable=False,
        advice=_ADVICE_HIGH,
    )


def _shares(shares: WredShares | None) -> str:
    if shares is None:
        return "the share of each group follows its number of flows"
    parts = [
        f"{group.name} {group.share.value:.0f} % ({group.share.low:.0f} to {group.share.high:.0f})"
        for group in shares.groups
        if group.share is not None
    ]
    return f"predicted shares {', '.join(parts)}"


CHECK = Check(Params, Evidence, find)
