"""Findings of a run as devices are judged: put beside the baseline, and written as a stream."""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from advisor.cli.output import emit
from advisor.cli.view import View
from advisor.lint.findings import Finding, Severity, Verdict
from advisor.lint.known_objects import KnownObject
from advisor.lint.run import ranked
from advisor.settings.values import Settings

Accept = Callable[[Sequence[Finding], Sequence[KnownObject]], tuple[Finding, ...]]


def is_stream(view: View) -> bool:
    """Whether each finding is written when its device is judged: a file is written as a whole."""
    return view.form == "jsonl" and view.output is None


class Heard:
    """Hears the findings of each device once; the baseline of the user accepts some of them.

    Raises
    ------
    WrongUseError
        If the baseline cannot be read.
    """

    def __init__(self, settings: Settings, view: View) -> None:
        self._view, self._findings = view, list[Finding]()
        self._file = settings.baseline if settings.suppresses else None
        self._accept: Accept = _all
        self.gone_count: Callable[[], int] = int  # findings of the baseline that are gone
        if self._file is not None:
            from advisor.cli.baseline_file import Baseline  # noqa: PLC0415 -- most runs have none

            baseline = Baseline(self._file, settings)
            self._accept, self.gone_count = baseline.accept, baseline.left_count

    def __call__(self, findings: Sequence[Finding], objects: Sequence[KnownObject]) -> None:
        """Take the findings of one device, or those of the run as a whole."""
        accepted = self._accept(findings, objects)
        self._findings += accepted
        if is_stream(self._view):
            from advisor.report.json_report import finding_lines  # noqa: PLC0415 -- other formats do not

            emit(finding_lines(shown(accepted, self._view)), None, "utf-8")

    @property
    def baseline(self) -> Path | None:
        """The file of accepted findings, if there is one."""
        return self._file

    def verdict(self, verdict: Verdict) -> Verdict:
        """The verdict of the run with what the baseline accepts."""
        return replace(verdict, findings=ranked(self._findings))


def _all(findings: Sequence[Finding], objects: Sequence[KnownObject]) -> tuple[Finding, ...]:
    """Findings as they are: nothing is accepted."""
    del objects
    return tuple(findings)


def shown(findings: Sequence[Finding], view: View) -> tuple[Finding, ...]:
    """Findings that are severe enough to be shown."""
    mildest = Severity(view.severity).rank
    return tuple(finding for finding in findings if finding.severity.rank <= mildest)
