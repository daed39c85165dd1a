"""An output that a filter cut is read where each of its lines tells its part, else it is said."""

from itertools import product

import pytest

from advisor.capture import OUTPUTS, SectionKind, read_capture
from advisor.device.index import read_devices
from advisor.device.reading import Reading, Source
from advisor.ios.exec.commands import spell_out
from advisor.settings.values import Settings
from advisor.shows.observations import Observations

CPU = "CPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: 5%\n"
COMMANDS = tuple(output.command for output in OUTPUTS if not output.is_foreign)
CONFIGS = ("show running-config", "show startup-config")
FILTERS = ("i", "inc", "include", "e", "excl", "exclude", "s", "sec", "section", "c", "count")


def read(command: str, printed: str) -> Reading:
    (reading,) = read_devices([Source("r1.log", f"r1#{command}\n{printed}".encode())], Settings())
    return reading


@pytest.mark.parametrize(
    ("typed", "spelled"),
    [
        ("i", "include"),
        ("inc", "include"),
        ("e", "exclude"),
        ("ex", "exclude"),
        ("b", "begin"),
        ("beg", "begin"),
        ("s", "section"),
        ("sec", "section"),
        ("r", "redirect"),
        ("redir", "redirect"),
        ("a", "append"),
        ("t", "tee"),
        ("c", "count"),
        ("f", "format"),
    ],
)
def test_filter_is_spelled_out(typed: str, spelled: str) -> None:
    assert spell_out(f"sh int | {typed} drops") == f"show interfaces | {spelled} drops"
    assert spell_out(f"sh int|{typed} drops") == f"show interfaces | {spelled} drops"


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (command, name)
        for command, name in product(COMMANDS, FILTERS)
        if not (command in CONFIGS and name.startswith("s"))  # that is a configuration
    ],
)
def test_lines_that_a_filter_left_are_no_unknown_layout(command: str, name: str) -> None:
    reading = read(f"{command} | {name} drops", "  anything 17 with a number\n  drops 0/3\n")

    (taken,) = reading.device.seen.taken
    assert reading.incomplete == (f"r1.log: {taken.said}",)  # nothing else is in the file
    assert (taken.understood, taken.is_read) == (True, False)
    assert taken.said.endswith("filtered, not read")
    assert reading.device.seen == Observations(taken=(taken,))


@pytest.mark.parametrize(
    ("command", "printed", "field"),
    [
        pytest.param("sh proc cpu | inc CPU", CPU, "cpu", id="the load"),
        pytest.param("sh proc cpu | e 0.00", CPU, "cpu", id="what is not idle"),
        pytest.param("sh proc cpu | b CPU", CPU, "cpu", id="from the load on"),
        pytest.param(
            "sh cont s0/0 | i tx_lim", "tx_limited=1(2)\n", "controllers", id="the ring"
        ),
        pytest.param(
            "sh int | b Serial0/0",
            "Serial0/0 is up, line protocol is up\n  Hardware is GT96K Serial\n",
            "interfaces",
            id="from an interface on",
        ),
    ],
)  # fmt: skip
def test_part_that_tells_by_itself_is_read(command: str, printed: str, field: str) -> None:
    reading = read(command, printed)

    assert len(getattr(reading.device.seen, field)) == 1
    assert reading.incomplete == ()


@pytest.mark.parametrize("name", ["b", "begin", "s", "section"])
def test_part_of_a_configuration_is_a_configuration(name: str) -> None:
    text = f"r1#sh run | {name} policy-map\npolicy-map EDGE\n class VOICE\n  priority 96\n"

    (section,) = read_capture(text, "r1.log").sections
    reading = read(f"sh run | {name} policy-map", text.partition("\n")[2])

    assert section.kind is SectionKind.CONFIG
    assert [policy.name for policy in reading.device.facts.policy_maps] == ["EDGE"]


def test_rows_that_a_filter_left_are_no_table_without_the_others() -> None:
    rows = "PID Runtime(ms)\n 3  4000  151  26  5.55%  4.87%  2.77%  0 IP Input\n"

    reading = read("sh proc cpu | i PID|Input", rows)

    assert reading.device.seen.cpu_tables == ()
