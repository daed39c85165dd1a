"""What `redact` does."""

from pathlib import Path

from advisor.bounded import LARGEST_BYTES, read_file
from advisor.capture.masking import redact_text
from advisor.cli.errors import Code
from advisor.cli.output import emit
from advisor.cli.wrong_use import WrongUseError
from advisor.ios.exec.terminal import text_of


def redact(path: str, output: Path | None) -> Code:
    """Print a file without secrets.

    Raises
    ------
    WrongUseError
        If it cannot be read.
    """
    try:
        text = text_of(read_file(path, LARGEST_BYTES))
    except OSError as error:
        raise WrongUseError(f"{path}: cannot be read: {error.strerror}") from None
    emit(redact_text(text, path), output, "utf-8")
    return Code.CLEAN
