"""Wall time of a fleet over SSH: 100 simulated routers of 2 s each, 20 at a time.

The routers run in processes of their own, one for each core. A login ends with 0.5 s of silence, so
the ideal is 2.5 s x ceil(100 / 20) = 12.5 s; the contract allows 20 % more.

    python benchmarks/fleet.py [--devices 100] [--workers 20] [--seconds 2]
"""

# ruff: noqa: PLC0415 -- the imports are part of what is measured

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from textwrap import dedent

_OVERHEAD = 1.2
_ROUTERS = dedent("""
    import sys
    from msgspec.structs import replace
    from advisor.collect.demo import script_of
    from advisor.collect.demo.ssh_server import routers

    count, delay_s = int(sys.argv[1]), float(sys.argv[2])
    script = replace(script_of(), answer_delay_s=delay_s)
    with routers(*[script] * count) as devices:
        print("".join(device.known_hosts for device in devices), flush=True)
        sys.stdin.read()
""")


def main() -> int:
    """Run the fleet and compare with the contract."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", type=int, default=100)
    parser.add_argument("--workers", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=2.0)
    arguments = parser.parse_args()
    os.environ["ADVISOR_PASSWORD"] = "demo"
    with tempfile.TemporaryDirectory() as folder:
        shows, cores = _shows(), os.cpu_count() or 1
        processes = [
            _routers(
                arguments.devices * number // cores,
                arguments.devices * (number + 1) // cores,
                arguments,
                shows,
            )
            for number in range(cores)
        ]
        try:
            known_hosts = [
                line for process in processes for line in iter(process.stdout.readline, "\n")
            ]
            wall_s, each_s = _collect(known_hosts, Path(folder), arguments.workers)
        finally:
            for process in processes:
                process.stdin.close()
                process.wait()
    from advisor.collect.shell import BEFORE_FIRST_BLANK_S

    waves = math.ceil(arguments.devices / arguments.workers)
    ideal_s = (arguments.seconds + BEFORE_FIRST_BLANK_S) * waves
    print(f"{arguments.devices} devices of {arguments.seconds:g} s, {arguments.workers} at a time")
    print(f"  wall {wall_s:.2f} s; ideal {ideal_s:g} s; overhead {wall_s / ideal_s - 1:.0%}")
    print(f"  CPU of this process {time.process_time():.1f} s")
    print(f"  a device {min(each_s):.2f} to {max(each_s):.2f} s")
    return 0 if wall_s <= _OVERHEAD * ideal_s + 0.1 else 1


def _routers(
    first: int, end: int, arguments: argparse.Namespace, shows: int
) -> "subprocess.Popen[str]":
    """Some of the routers in a process of their own: one process would do all key exchanges."""
    command = [sys.executable, "-c", _ROUTERS, str(end - first), str(arguments.seconds / shows)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _shows() -> int:
    """Show commands that one device is asked; the wait of each is its share of the seconds."""
    from advisor.collect.demo.script import script_of
    from advisor.collect.plan import plan_of
    from advisor.lint.cards import load_rules
    from advisor.settings import Budgets

    answered = {*script_of().answers, "show privilege"}
    return sum(command in answered for command in plan_of(load_rules(Budgets())).commands)


def _collect(known_hosts: list[str], folder: Path, workers: int) -> tuple[float, list[float]]:
    started = time.perf_counter()  # with the imports that every run pays
    from advisor.collect import ReadLimits
    from advisor.collect.fleet import FleetRun
    from advisor.collect.hosts import Keychain, KnownHosts
    from advisor.collect.inventory import targets_of
    from advisor.collect.plan import plan_of
    from advisor.lint.cards import load_rules
    from advisor.settings import Budgets

    file = folder / "known_hosts"
    file.write_text("".join(known_hosts))
    hosts = [line.split()[0].replace("[", "").replace("]", "") for line in known_hosts]
    plan = plan_of(load_rules(Budgets()))
    fleet = FleetRun(plan, Keychain("advisor"), KnownHosts(file), folder, ReadLimits(), workers)
    outcomes = list(fleet.collect(targets_of(hosts, None, (), None)))
    wall_s = time.perf_counter() - started
    whole_count = sum(outcome.is_whole for outcome in outcomes)
    if whole_count != len(hosts):
        reason = next(outcome.reason for outcome in outcomes if not outcome.is_whole)
        print(f"  only {whole_count} whole: {reason}")
        sys.exit(2)
    return wall_s, [outcome.seconds for outcome in outcomes]


if __name__ == "__main__":
    sys.exit(main())
