"""COL001 to COL003: what a capture lacks, and how far apart its outputs are."""

import pytest

from advisor.capture.sections import Gap, GapKind
from advisor.device.device import Device
from advisor.device.reading import Source, read_source
from advisor.ground.quantity import figure
from advisor.ios.syntax import Location
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.lint.checks.col import find_capture_incomplete
from advisor.settings import Settings
from advisor.shows.observations import Observations, TakenOutput
from advisor.shows.redact import redact_text
from tests.support.devices import device_of, device_read
from tests.support.verdicts import hit_of, hits_of, skip_of

CAPTURES_FAR_APART = CHECKS["captures-far-apart"]
CAPTURE_INCOMPLETE = CHECKS["capture-incomplete"]
PRIVILEGE_TOO_LOW = CHECKS["privilege-too-low"]
UNDEFINED_POLICY_MAP = CHECKS["undefined-policy-map"]

ROUTER = "clock of the router"


def router(*, gaps: tuple[Gap, ...] = (), times: tuple[str | None, ...] = ()) -> Device:
    taken = tuple(
        TakenOutput("show interfaces", "", time, understood=True, at=Location("r1.txt", n))
        for n, time in enumerate(times, start=1)
    )
    return device_of("hostname r1\n", seen=Observations(taken=taken), gaps=gaps)


def minutes_apart(*times: str | None) -> list[float]:
    said = CAPTURES_FAR_APART.find(router(times=times), CAPTURES_FAR_APART.params(10.0))
    return [each.forecast.before.value for each in hits_of(said) if each.forecast is not None]


@pytest.mark.parametrize(
    ("gap", "object_path"),
    [
        pytest.param(
            Gap("show dlsw circuits", GapKind.CUT, "no prompt within 60 s"),
            "command show dlsw circuits",
            id="a cut output",
        ),
        pytest.param(
            Gap("show running-config", GapKind.MISSING, "privilege 1 is too low"),
            "command show running-config",
            id="a command that gave nothing",
        ),
    ],
)
def test_each_gap_of_a_capture_is_a_finding(gap: Gap, object_path: str) -> None:
    said = list(CAPTURE_INCOMPLETE.find(router(gaps=(gap,)), NoParams()))

    assert [each.object for each in said] == [object_path]


@pytest.mark.parametrize(
    ("kind", "helps"), [(GapKind.CUT, True), (GapKind.MISSING, True), (GapKind.UNREADABLE, False)]
)
def test_an_output_that_is_not_read_is_not_to_be_captured_again(
    kind: GapKind, *, helps: bool
) -> None:
    hit = hit_of(CAPTURE_INCOMPLETE.find(router(gaps=(Gap("show x", kind),)), NoParams()))

    assert (hit.advice is None) is helps


def test_a_whole_capture_has_none() -> None:
    assert list(CAPTURE_INCOMPLETE.find(router(), NoParams())) == []


WIPED = " --More-- " + "\b" * 9 + " " * 8 + "\b" * 9
HEAD = (
    "hostname r1\ninterface Serial0\nend\nr1#show interfaces\nSerial0 is up, line protocol is up\n"
)


@pytest.mark.parametrize(
    ("tail", "gaps"),
    [
        pytest.param(" --More-- ", 1, id="the log ends at the pager"),
        pytest.param(WIPED + "r1#\n", 1, id="the pager was left: the prompt stands on its line"),
        pytest.param(WIPED + "r1#show clock\n", 1, id="and a command was typed there"),
        pytest.param(WIPED + "  MTU 1500 bytes\nr1#\n", 0, id="the pager went on"),
        pytest.param("r1#\n", 0, id="no pager"),
    ],
)
def test_an_output_that_was_left_at_the_pager_is_cut(tail: str, gaps: int) -> None:
    source = Source("r1.txt", f"r1#show running-config\n{HEAD}{tail}".encode())

    assert len(read_source(source, Settings()).device.gaps) == gaps


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        (
            "show interfaces fair-queue",
            "FastEthernet1/0/0 queue size 0\n        packets output 2900, drops 12\n",
        ),
    ],
    ids=lambda word: word if word.startswith("show ") else "",
)
def test_counters_of_a_queue_that_nobody_reads_are_a_gap_masked_or_not(
    command: str, printed: str
) -> None:
    text = f"{HEAD.partition('r1#')[0]}r1#{command}\n{printed}r1#\n"

    for each in (text, redact_text(text, "r1.txt")):
        (gap,) = read_source(Source("r1.txt", each.encode()), Settings()).device.gaps
        assert (gap.command, gap.kind) == (command, GapKind.UNREADABLE)


WHOLE_INTERFACE = """Serial0 is up, line protocol is up
  MTU 1500 bytes, BW 256 Kbit, DLY 20000 usec,
  Last input 00:00:01, output 00:00:00, output hang never
     112000 packets input, 4423200 bytes, 0 no buffer
     190211 packets output, 61122000 bytes, 0 underruns
"""
CUT_INTERFACE = WHOLE_INTERFACE[: WHOLE_INTERFACE.index("     190211")]
CUT_VERSION = "Cisco IOS Software, 2800 Software (C2800NM-IPBASE-M), Version 12.4(15)T9\n"


@pytest.mark.parametrize(
    ("typed", "details"),
    [
        pytest.param(
            [("show interfaces", CUT_INTERFACE)],
            ["it ends inside interface Serial0"],
            id="before the counters of an interface",
        ),
        pytest.param([("show version", CUT_VERSION)], ["it ends early"], id="in no part"),
        pytest.param(
            [("show interfaces", CUT_INTERFACE), ("show interfaces", CUT_INTERFACE)],
            ["it ends inside interface Serial0"],
            id="twice: one command, one finding",
        ),
        pytest.param(
            [("show interfaces", CUT_INTERFACE + " --More-- ")],
            ["left at --More--"],
            id="at the pager: said once",
        ),
        pytest.param([("show interfaces", WHOLE_INTERFACE)], [], id="a whole output"),
        pytest.param(
            [("show interfaces", WHOLE_INTERFACE.replace("MTU 1500", "MTU many"))],
            [],
            id="a line that is not understood: nothing is missing",
        ),
    ],
)
def test_an_output_that_ends_before_its_last_line_is_cut(
    typed: list[tuple[str, str]], details: list[str]
) -> None:
    device = device_read("".join(f"r1#{command}\n{output}" for command, output in typed) + "r1#\n")

    said = hits_of(CAPTURE_INCOMPLETE.find(device, NoParams()))
    assert [each.evidence.detail for each in said] == details


CONFIG = "!\nversion 12.4\nhostname r1\n!\nend\n"
SEVEN, FIFTEEN = "Current privilege level is 7\n", "Current privilege level is 15\n"
VIEW = "Currently in View Context with view 'audit'\n"


@pytest.mark.parametrize(
    ("typed", "partial"),
    [
        pytest.param([("show privilege", SEVEN), ("show running-config", CONFIG)], 1, id="level 7"),
        pytest.param([("sh priv", SEVEN), ("sh run", CONFIG)], 1, id="abbreviated"),
        pytest.param([("show privilege", VIEW), ("show running-config", CONFIG)], 1, id="a view"),
        pytest.param(
            [("show privilege", SEVEN), ("show running-config view full", CONFIG)],
            0,
            id="`view full` shows all at any level",
        ),
        pytest.param(
            [("show privilege", SEVEN), ("show startup-config", CONFIG)],
            0,
            id="the startup-config is not cut down",
        ),
        pytest.param(
            [("show privilege", FIFTEEN), ("show running-config", CONFIG)], 0, id="level 15"
        ),
        pytest.param([("show running-config", CONFIG)], 0, id="a level that nobody asked for"),
        pytest.param(
            [("show privilege", SEVEN), ("enable", ""), ("show running-config", CONFIG)],
            0,
            id="the level was raised between",
        ),
        pytest.param(
            [
                *(("show privilege", SEVEN), ("enable", ""), ("show privilege", FIFTEEN)),
                ("show running-config", CONFIG),
            ],
            0,
            id="raised, and asked again",
        ),
    ],
)
def test_a_configuration_of_a_low_privilege_is_a_part(
    typed: list[tuple[str, str]], partial: int
) -> None:
    log = "".join(f"r1#{command}\n{output}" for command, output in typed) + "r1#\n"
    device = device_read(log)

    hits = hits_of(PRIVILEGE_TOO_LOW.find(device, NoParams()))
    assert len(hits) == partial
    assert list(CAPTURE_INCOMPLETE.find(device, NoParams())) == []


MARKERS = "!\nboot-start-marker\nboot-end-marker\n!\nend\n"


NO_NAME = "!\ninterface Serial0/0\n!\nend\n"
AT_USER_EXEC = f"r1>show running-config\n{NO_NAME}r1>\n"


@pytest.mark.parametrize(
    ("log", "details"),
    [
        pytest.param(AT_USER_EXEC, ["no hostname, no version"], id="the prompt of level 1"),
        pytest.param(AT_USER_EXEC.replace("r1>", "r1#"), [], id="of a higher level: composed"),
        pytest.param(
            AT_USER_EXEC.replace("-config", "-config view full"), [], id="`view full` at level 1"
        ),
        pytest.param(
            AT_USER_EXEC.replace(NO_NAME, CONFIG.replace("end\n", NO_NAME)),
            [],
            id="it lacks nothing",
        ),
    ],
)
def test_a_configuration_that_user_exec_cut_down_is_a_part(log: str, details: list[str]) -> None:
    said = hits_of(PRIVILEGE_TOO_LOW.find(device_read(log), NoParams()))

    assert [
        hit.evidence.detail.removeprefix("a part of a configuration: ") for hit in said
    ] == details


@pytest.mark.parametrize(
    ("text", "partial"),
    [
        pytest.param(f"r1#show running-config\n{MARKERS}r1#\n", 1, id="a device printed it"),
        pytest.param(
            f"r1>show running-config view full\n{MARKERS}r1>\n", 1, id="`view full` is no better"
        ),
        pytest.param(f"r1#show startup-config\n{MARKERS}r1#\n", 0, id="another configuration"),
        pytest.param(
            f"r1#show running-config | section boot\n{MARKERS}r1#\n", 0, id="a filtered one"
        ),
        pytest.param(MARKERS, 0, id="a file without a prompt may be a draft"),
    ],
)
def test_a_configuration_that_names_no_device_is_a_part(text: str, partial: int) -> None:
    device = read_source(Source("r1.txt", text.encode()), Settings()).device

    said = hits_of(PRIVILEGE_TOO_LOW.find(device, NoParams()))
    assert len(said) == partial
    assert all("no hostname, no version, no interface" in hit.evidence.detail for hit in said)


def test_a_refused_configuration_is_missing_and_not_a_part() -> None:
    refused = router(gaps=(Gap("show running-config", GapKind.MISSING, "privilege 1 is too low"),))

    hit = hit_of(CAPTURE_INCOMPLETE.find(refused, NoParams()))
    assert hit.evidence.command == "show running-config"
    assert list(PRIVILEGE_TOO_LOW.find(refused, NoParams())) == []


def test_nothing_is_missing_in_a_part_of_a_configuration() -> None:
    attached = CONFIG.replace("end", "interface Serial0\n service-policy output EDGE\n!\nend")
    log = f"r1#show privilege\n{SEVEN}r1#show running-config\n{attached}r1#\n"
    device = device_read(log)

    said = skip_of(UNDEFINED_POLICY_MAP.find(device, NoParams()))
    assert "privilege 7" in said.reason


@pytest.mark.parametrize(
    ("times", "minutes"),
    [
        pytest.param(
            (f"2008-04-18 13:00:00 UTC, {ROUTER}", f"2008-04-18 13:10:00 UTC, {ROUTER}"),
            [],
            id="ten minutes are compared",
        ),
        pytest.param(
            (f"2008-04-18 13:00:00 UTC, {ROUTER}", f"2008-04-18 13:11:00 UTC, {ROUTER}"),
            [11.0],
            id="eleven are not",
        ),
        pytest.param(
            (f"2008-04-18 13:00:00 UTC, {ROUTER}", f"2008-04-18 15:00:00 CEST, {ROUTER}"),
            [],
            id="clocks of two zones are not compared",
        ),
        pytest.param(
            (f"2008-04-18 13:00:00 UTC, {ROUTER}", "2008-04-18 15:00:00 UTC, manifest"),
            [],
            id="nor those of two devices",
        ),
        pytest.param((None, None), [], id="outputs without a time are not judged"),
    ],
)
def test_time_between_outputs(times: tuple[str | None, ...], minutes: list[float]) -> None:
    assert minutes_apart(*times) == minutes


@pytest.mark.parametrize(
    ("last", "apart"),
    [
        pytest.param("2008-04-18 10:42:00", "42 minutes", id="minutes"),
        pytest.param("2008-04-18 15:00:00", "5 hours", id="hours"),
        pytest.param("2010-09-28 10:00:00", "893 days", id="days"),
    ],
)
def test_the_time_between_reads_in_the_unit_that_people_say(last: str, apart: str) -> None:
    times = ("2008-04-18 10:00:00", last)
    hit = hit_of(CAPTURES_FAR_APART.find(router(times=times), CAPTURES_FAR_APART.params(10.0)))
    assert hit.evidence.apart == apart
    assert hit.forecast is not None
    assert figure(hit.forecast.before) == apart


def test_a_gap_of_an_output_that_is_there_points_to_its_prompt() -> None:
    shown = "FastEthernet1/0/0 queue size 0\n        packets output 2900, drops 12\n"
    text = f"{HEAD.partition('r1#')[0]}r1#show interfaces fair-queue\n{shown}r1#\n"
    device = read_source(Source("r1.txt", text.encode()), Settings()).device
    hit = hit_of(find_capture_incomplete(device))

    assert text.splitlines()[hit.at[0].line - 1] == "r1#show interfaces fair-queue"
