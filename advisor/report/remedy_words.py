"""A remedy as plain lines, for reports that hold it in a message."""

from collections.abc import Iterator

from advisor.lint.findings import Finding, Forecast
from advisor.quantity import figure


def forecast_line(forecast: Forecast) -> str:
    """The figure of a finding, now and with its remedy."""
    after = "" if forecast.after is None else f" → {figure(forecast.after)}"
    return f"{forecast.metric}: {figure(forecast.before)}{after}"


def told_lines(finding: Finding) -> Iterator[str]:
    """The message of a finding, its figure, its remedy or the advice, and the way on."""
    yield finding.message
    if finding.prediction is not None:
        yield forecast_line(finding.prediction)
    remedy = finding.remedy
    if remedy is not None and remedy.lines:
        yield f"remedy ({remedy.level}):"
        yield from (f"  {line}" for line in remedy.lines)
        yield "rollback:"
        yield from (f"  {line}" for line in remedy.rollback)
    if remedy is not None and remedy.advice:
        yield f"advice: {remedy.advice}" if remedy.lines else f"remedy (manual): {remedy.advice}"
    yield f"explain: advisor explain {finding.rule}"
