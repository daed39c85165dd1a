"""The demo router in real time: its outputs agree with each other, the clock and the line."""

import re
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Final

import pytest
from msgspec.structs import replace

from advisor.collect.demo.script import live_script, text_of
from advisor.collect.demo.wan_edge import WanEdge
from advisor.collect.demo.wan_link import LINE, wan_link
from advisor.device.index import read_devices
from advisor.device.inputs import Inputs
from advisor.device.reading import Reading, Source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Severity
from advisor.lint.plan import RemedySelection, plan_run
from advisor.model import QueueKind
from advisor.outlet.outlets import outlets
from advisor.predict.comparison import compared
from advisor.predict.what_if.compared import Off, Within
from advisor.report.compared import compared_text
from advisor.report.terminal import Style
from advisor.settings import Settings
from advisor.shows.observations import Observations

pytestmark = pytest.mark.slow

STARTED: Final = datetime(2026, 3, 1, 10, 0, 0, tzinfo=UTC)
CONFIG: Final = live_script().answer("show running-config")
FAR_END: Final = "behind the link that do not vary (little jitter comes back) would give"
AGES_S: Final = (0.0, 4.0, 37.5, 271.0, 600.0, 2999.0, 7300.0)


def router_after(age_s: float) -> dict[str, str]:
    """What a demo router prints some time after its start."""
    edge = WanEdge(STARTED, 1000.0, now_s=lambda: 1000.0 + age_s)
    return {command: text_of(answer, "r1") for command, answer in edge.commands.items()}


def reading_after(age_s: float) -> Reading:
    log = "".join(f"demo-branch#{command}\n{text}" for command, text in router_after(age_s).items())
    sources = [Source("r1.log", log.encode()), Source("r1.cfg", CONFIG.encode())]
    (reading,) = read_devices(sources, Settings())
    return reading


def seen_after(age_s: float) -> Observations:
    return reading_after(age_s).device.seen


def test_all_that_it_prints_is_read() -> None:
    reading, seen = reading_after(0), seen_after(0)
    assert reading.incomplete == ()
    assert len(seen.sla) == 4
    assert {each.name for each in seen.interfaces} == {"FastEthernet0/0", "Serial0/0/0"}


@pytest.mark.parametrize("apart_s", [1.0, 5.0, 30.0, 301.0])
@pytest.mark.parametrize("age_s", AGES_S[:5])
def test_two_reads_differ_by_what_the_line_carried_between_them(
    age_s: float, apart_s: float
) -> None:
    before, after = (seen_after(at_s).interface("Serial0/0/0") for at_s in (age_s, age_s + apart_s))
    assert before is not None
    assert after is not None
    sent = (after.counters.output_bytes or 0) - (before.counters.output_bytes or 0)
    packets = (after.counters.output_packets or 0) - (before.counters.output_packets or 0)
    line_bytes = LINE.rate_bps / 8 * apart_s
    assert 0 < sent + packets * 4 <= line_bytes + 1508
    if apart_s >= 30:
        assert sent == pytest.approx(0.65 * line_bytes, rel=0.25)


@pytest.mark.parametrize("age_s", AGES_S)
def test_the_outputs_agree_with_each_other(age_s: float) -> None:
    seen = seen_after(age_s)
    (policy,) = seen.policies
    port = seen.interface("Serial0/0/0")
    assert port is not None
    offered = sum(each.seen.packets or 0 for each in policy.classes if each.seen is not None)
    in_flight = offered - (port.counters.output_packets or 0)
    assert 0 <= in_flight <= 40, "what is offered is sent, or still waits"
    rates = sum(each.offered_rate_bps or 0 for each in policy.classes)
    assert port.output_rate is not None
    assert rates == pytest.approx(port.output_rate.rate_bps, rel=0.1)
    assert rates < LINE.rate_bps


def test_the_round_trips_are_those_of_the_simulated_link() -> None:
    hour = next(each for each in seen_after(0).sla if each.is_aggregated and each.number == 10)
    assert hour.rtt is not None
    link = wan_link()
    there_ms = fmean(delay_ms for delays_ms in link.probes_ms[10] for delay_ms in delays_ms)
    assert hour.rtt.mean_ms == pytest.approx(there_ms + 47 + 0.75, abs=5)
    assert hour.rtt.samples == 600


def test_the_clock_goes_on() -> None:
    first, later = router_after(0), router_after(3600)
    assert first["show clock"] == "*10:00:00.000 UTC Sun Mar 1 2026\n"
    assert later["show clock"] == "*11:00:00.000 UTC Sun Mar 1 2026\n"
    assert "uptime is 5 weeks, 1 day, 2 hours, 33 minutes" in first["show version"]
    assert "uptime is 5 weeks, 1 day, 3 hours, 33 minutes" in later["show version"]
    assert "counters 01:10:00\n" in first["show interfaces"]
    assert "counters 02:10:00\n" in later["show interfaces"]
    successes = [
        int(re.findall(r"successes: (\d+)", each["show ip sla statistics"])[0])
        for each in (first, later)
    ]
    assert successes[1] - successes[0] == 360


def test_the_simulated_link_is_that_of_the_configuration() -> None:
    (reading,) = read_devices([Source("r1.cfg", CONFIG.encode())], Settings())
    (outlet,) = outlets(reading.device)
    assert outlet.wire_bps == LINE.rate_bps
    assert outlet.ring is not None
    assert outlet.ring.limit_high == LINE.ring.limit
    for queue in LINE.queues[:3]:
        written = outlet.class_named(queue.name)
        assert written is not None
        if queue.kind is QueueKind.PRIORITY:
            assert written.priority is not None
        elif queue.wred is not None:
            assert written.wred is not None


def test_the_readme_shows_what_an_audit_prints() -> None:
    """All but the figures, which move with time."""
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    block = readme.partition("<!-- audited -->")[2].partition("<!-- end -->")[0]
    reading = reading_after(20)
    rows = [replace(row, device="demo-branch-1") for row in compared(reading.device, Settings())]
    printed = without_figures(compared_text(rows, (), Style(width=1000)))
    lines = [line.strip() for line in without_figures(block).splitlines() if line.strip()]
    assert len(lines) == 4
    assert "\n".join(lines) in "\n".join(line.strip() for line in printed.splitlines())


def without_figures(text: str) -> str:
    return re.sub(r"\b[\d.]+\b", "N", text)


def test_the_model_agrees_with_the_simulated_link_but_for_the_far_end() -> None:
    rows = compared(reading_after(20).device, Settings())
    off = [row for row in rows if isinstance(row.verdict, Off)]
    assert [row.metric for row in off] == ["round trip of probe 10, aggregated"]
    assert FAR_END in off[0].explains[0]
    assert sum(isinstance(row.verdict, Within) for row in rows) >= 6


def test_one_plan_has_lines_for_every_warning_of_the_demo_with_a_known_cure(tmp_path: Path) -> None:
    outputs = {**router_after(20), "show controllers": live_script().answer("show controllers")}
    log = "".join(f"demo-branch#{command}\n{text}" for command, text in outputs.items())
    (tmp_path / "r1.log").write_text(f"{log}demo-branch#show running-config\n{CONFIG}", "utf-8")
    rules = load_rules(Settings().budgets)
    selection = RemedySelection(tuple(rule.card.id for rule in rules))
    plan = plan_run(Inputs([str(tmp_path / "r1.log")]), rules, Settings(), selection)
    (device,) = plan.devices
    cured = {finding.rule for step in device.steps for finding in step.cures}
    assert cured >= {"TXR001", "LFI001", "TXR002", "WRD004"}
    by_hand = [each.rule for each in device.by_hand if each.severity is not Severity.INFO]
    assert sorted(by_hand) == ["WRD001", "WRD002"], (
        "a class of 128 kb/s is too slow for WRED of 100 ms"
    )
