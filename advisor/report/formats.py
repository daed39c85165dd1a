"""The formats of reports: one table for each kind of result, from a name to what renders it.

A renderer is a function of a module of this package. It is imported when its format is asked for.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from advisor.lint.change.changes import Comparison
    from advisor.lint.findings import Verdict
    from advisor.report.fleet_report import AuditReport
    from advisor.report.manner import Manner

VERDICTS: Final[Mapping[str, str]] = {
    "full": "text",
    "concise": "concise",
    "json": "json_report",
    "jsonl": "jsonl",
    "sarif": "sarif",
    "junit": "junit",
    "github": "github",
    "gitlab": "gitlab",
    "markdown": "findings_markdown",
    "csv": "csv_report",
    "html": "html.lint_page",
}
COMPARISONS: Final[Mapping[str, str]] = {
    "full": "change_text",
    "json": "change_report",
    "markdown": "change_markdown",
    "github": "change_github",
    "junit": "change_junit",
    "html": "html.change_page",
}
WITH_FLEET: Final[Mapping[str, str]] = {"full": "render_text", "json": "render_json"}
# A terminal shows these in its own encoding; all others are UTF-8 wherever they go.
FOR_TERMINALS: Final = frozenset({"full", "concise", "tree", "plot", "ios", "diff"})


def verdict_text(verdict: "Verdict", form: str, manner: "Manner") -> str:
    """A verdict in a format of `VERDICTS`."""
    render: Callable[[Verdict, Manner], str] = _module(VERDICTS[form]).render
    return render(verdict, manner)


def comparison_text(comparison: "Comparison", form: str, manner: "Manner") -> str:
    """A comparison in a format of `COMPARISONS`."""
    render: Callable[[Comparison, Manner], str] = _module(COMPARISONS[form]).render
    return render(comparison, manner)


def audit_text(report: "AuditReport", form: str, manner: "Manner") -> str:
    """An audit in a format of `VERDICTS`; with the fleet where the format has a place for it."""
    if form not in WITH_FLEET:
        return verdict_text(report.verdict, form, manner)
    render: Callable[[AuditReport, Manner], str] = getattr(
        _module("fleet_report"), WITH_FLEET[form]
    )
    return render(report, manner)


def _module(name: str) -> Any:  # noqa: ANN401 -- a module
    return import_module(f"advisor.report.{name}")
