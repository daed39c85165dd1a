"""Findings as workflow commands of GitHub Actions: annotations of the lines of a change.

Source: GitHub Docs, "Workflow commands for GitHub Actions". What is not data of a command cannot be
written: every line of the report is one command, and the data of it is escaped.
"""

from collections.abc import Iterable, Iterator, Mapping

from advisor.lint.findings import Finding, Severity, Verdict
from advisor.report.coverage import summary_line
from advisor.report.manner import Manner
from advisor.report.mask import masked
from advisor.report.printable import all_printable
from advisor.report.remedy_words import told_lines

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_NEWLINE = "%0A"


def render(verdict: Verdict, manner: Manner | None = None) -> str:
    """Render a command for each finding, worst first, then what the run lacks and the counts."""
    manner = manner or Manner()
    shown = all_printable(masked(verdict))
    lines = [_annotation(finding) for finding in shown.standing]
    lacking = {"title": "advisor, not complete"}
    lines += (command("warning", lacking, [why]) for why in shown.incomplete)
    if not manner.is_quiet:
        lines.append(command("notice", {"title": "advisor"}, [summary_line(shown)]))
    return "".join(f"{line}\n" for line in lines)


def _annotation(finding: Finding) -> str:
    title = f"{finding.rule} {finding.name} ({finding.device}: {finding.object})"
    named = {**dict(_place(finding)), "title": title}
    return command(COMMANDS[finding.severity], named, told_lines(finding))


def command(name: str, named: Mapping[str, str], lines: Iterable[str]) -> str:
    """One command with its properties, and its message of several lines."""
    properties = ",".join(f"{key}={value(text)}" for key, text in named.items())
    return f"::{name} {properties}::{_NEWLINE.join(map(data, lines))}"


def _place(finding: Finding) -> Iterator[tuple[str, str]]:
    if not finding.locations:
        return
    at = finding.locations[0]
    yield "file", at.file
    if at.line:
        yield "line", str(at.line)
        if at.column is not None and at.end_column is not None:
            yield "col", str(at.column)
            yield "endColumn", str(at.end_column - 1)


def data(text: str) -> str:
    """Text behind the command.

    >>> data("100 %" + chr(10) + "::error")
    '100 %25%0A::error'
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def value(text: str) -> str:
    """Value of a property of the command.

    >>> value("a:b,c")
    'a%3Ab%2Cc'
    """
    return data(text).replace(":", "%3A").replace(",", "%2C")
