"""Voice quality from delay and loss: R factor and MOS of a codec; delay over several hops."""

from bisect import bisect, bisect_left
from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import exp, hypot, log2, log10, prod, sqrt
from operator import mul

from msgspec import Struct

# All other parameters (echo, noise, loudness) are at the defaults of ITU-T G.107. Narrow-band
# codecs only: wide-band ones have a scale of their own (G.107.1).

R_WITHOUT_IMPAIRMENT = 93.2  # G.107 (03/2005 and later) with all parameters at their defaults
_BASIC_RATIO = 94.7688  # Ro of G.107 at its defaults; less Is 1.4136 and the echo of no delay: 93.2
_TALKER_LOUDNESS_DB = 65.0  # TELR
_LISTENER_ECHO_LOSS_DB = 110.0  # WEPL
_LOSS_RANGE_PERCENT = 95.0  # equation 7-29
_NOTICED_MS = 100.0  # equation 7-27: Idd is 0 up to it
_BEST_R, _BEST_MOS = 100.0, 4.5  # Annex B


class Impairment(Struct, frozen=True):
    """Equipment impairment of a codec (ITU-T G.113, Appendix I).

    `ie` is the impairment without loss; `bpl` is the robustness against random loss, low and high
    if it depends on concealment or G.113 lists no value. `lookahead_ms` is the delay of the codec
    beyond the packet that it fills.
    """

    ie: float
    bpl_low: float
    bpl_high: float
    lookahead_ms: float
    source: str


_WORST_BPL, _BEST_BPL = 4.3, 25.1  # G.711 without and with concealment: the ends of the table
_LISTED = "ITU-T G.113 Appendix I, tables of Ie and of Ie with Bpl"
_UNLISTED = "ITU-T G.113 Appendix I; no Bpl listed: between G.711 without and with concealment"

IMPAIRMENTS = {
    "G.711": Impairment(0.0, _WORST_BPL, _BEST_BPL, 0.0, f"{_LISTED}; without and with PLC"),
    "G.729": Impairment(11.0, 19.0, 19.0, 5.0, f"{_LISTED}, G.729A with VAD"),
    "g723r63": Impairment(15.0, 16.1, 16.1, 7.5, f"{_LISTED}, G.723.1 with VAD"),
    "g723r53": Impairment(19.0, _WORST_BPL, _BEST_BPL, 7.5, _UNLISTED),
    "g726r32": Impairment(7.0, _WORST_BPL, _BEST_BPL, 0.0, _UNLISTED),
    "g726r24": Impairment(25.0, _WORST_BPL, _BEST_BPL, 0.0, _UNLISTED),
    "g726r16": Impairment(50.0, _WORST_BPL, _BEST_BPL, 0.0, _UNLISTED),
    "G.728": Impairment(7.0, _WORST_BPL, _BEST_BPL, 0.0, _UNLISTED),
}


def delay_impairment(one_way_ms: float) -> float:
    """Id of a mouth-to-ear delay, less the Id of no delay.

    Notes
    -----
    ``Id = Idte + Idle + Idd`` at default echo (TELR 65, WEPL 110, T = Ta = Tr / 2): talker echo,
    listener echo, and above 100 ms ``25 ((1 + X^6)^(1/6) - 3 (1 + (X/3)^6)^(1/6) + 2)`` with
    ``X = log2(Ta / 100)``. The linear form of Cole and Rosenbluth (0.024 d + 0.11 (d - 177.3)) is
    within 0.3 of it up to 300 ms and 9 too much at 500. Source: ITU-T G.107, equations 7-17 to
    7-28.

    Examples
    --------
    >>> [round(delay_impairment(ms), 1) for ms in (0.0, 100.0, 200.0, 400.0)]
    [0.0, 2.5, 7.4, 31.0]
    """
    excess = _echo(one_way_ms) + _pause(one_way_ms) - _echo(0.0)
    return max(0.0, excess)  # the masking of an echo of 1 ms would be worth 0.06


def _pause(one_way_ms: float) -> float:
    """Idd: the impairment by the delay itself."""
    if one_way_ms <= _NOTICED_MS:
        return 0.0
    x = log2(one_way_ms / _NOTICED_MS)
    return 25 * (_sixth_norm(x) - 3 * _sixth_norm(x / 3) + 2)


def _sixth_norm(x: float) -> float:
    return float((1 + x**6) ** (1 / 6))


def _echo(one_way_ms: float) -> float:
    """Idte + Idle: the impairment by the default echo, which is later with a longer delay."""
    t = one_way_ms
    loudness = 40 * log10((1 + t / 10) / (1 + t / 150)) - 6 * exp(-0.3 * t * t)
    talker = _BASIC_RATIO - (80 + 2.5 * (_TALKER_LOUDNESS_DB - loudness - 14))
    listener = _BASIC_RATIO - 10.5 * (_LISTENER_ECHO_LOSS_DB + 7) / sqrt(sqrt(2 * t + 1))
    echo_loudness = (talker / 2 + sqrt(talker**2 / 4 + 100) - 1) * (1 - exp(-t))
    return echo_loudness + listener / 2 + sqrt(listener**2 / 4 + 169)


def loss_impairment(ie: float, bpl: float, loss_percent: float) -> float:
    """Ie,eff of random packet loss: ``Ie + (95 - Ie) Ppl / (Ppl + Bpl)``.

    Source: ITU-T G.107, equation 7-29 with BurstR 1.

    >>> loss_impairment(11.0, 19.0, 1.0)
    15.2
    """
    return ie + (_LOSS_RANGE_PERCENT - ie) * loss_percent / (loss_percent + bpl)


def r_factor(one_way_ms: float, ie: float, bpl: float, loss_percent: float) -> float:
    """R of a call, not below 0.

    Parameters
    ----------
    one_way_ms : float
        Mouth to ear: codec, network and de-jitter buffer.
    ie, bpl : float
        Of the codec, see `Impairment`.
    loss_percent : float
        Packets lost or too late for the de-jitter buffer.

    Examples
    --------
    >>> r_factor(0.0, 0.0, 25.1, 0.0)
    93.2
    >>> round(r_factor(150.0, 11.0, 19.0, 1.0), 1)
    74.3
    """
    lost = loss_impairment(ie, bpl, loss_percent)
    return max(0.0, R_WITHOUT_IMPAIRMENT - delay_impairment(one_way_ms) - lost)


def mos(r: float) -> float:
    """Mean opinion score (1 to 4.5) that an R corresponds to; ITU-T G.107, Annex B.

    >>> round(mos(93.2), 2), mos(0.0), round(mos(70.0), 2)
    (4.41, 1.0, 3.6)
    """
    if r <= 0:
        return 1.0
    if r >= _BEST_R:
        return _BEST_MOS
    return max(1.0, 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6)


# Delay over several hops: means and bounds add, distributions convolve.
#
# Hops are taken as independent. Only the least delay, three quantiles and the bound of a hop are
# known: between them its distribution is taken as even.

_POINTS = 2048  # numeric
_LEVELS = (0.0, 0.50, 0.95, 0.99, 1.0)  # of the known quantiles of a hop


class HopDelay(Struct, frozen=True):
    """One hop in ms: least delay, quantiles, bound (None: unknown), mean |ipdv|; loss 0 to 1."""

    least_ms: float
    mean_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    bound_ms: float | None
    ipdv_ms: float
    loss_ratio: float = 0.0


class PathDelay(HopDelay, frozen=True, kw_only=True):
    """All hops together; all packets except a negligible part have a delay below `most_ms`."""

    most_ms: float


def fixed(delay_ms: float) -> HopDelay:
    """A hop with a constant delay: propagation, a provider's core."""
    return HopDelay(delay_ms, delay_ms, delay_ms, delay_ms, delay_ms, delay_ms, 0.0)


def along(hops: Sequence[HopDelay]) -> PathDelay:
    """Delay of hops one after the other.

    Notes
    -----
    Quantiles come from the convolution of the hops' distributions on a lattice. The differences
    of consecutive packets are symmetric and independent from hop to hop, so their mean sizes add
    as root of the sum of squares (exact for normal ones).

    Examples
    --------
    >>> path = along([fixed(10.0), fixed(20.0)])
    >>> path.mean_ms, path.bound_ms, round(path.p99_ms, 6)
    (30.0, 30.0, 30.0)
    """
    least_ms = sum(hop.least_ms for hop in hops)
    bounds = [hop.bound_ms for hop in hops]
    known_ms = [bound_ms for bound_ms in bounds if bound_ms is not None]
    p50_ms, p95_ms, p99_ms, most_ms = _quantiles_ms(hops, least_ms)
    return PathDelay(
        least_ms=least_ms,
        mean_ms=sum(hop.mean_ms for hop in hops),
        p50_ms=p50_ms,
        p95_ms=p95_ms,
        p99_ms=p99_ms,
        most_ms=most_ms,
        bound_ms=sum(known_ms) if len(known_ms) == len(bounds) else None,
        ipdv_ms=hypot(*(hop.ipdv_ms for hop in hops)),
        loss_ratio=1 - prod(1 - hop.loss_ratio for hop in hops),
    )


def _quantiles_ms(hops: Sequence[HopDelay], least_ms: float) -> tuple[float, float, float, float]:
    """50, 95, 99 and 100 % of the convolution."""
    varied = [hop for hop in hops if _top_ms(hop) > hop.least_ms]
    if len(varied) <= 1:
        waits = _waits_ms(varied[0])[1:] if varied else (0.0,) * 4
        p50_ms, p95_ms, p99_ms, most_ms = (least_ms + wait_ms for wait_ms in waits)
        return p50_ms, p95_ms, p99_ms, most_ms
    step_ms = sum(_waits_ms(hop)[-1] for hop in varied) / (_POINTS - len(varied) - 1)
    total = [1.0]
    for hop in varied:
        total = _convolved(total, _on_lattice([wait_ms / step_ms for wait_ms in _waits_ms(hop)]))
    reached = list(accumulate(total))
    wanted = (level * reached[-1] for level in (*_LEVELS[1:4], 1 - 1e-9))
    p50_ms, p95_ms, p99_ms, most_ms = (
        least_ms + min(bisect_left(reached, level), len(reached) - 1) * step_ms for level in wanted
    )
    return p50_ms, p95_ms, p99_ms, most_ms


def _waits_ms(hop: HopDelay) -> tuple[float, ...]:
    """Known quantiles of a hop beyond its least delay, in order."""
    known = (hop.least_ms, hop.p50_ms, hop.p95_ms, hop.p99_ms, _top_ms(hop))
    return tuple(accumulate((delay_ms - hop.least_ms for delay_ms in known), max))


def _on_lattice(waits: Sequence[float]) -> list[float]:
    """Probability of each step; half a step below the least falls on the first one."""
    edges = [place - 0.5 for place in range(int(waits[-1]) + 3)]
    return [after - before for before, after in pairwise(_reached(waits, edge) for edge in edges)]


def _reached(waits: Sequence[float], wait: float) -> float:
    """Probability of at most this wait: even between the known quantiles."""
    if wait >= waits[-1]:
        return 1.0
    place = bisect(waits, wait)
    if not place:
        return 0.0
    part = (wait - waits[place - 1]) / (waits[place] - waits[place - 1])
    return _LEVELS[place - 1] + part * (_LEVELS[place] - _LEVELS[place - 1])


def _convolved(first: Sequence[float], second: Sequence[float]) -> list[float]:
    margin = [0.0] * (len(second) - 1)
    padded, turned = [*margin, *first, *margin], second[::-1]
    places = range(len(first) + len(second) - 1)
    return [sum(map(mul, padded[place : place + len(second)], turned)) for place in places]


def _top_ms(hop: HopDelay) -> float:
    """End of the last percent: as far beyond p99 as p99 is beyond p95, within the bound."""
    top_ms = hop.p99_ms + (hop.p99_ms - hop.p95_ms)
    return top_ms if hop.bound_ms is None else max(hop.p99_ms, min(top_ms, hop.bound_ms))
