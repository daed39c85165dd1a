"""The steps of a decision on WRED: basis, targets, minima, spread, order, weight."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import ceil
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.matched_packets import Matched, packets_of_classes
from advisor.facts.packet_set import Box
from advisor.facts.policy import PolicyClass, Unit
from advisor.facts.selectable import Selectable
from advisor.ground.quantity import Basis, Figure, Input, first_of
from advisor.ground.questions import derived
from advisor.ios import pattern
from advisor.ios.syntax.names import DSCPS, dscp_code, dscp_name
from advisor.lint.checks.wrd import WredClass, wred_classes
from advisor.outlet.class_service import ClassService, measured_rtt_ms, stated_rtt_ms
from advisor.outlet.wred_rows import AF_CLASSES, DEFAULT_DENOMINATOR, WredRow

# The order of drop of AF rows: AFx1 last, AFx3 first.


class Inverted(Struct, frozen=True):
    """Two rows of an AF class in the wrong order; `crossed`: the other is better in part too."""

    better: WredRow
    worse: WredRow
    crossed: bool


def denominator_of(row: WredRow) -> int:
    return DEFAULT_DENOMINATOR if row.denominator is None else row.denominator


def treatment(row: WredRow) -> tuple[float, float, int]:
    """Values that are better when higher: later first drop, later tail drop, fewer early drops."""
    return row.min_threshold, row.max_threshold, denominator_of(row)


def af_rows(rows: Sequence[WredRow]) -> Iterator[list[WredRow]]:
    """The rows of each AF class, in the order of their drop precedence."""
    by_code = {row.code: row for row in rows if row.scheme == "dscp"}
    for codes in AF_CLASSES:
        yield [by_code[code] for code in codes if code in by_code]


def inverted(rows: Sequence[WredRow]) -> Iterator[Inverted]:
    """Pairs in the wrong order; `rows` are in the order of their drop precedence."""
    for low, high in combinations(rows, 2):
        signs = [b - a for a, b in zip(treatment(low), treatment(high), strict=True)]
        if any(sign > 0 for sign in signs):
            yield Inverted(high, low, crossed=any(sign < 0 for sign in signs))


def in_order(rows: Sequence[WredRow]) -> tuple[WredRow, ...]:
    """AF rows with their own values in order; each keeps min under max, other rows stay.

    The values are sorted one by one: the k-th highest minimum is under the k-th highest maximum
    if this holds in every row.
    """
    moved: dict[WredRow, WredRow] = {}
    for af in af_rows(rows):
        if len({row.unit for row in af}) > 1 or not any(True for _ in inverted(af)):
            continue
        columns = zip(*map(treatment, af), strict=True)
        ordered = zip(*(sorted(column, reverse=True) for column in columns), strict=True)
        for row, (low, high, denominator) in zip(af, ordered, strict=True):
            if (low, high, denominator) != treatment(row):
                moved[row] = replace(
                    row, min_threshold=low, max_threshold=high, denominator=int(denominator)
                )
    return tuple(moved.get(row, row) for row in rows)


# WRED by precedence in a class of DSCPs, and the rows by DSCP that stand for it.

CODES_PER_PRECEDENCE = 8
_LEAST_MAX = 3  # below it no whole minimum over 0 is under half
# Minima of AFx1, AFx2 and AFx3 by default, as parts of AFx1: 33, 28 and 24 packets, 12.x.
_PARTS_BY_DROP = (1.0, 28 / 33, 24 / 33)
_POLICER_MARKS = pattern(r"set-(?:ip-)?dscp-transmit (\S+)")
_NO_ROW = "enter `no random-detect`, then `random-detect dscp-based` and a row for each DSCP"
_MOST_NAMES = 3
_OTHERS = (
    "`random-detect dscp-based` gives them the default rows, which changes the order of the drops; "
    "match the DSCPs of the class by name, or enter a row for each"
)


class Mismatch(Struct, frozen=True):
    """DSCPs in a class of precedences; `rows` by DSCP, or why there are none.

    `merges` says that two packets of different DSCPs may meet one row.
    """

    codes: tuple[int, ...]
    how: str  # "matched" or "marked"
    rows: tuple[WredRow, ...]
    why_not: str | None
    merges: bool


def mismatch_of(wred_class: WredClass, can_enter: Selectable) -> Mismatch | None:
    """The mismatch of a class; None where its basis is right.

    A class selector (CS1 to CS7) is an IP precedence: alone it is not a mismatch.
    """
    if wred_class.wred.scheme != "precedence":
        return None
    marked = _marked(wred_class.policy_class)
    codes = marked or can_enter.named_dscps
    if not any(code % CODES_PER_PRECEDENCE for code in codes):
        return None
    marks_all = _marks_all(wred_class.policy_class)
    others = sorted(set() if marks_all else can_enter.dscps - codes)
    rows = [(code, _row_of(wred_class, code)) for code in sorted(codes)]
    usable = [(code, row) for code, row in rows if row and row.max_threshold >= _LEAST_MAX]
    why_not = _NO_ROW if len(usable) < len(codes) else None
    if others and why_not is None:
        names = first_of([dscp_name(code) for code in others], _MOST_NAMES)
        why_not = f"packets of {names} can enter the class too: {_OTHERS}"
    by_dscp = tuple(_by_dscp(code, row) for code, row in usable)
    how = "marked" if marked else "matched"
    precedences = {code // CODES_PER_PRECEDENCE for code in codes}
    merges = bool(others) or len(precedences) < len(codes)
    return Mismatch(tuple(sorted(codes)), how, by_dscp, why_not, merges)


def _marks_all(policy_class: PolicyClass) -> bool:
    """Whether every packet that the class sends has a DSCP that the class gives it."""
    police = policy_class.police
    if any(statement.value.startswith("dscp ") for statement in policy_class.sets):
        return True
    if police is None or police.conform is None:
        return False
    actions = filter(None, (police.conform, police.exceed, police.violate))
    return all(_POLICER_MARKS.search(action) or action == "drop" for action in actions)


def _marked(policy_class: PolicyClass) -> frozenset[int]:
    """DSCPs that the class itself sets: its WRED sees these."""
    words = [statement.value.split() for statement in policy_class.sets]
    names = [parts[1] for parts in words if parts[0] == "dscp" and len(parts) > 1]
    if policy_class.police is not None:
        actions = (
            policy_class.police.conform,
            policy_class.police.exceed,
            policy_class.police.violate,
        )
        names += [word for action in actions if action for word in _POLICER_MARKS.findall(action)]
    codes = [dscp_code(word) for word in names]
    return frozenset(code for code in codes if code is not None)


def _row_of(wred_class: WredClass, code: int) -> WredRow | None:
    """The row that packets of the DSCP meet now: the row of their precedence."""
    precedence = code // CODES_PER_PRECEDENCE
    rows = (row for row in wred_class.rows if row.scheme == "precedence" and row.code == precedence)
    return next(rows, None)


def _by_dscp(code: int, row: WredRow) -> WredRow:
    """A row for a DSCP: the thresholds of its precedence, the minimum by its drop precedence."""
    drop = next((codes.index(code) for codes in AF_CLASSES if code in codes), 0)
    low = min(row.min_threshold, row.max_threshold / 3)
    low = max(1, min(round(low * _PARTS_BY_DROP[drop]), round(low) - drop))
    return replace(row, scheme="dscp", key=dscp_name(code), code=code, min_threshold=low)


# Minimum thresholds as a third of their maximum.

_SMALLEST_MAX: Final = 3  # below it no whole number over 0 is under half


def is_over_half(row: WredRow) -> bool:
    """Whether the minimum is half of the maximum or more."""
    return row.min_threshold >= row.max_threshold / 2


def third(row: WredRow) -> int | None:
    """A third of the maximum; None where no whole number over 0 is under half of it."""
    return round(row.max_threshold / 3) if row.max_threshold >= _SMALLEST_MAX else None


def with_thirds(rows: Sequence[WredRow]) -> tuple[WredRow, ...]:
    """Rows over half with a third of the maximum, and rows of the same maximum scaled with them.

    So a lower drop precedence keeps the higher minimum. Maximum, denominator and unit stay.
    """
    wrong = [row for row in rows if is_over_half(row)]
    scaled = []
    for row in rows:
        together = [other for other in wrong if other.max_threshold == row.max_threshold]
        low = third(row)
        stays = row not in wrong and (low is None or row.min_threshold <= low)
        if not together or low is None or stays:
            scaled.append(row)
            continue
        highest = max(other.min_threshold for other in together)
        share = min(1.0, row.min_threshold / highest)
        scaled.append(replace(row, min_threshold=max(1, round(low * share))))
    return tuple(scaled)


# Denominators that tell equal AF rows apart, by drop precedence.

# Test of WRED for Bottleneck Link: 10, 20 and 50 % at the maximum for AFx1, AFx2, AFx3.
_DENOMINATORS: Final = (10, 5, 2)


def spread_by_drop(rows: Sequence[WredRow]) -> tuple[WredRow, ...] | None:
    """Rows with the denominator of their drop precedence.

    None where a row is not of AF, IOS chose it, or all have one drop precedence.
    """
    drops: dict[int | None, int] = {
        code: place for codes in AF_CLASSES for place, code in enumerate(codes)
    }
    places = [drops.get(row.code) if row.scheme == "dscp" else None for row in rows]
    known = [place for place in places if place is not None]
    all_configured = all(row.basis is Basis.CONFIGURED for row in rows)
    if len(known) < len(rows) or len(set(known)) == 1 or not all_configured:
        return None
    return tuple(
        replace(row, denominator=_DENOMINATORS[place])
        for row, place in zip(rows, known, strict=True)
    )


# Thresholds by the delay that they mean: MaxThreshold = target delay x rate of the class.
#
# Source: Test of WRED for Bottleneck Link, CSELT and INFN/CNAF, 2000.

TARGET_MS: Final = 100.0
LEAST_FACTOR: Final = 0.5
MOST_FACTOR: Final = 2.0
MET_FACTOR: Final = 1.5  # of what WRED needs: a class with more misses the target
LARGEST_PACKETS: Final = 4096  # of a threshold: random-detect precedence, IOS command reference
_LEAST_LOW_PACKETS: Final = 3  # fewer: one burst of a flow passes the minimum
_LEAST_GAP_PACKETS: Final = 6  # fewer: the probability of a drop jumps from packet to packet
# Rows of a lower maximum keep this part of the highest, to stay near the target.
_LEAST_OF_TOP: Final = 0.6


def is_off(
    row: WredRow,
    services: Sequence[ClassService],
    target_ms: float = TARGET_MS,
    factors: tuple[float, float] = (LEAST_FACTOR, MOST_FACTOR),
) -> bool:
    """Whether a maximum is off the target at every output, for the whole range of the packet.

    It may be too long at one output and too short at another.
    """
    delays = [service.queue_ms(row.max_threshold, row.unit) for service in services]
    return all(
        delay.low > factors[1] * target_ms or delay.high < factors[0] * target_ms
        for delay in delays
    )


def moved(rows: Sequence[WredRow], service: ClassService) -> tuple[WredRow, ...]:
    """The rows moved to the target, their order kept; minima are under half of the maximum.

    Minima that differed still do, where the whole numbers leave room. No row has fewer packets than
    WRED needs.
    """
    top = {
        row.unit: max(other.max_threshold for other in rows if other.unit is row.unit)
        for row in rows
    }
    steepest = max(row.min_threshold / max(row.max_threshold, 1) for row in rows)
    after = {row: _moved(row, service, top[row.unit], steepest) for row in rows}
    return _told_apart(rows, after, service)


def _told_apart(
    rows: Sequence[WredRow], after: dict[WredRow, WredRow], service: ClassService
) -> tuple[WredRow, ...]:
    """The rows with minima apart that only rounding made equal: the lower one goes down."""
    by_minimum = sorted(rows, key=lambda row: -row.min_threshold)
    for higher, row in pairwise(by_minimum):
        above, own = after[higher], after[row]
        least, _ = least_thresholds(service, row.unit)
        same_top = higher.unit is row.unit and above.max_threshold == own.max_threshold
        differed = higher.min_threshold > row.min_threshold
        if same_top and differed and own.min_threshold >= above.min_threshold > least:
            after[row] = replace(own, min_threshold=above.min_threshold - 1)
    return tuple(after[row] for row in rows)


def _moved(row: WredRow, service: ClassService, top: float, steepest: float) -> WredRow:
    least_low, least_high = least_thresholds(service, row.unit)
    aim = max(least_high, round(service.amount_in(TARGET_MS, row.unit)))
    part = max(_LEAST_OF_TOP, row.max_threshold / max(top, 1))
    high = max(least_high, round(aim * part))
    share = row.min_threshold / max(row.max_threshold, 1)
    low = round(high * share if steepest < 1 / 2 else high / 3 * share / steepest)
    low = max(least_low, min(low, (high - 1) // 2, high - (least_high - least_low)))
    return replace(row, min_threshold=low, max_threshold=high)


def least_thresholds(service: ClassService, unit: Unit) -> tuple[int, int]:
    """The least minimum and the least maximum of WRED in a class, in a unit."""
    low = ceil(service.of_packets(_LEAST_LOW_PACKETS, unit))
    gap = ceil(service.of_packets(_LEAST_GAP_PACKETS, unit))
    return max(_LEAST_LOW_PACKETS, low), max(_LEAST_LOW_PACKETS, low) + gap


def is_too_small(row: WredRow, service: ClassService) -> bool:
    """Whether a row has a minimum or a range of fewer packets than WRED needs."""
    low, high = least_thresholds(service, row.unit)
    return row.min_threshold < low or row.max_threshold - row.min_threshold < high - low


def shortest_wred(service: ClassService) -> tuple[int, Figure]:
    """The least packets of a maximum that WRED needs, and the time in ms that they take."""
    packets = _LEAST_LOW_PACKETS + _LEAST_GAP_PACKETS
    return packets, service.queue_ms(packets, Unit.PACKETS)


# Traffic that does not slow down when it loses packets.

_EXPEDITED = frozenset((DSCPS["ef"],))  # RFC 3246, RFC 4594: voice
# Protocols of NBAR that run over UDP only. Source: Cisco's NBAR protocol list.
_UDP_PROTOCOLS = frozenset(
    ("bootp", "dhcp", "ntp", "rip", "rtcp", "rtp", "rtp-audio", "rtp-video", "snmp", "tftp", "udp")
)


def kinds_of(matched: Matched) -> tuple[str, ...]:
    """Kinds of unresponsive traffic of a class: "UDP", "voice"; none if others may be in it."""
    kinds = [_kind(box) for box in matched.most or ()]
    if None in kinds:
        return ()
    return tuple(sorted({kind for kind in kinds if kind is not None}))


def _kind(box: Box) -> str | None:
    """Kind of unresponsive traffic in a box; None if some packets may be of another kind."""
    if box.dscps <= _EXPEDITED:
        return "voice"
    by_nbar = any(
        condition.kind == "protocol" and condition.values[0] in _UDP_PROTOCOLS
        for condition in box.conditions
    )
    return "UDP" if box.protocol == "udp" or by_nbar else None


@derived
def tuned_classes(device: Device) -> tuple[WredClass, ...]:
    """Classes with WRED that has an effect: WRD009 has those whose traffic does not slow down."""
    packets = packets_of_classes(device.facts)
    return tuple(
        known
        for known in wred_classes(device)
        if known.policy_class.is_default or not kinds_of(packets.of(known.policy_class.name))
    )


# The weight of the average queue size: its time constant is 2^n packets of service.

MOST_MS: Final = 1000.0  # a slower average is too slow for any traffic
EXPONENTS: Final = range(1, 17)
_QUEUE_PART: Final = 2 / 3  # of the maximum threshold: a queue between minimum and maximum


def time_constant(service: ClassService, exponent: int) -> Figure:
    """Time constant of the average: 2^n packets of service."""
    return service.queue_ms(2**exponent, Unit.PACKETS)


def round_trip(device: Device, service: ClassService, policy_class: PolicyClass) -> Input | None:
    """The measured RTT, which includes queueing, else the stated RTT, which does not."""
    measured = measured_rtt_ms(device, service, policy_class)
    return measured if measured is not None else stated_rtt_ms(device, service, policy_class)


def advised_exponent(
    device: Device,
    service: ClassService,
    policy_class: PolicyClass,
    queue_ms: float,
    otherwise_ms: float | None,
) -> int | None:
    """The least exponent whose time constant is one RTT with queueing, where it is not too slow.

    `queue_ms` is the queue at the highest maximum; `otherwise_ms` is the round trip where none is
    measured or stated. None where nothing is known of it.
    """
    measured = measured_rtt_ms(device, service, policy_class)
    stated = stated_rtt_ms(device, service, policy_class)
    idle_ms = stated.value if stated is not None else otherwise_ms
    if measured is not None:
        rtt_ms = measured.value
    elif idle_ms is not None:
        rtt_ms = idle_ms + _QUEUE_PART * queue_ms
    else:
        return None
    constants = ((n, time_constant(service, n)) for n in EXPONENTS)
    long_enough = ((n, constant.low) for n, constant in constants if constant.value >= rtt_ms)
    exponent, low_ms = next(long_enough, (None, 0.0))
    return exponent if low_ms <= MOST_MS else None
