"""Plans as Markdown: for a change request or a pull request."""

from collections.abc import Iterator, Sequence

from advisor.lint.findings import Finding, Level
from advisor.lint.plan import DevicePlan
from advisor.report.document import escaped
from advisor.report.document import fenced as block
from advisor.report.snippet import CUTS, GuardLines, guard_of, masked_plan, work_on


def render(plans: Sequence[DevicePlan], guard_minutes: int | None = None) -> str:
    """One section for each device: its steps, the checks, the rollback, what is left by hand."""
    lines = [line for plan in plans for line in _device(masked_plan(plan), guard_minutes)]
    return "".join(f"{line}\n" for line in lines)


def _device(plan: DevicePlan, guard_minutes: int | None) -> Iterator[str]:
    guard = guard_of(plan, guard_minutes)
    yield f"# {escaped(plan.device)}"
    yield ""
    for work in plan.links:
        yield f"- {escaped(work_on(work))}"
    if plan.links:
        yield ""
    yield from _ahead_of_steps(plan, guard)
    for step in plan.steps:
        yield f"## Step {step.number} of {len(plan.steps)} ({step.level}): {escaped(step.place)}"
        yield ""
        for finding in step.cures:
            yield _item(finding)
        yield ""
        yield from block(step.lines)
    if guard is not None:
        yield from ("## End of the paste", "", *block(guard.after), f"- {escaped(guard.keep)}", "")
    if plan.steps:
        yield "## Verify"
        yield ""
        yield from (f"- `{check.command}` shows: {escaped(check.shows)}" for check in plan.checks)
        yield ""
        if plan.costs:
            yield "## Costs"
            yield ""
            yield from (f"- {escaped(str(cost))}" for cost in plan.costs)
            yield ""
        yield "## Rollback of the whole plan"
        yield ""
        yield from block(plan.rollback)
        yield from (f"- {escaped(line)}" for line in plan.proof)
        yield ""
    if plan.by_hand:
        yield "## By hand"
        yield ""
        for finding in plan.by_hand:
            advice = finding.remedy.advice if finding.remedy is not None else None
            yield f"{_item(finding)}. {escaped(advice or f'See advisor explain {finding.rule}')}"
        yield ""


def _ahead_of_steps(plan: DevicePlan, guard: GuardLines | None) -> Iterator[str]:
    """What takes the change back by itself, else why a paste may need it."""
    if guard is not None:
        notes = (f"- {escaped(line)}" for line in guard.notes)
        yield from ("## Guard", "", *notes, "", *block(guard.before))
    elif plan.steps and plan.level is not Level.SAFE:
        yield from (f"- {escaped(CUTS)}", "")


def _item(finding: Finding) -> str:
    return f"- **{finding.rule}** {escaped(finding.object)}: {escaped(finding.message)}"
