"""The words of a configuration that a remedy replaces, where it replaces one line by one line."""

from collections.abc import Sequence

from msgspec import Struct

from advisor.lint.findings import Finding, Place

_NO = "no "


class Replaced(Struct, frozen=True):
    """A line of a finding that its remedy replaces; `now` is None where it removes the line.

    From `start` up to `end` are the characters of the line that change.
    """

    at: Place
    now: str | None
    start: int
    end: int


def replaced(finding: Finding) -> Replaced | None:
    """The one line that the remedy of a finding replaces or removes.

    None where the remedy changes more than that, or another line than the one that is marked. Then
    the change cannot be said of a line of the file.
    """
    remedy, at = finding.remedy, finding.locations[:1]
    if remedy is None or not remedy.lines or not at or not at[0].text:
        return None
    *section, now = remedy.lines
    *section_before, before = remedy.rollback or ("",)
    if section != section_before or before.strip() != at[0].text:
        return None
    if not _are_nested(remedy.lines) or not _are_nested(remedy.rollback):
        return None
    text, now = at[0].text, now.strip()
    if now == f"{_NO}{text}":
        return Replaced(at[0], None, 0, len(text))
    if now.startswith(_NO) or now.split()[0] != text.split()[0]:
        return None
    return Replaced(at[0], now, *_difference(text.split(" "), now.split(" ")))


def _are_nested(lines: Sequence[str]) -> bool:
    """Whether each line is the section of the next one."""
    depths = [len(line) - len(line.lstrip()) for line in lines]
    return all(depth == index for index, depth in enumerate(depths))


def _difference(before: list[str], now: list[str]) -> tuple[int, int]:
    """Start and end of the words that only the older line has; of all words where none are."""
    same = 0
    while same < min(len(before), len(now)) and before[same] == now[same]:
        same += 1
    alike = 0
    while alike < min(len(before), len(now)) - same and before[~alike] == now[~alike]:
        alike += 1
    words = before[same : len(before) - alike]
    if not words:
        return 0, len(" ".join(before))
    start = sum(len(word) + 1 for word in before[:same])
    return start, start + len(" ".join(words))
