"""What `advisor inspect` shows of what was understood."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from advisor.cli import run
from advisor.device.inspection import Leaf, Node, Record, inspect_device, inspect_output
from advisor.device.reading import Source, read_source
from advisor.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
CONFIG = """\
version 12.4
hostname R1
class-map match-any VOICE
 match ip dscp ef
policy-map SECRET-SAUCE
 class VOICE
  priority percent 10
 class class-default
  random-detect
  random-detect precedence 0 20 40 10
  queue-limit 64
interface Serial0/0
 description key s3nt1nel
 bandwidth 512
 tx-ring-limit 10
 service-policy output SECRET-SAUCE
end
"""
SESSION = """\
R1#show processes cpu | include CPU
CPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: 5%
R1#show dlsw statistics
 100  frames processed via local cache
 20  frames processed via remote cache
 0  frames processed via group cache
R1#show users
   Line  User
*  0 con 0
"""

Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r1.cfg").write_text(CONFIG, encoding="utf-8")
    Path("r1.txt").write_text(SESSION, encoding="utf-8")


def devices(capsys: Said, *arguments: str) -> list[Any]:
    run(["inspect", *arguments, "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    return list(report["devices"])


def test_a_stated_value_has_its_unit_in_its_name_and_its_line(capsys: Said) -> None:
    (device,) = devices(capsys, "r1.cfg")
    (interface,) = device["facts"]["interfaces"]
    assert interface["bandwidth_bps"] == {"value": 512000, "at": "r1.cfg:14"}
    assert interface["at"] == "r1.cfg:12"


def test_what_no_line_states_is_null_and_not_zero(capsys: Said) -> None:
    (device,) = devices(capsys, "r1.cfg")
    assert device["facts"]["interfaces"][0]["clock_rate_bps"] is None


@pytest.mark.parametrize(
    ("position", "member", "name", "value"),
    [
        pytest.param(0, "priority", "amount_percent", 10, id="a share in percent"),
        pytest.param(1, "queue_limit", "amount_packets", 64, id="a limit in packets"),
    ],
)
def test_an_amount_has_the_unit_that_stands_beside_it(
    position: int, member: str, name: str, value: int, capsys: Said
) -> None:
    (device,) = devices(capsys, "r1.cfg")
    said = device["facts"]["policy_maps"][0]["classes"][position]
    assert said[member][name] == value


def test_thresholds_have_the_unit_that_stands_beside_them(capsys: Said) -> None:
    (device,) = devices(capsys, "r1.cfg")
    (row,) = device["facts"]["policy_maps"][0]["classes"][1]["wred"]["profiles"]
    assert (row["min_threshold_packets"], row["max_threshold_packets"]) == (20, 40)


def test_outputs_of_another_file_are_those_of_the_device(capsys: Said) -> None:
    (device,) = devices(capsys, ".")
    assert device["device"] == "R1"
    (load,) = device["observations"]["cpu"]
    assert (load["five_seconds_percent"], load["at"]) == (8, "./r1.txt:2")
    assert [each["command"] for each in device["coverage"]["outputs"]] == [
        "show processes cpu | include CPU",
        "show dlsw statistics",
        "show users",
    ]


@pytest.mark.parametrize(
    ("command", "observed"),
    [
        pytest.param("show dlsw statistics", ["dlsw_statistics"], id="a command"),
        pytest.param("sh dlsw stat", ["dlsw_statistics"], id="abbreviated"),
        pytest.param("show processes cpu", ["cpu"], id="a filter makes no difference"),
        pytest.param("show users", [], id="an output that is kept and not read"),
    ],
)
def test_one_output(command: str, observed: list[str], capsys: Said) -> None:
    (device,) = devices(capsys, ".", "--command", command)
    assert list(device) == ["device", "outputs", "observations"]
    assert list(device["observations"]) == observed
    assert len(device["outputs"]) == 1


def test_the_running_config_is_an_output_too(capsys: Said) -> None:
    (device,) = devices(capsys, ".", "--command", "sh run")
    assert list(device) == ["device", "facts"]


@pytest.mark.parametrize(
    ("arguments", "bundle", "count"),
    [
        pytest.param("show interfaces", "a1", 2, id="no interface: all"),
        pytest.param("show controllers", "a1", 1, id="an argument may be left out"),
        pytest.param("sh contr s0/1/0", "a1", 1, id="an abbreviated interface"),
    ],
)
def test_arguments_of_an_output(arguments: str, bundle: str, count: int, capsys: Said) -> None:
    path = str(FIXTURES / "bundles" / bundle)
    (device,) = devices(capsys, path, "--command", arguments)
    (observed,) = device["observations"].values()
    assert len(observed) == count


@pytest.mark.parametrize(
    ("arguments", "code", "on_stderr"),
    [
        pytest.param("r1.cfg", 0, "", id="a config"),
        pytest.param(".", 0, "", id="a folder"),
        pytest.param("none.cfg", 2, "none.cfg: No such file", id="no such file"),
        pytest.param(
            "r1.txt --command ping",
            2,
            "--command ping: no such output; the input has",
            id="no output",
        ),
        pytest.param(
            "r1.cfg --command sh",
            2,
            "--command sh: no such output; the input has no show output",
            id="no output at all",
        ),
        pytest.param(f"{FIXTURES}/bundles/head1-incomplete", 3, "", id="an incomplete bundle"),
        pytest.param(f"{FIXTURES}/bundles/a1", 0, "", id="a whole bundle"),
        pytest.param("r1.cfg --format yaml", 2, "'yaml' is not one of", id="no such format"),
    ],
)
def test_exit_code(arguments: str, code: int, on_stderr: str, capsys: Said) -> None:
    assert run(["inspect", *arguments.split()]) == code
    assert on_stderr in capsys.readouterr().err


@pytest.mark.parametrize("form", ["tree", "json"])
def test_secrets_are_masked_and_names_are_not(form: str, capsys: Said) -> None:
    assert run(["inspect", ".", "--format", form]) == 0
    said = capsys.readouterr().out
    assert "s3nt1nel" not in said
    assert "<removed>" in said
    assert "SECRET-SAUCE" in said


SECRETS = [
    pytest.param("policy-map P\n class C\n  key 7 s3nt1nel\n", id="an unknown line of a policy"),
    pytest.param("dlsw local-peer key s3nt1nel\n", id="a DLSw line"),
    pytest.param("ip sla 1\n icmp-echo 10.0.0.1\n password s3nt1nel\n", id="a line of a probe"),
    pytest.param("interface Serial0/0\n priority-group key s3nt1nel\n", id="legacy queueing"),
    pytest.param(
        "access-list 101 permit tcp any any key s3nt1nel\n", id="an entry of an access list"
    ),
    pytest.param("class-map C\n secret s3nt1nel\n", id="an unknown line of a class"),
    pytest.param("R1#show users key s3nt1nel\nLine\n", id="a command"),
    pytest.param("R1#show dlsw peers\nsnmp-server community s3nt1nel\n", id="an unknown layout"),
    pytest.param(
        "R1#show interfaces\nSerial0/0 is up, line protocol is up\n  Hardware is GT96K Serial\n"
        "  Description: pre-shared-key s3nt1nel\n",
        id="a description that is shown",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("text", SECRETS)
@pytest.mark.parametrize("arguments", ["inspect {}", "inspect {} --format json", "lint {} -v"])
def test_no_secret_is_shown_of(text: str, arguments: str, capsys: Said) -> None:
    Path("odd.txt").write_text(f"{text}", encoding="utf-8")
    run(arguments.format("odd.txt").split())
    said = capsys.readouterr()
    assert said.out
    assert "s3nt1nel" not in said.out + said.err


@pytest.mark.slow
@pytest.mark.parametrize("form", ["tree", "json"])
def test_the_same_input_gives_the_same_text(form: str, capsys: Said) -> None:
    said = []
    for _ in range(2):
        run(["inspect", str(FIXTURES / "bundles"), "r1.cfg", "--format", form])
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]


TREE = """\
R1
  facts  (r1.cfg:1)
    hostname: R1  (r1.cfg:1)
    ip_cef: no
    interfaces
      - Serial0/0  (r1.cfg:2)
        type: Serial
        shutdown: no
        bandwidth_bps: 512000  (r1.cfg:3)
    class_maps
      - VOICE  (r1.cfg:4)
        match_all: yes
        matches
          - match ip dscp ef  (r1.cfg:5)
            kind: dscp
            values: 46
            negated: no
    qos_lines_seen: 3
    qos_lines_understood: 3
"""


def test_tree_leaves_out_what_is_not_known(capsys: Said) -> None:
    Path("r1.cfg").write_text(
        "hostname R1\ninterface Serial0/0\n bandwidth 512\nclass-map VOICE\n match ip dscp ef\n",
        encoding="utf-8",
    )
    assert run(["inspect", "r1.cfg", "--command", "show running-config"]) == 0
    assert capsys.readouterr().out == TREE


def test_terminal_escapes_of_a_config_are_not_obeyed(capsys: Said) -> None:
    Path("r1.cfg").write_text(
        "hostname R1\ninterface Serial0/0\n description \x1b[31mred\x07\nend\n", encoding="utf-8"
    )
    for form in ("tree", "json"):
        run(["inspect", "r1.cfg", "--format", form])
        assert not set(capsys.readouterr().out) & {"\x1b", "\x07"}


PYTHON = re.compile(r"<class|object at 0x|\w+\(\w+=|\b(?:None|True|False)\b|Decimal|datetime\.")


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(FIXTURES.iterdir()), ids=lambda path: path.name)
def test_json_of_all_fixtures_is_free_of_python(path: Path, capsys: Said) -> None:
    said = json.dumps(devices(capsys, str(path)))
    assert PYTHON.findall(said) == []


def values(node: Node) -> list[object]:
    if isinstance(node, Leaf):
        return [node.value]
    below = [of for _, of in node.members] if isinstance(node, Record) else list(node.items)
    return [value for each in below for value in values(each)]


def test_every_observation_belongs_to_one_output() -> None:
    source = Source("r1.txt", SESSION.encode())
    reading = read_source(source, Settings())
    whole = dict(inspect_device(reading, ()).members)["observations"]
    single = [inspect_output(reading, each.command) for each in reading.device.seen.taken]
    parts = [
        value
        for each in single
        if each is not None
        for value in values(dict(each.members)["observations"])
    ]
    assert sorted(map(str, parts)) == sorted(map(str, values(whole)))


def test_a_part_that_is_not_understood_is_listed_with_its_lines(capsys: Said) -> None:
    text = "R1#show interfaces\nSerial0/0 is up, line protocol is up\n  Colour is nine\nR1#\n"
    Path("r1.txt").write_text(text, encoding="utf-8")
    (device,) = devices(capsys, "r1.txt")
    (output,) = device["coverage"]["outputs"]
    assert output["understood"] is False
    assert output["not_understood"] == [
        {"part": "interface", "name": "Serial0/0", "is_cut": False, "line": 3, "at": "r1.txt:2"}
    ]


COUNTED = """\
R1#show policy-map interface
 Serial0/0

  Service-policy output: WAN

    Class-map: class-default (match-any)
      10 packets, 1000 bytes
      5 minute offered rate 1000 bps, drop rate 0 bps
      Match: any
R1#show inventory
NAME: "chassis", DESCR: "CISCO2911/K9 chassis"
PID: CISCO2911/K9      , VID: V05 , SN: FCZ00000000
R1#
"""


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        pytest.param(
            "rates_at: r2.txt:8", "the line of a value", id="a place is no text of a device"
        ),
        pytest.param("product_id: CISCO2911/K9", "a product", id="a product is no secret"),
    ],
)
def test_what_is_no_secret_is_shown(shown: str, text: str, capsys: Said) -> None:
    Path("r2.txt").write_text(COUNTED, encoding="utf-8")
    run(["inspect", "r2.txt"])

    assert shown in capsys.readouterr().out, text
