"""Settings that `--set`, `--sweep` and flags move."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts import Stated
from advisor.ground.quantity import Basis, RateKind, exact
from advisor.ground.units import bps_from_kbps, decimal
from advisor.ios.syntax import Location
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import at_rate, at_ring
from advisor.predict.what_if import InputError
from advisor.predict.what_if.device_moves import CALLS, DEVICE_MOVES, PACKET, WRED_MIN, again
from advisor.settings import MOST_FLOWS
from advisor.settings.document import nearest
from advisor.theory.ring import MAX_LIMIT

LOAD = "load"
RING = "tx-ring-limit"
FLOWS = "flows."  # and a group, DSCP or precedence: its number of TCP flows
LINK = "--link"
_RANGES = {
    RING: (1.0, float(MAX_LIMIT)),
    "bandwidth": (1.0, 4e8),
    "mtu": (64.0, 65_535.0),
    "fragment": (40.0, 65_535.0),
    LOAD: (1.0, 1000.0),
    WRED_MIN: (1.0, 4096.0),
    FLOWS: (1.0, float(MOST_FLOWS)),
    "shape": (1.0, 4e8),
    "bc": (1.0, 1e9),
    "priority": (1.0, 4e8),
    "queue-limit": (1.0, 65_536.0),
    CALLS: (0.0, 100_000.0),
    PACKET: (20.0, 65_535.0),
}
_UNITS = {
    "bandwidth": "kb/s",
    "mtu": "bytes",
    "fragment": "bytes",
    LOAD: "%",
    WRED_MIN: "packets",
    "shape": "kb/s",
    "bc": "bits",
    "priority": "kb/s",
    "queue-limit": "packets",
    PACKET: "bytes",
}  # a ring may have packets or particles
_WHOLE_KEYS = (RING, "mtu", "fragment", "bc", "priority", "queue-limit", CALLS, PACKET)


class Moves(Struct, frozen=True):
    """Settings to move, with their flag; `load_percent` is the load of the lower classes."""

    values: tuple[tuple[str, float], ...] = ()
    flag: str = "--set"

    @property
    def load_percent(self) -> float | None:
        return dict(self.values).get(LOAD)

    @property
    def flows(self) -> dict[str, int]:
        """The moved numbers of TCP flows, by the names of their groups."""
        return {key.removeprefix(FLOWS): int(value) for key, value in self.values if is_flows(key)}

    def source(self, key: str) -> str:
        """Origin of a value: `--set shape`."""
        if self.flag != LINK:
            return f"{self.flag} {key}"
        return LINK if key == "bandwidth" else f"--{key}"


def moved(moves: Sequence[Moves], device: Device, outlet: Outlet) -> tuple[Device, Outlet]:
    """An output of a device with all moves, and that device.

    What a policy states and calls come first: the output is read again from them. The order of
    keys is that of the settings, whoever moves them: `--set bc=5000 --sweep shape=…` is a Bc of
    5000 at each rate.

    Raises
    ------
    InputError
        If the output has no such setting, or cannot have a value.
    """
    for key, move_device in DEVICE_MOVES.items():
        for moves_of_flag, value in _values(moves, key):
            device = move_device(device, outlet, value, moves_of_flag.source(key))
            outlet = again(device, outlet)
    for key, move_outlet in _MOVES.items():
        for moves_of_flag, value in _values(moves, key):
            outlet = move_outlet(device, outlet, value, moves_of_flag.source(key))
    return device, outlet


def _values(moves: Sequence[Moves], key: str) -> Iterator[tuple[Moves, float]]:
    for move in moves:
        value = dict(move.values).get(key)
        if value is not None:
            yield move, value


def moves_of(overrides: Mapping[str, str]) -> Moves:
    """Moves of KEY=VALUE pairs.

    tx-ring-limit, bandwidth (kb/s of the wire), mtu, fragment, load, wred-min (packets; all
    thresholds move in proportion), flows.GROUP, shape and priority (kb/s), bc (bits), queue-limit
    (packets, of every class without priority), calls, packet (IP bytes of the lower classes).

    Raises
    ------
    InputError
        If a key is unknown or a value is no number in range.
    """
    return Moves(tuple((key, _value(key, text)) for key, text in overrides.items()))


def checked_key(key: str, flag: str) -> str:
    """The key, if it can be moved.

    Raises
    ------
    InputError
        If it cannot.
    """
    if key not in KEYS and not is_flows(key):
        raise InputError(f"{flag} {key}: unknown key; {nearest(key, (*KEYS, f'{FLOWS}GROUP'))}")
    return key


def is_whole(key: str) -> bool:
    """Whether a key takes whole numbers only."""
    return key in _WHOLE_KEYS or is_flows(key)


def with_unit(key: str) -> str:
    """A key with its unit, as a column or an axis is named.

    >>> with_unit("shape"), with_unit("calls")
    ('shape kb/s', 'calls')
    """
    return f"{key} {unit_of(key)}".rstrip()


def unit_of(key: str) -> str:
    """The unit of a key; nothing where it counts, or where the output decides, as of a ring."""
    return _UNITS.get(key, "")


def is_flows(key: str) -> bool:
    """Whether a key moves the TCP flows of a group: `flows.af11`."""
    return key.startswith(FLOWS) and len(key) > len(FLOWS)


def is_of_wred(key: str) -> bool:
    """Whether a key moves the shares of WRED groups."""
    return key == WRED_MIN or is_flows(key)


def _value(key: str, text: str) -> float:
    checked_key(key, "--set")
    try:
        number = decimal(text)
    except ValueError:
        raise InputError(f"--set {key}={text}: not a number") from None
    return checked_value(key, number, f"--set {key}={text}")


def checked_value(key: str, number: float, flag_text: str) -> float:
    """The value, if the key takes it.

    Raises
    ------
    InputError
        If it is out of range.
    """
    least, most = _RANGES[FLOWS if is_flows(key) else key]
    if not least <= number <= most:
        raise InputError(f"{flag_text}: must be between {least:g} and {most:.10g}")
    if is_whole(key) and number != int(number):
        raise InputError(f"{flag_text}: must be a whole number")
    return number


def _set_ring(_: Device, outlet: Outlet, value: float, source: str) -> Outlet:
    """The output with a ring of that limit; the unit of the ring does not change."""
    if outlet.ring is None:
        return outlet
    limit, least = int(value), outlet.ring.minimum
    if limit < least:
        raise InputError(f"{source} {limit}: the ring of this platform takes {least} or more")
    return at_ring(outlet, limit, source)


def _set_rate(device: Device, outlet: Outlet, value: float, source: str) -> Outlet:
    """The output with a wire of that many kb/s, and the quantities that follow from the rate."""
    rate_bps = bps_from_kbps(value)
    wire = exact("wire_rate_bps", rate_bps, Basis.CONFIGURED, source, RateKind.MOVED)
    return at_rate(device, outlet, wire)


def _set_mtu(_: Device, outlet: Outlet, value: float, source: str) -> Outlet:
    return replace(outlet, mtu=exact("mtu_bytes", int(value), Basis.CONFIGURED, source))


def _set_fragment(_: Device, outlet: Outlet, value: float, source: str) -> Outlet:
    return replace(outlet, fragment_bytes=Stated(value, Location(source, 0)))


_MOVES: dict[str, Callable[[Device, Outlet, float, str], Outlet]] = {
    "bandwidth": _set_rate,
    RING: _set_ring,
    "mtu": _set_mtu,
    "fragment": _set_fragment,
}
KEYS = (*_MOVES, *DEVICE_MOVES, LOAD)
