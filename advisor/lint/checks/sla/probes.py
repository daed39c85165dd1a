"""Probes that measure another queue than voice has, too little of it, or nothing at all."""

from collections.abc import Iterator
from math import sqrt

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts import SlaProbe
from advisor.facts.selectable import selectable_by_class
from advisor.ground.quantity import Basis, Unknown, count, enclosing, exact
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import dscp_name
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.sla import NORMAL_95, results_by_number
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.outlet import Outlet
from advisor.outlet.probe import (
    JITTER_OPERATIONS,
    TOS_BITS_BELOW_DSCP,
    ProbePath,
    way_out,
    ways_beside_llqs,
)
from advisor.shows.sla import SlaResult, Spread

# A jitter probe outside the LLQ measures another queue.


class ProbeElsewhere(Struct, frozen=True):
    """The class that takes the probe, and the LLQ that does not."""

    number: int
    operation: str
    class_name: str
    classes: str
    marking: str
    hint: str


def find_probe_not_in_priority_class(device: Device) -> Found[ProbeElsewhere]:
    """Yield a hit for each jitter probe in another class than the LLQ.

    Silent where another jitter probe is in the LLQ of the same output: then this one measures
    its own class on purpose, unless it simulates a codec: that is voice, whatever its route is.
    Echo probes test reachability: they are not judged.
    """
    outside: list[tuple[SlaProbe, ProbePath]] = []
    measured: set[str] = set()
    for probe in device.facts.probes:
        if probe.operation not in JITTER_OPERATIONS:
            continue
        path = way_out(device, probe)
        if isinstance(path, Unknown) and probe.codec is not None:
            path = next(iter(ways_beside_llqs(device, probe)), path)
        if isinstance(path, Unknown):
            yield Skip(f"ip sla {probe.number}", path.reason)
        elif not path.outlets[0].llq_classes:
            continue
        elif path.is_priority is None:
            yield Skip(f"ip sla {probe.number}", "which class takes the probe is not known")
        elif path.is_priority:
            measured.add(path.outlets[0].policy_label)
        else:
            outside.append((probe, path))
    for probe, path in outside:
        if probe.codec is not None or path.outlets[0].policy_label not in measured:
            yield _probe_elsewhere(device, probe, path)


def _probe_elsewhere(device: Device, probe: SlaProbe, path: ProbePath) -> Hit[ProbeElsewhere]:
    outlet = path.outlets[0]
    dscp = 0 if probe.tos is None else probe.tos.value >> TOS_BITS_BELOW_DSCP
    evidence = ProbeElsewhere(
        number=probe.number,
        operation=probe.operation or "",
        class_name=path.class_name or "",
        classes=", ".join(llq_class.name for llq_class in outlet.llq_classes),
        marking=f"dscp {dscp_name(dscp)}" + ("" if probe.tos else ", as no `tos` is set"),
        hint=_hint(device, outlet),
    )
    at = (probe.tos.at if probe.tos is not None else probe.at, outlet.at)
    return Hit(f"ip sla {probe.number}", at, evidence, Confidence.LIKELY)


def _hint(device: Device, outlet: Outlet) -> str:
    """The `tos` that the LLQ matches, if it matches a DSCP."""
    selectable = selectable_by_class(device.facts)
    codes = [
        code for llq_class in outlet.llq_classes for code in selectable(llq_class.name).named_dscps
    ]
    return f"; `tos {max(codes) << TOS_BITS_BELOW_DSCP}` is in it" if codes else ""


# A mean of few samples: its interval is wider than the budget that it must prove.


class FewSamplesParams(Struct, frozen=True):
    """Budget of the profile that the interval must not be wider than; None: not judged."""

    jitter_ms: float | None


class FewSamples(Struct, frozen=True):
    """The figure, its samples, and the width of the interval of its mean."""

    metric: str
    mean_ms: float
    samples: int
    width_ms: float
    budget_ms: float


class _Wide(Struct, frozen=True):
    metric: str
    spread: Spread
    samples: int
    width_ms: float
    at: Location


def width_ms(spread: Spread, samples: int) -> float:
    """Width in ms of the 95 % interval of a mean, from its minimum and maximum.

    The variance is at most (max - mean) (mean - min): the interval is no wider than this. With
    few samples the normal interval is too narrow, so one that is too wide is certainly too wide.

    Source: R. Bhatia and C. Davis, A better bound on the variance, Amer. Math. Monthly 107
    (2000) 353-357.

    Examples
    --------
    >>> round(width_ms(Spread(6.0, 15.0, 31.0, 387), 387), 1)
    2.4
    """
    above_ms = max(0.0, spread.maximum_ms - spread.mean_ms)
    below_ms = max(0.0, spread.mean_ms - spread.minimum_ms)
    return 2 * NORMAL_95 * sqrt(above_ms * below_ms / samples)


def find_probe_too_few_samples(device: Device, params: FewSamplesParams) -> Found[FewSamples]:
    """Yield a hit for each operation whose mean has a wider interval than the jitter budget."""
    if params.jitter_ms is None:
        return
    for operation, results in results_by_number(device).items():
        label = f"ip sla {operation}"
        means = [(name, spread, result.at) for result in results for name, spread in _means(result)]
        if any(spread.samples is None for _, spread, _ in means):
            yield Skip(label, "the number of samples is not printed")
        wide = [
            _Wide(name, spread, spread.samples, width_ms(spread, spread.samples), at)
            for name, spread, at in means
            if spread.samples
        ]
        worst = max(wide, key=lambda metric: metric.width_ms, default=None)
        if worst is not None and worst.width_ms > params.jitter_ms:
            yield _few_samples(label, worst, params.jitter_ms)


def _means(result: SlaResult) -> Iterator[tuple[str, Spread]]:
    spreads = (
        ("RTT", result.rtt),
        ("jitter to the destination", result.jitter_to_destination),
        ("jitter to the source", result.jitter_to_source),
    )
    return ((name, spread) for name, spread in spreads if spread is not None)


def _few_samples(label: str, worst: _Wide, budget_ms: float) -> Hit[FewSamples]:
    spread, half_ms = worst.spread, worst.width_ms / 2
    low_ms, high_ms = max(0.0, spread.mean_ms - half_ms), spread.mean_ms + half_ms
    figure = enclosing(spread.mean_ms, low_ms, high_ms, "ms", bound=spread.maximum_ms)
    samples = exact("samples", worst.samples, Basis.MEASURED, str(worst.at))
    evidence = FewSamples(worst.metric, spread.mean_ms, worst.samples, worst.width_ms, budget_ms)
    return Hit(
        label,
        (worst.at,),
        evidence,
        Confidence.LIKELY,
        Forecast(f"mean {worst.metric}", figure, None, (samples,)),
    )


# An operation that fails whenever it runs: it measures nothing, and nobody sees a loss.


class NoAnswer(Struct, frozen=True):
    """The operation and its failures."""

    number: int
    failures: str  # "31 failures"


def find_probe_never_answers(device: Device) -> Found[NoAnswer]:
    """Yield a hit for each operation that counted failures and no success."""
    for operation, results in results_by_number(device).items():
        failures = sum(result.failures or 0 for result in results)
        if failures and {result.successes for result in results} == {0}:
            yield Hit(
                f"ip sla {operation}",
                (results[-1].at,),
                NoAnswer(operation, count(failures, "failure")),
                Confidence.CERTAIN,
            )
