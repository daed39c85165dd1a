"""Findings and changes as JUnit XML: a suite of test cases for each device."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from advisor.lint.change.changes import Comparison
from advisor.lint.findings import Finding, Skipped, Verdict
from advisor.report.change_words import Notice, notices, summary
from advisor.report.coverage import summary_line
from advisor.report.findings import file_of, files_by_device, told_lines
from advisor.report.mask import masked
from advisor.report.printable import all_printable
from advisor.report.terminal import PLAIN, RenderOptions

_COUNTS: Final = {"failures": "failure", "errors": "error", "skipped": "skipped"}

_RUN = "run"  # the suite of what the run lacks


def suite_of(name: str, cases: Iterable[Element]) -> Element:
    """A suite of test cases, each with a name of its own: a server keeps one case of a name."""
    suite = Element("testsuite", name=name)
    suite.extend(cases)
    _tell_apart(list(suite))
    _count(suite)
    return suite


def document(suites: Iterable[Element]) -> str:
    """The text of a document."""
    root = Element("testsuites", name="advisor")
    root.extend(suites)
    _count(root)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, "unicode")}\n'


def _tell_apart(cases: Sequence[Element]) -> None:
    """Cases of one name get their file and line, and those of one line a number."""
    total = Counter(case.get("name") for case in cases)
    for case in cases:
        name, file, line = case.get("name", ""), case.get("file"), case.get("line")
        if total[name] > 1 and file is not None:
            case.set("name", f"{name} ({file if line is None else f'{file}:{line}'})")
    seen: Counter[str] = Counter()
    for case in cases:
        name = case.get("name", "")
        seen[name] += 1
        if seen[name] > 1:
            case.set("name", f"{name} ({seen[name]})")


def _count(element: Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for name, tag in _COUNTS.items():
        element.set(name, str(sum(case.find(tag) is not None for case in cases)))


def render(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render the suites of all devices, and one of the run.

    A finding that fails the run is a failure; a milder one passes with its words as output. What
    the user accepts and what is not judged is skipped. What the run lacks is an error.
    """
    shown = all_printable(masked(verdict))
    files = files_by_device(shown)
    cases = {device: [_device_case(device)] for device in _devices(shown)}
    for finding in shown.findings:
        cases[finding.device].append(_finding_case(finding, options, file_of(finding, files)))
    for skip in shown.skipped:
        cases[skip.device].append(_not_judged(skip))
    suites = [suite_of(device, found) for device, found in cases.items()]
    return document([*suites, suite_of(_RUN, [_run_case(shown)])])


def _devices(verdict: Verdict) -> Iterable[str]:
    """Names of all devices, in the order of the findings, then of the inputs."""
    said = [finding.device for finding in verdict.findings]
    said += (skip.device for skip in verdict.skipped)
    said += (device.device for device in verdict.devices)
    return dict.fromkeys(said)


def _device_case(device: str) -> Element:
    """A case that passes: a device without findings is seen too."""
    return Element("testcase", classname=device, name="read")


def _finding_case(finding: Finding, options: RenderOptions, file: str) -> Element:
    name = f"{finding.rule} {finding.name}: {finding.object}"
    case = Element("testcase", classname=finding.device, name=name, file=file)
    if finding.locations and finding.locations[0].line:
        case.set("line", str(finding.locations[0].line))
    told = "\n".join(told_lines(finding))
    accepted = finding.suppressed
    if accepted is not None:
        why = f"accepted by {accepted.by}" + (f": {accepted.reason}" if accepted.reason else "")
        SubElement(case, "skipped", message=why)
    elif options.fails(finding):
        failure = SubElement(case, "failure", message=finding.message, type=finding.severity)
        failure.text = told
    else:
        SubElement(case, "system-out").text = f"{finding.severity}: {told}"
    return case


def _not_judged(skip: Skipped) -> Element:
    case = Element("testcase", classname=skip.device, name=f"{skip.rule}: {skip.object}")
    SubElement(case, "skipped", message=f"not judged: {skip.reason}")
    return case


def _run_case(verdict: Verdict) -> Element:
    case = Element("testcase", classname=_RUN, name="complete")
    if verdict.incomplete:
        error = SubElement(case, "error", message=verdict.incomplete[0], type="incomplete")
        error.text = "\n".join(verdict.incomplete)
    SubElement(case, "system-out").text = summary_line(verdict)
    return case


def render_changes(comparison: Comparison, _options: RenderOptions = PLAIN) -> str:
    """Render a suite for each device with changes, and one of the comparison as a whole."""
    shown = all_printable(comparison)
    cases: dict[str, list[Element]] = {}
    for notice in notices(shown):
        cases.setdefault(notice.device, []).append(_changed(notice))
    suites = [suite_of(device, found) for device, found in cases.items()]
    return document([*suites, suite_of("diff", _comparison_cases(shown))])


def _changed(notice: Notice) -> Element:
    case = Element("testcase", classname=notice.device, name=notice.name)
    words = "; ".join(notice.words)
    if notice.counts:
        SubElement(case, "failure", message=words, type=notice.kind).text = words
    else:
        SubElement(case, "system-out").text = words
    return case


def _comparison_cases(comparison: Comparison) -> Iterator[Element]:
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
