"""Lint of a fleet of configurations in a folder: CPU time of a file, peak memory of each process.

    python benchmarks/many_configs.py [--counts 300 3000] [--formats full concise] [--kinds]
    python benchmarks/many_configs.py --counts 100000 --formats concise --workers 2

The configurations are made anew by a seed, about 300 lines each: switches without QoS, branches,
hubs whose interfaces share a policy, other systems, and files that are cut or garbled. Each run is
a fresh process. `--kinds` measures each kind by itself. Goals: 100,000 files in 4 minutes on two
cores, which is 4.8 ms of CPU a file, and 400 MB a process at any count.
"""

import argparse
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

SEED = 300
LINES = 300
HEAD = "version 12.4\nservice timestamps log datetime\nhostname {}\nno ip domain lookup\n"
POLICY = (
    "class-map match-any VOICE\n match ip dscp ef\nclass-map match-any DATA\n match ip dscp af31\n"
    "policy-map WAN\n class VOICE\n  priority {0}\n class DATA\n  bandwidth {1}\n"
    "  random-detect\n class class-default\n  fair-queue\n"
)


def filled(text: str) -> str:
    """A configuration of so many lines: the rest are entries of an access list."""
    rest = range(LINES - text.count("\n") - 1)
    return text + "".join(
        f"access-list 101 permit tcp 10.{n}.0.0 0.0.255.255 any eq {1024 + n}\n" for n in rest
    ) + "end\n"  # fmt: skip


def switch(name: str, chance: random.Random) -> str:
    """An access switch: 48 ports of five lines."""
    ports = (
        f"interface FastEthernet0/{n}\n description port {chance.randrange(1000)}\n"
        f" switchport access vlan {chance.randrange(2, 200)}\n switchport mode access\n"
        " spanning-tree portfast\n!\n"
        for n in range(1, 41)
    )
    return filled(HEAD.format(name) + "".join(ports))


def branch(name: str, chance: random.Random) -> str:
    """A branch with a policy on its line; some have a deep ring or a weak reservation."""
    kbps = chance.choice((128, 256, 512, 768, 1024, 1544, 2048))
    ring = chance.choice(("", "", f" tx-ring-limit {chance.choice((2, 8, 32))}\n"))
    site = f"{chance.randrange(64)}.{chance.randrange(256)}"
    return filled(
        f"{HEAD.format(name)}{POLICY.format(kbps // 4, kbps // 4)}"
        f"interface FastEthernet0/0\n ip address 172.16.{site} 255.255.255.0\n"
        f"interface Serial0/0\n bandwidth {kbps}\n ip address 10.{site}.1 255.255.255.0\n"
        f" encapsulation ppp\n{ring} service-policy output WAN\nrouter ospf 1\n"
        f" network 10.{site}.0 0.0.0.255 area 0\n"
    )


def hub(name: str, chance: random.Random) -> str:
    """A hub: 24 lines with one shared policy."""
    net = chance.randrange(256)
    lines = (
        f"interface Serial{n // 8}/{n % 8}\n bandwidth {chance.choice((256, 512, 768))}\n"
        f" ip address 10.{net}.{n}.1 255.255.255.0\n encapsulation ppp\n"
        " service-policy output WAN\n"
        for n in range(24)
    )
    return filled(HEAD.format(name) + POLICY.format(64, 64) + "".join(lines))


def other(name: str, chance: random.Random) -> str:
    """A device of another system, as it stands in the same folder of backups."""
    if chance.random() < 1 / 2:
        unit = (
            "    ge-0/0/{0} {{\n        unit 0 {{\n            family inet {{\n"
            "                address 10.0.{0}.1/24;\n            }}\n        }}\n    }}\n"
        )
        body = "".join(unit.format(n) for n in range(LINES // 7))
        return f"version 12.1X46;\nsystem {{\n    host-name {name};\n}}\ninterfaces {{\n{body}}}\n"
    rules = "".join(
        f"access-list OUT extended permit tcp host 10.1.1.{n % 256} any eq {n}\n"
        for n in range(1, LINES)
    )
    return f": Saved\n:\nASA Version 8.4(2)\n!\nhostname {name}\n{rules}: end\n"


def broken(name: str, chance: random.Random) -> str:
    """A branch whose backup was cut, or has lines that no system knows."""
    lines = branch(name, chance).splitlines(keepends=True)
    if chance.random() < 1 / 2:
        return "".join(lines)[: chance.randrange(200, 600)]
    for _ in range(8):
        lines.insert(chance.randrange(len(lines)), f" \ufffd\ufffd{chance.random()} % error\n")
    return "".join(lines)


Kind = Callable[[str, random.Random], str]
MIXTURE: dict[Kind, int] = {switch: 60, branch: 26, hub: 4, other: 6, broken: 4}  # percent


def write_configs(folder: Path, count: int, mixture: dict[Kind, int]) -> Counter[str]:
    """Write so many files, 1,000 in a folder; how many there are of each kind."""
    chance = random.Random(SEED)
    kinds = chance.choices(list(mixture), list(mixture.values()), k=count)
    for number, kind in enumerate(kinds):
        name = f"{kind.__name__}{number}"
        site = folder / f"site{number // 1000}"
        site.mkdir(parents=True, exist_ok=True)
        (site / f"{name}.cfg").write_text(kind(name, chance))
    return Counter(kind.__name__ for kind in kinds)


def peak_mb(process: int) -> float:
    """Peak resident memory of a process; 0 where it has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    found = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
    return int(found[0]) / 1024 if found else 0.0


def children(process: int) -> list[int]:
    """Processes that a process started."""
    try:
        return [
            int(n) for n in Path(f"/proc/{process}/task/{process}/children").read_text().split()
        ]
    except OSError:
        return []


def run(folder: Path, form: str, workers: int | None) -> tuple[float, float, float, float, float]:
    """Seconds to the first output, of all, and of CPU; peak of the parent and of a worker."""
    command = [sys.executable, "-m", "advisor", "lint", str(folder), "--format", form, "--quiet"]
    command += [] if workers is None else ["--workers", str(workers)]
    before, start = os.times(), time.perf_counter()
    output = folder.parent / "report"
    first_s, parent_mb, worker_mb = 0.0, 0.0, 0.0
    with output.open("wb") as report:
        process = subprocess.Popen(command, stdout=report, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        parent_mb = max(parent_mb, peak_mb(process.pid))
        worker_mb = max(worker_mb, *map(peak_mb, children(process.pid)), 0.0)
        if not first_s and output.stat().st_size:
            first_s = time.perf_counter() - start
        time.sleep(0.05)
    wall_s, after = time.perf_counter() - start, os.times()
    cpu_s = after.children_user + after.children_system
    cpu_s -= before.children_user + before.children_system
    return first_s or wall_s, wall_s, cpu_s, parent_mb, worker_mb


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--counts", type=int, nargs="+", default=[300, 3000])
    parser.add_argument("--formats", nargs="+", default=["full", "concise"])
    parser.add_argument("--workers", type=int)
    parser.add_argument("--kinds", action="store_true")
    asked = parser.parse_args()
    mixtures = [{kind: 1} for kind in MIXTURE] if asked.kinds else [MIXTURE]
    print(f"{'files':>7} format    first s  wall s   cpu s  ms/file  parent MB  worker MB")
    for count in asked.counts:
        for mixture in mixtures:
            with TemporaryDirectory() as temporary:
                folder = Path(temporary) / "configs"
                made = write_configs(folder, count, mixture)
                print(f"{count:>7} {', '.join(f'{n} {kind}' for kind, n in made.items())}")
                for form in asked.formats:
                    first, wall, cpu, parent, worker = run(folder, form, asked.workers)
                    print(
                        f"{count:>7} {form:<8} {first:>8.1f}{wall:>8.1f}{cpu:>8.1f}"
                        f"{cpu / count * 1000:>9.2f}{parent:>11.0f}{worker:>11.0f}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
