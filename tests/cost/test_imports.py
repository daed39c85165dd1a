"""Counted work of a cold start: how many modules of ours a command imports.

Each module costs about half a millisecond. The limits are what the commands need today, and a little
more; whoever lowers the number lowers the limit.
"""

# ruff: noqa: S603 -- the program is the one under test

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PLAIN = """\
version 15.1
hostname PLAIN
interface Serial0/0
 bandwidth 512
 ip address 10.0.1.1 255.255.255.252
router ospf 1
 network 10.0.0.0 0.0.255.255 area 0
end
"""
QOS = """\
version 12.4
hostname FAST
class-map match-any VOICE
 match ip dscp ef
policy-map EDGE
 class VOICE
  priority 128
 class class-default
  fair-queue
interface GigabitEthernet0/0
 bandwidth 100000
 ip address 10.0.0.1 255.255.255.252
 service-policy output EDGE
end
"""
PROGRAM = """\
import sys
from advisor.cli import run
run(sys.argv[1:])
sys.stderr.write("\\n" + " ".join(name for name in sys.modules if name.startswith("advisor")))
"""


def imported(cwd: Path, *arguments: str) -> list[str]:
    """Modules of ours that a command imports in a process of its own."""
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{PROGRAM}",
            *arguments,
        ],
        cwd=cwd,
        capture_output=True,
        check=True,
        text=True,
        timeout=120,
    )
    return said.stderr.split("\n")[-1].split()


@pytest.mark.parametrize(
    ("config", "most"),
    [
        pytest.param(None, 6, id="the list of commands"),
        pytest.param(PLAIN, 129, id="a config without QoS"),
        pytest.param(QOS, 249, id="a config with QoS, nothing to solve"),
    ],
)
def test_modules_of_a_command(config: str | None, most: int, tmp_path: Path) -> None:
    (tmp_path / "r1.cfg").write_text(config or "", encoding="utf-8")
    arguments = ["--help"] if config is None else ["lint", "r1.cfg"]

    assert len(imported(tmp_path, *arguments)) <= most


@pytest.mark.parametrize(
    ("config", "unused"),
    [
        pytest.param(PLAIN, {"outlet", "predict", "theory", "ios.edit"}, id="no QoS"),
        pytest.param(
            QOS, {"predict.size", "theory.kernel.machine", "report.json_report"}, id="QoS"
        ),
    ],
)
def test_rooms_that_a_lint_does_without(config: str, unused: set[str], tmp_path: Path) -> None:
    (tmp_path / "r1.cfg").write_text(config, encoding="utf-8")

    assert not {f"advisor.{room}" for room in unused} & set(imported(tmp_path, "lint", "r1.cfg"))
