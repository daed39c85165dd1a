"""Readers of show outputs against TextFSM with ntc-templates, as a ratio on the same files.

    python benchmarks/show_ratio.py [--at-least RATIO]

Files are the project's fixtures and, where present, those of a corpus of real outputs, of commands
that ntc-templates reads too; a file that either side declines is left out. ntc-templates lives in
`.venv-oracle` (`pip install ntc-templates` there). Least CPU time of the rounds of each side.
"""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ORACLE = ROOT / ".venv-oracle" / "bin" / "python"
COMMANDS = {
    "interfaces": "show interfaces",
    "processes_cpu": "show processes cpu",
    "version": "show version",
}
OURS = """
import sys, time, pathlib
from advisor.shows.output import LayoutError
from advisor.shows.interfaces.reader import read_interfaces
from advisor.shows.cpu import read_cpu_processes
from advisor.shows.version import read_version
read = {"show interfaces": read_interfaces, "show processes cpu": read_cpu_processes,
        "show version": read_version}[sys.argv[1]]
def parse(text):
    return read(text, "x")
fails = (LayoutError,)
"""
THEIRS = """
import sys, time, pathlib
from ntc_templates.parse import parse_output
def parse(text):
    if not parse_output(platform="cisco_ios", command=sys.argv[1], data=text):
        raise ValueError("nothing was read")
fails = (Exception,)
"""
TIMED = """
texts, kept = [], []
for name in sys.stdin.read().split():
    text = pathlib.Path(name).read_text("utf-8", "replace")
    try:
        parse(text)
    except fails:
        continue
    texts.append(text)
    kept.append(name)
rounds = []
for _ in range(5):
    start = time.process_time()
    for text in texts:
        parse(text)
    rounds.append(time.process_time() - start)
print(min(rounds))
print(*kept)
"""


def timed(python: str, script: str, command: str, names: list[str]) -> tuple[float, list[str]]:
    process = subprocess.run(
        [python, "-c", script + TIMED, command],
        input="\n".join(names),
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, _, files = process.stdout.partition("\n")
    return float(seconds), files.split()


def files_of(folder: str) -> list[str]:
    corpus = ROOT.parent / "shared" / "corpus" / "show" / f"show_{folder}"
    places = (ROOT / "fixtures" / "show" / folder, corpus)
    return [str(file) for place in places for file in sorted(place.glob("*.txt"))]


def main() -> int:
    parser = argparse.ArgumentParser(description="Show readers against ntc-templates")
    parser.add_argument("--at-least", type=float, default=0.0, metavar="RATIO")
    arguments = parser.parse_args()
    if not ORACLE.exists():
        print(f"no {ORACLE}: run .ci/run once, then pip install ntc-templates there")
        return 2
    ratios = []
    for folder, command in COMMANDS.items():
        _, own_files = timed(sys.executable, OURS, command, files_of(folder))
        _, common_files = timed(str(ORACLE), THEIRS, command, own_files)
        if common_files:
            own_seconds, _ = timed(sys.executable, OURS, command, common_files)
            peer, _ = timed(str(ORACLE), THEIRS, command, common_files)
            ratios.append(peer / own_seconds)
            print(
                f"{command:20} {len(common_files):3} files  {own_seconds:.3f} s"
                f"  {peer:.3f} s  x{peer / own_seconds:.1f}"
            )
    return 0 if ratios and min(ratios) >= arguments.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
