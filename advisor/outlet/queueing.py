"""What queues at an output."""

from enum import StrEnum


class Queueing(StrEnum):
    """What queues at an output."""

    POLICY = "policy"
    FIFO = "FIFO"
    FAIR_QUEUE = "weighted fair queueing"
    RANDOM_DETECT = "random-detect"
    LEGACY = "queueing older than MQC"
    CIRCUIT = "the queue of the circuit"
    BUNDLE = "the queues of its bundle"  # a policy of the member itself has no effect
    VOID = "a policy that queues no packet"  # its place gives it none
    UNREAD = "a policy that this part of the configuration does not hold"
    UNKNOWN = "unknown"  # no source states the default of IOS XE
