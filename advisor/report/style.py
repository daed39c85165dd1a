"""Colour and width of terminals."""

from msgspec import Struct

from advisor.lint.findings import Severity

_RESET = "\x1b[0m"
_COLORS = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.INFO: "\x1b[1;36m",
}
_BOLD, _FRAME = "\x1b[1m", "\x1b[34m"


class Style(Struct, frozen=True):
    """ANSI colour where `color` is true, plain text else; the columns of the terminal, if known."""

    color: bool = False
    width: int | None = None

    def severity(self, text: str, severity: Severity) -> str:
        return self._in(_COLORS[severity], text)

    def bold(self, text: str) -> str:
        return self._in(_BOLD, text)

    def frame(self, text: str) -> str:
        return self._in(_FRAME, text)

    def _in(self, code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if self.color else text
