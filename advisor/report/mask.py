"""Secrets out of what a report says: every renderer starts with it, with the mask of bundles."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.masking import (
    REMOVED,
    mask_captured,
    mask_output,
    mask_quoted,
    mask_quoted_line,
    typed_words,
)
from advisor.capture.masking.words import is_address, is_interface, is_name, is_number
from advisor.device.coverage import DeviceCoverage, FileCoverage
from advisor.lint.findings import (
    Cost,
    Finding,
    Level,
    Narrowed,
    ObjectKind,
    Place,
    Remedy,
    SideEffect,
    Skipped,
    Verdict,
)

# Steps of an object that are no commands of IOS, and what their names look like.
_STEPS: Final[Mapping[str, Callable[[str], bool]]] = {
    "member": is_interface,
    "dlci": is_number,
    "peer": is_address,
    "service group": is_number,
    "policy": is_name,
}
_PATH: Final = "object"
_Result = TypeVar("_Result")
_TELLING_CHARACTERS = 4  # shorter pieces of a secret also occur as numbers and words of a message
_HIDDEN = "reports must not show all of its line `{line}`"


def mask_commands(text: str) -> str:
    """Return a list of commands, as coverage joins them, each masked.

    Examples
    --------
    >>> mask_commands("show run | i key xyz, show version")
    'show run | i key <removed>, show version'
    """
    return ", ".join(mask_captured(command) for command in text.split(", "))


def mask_path(text: str) -> str:
    """Return lines of nested sections, as an object joins them, each masked.

    A step that is no command names an interface, a circuit or a policy.

    Examples
    --------
    >>> mask_path("policy-map WAN > class VOICE > police xyz")
    'policy-map WAN > class VOICE > police <removed>'
    >>> mask_path("interface Multilink1 > member Serial0/0"), mask_path("member xyz")
    ('interface Multilink1 > member Serial0/0', 'member <removed>')
    """
    return " > ".join(_step(line) for line in text.split(" > "))


def mask_class(name: str) -> str:
    """Return the name of a class without secrets."""
    return mask_path(f"class {name}").removeprefix("class ")


def _step(line: str) -> str:
    kind, _, name = line.partition(" ")
    if kind == "group" and _is_group(name):
        return line
    kind, _, name = line.rpartition(" ")
    may_be_shown = _STEPS.get(kind)
    if may_be_shown is not None and may_be_shown(name):
        return line
    return mask_quoted_line(line)


def masked_result(result: _Result) -> _Result:
    """Return a result, records in records, whose paths and quoted lines are masked.

    Examples
    --------
    >>> masked_result(("`enable secret xyz` is refused", 3))
    ('`enable secret <removed>` is refused', 3)
    """
    masked: object = result
    if type(result) is str:  # a word of an enumeration stays one
        masked = mask_quoted(str(result))
    elif isinstance(result, tuple | list):
        masked = type(result)(map(masked_result, result))
    elif isinstance(result, Struct):
        values = {name: getattr(result, name) for name in result.__struct_fields__}
        changed = {
            name: mask_path(value) if name == _PATH else masked_result(value)
            for name, value in values.items()
        }
        changed = {name: value for name, value in changed.items() if value is not values[name]}
        masked = replace(result, **changed) if changed else result
    return cast("_Result", masked)


def masked_finding(finding: Finding) -> Finding:
    """Return a finding without secrets, its remedy by hand where a line of it must not be shown."""
    shown_object, message = _object(finding.object, finding.object_kind), finding.message
    sections = finding.object.split(" > ") if shown_object != finding.object else []
    lines = (*sections, *(place.text for place in finding.locations))
    telling = (line for line in lines if len(line) >= _TELLING_CHARACTERS)
    for line in sorted(telling, key=len, reverse=True):
        message = message.replace(line, mask_quoted_line(line))  # it may hold a backtick itself
    message = mask_quoted(message)
    for line in lines:
        for word in typed_words(line):
            if len(word) >= _TELLING_CHARACTERS:
                message = message.replace(word, REMOVED)
                shown_object = shown_object.replace(word, REMOVED)
    return replace(
        finding,
        message=message,
        then=tuple(replace(item, message=mask_quoted(item.message)) for item in finding.then),
        object=shown_object,
        locations=tuple(_place(at) for at in finding.locations),
        remedy=None if finding.remedy is None else _remedy(finding.remedy),
    )


def _place(at: Place) -> Place:
    text = mask_quoted_line(at.text)
    return at if text == at.text else Place(at.file, at.line, text)


def _remedy(remedy: Remedy) -> Remedy:
    """Return a remedy that may be shown: by hand where a line of it must not be.

    Lines to paste must be exact. One that would lose words has none.
    """
    hidden = hidden_line(remedy.lines, remedy.rollback)
    if hidden is None:
        advice = None if remedy.advice is None else mask_quoted(remedy.advice)
        worse, costs = map(masked_effect, remedy.worse), map(masked_cost, remedy.costs)
        merged = remedy.merged and replace(remedy.merged, object=mask_path(remedy.merged.object))
        return replace(remedy, advice=advice, merged=merged, worse=tuple(worse), costs=tuple(costs))
    return without_hidden(hidden, remedy.advice)


def hidden_line(*parts: Sequence[str]) -> str | None:
    """Return the first line that a report must not show whole, as it may be shown."""
    masked = ((line, mask_quoted_line(line)) for part in parts for line in part)
    hidden = (shown for line, shown in masked if shown != line or not line.isprintable())
    return next((line.strip() for line in hidden), None)


def without_hidden(line: str, advice: str | None = None) -> Remedy:
    """Return a remedy by hand that names the line which keeps the others from being shown."""
    reason = _HIDDEN.format(line=line)
    rest = "" if advice is None else f"; {mask_quoted(advice)}"
    return Remedy(Level.MANUAL, advice=f"{reason}{rest}")


def masked_cost(cost: Cost) -> Cost:
    """Return a cost without secrets in its names."""
    figure, finding = cost.figure, cost.finding
    if finding is not None:
        finding = replace(finding, object=_object(finding.object, finding.object_kind))
    return Cost(None if figure is None else masked_effect(figure), finding)


def masked_effect(effect: SideEffect) -> SideEffect:
    """Return a side effect without secrets in its names."""
    group = None if effect.group is None else masked_group(effect.group)
    return replace(effect, object=mask_path(effect.object), group=group)


def masked_group(name: str) -> str:
    """Return the name of a group of flows without secrets."""
    return name if _is_group(name) else mask_quoted_line(name)


def _is_group(name: str) -> bool:
    """Whether this names flows: by a name of the settings, by "af31" or by "precedence 3"."""
    kind, _, value = name.rpartition(" ")
    return is_number(value) if kind == "precedence" else " " not in name and is_name(name)


def _object(text: str, kind: ObjectKind) -> str:
    return mask_path(text) if kind is ObjectKind.SECTIONS else mask_quoted(text)


def _skipped(skipped: Skipped) -> Skipped:
    return replace(
        skipped,
        object=_object(skipped.object, skipped.object_kind),
        reason=mask_quoted(skipped.reason),
    )


def _coverage(coverage: FileCoverage) -> FileCoverage:
    assumed = tuple(mask_quoted(sentence) for sentence in coverage.assumed)
    unjudged = tuple(replace(kind, what=mask_output(kind.what)) for kind in coverage.unjudged)
    taken_for = mask_commands(coverage.taken_for)
    return replace(coverage, taken_for=taken_for, unjudged=unjudged, assumed=assumed)


def _commands(coverage: DeviceCoverage) -> DeviceCoverage:
    return replace(coverage, captured=tuple(map(mask_captured, coverage.captured)))


def masked(verdict: Verdict) -> Verdict:
    """Verdict without secrets; every renderer of a verdict starts with it."""
    return replace(
        verdict,
        findings=tuple(map(masked_finding, verdict.findings)),
        skipped=tuple(map(_skipped, verdict.skipped)),
        coverage=tuple(map(_coverage, verdict.coverage)),
        devices=tuple(map(_commands, verdict.devices)),
        incomplete=tuple(map(mask_quoted, verdict.incomplete)),
        misstated=tuple(map(mask_quoted, verdict.misstated)),
        narrows=None if verdict.narrows is None else _narrowed(verdict.narrows),
    )


def _narrowed(narrowed: Narrowed) -> Narrowed:
    by = (replace(item, of=mask_class(item.of)) for item in narrowed.by)
    return replace(narrowed, object=mask_path(narrowed.object), by=tuple(by))
