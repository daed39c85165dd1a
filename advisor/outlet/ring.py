"""Which ring an output has: observed, configured, or the platform's default from a sourced table.

A ring type states the unit of the ring, and whether the packet on the wire is outside of the ring.
For an unknown platform all types of the family are possible, and every bound is an interval.

Columns of the table: `families` are series of products (2800), `*` is any; a row holds from
`rate_from_bps` up to below `rate_below_bps`; `limit_low` and `limit_high` are in `unit`;
`particle_bytes` is the memory of a particle; `beside_wire` counts packets that leave the ring
before they are on the wire. The grade is `sourced`, `recalled` (no document at hand) or
`contested` (sources differ).
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from math import ceil
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.platform import Decision
from advisor.device.platforms import table_rows
from advisor.facts import Stated
from advisor.facts.attachments import interface_line
from advisor.facts.config import Facts
from advisor.facts.interface import Interface, Pvc
from advisor.ground.quantity import Basis, Input
from advisor.ground.units import kbps_from_bps
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import interface_name
from advisor.model import Framing, particles
from advisor.shows.observations import Observations

RING_COMMANDS = ("tx-ring-limit", "tx-limit", "tx-queue-limit")
PARTICLES = "particles"
PACKETS = "packets"
_CELL_BITS = 53 * 8
_TABLE = Path(__file__).with_name("tables") / "tx_ring_defaults.csv"
_VIP_SERIES = "7500"  # a route switch processor in the chassis; its VIPs have rings of their own
_LARGER_PARTICLE_BYTES = 576  # PA-A3 per Cisco document 6142; the seed test says 512


class RingType(Struct, frozen=True):
    """How a ring counts. `minimum` is the smallest limit that the platform accepts."""

    unit: str
    particle_bytes: int | None
    beside_wire: int
    minimum: int

    def units(self, ip_bytes: int, framing: Framing) -> int:
        """Units that a packet takes."""
        if self.particle_bytes is None:
            return 1
        return particles(ip_bytes, framing.overhead_bytes, self.particle_bytes)


class RingFact(Struct, frozen=True):
    """The ring of an output: limit (an interval where a default is contested) and its types."""

    limit_low: int
    limit_high: int
    types: tuple[RingType, ...]
    basis: Basis
    source: str
    platform_known: bool
    at: Location | None  # the `tx-ring-limit` line, None where there is none
    configured: int | None = None  # the value of that line; the limit where nothing was observed
    is_minimum_sourced: bool = False  # the row of the minimum names a document that was read
    seen_at: Location | None = None  # the line of an output that shows the ring

    @property
    def unit(self) -> str:
        """Unit as a word: "packets", "particles", or both where it is not known."""
        return self.unit_of(2)

    def unit_of(self, limit: int) -> str:
        """Unit as a word after a limit: "packet" after 1."""
        units = sorted({kind.unit for kind in self.types})
        return " or ".join(unit.removesuffix("s") if limit == 1 else unit for unit in units)

    @property
    def minimum(self) -> int:
        return max(kind.minimum for kind in self.types)

    @property
    def as_input(self) -> Input:
        value = (self.limit_low + self.limit_high) / 2
        name = f"tx_ring_limit_{self.unit.replace(' ', '_')}"
        return Input(name, value, self.limit_low, self.limit_high, self.basis, self.source)


class ObservedRing(Struct, frozen=True):
    """The ring in force, as the driver prints it; `unit` is None where it names none."""

    limit: int
    unit: str | None
    command: str
    at: Location

    @property
    def source(self) -> str:
        return f"{self.command}, {self.at}"


def observed_ring(seen: Observations, interface: Interface, pvc: Pvc | None) -> ObservedRing | None:
    """The ring that was seen in force: `tx_limited` of a controller, `VC TxRingLimit` of a PVC.

    A limit of 0 is no ring: IOS prints it where no ring is in force.
    """
    if pvc is None:
        controller = seen.controller(interface.name)
        if controller is None or not controller.ring_packets:
            return None
        at = controller.ring_at or controller.at
        return ObservedRing(controller.ring_packets, PACKETS, "tx_limited", at)
    names = (interface.name, interface.parent)
    for circuit in reversed(seen.atm_circuits):
        same = (circuit.vpi, circuit.vci) == (pvc.vpi, pvc.vci) and interface_name(
            circuit.interface
        ) in names
        if same and circuit.ring_limit and circuit.ring_owner == "VC":
            return ObservedRing(circuit.ring_limit, circuit.ring_unit, "VC TxRingLimit", circuit.at)
    return None


class _Row(Struct, frozen=True):
    families: tuple[str, ...]
    media: str
    condition: str
    rate_from_bps: float
    rate_below_bps: float
    limit_low: int
    limit_high: str  # a number, or the name of a rule by the circuit's rate
    types: tuple[RingType, ...]
    source: str
    is_sourced: bool

    @property
    def minimum(self) -> int:
        return max(kind.minimum for kind in self.types)

    def highest(self, rate_bps: float | None) -> int:
        """Highest default at this rate.

        The rules for VBR circuits are recalled from Cisco document 6142 and the 7200's ATM guide:
        7200 ``max(40, 48 * cells/s / (580 * 5))``, 7500 ``max(128, kb/s * 2 * 8192 / 149760)``.
        """
        if self.limit_high.isdigit():
            return int(self.limit_high)
        if rate_bps is None:
            return self.limit_low
        if self.limit_high == "7200-vbr":
            by_rate = 48 * rate_bps / _CELL_BITS / (580 * 5)
        else:
            by_rate = kbps_from_bps(rate_bps) * 2 * 8192 / 149_760
        return max(self.limit_low, ceil(by_rate))


@cache
def _rows() -> tuple[_Row, ...]:
    return tuple(map(_row, table_rows(_TABLE)))


def _row(record: dict[str, str]) -> _Row:
    sizes: tuple[int | None, ...] = (None,)
    if record["unit"] == PARTICLES:
        sizes = (int(record["particle_bytes"]), _LARGER_PARTICLE_BYTES)
    beside = {"yes": (1,), "no": (0,), "unknown": (0, 1)}[record["beside_wire"]]
    types = tuple(
        RingType(record["unit"], size, place, int(record["minimum"]))
        for size in sizes
        for place in beside
    )
    return _Row(
        families=tuple(record["families"].split()),
        media=record["media"],
        condition=record["condition"],
        rate_from_bps=float(record["rate_from_bps"]),
        rate_below_bps=float(record["rate_below_bps"] or "inf"),
        limit_low=int(record["limit_low"]),
        limit_high=record["limit_high"],
        types=types,
        source=f"{record['grade']}: {record['source']}",
        is_sourced=record["grade"] == "sourced",
    )


def family_of(platform: str | None) -> str | None:
    """Product family of a platform name.

    >>> family_of("2811"), family_of("7206VXR"), family_of("CISCO2911/K9"), family_of(None)
    ('2800', '7200', '2900', None)
    >>> family_of("RSP4"), family_of("RSP7000")
    ('7500', '7500')
    """
    if platform is None:
        return None
    if platform.startswith("RSP"):
        return _VIP_SERIES
    match = re.search(r"\d{3,4}", platform)
    if match is None:
        return None
    digits = match[0]
    if len(digits) == len("877"):
        return "800"
    return digits[:2] + "00"


def media_of(interface: Interface, pvc: Pvc | None) -> str | None:
    """Kind of ring hardware; None for interfaces without a ring of their own."""
    if pvc is not None or interface.type == "ATM":
        return "atm"
    if interface.is_serial_line:
        return "serial"
    if interface.type.endswith("Ethernet"):
        return "ethernet"
    return None


def ring_of(
    interface: Interface,
    pvc: Pvc | None,
    platform: Decision,
    rate_bps: float | None,
    *,
    queueing: bool,
    observed: ObservedRing | None = None,
) -> RingFact | None:
    """The ring of an output; None where the interface has no ring or the ring is unknown.

    The observed ring wins over the configured one, and the configured one over the platform's
    default. No ring of IOS XE or of a switch is known. A row of the table holds for the platforms
    that it names: the general rule is not one of VIPs, and a known platform without a row has no
    default that is known. An observation does not include a `tx-ring-limit` that a later edit made.
    """
    media = media_of(interface, pvc)
    if media is None or (observed is None and not platform.has_classic_rings):
        return None
    family = _series_of(platform)
    condition = _condition(media, pvc, queueing=queueing)
    rows = list(_matching(media, condition, rate_bps))
    defaults = _rows_for(family, rows)
    is_other_hardware = family == _VIP_SERIES and observed is None
    chosen = defaults if defaults or is_other_hardware else rows
    if not chosen:
        return None
    # The platform decides how a ring counts; only the default length depends on the rate.
    family_rows = [row for row in _rows() if row.media == media and family in row.families]
    known = bool(family_rows)
    own = family_rows or chosen
    types = tuple(dict.fromkeys(kind for row in own for kind in row.types))
    least = max(row.minimum for row in own)
    sourced = any(row.is_sourced for row in own if row.minimum == least)
    stated = _stated(interface, pvc)
    if observed is not None and (stated is None or not stated.at.is_of_an_edit):
        types = tuple(kind for kind in types if observed.unit in (None, kind.unit)) or types
        at = stated.at if stated is not None else None
        limit, source = observed.limit, observed.source
        configured = stated.value if stated is not None else None
        basis = Basis.MEASURED
        ring = RingFact(limit, limit, types, basis, source, known, at, configured, sourced)
        return replace(ring, seen_at=observed.at)
    if stated is not None:
        source = f"tx-ring-limit, {stated.at}"
        limit = stated.value
        basis = Basis.CONFIGURED
        return RingFact(limit, limit, types, basis, source, known, stated.at, limit, sourced)
    if not defaults or (rate_bps is None and len({row.limit_low for row in defaults}) > 1):
        return None
    low = min(row.limit_low for row in chosen)
    high = max(row.highest(rate_bps) for row in chosen)
    source, basis = chosen[0].source, Basis.DEFAULT
    return RingFact(low, high, types, basis, source, known, None, None, sourced)


def _rows_for(family: str | None, rows: Sequence[_Row]) -> list[_Row]:
    """Rows that hold for a family; every row may hold for a platform that is not known."""
    if family is None:
        return list(rows)
    own = [row for row in rows if family in row.families]
    if own or family == _VIP_SERIES:
        return own
    return [row for row in rows if row.families == ("*",)]


def why_ring_unread(facts: Facts, interface: Interface, pvc: Pvc | None) -> str | None:
    """Reason why a configured ring is not known; None where none is configured, or it is read.

    A line that is not understood leaves no default: the value may have been masked, or be the place
    of one in a template.
    """
    head = interface_line(interface)
    homes = [(head, interface.tx_ring_limit)]
    if pvc is not None:
        homes.insert(0, (f"{head} > {pvc.label}", pvc.tx_ring_limit))
    for under, stated in homes:
        if stated is not None:
            return None
        line = facts.unread_line(under, *RING_COMMANDS)
        if line is not None:
            return f"the transmit ring is not known: {line.at} is not understood"
    return None


def why_unit_unknown(interface: Interface, pvc: Pvc | None, platform: Decision) -> str | None:
    """Reason why a configured ring of a VIP is not known; None elsewhere, and without one."""
    stated = _stated(interface, pvc)
    if stated is None or _series_of(platform) != _VIP_SERIES:
        return None
    return (
        f"the transmit ring is not known: no source says whether the {stated.value} of "
        f"tx-ring-limit ({stated.at}) counts packets or particles on a VIP"
    )


def _series_of(platform: Decision) -> str | None:
    is_distributed = platform.family_name == "distributed"
    return _VIP_SERIES if is_distributed else family_of(platform.model_name)


def _stated(interface: Interface, pvc: Pvc | None) -> Stated[int] | None:
    """The configured ring: of the circuit, else of the interface."""
    if pvc is not None and pvc.tx_ring_limit is not None:
        return pvc.tx_ring_limit
    return interface.tx_ring_limit


def _condition(media: str, pvc: Pvc | None, *, queueing: bool) -> str:
    if media != "atm":
        return "queueing" if queueing else "fifo"
    service = pvc.rate.service if pvc is not None and pvc.rate is not None else "ubr"
    return "ubr" if service in ("ubr", "ubr+", "abr") else "vbr"


def _matching(media: str, condition: str, rate_bps: float | None) -> Iterator[_Row]:
    for row in _rows():
        in_rate = rate_bps is None or row.rate_from_bps <= rate_bps < row.rate_below_bps
        if row.media == media and row.condition in (condition, "any") and in_rate:
            yield row
