"""ACM002: serial interfaces whose load is counted over a long time."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.checks import Check, Confidence, Device, Hit, Skip, sections

DEFAULT_S = 300  # of an interface without the command


class Params(Struct, frozen=True):
    """What the card may tune, and `[rules.ACM002]` of the settings."""

    most_s: int


class Evidence(Struct, frozen=True):
    """What the message and the template may name."""

    section: str
    seconds: int
    most_s: int


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each interface whose load-interval is longer."""
    for path in sections(device, "interface Serial*"):
        head, seconds = path[-1], DEFAULT_S
        for line in head.commands():
            match line.words:
                case ["load-interval", value] if value.isdecimal():
                    seconds = int(value)
        if seconds > params.most_s:
            evidence = Evidence(head.text, seconds, params.most_s)
            yield Hit(head.text, (device.facts.tree.at(head),), evidence, Confidence.CERTAIN)


CHECK = Check(Params, Evidence, find)
