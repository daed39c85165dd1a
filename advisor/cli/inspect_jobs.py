"""What `inspect` does, and what `lint --verbose` says of its inputs."""

from collections.abc import Iterable, Sequence

from advisor.capture.masking import mask_command
from advisor.cli.each_device import look_at_each
from advisor.cli.errors import Code, say
from advisor.cli.manner import manner_of
from advisor.cli.output import show
from advisor.cli.view import View
from advisor.cli.wrong_use import WrongUseError
from advisor.device.inspection import inspect_device, inspect_output, parts
from advisor.device.nodes import Record
from advisor.device.reading import Reading, Source
from advisor.device.second_opinion import second_opinion
from advisor.faults import Guard
from advisor.lint.cards import load_rules
from advisor.lint.coverage import described_outputs, device_coverage
from advisor.report.formats import INSPECTIONS, SECOND_OPINIONS
from advisor.report.printable import printable
from advisor.report.second_opinion_text import Compared
from advisor.settings.values import Budgets, Flags


def inspect(paths: Sequence[str], flags: Flags, view: View, command: str | None) -> Code:
    """Print what was understood of each device, or of its outputs of one command."""
    rules = load_rules(Budgets())
    records: list[Record] = []
    captured: dict[str, None] = {}

    def look(reading: Reading) -> None:
        coverage = device_coverage(reading.device, rules)
        captured.update(dict.fromkeys(coverage.captured))
        if command is None:
            points = described_outputs(reading.device)
            records.append(inspect_device(reading, coverage.missing, points))
        elif (record := inspect_output(reading, command)) is not None:
            records.append(record)

    def report(has_failed: bool) -> Code:
        if command is not None and not records and not has_failed:
            raise WrongUseError(_no_output(command, captured))
        show(INSPECTIONS.render(records, view.form, manner_of(view)), view)
        return Code.CLEAN

    return look_at_each(paths, flags, view, look, report)


def compare(paths: Sequence[str], flags: Flags, view: View, command: str | None) -> Code:
    """Print where the tree of each device differs from ciscoconfparse2's parse of its text.

    A difference that nothing explains counts as a finding; a text that ciscoconfparse2 fails on
    leaves the comparison incomplete.
    """
    if command is not None:
        raise WrongUseError("--second-opinion: compares configurations; leave out --command")
    compared: list[Compared] = []

    def look(reading: Reading) -> None:
        tree = reading.device.facts.tree
        if tree.lines:
            compared.append(Compared(reading.device.name, tree, second_opinion(tree)))

    def report(has_failed: bool) -> Code:
        if not compared and not has_failed:
            raise WrongUseError("--second-opinion: the input has no configuration of IOS")
        show(SECOND_OPINIONS.render(compared, view.form, manner_of(view)), view)
        if any(each.opinion.is_unexplained for each in compared):
            return Code.FINDINGS
        is_whole = all(each.opinion.failure is None for each in compared)
        return Code.CLEAN if is_whole else Code.INCOMPLETE

    return look_at_each(paths, flags, view, look, report)


def _no_output(command: str, captured: Iterable[str]) -> str:
    commands = ", ".join(printable(mask_command(name)) for name in captured)
    return (
        f"--command {printable(command)}: no such output; "
        f"the input has {commands or 'no show output'}"
    )


def say_parts(sources: Iterable[Source], guard: Guard) -> None:
    """Say on standard error what each part of the inputs was taken for."""
    for source in sources:
        with guard.around(source.name):
            for part in parts(source):
                say(printable(part.said))
