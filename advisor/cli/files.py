"""Files that options name."""

from pathlib import Path

from advisor.cli.wrong_use import WrongUseError
from advisor.device.files import stated_text


def text_of(file: Path) -> str:
    """Text of a file, or of standard input where it is `-`.

    Raises
    ------
    WrongUseError
        If it cannot be read or is not UTF-8.
    """
    try:
        return stated_text(file)
    except OSError as error:
        raise WrongUseError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise WrongUseError(f"{file}: is not UTF-8 at byte {error.start}") from error
