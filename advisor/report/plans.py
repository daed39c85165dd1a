"""Plans of `fix`: to read, to paste, as Markdown, a diff or JSON. Nothing is sent."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from advisor import __version__
from advisor.capture.masking import redact_config
from advisor.ground.quantity import count
from advisor.ground.records import picked
from advisor.lint.device_plan import LinkWork, PlanStep
from advisor.lint.findings import Cost, Finding, Level, SideEffect, Verification
from advisor.lint.plan import DevicePlan, Edited
from advisor.lint.site import SiteTemplates, header_lines
from advisor.report import printable
from advisor.report.document import Block, CodeBlock, Items, NamedItem, Title, as_markdown
from advisor.report.json_report import encoded
from advisor.report.mask import (
    hidden_line,
    masked_cost,
    masked_effect,
    masked_finding,
    without_hidden,
)
from advisor.report.terminal import PLAIN, RenderOptions

# Plans of `fix` without secrets, and their JSON. Nothing is sent.

# Recalled: no source is at hand for the questions of these commands.
_GUARDED: Final = (
    "guard: {minutes} minutes after `reload in` the router takes the change back by itself.",
    "The empty lines answer what `write memory` may ask, and confirm the reload.",
    "Recalled, no source at hand: watch the questions.",
    "Where the release has it, `configure terminal revert timer {minutes}` needs no reload.",
)
_KEEP: Final = "when the checks show what they should: `reload cancel`, then `write memory`"


class Plans(Struct, frozen=True):
    """Plans of devices, when the router takes a change back, and the header of the site."""

    devices: tuple[DevicePlan, ...]
    guard_minutes: int | None = None
    site: SiteTemplates | None = None


class GuardLines(Struct, frozen=True):
    """Commands before and after the steps, with which the router takes the change back by itself.

    `notes` say what they do, `keep` what to enter when the change is to stay.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    notes: tuple[str, ...]
    keep: str


def guard_of(plan: DevicePlan, minutes: int | None) -> GuardLines | None:
    """Guard of a plan; None where none is wanted, or nothing is pasted."""
    if minutes is None or not plan.steps:
        return None
    before = ("write memory", "", f"reload in {minutes}", "", "configure terminal")
    notes = tuple(line.format(minutes=minutes) for line in _GUARDED)
    return GuardLines(before, ("end",), notes, _KEEP)


class Cured(Struct, frozen=True):
    """A finding that a step cures, or that is left for a human, as `fix` prints it."""

    rule: str
    name: str
    object: str
    message: str
    advice: str | None


class Step(Struct, frozen=True):
    """Lines to paste together; `place` is their first line."""

    number: int
    place: str
    level: Level
    lines: tuple[str, ...]
    cures: tuple[Cured, ...]


class Snippet(Struct, frozen=True):
    """The plan of one device, as `fix --format json` prints it.

    `rollback` takes back all steps when it is pasted as a whole. `by_hand` are findings without
    lines, `links` those that are cut until both ends have changed. `worse` are the figures that all
    steps together make worse, as predicted, `costs` these and findings that they bring about.
    `guard` is what `--guard` asks for.
    """

    device: str
    file: str
    level: Level | None
    steps: tuple[Step, ...]
    rollback: tuple[str, ...]
    verify: tuple[Verification, ...]
    proof: tuple[str, ...]
    by_hand: tuple[Cured, ...]
    worse: tuple[SideEffect, ...]
    costs: tuple[Cost, ...]
    links: tuple[LinkWork, ...] = ()
    guard: GuardLines | None = None


def masked_plan(plan: DevicePlan) -> DevicePlan:
    """Return a plan without secrets; one with a line that must not be shown has no lines."""
    hidden = hidden_line(plan.lines, plan.rollback)
    steps = tuple(_masked_step(step) for step in plan.steps)
    by_hand = tuple(map(masked_finding, plan.by_hand))
    if hidden is None:
        worse = tuple(map(masked_effect, plan.worse))
        costs = tuple(map(masked_cost, plan.costs))
        return replace(plan, steps=steps, by_hand=by_hand, worse=worse, costs=costs)
    cured = (finding for step in steps for finding in step.cures)
    left = tuple(replace(finding, remedy=without_hidden(hidden)) for finding in cured)
    nothing: dict[str, Any] = dict.fromkeys(
        ("steps", "rollback", "checks", "proof", "links", "worse", "costs"), ()
    )
    return replace(plan, **nothing, by_hand=(*left, *by_hand), edited=None)


def _masked_step(step: PlanStep) -> PlanStep:
    return replace(step, cures=tuple(map(masked_finding, step.cures)))


def snippets_of(
    plans: Sequence[DevicePlan], guard_minutes: int | None = None
) -> tuple[Snippet, ...]:
    """Plans without secrets, one for each device."""
    return tuple(_snippet(masked_plan(plan), guard_minutes) for plan in plans)


def render_json(plans: Plans, _options: RenderOptions = PLAIN) -> str:
    """Array of plans, one for each device."""
    return encoded(snippets_of(plans.devices, plans.guard_minutes))


def _snippet(plan: DevicePlan, guard_minutes: int | None) -> Snippet:
    return picked(
        Snippet,
        plan,
        steps=tuple(
            picked(Step, step, cures=tuple(map(_cured, step.cures))) for step in plan.steps
        ),
        verify=plan.checks,
        by_hand=tuple(map(_cured, plan.by_hand)),
        guard=guard_of(plan, guard_minutes),
    )


def _cured(finding: Finding) -> Cured:
    return picked(Cured, finding, advice=advice_of(finding))


def advice_of(finding: Finding) -> str | None:
    """Advice for the work by hand, where the remedy of a finding has it."""
    return None if finding.remedy is None else finding.remedy.notes or None


def cured_and_left(plans: Iterable[DevicePlan]) -> tuple[int, int]:
    """Count the findings that steps cure, and those that are left for a human."""
    shown = [masked_plan(plan) for plan in plans]
    cured = sum(len(step.cures) for plan in shown for step in plan.steps)
    return cured, sum(len(plan.by_hand) for plan in shown)


# Plans of `fix` to read or to paste: IOS lines with their way back, Markdown, a diff.

# Comments must not carry a command: their text passes `printable`, which removes line breaks.

_RULER: Final = "=" * 60
_CUTS: Final = (
    "a paste over a link that it changes can cut itself off: copy this text to the router and "
    "enter `copy FILE running-config`, or see --guard"
)
_HUNK: Final = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@$")
_NAMES_OF_FILES: Final = 2  # lines ahead of the first hunk


def render_ios(plans: Plans, _options: RenderOptions = PLAIN) -> str:
    """Text to paste for each device, in the order of its steps; all else is a `!` comment.

    The header of a site stands before the lines of each device.
    """
    lines: list[str] = []
    for plan in map(masked_plan, plans.devices):
        if plans.site is not None and plan.steps:
            cured = dict.fromkeys(finding.rule for step in plan.steps for finding in step.cures)
            lines += header_lines(plans.site, plan.device, tuple(cured))
        lines += _device(plan, guard_of(plan, plans.guard_minutes))
    return "".join(f"{line}\n" for line in lines)


def render_rollback(plan: DevicePlan) -> str:
    """Commands that take back the whole plan of a device; "" where nothing is pasted."""
    shown = masked_plan(plan)
    if not shown.rollback:
        return ""
    head = _comments(f"{_name(shown)}: rollback of the whole plan by advisor {__version__}")
    return "".join(f"{line}\n" for line in (*head, *shown.rollback))


def _name(plan: DevicePlan) -> str:
    return f"{plan.device} ({plan.file})" if plan.file else plan.device


def _device(plan: DevicePlan, guard: GuardLines | None) -> Iterator[str]:
    size = f"{count(len(plan.steps), 'step', 'steps')}, {plan.level}" if plan.steps else "no lines"
    yield from _comments(f"{_name(plan)}: plan by advisor {__version__}: {size}", _RULER)
    if plan.steps:
        yield from _before_steps(plan, guard)
        yield from _steps(plan)
        yield from _after_steps(plan, guard)
    for finding in plan.by_hand:
        by_hand = advice_of(finding) or f"see advisor explain {finding.rule}"
        yield "!"
        yield from _comments(_headline(finding), finding.message, f"manual: {by_hand}")


def _before_steps(plan: DevicePlan, guard: GuardLines | None) -> Iterator[str]:
    if guard is not None:
        yield from _comments(*guard.notes)
        yield from guard.before
    elif plan.level is not Level.SAFE:
        yield from _comments(_CUTS)
    yield from _comments(*map(_work_on, plan.links))


def _steps(plan: DevicePlan) -> Iterator[str]:
    for step in plan.steps:
        yield "!"
        yield from _comments(
            f"step {step.number} of {len(plan.steps)} ({step.level}): {step.place}"
        )
        for finding in step.cures:
            advice = advice_of(finding)
            yield from _comments(_headline(finding), finding.message, *([advice] if advice else []))
        yield from step.lines


def _after_steps(plan: DevicePlan, guard: GuardLines | None) -> Iterator[str]:
    if guard is not None:
        yield from guard.after
        yield from _comments(guard.keep)
    yield "!"
    yield from _comments(
        *(f"costs: {cost}" for cost in plan.costs),
        *(f"proof: {line}" for line in plan.proof),
        *(f"verify: {check}" for check in plan.checks),
        "rollback:",
        *(f"  {line}" for line in plan.rollback),
    )


def _work_on(work: LinkWork) -> str:
    """The order of work on a link, and what is cut in between."""
    here = f"{work.device} {work.interface}"
    if work.far_device is None:
        return f"link of {here}: its other end is not known here; it needs the same, far end first"
    far = f"{work.far_device} {work.far_interface}"
    if work.far_fragments and not work.far_has_lines:
        return (
            f"link {here} - {far}: {far} has fragments already; "
            f"all traffic of the link is cut while {here} changes"
        )
    first, then = (here, far) if work.is_first else (far, here)
    by_hand = "" if work.far_has_lines else f"; {far} has no lines here: do it by hand"
    return (
        f"link {here} - {far}: paste {first} first (the far end), then {then}; "
        f"in between all traffic of the link is cut{by_hand}"
    )


def _headline(finding: Finding) -> str:
    return f"{finding.rule} {finding.name} ({finding.severity}): {finding.object}"


def _comments(*texts: str) -> Iterator[str]:
    return (f"! {printable(text)}".rstrip() for text in texts)


def render_markdown(plans: Plans, _options: RenderOptions = PLAIN) -> str:
    """For a change request: the steps of each device, checks, rollback, what is left by hand."""
    shown = map(masked_plan, plans.devices)
    blocks = (
        block for plan in shown for block in _blocks(plan, guard_of(plan, plans.guard_minutes))
    )
    return as_markdown(blocks)


def _blocks(plan: DevicePlan, guard: GuardLines | None) -> Iterator[Block]:
    yield Title(plan.device)
    yield Items("", [*map(_work_on, plan.links)])
    if guard is not None:
        yield from (Items("Guard", guard.notes), CodeBlock("", guard.before))
    elif plan.steps and plan.level is not Level.SAFE:
        yield Items("", (_CUTS,))
    for step in plan.steps:
        number = f"Step {step.number} of {len(plan.steps)} ({step.level})"
        yield Title(f"{number}: {step.place}", 2)
        yield from (Items("", [*map(_named, step.cures)]), CodeBlock("", step.lines))
    if guard is not None:
        yield from (CodeBlock("End of the paste", guard.after), Items("", (guard.keep,)))
    if plan.steps:
        checks = [NamedItem(check.command, f"shows: {check.shows}", "`") for check in plan.checks]
        yield Items("Verify", checks)
        yield Items("Costs", [*map(str, plan.costs)])
        yield CodeBlock("Rollback of the whole plan", plan.rollback)
        yield Items("", plan.proof)
    yield Items("By hand", [*map(_by_hand, plan.by_hand)])


def _named(finding: Finding) -> NamedItem:
    return NamedItem(finding.rule, f"{finding.object}: {finding.message}")


def _by_hand(finding: Finding) -> NamedItem:
    advice = advice_of(finding) or f"See advisor explain {finding.rule}"
    return NamedItem(finding.rule, f"{finding.object}: {finding.message}. {advice}")


def render_diff(plans: Plans, _options: RenderOptions = PLAIN) -> str:
    """Unified diff of each config before and after; lines are redacted as in a bundle."""
    lines: list[str] = []
    for plan in map(masked_plan, plans.devices):
        lines += () if plan.edited is None else masked_diff(plan.edited)
    return "".join(f"{line}\n" for line in lines)


def masked_diff(config: Edited) -> Iterator[str]:
    """Compare the original texts, and show their lines without secrets."""
    before, after, name = config.before, config.after, printable(config.file)
    old, new = _lines(redact_config(before)), _lines(redact_config(after))
    at_old = at_new = 0
    compared = unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}", lineterm="")
    for number, line in enumerate(compared):
        hunk = _HUNK.match(line)
        if number < _NAMES_OF_FILES:
            yield line
        elif hunk is not None:
            yield line
            at_old, at_new = int(hunk[1]) - 1, int(hunk[2]) - 1
        else:
            yield line[0] + printable(new[at_new] if line[0] == "+" else old[at_old])
            at_old += line[0] != "+"
            at_new += line[0] != "-"


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.removesuffix("\n").split("\n")]
