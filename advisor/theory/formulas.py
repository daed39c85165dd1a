"""The formulas of the model by name: the formula, its source, an example with numbers.

An example is computed on request, by the functions that predictions use.
"""

from collections.abc import Callable

from msgspec import Struct

from advisor.theory.analytic.number import wait_ms
from advisor.theory.dlsw import CpuEstimate, Sample, fit, frames_of, frames_per_transaction
from advisor.theory.interface import Framing, particles, wire_bytes, wire_ms
from advisor.theory.ring import Ring, Size, bound_ms, sparse_wait_ms, units_held
from advisor.theory.voice import delay_impairment, loss_impairment, mos, r_factor
from advisor.units import bps_from_bytes, bytes_in_ms, ms_from_s, serialization_ms

_PPP = Framing(overhead_bytes=8)
_SLOW_BPS = 512_000.0  # of the examples


class Formula(Struct, frozen=True):
    """A formula in plain text; `example` puts numbers in."""

    name: str
    title: str
    formula: str
    symbols: tuple[str, ...]
    source: str
    example: Callable[[], str]


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
        f"ring of 8, 1500 bytes, 512 kb/s: a sparse probe waits {data_ms:.2f} / 2 + "
        f"7 * {data_ms:.2f} = {sparse_ms:.0f} ms"
    )


def _units_held() -> str:
    units = units_held(Ring(40), [Size(1.0, 8.0, units=3)])
    return f"ring of 40 particles, packets of 3: 3 * ceil(40 / 3) = {units:.0f} particles"


def _unfinished_work() -> str:
    time_ms = wire_ms(1500, _PPP, _SLOW_BPS)
    mean_ms = wait_ms(0.5 * time_ms / 2, 0.5)
    return f"1500 bytes at 512 kb/s, half loaded: 0.5 * {time_ms:.2f} / 2 / 0.5 = {mean_ms:.1f} ms"


def _llq_queue() -> str:
    residual_ms, load = wire_ms(1500, _PPP, _SLOW_BPS) / 2, 0.2
    mean_ms = wait_ms(residual_ms, load)
    return f"LLQ of 20 % beside 1500 bytes at 512 kb/s: {residual_ms:.2f} / 0.8 = {mean_ms:.1f} ms"


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


_TABLE = (
    Formula(
        "serialization",
        "Time of a packet on the wire",
        "8 * (ip + overhead) / C",
        ("C: rate in bit/s",),
        "definition; bit stuffing is not counted",
        _serialization,
    ),
    Formula(
        "atm-cells",
        "Bytes of a packet in ATM cells",
        "53 * ceil((ip + header + 8) / 48)",
        ("header: 8 of aal5snap, 0 of aal5mux; 8: the trailer of AAL5",),
        "Cisco document 10420",
        _atm_cells,
    ),
    Formula(
        "particles",
        "Ring particles of a packet",
        "ceil((ip + header) / particle)",
        ("particle: 512 bytes; 576 on PA-A3 by Cisco document 6142",),
        "Cisco documents on tx-ring-limit of the PA-A3",
        _particles,
    ),
    Formula(
        "ring-bound",
        "Longest wait behind a full ring",
        "(N + b) * s_max",
        (
            "N: the ring in packets (of particles: the heaviest filling that is admitted)",
            "b: 1 where the packet on the wire has left the ring, else 0",
            "s_max: time of the largest packet",
        ),
        "a packet is admitted while fewer than N units are used",
        _ring_bound,
    ),
    Formula(
        "class-bound",
        "Longest delay of an LLQ packet",
        "ring_bound + LLQ packets ahead + own transmission",
        (
            "ring_bound: longest wait behind the full ring (ring-bound), which decides N*",
            "LLQ packets ahead: one of each other periodic stream, else the bursts of the policers",
        ),
        "R. L. Cruz, IEEE Trans. Inf. Theory 37 (1991) 114-131: arrival curves",
        _class_bound,
    ),
    Formula(
        "ring-content",
        "Mean units in a ring that is kept full",
        "g * ceil(N / g) + g * (E[q^2] / E[q] - 1) / 2",
        ("g: common divisor of the packets' units", "q: units of a packet / g"),
        "W. Feller, An Introduction to Probability Theory 1, XIII.10",
        _units_held,
    ),
    Formula(
        "saturated-wait",
        "Mean wait of a sparse LLQ probe while a lower class always has packets waiting",
        "E[s^2] / (2 E[s]) + (N - 1) * E[s]",
        (
            "s: time of a packet of the lower classes",
            "N: the ring in packets",
            "packets of an LLQ that carries more take places of the ring: then it is solved",
        ),
        "Little's law on the ring",
        _saturated_wait,
    ),
    Formula(
        "unfinished-work",
        "Mean wait below saturation of independent packets, up to the ring",
        "lambda * E[s^2] / (2 (1 - rho))",
        ("lambda: packets per ms", "rho: load of the link"),
        "F. Pollaczek (1930), A. Khinchine (1932)",
        _unfinished_work,
    ),
    Formula(
        "llq-queue",
        "Mean wait of an LLQ packet before the ring, non-preemptive priority",
        "R / (1 - rho_llq)",
        ("R: mean rest of the packet on the wire", "rho_llq: load of the LLQ"),
        "A. Cobham, Oper. Res. 2 (1954) 70-76",
        _llq_queue,
    ),
    Formula(
        "fragment-size",
        "Fragment that takes a given time",
        "C * t / 8 - header; in cells 48 * floor(C * t / 8 / 53) - header - 8",
        (
            "C: rate in bit/s",
            "t: 10 ms by Cisco's design guides",
            "header: of Frame Relay or AAL5; 0 of MLPPP, where IOS cuts by rate and delay alone",
        ),
        "Cisco document 24041: needed up to 768 kb/s",
        _fragment_size,
    ),
    Formula(
        "shaper-interval",
        "Interval of a shaper",
        "Tc = Bc / CIR",
        ("Bc: bits per interval",),
        "Cisco's traffic shaping documents",
        _shaper_interval,
    ),
    Formula(
        "priority-rate",
        "Rate that the policer of an LLQ must admit for n calls",
        "n * 8 * (ip + header) / t",
        ("header: what IOS counts of layer 2: 4 of PPP, without FCS and flags", "t: packetization"),
        "Cisco's per-call bandwidth table; the header recalled",
        _priority_rate,
    ),
    Formula(
        "priority-burst",
        "Burst of `priority` by default",
        "200 ms of the priority rate",
        (),
        "by arithmetic on printouts of several trains",
        _priority_burst,
    ),
    Formula(
        "r-factor",
        "Voice quality of the E-model",
        "R = 93.2 - Id - Ie,eff; Id = Idte + Idle + Idd; Ie,eff = Ie + (95 - Ie) Ppl / (Ppl + Bpl)",
        (
            "Id: of d ms mouth to ear; Idte, Idle: talker and listener echo at their defaults",
            "Idd: above 100 ms 25 ((1 + X^6)^(1/6) - 3 (1 + (X/3)^6)^(1/6) + 2), X = log2(d / 100)",
            "Ie, Bpl: of the codec (G.113 Appendix I)",
            "Ppl: percent lost or late",
        ),
        "ITU-T G.107, G.113 Appendix I",
        _r_factor,
    ),
    Formula(
        "dlsw-frames",
        "Frames of a DLSw+ transaction",
        "ceil(out / RU) + ceil(in / RU); an RU longer than lf is ceil(RU / lf) frames",
        ("RU: SNA response unit in bytes", "lf: largest frame of the peer; the last RU by its own"),
        "Cisco, DLSw+ TCP Performance; lf by arithmetic",
        _dlsw_frames,
    ),
    Formula(
        "dlsw-cpu",
        "CPU of DLSw+ over TCP, estimated",
        "base + 100 * fps * k / P",
        (
            "fps: frames per second, in and out",
            "k: process-switched packets that a frame costs, 1 to 4: an engineering band, middle 2",
            "P: process-switched packets per second of the platform",
        ),
        "linear: Cisco, DLSw+ TCP Performance, whose curves carry no figures; P: Cisco's sheet of "
        "router switching performance; k is nobody's measurement",
        _dlsw_cpu,
    ),
    Formula(
        "dlsw-calibration",
        "CPU of DLSw+ over TCP, measured",
        "base + m * fps through steady samples of total - interrupt",
        ("m: by least squares; of one rate m = load / fps, base 0",),
        "process level: DLSw+ over TCP is a process; steady by the limits of CPU003",
        _dlsw_calibration,
    ),
)
FORMULAS = {row.name: row for row in _TABLE}
