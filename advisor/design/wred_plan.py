"""Requirements of a WRED class, the candidates for its settings, and their lines."""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from math import ceil, log2
from typing import Final

from msgspec import Struct

from advisor.device.platform import Decision
from advisor.ground.units import (
    bytes_in_ms,
    decimal,
    kbps_from_bps,
    ratio_from_percent,
    serialization_ms,
    whole,
)
from advisor.ios.syntax.names import dscp_code, dscp_name
from advisor.lint.site import commands
from advisor.outlet.wred_rows import AF_CLASSES
from advisor.settings import SettingsError

DEFAULT_FLOWS = 3  # for every group in the WRED test of CSELT and INFN/CNAF, balanced
DEFAULT_RTT_MS = 100.0
DEFAULT_TARGET_MS = 100.0  # that of WRD001
DEFAULT_PACKET_BYTES = 1500  # full-size packets of bulk TCP
_LEAST_BPS, _MOST_BPS = 8e3, 1e10
_MOST_FLOWS = 10_000
_MOST_GROUPS = 16
_PACKET_BYTES = (40, 65_535)
_MOST_MS = 60_000.0
_DSCPS_PER_PRECEDENCE = 8
_RELEASE = re.compile(r"\d{1,2}\.\d{1,2}(\(\w+\)\w*)?", re.ASCII)
_XE_RELEASE = "16.9"  # any of 16.x: it marks a config as IOS XE
_SHARE = re.compile(r"(\d{1,20}(?:\.\d{1,20})?)\s*%?", re.ASCII)


class DemandError(SettingsError):
    """A requirement that cannot be read or contradicts another; the message names the flag."""


class WredBasis(StrEnum):
    """The field by which WRED distinguishes packets."""

    DSCP = "dscp"
    PRECEDENCE = "precedence"


class DemandGroup(Struct, frozen=True):
    """Flows of one DSCP. `floor_ratio` is the least share of the class that they must get."""

    name: str
    dscp: int
    flows: int
    flows_stated: bool
    floor_ratio: float | None

    @property
    def precedence(self) -> int:
        return self.dscp // _DSCPS_PER_PRECEDENCE


class WredDemand(Struct, frozen=True):
    """Requirements of one class; `release` is the `version` of a configuration."""

    rate_bps: float
    target_ms: float
    target_stated: bool
    packet_bytes: int
    packet_stated: bool
    groups: tuple[DemandGroup, ...]
    rtt_ms: float
    rtt_stated: bool
    release: str
    basis: WredBasis

    def code(self, group: DemandGroup) -> int:
        """Key of the row of the group: its DSCP or its precedence."""
        return group.dscp if self.basis is WredBasis.DSCP else group.precedence


def demand_of(
    *,
    rate_bps: float,
    target_ms: float | None,
    packet_bytes: int | None,
    dscps: Sequence[str],
    flows: Sequence[str],
    shares: Sequence[str],
    rtt_ms: float | None,
    release: str,
    basis: WredBasis,
) -> WredDemand:
    """Requirements of flags: `dscps` are words, `flows` and `shares` pairs like `af11=20`.

    Raises
    ------
    DemandError
        If a value is out of range, is not understood, or names a group that does not exist.
    """
    if not _LEAST_BPS <= rate_bps <= _MOST_BPS:
        raise DemandError("--rate: the `bandwidth` of a class is 8 kb/s to 10 Gb/s")
    if target_ms is not None:
        _in_range("--target-delay", target_ms, 1.0, _MOST_MS)
    if packet_bytes is not None:
        _in_range("--packet", packet_bytes, *_PACKET_BYTES)
    if rtt_ms is not None:
        _in_range("--rtt", rtt_ms, 1.0, _MOST_MS)
    codes = _codes(dscps)
    counts = {name: _flows(name, text) for name, text in _pairs("--flows", flows, codes).items()}
    floors = {name: _floor(name, text) for name, text in _pairs("--share", shares, codes).items()}
    groups = tuple(
        DemandGroup(name, code, counts.get(name, DEFAULT_FLOWS), name in counts, floors.get(name))
        for name, code in codes.items()
    )
    return WredDemand(
        rate_bps,
        DEFAULT_TARGET_MS if target_ms is None else target_ms,
        target_ms is not None,
        DEFAULT_PACKET_BYTES if packet_bytes is None else packet_bytes,
        packet_bytes is not None,
        groups,
        DEFAULT_RTT_MS if rtt_ms is None else rtt_ms,
        rtt_ms is not None,
        _release(release),
        basis,
    )


def _in_range(flag: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise DemandError(f"{flag} {value:g}: must be between {low:g} and {high:g}")


def _codes(words: Sequence[str]) -> dict[str, int]:
    codes: dict[str, int] = {}
    for word in words:
        code = dscp_code(word)
        if code is None:
            raise DemandError(
                f"--dscp {word}: is no DSCP; write af11, cs3, ef or a number up to 63"
            )
        if code in codes.values():
            raise DemandError(f"--dscp {word}: is named twice")
        codes[word.lower()] = code
    if not 1 <= len(codes) <= _MOST_GROUPS:
        raise DemandError(f"--dscp: takes 1 to {_MOST_GROUPS} codes, like af11,af12,af13")
    return codes


def _pairs(flag: str, words: Sequence[str], codes: Mapping[str, int]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, sign, value = word.partition("=")
        name = name.strip().lower()
        if not sign:
            raise DemandError(f"{flag} {word}: write CODE=NUMBER, like af11=20")
        if name not in codes:
            raise DemandError(f"{flag} {word}: --dscp has no {name}; it has {', '.join(codes)}")
        if name in pairs:
            raise DemandError(f"{flag} {word}: {name} is given twice")
        pairs[name] = value.strip()
    return pairs


def _flows(name: str, text: str) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) <= len(str(_MOST_FLOWS))):
        raise DemandError(f"--flows {name}={text}: must be a whole number up to {_MOST_FLOWS}")
    _in_range(f"--flows {name}", whole(text), 1, _MOST_FLOWS)
    return whole(text)


def _floor(name: str, text: str) -> float:
    match = _SHARE.fullmatch(text)
    if match is None or not 0 < decimal(match[1]) <= 100:  # noqa: PLR2004 -- percent
        raise DemandError(f"--share {name}={text}: must be a percentage over 0, up to 100 %")
    return ratio_from_percent(decimal(match[1]))


def _release(text: str) -> str:
    if text.lower() in ("xe", "ios-xe"):
        return _XE_RELEASE
    if _RELEASE.fullmatch(text) is None:
        raise DemandError(f"--release {text}: write 12.2, 15.1, 12.4(24)T or xe")
    return text


# Candidates for WRED settings: thresholds from the delay, denominators from drop precedence.

LEAST_MAX_PACKETS, MOST_MAX_PACKETS = 3, 4096  # below 3 no minimum over 0 is under half
MOST_TIME_CONSTANT_MS = 1000.0
_EXPONENTS = range(1, 17)
_HQF_LIMIT_PACKETS = 64
_ROOM = 2  # queue-limit over the maximum: a burst is longer than the average
# Denominators of the first and the last drop precedence, and the part of the maximum threshold
# that the last keeps; mildest first. The first row is that of the WRED test: 10, 5, 2.
_SPREADS = (
    (10, 2, 1.0),
    (10, 5, 1.0),
    (10, 8, 1.0),
    (20, 2, 1.0),
    (10, 1, 1.0),
    (50, 2, 1.0),
    (10, 2, 0.75),
    (50, 1, 0.75),
    (100, 1, 0.6),
)
_PRECEDENCES = tuple(range(7, -1, -1))
_BASE = {2: (10, 5), 3: (10, 5, 2)}


class DesignRow(Struct, frozen=True):
    """Thresholds in packets of one DSCP or precedence; one in `denominator` drops at max."""

    code: int
    min_threshold: int
    max_threshold: int
    denominator: int


class WredPlan(Struct, frozen=True):
    """Settings of one class; `queue_limit_packets` None keeps the default of IOS."""

    rows: tuple[DesignRow, ...]
    exponent: int
    queue_limit_packets: int | None


def max_threshold_packets(demand: WredDemand) -> int:
    """Packets that the class sends in the target delay: MaxThreshold = target x U.

    Within the range of WRED: 3 packets (the minimum is under half) to 4096. Source: Test of
    WRED for Bottleneck Link, CSELT and INFN/CNAF, 2000.
    """
    packets = round(bytes_in_ms(demand.rate_bps, demand.target_ms) / demand.packet_bytes)
    return min(max(packets, LEAST_MAX_PACKETS), MOST_MAX_PACKETS)


def delay_ms(demand: WredDemand, packets: float) -> float:
    """Time to send so many packets of the class."""
    return serialization_ms(packets * demand.packet_bytes, demand.rate_bps)


def exponent_of(demand: WredDemand, top_packets: int) -> int:
    """The least constant whose 2^n packets take one round trip, with a queue between min and max.

    The time constant of the average is then one to two round trips, and never over a second.
    """
    round_trip_ms = demand.rtt_ms + delay_ms(demand, top_packets * 2 / 3)
    exponent = ceil(log2(max(round_trip_ms / delay_ms(demand, 1), 1)))
    allowed = [n for n in _EXPONENTS if delay_ms(demand, 2**n) <= MOST_TIME_CONSTANT_MS]
    return min(max(exponent, _EXPONENTS[0]), max(allowed, default=_EXPONENTS[0]))


def plans(demand: WredDemand, platform: Decision) -> Iterator[WredPlan]:
    """Candidates, mildest first; no lower drop precedence is treated worse than a higher."""
    top = max_threshold_packets(demand)
    levels = drop_levels(demand)
    count = max(levels.values()) + 1
    limit = None
    needs_limit = platform.is_xe or _ROOM * top > _HQF_LIMIT_PACKETS
    if not platform.is_pre_hqf and needs_limit:
        limit = max(_ROOM * top, _HQF_LIMIT_PACKETS)
    exponent = exponent_of(demand, top)
    spreads = _SPREADS if count > 1 else _SPREADS[:1]
    row_sets = set()
    for first, last, top_ratio in spreads:
        denominators = _denominators(first, last, count)
        tops = [_part(top, top_ratio, level, count) for level in range(count)]
        rows = tuple(
            DesignRow(code, max(1, round(tops[level] / 3)), tops[level], denominators[level])
            for code, level in levels.items()
        )
        if rows not in row_sets:
            row_sets.add(rows)
            yield WredPlan(rows, exponent, limit)


def _part(top: int, top_ratio: float, level: int, count: int) -> int:
    return max(LEAST_MAX_PACKETS, round(top * float(top_ratio ** (level / max(count - 1, 1)))))


def _denominators(first: int, last: int, count: int) -> tuple[int, ...]:
    if (first, last) == _SPREADS[0][:2] and count in _BASE:
        return _BASE[count]
    steps = (first * (last / first) ** (level / max(count - 1, 1)) for level in range(count))
    return tuple(max(1, round(step)) for step in steps)


def drop_orders(demand: WredDemand) -> tuple[tuple[int, ...], ...]:
    """Codes that have an order of drop, in each the last dropped first.

    AFs by drop precedence (RFC 2597). A higher IP precedence is dropped later, as by the defaults
    of IOS, whose minimum thresholds rise with it.
    """
    return AF_CLASSES if demand.basis is WredBasis.DSCP else (_PRECEDENCES,)


def drop_levels(demand: WredDemand) -> dict[int, int]:
    """Rank of each row, 0 dropped last; codes without an order of drop in the order given."""
    codes = list(dict.fromkeys(demand.code(group) for group in demand.groups))
    drop = {code: order.index(code) for order in drop_orders(demand) for code in order}
    if not all(code in drop for code in codes):
        return {code: index for index, code in enumerate(codes)}
    ranks = sorted({drop[code] for code in codes})
    return {code: ranks.index(drop[code]) for code in codes}


# Values of a WRED design for its templates, and a config in which the lines can be tried.

CLASS, POLICY, INTERFACE = "WRED-DATA", "WRED-EDGE", "Serial0/0"
_RESERVABLE_PERCENT: Final = 75.0  # of the link, before HQF
_LEAST_KBPS: Final = 1


class RowValues(Struct, frozen=True):
    """A row: the name or number of its packets, its thresholds in packets, 1 in `denominator`."""

    code: str
    low: int
    high: int
    denominator: int


class ClassValues(Struct, frozen=True):
    """The class and its policy. `matches_ip`: with the word `ip`, for IPv4 only."""

    class_name: str
    policy_map: str
    matches_ip: bool
    basis: WredBasis
    kbps: int
    exponent: int
    rows: tuple[RowValues, ...]
    queue_limit_packets: int | None


class WredAttachment(Struct, frozen=True):
    """The interface that the policy is tried on."""

    interface: str
    policy_map: str


class TrialRouter(Struct, frozen=True):
    """A router with one serial link."""

    release: str
    interface: str
    link_kbps: int


def class_kbps(demand: WredDemand) -> int:
    """`bandwidth` of the class, in whole kbit/s."""
    return max(_LEAST_KBPS, int(kbps_from_bps(demand.rate_bps)))


def lines_of(demand: WredDemand, plan: WredPlan, platform: Decision) -> tuple[str, ...]:
    """Class-map and policy-map, ready to paste."""
    by_dscp = demand.basis is WredBasis.DSCP
    values = ClassValues(
        CLASS,
        POLICY,
        # 12.0 to 12.2 know only `match ip dscp`; from HQF on `match dscp` takes IPv6 too.
        matches_ip=platform.is_pre_hqf or not by_dscp,
        basis=demand.basis,
        kbps=class_kbps(demand),
        exponent=plan.exponent,
        rows=rows_of(plan, demand),
        queue_limit_packets=plan.queue_limit_packets,
    )
    return commands("design/wred.j2", values)


def rows_of(plan: WredPlan, demand: WredDemand) -> tuple[RowValues, ...]:
    """The rows of a plan as commands name them."""
    by_dscp = demand.basis is WredBasis.DSCP
    return tuple(
        RowValues(
            dscp_name(row.code) if by_dscp else str(row.code),
            row.min_threshold,
            row.max_threshold,
            row.denominator,
        )
        for row in plan.rows
    )


def attachment() -> tuple[str, ...]:
    """Lines that put the policy on the link of the trial."""
    return commands("design/wred-attachment.j2", WredAttachment(INTERFACE, POLICY))


def trial_config(demand: WredDemand) -> str:
    """A router with one serial link on which IOS admits the class, without any policy."""
    link_kbps = ceil(class_kbps(demand) / ratio_from_percent(_RESERVABLE_PERCENT))
    lines = commands("design/wred-trial.j2", TrialRouter(demand.release, INTERFACE, link_kbps))
    return "".join(f"{line}\n" for line in lines)
