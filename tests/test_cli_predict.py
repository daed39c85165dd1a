"""`advisor predict`: links of flags, sweeps and paths of hops, from the command line."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from advisor import api
from advisor.cli import run

Said = pytest.CaptureFixture[str]
LINK = ["predict", "--link", "512k", "--llq", "96k", "--tx-ring-limit", "4", "--calls", "3"]
PATH = """\
codec = "g729"
[[hop]]
name = "branch"
link = "512k"
llq = "96k"
tx-ring-limit = 2
calls = 3
background = 1000
[[hop]]
name = "core"
delay_ms = 20
"""


@pytest.fixture
def path_file(tmp_path: Path) -> Path:
    file = tmp_path / "path.toml"
    file.write_text(PATH, encoding="utf-8")
    return file


def spoken_json(arguments: list[str], capsys: Said) -> object:
    assert run([*arguments, "--format", "json"]) == 0

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    spoken: object = json.loads(capsys.readouterr().out, parse_constant=refuse)
    return spoken


def test_a_link_of_flags_is_predicted_without_a_config(capsys: Said) -> None:
    assert run([*LINK, "-v"]) == 0
    said = capsys.readouterr().out

    assert said.startswith("link: interface Serial0\n  VOICE waits ")
    assert "--calls 3 of G.729" in said
    assert "# ring" in said


@pytest.mark.parametrize("encap", ["hdlc", "frame-relay", "mlppp", "aal5snap", "aal5mux", "arpa"])
def test_every_encapsulation_of_a_link_is_read(encap: str, capsys: Said) -> None:
    assert run([*LINK, "--encap", encap, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))

    assert [row["class"] for row in rows] == ["VOICE", "class-default"]


def test_a_sweep_of_two_settings_has_a_row_for_each_point_and_class(capsys: Said) -> None:
    sweeps = ["--sweep", "tx-ring-limit=1..7:3", "--sweep", "load=50..90:40"]
    assert run([*LINK, *sweeps, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))

    assert len(rows) == 3 * 2 * 2
    assert rows[0]["tx_ring_limit"] == "1"
    assert rows[-1]["load"] == "90"


def test_more_ring_is_more_delay_and_a_higher_bound(capsys: Said) -> None:
    assert run([*LINK, "--sweep", "tx-ring-limit=1..10", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    voice = [row for row in rows if row["class"] == "VOICE"]

    for column in ("mean_ms", "bound_ms"):
        values = [float(row[column]) for row in voice]
        assert values == sorted(values)


@pytest.mark.slow
def test_a_sweep_is_a_table_a_plot_or_json(capsys: Said) -> None:
    sweep = ["--sweep", "bandwidth=256..512:256"]
    assert run([*LINK, *sweep]) == 0
    assert "mean ms" in capsys.readouterr().out
    assert run([*LINK, *sweep, "--format", "plot"]) == 0
    plotted = capsys.readouterr().out
    assert " delay ms\n" in plotted
    assert "* mean, : interval, - bound" in plotted
    points = spoken_json([*LINK, *sweep], capsys)
    assert isinstance(points, list)
    assert [point["settings"][0]["value"] for point in points] == [256, 512]


def test_csv_has_only_the_share_of_a_class_without_known_traffic(capsys: Said) -> None:
    assert run([*LINK, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    default = next(row for row in rows if row["class"] == "class-default")
    known = [key for key, value in default.items() if key.endswith(("_ms", "_kbps")) and value]

    assert known == ["throughput_kbps"]
    assert "state it in [[traffic]]" in default["why"]


def test_a_class_without_known_traffic_has_no_delay_but_a_share(capsys: Said) -> None:
    assert run(LINK) == 0
    lines = capsys.readouterr().out.splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith("  class-default "))

    assert lines[place].split()[1:4] == ["class-default", "unknown", "unknown"]
    assert lines[place + 1] == (
        "    delay unknown: its traffic is neither stated nor measured: state it in [[traffic]]"
    )
    assert lines[place + 2].startswith("    gets its share of the line, ")
    assert lines[place + 2].endswith(" while it has packets waiting")


def test_a_delay_that_is_not_known_is_a_reason_in_json(capsys: Said) -> None:
    said = spoken_json(LINK, capsys)
    assert isinstance(said, list)
    default = said[1]

    assert default["outcome"] == "unknown"
    assert list(default["delay"]) == ["reason"]


def test_csv_has_no_middle_of_a_queue_that_is_never_empty(capsys: Said) -> None:
    assert run([*LINK, "--background", "1000", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    default = next(row for row in rows if row["class"] == "class-default")

    assert [default[key] for key in ("mean_ms", "p50_ms", "p95_ms", "p99_ms")] == [""] * 4
    assert float(default["mean_low_ms"]) < float(default["mean_high_ms"])


@pytest.mark.parametrize(
    ("link", "advised"),
    [
        pytest.param(["512k", "--encap", "ppp"], "fragment 640 bytes: 10.2 ms at 512 kb/s",
                     id="MLPPP: 10 ms of 512 kb/s, and its header"),
        pytest.param(["512k", "--encap", "frame-relay"], "fragment 632 bytes: 10.0 ms at 512 kb/s",
                     id="Frame Relay: the header within the 10 ms"),
        pytest.param(["16k", "--encap", "ppp"], "fragment: none keeps 10 ms", id="20 bytes"),
    ],
)  # fmt: skip
def test_a_fragment_is_advised_that_a_voice_packet_fits(
    link: list[str], advised: str, capsys: Said
) -> None:
    assert run(["predict", "--link", *link, "--llq", "8k"]) == 0
    assert advised in capsys.readouterr().out


def test_a_bound_that_is_one_number_is_written_once(tmp_path: Path, capsys: Said) -> None:
    config = (
        "hostname R\nclass-map VOICE\n match ip dscp ef\npolicy-map P\n class VOICE\n"
        "  priority 64\ninterface Serial0/0\n encapsulation ppp\n clock rate 512000\n"
        " tx-ring-limit 5\n service-policy output P\n"
    )
    (tmp_path / "r.cfg").write_text("!Chassis type: 2811\n" + config, encoding="utf-8")
    assert run(["predict", str(tmp_path / "r.cfg")]) == 0

    assert "tx-ring-limit 1: bound of the ring 47.1 ms, over" in capsys.readouterr().out


BUNDLE = (
    "interface Multilink1\n ppp multilink\n ppp multilink group 1\n service-policy output P\n"
    "interface Serial0/0\n clock rate 768000\n encapsulation ppp\n ppp multilink\n"
    " ppp multilink group 1\n"
)


@pytest.mark.parametrize(
    ("interface", "advice"),
    [
        pytest.param(
            "interface GigabitEthernet0/1\n tx-ring-limit 256\n service-policy output P\n", "",
            id="a ring within the budget is not lengthened",
        ),
        pytest.param(
            "interface Serial0/0\n encapsulation ppp\n clock rate 2048000\n tx-ring-limit 3\n"
            " service-policy output P\n", "", id="the ring in force is not advised",
        ),
        pytest.param(
            "interface Serial0/0\n encapsulation ppp\n clock rate 512000\n tx-ring-limit 9\n"
            " service-policy output P\n", "tx-ring-limit 1: bound of the ring 23.5–47.1 ms",
            id="a ring over the budget is shortened",
        ),
        pytest.param(
            "interface FastEthernet0/0\n service-policy output P\n",
            "it assumes a ring of 64–256 packets in force", id="a default that may be shorter",
        ),
        pytest.param(
            BUNDLE, "it assumes a ring of 16–128 packets in force",
            id="the unset ring of a bundle's member",
        ),
        pytest.param(
            "!Chassis type: 2811\n" + BUNDLE, "it assumes a ring of 128 packets in force",
            id="the unset ring of a member of a known platform",
        ),
    ],
)  # fmt: skip
def test_a_ring_is_advised_only_where_the_ring_in_force_is_longer(
    interface: str, advice: str, tmp_path: Path, capsys: Said
) -> None:
    config = (
        "hostname R\nclass-map VOICE\n match ip dscp ef\npolicy-map P\n class VOICE\n"
        "  priority 64\n class class-default\n  fair-queue\n"
    )
    (tmp_path / "r.cfg").write_text(config + interface, encoding="utf-8")
    assert run(["predict", str(tmp_path / "r.cfg")]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "tx-ring-limit " in line]

    advised = [line for line in lines if line.startswith("    advice")]
    assert [advice in line for line in advised] == ([True] if advice else [])


def test_a_bundle_that_cuts_is_advised_to_interleave(tmp_path: Path, capsys: Said) -> None:
    config = (
        "hostname R\nclass-map VOICE\n match ip dscp ef\npolicy-map P\n class VOICE\n"
        "  priority 64\n class class-default\n  fair-queue\n"
    )
    bundle = BUNDLE.replace(" service", " ppp multilink fragment delay 10\n service", 1)
    bundle = bundle.replace("clock rate 768000", "bandwidth 512")  # IOS takes the delay at it
    (tmp_path / "r.cfg").write_text(config + bundle, encoding="utf-8")
    assert run(["predict", str(tmp_path / "r.cfg")]) == 0

    said = capsys.readouterr().out
    assert "advice ppp multilink interleave on interface Multilink1: it cuts" in said
    assert "advice fragment" not in said


@pytest.mark.parametrize(
    ("llq", "advice"),
    [
        pytest.param("96k", "", id="enough: nothing to paste"),
        pytest.param("64k", "priority 77: the least that admits 3 streams of VOICE; 64 kb/s is too",
                     id="too little"),
    ],
)  # fmt: skip
def test_a_priority_is_advised_only_where_its_own_is_too_small(
    llq: str, advice: str, capsys: Said
) -> None:
    link = ["--link", "512k", "--encap", "ppp", "--llq", llq, "--calls", "3"]
    assert run(["predict", *link]) == 0

    advised = [line for line in capsys.readouterr().out.splitlines() if "advice priority " in line]
    assert [advice in line for line in advised] == ([True] if advice else [])


@pytest.mark.parametrize(
    ("calls", "advice"),
    [
        pytest.param(5, "priority 128: the least that admits 5 streams of VOICE", id="it fits"),
        pytest.param(
            10,
            "priority: VOICE offers 256 kb/s, and IOS admits 206.9 kb/s beside the other classes "
            "(99 %: 1 % stays with class-default)",
            id="the other classes leave less",
        ),
        pytest.param(
            30, "priority: VOICE offers 768 kb/s, more than the link, 512 kb/s", id="the link does"
        ),
    ],
)
def test_no_priority_is_advised_that_ios_refuses(
    calls: int, advice: str, tmp_path: Path, capsys: Said
) -> None:
    config = (
        "version 15.2\nhostname R\npolicy-map P\n class VOICE\n  priority 96\n class DATA\n"
        "  bandwidth 300\n class class-default\n  fair-queue\ninterface Serial0/0\n"
        " bandwidth 512\n clock rate 512000\n encapsulation ppp\n service-policy output P\nend\n"
    )
    (tmp_path / "r.cfg").write_text(config, encoding="utf-8")
    assert run(["predict", str(tmp_path / "r.cfg"), "--set", f"calls={calls}"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    (said,) = (line for line in lines if line.startswith("advice priority"))
    assert said.removeprefix("advice ").startswith(advice)


def test_digits_of_a_fast_link_give_the_product_of_a_long_ring(
    tmp_path: Path, capsys: Said
) -> None:
    text = (
        "hostname R\npolicy-map P\n class VOICE\n  priority 96\ninterface GigabitEthernet0/1\n"
        " tx-ring-limit 256\n service-policy output P\n"
    )
    (tmp_path / "r.cfg").write_text(text, encoding="utf-8")
    assert run(["explain", "ring-bound", str(tmp_path / "r.cfg")]) == 0

    assert "(256 + 0) * 0.0123 = 3.1 ms" in capsys.readouterr().out


def test_no_priority_is_advised_that_the_link_has_not(capsys: Said) -> None:
    calls = ["--llq", "64k", "--calls", "10"]
    assert run(["predict", "--link", "128k", "--encap", "ppp", *calls]) == 0
    said = capsys.readouterr().out

    assert "offers 256 kb/s, more than the link, 128 kb/s" in said


def test_no_fragment_is_advised_where_cells_leave_no_place_for_one(capsys: Said) -> None:
    assert run(["predict", "--link", "512k", "--encap", "aal5snap", "--llq", "64k"]) == 0
    assert "fragment" not in capsys.readouterr().out


def test_csv_of_a_hostile_class_name_is_no_formula(tmp_path: Path, capsys: Said) -> None:
    config = (
        "hostname R\npolicy-map P\n class =cmd\n  bandwidth 100\ninterface Serial0/0\n"
        " clock rate 512000\n tx-ring-limit 2\n service-policy output P\n"
    )
    (tmp_path / "r.cfg").write_text(config, encoding="utf-8")
    assert run(["predict", str(tmp_path / "r.cfg"), "--format", "csv"]) == 0

    assert "'=cmd" in capsys.readouterr().out


def test_a_path_adds_hops_and_rates_the_call(path_file: Path, capsys: Said) -> None:
    said = spoken_json(["predict", "--hops", str(path_file)], capsys)
    assert isinstance(said, dict)
    branch = said["hops"][0]["predicted"]

    assert said["mean"]["value"] == pytest.approx(branch["mean"]["value"] + 20)
    assert said["bound_ms"] == pytest.approx(branch["bound_ms"] + 20)
    (call,) = said["qualities"]
    assert call["r"]["low"] <= call["r"]["value"]
    assert 1 <= call["mos"]["value"] <= 4.5


@pytest.mark.parametrize(
    ("line", "rated"),
    [
        pytest.param('codec = ["g729", "G.711"]', ["G.729, 20 ms", "G.711, 20 ms"], id="as listed"),
        pytest.param("", ["G.711, 20 ms", "G.729, 20 ms"], id="all of which an R is known"),
    ],
)
def test_a_path_is_rated_for_each_codec(
    line: str, rated: list[str], path_file: Path, capsys: Said
) -> None:
    path_file.write_text(PATH.replace('codec = "g729"', line), encoding="utf-8")
    said = spoken_json(["predict", "--hops", str(path_file)], capsys)
    assert isinstance(said, dict)
    best = {call["codec"]: call["r"]["value"] for call in said["qualities"]}

    assert list(best)[:2] == rated
    assert best["G.711, 20 ms"] > best["G.729, 20 ms"]


def test_a_path_is_printed_with_its_approximation(path_file: Path, capsys: Said) -> None:
    assert run(["predict", "--hops", str(path_file)]) == 0
    said = capsys.readouterr().out

    assert "hop     core: 20 ms fixed" in said
    assert ", MOS " in said
    assert "hops are independent" in said


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(("g729", "g999"), "codec: unknown 'g999'", id="no such codec"),
        pytest.param(("calls = 3", "cals = 3"), "unknown key cals", id="a misspelt key"),
        pytest.param(('link = "512k"\n', ""), "goes with link", id="link flags without a link"),
        pytest.param(("delay_ms = 20", ""), "is empty: give config", id="an empty hop"),
    ],
)
def test_a_wrong_path_file(
    change: tuple[str, str], expected: str, path_file: Path, capsys: Said
) -> None:
    path_file.write_text(PATH.replace(*change), encoding="utf-8")
    assert run(["predict", "--hops", str(path_file)]) == 2
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param("--link fast", "not a rate", id="a link that is no rate"),
        pytest.param("--link 512k --encap x25", "--encap x25: unknown", id="no such encapsulation"),
        pytest.param("--link 512k --llq 1M", "more than the link", id="LLQ over the link"),
        pytest.param("--link 512k --calls 3", "needs --llq", id="calls without an LLQ"),
        pytest.param("--llq 64k", "needs --link", id="LLQ without a link"),
        pytest.param("--link 512k --sweep ring=1..3", "unknown key", id="no such key"),
        pytest.param("--link 512k --sweep mtu=9..3", "must be between", id="out of range"),
        pytest.param("--link 512k --sweep mtu=900..300", "ends before", id="a range backwards"),
        pytest.param("--link 512k --sweep mtu", "write KEY=A..B", id="no range"),
        pytest.param("--link 512k --sweep load=1..900:0.1", "at most 1000", id="too many points"),
        pytest.param(
            f"--link 512k --sweep load=1..900:{'0.' + '0' * 309 + '1'}",
            "write KEY=A..B",
            id="a step of nearly nothing",
        ),
        pytest.param(
            f"--link 512k --sweep mtu=64..128:{'9' * 400}",
            "write KEY=A..B",
            id="a step of hundreds of digits",
        ),
        pytest.param("--link 512k --format plot", "goes with --sweep", id="a plot of one point"),
        pytest.param("--link 512k --set load=0", "must be between 1", id="no load"),
        pytest.param("--link 512k --set tx-ring-limit=1.5", "a whole number", id="half a packet"),
        pytest.param("--link 512k --set tx-ring-limit=99999", "1 and 32767", id="a huge ring"),
        pytest.param(
            "--link 512k --sweep tx-ring-limit=1..3:0.5", "a whole number", id="steps of a half"
        ),
    ],
)
def test_wrong_use(arguments: str, expected: str, capsys: Said) -> None:
    assert run(["predict", *arguments.split()]) == 2
    assert expected in capsys.readouterr().err


def test_a_formula_is_explained_with_numbers_put_in(capsys: Said) -> None:
    assert run(["explain", "fragment-size"]) == 0
    assert "512000 * 0.010 / 8 = 640 bytes" in capsys.readouterr().out


ATM_2600 = """\
R#show version
Cisco IOS Software, C2600 Software (C2600-IPVOICE-M), Version 12.4(25b), RELEASE SOFTWARE (fc1)
Cisco 2610XM (MPC860P) processor (revision 1.0) with 127627K/3445K bytes of memory.
R#show running-config
hostname R
policy-map P
 class VOICE
  priority 96
interface ATM0/0
 pvc 0/100
  vbr-nrt 512 512
  encapsulation aal5snap
  service-policy output P
"""
NXOS = """\
version 7.0(3)I7(1)
hostname leaf
feature interface-vlan
feature vpc
vlan 10
interface Ethernet1/1
  switchport mode trunk
"""


@pytest.mark.parametrize(
    ("config", "arguments", "expected"),
    [
        pytest.param(
            ATM_2600,
            ["--set", "tx-ring-limit=1"],
            "--set tx-ring-limit 1: the ring of this platform takes 3 or more",
            id="a ring below the platform's minimum",
        ),
        pytest.param(
            ATM_2600,
            ["--interface", "s0/0"],
            "no output with known queueing on Serial0/0",
            id="elsewhere",
        ),
    ],
)
def test_a_config_that_cannot_be_predicted_as_asked(
    config: str, arguments: list[str], expected: str, tmp_path: Path, capsys: Said
) -> None:
    (tmp_path / "r.cfg").write_text(config, encoding="utf-8")
    assert run(["predict", str(tmp_path / "r.cfg"), *arguments]) == 2
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize("name", ["s0/0/0", "Se0/0/0", "serial 0/0/0"])
def test_an_interface_may_be_abbreviated_as_in_ios(name: str, tmp_path: Path, capsys: Said) -> None:
    (tmp_path / "r.cfg").write_text(CONFIG, encoding="utf-8")
    assert run(["predict", str(tmp_path / "r.cfg"), "--interface", name]) == 0
    assert "interface Serial0/0/0" in capsys.readouterr().out


MULTILINK = """\
hostname R
policy-map P
 class VOICE
  priority percent 25
interface Multilink1
 bandwidth 256
 ppp multilink fragment delay 10
 ppp multilink interleave
 service-policy output P
interface Serial0/0
 encapsulation ppp
 bandwidth 256
 clock rate 256000
 ppp multilink group 1
"""
PERCENT = """\
hostname R
policy-map CHILD
 class VOICE
  priority percent 25
policy-map P
 class class-default
  shape average percent 50
  service-policy CHILD
interface Serial0/0
 clock rate 1000000
 encapsulation ppp
 service-policy output P
"""
UNSET = """\
hostname R
policy-map P
 class VOICE
  priority percent 25
interface Serial0/0
 clock rate 1000000
 encapsulation ppp
 service-policy output P
"""


@pytest.mark.parametrize(
    ("config", "kbps", "name", "value"),
    [
        pytest.param(MULTILINK, 512, "fragment_bytes", 640, id="a fragment that is a delay"),
        pytest.param(MULTILINK, 512, "offered_kbps of VOICE", 128, id="percent of a bundle"),
        pytest.param(PERCENT, 2000, "shaper_bps", 1e6, id="a shaper in percent"),
        pytest.param(PERCENT, 2000, "offered_kbps of VOICE", 250, id="percent of the shaper"),
        pytest.param(UNSET, 8000, "tx_ring_limit_packets", 3, id="a ring by default: 2 to 4"),
        pytest.param(UNSET, 8000, "offered_kbps of VOICE", 2000, id="percent of `bandwidth`"),
    ],
)
def test_another_rate_moves_what_follows_from_it(  # noqa: PLR0917 -- a row and two fixtures
    config: str, kbps: int, name: str, value: float, tmp_path: Path, capsys: Said
) -> None:
    (tmp_path / "r.cfg").write_text(config, encoding="utf-8")
    asked = ["predict", str(tmp_path / "r.cfg"), "--set", f"bandwidth={kbps}"]
    said = spoken_json(asked, capsys)
    assert isinstance(said, list)
    found = {each["name"]: each["value"] for each in said[0]["inputs"]}

    assert found[name] == pytest.approx(value)


CONFIG = """\
hostname R
policy-map P
 class VOICE
  priority 96
 class class-default
  shape average 256000 5120 0
interface Serial0/0/0
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 3
 service-policy output P
"""
CALLS = '[[traffic]]\nclass = "VOICE"\ncalls = 3\ncodec = "G.729"\n'


@pytest.mark.parametrize(
    ("formula", "line"),
    [
        ("serialization", "1500 bytes, 1508 on the wire: 8 * 1508 / 512000 = 23.56 ms"),
        ("ring-bound", "(3 + 1) * 23.56 = 94.2 ms (tx-ring-limit, "),
        ("saturated-wait", "23.56 / 2 + 2 * 23.56 = 58.9 ms"),
        ("fragment-size", "512000 * 10 ms / 8 = 640 bytes"),
        ("priority-rate", "3 streams of VOICE: 3 * 8 * (60 + 4) / 20 ms = 76.8 kb/s"),
        ("priority-burst", "class VOICE: 96000 * 0.2 / 8 = 2400 bytes"),
        ("atm-cells", "does not apply to this interface"),
    ],
)
def test_a_formula_is_given_the_numbers_of_a_config(
    formula: str, line: str, tmp_path: Path, capsys: Said
) -> None:
    (tmp_path / "r.cfg").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "t.toml").write_text(CALLS, encoding="utf-8")
    config, traffic = str(tmp_path / "r.cfg"), str(tmp_path / "t.toml")
    assert run(["explain", formula, config, "--traffic", traffic]) == 0
    said = capsys.readouterr().out
    assert "R: interface Serial0/0/0:" in said
    assert line in said


@pytest.mark.parametrize(
    ("traffic", "load"),
    [
        pytest.param(CALLS, "76.8 kb/s", id="3 calls of 60 bytes, and 4 of PPP, each 20 ms"),
        pytest.param(CALLS + CALLS.replace("3", "1"), "102 kb/s", id="two tables add up"),
        pytest.param(CALLS.replace("VOICE", "class-default"), "96 kb/s",
                     id="not stated: what fills the priority of 96 kb/s"),
    ],
)  # fmt: skip
def test_the_load_of_a_class_is_in_the_bytes_that_a_policer_counts(
    traffic: str, load: str, tmp_path: Path, capsys: Said
) -> None:
    (tmp_path / "r.cfg").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "t.toml").write_text(traffic, encoding="utf-8")
    assert run(["predict", str(tmp_path / "r.cfg"), "--traffic", str(tmp_path / "t.toml")]) == 0
    (row,) = (line for line in capsys.readouterr().out.splitlines() if "VOICE  " in line)
    assert re.split(r"  +", row.strip())[2] == load


def test_a_config_that_is_not_there_is_wrong_use_of_explain(capsys: Said) -> None:
    assert run(["explain", "TXR001", "r.cfg"]) == 2
    assert "r.cfg: No such file or directory" in capsys.readouterr().err


def test_a_folder_is_predicted_device_by_device(tmp_path: Path, capsys: Said) -> None:
    config = (
        "hostname {}\nclass-map match-any VOICE\n match ip dscp ef\npolicy-map EDGE\n class VOICE\n"
        "  priority 100\ninterface Serial0/0\n bandwidth 512\n encapsulation ppp\n"
        " service-policy output EDGE\n"
    )
    for name in ("r1", "r2"):
        (tmp_path / f"{name}.cfg").write_text(config.format(name), encoding="utf-8")
    (tmp_path / "plain.cfg").write_text("hostname plain\nip cef\n", encoding="utf-8")
    rows = spoken_json(["predict", str(tmp_path)], capsys)
    assert isinstance(rows, list)
    assert {row["device"] for row in rows} == {"r1", "r2"}
    assert run(["predict", str(tmp_path)]) == 0
    assert "plain.cfg: " in capsys.readouterr().err
    assert run(["predict", str(tmp_path), "--set", "tx-ring-limit=2"]) == 2
    assert "--set: goes with one device; " in capsys.readouterr().err


COUNTED_APART = """r1#show policy-map interface Serial0/0
 Serial0/0

  Service-policy output: EDGE

    Class-map: VOICE (match-any)
      60000 packets, 3840000 bytes
      5 minute offered rate 32000 bps, drop rate 0 bps
      Match: ip dscp ef (46)
      Queueing
        Strict Priority
        Bandwidth 100 (kbps) Burst 2500 (Bytes)
        (pkts matched/bytes matched) 60000/3840000
        (total drops/bytes drops) 0/0

    Class-map: class-default (match-any)
      90000 packets, 45000000 bytes
      5 minute offered rate 200000 bps, drop rate 0 bps
      Match: any
r1#
"""


def test_counters_in_another_file_of_a_folder_are_those_of_its_device(
    tmp_path: Path, capsys: Said
) -> None:
    config = (
        "version 12.3\nhostname r1\nclass-map match-any VOICE\n match ip dscp ef\n"
        "policy-map EDGE\n class VOICE\n  priority 100\ninterface Serial0/0\n bandwidth 512\n"
        " encapsulation ppp\n service-policy output EDGE\nend\n"
    )
    apart, together = tmp_path / "apart", tmp_path / "r1.log"
    apart.mkdir()
    (apart / "r1.cfg").write_text(config, encoding="utf-8")
    (apart / "session.log").write_text(COUNTED_APART, encoding="utf-8")
    together.write_text(f"r1#show running-config\n{config}{COUNTED_APART}", encoding="utf-8")

    rows = spoken_json(["predict", str(apart)], capsys)
    alone = spoken_json(["predict", str(together)], capsys)

    def loads(of: Any) -> dict[str, float]:
        return {row["class_name"]: row["offered"]["value"] for row in of}

    assert loads(rows) == loads(alone) == {"VOICE": 32.0, "class-default": 200.0}
    assert loads(json.loads(api.to_json(api.predict(api.read(apart))))) == loads(rows)
