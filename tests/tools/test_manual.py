"""The manual page and the completions, which the command line itself writes."""

import shutil
import subprocess

import pytest

from advisor.cli.app import COMMANDS
from tools.manual import SHELLS, completion, files, page


def test_the_files_are_those_of_the_command_line() -> None:
    stale = [path.name for path, text in files().items() if path.read_text("utf-8") != text]
    assert stale == [], "run python -m tools.manual"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_manual_has_each_command(name: str) -> None:
    assert f".SS advisor {name} ".replace("-", "\\-") in page()


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is missing")
def test_groff_has_nothing_to_say() -> None:
    command = ["groff", "-man", "-Tascii", "-ww", "-z"]
    done = subprocess.run(  # noqa: S603
        command, input=page(), text=True, capture_output=True, check=True
    )
    assert done.stderr == ""


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_takes_the_completion(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is missing")
    done = subprocess.run(  # noqa: S603
        [shell, "-n"], input=completion(shell), text=True, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
