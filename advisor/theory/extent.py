"""How large an interface is solved: a larger one is declined before its memory is taken.

Every array whose size follows from a number of the interface is announced here first.
"""

from collections.abc import Sequence
from math import prod

from advisor.theory.interface import Fragmentation, ModelError, Traffic

MOST_VALUES = 16_000_000  # of one array: 128 MB; a solution keeps a few of them
MOST_DRAWN = 2_000_000  # numbers drawn at once: draws are kept for the next interface
MOST_CLASSES = 256  # that one interface carries; IOS takes 256 classes in a policy-map
MOST_KINDS = 10_000  # sizes of a class that differ on the wire: each of a jumbo frame
MOST_PIECES = 200_000  # fragments of one packet of each of them
MOST_SOURCES = 300  # on/off, solved as a fluid: the time grows with the cube
MOST_STEPS = 200_000  # times at which a bound is looked at


class TooLargeError(ModelError):
    """The interface is one that could be modelled, with more memory or time than is given."""


def bounded(what: str, most: int, *sides: float) -> None:
    """Decline what has more than `most` values.

    Parameters
    ----------
    what : str
        What would have them, for the error.
    most : int
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
        raise TooLargeError(f"{what}: {values:.3g}, more than is solved ({most})")


def bounded_traffic(traffic: Sequence[Traffic], cut: Fragmentation | None) -> None:
    """Decline more classes, or more sizes or fragments of one, than are solved.

    Raises
    ------
    TooLargeError
        If there are more.
    """
    bounded("classes of traffic", MOST_CLASSES, len(traffic))
    for each in traffic:
        sizes = len(each.sizes.bytes_and_weights)
        bounded(f"class {each.name}: packet sizes", MOST_KINDS, sizes)
        if cut is not None:
            pieces = sum(-(-size // cut.fragment_bytes) for size, _ in each.sizes.bytes_and_weights)
            bounded(f"class {each.name}: fragments", MOST_PIECES, pieces)
