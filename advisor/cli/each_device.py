"""What is printed of each device as it was read, with no rule run."""

from collections.abc import Callable, Sequence

from advisor.cli import crash
from advisor.cli.errors import Code, say
from advisor.cli.output import say_what_is_not_read
from advisor.cli.view import View
from advisor.cli.wrong_use import WrongUseError
from advisor.device.index import read_devices
from advisor.device.inputs import Inputs, first_folder
from advisor.device.reading import Reading
from advisor.faults import Guard
from advisor.lint.selection import is_asked_for, without_device
from advisor.report.printable import printable
from advisor.settings.load import load_settings
from advisor.settings.values import Flags, Settings


def look_at_each(
    paths: Sequence[str],
    flags: Flags,
    view: View,
    look: Callable[[Reading], None],
    report: Callable[[bool], Code],
) -> Code:
    """Look at each device that is asked for, then report.

    Parameters
    ----------
    paths, flags, view
        What the command was given.
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
    stated = load_settings(first_folder(paths), flags)
    settings = Settings(platforms=stated.platforms, devices=stated.devices)
    guard = Guard()
    inputs = Inputs(paths, guard)
    incomplete = False
    names: list[str] = []
    for reading in read_devices(inputs, settings, guard):
        names.append(reading.device.name)
        if not is_asked_for(reading.device.name, settings):
            continue
        incomplete = incomplete or bool(reading.incomplete)
        with guard.around(reading.device.facts.tree.file):
            look(reading)
    say_what_is_not_read(inputs, view)
    failed = crash.reasons(guard.faults)
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
