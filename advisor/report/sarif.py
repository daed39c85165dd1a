"""Findings as a SARIF log: code scanning, and viewers of editors."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from advisor import __version__
from advisor.lint.cards import Rule
from advisor.lint.findings import Finding, Place, Severity, Suppressed, Verdict
from advisor.report import sarif_log as log
from advisor.report.findings import (
    file_of,
    files_by_device,
    fingerprints,
    relative_uri,
    replaced,
    told_lines,
)
from advisor.report.json_report import encoded, summary_of
from advisor.report.mask import masked
from advisor.report.printable import all_printable
from advisor.report.rules import help_markdown, render_explanation
from advisor.report.terminal import PLAIN, RenderOptions

FINGERPRINT: Final = "deviceRuleObject/v1"
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_IN_CHARACTERS: Final = "unicodeCodePoints"
_IN_SOURCE, _EXTERNAL = "inSource", "external"


def render(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render one run with all findings, the rules that found them, and what the run lacks.

    A finding that the user accepts is there with its suppression.
    """
    shown = all_printable(masked(verdict))
    named = {finding.rule for finding in shown.findings}
    rules = [rule for rule in options.rules if rule.card.id in named]
    files = files_by_device(shown)
    run = log.Run(
        tool=log.Tool(log.Component("advisor", __version__, tuple(map(_descriptor, rules)))),
        invocations=(
            log.Invocation(
                shown.complete,
                tuple(log.Notification("warning", log.Message(why)) for why in shown.incomplete),
            ),
        ),
        results=tuple(_results(shown.findings, rules, files)),
        column_kind=_IN_CHARACTERS,
        properties={"complete": shown.complete, "summary": summary_of(shown)},
    )
    return encoded(log.Log(log.SCHEMA, log.VERSION, (run,)))


def _descriptor(rule: Rule) -> log.Descriptor:
    card = rule.card
    return log.Descriptor(
        id=card.id,
        name=card.name,
        short_description=log.Message(card.title),
        full_description=log.Message(card.why.strip()),
        help=log.Message(render_explanation(rule), help_markdown(rule)),
        default_configuration=log.Configuration(_LEVELS[rule.severity]),
        properties={"tags": [card.id[:3], "qos"], "problem.severity": _PROBLEMS[rule.severity]},
    )


_PROBLEMS: Final = {  # how code scanning orders alerts
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "recommendation",
}


def _results(
    findings: tuple[Finding, ...], rules: Iterable[Rule], files: Mapping[str, str]
) -> Iterator[log.Result]:
    indices = {rule.card.id: index for index, rule in enumerate(rules)}
    for finding, mark in zip(findings, fingerprints(findings), strict=True):
        first, *others = finding.locations or (None,)
        yield log.Result(
            rule_id=finding.rule,
            level=_LEVELS[finding.severity],
            message=log.Message("\n".join(told_lines(finding))),
            locations=(_location(finding, first, file_of(finding, files)),),
            partial_fingerprints={FINGERPRINT: mark},
            rule_index=indices.get(finding.rule),
            related_locations=tuple(_location(finding, at, at.file) for at in others),
            fixes=tuple(_fixes(finding)),
            suppressions=tuple(_suppressions(finding.suppressed, files)),
            properties=_properties(finding),
        )


def _location(finding: Finding, at: Place | None, file: str) -> log.Location:
    """A line, or the file of a finding that has none; with the object."""
    subject = log.LogicalLocation(f"{finding.device} > {finding.object}", "object")
    region = _region(finding, at) if at is not None and at.line else None
    artifact = log.ArtifactLocation(relative_uri(file))
    return log.Location(log.PhysicalLocation(artifact, region), (subject,))


def _region(finding: Finding, at: Place) -> log.Region:
    """The characters of a line that the remedy replaces; else all of them."""
    change = replaced(finding)
    snippet = log.Message(at.text) if at.text else None
    if change is not None and change.at == at and at.is_verbatim and at.column is not None:
        start, end = change.start, change.end
        snippet = log.Message(at.text[start:end])
        return log.Region(at.line, at.column + start, None, at.column + end, snippet)
    return log.Region(at.line, at.column, None, at.end_column, snippet)


def _fixes(finding: Finding) -> Iterator[log.Fix]:
    """The remedy as a change of the file, where it replaces or removes one line of it."""
    change = replaced(finding)
    if change is None or not change.at.is_verbatim:
        return
    at = change.at
    if change.now is None:
        deleted = log.Region(at.line, 1, at.line + 1, 1)
        replacement = log.Replacement(deleted)
    else:
        deleted = log.Region(at.line, at.column, None, at.end_column)
        replacement = log.Replacement(deleted, log.Message(change.now))
    artifact = log.ArtifactLocation(relative_uri(at.file))
    assert finding.remedy is not None  # noqa: S101 -- for the type checker
    yield log.Fix(
        log.Message("\n".join(finding.remedy.lines)),
        (log.ArtifactChange(artifact, (replacement,)),),
    )


def _suppressions(
    accepted: Suppressed | None, files: Mapping[str, str]
) -> Iterator[log.Suppression]:
    if accepted is None:
        return
    until = {} if accepted.until is None else {"until": accepted.until}
    kind = _IN_SOURCE if accepted.by.rpartition(":")[0] in files else _EXTERNAL
    yield log.Suppression(kind, accepted.reason, {"by": accepted.by, **until})


def _properties(finding: Finding) -> Mapping[str, object]:
    """What has no place of its own in the format, as JSON of `lint` has it."""
    return {
        "device": finding.device,
        "object": finding.object,
        "confidence": finding.confidence,
        "prediction": finding.prediction,
        "remedy": finding.remedy,
        "sources": finding.sources,
    }
