"""Exit codes of verdicts and of errors; a defect leaves a crash report without input or secrets."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from advisor import __version__
from advisor.cli.process import Code, say
from advisor.ground.faults import AdvisorError, Fault, ForeignError, trace_of

if TYPE_CHECKING:
    from advisor.lint.findings import Verdict


NEVER: Final = "never"
_NOT_WRITTEN: Final = "could not be written"


class WrongUseError(AdvisorError):
    """A flag, path or file that cannot be used; the message says which and why."""


def code_of(
    verdict: "Verdict",
    incomplete_rules: Sequence[str],
    fail_on: str,
    *,
    bad_path: bool,
    has_fault: bool = False,
) -> Code:
    """Exit code of a verdict.

    Parameters
    ----------
    verdict : Verdict
        All findings, also those that are not shown. Suppressed ones do not count for FINDINGS.
    incomplete_rules : sequence of str
        Ids of the rules that say "incomplete": they count for INCOMPLETE (3), not for FINDINGS (1).
    fail_on : str
        The mildest severity that counts for FINDINGS, or "never".
    bad_path : bool
        Whether a path could not be read.
    has_fault : bool
        Whether a defect kept a device or a rule from being judged, while the rest was judged.
    """
    from advisor.lint.findings import Severity, is_failure  # noqa: PLC0415 -- errors do without

    if has_fault:
        return Code.INTERNAL
    if bad_path or verdict.misstated:
        return Code.WRONG_USE
    mildest = None if fail_on == NEVER else Severity(fail_on)
    if any(is_failure(finding, incomplete_rules, mildest) for finding in verdict.findings):
        return Code.FINDINGS
    if not verdict.complete or any(
        finding.rule in incomplete_rules and finding.severity is not Severity.INFO
        for finding in verdict.findings
    ):
        return Code.INCOMPLETE
    return Code.CLEAN


def code_of_error(error: Exception) -> Code:
    """Say why a run ended: what the user can do, or where the crash report of a defect lies."""
    from advisor.report import printable  # noqa: PLC0415 -- `--help` does without

    if isinstance(error, AdvisorError):
        say(printable(str(error)))
        return Code.INCOMPLETE if error.is_incomplete else Code.WRONG_USE
    if isinstance(error, OSError) and error.filename is not None:
        say(printable(f"{os.fsdecode(error.filename)}: {error.strerror}"))
        return Code.WRONG_USE
    if isinstance(error, ForeignError):
        say(printable(f"a check of your own rules failed ({error})"))
        return Code.INTERNAL
    return write_crash_report(error)


def write_crash_report(error: Exception) -> Code:
    """Write a crash report of a run that a defect ended, and print its path."""
    kind = type(error).__name__
    name = _written((kind, *trace_of(error)))
    say(f"internal error ({kind}); this is a defect of advisor, not of your input")
    say(f"crash report, without any input text: {name}")
    return Code.INTERNAL


def about() -> str:
    """Versions, platform and settings file, for a bug report; nothing of any input."""
    import platform  # noqa: PLC0415 -- a run does without
    import re  # noqa: PLC0415
    from importlib.metadata import PackageNotFoundError, requires, version  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    from advisor.ground.assets import PACKAGE_NAME  # noqa: PLC0415
    from advisor.settings.file import find_settings_file  # noqa: PLC0415

    rows = [
        f"advisor {__version__}",
        f"Python {platform.python_version()} ({platform.python_implementation()})",
        f"system {platform.system()} {platform.machine()}",
        f"settings {find_settings_file(Path.cwd()) or 'none; the built-in ones'}",
    ]
    with suppress(PackageNotFoundError):
        needs = [need for need in requires(PACKAGE_NAME) or [] if "dev" not in need]
        names = dict.fromkeys(re.split(r"[^\w.-]", need, maxsplit=1)[0] for need in needs)
        for name in names:
            with suppress(PackageNotFoundError):
                rows.append(f"{name} {version(name)}")
    return "".join(f"{row}\n" for row in rows)


def report_faults(faults: Sequence[Fault]) -> tuple[str, ...]:
    """Write one crash report of the caught defects; return why the verdict is not complete.

    Each reason names the device or file, the rule, and the crash report. For a rule of the user, it
    names the file and line of the rule instead of a report.
    """
    from advisor.ground.quantity import count  # noqa: PLC0415 -- `--help` does without

    foreign = [fault for fault in faults if fault.is_foreign]
    ours = [fault for fault in faults if not fault.is_foreign]
    said = [f"{fault}, not judged" for fault in foreign]
    if foreign:
        say(f"{count(len(foreign), 'failure')} of your own rules; all else is judged")
    if ours:
        name = _written(tuple(line for fault in ours for line in _of_fault(fault)))
        say(f"{count(len(ours), 'internal error')}: defects of advisor, not of your input")
        say(f"crash report, without any input text: {name}")
        said += (f"{fault}, not judged; crash report: {name}" for fault in ours)
    return tuple(said)


def _of_fault(fault: Fault) -> Iterator[str]:
    yield f"{fault.rule or 'no rule'}: {fault.kind}"
    yield from fault.trace
    yield ""


def _written(lines: Sequence[str]) -> str:
    """Name of a report, readable by its owner alone, that holds the lines."""
    import platform  # noqa: PLC0415 -- a run without a defect does without
    import tempfile  # noqa: PLC0415

    head = f"advisor {__version__}, Python {platform.python_version()}, {platform.system()}"
    try:
        handle, name = tempfile.mkstemp(prefix="advisor-crash-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(f"{line}\n" for line in (head, "", *lines))
    except OSError:
        return _NOT_WRITTEN
    return name
