"""A comparison as JUnit XML: a test case for each change, which fails where it counts as worse."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement

from advisor.lint.change.changes import Change, Comparison, FindingChange, PredictionChange
from advisor.report.change_words import before_and_now, headline_in_case, moved_words, summary
from advisor.report.junit_xml import document, suite_of
from advisor.report.manner import Manner
from advisor.report.printable import all_printable


def render(comparison: Comparison, manner: Manner | None = None) -> str:
    """Render a suite for each device with changes, and one of the comparison as a whole."""
    del manner
    shown = all_printable(comparison)
    cases: dict[str, list[Element]] = {}
    for prediction in shown.predictions:
        cases.setdefault(prediction.device, []).append(_prediction(prediction))
    for finding in shown.findings:
        cases.setdefault(finding.finding.device, []).append(_finding(finding))
    suites = [suite_of(device, found) for device, found in cases.items()]
    return document([*suites, suite_of("diff", _whole(shown))])


def _prediction(change: PredictionChange) -> Element:
    name = headline_in_case(change)
    case = Element("testcase", classname=change.device, name=name)
    _tell(case, before_and_now(change), "prediction", fails=change.counts)
    return case


def _finding(change: FindingChange) -> Element:
    finding = change.finding
    name = f"{change.change}: {finding.rule} {finding.name}: {finding.object}"
    case = Element("testcase", classname=finding.device, name=name)
    moved = f"{moved_words(change)}; " if change.change is Change.MOVED else ""
    _tell(case, f"{moved}{finding.message}", finding.severity, fails=change.counts)
    return case


def _tell(case: Element, words: str, kind: str, *, fails: bool) -> None:
    if fails:
        SubElement(case, "failure", message=words, type=kind).text = words
    else:
        SubElement(case, "system-out").text = words


def _whole(comparison: Comparison) -> Iterator[Element]:
    case = Element("testcase", classname="diff", name="complete")
    if not comparison.complete:
        words = "one of both states was not read as a whole"
        SubElement(case, "error", message=words, type="incomplete").text = words
    SubElement(case, "system-out").text = summary(comparison)
    yield case
    for output in comparison.without_figures:
        case = Element("testcase", classname=output.device, name=f"no figures: {output.output}")
        SubElement(case, "skipped", message=output.why)
        yield case
