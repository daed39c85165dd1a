"""Remedies as text: IOS lines to paste, a diff of the config, or JSON. Nothing is sent."""

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from itertools import groupby

from msgspec import Struct

from advisor import __version__
from advisor.findings import Finding, Level, Remedy
from advisor.report.json_report import encoded
from advisor.report.mask import mask_line, mask_quoted
from advisor.report.printable import printable

# Comments must not be able to carry a command: their text passes `printable`, which leaves no
# line break in it.


class Edited(Struct, frozen=True):
    """A config file before and after its remedies."""

    file: str
    before: str
    after: str


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
    by_config = sorted(findings, key=_config_of)
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
        mask_quoted(finding.message),
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
    """Whether there are lines, and each of them is the one line that it looks like."""
    if remedy.level is Level.MANUAL or not remedy.lines:
        return False
    return all(line.isprintable() for line in (*remedy.lines, *remedy.rollback))


def render_json(findings: Sequence[Finding]) -> str:
    """Array of remedies with what they cure."""
    return encoded(
        [
            Snippet(
                each.device,
                each.rule,
                each.name,
                each.object,
                mask_quoted(each.message),
                each.remedy,
            )
            for each in findings
            if each.remedy is not None
        ]
    )


def render_diff(edited: Sequence[Edited]) -> str:
    """Unified diff of each config before and after; secrets in its context lines are masked."""
    lines: list[str] = []
    for each in edited:
        name = printable(each.file)
        lines += unified_diff(
            [_shown(line) for line in each.before.splitlines()],
            [_shown(line) for line in each.after.splitlines()],
            f"a/{name}",
            f"b/{name}",
            lineterm="",
        )
    return "".join(f"{line}\n" for line in lines)


def _shown(line: str) -> str:
    return printable(mask_line(line.rstrip()))
