"""Set logic of classes over long access lists: its time beside that of reading them, as ratios.

    python benchmarks/access_list_ratio.py [--lines N] [--at-most RATIO] [--growth RATIO]

Two made-up lists of N lines, one in five a deny, are matched by three classes of a policy. The
first ratio is the CPU time of the rule class-never-matches over the time of reading the
configuration. The second is its time for N lines over that for half of them: 2 is linear. Exit 1
where a ratio is above its limit.
"""

import argparse
import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 3
WILDCARDS = ("0.0.0.0", "0.0.0.15", "0.0.0.255", "0.0.255.255")
CLASSES = (
    "class-map match-all A\n match access-group name A\n"
    "class-map match-all C\n match access-group name B\n match dscp ef\n"
    "class-map match-all B\n match access-group name B\n"
    "policy-map P\n class A\n  police 64000\n class C\n  police 64000\n class B\n  police 64000\n"
)


def entries(lines: int, seed: int) -> str:
    """Entries of an extended list with hosts, subnets, ports, ranges and DSCPs."""
    draw = random.Random(seed)
    text = ""
    for _ in range(lines):
        action = "deny" if draw.random() < 0.2 else "permit"
        protocol = draw.choice(("tcp", "udp", "ip"))
        source = f"10.{draw.randrange(256)}.{draw.randrange(256)}.{draw.randrange(256)}"
        host = f"host 192.168.{draw.randrange(256)}.{draw.randrange(256)}"
        low = draw.randrange(1, 30_000)
        ports = ("", f" eq {low}", f" range {low} {low + 500}") if protocol != "ip" else ("",)
        text += (
            f" {action} {protocol} {source} {draw.choice(WILDCARDS)} {draw.choice(('any', host))}"
            f"{draw.choice(ports)}{draw.choice(('', '', ' dscp ef'))}\n"
        )
    return text


def seconds(lines: int) -> tuple[float, float]:
    """Least CPU time of reading the lists, and of the rule over their classes."""
    sys.path.insert(0, str(ROOT))
    from advisor.lint.checks.ref.unused import find_class_never_matches  # noqa: PLC0415
    from tests.support.devices import device_of  # noqa: PLC0415

    text = "".join(
        f"ip access-list extended {name}\n{entries(lines, seed)}"
        for seed, name in enumerate(("A", "B"))
    )
    reads, rules = [], []
    for _ in range(ROUNDS):
        start = time.process_time()
        device = device_of(text + CLASSES)
        read = time.process_time()
        list(find_class_never_matches(device))
        rules.append(time.process_time() - read)
        reads.append(read - start)
    return min(reads), min(rules)


def main() -> int:
    parser = argparse.ArgumentParser(description="Set logic of classes over long access lists")
    parser.add_argument("--lines", type=int, default=5_000)
    parser.add_argument("--at-most", type=float, default=4.0, metavar="RATIO")
    parser.add_argument("--growth", type=float, default=3.0, metavar="RATIO")
    arguments = parser.parse_args()
    _, half_s = seconds(arguments.lines // 2)
    read_s, rule_s = seconds(arguments.lines)
    ratio, growth = rule_s / read_s, rule_s / half_s
    print(f"two lists of {arguments.lines} lines: read {read_s:.2f} s, rule {rule_s:.2f} s")
    print(f"rule / read: {ratio:.2f} (at most {arguments.at_most:g})")
    print(f"time for twice the lines: {growth:.2f} times (at most {arguments.growth:g})")
    return int(ratio > arguments.at_most or growth > arguments.growth)


if __name__ == "__main__":
    sys.exit(main())
