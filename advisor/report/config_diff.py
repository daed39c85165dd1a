"""What the plan of a device changes in its config, as a unified diff without secrets."""

import re
from collections.abc import Iterable, Iterator
from difflib import unified_diff
from typing import Final

from advisor.capture.masking import redact_config
from advisor.lint.plan import Edited
from advisor.report.printable import printable

_HUNK: Final = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@$")
_NAMES_OF_FILES: Final = 2  # lines ahead of the first hunk


def render_diff(edited: Iterable[Edited]) -> str:
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
