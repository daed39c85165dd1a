"""What a report says of its coverage: once of all that share it, however many they are."""

import json

import pytest
from msgspec.structs import replace

from advisor.device.coverage import DeviceCoverage, FileCoverage, Wanted
from advisor.lint.findings import Verdict
from advisor.report import json_report, lint_text
from advisor.report.coverage import coverage_lines
from advisor.report.terminal import Style

CPU, SLA = Wanted("show processes cpu", ("CPU001", "CPU002")), Wanted("show ip sla", ("SLA001",))
CONFIG = FileCoverage(
    "r1.cfg", "R1", "Cisco IOS configuration", 300, 12, 12, assumed=("platform unknown",)
)


def fleet(size: int) -> Verdict:
    return Verdict(
        findings=(),
        skipped=(),
        coverage=tuple(
            replace(CONFIG, file=f"r{number}.cfg", device=f"R{number}") for number in range(size)
        ),
        devices=tuple(DeviceCoverage(f"R{number}", (), (CPU,)) for number in range(size)),
    )


def lines_of(verdict: Verdict) -> list[str]:
    return [line.strip() for line in coverage_lines(verdict, Style())]


def test_thousand_alike_configs_take_a_few_lines() -> None:
    assert lines_of(fleet(1000)) == [
        "Coverage",
        "1000 files: Cisco IOS configuration, 300000 lines; QoS lines understood: 12000 of 12000",
        "assumed: platform unknown",
        "all 1000 files",
        "missing: show processes cpu, for CPU001, CPU002",
        "all 1000 devices",
    ]


def test_a_file_that_is_not_wholly_understood_is_named_among_a_thousand() -> None:
    verdict = fleet(1000)
    odd = replace(CONFIG, file="odd.cfg", device="ODD", qos_lines_understood=11)
    said = lines_of(replace(verdict, coverage=(*verdict.coverage, odd)))
    assert (
        "odd.cfg (ODD): Cisco IOS configuration, 300 lines; QoS lines understood: 11 of 12" in said
    )


@pytest.mark.parametrize(
    ("devices", "expected"),
    [
        pytest.param(
            [DeviceCoverage("R1", ("show version",), (CPU,))],
            ["captured: show version", "missing: show processes cpu, for CPU001, CPU002"],
            id="one device alone is not named",
        ),
        pytest.param(
            [DeviceCoverage("R1", (), (CPU, SLA)), DeviceCoverage("R2", (), (CPU,))],
            [
                "missing: show processes cpu, for CPU001, CPU002",
                "all 2 devices",
                "missing: show ip sla, for SLA001",
                "R1",
            ],
            id="what one of two lacks is said of that one",
        ),
        pytest.param(
            [
                DeviceCoverage("R1", ("show controllers serial 0/0",), ()),
                DeviceCoverage("R2", ("show controllers serial 0/1",), ()),
            ],
            ["captured: show controllers", "all 2 devices"],
            id="arguments of a command do not make devices differ",
        ),
        pytest.param(
            [DeviceCoverage(f"R{n}", (f"show odd{n}",), ()) for n in range(10)],
            [
                *(line for n in range(8) for line in (f"captured: show odd{n}", f"R{n}")),
                "captured: 2 other sets of outputs",
            ],
            id="many different sets of outputs are counted",
        ),
    ],
)
def test_outputs(devices: list[DeviceCoverage], expected: list[str]) -> None:
    assert lines_of(Verdict((), (), (), tuple(devices)))[1:] == expected


def test_every_format_says_what_is_missing() -> None:
    verdict = fleet(3)
    for report in (lint_text.render(verdict), "\n".join(lint_text.notes(verdict))):
        assert "missing: show processes cpu, for CPU001, CPU002" in report
    assert json.loads(json_report.render(verdict))["devices"][2] == {
        "device": "R2",
        "captured": [],
        "missing": [{"command": "show processes cpu", "rules": ["CPU001", "CPU002"]}],
    }
