"""Text of one file or of standard input, read within bounds."""

import sys
from pathlib import Path
from typing import Final

from advisor.bounded import LARGEST_BYTES, LARGEST_TABLE_BYTES, read_bounded, read_file
from advisor.ios.exec.terminal import text_of

STDIN: Final = "-"


def captured_text(path: str) -> str:
    """Text of a configuration or a terminal log, in whatever encoding.

    Raises
    ------
    OSError
        If it cannot be read or is too large.
    """
    return text_of(_payload(path, LARGEST_BYTES))


def stated_text(path: Path) -> str:
    """Text of scenarios, of a table, of a generated page: UTF-8.

    Raises
    ------
    OSError
        If it cannot be read or is too large.
    UnicodeDecodeError
        If it is not UTF-8.
    """
    return _payload(str(path), LARGEST_TABLE_BYTES).decode("utf-8-sig")


def _payload(path: str, most_bytes: int) -> bytes:
    if path == STDIN:
        return read_bounded(sys.stdin.buffer, most_bytes)
    return read_file(path, most_bytes)
