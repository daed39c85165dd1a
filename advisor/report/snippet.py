"""Remedies as text: IOS lines to paste, a diff of the config, or JSON. Nothing is sent."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff
from itertools import groupby
from typing import Final

from msgspec import Struct

from advisor import __version__
from advisor.capture.masking import redact_config
from advisor.lint.findings import Finding, Level, Remedy
from advisor.lint.plan import Edited
from advisor.report.json_report import encoded
from advisor.report.mask import masked_finding
from advisor.report.printable import printable

# Comments must not carry a command: their text passes `printable`, which removes line breaks.


_HUNK: Final = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@$")
_NAMES_OF_FILES: Final = 2  # lines ahead of the first hunk


class Snippet(Struct, frozen=True):
    """The remedy of one finding, as `fix --format json` prints it."""

    device: str
    rule: str
    name: str
    object: str
    message: str
    remedy: Remedy


def render_ios(findings: Sequence[Finding]) -> str:
    """Commands of each config in the order of its findings; all else is a `!` comment."""
    lines: list[str] = []
    by_config = sorted(map(masked_finding, findings), key=_config_of)
    for (device, file), group in groupby(by_config, key=_config_of):
        name = f"{device} ({file})" if file else device
        head = f"{name}: remedies by advisor {__version__}"
        lines += _comments(head, "=" * 60)
        for finding in group:
            lines += _remedy(finding)
    return "".join(f"{line}\n" for line in lines)


def _config_of(finding: Finding) -> tuple[str, str]:
    """Device and file: two configs may have one hostname."""
    return finding.device, finding.locations[0].file if finding.locations else ""


def _comments(*texts: str) -> Iterator[str]:
    return (f"! {printable(text)}".rstrip() for text in texts)


def _remedy(finding: Finding) -> Iterator[str]:
    remedy = finding.remedy
    if remedy is None:
        return
    yield "!"
    yield from _comments(
        f"{finding.rule} {finding.name} ({finding.severity}, {remedy.level}): {finding.object}",
        finding.message,
    )
    if not _can_be_pasted(remedy):
        yield from _comments(f"manual: {remedy.advice or f'see advisor explain {finding.rule}'}")
        return
    yield from _comments(*(f"proof: {line}" for line in remedy.proof))
    if remedy.advice:
        yield from _comments(remedy.advice)
    yield from remedy.lines
    yield from _comments("rollback:", *(f"  {line}" for line in remedy.rollback))
    yield from _comments(*(f"verify: {command}" for command in remedy.verify))


def _can_be_pasted(remedy: Remedy) -> bool:
    """Whether there are lines, and every line is a single printable line."""
    if remedy.level is Level.MANUAL or not remedy.lines:
        return False
    return all(line.isprintable() for line in (*remedy.lines, *remedy.rollback))


def render_json(findings: Sequence[Finding]) -> str:
    """Array of remedies with the findings that they cure."""
    masked = map(masked_finding, findings)
    return encoded(
        [
            Snippet(
                finding.device,
                finding.rule,
                finding.name,
                finding.object,
                finding.message,
                finding.remedy,
            )
            for finding in masked
            if finding.remedy is not None
        ]
    )


def pasted(findings: Iterable[Finding]) -> int:
    """Count the findings whose remedies have lines to paste."""
    remedies = (masked_finding(finding).remedy for finding in findings)
    return sum(remedy is not None and bool(remedy.lines) for remedy in remedies)


def render_diff(edited: Sequence[Edited]) -> str:
    """Unified diff of each config before and after; lines are redacted as in a bundle."""
    lines: list[str] = []
    for config in edited:
        name = printable(config.file)
        lines += _masked_diff(config.before, config.after, f"a/{name}", f"b/{name}")
    return "".join(f"{line}\n" for line in lines)


def _masked_diff(before: str, after: str, old_name: str, new_name: str) -> Iterator[str]:
    """Compare the original texts, and show their lines without secrets."""
    old, new = _lines(redact_config(before)), _lines(redact_config(after))
    at_old = at_new = 0
    compared = unified_diff(_lines(before), _lines(after), old_name, new_name, lineterm="")
    for number, line in enumerate(compared):
        hunk = _HUNK.match(line)
        if number < _NAMES_OF_FILES:
            yield line
        elif hunk is not None:
            yield line
            at_old, at_new = int(hunk[1]) - 1, int(hunk[2]) - 1
        else:
            yield line[0] + printable(new[at_new] if line[0] == "+" else old[at_old])
            at_old += line[0] != "+"
            at_new += line[0] != "-"


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.removesuffix("\n").split("\n")]
