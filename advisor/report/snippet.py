"""Plans of `fix` without secrets, and their JSON. Nothing is sent."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.masking import mask_quoted_line
from advisor.lint.device_plan import PlanStep
from advisor.lint.findings import Cost, Finding, Level, Remedy, SideEffect, Verification
from advisor.lint.link_work import LinkWork
from advisor.lint.plan import DevicePlan
from advisor.lint.site import Site
from advisor.report.json_report import encoded
from advisor.report.mask import masked_cost, masked_effect, masked_finding
from advisor.report.terminal import PLAIN, RenderOptions

_BY_HAND: Final = Remedy(
    Level.MANUAL, advice="a line of the plan holds text that reports must not show"
)
# Recalled: no source is at hand for the questions of these commands.
_GUARDED: Final = (
    "guard: {minutes} minutes after `reload in` the router takes the change back by itself.",
    "The empty line confirms the reload. Recalled, no source at hand: watch the questions.",
    "Where the release has it, `configure terminal revert timer {minutes}` needs no reload.",
)
_KEEP: Final = "when the checks show what they should: `reload cancel`, then `write memory`"


class Plans(Struct, frozen=True):
    """Plans of devices, when the router takes a change back, and the header of the site."""

    devices: tuple[DevicePlan, ...]
    guard_minutes: int | None = None
    site: Site | None = None


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
    before = ("write memory", f"reload in {minutes}", "", "configure terminal")
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
    lines = (*plan.lines, *plan.rollback)
    steps = tuple(_masked_step(step) for step in plan.steps)
    by_hand = tuple(map(masked_finding, plan.by_hand))
    if all(line.isprintable() and mask_quoted_line(line) == line for line in lines):
        worse = tuple(map(masked_effect, plan.worse))
        costs = tuple(map(masked_cost, plan.costs))
        return replace(plan, steps=steps, by_hand=by_hand, worse=worse, costs=costs)
    cured = (finding for step in steps for finding in step.cures)
    left = tuple(replace(finding, remedy=_BY_HAND) for finding in cured)
    return replace(
        plan,
        steps=(),
        rollback=(),
        checks=(),
        proof=(),
        by_hand=(*left, *by_hand),
        edited=None,
        links=(),
        worse=(),
        costs=(),
    )


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
    return Snippet(
        plan.device,
        plan.file,
        plan.level,
        tuple(
            Step(step.number, step.place, step.level, step.lines, tuple(map(_cured, step.cures)))
            for step in plan.steps
        ),
        plan.rollback,
        plan.checks,
        plan.proof,
        tuple(map(_cured, plan.by_hand)),
        plan.worse,
        plan.costs,
        plan.links,
        guard_of(plan, guard_minutes),
    )


def _cured(finding: Finding) -> Cured:
    advice = advice_of(finding)
    return Cured(finding.rule, finding.name, finding.object, finding.message, advice)


def advice_of(finding: Finding) -> str | None:
    """Advice for the work by hand, where the remedy of a finding has it."""
    return None if finding.remedy is None else finding.remedy.advice


def cured_and_left(plans: Iterable[DevicePlan]) -> tuple[int, int]:
    """Count the findings that steps cure, and those that are left for a human."""
    shown = [masked_plan(plan) for plan in plans]
    cured = sum(len(step.cures) for plan in shown for step in plan.steps)
    return cured, sum(len(plan.by_hand) for plan in shown)
