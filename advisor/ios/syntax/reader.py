"""Read the text of an IOS configuration into a tree that holds every line of it."""

import re
from collections.abc import Iterator
from typing import Final

from advisor.ios import pattern
from advisor.ios.syntax import ConfigTree, Line, LineKind, Problem, ProblemKind
from advisor.ios.syntax.abbreviations import spelled_out
from advisor.ios.syntax.modes import GLOBAL, is_known_word, is_local, opens_mode
from advisor.ios.syntax.nesting import nest_by_indentation, nest_by_mode
from advisor.ios.syntax.scan import Scan, scan_text

# Comments to this tool in a configuration: `! advisor: …`, also behind a command.

WORD: Final = "advisor:"
_FREE_TEXT: Final = ("description ", "remark ")  # IOS takes all that follows as text
_BEHIND: Final = pattern(r"\s!\s*advisor:")


def directive_of(text: str) -> str | None:
    """Return a comment's directive to this tool; None for any other line.

    >>> directive_of("! advisor: ignore[TXR001] until the move")
    'ignore[TXR001] until the move'
    """
    said = text.lstrip("! \t")
    if not text.startswith("!") or not said.startswith(WORD):
        return None
    return said.removeprefix(WORD).strip()


def without_directive(text: str) -> tuple[str, str | None]:
    """A command and what a comment behind it says to this tool, if there is one.

    >>> without_directive("tx-ring-limit 16 ! advisor: ignore[TXR001]")
    ('tx-ring-limit 16', 'ignore[TXR001]')
    """
    found = None if text.startswith(_FREE_TEXT) else _BEHIND.search(text)
    if found is None:
        return text, None
    return text[: found.start()].rstrip(), text[found.end() :].strip()


_SHORT_SHARE = 0.05
_SHORT_BYTES = 200
_CONFLICT_MARKS = ("<<<<<<< ", ">>>>>>> ")
# Signs that a person writes where text is left out: `<output omitted>`, `[snip]`, `...`.
_LEFT_OUT: Final = r"omitted|snip(?:ped)?|suppressed|truncated|cut|skipped|elided"
_SIGNS: Final = r"[\s!/<>()\[\]{}*=~_.-]"
_OMISSION: Final = pattern(
    rf"""{_SIGNS}*+ (?: (?: (?<={_SIGNS}) (?:{_LEFT_OUT}|skip)
          | (?:(?:some|the|rest|of|remaining|other|more|irrelevant|unrelated) [ ])*
            (?:output|lines?|text|part|rest|section|config(?:uration)?) [ ]
            (?:(?:is|are|was|were|has|have|been|intentionally) [ ])*
            (?:{_LEFT_OUT}|removed|deleted) )
        (?:[ ] (?:here|for [ ] (?:brevity|clarity|readability)))? ) {_SIGNS}*""",
    re.VERBOSE | re.IGNORECASE,
)
_DOTS: Final = pattern(rf"(?:{_SIGNS}|\u2026)+")
# Each such line holds one of these parts of words; they are looked for without an expression.
_MAY_OMIT: Final = (
    *("...", "\u2026", "omit", "snip", "suppressed", "truncated", "cut", "skip", "elided"),
    *("removed", "deleted"),
)


def parse_config(text: str, file: str = "<text>", first_line: int = 1) -> ConfigTree:
    r"""Parse a configuration from any text.

    The reader takes indented and flat texts, captures with prompts and pager residue, and texts
    that were cut. It never fails. Printing the tree returns the text. Time is linear in the text.

    Parameters
    ----------
    text
        The decoded text.
    file
        Name for locations.
    first_line
        Number of the text's first line in that file.

    Returns
    -------
    ConfigTree
        The tree; its `problems` are in the order of their lines.

    Examples
    --------
    >>> tree = parse_config("interface Serial0/0\n bandwidth 512\n")
    >>> [child.text for child in tree.lines[0].children]
    ['bandwidth 512']
    """
    scan = scan_text(text, first_line)
    if WORD in text:
        _leave_directives_out(scan)
    lower = text.lower()
    if any(part in lower for part in _MAY_OMIT):
        _note_omissions(scan)
    nesting = nest_by_indentation(scan)
    parents, flat = nesting.parents, False
    by_mode = len(nesting.strays) > nesting.nested or not nesting.nested
    if by_mode:
        parents = [-1] * len(scan.texts)
        flat = nest_by_mode(scan, parents, strays_only=False) > 0
    elif nesting.strays or scan.config_prompts:
        nest_by_mode(scan, parents, strays_only=True)
    _complete(scan, parents)
    return ConfigTree(
        file=file,
        lines=_lines(scan, parents),
        flat=flat,
        is_capture=scan.is_capture,
        problems=_problems(scan, _outside(scan, parents, None if by_mode else nesting.strays)),
    )


def _leave_directives_out(scan: Scan) -> None:
    """Take comments to this tool out of the commands that they stand behind."""
    for row, kind in enumerate(scan.kinds):
        if kind is LineKind.COMMAND:
            scan.texts[row], _ = without_directive(scan.texts[row])


def _note_omissions(scan: Scan) -> None:
    """Report the marks of parts that are left out; such a line is no command."""
    for row, (kind, said) in enumerate(zip(scan.kinds, scan.texts, strict=True)):
        if kind in (LineKind.COMMAND, LineKind.COMMENT) and says_omitted(said):
            scan.kinds[row] = LineKind.COMMENT if kind is LineKind.COMMENT else LineKind.NOISE
            detail = "a part of the text is left out here"
            scan.problems.append(Problem(ProblemKind.OMITTED, scan.numbers[row], detail))


def says_omitted(text: str) -> bool:
    """Whether a line says that a part of the text is left out: `<output omitted>`."""
    if _DOTS.fullmatch(text):
        return "..." in text or "\u2026" in text
    return _OMISSION.fullmatch(text) is not None


def _complete(scan: Scan, parents: list[int]) -> None:
    """Write the keywords of each command in full, by the mode that the command above it opens."""
    modes: dict[int, str | None] = {-1: GLOBAL}
    texts = scan.texts
    heads = set(parents)
    for row, parent in enumerate(parents):
        if scan.kinds[row] is not LineKind.COMMAND:
            continue
        mode = modes.get(parent)
        if mode is not None:
            texts[row] = spelled_out(mode, texts[row])
            if row in heads:
                modes[row] = opens_mode(mode, texts[row])


def _lines(scan: Scan, parents: list[int]) -> tuple[Line, ...]:
    """Build the frozen lines from the last to the first, so that children come before parents."""
    top: list[Line] = []
    below: dict[int, list[Line]] = {}
    texts, numbers, raws, kinds = scan.texts, scan.numbers, scan.raws, scan.kinds
    for row in range(len(texts) - 1, -1, -1):
        children = below.pop(row, None)
        line = Line(
            texts[row],
            numbers[row],
            raws[row],
            kinds[row],
            tuple(reversed(children)) if children else (),
        )
        parent = parents[row]
        if parent < 0:
            top.append(line)
        elif parent in below:
            below[parent].append(line)
        else:
            below[parent] = [line]
    return tuple(reversed(top))


def _outside(scan: Scan, parents: list[int], strays: list[int] | None) -> list[Problem]:
    """Report the commands at the top that stand outside of the section they belong to.

    `strays` are the rows to look at; None if the text is not indented. Then an unknown command is
    reported too, because nothing shows its section.
    """
    problems = []
    for row in range(len(parents)) if strays is None else strays:
        if scan.kinds[row] is not LineKind.COMMAND or parents[row] >= 0:
            continue
        text, number = scan.texts[row], scan.numbers[row]
        if text.startswith(_CONFLICT_MARKS):
            continue
        if is_local(text):
            problems.append(Problem(ProblemKind.MISPLACED, number, text))
        elif strays is None and not is_known_word(text):
            problems.append(Problem(ProblemKind.UNPLACED, number, text))
    return problems


def _problems(scan: Scan, outside: list[Problem]) -> tuple[Problem, ...]:
    problems = [*scan.problems, *outside, *_conflicts(scan)]
    if _starts_whole(scan) and not scan.unterminated and not _has_end(scan):
        problems.append(Problem(ProblemKind.NO_END, scan.numbers[-1], "the text has no `end`"))
    short = _shortfall(scan)
    if short is not None:
        problems.append(short)
    return tuple(sorted(problems, key=lambda problem: problem.number))


def _conflicts(scan: Scan) -> Iterator[Problem]:
    """Report the marks of a merge that was not resolved: what stands between them is two texts."""
    for text, kind, number in zip(scan.texts, scan.kinds, scan.numbers, strict=True):
        if kind is LineKind.COMMAND and text.startswith(_CONFLICT_MARKS):
            yield Problem(ProblemKind.CONFLICT, number, text)


def _starts_whole(scan: Scan) -> bool:
    """Whether it is the start of a whole configuration, as a device or a template of one has it."""
    if scan.declared_bytes is not None:
        return True
    commands = (
        text for text, kind in zip(scan.texts, scan.kinds, strict=True) if kind is LineKind.COMMAND
    )
    first, second = next(commands, ""), next(commands, "")
    is_marked = first.startswith("hostname ") and second == "boot-start-marker"
    return is_marked or first.startswith("version ")


def _has_end(scan: Scan) -> bool:
    return any(
        text == "end" and kind is LineKind.COMMAND
        for text, kind in zip(reversed(scan.texts), reversed(scan.kinds), strict=True)
    )


def _shortfall(scan: Scan) -> Problem | None:
    """Compare the size that IOS declared with the size of the text."""
    if scan.declared_bytes is None:
        return None
    row, declared = scan.declared_bytes
    printed = sum(len(raw) - raw.count("\r") for raw in scan.raws[row + 1 :])
    missing = declared - printed
    if missing <= _SHORT_BYTES or missing <= declared * _SHORT_SHARE:
        return None
    detail = f"{declared} bytes declared, {printed} bytes printed"
    return Problem(ProblemKind.SHORT, scan.numbers[row], detail)
