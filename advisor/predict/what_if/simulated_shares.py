"""The WRED groups of an output, simulated at the values of all inputs, TCP included."""

from collections.abc import Mapping
from math import floor

from msgspec import Struct

from advisor.predict.what_if.agreement import Figured, Pair, apart
from advisor.predict.what_if.simulated import SEED, NotSimulated
from advisor.predict.wred.as_scenario import scenario_of_wred
from advisor.predict.wred.inputs import WredRequest
from advisor.predict.wred.shares import GroupShare
from advisor.predict.wred.worlds import World, model_of
from advisor.quantity import Figure, enclosing
from advisor.simulate import ClassResult, Estimate, simulate
from advisor.theory.interface import Interface
from advisor.theory.wred.layout import packet_wire_ms
from advisor.units import percent_from_ratio, s_from_ms

MEASURED_S = 60.0  # of one replication; its warm-up takes 40 s more, to find the windows
MOST_REPLICATIONS, LEAST_REPLICATIONS = 8, 2
_WHOLE_S = 100.0
_MOST_PACKETS = 1_200_000  # of all replications, warm-up included: some 20 s of computing


class SimulatedGroup(Struct, frozen=True):
    """One group. Share of the bytes of all TCP and drops in percent, delay in ms.

    Low to high is the 95 % confidence interval over replications. None where nothing was sent.
    """

    name: str
    share: Figure | None
    drops: Figure | None
    delay: Figure | None

    def apart_from(self, predicted: GroupShare) -> tuple[Figured, ...]:
        """Figures that contradict the prediction of the group; empty: they agree."""
        return apart(
            (
                Pair(Figured.SHARE, predicted.share, self.share),
                Pair(Figured.DROPS, predicted.drops, self.drops),
                Pair(Figured.DELAY, predicted.delay, self.delay),
            )
        )


class SimulatedShares(Struct, frozen=True, tag_field="outcome", tag="simulated"):
    """Groups of a class in their order, over replications of `measured_s` seconds each."""

    replications: int
    measured_s: float
    groups: tuple[SimulatedGroup, ...]


def simulated_shares(request: WredRequest) -> Mapping[str, SimulatedShares] | NotSimulated:
    """Simulate the output at the values of its inputs, by the names of its classes."""
    line, classes = model_of(request, World())
    sizes = [group.packet_bytes for wred_class in classes for group in wred_class.groups]
    per_s = _packets_per_s(line, sum(sizes) / max(1, len(sizes)))
    replications = min(MOST_REPLICATIONS, floor(_MOST_PACKETS / (per_s * _WHOLE_S)))
    if replications < LEAST_REPLICATIONS:
        return NotSimulated(f"{per_s:.0f} packets a second: it would take minutes")
    scenario, names = scenario_of_wred("values", line, classes)
    packets = max(replications, round(per_s * MEASURED_S * replications))
    simulation = simulate(scenario, packets, replications, SEED)
    groups: dict[str, list[SimulatedGroup]] = {}
    for (class_name, group), result in zip(names, simulation.classes, strict=True):
        groups.setdefault(class_name, []).append(_group(group, result))
    measured_s = s_from_ms(simulation.measured_ms)
    return {
        name: SimulatedShares(replications, measured_s, tuple(simulated))
        for name, simulated in groups.items()
    }


def _packets_per_s(line: Interface, mean_bytes: float) -> float:
    packet_ms = packet_wire_ms(line, round(mean_bytes))
    return 1 / s_from_ms(packet_ms)


def _group(name: str, result: ClassResult) -> SimulatedGroup:
    return SimulatedGroup(
        name,
        _percent(result.tcp_share_ratio),
        _percent(result.loss_ratio),
        None if result.delay is None else _figure(result.delay.mean_ms, "ms"),
    )


def _percent(estimate: Estimate | None) -> Figure | None:
    if estimate is None:
        return None
    half_width = None if estimate.half_width is None else percent_from_ratio(estimate.half_width)
    return _figure(Estimate(percent_from_ratio(estimate.value), half_width), "%")


def _figure(estimate: Estimate, unit: str) -> Figure:
    half_width = estimate.half_width or 0.0
    return enclosing(
        estimate.value, max(0.0, estimate.value - half_width), estimate.value + half_width, unit
    )
