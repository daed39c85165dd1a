"""WRED of the classes of an output: predicted where flows are stated, beside what was counted."""

from collections.abc import Mapping

from msgspec import Struct

from advisor.device.device import Device
from advisor.outlet.offer import speaks_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.wred_groups import answers_to
from advisor.predict.what_if.errors import InputError
from advisor.predict.what_if.simulated import NotSimulated, SimulatedClass
from advisor.predict.what_if.simulated_shares import SimulatedShares, simulated_shares
from advisor.predict.wred.inputs import WredMoves, asked_of
from advisor.predict.wred.seen import WredSeen, wred_seen
from advisor.predict.wred.shares import WredShares, wred_shares
from advisor.quantity import Unknown
from advisor.settings.values import Settings

UNSTATED = "no shares: state its TCP flows in [[traffic]] (class, dscp or precedence, tcp_flows)"


class WredPrediction(Struct, frozen=True):
    """WRED of a class; `why` there are no shares, `seen` what show outputs counted.

    `simulated` is None without shares, and where no simulation was asked for.
    """

    shares: WredShares | None
    why: str | None
    seen: WredSeen | None
    simulated: SimulatedShares | NotSimulated | None = None


def predict_wred(
    device: Device,
    outlet: Outlet,
    settings: Settings,
    moves: WredMoves,
    *,
    simulated: bool = False,
) -> Mapping[str, WredPrediction]:
    """Shares of the classes of an output that have WRED or TCP flows, by the classes' names."""
    names = [each.name for each in outlet.queueing.classes if each.wred is not None]
    flows = any(each.tcp is not None and speaks_of(each, outlet) for each in device.traffic)
    if not names and not flows:
        return {}
    asked = asked_of(device, outlet, settings.budgets.rtt_ms, moves)
    said = asked if isinstance(asked, Unknown) else wred_shares(asked)
    why = said.reason if isinstance(said, Unknown) else UNSTATED
    found = {} if isinstance(said, Unknown) else {each.class_name: each for each in said}
    again: Mapping[str, SimulatedShares] | NotSimulated = {}
    if simulated and found and not isinstance(asked, Unknown):
        again = simulated_shares(asked)
    return {
        name: WredPrediction(
            found.get(name),
            None if name in found else why,
            wred_seen(device, outlet, name),
            again if isinstance(again, NotSimulated) else again.get(name),
        )
        for name in dict.fromkeys((*names, *found))
    }


def open_loop(
    again: SimulatedClass | NotSimulated | None, wred: WredPrediction | None
) -> SimulatedClass | NotSimulated | None:
    """The simulation of a queue that nothing reacts to: it says nothing of TCP flows."""
    if again is None or wred is None or wred.shares is None:
        return again
    return NotSimulated("its TCP flows are simulated with their shares")


def refuse_idle_moves(device: Device, moves: WredMoves) -> None:
    """Each group whose flows are moved is stated, and some group where a minimum is.

    Raises
    ------
    InputError
        If one is not.
    """
    stated = [each for each in device.traffic if each.tcp is not None]
    if moves.min_packets is not None and not stated:
        raise InputError("wred-min: no class has TCP groups: state them in [[traffic]]")
    for key, _ in moves.flows:
        if not any(answers_to(each, key) for each in stated):
            raise InputError(
                f"flows.{key}: no [[traffic]] with tcp_flows has that group, dscp or precedence"
            )
