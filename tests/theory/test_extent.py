"""What is too large to be solved is declined, in bounded memory, whatever the numbers are."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from advisor.cli.process import Code
from advisor.model import Framing, Interface, Periodic, Queue, QueueKind, SizeMix, Traffic, TxRing
from advisor.theory.solver import solve

GIGABYTE = 2**30
BASE = """\
version 12.4
hostname r1
policy-map WAN
 class VOICE
  priority {priority}
 class DATA
  bandwidth 16
  queue-limit {queue_limit}
 class class-default
  fair-queue
interface Serial0/0/0
 bandwidth {bandwidth}
 encapsulation ppp
 tx-ring-limit {ring}
 service-policy output WAN
end
"""
USUAL = {"priority": "128", "queue_limit": "64", "bandwidth": "512", "ring": "10"}
CONFIGS = {
    "a usual configuration": {},
    "priority 1000000000": {"priority": "1000000000"},
    "priority 400000000": {"priority": "400000000", "bandwidth": "1000000000"},
    "a priority burst of 512000000": {"priority": "128 512000000"},
    "queue-limit 8192000": {"queue_limit": "8192000"},
    "queue-limit 2147483648 bytes": {"queue_limit": "2147483648 bytes"},
    "tx-ring-limit 32767": {"ring": "32767"},
    "bandwidth 1": {"bandwidth": "1"},
    "bandwidth 1000000000": {"bandwidth": "1000000000"},
}
VOICE = {"process": "cbr", "packets_per_second": 50}
CBR = {"process": "cbr", "packets_per_second": 30}
BURSTS = {"process": "poisson_bursts", "bursts_per_second": 1e-5, "spacing_within_burst_ms": 0}
SOURCES = {"process": "on_off", "packets_per_second_while_on": 0.04, "mean_on_ms": 1e6}
DATA: dict[str, object] = {
    "class": "D",
    "queue": "D",
    "ip_packet_bytes": {"distribution": "fixed", "bytes": 1500},
}
SIZES = {"distribution": "uniform_integer", "min_bytes": 1, "max_bytes": 65535}
SCENARIOS: Mapping[str, tuple[dict[str, object], dict[str, object], bool]] = {
    "a usual scenario": ({}, {"arrival": CBR}, False),
    "one packet in 30 years": ({}, {"arrival": CBR | {"packets_per_second": 1e-9}}, False),
    "jitter of 12 days": ({}, {"arrival": CBR | {"uniform_jitter_ms": 1e9}}, True),
    "a million packets a burst": (
        {},
        {"arrival": BURSTS | {"packets_per_burst": 1_000_000}},
        False,
    ),
    "a thousand on/off sources": (
        {},
        {"arrival": SOURCES | {"mean_off_ms": 1e6}, "independent_identical_streams": 1000},
        False,
    ),
    "every size of a packet": ({}, {"arrival": CBR, "ip_packet_bytes": SIZES}, True),
    "fragments of a byte": (
        {"fragmentation": {"fragment_ip_bytes": 1, "overhead_bytes_per_fragment": 0}},
        {"arrival": CBR, "ip_packet_bytes": SIZES | {"min_bytes": 60_000}},
        True,
    ),
}
SCRIPT = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))
from advisor.cli import run
print(json.dumps([run(arguments) for arguments in json.load(sys.stdin)]), file=sys.stderr)
"""


def scenario(
    interface: dict[str, object], data: dict[str, object], *more: dict[str, object]
) -> str:
    voice = {
        "class": "V",
        "queue": "V",
        "arrival": VOICE,
        "ip_packet_bytes": {"distribution": "fixed", "bytes": 60},
    }
    queues = [
        {
            "name": "V",
            "kind": "priority",
            "queue_limit_packets": 64,
            "priority_kbps": 128,
            "burst_bytes": 3200,
            "policed_under_congestion": True,
        },
        {
            "name": "D",
            "kind": "class-default",
            "bandwidth_percent": 100,
            "queue_limit_packets": 64,
        },
    ]
    return json.dumps(
        {
            "id": "x",
            "link": {"rate_kbps": 512, "l2_overhead_bytes_per_packet": 7},
            "tx_ring": {"unit": "packets", "limit": 4},
            "scheduler": "llq+cbwfq",
            "queues": queues,
            "traffic": [voice, DATA | data, *more],
        }
        | interface
    )


def codes(commands: list[list[str]]) -> list[int]:
    """Exit codes of the commands, one after the other in a process of bounded memory."""
    ended = subprocess.run(  # noqa: S603 -- our own script
        [sys.executable, "-c", SCRIPT.format(limit=2 * GIGABYTE)],
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        check=True,
        env={"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    )
    found: list[int] = json.loads(ended.stderr.splitlines()[-1])
    return found


@pytest.mark.slow
def test_no_number_of_a_configuration_takes_memory_without_bound(tmp_path: Path) -> None:
    commands = []
    for number, changed in enumerate(CONFIGS.values()):
        file = tmp_path / f"r{number}.ios"
        file.write_text(BASE.format(**(USUAL | changed)), encoding="utf-8")
        commands += [["predict", str(file)], ["lint", str(file)]]
    ended = dict(zip(CONFIGS, zip(*[iter(codes(commands))] * 2, strict=True), strict=True))

    crashed = [said for said, both in ended.items() if Code.INTERNAL in both]
    assert crashed == []
    assert ended["a usual configuration"][0] == 0


@pytest.mark.slow
def test_a_scenario_larger_than_is_solved_is_declined(tmp_path: Path) -> None:
    commands = []
    for number, (interface, data, _) in enumerate(SCENARIOS.values()):
        file = tmp_path / f"s{number}.json"
        file.write_text(scenario(interface, data), encoding="utf-8")
        commands.append(["predict", "--scenario", str(file)])
    declined = dict(zip(SCENARIOS, codes(commands), strict=True))

    assert declined == {said: 3 if large else 0 for said, (_, _, large) in SCENARIOS.items()}


def test_more_classes_than_a_policy_map_takes_are_declined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from advisor.cli import run  # noqa: PLC0415 -- the others run in a process of their own

    many: list[dict[str, object]] = [DATA | {"class": f"D{i}", "arrival": CBR} for i in range(300)]
    file = tmp_path / "many.json"
    file.write_text(scenario({}, {"arrival": CBR}, *many), encoding="utf-8")

    assert run(["predict", "--scenario", str(file)]) == 3
    assert "classes of traffic: 302, more than is solved (256)" in capsys.readouterr().err


def test_many_late_calls_are_solved() -> None:
    calls = Traffic("voice", "voice", Periodic(50.0, 5.0), SizeMix(((60, 1.0),)), streams=400)
    slow = Traffic("data", "data", Periodic(0.36), SizeMix(((1000, 1.0),)), streams=20)
    interface = Interface(
        12_000_000.0,
        Framing(7),
        TxRing(4),
        (Queue("voice", QueueKind.PRIORITY), Queue("data", QueueKind.CLASS_DEFAULT)),
        (calls, slow),
    )

    voice, data = solve(interface).classes
    assert 60 * 8 / 12_000 < voice.delay.mean_ms < data.delay.mean_ms < 10
