"""Outputs that were taken twice, as pairs of observations with the time between them."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.capture import Capture, Section
from advisor.shows.observations import Observations
from advisor.shows.observe import observe

_LEAST_S: Final = 0.9  # samples that are closer together give no usable rate


class SamplePair(Struct, frozen=True):
    """Observations of one command, and those of the same command `over_s` seconds later."""

    before: Observations
    after: Observations
    over_s: float


def sample_pairs(capture: Capture) -> Iterator[SamplePair]:
    """The outputs that a capture has twice; none where a time is not known."""
    for earlier in capture.earlier:
        later = next(
            (section for section in capture.sections if section.command == earlier.command), None
        )
        over_s = None if later is None else _between_s(earlier, later)
        if later is not None and over_s is not None:
            yield SamplePair(observe([earlier], earlier.file), observe([later], later.file), over_s)


def _between_s(earlier: Section, later: Section) -> float | None:
    if earlier.time is None or later.time is None:
        return None
    seconds = (later.time.local - earlier.time.local).total_seconds()
    return seconds if seconds >= _LEAST_S else None
