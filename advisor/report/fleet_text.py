"""Fleets for the terminal: the plan, the outcome of each device, measured beside predicted."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from advisor.collect.fleet import Outcome, State
from advisor.collect.plan import Plan
from advisor.predict.comparison import Compared, Rate
from advisor.predict.comparison.verdict import (
    NotComparable,
    Off,
    PredictionFault,
    TooWide,
    Verdict,
    Within,
)
from advisor.quantity import count, figure, number
from advisor.report.plan_report import DryRun
from advisor.report.printable import all_printable, printable
from advisor.report.terminal import PLAIN, RenderOptions, Style, fitted


def render_dry_run(run: DryRun, _options: RenderOptions = PLAIN) -> str:
    """The commands for each device, in order."""
    plan, targets, jump = run.plan, run.targets, run.jump
    lines = []
    for target in targets:
        route = f" over {jump}" if jump else ""
        old = f", {target.profile} SSH" if target.profile != "modern" else ""
        lines.append(f"{target.name}: {target.endpoint}{route}{old}")
        lines += (f"  {_step(plan, index)}" for index in range(len(plan.steps)))
    lines += ["", f"{count(len(targets), 'device')}; no connection was made"]
    return "".join(f"{printable(line)}\n" for line in lines)


def _step(plan: Plan, index: int) -> str:
    step = plan.steps[index]
    notes = ["held back while the CPU is busy"] if step.is_heavy else []
    if plan.is_sampled_twice(step):
        notes.append(f"twice, {number(plan.interval_s or 0.0)} s apart")
    if step.older:
        notes.append(f"in older trains {', '.join(step.older)}")
    return f"{step.command}  ({'; '.join(notes)})" if notes else step.command


def outcomes_text(outcomes: Sequence[Outcome], style: Style) -> str:
    """A line for each device; devices that need work come first, with the next step."""
    lines = [style.bold("Devices")]
    width = max((len(outcome.target.name) for outcome in outcomes), default=0)
    for outcome in sorted(outcomes, key=lambda outcome: (outcome.is_whole, outcome.target.name)):
        line = f"  {outcome.target.name:<{width}}  {outcome.state}"
        if outcome.device is not None and outcome.device != outcome.target.name:
            line += f", {outcome.device}"
        if outcome.folder is not None and outcome.state is not State.NOT_REACHED:
            line += f", {number(outcome.seconds)} s" if outcome.seconds else ""
        lines.append(line)
        more = [("reason", outcome.reason), ("next", outcome.next_step)]
        more += (("note", note) for note in outcome.notes)
        lines += (f"      {label:<7} {text}" for label, text in more if text)
    whole = sum(outcome.is_whole for outcome in outcomes)
    lines += ["", f"{whole} of {count(len(outcomes), 'device')} whole"]
    safe = (printable(line) if line[:1] != chr(27) else line for line in lines)
    return fitted(safe, style.width)


def compared_text(rows: Sequence[Compared], rates: Sequence[Rate], style: Style) -> str:
    """Measured beside predicted, class by class; then the rates of two samples."""
    lines: list[str] = []
    if rows:
        lines.append(style.bold("Predicted and measured"))
    shown = [all_printable(row) for row in rows]
    for (device, name, class_name), group in groupby(
        shown, key=lambda row: (row.device, row.object, row.class_name)
    ):
        lines.append(
            f"  {device}: {name}" + (f" > class {class_name}" if class_name is not None else "")
        )
        for row in group:
            lines += _compared(row)
    if rates:
        lines += ["", style.bold("Rates between two samples")]
    lines += (_rate(all_printable(rate)) for rate in rates)
    return fitted(lines, style.width)


def _compared(row: Compared) -> Iterator[str]:
    predicted = f", predicted {figure(row.predicted)}" if row.predicted is not None else ""
    verdict = verdict_words(row.verdict)
    yield f"    {row.metric}: measured {figure(row.measured)}{predicted}: {verdict}"
    yield from (f"      possible cause: {reason}" for reason in row.explains)


def verdict_words(verdict: Verdict) -> str:
    """How a prediction stands by what was measured."""
    match verdict:
        case Within():
            return "within"
        case Off(by, unit, percent):
            if unit == "%":
                return f"off by {_signed(by)} points"
            of_predicted = "" if percent is None else f", {_signed(percent)} %"
            return f"off by {_signed(by)} {unit}{of_predicted}"
        case TooWide():
            return "interval too wide to judge"
        case NotComparable(why):
            return f"not comparable: {why}"
        case PredictionFault(why):
            return f"no valid prediction: {why}"


def _signed(value: float) -> str:
    return f"{'-' if value < 0 else '+'}{number(abs(value))}"


def _rate(rate: Rate) -> str:
    name = rate.object + (f" > class {rate.class_name}" if rate.class_name else "")
    parts = [
        (rate.packets_per_s, "packets/s"),
        (rate.kbps, "kb/s"),
        (rate.drops_per_s, "drops/s"),
    ]
    figures = ", ".join(f"{number(value)} {unit}" for value, unit in parts if value is not None)
    shown = figures or "counters went backwards"
    remark = f": {rate.remark}" if rate.remark else ""
    return f"  {rate.device}: {name}: {shown} (over {number(rate.over_s)} s){remark}"
