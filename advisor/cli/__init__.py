"""The command line: words to calls, verdict to exit code."""

import gc
import os
import sys
from collections.abc import Sequence
from typing import Final

from advisor import __version__

_COLLECT_EVERY: Final = 1_000_000  # new objects, some 100 MB; Python's own 700 suits no start-up
_IN_FULL: Final = (["--verbose"], ["-v"])  # behind --version
_TO_BE_WAITED_FOR: Final = frozenset(("concurrent.futures", "multiprocessing"))


def main() -> None:
    """Entry point of the `advisor` command."""
    gc.set_threshold(_COLLECT_EVERY)  # imports make no garbage: a tenth of a cold start

    from advisor.cli import process  # noqa: PLC0415 -- `advisor.cli` alone imports nothing

    try:
        process.end_at_first()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # while the streams were opened
        code = process.Code.INTERRUPTED
    process.prepare_exit()
    if not _TO_BE_WAITED_FOR & sys.modules.keys():
        os._exit(code)  # all is written; to take modules apart is a twentieth of a lint
    gc.freeze()  # what ends with the process need not be searched for garbage: a fifth of a lint
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; no error escapes it."""
    from advisor.cli import process  # noqa: PLC0415 -- `advisor.cli` alone imports nothing

    with process.safe_streams() as stdout:
        code = _ended(arguments)
        stdout.flush()
        return code if stdout.fault is None else _not_printed(stdout.fault, code)


def _ended(arguments: Sequence[str]) -> int:
    if list(arguments) == ["--version"]:  # without the start-up of the whole command line
        sys.stdout.write(f"advisor {__version__}\n")
        return 0
    from advisor.cli.process import Code  # noqa: PLC0415

    if arguments[:1] == ["--version"] and list(arguments[1:]) in _IN_FULL:
        from advisor.cli.endings import about  # noqa: PLC0415

        sys.stdout.write(about())
        return 0
    try:
        from advisor.cli.app import command  # noqa: PLC0415

        command(next(iter(arguments), None))(args=list(arguments), prog_name="advisor")
    except SystemExit as finish:
        return finish.code if isinstance(finish.code, int) else Code.CLEAN
    except KeyboardInterrupt:
        return Code.INTERRUPTED
    except Exception as error:  # noqa: BLE001 -- the guard around the command
        from advisor.cli.endings import code_of_error  # noqa: PLC0415

        return code_of_error(error)
    return Code.CLEAN


def _not_printed(fault: OSError, code: int) -> int:
    """Exit code of a run whose report did not reach standard output."""
    from advisor.cli.process import Code, say  # noqa: PLC0415

    if isinstance(fault, BrokenPipeError):
        return code  # the reader has seen enough
    say(f"standard output: cannot be written: {fault.strerror}")
    return code if code in (Code.INTERNAL, Code.INTERRUPTED) else Code.WRONG_USE
