"""Steps of a paste that IOS takes, and show commands that tell that a remedy took effect."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct

from advisor.capture.masking import is_masked
from advisor.device.device import Device, why_part
from advisor.device.platform import Decision
from advisor.device.platforms import Family
from advisor.device.platforms.commands import Absent, Has, KnownCommand, absent_of, is_from, rows_of
from advisor.facts.ranges import LEAST_FRAME_RELAY_BC_BITS
from advisor.ground.questions import derived
from advisor.ground.units import whole_or_none
from advisor.ios.edit.apply import apply
from advisor.ios.syntax import ConfigTree
from advisor.lint.affected_part import split_paste
from advisor.lint.findings import Verification
from advisor.lint.ios_refusals import RefusalKind, Refused, refused_states
from advisor.lint.trial import on_the_way, snippet_of

# Steps of a paste: whether IOS takes each command in the state that those before it left.

# Words of the commands that can bring about a state of `ios_refusals`.
_BEARING: Final = frozenset((
    *("bandwidth", "priority", "shape", "service-policy", "max-reserved-bandwidth", "clock"),
    *("frame-relay", "class", "interface", "policy-map", "vbr-nrt", "vbr-rt", "cbr", "abr", "ubr"),
))  # fmt: skip
_HEADS: Final = ("class ", "interface ", "policy-map ")  # entering a section changes nothing
_DEFINITIONS: Final = ("interface ", "policy-map ", "class-map ", "map-class ")
_MAP_CLASS: Final = "map-class frame-relay "
_FRAGMENT: Final = "frame-relay fragment"
# A member that joins its bundle makes the bundle an output; 12.0 and 12.1 have the shorter form.
_JOINING: Final = ("ppp multilink group ", "multilink-group ")


class PasteStep(Struct, frozen=True):
    """A command of a snippet with the lines that enter its mode."""

    path: tuple[str, ...]
    text: str


def steps_of(lines: Sequence[str]) -> Iterator[tuple[int, PasteStep]]:
    """Each line of an indented snippet with its number, and the lines above it that it is under."""
    path: list[str] = []
    for number, line in enumerate(lines):
        depth = len(line) - len(line.lstrip(" "))
        del path[depth:]
        yield number, PasteStep(tuple(path), line.strip())
        path.append(line.strip())


def why_not_taken(
    device: Device, start: ConfigTree, lines: Sequence[str], *, is_way_back: bool = False
) -> str:
    """Why IOS would not take a line of a paste in the state before it; "" where it takes all.

    A state that the configuration has already is no excuse: a step that asks for more is refused.
    A way back to what the device printed may have its states: IOS took what it holds. A config is
    read only where a line of the paste can bring about a state that IOS refuses.

    Parameters
    ----------
    device
        The device as it was captured.
    start
        Its config when the paste begins.
    lines
        The paste, indented.
    is_way_back
        Whether the paste leads back to the device as it was captured.
    """
    if not any(_bears(step) for _, step in steps_of(lines)):
        return ""
    answers = _answers(device)
    key = (id(start), tuple(lines), is_way_back)
    if key not in answers:  # findings of one cure have the same lines
        answers[key] = start, _refusal(device, start, lines, is_way_back=is_way_back)
    return answers[key][1]


def _refusal(device: Device, start: ConfigTree, lines: Sequence[str], *, is_way_back: bool) -> str:
    """The first refusal; a step that changes one interface alone is looked at on its part."""
    own = device.facts.tree
    begun = device if start is own else on_the_way(device, start)
    paste = split_paste(device, begun, on_the_way(device, _after(start, lines)), lines)
    is_taken = not any(
        _first_refusal(part.device, part.start, part.lines, is_way_back=is_way_back)
        for part in paste.parts
    )
    only = paste.shared if is_taken else range(len(lines))
    return _first_refusal(device, start, lines, only, is_way_back=is_way_back)


def _after(start: ConfigTree, lines: Sequence[str]) -> ConfigTree:
    return apply(start, snippet_of(lines)).tree


@derived
def _answers(_: Device) -> dict[tuple[int, tuple[str, ...], bool], tuple[ConfigTree, str]]:
    return {}


def _first_refusal(
    device: Device,
    start: ConfigTree,
    lines: Sequence[str],
    only: Collection[int] | None = None,
    *,
    is_way_back: bool,
) -> str:
    """The first step that brings about a state which IOS refuses; of some lines `only`."""
    own = refused_states(device)
    is_excusing = is_way_back and device.facts.tree.is_capture
    excused = own if is_excusing else {}
    before = own if start is device.facts.tree else _states(device, start)
    for number, step in steps_of(lines):
        if not _bears(step) or (only is not None and number not in only):
            continue
        after = _states(device, _after(start, lines[: number + 1]))
        for key, state in after.items():
            if not _is_excused(state, before.get(key)) and not _is_excused(state, excused.get(key)):
                return f"`{step.text}`: {state.reason}"
        before = after
    return ""


def why_not_read(before: Device, after: Device, lines: Sequence[str]) -> str:
    """Why IOS would not read a line of a paste: a number out of its range, a word of no command."""
    known = {(line.text, line.under) for line in before.facts.unread}
    pasted = {step.text for _, step in steps_of(lines)}
    small = next((text for text in pasted if _has_small_bc(text)), None)
    if small is not None:
        return f"`{small}`: it takes {LEAST_FRAME_RELAY_BC_BITS} bits at least"
    for line in after.facts.unread:
        if line.text in pasted and (line.text, line.under) not in known:
            takes = line.takes
            why = f"it takes {takes.low} to {takes.high}" if takes is not None else "not a command"
            return f"`{line.text}`: {why}"
    return ""


def _has_small_bc(text: str) -> bool:
    """Whether it is a Bc below what IOS takes; a printed one is read as it is."""
    bits = whole_or_none(text.removeprefix("frame-relay bc "))
    return bits is not None and bits < LEAST_FRAME_RELAY_BC_BITS


def _states(device: Device, tree: ConfigTree) -> dict[tuple[RefusalKind, str], Refused]:
    return refused_states(on_the_way(device, tree))


def _is_excused(state: Refused, other: Refused | None) -> bool:
    return other is not None and state.extent <= other.extent


def _bears(step: PasteStep) -> bool:
    if step.path and step.path[0].startswith(_MAP_CLASS) and _FRAGMENT in step.text:
        return False  # of a circuit: no state is about it
    of_circuit = bool(step.path) and step.path[-1].startswith("frame-relay ")  # `class` names a map
    if step.text.startswith(_HEADS) and not of_circuit:
        return False
    text = step.text.removeprefix("no ")
    return text.split()[0] in _BEARING or text.startswith(_JOINING)


def why_not_offered(device: Device, lines: Sequence[str]) -> str:
    """Why a platform or a release does not have a command; "" where it has, or may have, each."""
    platform = device.platform
    for _, step in steps_of(lines):
        for row in absent_of(_section(step), step.text):
            if _is_without(platform, row):
                return f"`{row.name}` on {platform.title}: {row.why}"
    for command, has in _later_commands(device, lines):
        if has is Has.NO:
            first = f"{command.releases} is the first"
            return f"{platform.exact_release} does not have `{command.name}`: {first}"
    return ""


def why_may_lack(device: Device, lines: Sequence[str]) -> str:
    """Name commands that the release may lack, as its train is not known; "" if it has all."""
    later = [row for row, has in _later_commands(device, lines) if has is Has.OPEN]
    if not later:
        return ""
    firsts = "; ".join(f"`{row.name}` from {row.releases} on" for row in later)
    return (
        f"{device.platform.exact_release} may not have all commands ({firsts}): see `show version`"
    )


def _later_commands(device: Device, lines: Sequence[str]) -> tuple[tuple[KnownCommand, Has], ...]:
    """Commands that the release lacks or may lack; what the configuration has, it has."""
    release, later = device.platform.exact_release, {}
    for _, step in steps_of(lines):
        for row in rows_of(_section(step), step.text):
            has = row.in_release(release)
            if has is not Has.YES and row.name not in _standing(device):
                later[row.name] = row, has
    return tuple(later.values())


@derived
def _standing(device: Device) -> frozenset[str]:
    """Names of the commands that the configuration has: so its release has them."""
    heads = tuple(device.facts.tree.commands())
    top = (row.name for head in heads for row in rows_of("", head.text))
    below = (
        row.name for head in heads for line in head.walk() for row in rows_of(head.text, line.text)
    )
    return frozenset((*top, *below))


def _section(step: PasteStep) -> str:
    return step.path[0] if step.path else ""


def _is_without(platform: Decision, row: Absent) -> bool:
    """Whether each family that the device may be is without a command; a 7500 may have VIPs."""
    is_7500 = Family.DISTRIBUTED in row.families and platform.may_be_distributed
    is_without = is_7500 or all(family in row.families for family in platform.families)
    return is_without and is_from(platform.exact_release, row.since)


def why_may_exist(device: Device, lines: Sequence[str]) -> str:
    """Why what a paste defines may be there already, with other lines; "" where it cannot."""
    unknown = why_part(device)
    if unknown is None:
        return ""
    heads = [f"{line.text} " for line in device.facts.tree.commands()]  # `… point-to-point`
    for line in lines:
        if line.startswith(_DEFINITIONS) and not any(head.startswith(f"{line} ") for head in heads):
            return f"the device may have `{line}` already: {unknown}"
    return ""


def masked_line(lines: Sequence[str]) -> str | None:
    """The first line that redaction masked: its text is not that of the device."""
    return next(filter(is_masked, lines), None)


# Show commands that tell, after the paste, whether a remedy took effect, and what they show.

_TOS = "dlsw tos"


def verifications(lines: Sequence[str]) -> tuple[Verification, ...]:
    """Show commands for lines that were pasted.

    >>> for check in verifications(("interface Serial0/0", " tx-ring-limit 1")):
    ...     print(check)
    show running-config interface Serial0/0: tx-ring-limit 1
    show controllers Serial0/0 | include tx_limited: tx_limited, with 1 in brackets
    >>> for check in verifications(("policy-map EDGE", " class A", "  random-detect dscp 10 9 30")):
    ...     print(check)
    show policy-map EDGE: class A: random-detect dscp 10 9 30
    >>> for check in verifications(("crypto map VPN 10 ipsec-isakmp", " qos pre-classify")):
    ...     print(check)
    show running-config | section crypto map VPN 10 ipsec-isakmp: qos pre-classify
    """
    found: dict[str, list[str]] = {}
    for command, shows in _checks([step for _, step in steps_of(lines)]):
        found.setdefault(command, []).append(shows)
    return tuple(
        Verification(command, ", ".join(dict.fromkeys(shows))) for command, shows in found.items()
    )


def _checks(steps: Sequence[PasteStep]) -> Iterator[tuple[str, str]]:
    for number, step in enumerate(steps):
        deeper = number + 1 < len(steps) and len(steps[number + 1].path) > len(step.path)
        if deeper:
            continue  # a head: its settings follow
        head = step.path[0] if step.path else step.text
        kind, _, name = head.partition(" ")
        if kind == "interface":
            yield f"show running-config interface {name}", _shown(step)
            yield from _of_interface(step, name)
        elif kind in ("policy-map", "class-map"):
            yield f"show {kind} {name.split()[-1]}", _shown(step)
        elif kind == "dlsw" and not head.startswith(_TOS):
            yield "show dlsw peers", "every peer in state CONNECT"
        elif step.path:
            yield f"show running-config | section {head}", _shown(step)
        else:
            subject = " ".join(head.removeprefix("no ").split()[:2])
            yield f"show running-config | include {subject}", _shown(step)
        if step.text.startswith("frame-relay fragment "):
            shows = f"frag-size {step.text.split()[2]}, dropped-frag steady at both ends"
            yield "show frame-relay fragment", shows


def _of_interface(step: PasteStep, name: str) -> Iterator[tuple[str, str]]:
    word, _, amount = step.text.partition(" ")
    if word == "tx-ring-limit":
        if any(head.startswith("pvc") for head in step.path):
            yield f"show atm pvc interface {name}", "the circuit is UP"
        else:
            ring = f"tx_limited, with {amount} in brackets"
            yield f"show controllers {name} | include tx_limited", ring
    elif step.text == "ppp multilink interleave":
        shows = "Interleaving enabled, every member active, lost fragments steady"
        yield "show ppp multilink", shows


def _shown(step: PasteStep) -> str:
    """The setting as the configuration shows it; with its inner section, as `class A: …`."""
    inner = "".join(f"{head}: " for head in step.path[1:])
    if step.text.startswith("no "):
        return f"{inner}without {step.text.removeprefix('no ')}"
    return f"{inner}{step.text}"
