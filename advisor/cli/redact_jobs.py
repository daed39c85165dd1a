"""What `redact` does."""

from pathlib import Path

from advisor.capture.masking import redact_text
from advisor.cli.errors import Code
from advisor.cli.output import emit
from advisor.cli.wrong_use import WrongUseError
from advisor.device.files import captured_text


def redact(path: str, output: Path | None) -> Code:
    """Print a file without secrets.

    Raises
    ------
    WrongUseError
        If it cannot be read.
    """
    try:
        text = captured_text(path)
    except OSError as error:
        raise WrongUseError(f"{path}: cannot be read: {error.strerror}") from None
    emit(redact_text(text, path), output, "utf-8")
    return Code.CLEAN
