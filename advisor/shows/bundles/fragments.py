"""`show frame-relay fragment`: the fragment size of each circuit.

Sources: Cisco IOS Wide-Area Networking Command Reference, `show frame-relay fragment`, and Cisco
10000 Series Router Quality of Service Configuration Guide, verification of FRF.12.
"""

import re
from typing import Final

from msgspec import Struct

from advisor.ios.syntax.tree import Location
from advisor.shows.figures import count
from advisor.shows.indent import ShownLine
from advisor.shows.layout import LayoutError, Part, Reading, declined
from advisor.shows.output import Output
from advisor.units import NumeralError, whole

_EXPECTED: Final = "show frame-relay fragment"


class FragmentedCircuit(Struct, frozen=True):
    """One DLCI with fragmentation; `kind` is as printed: `end-to-end`, `VoFR`, `VoFR-cisco`.

    `fragment_bytes` is the largest fragment as configured. Counters are None if they wrapped.
    """

    interface: str
    dlci: int
    kind: str
    fragment_bytes: int
    input_fragments: int | None
    output_fragments: int | None
    dropped_fragments: int | None
    at: Location


_HEAD: Final = re.compile(
    r"interface\s+dlci\s+frag-type\s+(?:frag-)?size\s+in-frag\s+out-frag\s+dropped-frag"
)
_ROW: Final = re.compile(
    r"([A-Za-z]\S*\d)\s+(\d+)\s+([A-Za-z]\S*)\s+(\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)"
)


def read_fragments(text: str, file: str, first_line: int = 1) -> Reading[FragmentedCircuit]:
    """Circuits of a `show frame-relay fragment` output without arguments, in order.

    An unknown row is declined. Without records only if IOS prints its head alone: no circuit
    fragments.

    Raises
    ------
    LayoutError
        If the head is missing: with an interface and a DLCI IOS prints another layout.
    """
    output = Output(text, file, first_line, _EXPECTED)
    circuits: list[FragmentedCircuit] = []
    errors: list[LayoutError] = []
    has_head = False
    for line in output.lines():
        if _HEAD.fullmatch(line.text):
            has_head = True
            continue
        try:
            circuits.append(_circuit(line, output))
        except LayoutError as error:
            errors.append(error)
        except NumeralError as error:
            errors.append(output.beyond((line,), error))
    if not has_head:
        raise errors[0] if errors else output.nothing()
    parts = (declined(Part.ROW, "", error.at, error) for error in errors)
    return Reading(tuple(circuits), tuple(parts))


def _circuit(line: ShownLine, output: Output) -> FragmentedCircuit:
    row = _ROW.fullmatch(line.text)
    if row is None:
        raise output.unknown(line)
    interface, dlci, kind, fragment, received, sent, dropped = row.groups()
    return FragmentedCircuit(
        interface=interface,
        dlci=whole(dlci),
        kind=kind,
        fragment_bytes=whole(fragment),
        input_fragments=count(received),
        output_fragments=count(sent),
        dropped_fragments=count(dropped),
        at=output.at(line),
    )
