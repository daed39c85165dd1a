"""What the kernel has measured of every flow."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from advisor.theory.flows import Flow
from advisor.theory.interface import Interface
from advisor.theory.kernel.layout import Start, numbers_of
from advisor.theory.kernel.machine import Extent, run


class Measured(Struct, frozen=True):
    """Delays of the packets of a flow that were sent; fields in the order of `results_write`.

    `deviation_ms` is the standard error of the mean over independent replications. `early_ms` and
    `late_ms` are the means of the halves of the measured time.
    """

    packets: float
    mean_ms: float
    deviation_ms: float
    early_ms: float
    late_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    longest_ms: float
    ipdv_ms: float
    pairs: float
    offered: float
    policed: float
    tail_dropped: float
    loss_ratio: float  # part of the packets that were dropped when they came
    unsent_ratio: float  # part of them that was not sent
    carried: float  # part of the time that the wire sends the flow


_FIELDS = len(Measured.__struct_fields__)


def measure(
    interface: Interface,
    flows: Sequence[Flow],
    extent: Extent,
    targets: Sequence[float],
    starts: Mapping[str, Start],
) -> tuple[Measured, ...]:
    """Run an interface; one row for each flow.

    Raises
    ------
    TooLargeError
        If the kernel has no memory for the queues.
    """
    numbers = run(numbers_of(interface, flows, targets, starts), extent, _FIELDS * len(flows))
    return tuple(
        Measured(*numbers[begin : begin + _FIELDS]) for begin in range(0, len(numbers), _FIELDS)
    )
