"""Predictions of one device on request, with some of its settings moved."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from advisor.facts.stated import Stated
from advisor.ios.tree import Location
from advisor.predict.llq import OverloadError, llq_delay
from advisor.predict.offer import offers_of
from advisor.predict.outlet import Outlet, outlets
from advisor.predict.quantity import Basis, Figure, Input, exact
from advisor.predict.ring_bound import advise_ring, ring_view
from advisor.reading import Source, read_source
from advisor.settings import Settings, Traffic
from advisor.snapshot import Device
from advisor.units import bps_from_kbps

_FLAG = Location("--set", 0)


class InputError(Exception):
    """What the user asked for cannot be predicted; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class ClassPrediction:
    """Delay of one class of one output: mean with interval, bound, mean |ipdv|, in ms."""

    device: str
    object: str
    class_name: str
    regime: str
    mean: Figure
    bound_ms: float
    jitter: Figure
    ring_advice: str | None
    inputs: tuple[Input, ...]


def predict_sources(
    source: Source, settings: Settings, interface: str | None, overrides: Mapping[str, str]
) -> tuple[ClassPrediction, ...]:
    """Predict the LLQ of each output of a config, or of the outputs of one interface.

    `overrides` are settings to move: tx-ring-limit, bandwidth (kb/s of the wire), mtu, fragment.

    Raises
    ------
    InputError
        If the file is no IOS config, the interface or a key is unknown, a value is no number in
        range, or nothing can be predicted.
    """
    device = read_source(source, settings).device
    moves = [_move(key, value) for key, value in overrides.items()]
    found: list[ClassPrediction] = []
    reasons: list[str] = []
    for outlet in _chosen(device, source.name, interface):
        for move in moves:
            outlet = move(outlet)  # noqa: PLW2901 -- each move works on the one before
        said = _predict(device, outlet, settings)
        if isinstance(said, str):
            reasons.append(f"{outlet.label}: {said}")
        else:
            found.append(said)
    if not found:
        raise InputError(f"{source.name}: nothing to predict; {'; '.join(reasons)}")
    return tuple(found)


def _chosen(device: Device, file: str, interface: str | None) -> list[Outlet]:
    all_outlets = outlets(device)
    if not all_outlets:
        raise InputError(f"{file}: no output policy that is defined and attached")
    chosen = [each for each in all_outlets if interface in (None, *_names(each))]
    if not chosen:
        known = ", ".join(dict.fromkeys(each.interface.name for each in all_outlets))
        raise InputError(f"{file}: no output policy on {interface}; it is on {known}")
    return chosen


def _names(outlet: Outlet) -> tuple[str, ...]:
    bundle = (outlet.bundle.name,) if outlet.bundle is not None else ()
    return (outlet.interface.name, *bundle)


def _predict(device: Device, outlet: Outlet, settings: Settings) -> ClassPrediction | str:
    if not outlet.llq_classes:
        return "no priority class"
    if outlet.ring_idle:
        return "behind a shaper below the wire: the queue stands in the shaper, not in the ring"
    offers = offers_of(outlet, device.traffic)
    view = ring_view(outlet, offers)
    if isinstance(view, str) or outlet.ring is None:
        return view if isinstance(view, str) else "the ring is not known"
    try:
        delay = llq_delay(view, offers, outlet.ring.limit_low, outlet.ring.limit_high)
    except OverloadError as error:
        return str(error)
    return ClassPrediction(
        device=device.name,
        object=outlet.label,
        class_name=", ".join(each.name for each in outlet.llq_classes),
        regime=delay.regime.value,
        mean=delay.delay,
        bound_ms=delay.delay.bound or delay.delay.high,
        jitter=delay.ipdv,
        ring_advice=_advice(outlet, device.traffic, settings),
        inputs=(outlet.ring.as_input, *delay.inputs),
    )


def _advice(outlet: Outlet, traffic: tuple[Traffic, ...], settings: Settings) -> str | None:
    budget_ms = settings.budgets.ring_wait_ms
    view = ring_view(outlet, offers_of(outlet, traffic))
    if budget_ms is None or isinstance(view, str):
        return None
    advice = advise_ring(view, budget_ms)
    fit = {True: "within", False: "over", None: "perhaps within"}[advice.meets]
    return (
        f"tx-ring-limit {advice.limit}: bound of the ring {advice.bound.low_ms:.1f} to "
        f"{advice.bound.high_ms:.1f} ms, {fit} the budget of {budget_ms:g} ms"
    )


Move = Callable[[Outlet], Outlet]


def _move(key: str, value: str) -> Move:
    moves: dict[str, Callable[[Outlet, float], Outlet]] = {
        "tx-ring-limit": _set_ring,
        "bandwidth": _set_rate,
        "mtu": _set_mtu,
        "fragment": _set_fragment,
    }
    if key not in moves:
        raise InputError(f"--set {key}: unknown key; it takes {', '.join(moves)}")
    try:
        number = float(value)
    except ValueError:
        raise InputError(f"--set {key}={value}: not a number") from None
    if not 1 <= number <= MAX_VALUE:
        raise InputError(f"--set {key}={value}: must be between 1 and {MAX_VALUE:g}")
    return lambda outlet: moves[key](outlet, number)


MAX_VALUE = 1e9


def _set_ring(outlet: Outlet, value: float) -> Outlet:
    if outlet.ring is None:
        return outlet
    ring = replace(
        outlet.ring,
        limit_low=int(value),
        limit_high=int(value),
        basis=Basis.CONFIGURED,
        source="--set tx-ring-limit",
    )
    return replace(outlet, ring=ring)


def _set_rate(outlet: Outlet, value: float) -> Outlet:
    wire = exact("wire_rate_bps", bps_from_kbps(value), Basis.CONFIGURED, "--set bandwidth")
    return replace(outlet, wire=wire)


def _set_mtu(outlet: Outlet, value: float) -> Outlet:
    mtu = exact("mtu_bytes", int(value), Basis.CONFIGURED, "--set mtu")
    return replace(outlet, mtu=mtu)


def _set_fragment(outlet: Outlet, value: float) -> Outlet:
    return replace(outlet, fragment_bytes=Stated(value, _FLAG))
