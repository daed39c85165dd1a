"""Lines of QoS and DLSw+ sections that the grammar does not know: nothing was judged by them."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.config import Unread
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence


class Evidence(Struct, frozen=True):
    """The section and its lines that were not understood."""

    under: str
    count: int
    lines: str  # in backquotes, with the range or the keywords that IOS takes instead


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each section with lines that were not understood, with all these lines."""
    del params
    sections: dict[str, list[Unread]] = {}
    for line in device.facts.unread:
        sections.setdefault(line.under, []).append(line)
    for section, lines in sections.items():
        quoted = ", ".join(map(_quoted, lines))
        yield Hit(
            section or "configuration",
            tuple(line.at for line in lines),
            Evidence(section or "the configuration", len(lines), quoted),
            Confidence.CERTAIN,
        )


def _quoted(line: Unread) -> str:
    if line.takes is not None:
        return f"`{line.text}` (it takes {line.takes.low} to {line.takes.high})"
    if line.doubt is None:
        return f"`{line.text}`"
    kind = "ambiguous" if line.doubt.ambiguous else "nearest keyword"
    return f"`{line.text}` ({kind}: {' or '.join(line.doubt.keywords)})"


CHECK = Check(NoParams, Evidence, find)
