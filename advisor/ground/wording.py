"""Words for typed sources and remarks: made here, never read by a decision."""

from enum import StrEnum

from advisor.ground.quantity import LowerLoad, RateKind

_RATES = {
    RateKind.CLOCK_RATE: "clock rate, {}",
    RateKind.TIMESLOTS: "timeslots, {}",
    RateKind.SPEED: "speed, {}",
    RateKind.PORT: "{} port",
    RateKind.BANDWIDTH_LABEL: "bandwidth (a label; the clock may differ), {}",
    RateKind.DESCRIBED_LINE: "description (a label; the clock may differ), {}",
    RateKind.CIR: "CIR, {}",
    RateKind.STATED: "stated, {}",
    RateKind.DESCRIPTION: "description, {}",
    RateKind.GUARANTEE: "bandwidth, {}",
    RateKind.CLASS_SHAPER: "shape, {}",
    RateKind.REMAINDER: "{}, less what other classes reserve",
}


def rate_source(kind: RateKind, detail: object) -> str:
    """Source of a rate; `detail` is the line, the kind of port, or the base rate."""
    return _RATES.get(kind, "{}").format(detail)


_LOWER_LOADS = {LowerLoad.POLICED: "held by their policers"}


def load_words(load: LowerLoad) -> str:
    """Describe the lower classes in the congested case: "the lower classes are ..."."""
    return _LOWER_LOADS.get(load, load.value)


class RemarkKind(StrEnum):
    """A setting of a class that its predicted figures do not include."""

    RANDOM_DETECT = "random-detect"
    SHAPE = "shape"
    POLICE = "police"
    NESTED_POLICY = "the nested policy"
    SHORTER_QUEUE = "shorter queue"
    SHARED_RING = "shared ring"
    POLICED = "policed"
    UNREAD_LINES = "unread lines"
    ACCOUNT = "account"
    ASSUMED_LOSS = "assumed loss"


class NoBound(StrEnum):
    """Why a class has no bound of its delay."""

    SHORTER_QUEUE = "shorter queue"
    SHARED_RING = "shared ring"
    OWN_SHAPER = "own shaper"
    BUNDLE = "bundle"
    UNPOLICED = "unpoliced"
    QUEUE_ONLY = "queue only"
    SHAPER = "shaper"
    NOT_DERIVED = "not derived"


_NO_BOUNDS = {
    NoBound.SHORTER_QUEUE: "the queue is solved shorter than configured",
    NoBound.SHARED_RING: "packets of other policies stand in the same ring",
    NoBound.OWN_SHAPER: "the class has a shaper of its own",
    NoBound.BUNDLE: "the model bounds only the first priority level of a bundle",
    NoBound.UNPOLICED: "no policer limits what comes to the priority queue",
    NoBound.QUEUE_ONLY: "only its queue-limit bounds it, far above any delay that is seen",
    NoBound.SHAPER: "the ring behind this shaper may fill: the model derives none",
    NoBound.NOT_DERIVED: "the model derives none",
}


def no_bound_words(why: NoBound) -> str:
    """Why there is no bound, as it is printed beside the figures of a class."""
    return _NO_BOUNDS[why]


_REMARKS = {
    RemarkKind.SHORTER_QUEUE: "solved with a shorter queue-limit than configured: no bound",
    RemarkKind.SHARED_RING: "packets of other policies at the same ring are not in the figures: "
    "no bound",
    RemarkKind.POLICED: "always packets to send, and `police` passes a part of them: the values "
    "are those of evenly spaced packets, the intervals include bursts",
    RemarkKind.ASSUMED_LOSS: "its loss depends on its traffic, which is neither stated nor "
    "measured: state it in [[traffic]]",
    RemarkKind.ACCOUNT: "the shaper counts the headers or cells that its `account` names: they are "
    "not in the figures",
    RemarkKind.UNREAD_LINES: "lines of its policy, interface or circuit are not understood: the "
    "figures are those without them (PRS001 of lint names them)",
}


def remark_words(kind: RemarkKind) -> str:
    """A remark as it is printed beside the figures of a class."""
    return _REMARKS.get(kind) or f"{kind} of this class is not in the figures"
