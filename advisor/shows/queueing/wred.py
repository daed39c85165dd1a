"""The WRED block of the `show queueing` family: three heads, three tables."""

import re
from collections.abc import Mapping
from typing import Final

from advisor.ios.syntax.tree import Location
from advisor.shows.figures import count
from advisor.shows.queueing.records import CircuitId, RandomDetect, RandomDetectRow
from advisor.units import whole

_FACTS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"Queueing strategy:\s*(?P<strategy>.*)",
        r"Exp-weight-constant:\s*(?P<exponent>\d+)\s*\(1/\d+\)",
        r"Mean queue depth:\s*(?P<mean>\d+)",
        r"Total output drops per VC:\s*(?P<total_drops>-?\d+)",
        r"Random-detect not active on the dialer",
        r"Drop batch size: \d+",
        r"Max flow count:.*|Flow-based .*|Maximum flow count:.*",
    )
)
_HEADS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # 12.3 and later
        r"(?:class|dscp|precedence)\s+Random drop\s+Tail drop\s+Minimum\s+Maximum\s+Mark",
        r"(?:\(Prec\)\s+)?pkts/bytes\s+pkts/bytes\s+thresh\s+thresh\s+prob",
        # 12.0 to 12.2, with or without the column of sent packets
        r"Class\s+Random\s+Tail\s+Minimum\s+Maximum\s+Mark(?:\s+Output)?",
        r"drop\s+drop\s+threshold\s+threshold\s+probability(?:\s+packets)?",
    )
)
_COUNT: Final = r"(-?\d+)(?:/(-?\d+))?"
_ROW: Final = re.compile(
    rf"([a-z]+\d*|\d+)(?:\([a-z]*\d+\))?\s+{_COUNT}\s+{_COUNT}\s+(\d+)\s+(\d+)\s+1/(\d+)"
    r"(?:\s+(-?\d+))?",
    re.IGNORECASE,
)


class RandomDetectDraft:
    """A WRED block while its lines are read."""

    def __init__(self, interface: str, circuit: CircuitId | None, at: Location) -> None:
        self._interface, self._circuit, self._at = interface, circuit, at
        self._facts: dict[str, str] = {}
        self._rows: list[RandomDetectRow] = []

    def take(self, body: str, at: Location) -> bool:
        """Read one line; False if it does not belong to a WRED block."""
        row = _ROW.fullmatch(body)
        if row is not None:
            self._rows.append(_row(row, at))
            return True
        for pattern in _FACTS:
            match = pattern.fullmatch(body)
            if match is not None:
                self._facts.update(match.groupdict())
                return True
        return any(head.fullmatch(body) for head in _HEADS)

    def finished(self) -> RandomDetect:
        """Return the typed block."""
        facts: Mapping[str, str] = self._facts
        return RandomDetect(
            interface=self._interface,
            circuit=self._circuit,
            strategy=facts.get("strategy"),
            weight_exponent=count(facts.get("exponent")),
            mean_queue_depth_packets=count(facts.get("mean")),
            total_output_drops_packets=count(facts.get("total_drops")),
            rows=tuple(self._rows),
            at=self._at,
        )


def _row(match: re.Match[str], at: Location) -> RandomDetectRow:
    name, random, random_bytes, tail, tail_bytes, low, high, denominator, sent = match.groups()
    return RandomDetectRow(
        name=name,
        random_drops_packets=count(random),
        random_drops_bytes=count(random_bytes),
        tail_drops_packets=count(tail),
        tail_drops_bytes=count(tail_bytes),
        min_threshold_packets=whole(low),
        max_threshold_packets=whole(high),
        mark_probability_denominator=whole(denominator),
        output_packets=count(sent),
        at=at,
    )
