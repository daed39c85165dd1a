"""Comments of a configuration that suppress findings: `! advisor: ignore[TXR001] reason`."""

import re
from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from advisor.ios.syntax import ConfigTree, Line, LineKind, Location
from advisor.ios.syntax.reader import WORD, directive_of, without_directive

_MOST_RULES = 50  # in one comment: more are no work of a person
# A word with digits ends the reason, or is like a date in it.
_UNTIL = re.compile(
    r"(?<!\S)until\s+(?P<date>[\d<]\S*(?=\s*$)|\d+[-./]\d+[-./]\d+(?![^\s,;.)]))[,;.)]?",
    re.ASCII | re.IGNORECASE,
)
_HOW = "write ! advisor: ignore[TXR001] reason until 2027-01-31"


class InlineSuppression(Struct, frozen=True):
    """A comment that suppresses what is found on some lines.

    `shown` is the comment without its reason, `rules` are ids, names or prefixes as written. It
    holds from line `first` to `last`: those of the command that it stands behind, or of the next
    one, with the section that it opens. `path` are the lines that lead to that command. `fault`
    says why it is not understood: then it suppresses nothing. It holds until the end of `until`.
    """

    at: Location
    shown: str
    path: tuple[str, ...]
    first: int
    last: int
    rules: tuple[str, ...] = ()
    reason: str | None = None
    until: date | None = None
    fault: str | None = None


class _Said(Struct, frozen=True):
    rules: tuple[str, ...] = ()
    reason: str | None = None
    until: date | None = None
    fault: str | None = None


def inline_suppressions(tree: ConfigTree) -> Iterator[InlineSuppression]:
    """The comments of a configuration, in their order."""
    waiting: list[tuple[Line, str]] = []  # comments without a command yet
    for line, path in _with_paths(tree):
        if line.kind is LineKind.COMMENT:
            said = directive_of(line.text)
            if said is not None:
                waiting.append((line, said))
        elif line.is_command:
            directives = [*waiting]
            if line.kind is LineKind.COMMAND and (said := without_directive(line.raw.strip())[1]):
                directives.append((line, said))
            for comment, words in directives:
                yield _suppression(tree, comment, words, line, path)
            waiting = []
    for comment, words in waiting:
        yield _suppression(tree, comment, words, comment, ())


def _with_paths(tree: ConfigTree) -> Iterator[tuple[Line, tuple[str, ...]]]:
    """Every line with the commands that lead to it and itself; iterative, as depth has no limit."""
    stack: list[tuple[Line, tuple[str, ...]]] = [(line, ()) for line in reversed(tree.lines)]
    while stack:
        line, above = stack.pop()
        path = (*above, line.text)
        yield line, path
        stack += [(child, path) for child in reversed(line.children)]


def _suppression(
    tree: ConfigTree, comment: Line, words: str, command: Line, path: tuple[str, ...]
) -> InlineSuppression:
    said = _said(words)
    last = max(line.number for line in command.walk())
    if command is comment:
        said = _Said(fault="no command follows it") if not path else said
    return InlineSuppression(
        tree.at(comment),
        f"! {WORD} ignore[{', '.join(said.rules)}]",
        path,
        command.number,
        last,
        said.rules,
        said.reason,
        said.until,
        said.fault,
    )


def _said(words: str) -> _Said:
    verb, opened, rest = words.partition("[")
    listed, closed, reason = rest.partition("]")
    rules = tuple(word for word in listed.replace(",", " ").split() if word)
    if verb.strip() != "ignore" or not opened or not closed or not rules:
        return _Said(fault=f"it is not understood: {_HOW}")
    if len(rules) > _MOST_RULES:
        return _Said(fault=f"it names more than {_MOST_RULES} rules")
    reason = reason.strip()
    dated = _UNTIL.search(reason)
    if dated is None:
        return _Said(rules, reason or None)
    try:
        until = date.fromisoformat(dated["date"])
    except ValueError:
        return _Said(fault=f"{dated['date']} is no date like 2027-01-31")
    others = f"{reason[: dated.start()].rstrip()} {reason[dated.end() :].lstrip()}".strip()
    return _Said(rules, others or None, until)
