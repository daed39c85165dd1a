"""Exit codes, and messages beside the report."""

import sys
from enum import IntEnum

from advisor.cli.streams import shown_safely


class Code(IntEnum):
    """How a run ended; of several, the highest of 4 > 2 > 1 > 3 > 0 counts."""

    CLEAN = 0
    FINDINGS = 1
    WRONG_USE = 2
    INCOMPLETE = 3
    INTERNAL = 4
    INTERRUPTED = 130  # by Ctrl-C, as shells count it


def say(text: str) -> None:
    """Print a message on standard error, with control characters escaped."""
    sys.stderr.write(shown_safely(f"advisor: {text}\n"))
