"""An output that a filter cut is read where each of its lines tells its part, else it is said."""

from itertools import product

import pytest

from advisor import api
from advisor.capture.commands import spell_out
from advisor.capture.cuts import read_capture
from advisor.capture.outputs import OUTPUTS
from advisor.capture.sections import SectionKind
from advisor.device.index import read_devices
from advisor.device.reading import Reading, Source
from advisor.settings import Settings
from advisor.shows.observations import Observations
from tests.support.branch_log import OUTPUTS as PRINTED_BY

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
    (said,) = reading.incomplete  # nothing else is in the file
    assert taken.said in said
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


@pytest.mark.parametrize(
    ("command", "printed", "is_complete"),
    [
        pytest.param(
            "sh policy-map int | i Class|drops",
            "    Class-map: VOICE (match-any)\n        (total drops/bytes drops) 9/900\n",
            False,
            id="drops of a class",
        ),
        pytest.param(
            "sh policy-map int | b VOICE",
            "    Class-map: VOICE (match-any)\n      9 packets, 900 bytes\n",
            False,
            id="a class without its interface",
        ),
        pytest.param(
            "sh int | i line protocol|output drops",
            "Serial0/0 is up, line protocol is up\n  Input queue: 0/75/0/0; Total output drops: 9\n",
            False,
            id="drops of an interface",
        ),
        pytest.param(
            "sh proc cpu | i CPU",
            "CPU utilization for five seconds: 92%/80%; one minute: 91%; f\n",
            False,
            id="a load that was cut",
        ),
        pytest.param(
            "sh int | i protocol|Desc",
            "Serial0/0 is up, line protocol is up\n  Description: circuit 17\n",
            True,
            id="names alone",
        ),
        pytest.param(
            "sh policy-map int | count drops",
            "Number of lines which match regexp = 3\n",
            True,
            id="a count of lines",
        ),
        pytest.param(
            "sh inventory | i PID", "PID: C2811 , VID: V05 , SN: 17\n", True, id="a model"
        ),
        pytest.param(
            f"sh proc cpu | i IP Input\n 3  4000  151  26  5.55%\nr1#sh proc cpu\n{CPU}r1#sh users",
            "",
            True,
            id="figures that are taken as a whole later on",
        ),
    ],
)
def test_figures_that_a_filter_left_are_not_complete_beside_a_configuration(
    command: str, printed: str, *, is_complete: bool
) -> None:
    config = "sh run\nhostname r1\ninterface Serial0/0\n bandwidth 512\nend\n"
    reading = read(f"{config}r1#{command}", printed)

    assert (reading.incomplete == ()) is is_complete


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


PRINTED = {command: f"kiel-1#{command}\n{output}" for command, output in PRINTED_BY.items()}
POLICIES = "show policy-map interface"
MORE = "kiel-1#more flash:x.txt\n"


@pytest.mark.parametrize("command", [POLICIES, "show running-config", "show processes cpu"])
@pytest.mark.parametrize(
    "written",
    [
        pytest.param("kiel-1#{command} | tee flash:x.txt\n{output}", id="tee prints all"),
        pytest.param(
            "kiel-1#{command} | redirect flash:x.txt\n" + MORE + "{output}", id="redirect"
        ),
        pytest.param("kiel-1#{command} | app flash:x.txt\n" + MORE + "{output}", id="append"),
    ],
)
def test_output_written_to_a_file_is_read_where_it_is_printed(written: str, command: str) -> None:
    text = written.format(command=command, output=PRINTED_BY[command])
    log = "".join(PRINTED.values())

    assert verdict(log.replace(PRINTED[command], text)) == verdict(log)


def test_a_file_that_another_command_wrote_is_not_that_output() -> None:
    other = f"kiel-1#{POLICIES} | redirect flash:y.txt\n{MORE}{PRINTED_BY[POLICIES]}"
    findings = verdict("".join(PRINTED.values()).replace(PRINTED[POLICIES], other))[1]

    assert "LLQ007" not in {rule for rule, _ in findings}


def verdict(text: str) -> tuple[bool, list[tuple[str, str]]]:
    report = api.lint(api.of_texts({"x.log": text}))
    return report.complete, [(finding.rule, finding.object) for finding in report.findings]
