"""What `inspect` and `redact` do: print what was read of devices, with no rule run."""

from collections.abc import Callable, Iterable

from advisor import api
from advisor.bounded import LARGEST_BYTES, read_file
from advisor.capture.masking import mask_command, redact_text
from advisor.cli import endings
from advisor.cli.endings import WrongUseError
from advisor.cli.lint_options import Inspect, Redact
from advisor.cli.options import flags_of, view_of
from advisor.cli.output import emit, manner_of, say_what_is_not_read, show
from advisor.cli.process import Code, say
from advisor.device.index import read_devices
from advisor.device.inputs import Inputs
from advisor.device.inspection import inspect_device, inspect_output, parts
from advisor.device.nodes import Record
from advisor.device.reading import Reading, Source
from advisor.device.second_opinion import second_opinion
from advisor.faults import Guard
from advisor.ios.exec.terminal import text_of
from advisor.lint.cards import load_rules
from advisor.lint.coverage import described_outputs, device_coverage
from advisor.lint.selection import is_asked_for, without_device
from advisor.report.formats import INSPECTIONS, SECOND_OPINIONS
from advisor.report.printable import printable
from advisor.report.second_opinion_text import Compared
from advisor.settings.values import Budgets, Settings


def inspect(options: Inspect) -> Code:
    """Print what was understood of each device, or of its outputs of one command."""
    if options.second_opinion:
        return _compare(options)
    command = options.command
    rules = load_rules(Budgets())
    view = view_of(options)
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

    return _look_at_each(options, look, report)


def _compare(options: Inspect) -> Code:
    """Print where the tree of each device differs from ciscoconfparse2's parse of its text.

    A difference that nothing explains counts as a finding; a text that ciscoconfparse2 fails on
    leaves the comparison incomplete.
    """
    if options.command is not None:
        raise WrongUseError("--second-opinion: compares configurations; leave out --command")
    view = view_of(options)
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

    return _look_at_each(options, look, report)


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


def _look_at_each(
    options: Inspect, look: Callable[[Reading], None], report: Callable[[bool], Code]
) -> Code:
    """Look at each device that is asked for, then report.

    Parameters
    ----------
    options
        The options of the command.
    look
        Called with each device.
    report
        Called behind the last, with whether a device failed; its code counts beside that of the
        inputs.

    Raises
    ------
    WrongUseError
        If no device has a name that is asked for.
    """
    stated = api.settings_of(flags_of(options), options.paths)
    settings = Settings(platforms=stated.platforms, devices=stated.devices)
    guard = Guard()
    inputs = Inputs(options.paths, guard)
    incomplete = False
    names: list[str] = []
    for reading in read_devices(inputs, settings, guard):
        names.append(reading.device.name)
        if not is_asked_for(reading.device.name, settings):
            continue
        incomplete = incomplete or bool(reading.incomplete)
        with guard.around(reading.device.facts.tree.file):
            look(reading)
    say_what_is_not_read(inputs, view_of(options))
    failed = endings.reasons(guard.faults)
    for reason in failed:
        say(reason)
    absent = next(without_device(settings.devices, names, ()), None)
    if absent is not None:
        raise WrongUseError(printable(absent))
    code = report(bool(failed))
    if failed:
        return Code.INTERNAL
    if inputs.unreadable:
        return Code.WRONG_USE
    if code is Code.CLEAN and (incomplete or inputs.declined):
        return Code.INCOMPLETE
    return code


def redact(options: Redact) -> Code:
    """Print a file without secrets.

    Raises
    ------
    WrongUseError
        If it cannot be read.
    """
    path = options.path
    try:
        text = text_of(read_file(path, LARGEST_BYTES))
    except OSError as error:
        raise WrongUseError(f"{path}: cannot be read: {error.strerror}") from None
    emit(redact_text(text, path), options.output, "utf-8")
    return Code.CLEAN
