"""Folders as Oxidized, RANCID, Ansible, pyATS, Batfish, SuzieQ and NCM keep what they collect."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from advisor.cli import run

CONFIG: Final = """\
version 12.4
hostname br-porto
!
class-map match-all VOICE
 match ip dscp ef
!
policy-map WAN
 class VOICE
  priority 128
!
interface Serial0/0/0
 bandwidth 512
 encapsulation ppp
 tx-ring-limit 20
 service-policy output WAN
!
end
"""
POLICY: Final = """\
 Serial0/0/0

  Service-policy output: WAN

    Class-map: VOICE (match-all)
      1200 packets, 76800 bytes
      5 minute offered rate 24000 bps, drop rate 0 bps
      Match: ip dscp ef (46)
      Queueing
        Strict Priority
        Output Queue: Conversation 136
        Bandwidth 128 (kbps) Burst 3200 (Bytes)
        (pkts matched/bytes matched) 400/25600
        (total drops/bytes drops) 12/768

    Class-map: class-default (match-any)
      8000 packets, 9600000 bytes
      5 minute offered rate 300000 bps, drop rate 0 bps
      Match: any
"""
VERSION: Final = """\
Cisco IOS Software, 2800 Software (C2800NM-ADVENTERPRISEK9-M), Version 12.4(15)T9, RELEASE SOFTWARE (fc5)

ROM: System Bootstrap, Version 12.4(13r)T, RELEASE SOFTWARE (fc1)

br-porto uptime is 3 weeks, 2 days, 4 hours, 10 minutes
System image file is "flash:c2800nm-adventerprisek9-mz.124-15.T9.bin"

Cisco 2811 (revision 53.50) with 249856K/12288K bytes of memory.
Processor board ID FTX1111A1AA
2 FastEthernet interfaces
Configuration register is 0x2102
"""
PRINTED: Final = (
    f"Building configuration...\n\nCurrent configuration : {len(CONFIG)} bytes\n!\n{CONFIG}"
)
LISBON: Final = PRINTED.replace("br-porto", "br-lisbon")
Tree = dict[str, str]

OXIDIZED: Final = f"""\
! Image: Software: C2800NM-ADVENTERPRISEK9-M, 12.4(15)T9, RELEASE SOFTWARE (fc5)
! Image: flash:c2800nm-adventerprisek9-mz.124-15.T9.bin
! Chassis type: Cisco 2811 (revision 53.50)
! Memory: main 249856K/12288K
! Processor ID: FTX1111A1AA
!
! NAME: "2811 chassis", DESCR: "2811 chassis"
! PID: CISCO2811         , VID: V03 , SN: FTX1111A1AA
!
! VTP Operating Mode              : Transparent
!
{CONFIG}"""
RANCID: Final = f"""\
!RANCID-CONTENT-TYPE: cisco
!
!Chassis type: 2811
!CPU: PowerPC, MPC8xx at 250 MHz, impl 8, rev A
!
!Memory: main 249856K/12288K
!
!Image: Software: C2800NM-ADVENTERPRISEK9-M, 12.4(15)T9, RELEASE SOFTWARE (fc5)
!
!Flash: nvram: Directory of nvram:/
!Flash:   236  -rw-  2345  <no date>  startup-config
!
!Interface: Serial0/0/0, GT96K Serial
!
config-register 0x2102
!
!enable secret 5 <removed>
{CONFIG}"""


def _facts(config: str = PRINTED, host: str = "br-porto", prefix: str = "ansible_net_") -> Any:
    facts = {
        "all_ipv4_addresses": ["192.0.2.1"],
        "config": config,
        "hostname": host,
        "iostype": "IOS",
        "model": "2811",
        "version": "12.4(15)T9",
    }
    return {f"{prefix}{key}": value for key, value in facts.items()}


def _play(config: str, host: str) -> str:
    answer = {"ansible_facts": _facts(config, host), "changed": False}
    return f"{host} | SUCCESS => {json.dumps(answer, indent=4)}\n"


def _gathered(command: str, text: str, status: int = 0) -> Any:
    return {"timestamp": 1772446272000, "cmd": command, "status": status, "data": text}


def _poller(*answers: tuple[str, str, str]) -> str:
    """Lists one after the other, as the poller appends them."""
    lists = (
        [_gathered(command, text) | {"hostname": host, "namespace": "wan"}]
        for command, text, host in answers
    )
    return "".join(json.dumps(answer, indent=4) for answer in lists)


def _console(*outputs: tuple[str, str], stamp: str = "", via: str = " with via 'cli'") -> str:
    return "".join(
        f"{stamp}+++ br-porto{via}: executing command '{command}' +++\n{command}\n{text}br-porto#\n"
        for command, text in outputs
    )


UNICON: Final = "2026-03-02 10:11:12,123: %UNICON-INFO: "
CONNECTION: Final = (
    f"{UNICON}+++ br-porto logfile /tmp/br-porto-cli.log +++\n\n"
    f"{UNICON}connection to br-porto\nPassword: \n\nbr-porto#\n\n"
)
RUN, SHOWN = ("show running-config", PRINTED), ("show policy-map interface", POLICY)
GENIE: Final = {
    "connection_br-porto.txt": CONNECTION + _console(("term length 0", ""), stamp=UNICON),
    "platform_iosxe_br-porto_console.txt": _console(("show version", VERSION)),
    "platform_iosxe_br-porto_ops.txt": json.dumps({"chassis": "2811", "slot": {}}, indent=2),
    "br-porto_show-policy-map-interface_console.txt": _console(SHOWN),
    "br-porto_show-running-config_console.txt": _console(RUN),
    "br-porto_show-version_parsed.txt": json.dumps({"version": {"os": "IOS"}}, indent=2),
}
BATFISH: Final = {
    "configs/br-porto.cfg": OXIDIZED,
    "hosts/host1.json": json.dumps({"hostname": "host1", "hostInterfaces": {}}),
    "iptables/host1.iptables": "*filter\n:INPUT ACCEPT [0:0]\nCOMMIT\n",
    "batfish/layer1_topology.json": json.dumps({"edges": []}),
    "batfish/runtime_data.json": json.dumps({"runtimeData": {}}),
    "aws_configs/us-east-1/Vpcs.json": json.dumps({"Vpcs": []}),
}
NCM: Final = (
    "Config Type: Running\r\nNode Name: br-porto\r\nIP Address: 192.0.2.1\r\n"
    "Downloaded: 3/2/2026 10:11:12 AM\r\n\r\n" + PRINTED.replace("\n", "\r\n")
)
ONE: Final = ["br-porto"]
BOTH: Final = ["br-lisbon", "br-porto"]
NOTHING: Final[list[str]] = []
COUNTERS: Final = ["show policy-map interface"]


@pytest.mark.parametrize(
    ("tree", "devices", "captured"),
    [
        pytest.param(
            {"wan/br-porto": OXIDIZED, "core/nx1": "!Command: show running-config\nfeature bgp\n"},
            ONE, NOTHING, id="Oxidized: a clone with groups and another system",
        ),
        pytest.param(
            {
                "wan/configs/br-porto": RANCID,
                "wan/router.db": "br-porto;cisco;up\n",
                "wan/routers.up": "br-porto:cisco\n",
            },
            ONE, NOTHING, id="RANCID: a group with its lists of routers",
        ),
        pytest.param(
            {"br-porto.json": json.dumps({"ansible_facts": _facts()})},
            ONE, NOTHING, id="Ansible: facts in one line",
        ),
        pytest.param(
            {"br-porto": json.dumps(_facts(), indent=4)},
            ONE, NOTHING, id="Ansible: the cache of facts, a file without an ending",
        ),
        pytest.param(
            {"facts.json": json.dumps({"hosts": [_facts(prefix="net_")]})},
            ONE, NOTHING, id="Ansible: facts with short names, deep inside",
        ),
        pytest.param(
            {"out.txt": _play(PRINTED, "br-porto") + _play(LISBON, "br-lisbon")
             + 'br-rome | UNREACHABLE! => {\n    "unreachable": true\n}\n'},
            BOTH, NOTHING, id="Ansible: what an ad-hoc command prints of several hosts",
        ),
        pytest.param(GENIE, ONE, [*COUNTERS, "show version"], id="Genie: learn and parse"),
        pytest.param(
            {"br-porto-cli.log": CONNECTION + _console(RUN, SHOWN, stamp=UNICON, via="")},
            ONE, COUNTERS, id="pyATS: the log of a connection",
        ),
        pytest.param(BATFISH, ONE, NOTHING, id="Batfish: a snapshot with hosts and clouds"),
        pytest.param(
            {
                "devconfig.output": _poller((*RUN, "br-porto"), (RUN[0], LISBON, "br-lisbon")),
                "device.output": _poller(("show version", VERSION, "br-porto")),
                "qos.output": _poller((*SHOWN, "br-lisbon")),
            },
            BOTH, [*COUNTERS, "show version"], id="SuzieQ: what its poller gathered",
        ),
        pytest.param(
            {"br-porto/show_running-config.txt": CONFIG, "br-porto/show_policy-map_interface.txt": POLICY},
            ONE, COUNTERS, id="SuzieQ and others: a text file of each command",
        ),
        pytest.param(
            {"br-porto/2026-03-02 10.11.12 AM-Running.Config": NCM},
            ONE, NOTHING, id="NCM: an export with a head and CRLF",
        ),
    ],
)  # fmt: skip
def test_what_another_tool_keeps_is_read(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    tree: Tree,
    devices: list[str],
    captured: list[str],
) -> None:
    _laid_out(tmp_path, tree)
    assert run(["lint", str(tmp_path), "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["complete"] is True, report["incomplete"]
    others = {each["device"] for each in report["findings"] if each["rule"] == "PRS004"}
    assert sorted({each["device"] for each in report["devices"]} - others) == devices
    shown = {command for each in report["devices"] for command in each["captured"]}
    assert sorted(shown) == captured
    rules = {(each["device"], each["rule"]) for each in report["findings"]}
    assert {(device, "TXR001") for device in devices} <= rules


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(OXIDIZED, id="Oxidized"),
        pytest.param(RANCID, id="RANCID"),
        pytest.param(json.dumps(_facts()), id="facts of Ansible"),
    ],
)
def test_model_and_release_that_a_tool_states_are_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "br-porto").write_text(text, "utf-8")
    run(["lint", str(tmp_path / "br-porto"), "--format", "json"])
    (coverage,) = json.loads(capsys.readouterr().out)["coverage"]
    assert "software router (2811)" in coverage["platform"][0]


def _laid_out(folder: Path, tree: Tree) -> None:
    for name, text in tree.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())


def test_lines_of_facts_are_those_of_the_text_and_the_name_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "br.json").write_text(json.dumps(_facts()), "utf-8")
    run(["lint", str(tmp_path / "br.json"), "--format", "json", "--select", "TXR001"])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    place = finding["locations"][0]
    assert place["file"].endswith("br.json#ansible_net_config")
    head = "br-porto#show running-config\n!Chassis type: 2811\n!Image: Software: IOS\n"
    assert (head + PRINTED).split("\n")[place["line"] - 1].strip() == "tx-ring-limit 20"


def test_lines_of_a_console_are_those_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = CONNECTION + _console(RUN, stamp=UNICON)
    (tmp_path / "br.log").write_text(log, "utf-8")
    run(["lint", str(tmp_path / "br.log"), "--format", "json", "--select", "TXR001"])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert log.split("\n")[finding["locations"][0]["line"] - 1] == " tx-ring-limit 20"


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        pytest.param(
            {"br.json": json.dumps(_facts())[:-200]}, "inside of JSON", id="facts that are cut"
        ),
        pytest.param(
            {"br.json": '{"ansible_net_config": "x", "n": ' + "9" * 5000 + "}"},
            "nothing to judge", id="a number of very many digits",
        ),
        pytest.param(
            {"br.json": '{"ansible_net_config": ' + "[" * 100_000},
            "nothing to judge", id="nested without end",
        ),
        pytest.param(
            {"qos.output": json.dumps([_gathered("reload", CONFIG, status=0)])},
            "inside of JSON", id="an answer to no show command",
        ),
        pytest.param(
            {"device.output": json.dumps([{"model": "2811", "os": "ios"}])},
            "nothing to judge", id="SuzieQ: tables that its poller made of the outputs",
        ),
        pytest.param(
            {"ox.git/HEAD": "ref: refs/heads/master\n", "ox.git/objects/x": "", "ox.git/refs/x": ""},
            "a bare repository of git: clone it", id="Oxidized: its own repository",
        ),
    ],
)  # fmt: skip
def test_what_is_not_read_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], tree: Tree, said: str
) -> None:
    _laid_out(tmp_path, tree)
    assert run(["lint", str(tmp_path)]) in (2, 3)
    told = capsys.readouterr()
    assert said in told.out + told.err
    assert "Traceback" not in told.err


def test_a_report_is_not_written_over_facts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = tmp_path / "br.json"
    facts.write_text(json.dumps(_facts()), "utf-8")
    assert run(["lint", str(tmp_path), "--format", "json", "--output", str(facts)]) == 2
    assert json.loads(facts.read_text("utf-8")) == _facts()
    assert "br.json" in capsys.readouterr().err
