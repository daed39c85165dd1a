"""Voice quality from delay and loss: the E-model's R factor and MOS of a codec."""

from math import exp, log2, log10, sqrt

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
