"""Findings as a SARIF log: code scanning, and viewers of editors.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0. Columns count from
1, and an end column is the first one behind the region.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from advisor import __version__
from advisor.lint.cards import Rule
from advisor.lint.change import Change, Comparison, FindingChange, PredictionChange
from advisor.lint.findings import Finding, Place, Severity, Suppressed, Verdict
from advisor.report import all_printable
from advisor.report.change_words import (
    PREDICTION,
    before_and_now,
    headline_in_case,
    moved_words,
    summary,
)
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
from advisor.report.rules import help_markdown, render_explanation
from advisor.report.terminal import PLAIN, RenderOptions

FINGERPRINT: Final = "deviceRuleObject/v1"
_VERSION: Final = "2.1.0"
_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEMS: Final = {  # how code scanning orders alerts
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "recommendation",
}

_STATES: Final = {Change.ADDED: "new", Change.GONE: "absent", Change.MOVED: "updated"}

_Object: TypeAlias = dict[str, Any]  # an object of the format, by the names that it has there


def render(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render one run with all findings, the rules that found them, and what the run lacks.

    A finding that the user accepts is there with its suppression.
    """
    shown = all_printable(masked(verdict))
    named = {finding.rule for finding in shown.findings}
    rules = [rule for rule in options.rules if rule.card.id in named]
    files = files_by_device(shown)
    notes = [{"level": "warning", "message": _message(why)} for why in shown.incomplete]
    ended = {"executionSuccessful": shown.complete} | _given(toolExecutionNotifications=notes)
    program = {"name": "advisor", "version": __version__, "rules": [*map(_descriptor, rules)]}
    properties = {"complete": shown.complete, "summary": summary_of(shown)}
    return _log(program, ended, [*_results(shown.findings, rules, files)], properties)


def _log(program: _Object, ended: _Object, results: list[_Object], properties: _Object) -> str:
    """A log of one run."""
    run = {
        "tool": {"driver": program},
        "invocations": [ended],
        "results": results,
        "columnKind": "unicodeCodePoints",
        "properties": properties,
    }
    return encoded({"$schema": _SCHEMA, "version": _VERSION, "runs": [run]})


def _given(**fields: object) -> _Object:
    """The fields that have a value: the format has no null."""
    return {name: value for name, value in fields.items() if value not in (None, [])}


def _message(text: str, **more: str) -> _Object:
    return {"text": text, **more}


def _descriptor(rule: Rule) -> _Object:
    card = rule.card
    return {
        "id": card.id,
        "name": card.name,
        "shortDescription": _message(card.title),
        "fullDescription": _message(card.why.strip()),
        "help": _message(render_explanation(rule), markdown=help_markdown(rule)),
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [card.id[:3], "qos"], "problem.severity": _PROBLEMS[rule.severity]},
    }


def _results(
    findings: tuple[Finding, ...], rules: Iterable[Rule], files: Mapping[str, str]
) -> Iterator[_Object]:
    indices = {rule.card.id: index for index, rule in enumerate(rules)}
    for finding, mark in zip(findings, fingerprints(findings), strict=True):
        first, *others = finding.locations or (None,)
        yield {
            "ruleId": finding.rule,
            "level": _LEVELS[finding.severity],
            "message": _message("\n".join(told_lines(finding))),
            "locations": [_location(finding, first, file_of(finding, files))],
            "partialFingerprints": {FINGERPRINT: mark},
            **_given(
                ruleIndex=indices.get(finding.rule),
                relatedLocations=[_location(finding, at, at.file) for at in others],
                fixes=[*_fixes(finding)],
                suppressions=[*_suppressions(finding.suppressed, files)],
            ),
            "properties": _properties(finding),
        }


def _location(finding: Finding, at: Place | None, file: str) -> _Object:
    """A line, or the file of a finding that has none; with the object."""
    subject = {"fullyQualifiedName": f"{finding.device} > {finding.object}", "kind": "object"}
    region = _region(finding, at) if at is not None and at.line else None
    place = {"artifactLocation": {"uri": relative_uri(file)}, **_given(region=region)}
    return {"physicalLocation": place, "logicalLocations": [subject]}


def _region(finding: Finding, at: Place) -> _Object:
    """The characters of a line that the remedy replaces; else all of them."""
    change = replaced(finding)
    start, end, text = at.column, at.end_column, at.text
    if change is not None and change.at == at and at.is_verbatim and at.column is not None:
        start, end = at.column + change.start, at.column + change.end
        text = at.text[change.start : change.end]
    snippet = _message(text) if at.text else None
    return {"startLine": at.line, **_given(startColumn=start, endColumn=end, snippet=snippet)}


def _fixes(finding: Finding) -> Iterator[_Object]:
    """The remedy as a change of the file, where it replaces or removes one line of it."""
    change = replaced(finding)
    if change is None or not change.at.is_verbatim:
        return
    at = change.at
    if change.now is None:
        deleted = {"startLine": at.line, "startColumn": 1, "endLine": at.line + 1, "endColumn": 1}
        replacement: _Object = {"deletedRegion": deleted}
    else:
        ends = _given(startColumn=at.column, endColumn=at.end_column)
        deleted = {"startLine": at.line, **ends}
        replacement = {"deletedRegion": deleted, "insertedContent": _message(change.now)}
    assert finding.remedy is not None  # noqa: S101 -- for the type checker
    artifact = {"uri": relative_uri(at.file)}
    yield {
        "description": _message("\n".join(finding.remedy.lines)),
        "artifactChanges": [{"artifactLocation": artifact, "replacements": [replacement]}],
    }


def _suppressions(accepted: Suppressed | None, files: Mapping[str, str]) -> Iterator[_Object]:
    if accepted is not None:
        is_in_source = accepted.by.rpartition(":")[0] in files
        yield {
            "kind": "inSource" if is_in_source else "external",
            **_given(justification=accepted.reason),
            "properties": {"by": accepted.by, **_given(until=accepted.until)},
        }


def _properties(finding: Finding) -> Mapping[str, object]:
    """Values without a place of their own in the format, as JSON of `lint` has them."""
    return {
        "device": finding.device,
        "object": finding.object,
        "confidence": finding.confidence,
        "prediction": finding.prediction,
        "remedy": finding.remedy,
        "sources": finding.sources,
    }


def render_changes(comparison: Comparison, options: RenderOptions = PLAIN) -> str:
    """Render one run with all changes: what is new, gone or moved, as `baselineState` says.

    What does not count as worse is a note.
    """
    shown = all_printable(comparison)
    named = {change.finding.rule for change in shown.findings}
    rules = [rule for rule in options.rules if rule.card.id in named]
    program = {"name": "advisor", "version": __version__, "rules": [*map(_descriptor, rules)]}
    results = [*map(_changed_prediction, shown.predictions), *map(_changed, shown.findings)]
    properties = {"complete": shown.complete, "worse": shown.is_worse, "summary": summary(shown)}
    return _log(program, {"executionSuccessful": shown.complete}, results, properties)


def _changed(change: FindingChange) -> _Object:
    finding = change.finding
    level = _LEVELS[finding.severity] if change.counts else _LEVELS[Severity.INFO]
    file, _, line = (finding.place or "").rpartition(":")
    region = {"startLine": int(line)} if line.isdecimal() and line != "0" else None
    place = {"artifactLocation": {"uri": relative_uri(file)}, **_given(region=region)}
    physical = place if file else None
    subject = {"fullyQualifiedName": f"{finding.device} > {finding.object}", "kind": "object"}
    moved = [moved_words(change)] if change.change is Change.MOVED else []
    return {
        "ruleId": finding.rule,
        "level": level,
        "message": _message("\n".join([*moved, finding.message])),
        "baselineState": _STATES[change.change],
        "locations": [{**_given(physicalLocation=physical), "logicalLocations": [subject]}],
        "properties": {"change": change},
    }


def _changed_prediction(change: PredictionChange) -> _Object:
    name = f"{change.device} > {change.output} > class {change.class_name}"
    return {
        "ruleId": PREDICTION,
        "level": _LEVELS[Severity.WARNING if change.counts else Severity.INFO],
        "message": _message(f"{headline_in_case(change)}\n{before_and_now(change)}"),
        "baselineState": _STATES[change.change],
        "locations": [{"logicalLocations": [{"fullyQualifiedName": name, "kind": "object"}]}],
        "properties": {"change": change},
    }
