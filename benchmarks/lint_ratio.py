"""Full lint of the same files against ciscoconfparse2's bare parse; and lint of growing input.

    python benchmarks/lint_ratio.py [--at-least RATIO]

Full lint is everything: read, parse, facts, predictions, rules, remedies with their proofs, of all
files in one process. Both sides run in fresh processes, in turns, on one core, four rounds a
process; the least CPU time of a round counts. What was answered in a round is forgotten ahead of
the next. Run by a Python that has `advisor`; `.venv-oracle` must have ciscoconfparse2. The last
table gives the CPU time per line for 1, 10 and 100 thousand lines: it must not grow.
"""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ORACLE = ROOT / ".venv-oracle" / "bin" / "python"
CORPUS = ROOT.parent / "shared" / "corpus" / "configs"
SETS = [  # with the ratio that is the goal
    ("real files, hardly a finding", CORPUS, 4.0),
    ("real configs of IOS among them", CORPUS / "ios", 4.0),
    ("fixtures, a finding with its proof every 30 lines", ROOT / "fixtures" / "configs", 1.0),
]
ROUNDS = 3

LINT = """
import sys, time, pathlib
from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.ground.questions import forget
from advisor.settings import Settings
settings = Settings()
rules = load_rules(settings.budgets)
sources = [Source(name, pathlib.Path(name).read_bytes()) for name in sys.stdin.read().split()]
rounds = []
for _ in range(4):
    forget()
    start = time.process_time()
    review(sources, rules, settings)
    rounds.append(time.process_time() - start)
print(min(rounds))
"""
PARSE = """
import sys, time, pathlib
from ciscoconfparse2 import CiscoConfParse
names = sys.stdin.read().split()
texts = [pathlib.Path(name).read_text("utf-8", "replace").split(chr(10)) for name in names]
rounds = []
for _ in range(4):
    start = time.process_time()
    for lines in texts:
        CiscoConfParse(lines, syntax="ios", ignore_blank_lines=False)
    rounds.append(time.process_time() - start)
print(min(rounds))
"""
GROWTH = """
import time
from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.settings import Settings
settings = Settings()
rules = load_rules(settings.budgets)
section = (
    "class-map match-all C{0}\\n match ip dscp ef\\n"
    "policy-map P{0}\\n class C{0}\\n  priority 64\\n"
    "interface Serial{1}/{2}\\n bandwidth 2048\\n encapsulation ppp\\n tx-ring-limit 1\\n"
    " service-policy output P{0}\\n"
)
for sections in (100, 1000, 10000):
    text = "".join(section.format(n, n // 100, n % 100) for n in range(sections))
    start = time.process_time()
    review([Source("big", text.encode())], rules, settings)
    spent = time.process_time() - start
    print(f"{sections * 10:>8} lines  {spent / sections * 1e5:8.1f} us/line")
"""


def seconds(python: str, script: str, names: str) -> float:
    process = subprocess.run(
        [python, "-c", script], input=names, capture_output=True, text=True, check=True
    )
    return float(process.stdout)


def compare(title: str, files: list[Path], goal: float) -> float:
    names = "\n".join(str(file) for file in files)
    own_times, peer_times = [], []
    for _ in range(ROUNDS):
        own_times.append(seconds(sys.executable, LINT, names))
        peer_times.append(seconds(str(ORACLE), PARSE, names))
    lines = sum(file.read_bytes().count(b"\n") for file in files)
    own_us, peer_us = min(own_times) / lines * 1e6, min(peer_times) / lines * 1e6
    print(f"{title}: {len(files)} files, {lines} lines")
    print(f"  advisor lint, all of it     {min(own_times):7.3f} s  {own_us:6.1f} us/line")
    print(f"  ciscoconfparse2, bare parse {min(peer_times):7.3f} s  {peer_us:6.1f} us/line")
    print(f"  ratio                       {peer_us / own_us:7.2f}    goal {goal:.1f}")
    return peer_us / own_us


def main() -> int:
    parser = argparse.ArgumentParser(description="Lint speed against ciscoconfparse2's parse")
    parser.add_argument("--at-least", type=float, default=0.0, metavar="RATIO")
    arguments = parser.parse_args()
    if not ORACLE.exists():
        print(f"no {ORACLE}: run .ci/run once", file=sys.stderr)
        return 2
    ratios = []
    for title, folder, goal in SETS:
        files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
        if files:
            ratios.append(compare(title, files, goal))
    print("\nlint of growing input, all of it QoS")
    subprocess.run([sys.executable, "-c", GROWTH], check=True)
    return 0 if min(ratios) >= arguments.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
