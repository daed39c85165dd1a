"""Findings as JUnit XML: a test suite for each device, a test case for each finding."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement

from advisor.lint.findings import Finding, Skipped, Verdict
from advisor.report.coverage import summary_line
from advisor.report.junit_xml import document, suite_of
from advisor.report.manner import Manner
from advisor.report.mask import masked
from advisor.report.printable import all_printable
from advisor.report.remedy_words import told_lines
from advisor.report.where import file_of, files_by_device

_RUN = "run"  # the suite of what the run lacks


def render(verdict: Verdict, manner: Manner | None = None) -> str:
    """Render the suites of all devices, and one of the run.

    A finding that fails the run is a failure; a milder one passes with its words as output. What
    the user accepts and what is not judged is skipped. What the run lacks is an error.
    """
    manner = manner or Manner()
    shown = all_printable(masked(verdict))
    files = files_by_device(shown)
    cases = {device: [_read(device)] for device in _devices(shown)}
    for finding in shown.findings:
        cases[finding.device].append(_case(finding, manner, file_of(finding, files)))
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


def _read(device: str) -> Element:
    """A case that passes: a device without findings is seen too."""
    return Element("testcase", classname=device, name="read")


def _case(finding: Finding, manner: Manner, file: str) -> Element:
    name = f"{finding.rule} {finding.name}: {finding.object}"
    case = Element("testcase", classname=finding.device, name=name, file=file)
    if finding.locations and finding.locations[0].line:
        case.set("line", str(finding.locations[0].line))
    told = "\n".join(told_lines(finding))
    accepted = finding.suppressed
    if accepted is not None:
        why = f"accepted by {accepted.by}" + (f": {accepted.reason}" if accepted.reason else "")
        SubElement(case, "skipped", message=why)
    elif manner.fails(finding):
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
