"""What `redact` does."""

import sys
from pathlib import Path

from advisor.bounded import LARGEST_BYTES, read_bounded, read_file
from advisor.capture.masking import redact_text
from advisor.cli.errors import Code, WrongUseError
from advisor.cli.output import emit
from advisor.device.inputs import STDIN
from advisor.ios.exec.terminal import decode


def redact(path: str, output: Path | None) -> Code:
    """Print a file without secrets.

    Raises
    ------
    WrongUseError
        If it cannot be read.
    """
    try:
        payload = (
            read_bounded(sys.stdin.buffer) if path == STDIN else read_file(path, LARGEST_BYTES)
        )
    except OSError as error:
        raise WrongUseError(f"{path}: cannot be read: {error.strerror}") from None
    emit(redact_text(decode(payload)[0], path), output, "utf-8")
    return Code.CLEAN
