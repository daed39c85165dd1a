"""What `inspect` does, and what `lint --verbose` says of its inputs."""

from collections.abc import Iterable, Sequence

from advisor.capture.masking import mask_command
from advisor.cli import crash
from advisor.cli.errors import Code, say
from advisor.cli.output import say_what_is_not_read, show, style_of
from advisor.cli.view import View
from advisor.cli.wrong_use import WrongUseError
from advisor.device.index import read_devices
from advisor.device.inputs import Inputs
from advisor.device.inspection import Record, inspect_device, inspect_output, parts
from advisor.device.reading import Source
from advisor.faults import Guard
from advisor.lint.cards import load_rules
from advisor.lint.coverage import device_coverage
from advisor.report import inspection_text
from advisor.report.printable import printable
from advisor.settings.values import Budgets, Settings


def inspect(paths: Sequence[str], view: View, command: str | None) -> Code:
    """Print what was understood of each device, or of its outputs of one command."""
    rules = load_rules(Budgets())
    guard = Guard()
    inputs = Inputs(paths, guard)
    records: list[Record] = []
    captured: dict[str, None] = {}
    incomplete = False
    for reading in read_devices(inputs, Settings(), guard):
        incomplete = incomplete or bool(reading.incomplete)
        with guard.around(reading.device.facts.tree.file):
            coverage = device_coverage(reading.device, rules)
            captured.update(dict.fromkeys(coverage.captured))
            if command is None:
                records.append(inspect_device(reading, coverage.missing))
            elif (record := inspect_output(reading, command)) is not None:
                records.append(record)
    say_what_is_not_read(inputs, view)
    failed = crash.reasons(guard.faults)
    for reason in failed:
        say(reason)
    if command is not None and not records and not failed:
        raise WrongUseError(_no_output(command, captured))
    if view.form == "json":
        show(inspection_text.render_json(records), view)
    else:
        show(inspection_text.render_tree(records, style_of(view)), view)
    if failed:
        return Code.INTERNAL
    if inputs.unreadable:
        return Code.WRONG_USE
    return Code.INCOMPLETE if incomplete or inputs.declined else Code.CLEAN


def _no_output(command: str, captured: Iterable[str]) -> str:
    commands = ", ".join(printable(mask_command(name)) for name in captured)
    return (
        f"--command {printable(command)}: no such output; there is {commands or 'no show output'}"
    )


def say_parts(sources: Iterable[Source], guard: Guard) -> None:
    """Say on standard error what each part of the inputs was taken for."""
    for source in sources:
        with guard.around(source.name):
            for part in parts(source):
                say(printable(part.said))
