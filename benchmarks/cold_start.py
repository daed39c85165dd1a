"""Cold start of `advisor` against a bare Python, numpy and ciscoconfparse2's bare parse.

Run: python benchmarks/cold_start.py [--oracle PYTHON] [--runs N]

Each number is the median of the CPU time of fresh processes, taken in turns so that a busy machine
slows all alike; the ratios are what counts, and the exit code is 1 if one misses its goal. Byte
code is there, as pip leaves it, and so is what the tool keeps in the user's cache folder: a process
that compiles its sources first is no ordinary start. `--oracle` is a Python that has
ciscoconfparse2, by default that of .venv-oracle; without one its row is left out, and said so.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINES = 500
NUMPY = "python -c 'import numpy'"
HELP, PLAIN, FAST = "advisor --help", "advisor lint, no QoS", "advisor lint, QoS, no kernel"
GOALS = {HELP: 8, PLAIN: 25, FAST: 25}  # times `python -c pass`
BARE_PARSE = "import sys; from ciscoconfparse2 import CiscoConfParse; CiscoConfParse(sys.argv[1])"


QOS = [
    "class-map match-any VOICE",
    " match ip dscp ef",
    "policy-map EDGE",
    " class VOICE",
    "  priority 128",
    " class class-default",
    "  fair-queue",
]
SLOW = [" bandwidth 512", " encapsulation ppp"]  # its delays are solved


def config_text(lines: int, wan: str = "Serial", *, has_qos: bool = True) -> str:
    """Made-up branch router: two WAN links, slow or fast, then LAN interfaces, routes and ACLs."""
    head = ["version 12.4", "hostname BENCH", *(QOS if has_qos else [])]
    for number in range(2):
        head += [
            f"interface {wan}0/{number}",
            f" description WAN {number}",
            f" ip address 10.0.{number}.1 255.255.255.252",
            *(SLOW if wan == "Serial" else [" bandwidth 100000"]),
            *([" tx-ring-limit 10", " service-policy output EDGE"] if has_qos else []),
        ]
    body: list[str] = []
    for number in range(lines):
        body += [
            f"interface FastEthernet1/0.{number + 1}",
            f" description LAN {number}",
            f" encapsulation dot1Q {number + 1}",
            f" ip address 10.1.{number}.1 255.255.255.0",
            f" ip access-group {number + 100} in",
            f"ip route 10.2.{number}.0 255.255.255.0 10.1.{number}.2",
            f"access-list {number + 100} permit tcp any host 10.1.{number}.9 eq www",
            f"access-list {number + 100} permit udp any any",
        ]
    whole = (lines - len(head) - 1) // 8 * 8  # of each LAN its 8 lines: no name is undefined
    return "\n".join([*head, *body[:whole], "end"]) + "\n"


def seconds(command: Sequence[str], byte_code: str) -> float:
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": byte_code, "PYTHONDONTWRITEBYTECODE": ""}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.run(command, capture_output=True, check=False, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if process.returncode not in {0, 1, 3}:
        sys.exit(f"{' '.join(command)}: exit {process.returncode}\n{process.stderr.decode()}")
    return took


def main() -> None:
    options = argparse.ArgumentParser(description="cold start, as ratios")
    options.add_argument("--oracle", default=str(ROOT / ".venv-oracle/bin/python"))
    options.add_argument("--runs", type=int, default=9)
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        config, fast, plain = (Path(folder, name) for name in ("slow.cfg", "fast.cfg", "plain.cfg"))
        config.write_text(config_text(LINES), encoding="utf-8")
        fast.write_text(config_text(LINES, "GigabitEthernet"), encoding="utf-8")
        plain.write_text(config_text(LINES, has_qos=False), encoding="utf-8")
        advisor = [sys.executable, "-m", "advisor"]
        lint = [*advisor, "lint", "--quiet"]
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            NUMPY: [sys.executable, "-c", "import numpy"],
            "advisor --version": [*advisor, "--version"],
            HELP: [*advisor, "--help"],
            PLAIN: [*lint, str(plain)],
            FAST: [*lint, str(fast)],
            "advisor lint, QoS, delays are solved": [*lint, str(config)],
            "advisor predict, one interface": [
                *advisor,
                "predict",
                str(config),
                "--interface",
                "Serial0/0",
            ],
        }
        if Path(arguments.oracle).exists():
            name = f"ciscoconfparse2 bare parse, {LINES} lines"
            commands[name] = [arguments.oracle, "-c", BARE_PARSE, str(config)]
        else:
            print(f"ciscoconfparse2 is left out: no Python at {arguments.oracle}")
        times: dict[str, list[float]] = {name: [] for name in commands}
        byte_code = str(Path(folder, "byte-code"))
        for command in commands.values():
            seconds(command, byte_code)
        for _ in range(arguments.runs):
            for name, command in commands.items():
                times[name].append(seconds(command, byte_code))
    sys.exit(report({name: statistics.median(runs_s) for name, runs_s in times.items()}))


def report(medians: dict[str, float]) -> int:
    """Print the table; 1 if a ratio misses its goal."""
    base, *_ = medians.values()
    parse = next((took for name, took in medians.items() if "ciscoconfparse2" in name), None)
    heads = f"{'ms':>7} {'x python':>9} {'goal':>5} {'x numpy':>8} {'x ciscoconfparse2':>18}"
    print(f"{LINES} lines{'':30} {heads}")
    for name, took in medians.items():
        ratio = "" if parse is None else f"{took / parse:18.2f}"
        goal = f"{GOALS[name]:5}" if name in GOALS else f"{'':5}"
        by_numpy = took / medians[NUMPY]
        print(f"{name:39} {took * 1000:7.0f} {took / base:9.1f} {goal} {by_numpy:8.2f} {ratio}")
    return int(any(medians[name] / base > goal for name, goal in GOALS.items()))


if __name__ == "__main__":
    main()
