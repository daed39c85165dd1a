"""End-to-end prediction of a path of hops, with the quality of a call on it."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.reading import Source, read_source
from advisor.ground.quantity import Figure, enclosing
from advisor.ground.units import percent_from_ratio, ratio_from_percent
from advisor.model import QueueKind
from advisor.outlet.operations import is_for_voice
from advisor.predict.what_if import InputError, refuse_wrong_statements
from advisor.predict.what_if.path_hops import HopPrediction, PathOfHops, predicted_hop, source_of
from advisor.predict.what_if.prediction import ClassPrediction, DeJitter, Prediction, Quality
from advisor.settings import Settings
from advisor.settings.traffic_keys import Codec, CodecError, VoicePacket, load_codecs
from advisor.theory.voice import IMPAIRMENTS, HopDelay, PathDelay, along, fixed, mos, r_factor

_USUAL_CODEC = "g729"  # of calls over a WAN
APPROXIMATION = (
    "hops are independent: means and bounds add; distributions convolve, each even between its "
    "known quantiles; jitter adds as the root of the sum of squares"
)


class PathPrediction(Struct, frozen=True):
    """End to end in ms, loss in percent; `qualities` has an entry for each codec with a known R.

    The path carries the offers of its hops; the rated codecs do not change them.
    """

    hops: tuple[HopPrediction, ...]
    mean: Figure
    p50: Figure
    p95: Figure
    p99: Figure
    bound_ms: float | None
    jitter: Figure
    loss: Figure
    qualities: tuple[Quality, ...]
    remarks: tuple[str, ...]


def predict_path(
    path: PathOfHops, settings: Settings, open_config: Callable[[str], Source]
) -> PathPrediction:
    """Predict every hop and combine the results.

    Raises
    ------
    InputError
        If a hop cannot be predicted, its class does not exist there, the codec is unknown, or a
        statement names a class or an interface that no hop has.
    """
    codecs = _codecs(path)
    open_config = cache(open_config)
    if settings.traffic:
        sources = [source_of(hop, open_config) for hop in path.hops]
        refuse_wrong_statements(
            read_source(source, settings).device for source in sources if source is not None
        )
    hops = tuple(predicted_hop(hop, settings, open_config) for hop in path.hops)
    low, value, high = (along([_delay(hop, end) for hop in hops]) for end in _ENDS)
    unknown = [hop.name for hop in hops if hop.predicted and hop.predicted.loss is None]
    remarks = [APPROXIMATION]
    if unknown:
        remarks.append(f"the loss of {', '.join(unknown)} is not known: assumed to be 0")
    remarks += [
        f"{codec.name}: no impairment factor of ITU-T G.113 is known; no R"
        for codec, _ in codecs
        if codec.name not in IMPAIRMENTS
    ]
    bound_ms = high.bound_ms
    return PathPrediction(
        hops=hops,
        mean=enclosing(value.mean_ms, low.mean_ms, high.mean_ms, "ms", bound_ms),
        p50=enclosing(value.p50_ms, low.p50_ms, high.p50_ms, "ms"),
        p95=enclosing(value.p95_ms, low.p95_ms, high.p95_ms, "ms"),
        p99=enclosing(value.p99_ms, low.p99_ms, high.p99_ms, "ms"),
        bound_ms=bound_ms,
        jitter=enclosing(value.ipdv_ms, low.ipdv_ms, high.ipdv_ms, "ms"),
        loss=_percent((value, low, high)),
        qualities=tuple(
            _quality(codec, packet, (low, value, high), path.jitter_buffer_ms)
            for codec, packet in codecs
            if codec.name in IMPAIRMENTS
        ),
        remarks=tuple(remarks),
    )


def rated_call(predicted: ClassPrediction, codec: str) -> Quality | None:
    """Quality of a call over one predicted hop; None where the codec has no impairment factors.

    Raises
    ------
    InputError
        If the codec is unknown.
    """
    known, packet = _codec(codec, None)
    if known.name not in IMPAIRMENTS:
        return None
    hop = HopPrediction(predicted.object, 0.0, predicted)
    low, value, high = (along([_delay(hop, end)]) for end in _ENDS)
    return _quality(known, packet, (low, value, high), None)


def with_calls(device: Device, predictions: Sequence[Prediction]) -> tuple[Prediction, ...]:
    """The predictions of a device, with the quality of a G.729 call over the hop where it is known.

    It stands beside priority classes for voice whose loss is known.
    """
    return tuple(
        replace(prediction, call=rated_call(prediction, _USUAL_CODEC))
        if isinstance(prediction, ClassPrediction) and _has_calls(device, prediction)
        else prediction
        for prediction in predictions
    )


def _has_calls(device: Device, prediction: ClassPrediction) -> bool:
    if prediction.kind != QueueKind.PRIORITY or prediction.never_empty or prediction.loss is None:
        return False
    return is_for_voice(device, prediction.class_name)


def _percent(delays: tuple[PathDelay, PathDelay, PathDelay]) -> Figure:
    value, low, high = (percent_from_ratio(delay.loss_ratio) for delay in delays)
    return enclosing(value, low, high, "%")


def _codecs(path: PathOfHops) -> tuple[tuple[Codec, VoicePacket], ...]:
    """The codecs to rate, the first with `packet_ms`; without codecs, all that have an R."""
    if not path.codecs:
        return tuple(_codec(name, None) for name in IMPAIRMENTS)
    first, *others = path.codecs
    return (_codec(first, path.packet_ms), *(_codec(name, None) for name in others))


def _codec(name: str, packet_ms: int | None) -> tuple[Codec, VoicePacket]:
    try:
        return load_codecs().packet(name, packet_ms)
    except CodecError as error:
        raise InputError(f"{error.key}: {error}") from None


_END = Callable[[Figure], float]
_ENDS: tuple[_END, ...] = (
    lambda figure: figure.low,
    lambda figure: figure.value,
    lambda figure: figure.high,
)


def _delay(hop: HopPrediction, end: _END) -> HopDelay:
    """The hop with its fixed delay, at one end of the unknown inputs."""
    prediction, more_ms = hop.predicted, hop.fixed_ms
    if prediction is None:
        return fixed(more_ms)
    return HopDelay(
        least_ms=min(prediction.least_ms, end(prediction.p50)) + more_ms,
        mean_ms=end(prediction.mean) + more_ms,
        p50_ms=end(prediction.p50) + more_ms,
        p95_ms=end(prediction.p95) + more_ms,
        p99_ms=end(prediction.p99) + more_ms,
        bound_ms=None if prediction.bound_ms is None else prediction.bound_ms + more_ms,
        ipdv_ms=end(prediction.jitter),
        loss_ratio=0.0 if prediction.loss is None else ratio_from_percent(end(prediction.loss)),
    )


def _quality(
    codec: Codec,
    packet: VoicePacket,
    ends: tuple[PathDelay, PathDelay, PathDelay],
    buffer_ms: float | None,
) -> Quality:
    impairment = IMPAIRMENTS[codec.name]
    codec_ms = packet.packet_ms + impairment.lookahead_ms
    low, value, high = ends
    middle_bpl = (impairment.bpl_low + impairment.bpl_high) / 2
    best = _call(low, codec_ms, impairment.ie, impairment.bpl_high, buffer_ms)
    call = _call(value, codec_ms, impairment.ie, middle_bpl, buffer_ms)
    worst = _call(high, codec_ms, impairment.ie, impairment.bpl_low, buffer_ms)
    lowest, highest = min(worst.r, call.r), max(best.r, call.r)
    delays, losses = (
        [rated.ms for rated in (best, call, worst)],
        [best.lost, call.lost, worst.lost],
    )
    return Quality(
        codec=f"{codec.name}, {packet.packet_ms} ms",
        de_jitter=call.de_jitter,
        mouth_to_ear=enclosing(call.ms, min(delays), max(delays), "ms"),
        lost=enclosing(call.lost, min(losses), max(losses), "%"),
        r=enclosing(call.r, lowest, highest, ""),
        mos=enclosing(mos(call.r), mos(lowest), mos(highest), ""),
        source=f"{impairment.source}; ITU-T G.107 with all else at its default",
    )


class _Call(Struct, frozen=True):
    r: float
    ms: float
    lost: float  # percent
    de_jitter: DeJitter


def _call(
    path: PathDelay, codec_ms: float, ie: float, bpl: float, buffer_ms: float | None
) -> _Call:
    """The call with the given de-jitter buffer, else with the best of three playout points."""
    network = percent_from_ratio(path.loss_ratio)
    playouts: Sequence[tuple[float, float]] = (
        (path.p95_ms, 5.0),
        (path.p99_ms, 1.0),
        (path.most_ms, 0.0),
    )
    if buffer_ms is not None:
        at_ms = path.least_ms + buffer_ms
        playouts = ((at_ms, _late_percent(path, at_ms)),)
    calls = []
    for at_ms, late in playouts:
        lost = network + (100 - network) * ratio_from_percent(late)
        buffer = DeJitter(at_ms - path.least_ms, late, is_stated=buffer_ms is not None)
        ear_ms = codec_ms + at_ms
        calls.append(_Call(r_factor(ear_ms, ie, bpl, lost), ear_ms, lost, buffer))
    return max(calls, key=lambda rated: rated.r)


def _late_percent(path: PathDelay, at_ms: float) -> float:
    """Packets later than a playout point, read between the known quantiles."""
    knots = [
        (path.least_ms, 100.0),
        (path.p50_ms, 50.0),
        (path.p95_ms, 5.0),
        (path.p99_ms, 1.0),
        (path.most_ms, 0.0),
    ]
    if at_ms >= path.most_ms:
        return 0.0
    late = 100.0
    for (left, above), (right, below) in pairwise(knots):
        if left <= at_ms <= right:
            share = (at_ms - left) / (right - left) if right > left else 1.0
            late = min(late, above + (below - above) * share)
    return late
