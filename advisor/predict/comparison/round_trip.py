"""The round trip of a probe, from the prediction of its way out of the device."""

from advisor.predict.what_if.prediction import ClassPrediction
from advisor.quantity import Figure, enclosing
from advisor.settings.values import ReturnPath

PROCESSING_MS = 5.0  # processing delay of the routers in a probe, as rule SLA001 assumes


def round_trip(prediction: ClassPrediction, return_path: ReturnPath) -> Figure:
    """Round trip in ms of a probe in a class.

    The far end is not known. A loaded way back is taken to be like the way there; an idle one takes
    the transmission of the smallest packet of the class. Where the user states neither, the mean
    and its interval count an idle way back, and the bound a loaded one.
    """
    there = prediction.mean
    back = there
    if return_path is not ReturnPath.LOADED:
        idle_ms = min(prediction.least_ms, there.low)
        back = Figure(idle_ms, idle_ms, idle_ms, "ms")
    bound_ms = prediction.bound_ms
    if bound_ms is not None:
        bound_ms += back.value if return_path is ReturnPath.IDLE else bound_ms
        bound_ms += PROCESSING_MS
    return enclosing(
        there.value + back.value,
        there.low + back.low,
        there.high + back.high + PROCESSING_MS,
        "ms",
        bound_ms,
    )
