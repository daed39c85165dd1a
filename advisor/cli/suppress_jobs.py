"""What `suppress` does: writes `[[suppress]]` tables for what is found."""

import json
from collections.abc import Iterable, Sequence
from datetime import date
from glob import escape
from pathlib import Path
from typing import Final

from msgspec import Struct

from advisor.cli.errors import Code
from advisor.cli.output import emit, say_what_is_not_read
from advisor.cli.view import View
from advisor.cli.wrong_use import WrongUseError
from advisor.data import read_text
from advisor.device.inputs import Inputs, first_folder
from advisor.lint.findings import Finding
from advisor.lint.rulebook import resolved, rules_of
from advisor.lint.run import review
from advisor.lint.selection import matching
from advisor.lint.suppressions import ABOUT_SUPPRESSIONS, leads_to
from advisor.quantity import count
from advisor.report.mask import mask_path
from advisor.report.printable import printable
from advisor.settings.find_file import OWN_FILE, find_settings_file
from advisor.settings.load import load_settings, table_name, taken
from advisor.settings.values import Flags

_MASKED: Final = "<removed>"


class Acceptance(Struct, frozen=True):
    """What the user accepts: findings of rules, of all objects or below one; why, and how long."""

    rules: tuple[str, ...]
    reason: str
    until: str | None = None
    object: str = ""


def suppress(paths: Sequence[str], accepted: Acceptance, flags: Flags) -> Code:
    """Write a table for each object with a finding of the rules.

    Raises
    ------
    WrongUseError
        If nothing is found, the reason is empty, or `until` is no date or has passed.
    SettingsError
        If the settings file cannot take the tables.
    """
    if not accepted.reason.split():
        raise WrongUseError("--reason: say why the finding is accepted")
    start = first_folder(paths)
    settings = load_settings(start, flags)
    until = _day(accepted.until, settings.today)
    rules = rules_of(settings)
    wanted = set(matching(rules, accepted.rules, "--rule")).difference(ABOUT_SUPPRESSIONS)
    inputs = Inputs(paths)
    verdict = review(inputs, rules, resolved(rules, settings))
    say_what_is_not_read(inputs, View())
    steps = accepted.object
    found = [
        each for each in verdict.standing if each.rule in wanted and leads_to(steps, each.object)
    ]
    if not found:
        raise WrongUseError(f"nothing to suppress: no finding of {', '.join(accepted.rules)}")
    file = flags.config or find_settings_file(start) or _new_file(start)
    keys = list(dict.fromkeys((each.rule, *_names(each)) for each in found))
    old = read_text(file) if file.exists() else ""
    tables = [_table(table_name(file), key, accepted.reason, until) for key in keys]
    new = old + "\n" * (bool(old) and not old.endswith("\n")) + "\n".join(["", *tables])
    new = new.removeprefix("\n") if not old else new
    taken(new, file)
    emit(new, file)
    said = [f"{rule} of {device}, {path}" for rule, device, path in keys]
    emit("".join(f"{printable(line)}\n" for line in said), None)
    emit(f"{count(len(keys), 'table')} added to {printable(str(file))}\n", None)
    return Code.CLEAN


def _day(text: str | None, today: date | None) -> date | None:
    try:
        until = None if text is None else date.fromisoformat(text)
    except ValueError:
        raise WrongUseError(f"--until: {text!r} is no date, like 2027-01-31") from None
    if until is not None and today is not None and until < today:
        raise WrongUseError(f"--until: {until} has passed: the table would accept nothing")
    return until


def _new_file(start: Path) -> Path:
    """Where a new file is found from the inputs: here, or beside them."""
    here = Path.cwd()
    folder = here if start.absolute().is_relative_to(here) else start
    return folder / OWN_FILE


def _names(finding: Finding) -> tuple[str, str]:
    """Globs of a device and of an object; what a report must not show is any text."""
    path = escape(mask_path(finding.object)).replace(_MASKED, "*")
    return escape(finding.device), path


def _table(name: str, key: tuple[str, str, str], reason: str, until: date | None) -> str:
    rule, device, path = key
    values = {"rule": rule, "device": device, "object": path, "reason": " ".join(reason.split())}
    lines = [f"[[{name}]]", *(f"{key} = {_quoted(text)}" for key, text in values.items())]
    return "\n".join([*lines, *_until(until)]) + "\n"


def _until(until: date | None) -> Iterable[str]:
    return [] if until is None else [f"until = {until}"]


def _quoted(text: str) -> str:
    """A basic string of TOML, whose escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
