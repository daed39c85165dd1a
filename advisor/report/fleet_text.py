"""Fleets for the terminal: the plan, how it ended with each device, measured beside predicted."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from advisor.collect.fleet import Outcome, State
from advisor.collect.hosts import Target
from advisor.collect.plan import Plan
from advisor.predict.comparison import Compared, Rate
from advisor.report.printable import all_printable, printable
from advisor.report.style import Style
from advisor.wording import count, figure, number


def plan_text(plan: Plan, targets: Sequence[Target], jump: str | None) -> str:
    """What would be asked of each device, in order."""
    lines = []
    for target in targets:
        over = f" over {jump}" if jump else ""
        old = f", {target.profile} SSH" if target.profile != "modern" else ""
        lines.append(f"{target.name}: {target.endpoint}{over}{old}")
        lines += (f"  {_step(plan, index)}" for index in range(len(plan.steps)))
    lines += ["", f"{count(len(targets), 'device')}; nobody was connected to"]
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
    """A line for each device, those that need something first with what to do."""
    lines = [style.bold("Devices")]
    width = max((len(each.target.name) for each in outcomes), default=0)
    for each in sorted(outcomes, key=lambda of: (of.is_whole, of.target.name)):
        named = f"  {each.target.name:<{width}}  {each.state}"
        if each.device is not None and each.device != each.target.name:
            named += f", {each.device}"
        if each.folder is not None and each.state is not State.NOT_REACHED:
            named += f", {number(each.seconds)} s" if each.seconds else ""
        lines.append(named)
        more = [("reason", each.reason), ("next", each.next_step)]
        more += (("note", note) for note in each.notes)
        lines += (f"      {label:<7} {text}" for label, text in more if text)
    whole = sum(each.is_whole for each in outcomes)
    lines += ["", f"{whole} of {count(len(outcomes), 'device')} whole"]
    return "".join(f"{printable(line) if line[:1] != chr(27) else line}\n" for line in lines)


def compared_text(rows: Sequence[Compared], rates: Sequence[Rate], style: Style) -> str:
    """Measured beside predicted, class by class; then the rates of two samples."""
    lines: list[str] = []
    if rows:
        lines.append(style.bold("Predicted and measured"))
    shown = [all_printable(each) for each in rows]
    for (device, name, of), group in groupby(
        shown, key=lambda each: (each.device, each.object, each.class_name)
    ):
        lines.append(f"  {device}: {name}" + (f" > class {of}" if of is not None else ""))
        for each in group:
            lines += _compared(each)
    if rates:
        lines += ["", style.bold("Rates between two samples")]
    lines += (_rate(all_printable(each)) for each in rates)
    return "".join(f"{line}\n" for line in lines)


def _compared(of: Compared) -> Iterator[str]:
    predicted = f", predicted {figure(of.predicted)}" if of.predicted is not None else ""
    yield f"    {of.metric}: measured {figure(of.measured)}{predicted}: {of.agreement}"
    yield from (f"      could explain it: {each}" for each in of.explains)


def _rate(of: Rate) -> str:
    name = of.object + (f" > class {of.class_name}" if of.class_name else "")
    parts = [
        (of.packets_per_s, "packets/s"),
        (of.kbps, "kb/s"),
        (of.drops_per_s, "drops/s"),
    ]
    said = ", ".join(f"{number(value)} {unit}" for value, unit in parts if value is not None)
    return f"  {of.device}: {name}: {said or 'counters went backwards'} (over {of.over_s:g} s)"
