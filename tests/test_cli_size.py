"""`advisor size dlsw` as a user calls it."""

import json
from pathlib import Path
from typing import Any

import pytest

from advisor.cli import run

ROOT = Path(__file__).parents[1]
SITES = str(ROOT / "fixtures/dlsw/sites.csv")
CALIBRATION = str(ROOT / "fixtures/dlsw/calibration-3640.toml")
LOAD = ("--tps", "100", "--out-bytes", "2000", "--in-bytes", "1000", "--ru", "1024")
BASE = ("size", "dlsw", "--platform", "3640", *LOAD)
SESSION = """\
{host}#show running-config
version 12.2
hostname {host}
dlsw local-peer peer-id 10.0.0.1 promiscuous
dlsw remote-peer 0 tcp 10.0.0.9
dlsw bridge-group 1
interface Ethernet0/0
 bridge-group 1
end

{host}#show processes cpu | include CPU
CPU utilization for five seconds: {cpu}
{host}#show interfaces Ethernet0/0
Ethernet0/0 is up, line protocol is up
  MTU 1500 bytes, BW 10000 Kbit, DLY 1000 usec,
     reliability 255/255, txload 1/255, rxload 1/255
  Encapsulation ARPA, loopback not set
  30 second input rate 200000 bits/sec, {rate} packets/sec
  30 second output rate 200000 bits/sec, {rate} packets/sec
     1120 packets input, 44232 bytes, 0 no buffer
     900 packets output, 63550 bytes, 0 underruns
{host}#
"""
STEADY = "8%/6%; one minute: 8%; five minutes: 5%"
Said = pytest.CaptureFixture[str]


def session(tmp_path: Path, *, host: str = "dc1", cpu: str = STEADY, rate: int = 40) -> str:
    file = tmp_path / f"{host}.log"
    file.write_text(SESSION.format(host=host, cpu=cpu, rate=rate), "utf-8")
    return str(file)


def as_json(words: tuple[str, ...], capsys: Said, code: int = 0) -> Any:
    assert run((*words, "--format", "json")) == code
    return json.loads(capsys.readouterr().out)


def test_flags_alone_are_sized(capsys: Said) -> None:
    assert run(BASE) == 0
    out = capsys.readouterr().out

    for said in (
        "router: 3640, estimated",
        "300 frames/s: 100 transactions/s of 3 frames (2 out, 1 in)",
        "CPU 15 % (range 7.5–30) at 300 frames/s: holds (limit 50 %)",
        "head room",
        "no slope is Cisco's",
        "NPE-300",
        "limit of 50 %",
    ):
        assert said in out


def test_a_pair_is_doubled_and_its_fault_domain_said(capsys: Said) -> None:
    assert run((*BASE, "--peers", "250", "--redundant", "--fault-domain", "250")) == 0
    out = capsys.readouterr().out

    assert "failover  CPU 30 % (range 15–60) at 600 frames/s, 500 peers" in out
    assert "250: 2 routers of 250 peers that back each other up; after a failure one has 500" in out


def test_a_survivor_with_more_than_two_fault_domains_is_said(capsys: Said, tmp_path: Path) -> None:
    table = tmp_path / "sites.csv"
    sites = [
        f"site{number},1,2000,1000,1024,{'dc1' if number < 2 else 'dc2'}" for number in range(5)
    ]
    table.write_text("\n".join(("site,tps,out_bytes,in_bytes,ru,host", *sites)), encoding="utf-8")
    run(("size", "dlsw", "--platform", "3640", "--table", str(table), "--fault-domain", "2"))
    dc1, dc2 = capsys.readouterr().out.split("\ndc2: ")

    after = (
        "5 peers after a failure are more than the 4 that a fault domain of 2 leaves the survivor"
    )
    assert "are more than the fault domain of 2" not in dc1
    assert after in dc1
    assert "3 peers on one router are more than the fault domain of 2" in dc2
    assert after in dc2


def test_a_fault_domain_alone_needs_no_platform(capsys: Said) -> None:
    assert run(("size", "dlsw", "--fault-domain", "250")) == 0
    assert "one has 500" in capsys.readouterr().out


def test_json_has_every_figure(capsys: Said) -> None:
    (router,) = as_json((*BASE, "--redundant", "--peers", "250"), capsys)["routers"]
    now, after = router["size"]["states"]

    assert (now["fps"], after["fps"], after["peers"]) == (300, 600, 500)
    assert now["cpu"] == {"value_percent": 15.0, "low_percent": 7.5, "high_percent": 30.0}
    assert router["size"]["basis"] == "estimated"


def test_a_calibration_replaces_the_estimate_and_is_said(capsys: Said) -> None:
    assert run((*BASE, "--calibration", CALIBRATION)) == 0
    out = capsys.readouterr().out

    assert "router: 3640, calibrated" in out
    assert "base 1.33 % and 0.0283 % for each frame/s, calibrated" in out


def test_a_traffic_table_is_sized_by_host(capsys: Said) -> None:
    answer = as_json(
        ("size", "dlsw", "--table", SITES, "--platform", "2611", "--redundant"), capsys
    )
    names = [each["router"] for each in answer["routers"]]
    after = {each["size"]["states"][1]["fps"] for each in answer["routers"]}

    assert names == ["dc1", "dc2"]
    assert after == {138.0}


def test_the_largest_frame_takes_more_frames(capsys: Said) -> None:
    words = ("size", "dlsw", "--platform", "3640", "--tps", "10", "--out-bytes", "4096")
    (router,) = as_json((*words, "--in-bytes", "0", "--ru", "4096", "--lf", "1500"), capsys)[
        "routers"
    ]

    assert router["size"]["load"]["fps"] == 30


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--platform", "9999", *LOAD), "Calibrate it", id="unknown platform"),
        pytest.param(LOAD, "--platform", id="no platform"),
        pytest.param(("--platform", "3640", "--tps", "1"), "--out-bytes is missing", id="half"),
        pytest.param((), "--tps is missing", id="nothing"),
        pytest.param(
            ("--table", SITES, "--tps", "1"), "--table: its file states what --tps", id="both"
        ),
        pytest.param(("--table", SITES, "x.cfg"), "--table: replaces PATH", id="table and path"),
        pytest.param(("--table", "none.csv", "--platform", "3640"), "cannot be read", id="no file"),
        pytest.param((*BASE[2:], "--survivor-limit", "70"), "needs --redundant", id="limit"),
        pytest.param(
            ("--platform", "2811", *LOAD, "--calibration", CALIBRATION),
            "measured on 3640, not on 2811",
            id="a calibration of another platform",
        ),
        pytest.param(("none.cfg",), "not every PATH could be read", id="no such path"),
    ],
)
def test_wrong_use_is_said_without_a_figure(
    words: tuple[str, ...], said: str, capsys: Said
) -> None:
    assert run(("size", "dlsw", *words)) == 2
    captured = capsys.readouterr()

    assert said in captured.err
    assert captured.out == ""


def test_a_mistake_in_a_table_is_said_with_its_line(tmp_path: Path, capsys: Said) -> None:
    file = tmp_path / "t.csv"
    file.write_text("site,tps,out_bytes,in_bytes,ru\nLyon,many,1,1,1\n", "utf-8")

    assert run(("size", "dlsw", "--table", str(file), "--platform", "3640")) == 2
    assert f"{file}:2: tps: 'many'" in capsys.readouterr().err


def test_a_device_is_sized_by_what_it_shows(tmp_path: Path, capsys: Said) -> None:
    path = session(tmp_path)

    assert run(("size", "dlsw", path, "--platform", "3640", "--redundant")) == 0
    out = capsys.readouterr().out

    assert "dc1: 3640, calibrated" in out
    assert "6 % of it in interrupts" in out
    assert (
        "2 % at process level is the most that DLSw+ can use; steady by the limits of CPU003" in out
    )
    assert "slope only" in out
    assert "80 frames/s; 1 peer; measured" in out
    assert "rates of Ethernet0/0 over 30 s" in out


def test_a_load_on_the_move_is_refused_and_the_estimate_stays(tmp_path: Path, capsys: Said) -> None:
    path = session(tmp_path, cpu="40%/6%; one minute: 20%; five minutes: 5%")

    assert run(("size", "dlsw", path, "--platform", "3640")) == 0
    out = capsys.readouterr().out

    assert "dc1: 3640, estimated" in out
    assert "not a steady load (CPU003): no slope is derived from it" in out


def test_a_device_without_a_rate_is_incomplete(tmp_path: Path, capsys: Said) -> None:
    file = tmp_path / "cpu.txt"
    file.write_text(f"dc1#show proc cpu | inc CPU\nCPU utilization for five seconds: {STEADY}\n")

    assert run(("size", "dlsw", str(file), "--platform", "3640")) == 3
    out = capsys.readouterr().out

    assert "2 % at process level is the most that DLSw+ can use" in out
    assert "no size   no rate of frames" in out


def test_two_head_ends_take_over_each_other(tmp_path: Path, capsys: Said) -> None:
    paths = (session(tmp_path, rate=40), session(tmp_path, host="dc2", rate=60))
    answer = as_json(("size", "dlsw", *paths, "--platform", "3640", "--redundant"), capsys)

    assert [each["size"]["states"][1]["fps"] for each in answer["routers"]] == [200, 200]


def test_of_a_folder_only_devices_with_dlsw_are_sized(tmp_path: Path, capsys: Said) -> None:
    session(tmp_path)
    (tmp_path / "other.cfg").write_text("hostname other\ninterface Serial0/0\nend\n")
    answer = as_json(("size", "dlsw", str(tmp_path), "--platform", "3640"), capsys)

    assert [each["router"] for each in answer["routers"]] == ["dc1"]


def test_a_hostile_name_of_a_site_cannot_move_the_cursor(tmp_path: Path, capsys: Said) -> None:
    file = tmp_path / "t.csv"
    file.write_text("site,tps,out_bytes,in_bytes,ru,host\nL,1,1,1,1,a\x1b[2Jb\n", "utf-8")

    assert run(("size", "dlsw", "--table", str(file), "--platform", "3640")) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_a_config_of_another_system_is_named_and_declined(capsys: Said) -> None:
    path = str(ROOT / "fixtures/configs/composed/nxos-leaf.ios")

    assert run(("size", "dlsw", path, "--platform", "3640")) == 3
    assert "NX-OS, not judged" in capsys.readouterr().err


def test_what_is_no_number_is_refused(capsys: Said) -> None:
    assert run(("size", "dlsw", "--platform", "3640", "--tps", "nan", *LOAD[2:])) == 2
    assert "'--tps': is not a number" in capsys.readouterr().err


def test_the_peak_of_the_settings_sizes_a_device(capsys: Said) -> None:
    hubs = str(ROOT / "fixtures/dlsw/overloaded/hubs")
    answer = as_json(("size", "dlsw", hubs, "--redundant"), capsys)

    assert [each["size"]["load"]["fps"] for each in answer["routers"]] == [900, 450]
    assert "advisor.toml:" in answer["routers"][0]["size"]["load"]["source"]


def test_flags_stand_in_place_of_the_peak_of_the_settings(capsys: Said) -> None:
    hub = str(ROOT / "fixtures/dlsw/overloaded/hubs/hub2.cfg")
    sizes = ("--tps", "1", "--out-bytes", "2000", "--in-bytes", "1000", "--ru", "1024")
    (router,) = as_json(("size", "dlsw", hub, *sizes), capsys)["routers"]

    assert (router["size"]["load"]["fps"], router["size"]["load"]["source"]) == (3, "flags")


def test_a_full_line_is_printed_with_the_transactions_that_fill_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    config = str(ROOT / "fixtures/configs/seed-004-dlsw.ios")

    assert run(("size", "dlsw", config, "--platform", "2600", *LOAD)) in (0, 3)
    assert "full at 47 transactions/s of the router: does not hold" in capsys.readouterr().out
