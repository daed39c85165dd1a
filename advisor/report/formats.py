"""The formats of reports: one table for each kind of result, from a name to what renders it.

A renderer is MODULE.FUNCTION of this package. It takes the result and the options, and is imported
when its format is asked for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from msgspec import Struct

if TYPE_CHECKING:  # no result is loaded for the sake of another one
    from advisor.collect.fleet import DeviceOutcome
    from advisor.design.edge import EdgeDesign, RefusedDemand
    from advisor.design.wred import WredDesign
    from advisor.device.inspection import Record
    from advisor.lint.change import Comparison
    from advisor.lint.findings import Verdict
    from advisor.predict.size.answer import Answer
    from advisor.predict.what_if.path import PathPrediction
    from advisor.predict.what_if.prediction import Prediction
    from advisor.predict.what_if.sweeps import SharesPoint
    from advisor.report.fleet import AuditReport, DryRun
    from advisor.report.plans import Plans
    from advisor.report.scenarios import Answered
    from advisor.report.sweeps import Swept
    from advisor.report.terminal import RenderOptions
    from advisor.report.trends import TrendPoint

_Result = TypeVar("_Result")


class Formats(Struct, Generic[_Result], frozen=True):
    """The renderers of one kind of result, by the names of their formats.

    `masked_here`: the result is masked before it is rendered, as one of lines of a configuration
    is that no renderer masks by itself.
    """

    renderers: Mapping[str, str]
    masked_here: bool = False

    def __iter__(self) -> Iterator[str]:
        return iter(self.renderers)

    def __len__(self) -> int:
        return len(self.renderers)

    def __contains__(self, form: str) -> bool:
        return form in self.renderers

    def render(self, result: _Result, form: str, options: "RenderOptions") -> str:
        """Return a result in one of the formats."""
        if self.masked_here:
            result = import_module("advisor.report.mask").masked_result(result)
        return self.renderer(form)(result, options)

    def renderer(self, form: str) -> Callable[[_Result, "RenderOptions"], str]:
        """Return what renders a format."""
        module, _, function = self.renderers[form].rpartition(".")
        found: Callable[[_Result, RenderOptions], str] = getattr(
            import_module(f"advisor.report.{module}"), function
        )
        return found


VERDICTS: Final[Formats["Verdict"]] = Formats({
    "full": "brief.render",
    "concise": "lint_text.render_concise",
    "json": "json_report.render",
    "jsonl": "json_report.render_lines",
    "sarif": "sarif.render",
    "junit": "line_formats.render_junit",
    "github": "line_formats.render_github",
    "gitlab": "line_formats.render_gitlab",
    "markdown": "lint_text.render_markdown",
    "csv": "line_formats.render_csv",
    "html": "lint_page.render",
})  # fmt: skip
# Formats of lines are written when a device is judged: what stands ahead of all findings, those of
# a device, and what follows the last.
STREAMS: Final[Mapping[str, Formats["Verdict"]]] = {
    "concise": Formats({
        "findings": "lint_text.render_concise_part", "end": "lint_text.render_concise_end",
    }),
    "jsonl": Formats({
        "findings": "json_report.render_finding_lines", "end": "json_report.render_summary_line",
    }),
    "github": Formats({
        "findings": "line_formats.render_annotations", "end": "line_formats.render_github_end",
    }),
    "csv": Formats({
        "start": "line_formats.render_csv_head", "findings": "line_formats.render_csv_rows",
    }),
}  # fmt: skip
STATISTICS: Final[Formats["Verdict"]] = Formats(
    {"full": "lint_text.render_statistics", "json": "json_report.render_statistics"}
)
COMPARISONS: Final[Formats["Comparison"]] = Formats({
    "full": "change.render",
    "json": "change.render_json",
    "jsonl": "change.render_json_lines",
    "sarif": "sarif.render_changes",
    "csv": "line_formats.render_csv_changes",
    "markdown": "change.render_markdown",
    "github": "line_formats.render_changes",
    "junit": "line_formats.render_junit_changes",
    "html": "change.render_html",
})  # fmt: skip
TRENDS: Final[Formats["Sequence[TrendPoint]"]] = Formats({
    "full": "trends.render",
    "csv": "trends.render_csv",
    "json": "trends.render_json",
    "plot": "trends.plot",
})  # fmt: skip
# An audit in its other formats is its verdict.
AUDITS: Final[Formats["AuditReport"]] = Formats(
    {
        "full": "fleet.render_audit",
        "json": "fleet.audit_json",
        "markdown": "fleet.render_audit_markdown",
    }
)
FLEETS: Final[Formats[Sequence["DeviceOutcome"]]] = Formats(
    {"full": "fleet.render_outcomes", "json": "fleet.outcomes_json"}
)
DRY_RUNS: Final[Formats["DryRun"]] = Formats(
    {"full": "fleet.render_dry_run", "json": "fleet.dry_run_json"}
)
PLANS: Final[Formats["Plans"]] = Formats({
    "ios": "plans.render_ios",
    "diff": "plans.render_diff",
    "json": "plans.render_json",
    "markdown": "plans.render_markdown",
})  # fmt: skip
INSPECTIONS: Final[Formats[Sequence["Record"]]] = Formats(
    {"tree": "inspection_text.render_tree", "json": "inspection_text.render_json"}
)
SIZINGS: Final[Formats["Answer"]] = Formats(
    {"full": "size.render", "json": "json_report.render_struct", "html": "size.render_html"}
)
WRED_DESIGNS: Final[Formats["WredDesign"]] = Formats({
    "full": "design.render_wred",
    "json": "json_report.render_struct",
    "markdown": "design.render_wred_markdown",
})  # fmt: skip
EDGE_DESIGNS: Final[Formats["EdgeDesign | RefusedDemand"]] = Formats({
    "full": "design.render_edge",
    "json": "json_report.render_struct",
    "markdown": "design.render_edge_markdown",
})  # fmt: skip
PREDICTIONS: Final[Formats["Sequence[Prediction]"]] = Formats({
    "full": "predictions.render",
    "json": "json_report.render_struct",
    "csv": "sweeps.predictions_csv",
}, masked_here=True)  # fmt: skip
SWEEPS: Final[Formats["Swept"]] = Formats({
    "full": "sweeps.render",
    "json": "sweeps.render_json",
    "csv": "sweeps.render_csv",
    "plot": "sweeps.plot",
    "svg": "sweeps.render_svg",
    "html": "sweeps.render_html",
}, masked_here=True)  # fmt: skip
SHARES: Final[Formats[Sequence["SharesPoint"]]] = Formats({
    "full": "sweeps.render_shares",
    "json": "json_report.render_struct",
    "csv": "sweeps.shares_csv",
    "plot": "sweeps.plot_shares",
}, masked_here=True)  # fmt: skip
PATHS: Final[Formats["PathPrediction"]] = Formats({
    "full": "predictions.render_path",
    "json": "json_report.render_struct",
    "html": "predictions.path_html",
}, masked_here=True)  # fmt: skip
SCENARIOS: Final[Formats["Answered"]] = Formats(
    {"full": "scenarios.render", "json": "scenarios.render_json"}
)
# A terminal shows these in its own encoding; all others are UTF-8 wherever they go.
FOR_TERMINALS: Final = frozenset({"full", "concise", "tree", "plot", "ios", "diff"})


def audit_text(report: "AuditReport", form: str, options: "RenderOptions") -> str:
    """An audit in a format of its own, or of its verdict."""
    if form in AUDITS:
        return AUDITS.render(report, form, options)
    return VERDICTS.render(report.verdict, form, options)
