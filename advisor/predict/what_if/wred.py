"""WRED of the classes of an output: predicted where flows are stated, beside its counters."""

from collections.abc import Mapping

from msgspec import Struct

from advisor.device.device import Device
from advisor.outlet.offer import speaks_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.wred_rows import answers_to, name_of
from advisor.predict.what_if.chosen import InputError
from advisor.predict.what_if.simulated import (
    NotSimulated,
    SimulatedClass,
    SimulatedShares,
    simulated_shares,
)
from advisor.predict.wred import WredMoves, wred_request
from advisor.predict.wred.seen import WredSeen, wred_seen
from advisor.predict.wred.shares import WredShares, wred_shares
from advisor.quantity import Unknown
from advisor.settings import Settings
from advisor.settings.document import nearest

UNSTATED = "no shares: state its TCP flows in [[traffic]] (class, dscp or precedence, tcp_flows)"


class WredPrediction(Struct, frozen=True):
    """WRED of a class; `why` there are no shares; `seen` are its counters from show outputs.

    `simulated` is None without shares, and without a requested simulation.
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
    names = [
        policy_class.name
        for policy_class in outlet.queueing.classes
        if policy_class.wred is not None
    ]
    flows = any(
        statement.tcp is not None and speaks_of(statement, outlet) for statement in device.traffic
    )
    if not names and not flows:
        return {}
    request = wred_request(device, outlet, settings.budgets.rtt_ms, moves)
    answer = request if isinstance(request, Unknown) else wred_shares(request)
    why = answer.reason if isinstance(answer, Unknown) else UNSTATED
    shares = (
        {}
        if isinstance(answer, Unknown)
        else {class_shares.class_name: class_shares for class_shares in answer}
    )
    again: Mapping[str, SimulatedShares] | NotSimulated = {}
    if simulated and shares and not isinstance(request, Unknown):
        again = simulated_shares(request)
    return {
        name: WredPrediction(
            shares.get(name),
            None if name in shares else why,
            wred_seen(device, outlet, name),
            again if isinstance(again, NotSimulated) else again.get(name),
        )
        for name in dict.fromkeys((*names, *shares))
    }


def open_loop(
    again: SimulatedClass | NotSimulated | None, wred: WredPrediction | None
) -> SimulatedClass | NotSimulated | None:
    """The simulation of a queue with constant traffic: it does not describe TCP flows."""
    if again is None or wred is None or wred.shares is None:
        return again
    return NotSimulated("its TCP flows are simulated with their shares")


def refuse_idle_moves(device: Device, moves: WredMoves) -> None:
    """Check that moved flows name stated groups.

    Raises
    ------
    InputError
        If not.
    """
    stated = [statement for statement in device.traffic if statement.tcp is not None]
    for key, _ in moves.flows:
        if not any(answers_to(statement, key) for statement in stated):
            known = [name_of(statement) for statement in stated]
            there = nearest(key, known) if known else "state them in [[traffic]] with tcp_flows"
            raise InputError(
                f"flows.{key}: no [[traffic]] with tcp_flows has that group, dscp or precedence; "
                f"{there}"
            )
