"""How large an interface is solved: a larger one is declined before its memory is taken.

Every array whose size follows from a number of the interface is announced here first.
"""

from collections.abc import Sequence
from math import prod

from advisor.theory.interface import Fragmentation, ModelError, Poisson, Saturated, Traffic

MOST_LLQ_LOAD = 10.0  # times the line: more says nothing of a class below it
MOST_VALUES = 16_000_000  # of one array: 128 MB; a solution keeps a few of them
MOST_DRAWN = 2_000_000  # numbers drawn at once: draws are kept for the next interface
MOST_CLASSES = 256  # of one interface; IOS takes 256 classes in a policy-map
MOST_KINDS = 10_000  # sizes of a class that differ on the wire: all sizes up to a jumbo frame
MOST_PIECES = 200_000  # fragments of a class, of one packet of every size
MOST_SOURCES = 300  # on/off, solved as a fluid: the time grows with the cube
MOST_ON_TIMES = 1000  # of an on/off source, for one packet of it
MOST_STREAMS = 50_000  # of one class: each is a source of its own
MOST_GAP_S = 1e9  # between two packets: a rate beyond it is none
MOST_STEPS = 200_000  # times at which a bound is looked at


class TooLargeError(ModelError):
    """The interface could be modelled, but it needs more memory or time than allowed."""


def bounded(name: str, most: float, *sides: float) -> None:
    """Decline a part of an interface with more than `most` values.

    Parameters
    ----------
    name : str
        What is counted, for the error.
    most : float
        How many are allowed.
    *sides : float
        Lengths whose product is the number of values.

    Raises
    ------
    TooLargeError
        If there are more.
    """
    values = prod(sides)
    if not values <= most:
        raise TooLargeError(f"{name}: {values:.3g}, more than is solved ({most:.7g})")


def bounded_traffic(traffic: Sequence[Traffic], cut: Fragmentation | None) -> None:
    """Decline more classes, or more streams, sizes or fragments of one, than are solved.

    Raises
    ------
    TooLargeError
        If there are more.
    """
    bounded("classes of traffic", MOST_CLASSES, len(traffic))
    for traffic_class in traffic:
        if not isinstance(traffic_class.arrival, Poisson | Saturated):  # those are one source
            bounded(f"class {traffic_class.name}: streams", MOST_STREAMS, traffic_class.streams)
        sizes = len(traffic_class.sizes.bytes_and_weights)
        bounded(f"class {traffic_class.name}: packet sizes", MOST_KINDS, sizes)
        if cut is not None:
            pieces = sum(
                -(-size // cut.fragment_bytes) for size, _ in traffic_class.sizes.bytes_and_weights
            )
            bounded(f"class {traffic_class.name}: fragments", MOST_PIECES, pieces)
