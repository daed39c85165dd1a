"""Documents of JUnit XML: suites of test cases with their counts.

Source: the XML report of Apache Ant's JUnit task, as Jenkins and GitLab read it.
"""

from collections.abc import Iterable
from typing import Final
from xml.etree.ElementTree import Element, indent, tostring

_COUNTS: Final = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def suite_of(name: str, cases: Iterable[Element]) -> Element:
    """A suite of test cases."""
    suite = Element("testsuite", name=name)
    suite.extend(cases)
    _count(suite)
    return suite


def document(suites: Iterable[Element]) -> str:
    """The text of a document."""
    root = Element("testsuites", name="advisor")
    root.extend(suites)
    _count(root)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, "unicode")}\n'


def _count(element: Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for name, tag in _COUNTS.items():
        element.set(name, str(sum(case.find(tag) is not None for case in cases)))
