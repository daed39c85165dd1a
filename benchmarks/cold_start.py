"""Cold start of `advisor` against a bare Python, numpy and ciscoconfparse2's bare parse.

Run: python benchmarks/cold_start.py [--oracle PYTHON] [--runs N]

Each number is the median of fresh processes, taken in turns so that a busy machine slows all
alike; the ratios are what counts. Byte code is there, as pip leaves it: a process that compiles
its sources first is no ordinary start. `--oracle` is a Python that has ciscoconfparse2, by default
that of .venv-oracle; without one its row is left out, and said so.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINES = 500
NUMPY = "python -c 'import numpy'"
BARE_PARSE = "import sys; from ciscoconfparse2 import CiscoConfParse; CiscoConfParse(sys.argv[1])"


def config_text(lines: int) -> str:
    """Made-up branch router: two WAN links with an LLQ, then LAN interfaces, routes and ACLs."""
    head = [
        "version 12.4",
        "hostname BENCH",
        "class-map match-any VOICE",
        " match ip dscp ef",
        "policy-map EDGE",
        " class VOICE",
        "  priority 128",
        " class class-default",
        "  fair-queue",
    ]
    for number in range(2):
        head += [
            f"interface Serial0/{number}",
            f" description WAN {number}",
            " bandwidth 512",
            f" ip address 10.0.{number}.1 255.255.255.252",
            " encapsulation ppp",
            " tx-ring-limit 10",
            " service-policy output EDGE",
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
    return "\n".join([*head, *body[: lines - len(head) - 1], "end"]) + "\n"


def seconds(command: Sequence[str], byte_code: str) -> float:
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": byte_code, "PYTHONDONTWRITEBYTECODE": ""}
    start = time.perf_counter()
    process = subprocess.run(command, capture_output=True, check=False, env=environment)
    took = time.perf_counter() - start
    if process.returncode not in {0, 1, 3}:
        sys.exit(f"{' '.join(command)}: exit {process.returncode}\n{process.stderr.decode()}")
    return took


def main() -> None:
    options = argparse.ArgumentParser(description="cold start, as ratios")
    options.add_argument("--oracle", default=str(ROOT / ".venv-oracle/bin/python"))
    options.add_argument("--runs", type=int, default=9)
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "bench.cfg")
        config.write_text(config_text(LINES), encoding="utf-8")
        advisor = [sys.executable, "-m", "advisor"]
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            NUMPY: [sys.executable, "-c", "import numpy"],
            "advisor --version": [*advisor, "--version"],
            "advisor --help": [*advisor, "--help"],
            f"advisor lint, {LINES} lines, findings": [*advisor, "lint", "--quiet", str(config)],
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
    report({name: statistics.median(runs_s) for name, runs_s in times.items()})


def report(medians: dict[str, float]) -> None:
    base, *_ = medians.values()
    parse = next((took for name, took in medians.items() if "ciscoconfparse2" in name), None)
    print(f"{'':40} {'ms':>7} {'x python':>9} {'x numpy':>8} {'x ciscoconfparse2':>18}")
    for name, took in medians.items():
        ratio = "" if parse is None else f"{took / parse:18.2f}"
        by_numpy = took / medians[NUMPY]
        print(f"{name:40} {took * 1000:7.0f} {took / base:9.1f} {by_numpy:8.2f} {ratio}")


if __name__ == "__main__":
    main()
