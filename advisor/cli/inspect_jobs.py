"""What `inspect` does, and what `lint --verbose` says of its inputs."""

from collections.abc import Iterable, Sequence

from advisor.capture.masking import mask_command
from advisor.cli import crash
from advisor.cli.errors import Code, say
from advisor.cli.output import say_what_is_not_read, show, style_of
from advisor.cli.view import View
from advisor.cli.wrong_use import WrongUseError
from advisor.device.index import read_devices
from advisor.device.inputs import Inputs, first_folder
from advisor.device.inspection import inspect_device, inspect_output, parts
from advisor.device.nodes import Record
from advisor.device.reading import Source
from advisor.faults import Guard
from advisor.lint.cards import load_rules
from advisor.lint.coverage import described_outputs, device_coverage
from advisor.lint.selection import is_asked_for, without_device
from advisor.report import inspection_text
from advisor.report.printable import printable
from advisor.settings.load import load_settings
from advisor.settings.values import Budgets, Flags, Settings


def inspect(paths: Sequence[str], flags: Flags, view: View, command: str | None) -> Code:
    """Print what was understood of each device, or of its outputs of one command."""
    stated = load_settings(first_folder(paths), flags)
    settings = Settings(platforms=stated.platforms, devices=stated.devices)
    rules = load_rules(Budgets())
    guard = Guard()
    inputs = Inputs(paths, guard)
    records: list[Record] = []
    captured: dict[str, None] = {}
    incomplete = False
    names: list[str] = []
    for reading in read_devices(inputs, settings, guard):
        names.append(reading.device.name)
        is_asked = is_asked_for(reading.device.name, settings)
        incomplete = incomplete or (is_asked and bool(reading.incomplete))
        with guard.around(reading.device.facts.tree.file):
            if not is_asked:
                continue
            coverage = device_coverage(reading.device, rules)
            captured.update(dict.fromkeys(coverage.captured))
            if command is None:
                points = described_outputs(reading.device)
                records.append(inspect_device(reading, coverage.missing, points))
            elif (record := inspect_output(reading, command)) is not None:
                records.append(record)
    say_what_is_not_read(inputs, view)
    failed = crash.reasons(guard.faults)
    for reason in failed:
        say(reason)
    _refuse_absent(settings, names)
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


def _refuse_absent(settings: Settings, names: Sequence[str]) -> None:
    absent = next(without_device(settings.devices, names, ()), None)
    if absent is not None:
        raise WrongUseError(printable(absent))


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
