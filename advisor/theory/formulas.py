"""The formulas of the model by name: text, derivation, limits and source, an example with numbers.

The texts are in `formulas.toml`. An example is computed on request, by the functions that
predictions use.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from advisor.ground.quantity import plain
from advisor.ground.units import (
    bps_from_bytes,
    bytes_in_ms,
    ms_from_s,
    percent_from_ratio,
    serialization_ms,
)
from advisor.model import (
    Arrival,
    DropProfile,
    Framing,
    Interface,
    Periodic,
    Poisson,
    Queue,
    QueueKind,
    Saturated,
    Shaper,
    SizeMix,
    Tcp,
    Traffic,
    TxRing,
    WredAverage,
    particles,
    wire_bytes,
    wire_ms,
)
from advisor.theory.analytic import Result, answer
from advisor.theory.analytic.number import wait_ms, wait_parts
from advisor.theory.analytic.result import Law
from advisor.theory.analytic.ring import turned_ms
from advisor.theory.analytic.setting import refused
from advisor.theory.dlsw import CpuEstimate, Sample, fit, frames_of, frames_per_transaction
from advisor.theory.fixed_point import fixed_points
from advisor.theory.ring import Ring, Size, bound_ms, sparse_wait_ms, units_held
from advisor.theory.voice import delay_impairment, loss_impairment, mos, r_factor
from advisor.theory.wred.view import (
    average_after,
    drop_probability,
    shares_by_flows_over_p,
    time_constant_ms,
)

_PPP: Final = Framing(overhead_bytes=8)
_SLOW_BPS: Final = 512_000.0  # of the examples
_ROWS: Final = tuple(DropProfile(15, 30, denominator) for denominator in (10, 5, 2))
_PACKET_BYTES: Final = 1000  # of the examples
_TARGET_MS: Final = 100.0  # of the examples
_FRAGMENT_BYTES: Final = 640  # of the examples
_SYMBOL: Final = re.compile(r"[A-Za-z_]+")


class Formula(Struct, frozen=True):
    """A formula in plain text, how it follows, where it ends; it answers classes by `methods`."""

    name: str
    title: str
    formula: str
    symbols: tuple[str, ...]
    source: str
    derivation: str
    limits: str
    methods: tuple[str, ...] = ()

    def with_numbers(self, values: Mapping[str, float]) -> str:
        """The formula with numbers for its symbols, four digits each."""
        return _SYMBOL.sub(
            lambda match: plain(values[match[0]] + 0.0, 4) if match[0] in values else match[0],
            self.formula,
        )

    @property
    def example(self) -> str:
        """The formula with numbers."""
        return _EXAMPLES[self.name]()


def _serialization() -> str:
    time_ms = wire_ms(1500, _PPP, _SLOW_BPS)
    return f"1500 bytes with 8 of PPP at 512 kb/s: 8 * 1508 / 512000 = {time_ms:.2f} ms"


def _atm_cells() -> str:
    size = wire_bytes(60, Framing(8, cells=True))
    return f"60 bytes with aal5snap: 53 * ceil((60 + 8 + 8) / 48) = {size} bytes"


def _particles() -> str:
    count = particles(1500, 8, 512)
    return f"1500 bytes and a header of 8, particles of 512: ceil(1508 / 512) = {count}"


def _ring_bound() -> str:
    time_ms = wire_ms(1500, _PPP, _SLOW_BPS)
    bound = bound_ms(Ring(10, beside_wire=1), [Size(0.0, time_ms)])
    return (
        f"ring of 10 and one on the wire, 1500 bytes, 512 kb/s: 11 * {time_ms:.2f} = {bound:.0f} ms"
    )


def _class_bound() -> str:
    data_ms, voice_ms = wire_ms(1500, _PPP, _SLOW_BPS), wire_ms(60, _PPP, _SLOW_BPS)
    ring_ms = bound_ms(Ring(10, beside_wire=1), [Size(0.0, data_ms)])
    return (
        f"ring of 10 and one on the wire, 1500 bytes, 512 kb/s, 3 calls of G.729: {ring_ms:.0f} + "
        f"2 * {voice_ms:.2f} + {voice_ms:.2f} = {ring_ms + 3 * voice_ms:.0f} ms"
    )


def _saturated_wait() -> str:
    data_ms = wire_ms(1500, _PPP, _SLOW_BPS)
    sparse_ms = sparse_wait_ms(Ring(8), [Size(1.0, data_ms)])
    return (
        "ring of 8 that counts the packet on the wire (b = 0), 1500 bytes, 512 kb/s: a sparse "
        f"probe waits {data_ms:.2f} / 2 + 7 * {data_ms:.2f} = {sparse_ms:.0f} ms"
    )


def _units_held() -> str:
    units = units_held(Ring(40), [Size(1.0, 8.0, units=3)])
    return f"ring of 40 particles, packets of 3: 3 * ceil(40 / 3) = {units:.0f} particles"


def _unfinished_work() -> str:
    time_ms = wire_ms(1500, _PPP, _SLOW_BPS)
    mean_ms = wait_ms(0.5 * time_ms / 2, 0.5)
    return f"1500 bytes at 512 kb/s, half loaded: 0.5 * {time_ms:.2f} / 2 / 0.5 = {mean_ms:.1f} ms"


def _llq_queue() -> str:
    data_ms, voice_ms = (wire_ms(size, _PPP, _SLOW_BPS) / 2 for size in (1500, 60))
    residual_ms = 0.8 * data_ms + 0.2 * voice_ms
    return (
        "LLQ of 20 %, 60 bytes, beside 1500 bytes that fill the other 80 % of 512 kb/s: R = 0.8 * "
        f"{data_ms:.2f} + 0.2 * {voice_ms:.2f} = {residual_ms:.2f}; {residual_ms:.2f} / 0.8 = "
        f"{wait_ms(residual_ms, 0.2):.1f} ms"
    )


_VOICE = Queue("voice", QueueKind.PRIORITY)
_DATA = Queue("data", QueueKind.CLASS_DEFAULT)
_CALL = Periodic(50.0)


def _worked(
    name: str, *offered: tuple[Queue, Arrival, int, int], shaper: Shaper | None = None
) -> str:
    """The first class behind a ring of 4: its queue, arrivals, IP bytes and streams."""
    queues = tuple(dict.fromkeys(queue for queue, *_ in offered))
    traffic = tuple(
        Traffic(queue.name, queue.name, arrival, SizeMix(((ip_bytes, 1.0),)), streams)
        for queue, arrival, ip_bytes, streams in offered
    )
    found, *_ = answer(Interface(_SLOW_BPS, _PPP, TxRing(4), queues, traffic, shaper=shaper))
    assert isinstance(found, Result)  # noqa: S101 -- chosen so
    return f"{formulas()[name].with_numbers(dict(found.values))} = {found.mean_ms:.1f} ms"


def _ring_delay() -> str:
    told = "ring of 4, 300 bytes always waiting at 512 kb/s, 80 random packets of 60 bytes a s: "
    return told + _worked(
        "ring-delay", (_VOICE, Poisson(80.0), 60, 1), (_DATA, Saturated(), 300, 1)
    )


def _calls_delay() -> str:
    told = "ring of 4, 1500 bytes always waiting at 512 kb/s, 5 calls of G.729: "
    return told + _worked("calls-delay", (_VOICE, _CALL, 60, 5), (_DATA, Saturated(), 1500, 1))


def _lower_delay() -> str:
    told = "ring of 4, 60 Poisson packets of 500 bytes a s below 2 calls of G.729 at 512 kb/s: "
    return told + _worked("lower-delay", (_DATA, Poisson(60.0), 500, 1), (_VOICE, _CALL, 60, 2))


def _fifo_delay() -> str:
    queue = Queue("all", QueueKind.FIFO)
    told = "60 Poisson packets of 500 bytes a s at 512 kb/s: "
    return told + _worked("fifo-delay", (queue, Poisson(60.0), 500, 1))


def _backlog_delay() -> str:
    told = "20 packets of 300 bytes waiting, ring of 4, a call of G.729 at 512 kb/s: "
    return told + _worked("backlog-delay", (_DATA, Saturated(), 300, 1), (_VOICE, _CALL, 60, 1))


_SHAPER = Shaper(128_000.0, 125.0)


def _shaper_delay() -> str:
    told = (
        "20 random packets of 60 bytes a s above 1500 bytes always waiting, 128 kb/s in Tc of "
        "125 ms on 512 kb/s: "
    )
    offered = ((_VOICE, Poisson(20.0), 60, 1), (_DATA, Saturated(), 1500, 1))
    return told + _worked("shaper-delay", *offered, shaper=_SHAPER)


def _shaper_backlog() -> str:
    told = "20 packets of 300 bytes waiting, 128 kb/s in Tc of 125 ms on 512 kb/s: "
    return told + _worked("shaper-backlog", (_DATA, Saturated(), 300, 1), shaper=_SHAPER)


def _calls_alone() -> str:
    return "5 calls of G.729 at 512 kb/s: " + _worked("calls-alone", (_VOICE, _CALL, 60, 5))


def _probe_ipdv() -> str:
    data_ms, voice_ms = wire_ms(1500, _PPP, _SLOW_BPS), wire_ms(60, _PPP, _SLOW_BPS)
    moved_ms = 100.0 - voice_ms
    part = moved_ms / data_ms % 1.0
    return (
        f"1500 bytes at 512 kb/s, a packet of 60 bytes every 100 ms: d = {moved_ms:.2f} / "
        f"{data_ms:.2f} modulo 1 = {part:.3f}; 2 * {part:.3f} * {1 - part:.3f} * {data_ms:.2f} = "
        f"{turned_ms(moved_ms, data_ms, 0.0):.2f} ms"
    )


def _periodic_work() -> str:
    voice_ms, period_ms = wire_ms(60, _PPP, _SLOW_BPS), 20.0
    mean_ms = Law(tuple(wait_parts(4, period_ms, voice_ms))).mean_ms
    part = voice_ms / period_ms
    return (
        f"5 calls of G.729 at 512 kb/s, s / T = {part:.5f}: {voice_ms:.4f} / 2 * (4 * {part:.5f} + "
        f"12 * {part:.5f}^2 + 24 * {part:.5f}^3 + 24 * {part:.5f}^4) = {mean_ms:.4f} ms"
    )


def _policer_loss() -> str:
    lost = percent_from_ratio(refused(1.0, 2.0))
    return (
        "as many packets as tokens, a bucket of 3 packets: lambda * d = 1, w = 2 d, G = e^2 - e "
        f"= 4.671; 1 - 4.671 / 5.671 = {lost:.1f} %"
    )


def _fragment_size() -> str:
    size = bytes_in_ms(_SLOW_BPS, 10)
    return f"10 ms at 512 kb/s, MLPPP: 512000 * 0.010 / 8 = {size:.0f} bytes"


def _shaper_interval() -> str:
    return f"Bc 5120 at 512 kb/s: 5120 / 512000 = {ms_from_s(5120 / _SLOW_BPS):.0f} ms"


def _priority_rate() -> str:
    kbps = 3 * bps_from_bytes(64, 20) / 1000
    return f"3 calls of G.729 over PPP: 3 * 8 * (60 + 4) / 0.020 = {kbps:.1f} kb/s"


def _priority_burst() -> str:
    size = bytes_in_ms(64_000, 200)
    return (
        f"priority 64: 64000 * 0.2 / 8 = {size:.0f} bytes, "
        f"{serialization_ms(size, _SLOW_BPS):.0f} ms at 512 kb/s"
    )


def _r_factor() -> str:
    rating = r_factor(150, 11, 19, 1)
    return (
        f"G.729A, 150 ms, 1 % lost: 93.2 - {delay_impairment(150):.1f} - "
        f"{loss_impairment(11, 19, 1):.1f} = {rating:.1f}, MOS {mos(rating):.2f}"
    )


def _dlsw_frames() -> str:
    out_frames, in_frames = frames_of(2000, 1024), frames_of(1000, 1024)
    return (
        f"2000 bytes out, 1000 in, RU 1024: {out_frames} + {in_frames} = "
        f"{frames_per_transaction(2000, 1000, 1024)} frames; 100 transactions/s: 300 frames/s"
    )


def _dlsw_cpu() -> str:
    load = CpuEstimate(4000, 4000).at(300)
    return (
        f"300 frames/s, 4000 process-switched packets/s: 100 * 300 * 2 / 4000 = "
        f"{load.value_percent:.0f} % ({load.low_percent:.1f} to {load.high_percent:.0f})"
    )


def _dlsw_calibration() -> str:
    line = fit([Sample(200, 9 - 2), Sample(800, 27 - 3)])
    return (
        f"9 %/2 % at 200 and 27 %/3 % at 800 frames/s: m = (24 - 7) / 600 = "
        f"{line.slope_percent:.4f} % for each frame/s, base 7 - 200 m = {line.base_percent:.2f} %"
    )


def _average() -> str:
    then = average_after(20, 40, 9)
    return f"average 20, 40 packets found, n = 9: 20 + (40 - 20) / 512 = {then:.2f} packets"


def _weight() -> str:
    per_s = bytes_in_ms(1000.0, _SLOW_BPS) / _PACKET_BYTES
    constant_ms = time_constant_ms(5, per_s)
    return f"n = 5, 512 kb/s, 1000 bytes: 2^5 / {per_s:.0f} packets/s = {constant_ms:.0f} ms"


def _thresholds() -> str:
    most = bytes_in_ms(_TARGET_MS, _SLOW_BPS) / _PACKET_BYTES
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
    tcp, packets = Tcp(8.0, 22), SizeMix(((1500, 1.0),))
    flows = tuple(Traffic(str(row), "data", tcp, packets, 3, profile=row) for row in _ROWS)
    queue = Queue("data", QueueKind.BANDWIDTH, 100.0, 128, wred=WredAverage())
    (point,) = fixed_points(Interface(2_000_000.0, _PPP, TxRing(4), (queue,), flows))
    shares = _percents(group.share or 0.0 for group in point.groups)
    drops = _percents(group.drop_ratio for group in point.groups)
    rule = _percents(shares_by_flows_over_p(flows))
    return (
        "3 flows each, base round trip 8 ms, ring of 4, thresholds 15/30, denominators 10, 5, 2, "
        f"1500 bytes at 2 Mb/s: AQS {point.aqs_packets:.1f}, p {drops} %, shares "
        f"{shares} %; by flows * d 30 : 15 : 6 = {rule} %"
    )


def _percents(ratios: Iterable[float]) -> str:
    return ", ".join(f"{percent_from_ratio(ratio):.1f}" for ratio in ratios)


def _fragments() -> str:
    whole, last = divmod(1500, _FRAGMENT_BYTES)
    size = wire_bytes(_FRAGMENT_BYTES, _PPP)
    time_ms = wire_ms(_FRAGMENT_BYTES, _PPP, _SLOW_BPS)
    return (
        f"1500 bytes in fragments of 640: ceil(1500 / 640) = {whole + 1}; {whole} of 640 + 8 = "
        f"{size} bytes on the wire, {time_ms:.1f} ms at 512 kb/s, and the last of "
        f"{last} + 8 = {wire_bytes(last, _PPP)}"
    )


_EXAMPLES: Final[Mapping[str, Callable[[], str]]] = {
    "serialization": _serialization,
    "atm-cells": _atm_cells,
    "particles": _particles,
    "ring-bound": _ring_bound,
    "class-bound": _class_bound,
    "ring-content": _units_held,
    "saturated-wait": _saturated_wait,
    "probe-ipdv": _probe_ipdv,
    "unfinished-work": _unfinished_work,
    "llq-queue": _llq_queue,
    "ring-delay": _ring_delay,
    "calls-delay": _calls_delay,
    "lower-delay": _lower_delay,
    "fifo-delay": _fifo_delay,
    "backlog-delay": _backlog_delay,
    "shaper-delay": _shaper_delay,
    "shaper-backlog": _shaper_backlog,
    "calls-alone": _calls_alone,
    "periodic-work": _periodic_work,
    "policer-loss": _policer_loss,
    "fragment-size": _fragment_size,
    "shaper-interval": _shaper_interval,
    "priority-rate": _priority_rate,
    "priority-burst": _priority_burst,
    "r-factor": _r_factor,
    "dlsw-frames": _dlsw_frames,
    "dlsw-cpu": _dlsw_cpu,
    "dlsw-calibration": _dlsw_calibration,
    "wred-average": _average,
    "wred-weight": _weight,
    "wred-thresholds": _thresholds,
    "wred-drop": _drop,
    "wred-shares": _shares,
    "fragments": _fragments,
}


class _Texts(Struct, frozen=True):
    formula: tuple[Formula, ...]


@cache
def formulas() -> Mapping[str, Formula]:
    """All formulas by name, in the order in which they are listed."""
    text = Path(__file__).with_suffix(".toml").read_bytes()
    return {formula.name: formula for formula in msgspec.toml.decode(text, type=_Texts).formula}


def formula_of(method: str) -> Formula:
    """The formula whose method a prediction prints."""
    return next(formula for formula in formulas().values() if method in formula.methods)
