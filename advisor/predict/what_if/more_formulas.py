"""Formulas of WRED and of fragments, beside those of rings and queues; all of them by name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from advisor.theory.formulas import FORMULAS, Formula
from advisor.theory.interface import Framing, wire_bytes, wire_ms
from advisor.theory.wred import DropProfile, TcpFlows
from advisor.theory.wred.view import (
    average_after,
    drop_probability,
    shares_by_flows_over_p,
    time_constant_ms,
)
from advisor.units import bytes_in_ms, percent_from_ratio

_CSELT: Final = "Test of WRED for Bottleneck Link (CSELT); WRED in the guides of IOS 12.x"
_ROWS: Final = tuple(DropProfile(15, 30, denominator) for denominator in (10, 5, 2))
_RATE_BPS: Final = 512_000.0
_PACKET_BYTES: Final = 1000
_TARGET_MS: Final = 100.0
_FRAGMENT_BYTES: Final = 640
_PPP: Final = Framing(overhead_bytes=8)


def _average() -> str:
    then = average_after(20, 40, 9)
    return f"average 20, 40 packets found, n = 9: 20 + (40 - 20) / 512 = {then:.2f} packets"


def _weight() -> str:
    per_s = bytes_in_ms(1000.0, _RATE_BPS) / _PACKET_BYTES
    constant_ms = time_constant_ms(5, per_s)
    return f"n = 5, 512 kb/s, 1000 bytes: 2^5 / {per_s:.0f} packets/s = {constant_ms:.0f} ms"


def _thresholds() -> str:
    most = bytes_in_ms(_TARGET_MS, _RATE_BPS) / _PACKET_BYTES
    return (
        f"100 ms at 512 kb/s, 1000 bytes: U = 64 packets/s, max = 0.1 * 64 = {most:.1f}, "
        f"min = {most / 3:.1f} packets"
    )


def _drop() -> str:
    percent = percent_from_ratio(drop_probability(22.5, _ROWS[0]))
    return (
        f"average 22.5 of 15 to 30, denominator 10: (22.5 - 15) / (30 - 15) / 10 = {percent:.1f} %"
    )


def _shares() -> str:
    flows = [TcpFlows(str(row), 3, 8.0, 1500, 22, row) for row in _ROWS]
    shares = (percent_from_ratio(share) for share in shares_by_flows_over_p(flows))
    shown = ", ".join(f"{share:.0f}" for share in shares)
    return f"3 flows each, denominators 10, 5, 2: 30 : 15 : 6 = {shown} %"


def _fragments() -> str:
    whole = -(-1500 // _FRAGMENT_BYTES)
    size = wire_bytes(_FRAGMENT_BYTES, _PPP)
    time_ms = wire_ms(_FRAGMENT_BYTES, _PPP, _RATE_BPS)
    return (
        f"1500 bytes in fragments of 640: ceil(1500 / 640) = {whole}; each 640 + 8 = {size} bytes "
        f"on the wire, {time_ms:.1f} ms at 512 kb/s"
    )


_MORE: Final = (
    Formula(
        "wred-average",
        "Average queue size of WRED after an arrival",
        "AQS + 2^-n * (Qsize - AQS)",
        (
            "AQS: the average so far, in packets",
            "Qsize: packets that the arrival finds in the queue",
            "n: exponential-weighting-constant, 9 by default",
        ),
        _CSELT,
        _average,
    ),
    Formula(
        "wred-weight",
        "Time in which the average follows the queue",
        "2^n / U",
        (
            "n: exponential-weighting-constant",
            "U: packets of the class in a second, rate / (8 * L)",
        ),
        _CSELT,
        _weight,
    ),
    Formula(
        "wred-thresholds",
        "Thresholds of WRED for a target delay",
        "max = D * U, min = max / 3",
        (
            "D: the delay at which every packet is to be dropped",
            "U: packets of the class in a second, rate / (8 * L)",
            "L: bytes of the mean packet",
        ),
        "seed of the project: thresholds from the delay; Cisco, WRED guide",
        _thresholds,
    ),
    Formula(
        "wred-drop",
        "Probability that WRED drops a packet",
        "(AQS - min) / (max - min) / d",
        (
            "AQS: the average queue size; 0 below min, 1 from max on",
            "min, max: the thresholds, in packets",
            "d: mark-probability denominator",
        ),
        _CSELT,
        _drop,
    ),
    Formula(
        "wred-shares",
        "Shares of TCP groups, rule of thumb: several points off, predictions do not use it",
        "flows * d",
        ("flows: TCP flows of the group", "d: mark-probability denominator; of equal thresholds"),
        _CSELT,
        _shares,
    ),
    Formula(
        "fragments",
        "Fragments of a packet by MLPPP or FRF.12",
        "ceil(L / F), each F + h bytes on the wire",
        (
            "L: bytes of the packet, F: of a fragment",
            "h: layer-2 bytes of each fragment, 8 in this example",
        ),
        "Frame Relay Forum FRF.12; RFC 1990",
        _fragments,
    ),
)
ALL_FORMULAS: Final[Mapping[str, Formula]] = MappingProxyType(
    {**FORMULAS, **{formula.name: formula for formula in _MORE}}
)
