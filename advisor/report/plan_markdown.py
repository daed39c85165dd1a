"""Plans as Markdown: for a change request or a pull request."""

from collections.abc import Iterator, Sequence

from advisor.lint.findings import Finding
from advisor.lint.plan import DevicePlan
from advisor.report.markdown import block, escaped
from advisor.report.snippet import masked_plan, work_on


def render(plans: Sequence[DevicePlan]) -> str:
    """One section for each device: its steps, the checks, the rollback, what is left by hand."""
    lines = [line for plan in plans for line in _device(masked_plan(plan))]
    return "".join(f"{line}\n" for line in lines)


def _device(plan: DevicePlan) -> Iterator[str]:
    yield f"# {escaped(plan.device)}"
    yield ""
    for work in plan.links:
        yield f"- {escaped(work_on(work))}"
    if plan.links:
        yield ""
    for step in plan.steps:
        yield f"## Step {step.number} of {len(plan.steps)} ({step.level}): {escaped(step.place)}"
        yield ""
        for finding in step.cures:
            yield _item(finding)
        yield ""
        yield from block(step.lines)
    if plan.steps:
        yield "## Verify"
        yield ""
        yield from (f"- `{check.command}` shows: {escaped(check.shows)}" for check in plan.checks)
        yield ""
        if plan.worse:
            yield "## Makes worse"
            yield ""
            yield from (f"- {escaped(str(effect))}" for effect in plan.worse)
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


def _item(finding: Finding) -> str:
    return f"- **{finding.rule}** {escaped(finding.object)}: {escaped(finding.message)}"
