"""Lint of hubs whose every interface has proven findings, against ciscoconfparse2's bare parse.

    python benchmarks/proof_ratio.py [--routers N] [--interfaces N] [--at-least RATIO]

Each interface has three findings or more with a remedy. Both sides take the least CPU time of their
rounds, in fresh processes on one core; `.venv-oracle` must have ciscoconfparse2. What is kept of
one router serves the next one, as in a run. The second table gives the time per interface for
growing routers: it must not grow.
"""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ORACLE = ROOT / ".venv-oracle" / "bin" / "python"

TEXTS = """
import sys, time
routers, interfaces, rounds = map(int, sys.argv[1:])
def text(router, interfaces):
    head = f"hostname hub{router}\\nclass-map match-all VOICE\\n match ip dscp ef\\n"
    return head + "".join(
        f"policy-map WAN{n}\\n class VOICE\\n  priority 128\\n class class-default\\n"
        f"  random-detect\\ninterface Serial{n}/0\\n bandwidth {rate}\\n clock rate {rate}000\\n"
        f" encapsulation ppp\\n tx-ring-limit 64\\n service-policy output WAN{n}\\n"
        for n in range(interfaces)
        for rate in (512 + 256 * (n % 6),)
    )
texts = [text(router, interfaces) for router in range(routers)]
"""
LINT = (
    TEXTS
    + """
from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.settings import Settings
settings = Settings()
rules = load_rules(settings.budgets)
sources = [Source(f"hub{n}.ios", text.encode()) for n, text in enumerate(texts)]
start = time.process_time()
found = review(sources, rules, settings).findings
spent = time.process_time() - start
print(spent, sum(1 for each in found if each.remedy is not None and each.remedy.lines))
"""
)
PARSE = (
    TEXTS
    + """
from ciscoconfparse2 import CiscoConfParse
times = []
for _ in range(rounds):
    start = time.process_time()
    for each in texts:
        CiscoConfParse(each.split(chr(10)), syntax="ios", ignore_blank_lines=False)
    times.append(time.process_time() - start)
print(min(times), 0)
"""
)


def measured(python: str, script: str, routers: int, interfaces: int) -> tuple[float, int]:
    """CPU seconds of a script, and the number of its proven remedies."""
    words = [python, "-c", script, str(routers), str(interfaces), "3"]
    spent, remedies = subprocess.run(
        words, capture_output=True, text=True, check=True
    ).stdout.split()
    return float(spent), int(remedies)


def main() -> int:
    parser = argparse.ArgumentParser(description="Lint with proofs against ciscoconfparse2")
    parser.add_argument("--routers", type=int, default=40)
    parser.add_argument("--interfaces", type=int, default=100)
    parser.add_argument("--at-least", type=float, default=0.0, metavar="RATIO")
    arguments = parser.parse_args()
    for interfaces in (25, 50, 100):
        spent, remedies = measured(sys.executable, LINT, 1, interfaces)
        each_ms = 1000 * spent / interfaces
        print(f"1 router, {interfaces} interfaces: {each_ms:.2f} ms/interface, {remedies} remedies")
    if not ORACLE.exists():
        print(f"no {ORACLE}: run .ci/run once", file=sys.stderr)
        return 2
    own_s, remedies = measured(sys.executable, LINT, arguments.routers, arguments.interfaces)
    peer_s, _ = measured(str(ORACLE), PARSE, arguments.routers, arguments.interfaces)
    print(f"{arguments.routers} routers, {arguments.interfaces} interfaces, {remedies} remedies")
    print(f"  advisor lint {own_s:.2f} s, ciscoconfparse2 parse {peer_s:.2f} s")
    print(f"  ratio {peer_s / own_s:.3f}")
    return 0 if peer_s / own_s >= arguments.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
