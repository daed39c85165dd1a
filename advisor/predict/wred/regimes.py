"""Regimes of a class under WRED in words, with the figures that show them."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from advisor.quantity import number
from advisor.theory.wred.interface import ClassForecast, GroupForecast, Regime
from advisor.units import percent_from_ratio


class RegimeSaid(Struct, frozen=True):
    """A regime with its figure; `certain` is False if it occurs only at an end of the inputs."""

    name: Regime
    said: str
    certain: bool


def regimes_said(
    forecast: ClassForecast,
    groups: Sequence[GroupForecast],
    *,
    lowest_min_packets: float,
    limit_packets: float,
    elsewhere: Sequence[Regime],
) -> tuple[RegimeSaid, ...]:
    """Regimes of a class: its own, then the regimes of other worlds.

    Parameters
    ----------
    forecast, groups : ClassForecast, sequence of GroupForecast
        The class and its groups at the values of all inputs.
    lowest_min_packets, limit_packets : float
        The lowest minimum threshold that a group meets; the queue-limit.
    elsewhere : sequence of Regime
        Regimes that occur only at the ends of the inputs.
    """
    figures = _figures(forecast, groups, lowest_min_packets, limit_packets)
    regimes = [RegimeSaid(regime, figures[regime], certain=True) for regime in forecast.regimes]
    regimes += [
        RegimeSaid(regime, "only at an end of the unknown inputs", certain=False)
        for regime in elsewhere
    ]
    return tuple(regimes)


def _figures(
    forecast: ClassForecast, groups: Sequence[GroupForecast], lowest: float, limit: float
) -> Mapping[Regime, str]:
    queue = forecast.aqs_packets or forecast.queue_packets
    used = percent_from_ratio(min(forecast.utilization_ratio, 1.0))
    turns = (
        f"time constant {_ms(forecast.time_constant_ms)}, round trip {_ms(forecast.round_trip_ms)}"
    )
    return {
        Regime.DIFFERENTIATION: (
            f"drops of {_drops(groups)} at an average of {queue.estimate:.1f} packets"
        ),
        Regime.TAIL_DROP_FIRST: (
            f"queue-limit {limit:g}, "
            f"{number(percent_from_ratio(forecast.tail_drop_ratio))} % lost by the full queue"
        ),
        Regime.WINDOWS_END_FIRST: (
            f"all windows together make a queue of {queue.estimate:.1f} packets, the lowest "
            f"minimum is {lowest:g}: shares follow the numbers of flows"
        ),
        Regime.UNDER_USE: f"the class sends {used:.0f} % of what it could",
        Regime.COLLAPSE: turns,
        Regime.SYNCHRONIZATION: turns,
        Regime.NO_CONGESTION: f"the class sends {used:.0f} % of its rate",
        Regime.NO_WRED: "tail drop alone",
    }


def _drops(groups: Sequence[GroupForecast]) -> str:
    return ", ".join(_drop_words(groups))


def _drop_words(groups: Sequence[GroupForecast]) -> Iterator[str]:
    for group in groups:
        yield f"{group.name} {number(percent_from_ratio(group.loss_ratio.estimate))} %"


def _ms(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.0f} ms"
