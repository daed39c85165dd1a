"""Steps of a paste: whether IOS takes each command in the state that those before it left."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from advisor.capture.masking import is_masked
from advisor.device.device import Device, why_part
from advisor.device.platform import Decision
from advisor.ios.edit.apply import apply
from advisor.ios.syntax.tree import ConfigTree
from advisor.lint.ios_refusals import RefusalKind, Refused, refused_states
from advisor.lint.trial import on_the_way, snippet_of

# Words of the commands that can bring about a state of `ios_refusals`.
_BEARING: Final = frozenset((
    *("bandwidth", "priority", "shape", "service-policy", "max-reserved-bandwidth", "clock"),
    *("frame-relay", "class", "interface", "policy-map", "vbr-nrt", "vbr-rt", "cbr", "abr", "ubr"),
))  # fmt: skip
_HEADS: Final = ("class ", "interface ", "policy-map ")  # entering a section changes nothing
_DEFINITIONS: Final = ("interface ", "policy-map ", "class-map ", "map-class ")
_MAP_CLASS: Final = "map-class frame-relay "
_FRAGMENT: Final = "frame-relay fragment"
_FAIR_QUEUE: Final = "fair-queue"


class Step(Struct, frozen=True):
    """A command of a snippet with the lines that enter its mode."""

    path: tuple[str, ...]
    text: str


def steps_of(lines: Sequence[str]) -> Iterator[tuple[int, Step]]:
    """Each line of an indented snippet with its number, and the lines above it that it is under."""
    path: list[str] = []
    for number, line in enumerate(lines):
        depth = len(line) - len(line.lstrip(" "))
        del path[depth:]
        yield number, Step(tuple(path), line.strip())
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
    bearing = [(number, step) for number, step in steps_of(lines) if _bears(step)]
    if not bearing:
        return ""
    answers = device.derived(_answers)
    key = (id(start), tuple(lines), is_way_back)
    if key not in answers:  # findings of one cure have the same lines
        answers[key] = start, _first_refusal(device, start, lines, bearing, is_way_back=is_way_back)
    return answers[key][1]


def _answers(_: Device) -> dict[tuple[int, tuple[str, ...], bool], tuple[ConfigTree, str]]:
    return {}


def _first_refusal(
    device: Device,
    start: ConfigTree,
    lines: Sequence[str],
    bearing: Sequence[tuple[int, Step]],
    *,
    is_way_back: bool,
) -> str:
    own = device.derived(refused_states)
    is_excusing = is_way_back and device.facts.tree.is_capture
    excused = own if is_excusing else {}
    before = own if start is device.facts.tree else _states(device, start)
    for number, step in bearing:
        after = _states(device, apply(start, snippet_of(lines[: number + 1])).tree)
        for key, state in after.items():
            if not _is_excused(state, before.get(key)) and not _is_excused(state, excused.get(key)):
                return f"`{step.text}`: {state.reason}"
        before = after
    return ""


def why_not_read(before: Device, after: Device, lines: Sequence[str]) -> str:
    """Why IOS would not read a line of a paste: a number out of its range, a word of no command."""
    known = {(line.text, line.under) for line in before.facts.unread}
    pasted = {step.text for _, step in steps_of(lines)}
    for line in after.facts.unread:
        if line.text in pasted and (line.text, line.under) not in known:
            takes = line.takes
            why = f"it takes {takes.low} to {takes.high}" if takes is not None else "not a command"
            return f"`{line.text}`: {why}"
    return ""


def _states(device: Device, tree: ConfigTree) -> dict[tuple[RefusalKind, str], Refused]:
    return on_the_way(device, tree).derived(refused_states)


def _is_excused(state: Refused, other: Refused | None) -> bool:
    return other is not None and state.extent <= other.extent


def _bears(step: Step) -> bool:
    if step.path and step.path[0].startswith(_MAP_CLASS) and _FRAGMENT in step.text:
        return False  # of a circuit: no state is about it
    of_circuit = bool(step.path) and step.path[-1].startswith("frame-relay ")  # `class` names a map
    if step.text.startswith(_HEADS) and not of_circuit:
        return False
    return step.text.removeprefix("no ").split()[0] in _BEARING


def why_not_offered(platform: Decision, lines: Sequence[str]) -> str:
    """Why a platform is not known to take a command; "" where nothing speaks against it.

    IOS XE: `tx-ring-limit` is in no model of Cisco's, and the effect of `fair-queue` on an
    interface has no source.
    """
    if not platform.is_xe:
        return ""
    for _, step in steps_of(lines):
        on_interface = len(step.path) == 1 and step.path[0].startswith("interface ")
        if step.text.startswith("tx-ring-limit "):
            return f"no source says that {platform.title} has `tx-ring-limit`"
        if on_interface and step.text == _FAIR_QUEUE:
            return f"no source says what `fair-queue` of an interface does on {platform.title}"
    return ""


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
