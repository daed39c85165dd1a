"""Plans as Markdown: for a change request or a pull request."""

from collections.abc import Iterator, Sequence

from advisor.lint.findings import Finding
from advisor.lint.plan import DevicePlan
from advisor.report.printable import printable
from advisor.report.snippet import masked_plan, work_on

_FENCE = "```"


def render(plans: Sequence[DevicePlan]) -> str:
    """One section for each device: its steps, the checks, the rollback, what is left by hand."""
    lines = [line for plan in plans for line in _device(masked_plan(plan))]
    return "".join(f"{line}\n" for line in lines)


def _device(plan: DevicePlan) -> Iterator[str]:
    yield f"# {_text(plan.device)}"
    yield ""
    for work in plan.links:
        yield f"- {_text(work_on(work))}"
    if plan.links:
        yield ""
    for step in plan.steps:
        yield f"## Step {step.number} of {len(plan.steps)} ({step.level}): {_text(step.place)}"
        yield ""
        for finding in step.cures:
            yield _item(finding)
        yield ""
        yield from _block(step.lines)
    if plan.steps:
        yield "## Verify"
        yield ""
        yield from (f"- `{check.command}` shows: {_text(check.shows)}" for check in plan.checks)
        yield ""
        if plan.worse:
            yield "## Makes worse"
            yield ""
            yield from (f"- {_text(str(effect))}" for effect in plan.worse)
            yield ""
        yield "## Rollback of the whole plan"
        yield ""
        yield from _block(plan.rollback)
        yield from (f"- {_text(line)}" for line in plan.proof)
        yield ""
    if plan.by_hand:
        yield "## By hand"
        yield ""
        for finding in plan.by_hand:
            advice = finding.remedy.advice if finding.remedy is not None else None
            yield f"{_item(finding)}. {_text(advice or f'See advisor explain {finding.rule}')}"
        yield ""


def _item(finding: Finding) -> str:
    return f"- **{finding.rule}** {_text(finding.object)}: {_text(finding.message)}"


def _block(lines: Sequence[str]) -> Iterator[str]:
    """A fenced block; lines to paste hold no line break, and so cannot end it by themselves."""
    yield f"{_FENCE}text"
    yield from (line.replace(_FENCE, "") if line.strip().startswith(_FENCE) else line
                for line in lines)  # fmt: skip
    yield _FENCE
    yield ""


def _text(words: str) -> str:
    """Text of a config or of a message, that no character of it is markup."""
    shown = printable(words)
    for char in "\\`*_[]<>|":
        shown = shown.replace(char, f"\\{char}")
    return shown
