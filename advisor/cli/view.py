"""How a report is shown, and where."""

from pathlib import Path

from msgspec import Struct


class View(Struct, frozen=True):
    """What the command line states of the output; `severity` is the mildest that is shown."""

    form: str = "full"
    output: Path | None = None
    no_color: bool = False
    quiet: bool = False
    severity: str = "info"
    verbose: bool = False
    guard_minutes: int | None = None  # of `fix`: when the router takes the change back
