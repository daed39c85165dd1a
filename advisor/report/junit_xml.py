"""Documents of JUnit XML: suites of test cases with their counts.

Source: the XML report of Apache Ant's JUnit task, as Jenkins and GitLab read it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final
from xml.etree.ElementTree import Element, indent, tostring

_COUNTS: Final = {"failures": "failure", "errors": "error", "skipped": "skipped"}


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
