"""The far end of a designed link: the same requirements on its own platform."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.design.edge_demand import DEFAULT_PLATFORM, EdgeDemand

# Cisco, Frame Relay End-to-End Keepalive: who sends requests needs an end that replies, and without
# a reply sets its PVC down; of two ends both are bidirectional or none.
KEEPALIVE: Final = "end-to-end keepalive "
_OTHER_SIDE: Final = {
    "request": "reply",
    "reply": "request",
    "passive-reply": "request",
    "send": "recv",
    "recv": "send",
}


class FarEnd(Struct, frozen=True):
    """The other end of a link: its lines, their way back and proof, and what differs from here.

    `only_here` and `only_there` are commands of one end alone; names of interfaces, and what ends
    the names of a design, do not count.
    """

    platform: str
    release: str
    interface: str
    lines: tuple[str, ...]
    rollback: tuple[str, ...]
    proof: tuple[str, ...]
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]


def far_demand(
    demand: EdgeDemand,
    model: str | None,
    release: str,
    fragment_bytes: int | None,
    kept: Sequence[str],
) -> EdgeDemand:
    """What the far end must do: on the stated platform, else on one like this end's.

    It has FRF.12 where this end has it, and answers the keepalives that this end keeps. Its
    interface and its LAN are its own: the design names the usual interface and marks nothing.
    """
    return replace(
        demand,
        platform=demand.far_platform or model or DEFAULT_PLATFORM,
        release=demand.far_release or release,
        interface=None,
        lan=None,
        fragment_bytes=fragment_bytes,
        must_fragment=demand.must_fragment and fragment_bytes is None,
        kept=tuple(_mirrored(each) for each in kept if each.startswith(KEEPALIVE)),
    )


def _mirrored(keepalive: str) -> str:
    """A setting of end-to-end keepalives as the other end must have it."""
    return " ".join(_OTHER_SIDE.get(word, word) for word in keepalive.split())


def differing(
    here: Sequence[str], there: Sequence[str], suffix: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Commands of one end alone, each in the order of its end."""
    ours, theirs = _counted(here, suffix), _counted(there, "")
    return _alone(here, suffix, theirs), _alone(there, "", ours)


def _counted(lines: Sequence[str], suffix: str) -> Counter[str]:
    return Counter(_meant(line, suffix) for line in lines)


def _alone(lines: Sequence[str], suffix: str, others: Counter[str]) -> tuple[str, ...]:
    left = others.copy()
    alone = []
    for line in lines:
        key = _meant(line, suffix)
        if left[key] > 0:
            left[key] -= 1
        else:
            alone.append(line.strip())
    return tuple(alone)


def _meant(line: str, suffix: str) -> str:
    """A command without the name of its interface and the suffix of the names of its end."""
    words = line.split()
    if words[:1] == ["interface"]:
        return "interface"
    return " ".join(word.removesuffix(suffix) if suffix else word for word in words)
