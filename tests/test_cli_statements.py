"""A statement about a device of the run must name what the device has, in every command."""

import json
from pathlib import Path

import pytest

from advisor.cli import run

Said = pytest.CaptureFixture[str]

CONFIG = """\
hostname {name}
class-map VOICE
 match ip dscp ef
policy-map P
 class VOICE
  priority 128
 class class-default
  fair-queue
interface Serial0/0
 bandwidth 512
 ip address 10.0.0.1 255.255.255.252
 service-policy output P
interface Serial0/1
 ip address 10.0.1.1 255.255.255.252
"""
WRONG_CLASS = "class 'VOIP': r1 has none on Serial0/0; did you mean VOICE?"
WRONG_INTERFACE = "interface 'Serial0/9': r1 has none; did you mean Serial0/0?"
COMMANDS = ("lint r1.cfg", "fix r1.cfg", "predict r1.cfg", "explain ring-bound r1.cfg")


def traffic(device: str = "r1", interface: str = "Serial0/0", name: str = "VOICE") -> str:
    return (
        f'[[traffic]]\ndevice = "{device}"\ninterface = "{interface}"\nclass = "{name}"\n'
        "packet_bytes = 60\nrate_kbps = 64\n"
    )


@pytest.fixture(autouse=True)
def routers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("r1", "r2"):
        Path(f"{name}.cfg").write_text(CONFIG.format(name=name), encoding="utf-8")


def said(command: str, stated: str, capsys: Said) -> tuple[int, str, str]:
    Path("t.toml").write_text(stated, encoding="utf-8")
    code = run([*command.split(), "--traffic", "t.toml"])
    streams = capsys.readouterr()
    return code, streams.out, streams.err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("stated", "advice"),
    [
        pytest.param(traffic(name="VOIP"), WRONG_CLASS, id="a class"),
        pytest.param(traffic(interface="Serial0/9"), WRONG_INTERFACE, id="an interface"),
        pytest.param(traffic("*", name="VOIP"), WRONG_CLASS, id="a class of any device"),
        pytest.param(
            traffic(interface="Serial0/1"),
            "interface 'Serial0/1': r1 has no known queueing there, but on Serial0/0",
            id="an interface without a policy",
        ),
    ],
)
def test_name_that_the_device_has_not_is_wrong_use(
    command: str, stated: str, advice: str, capsys: Said
) -> None:
    code, _, errors = said(command, stated, capsys)
    assert code == 2
    assert f"t.toml:1: {advice}" in errors


@pytest.mark.parametrize(
    ("tos", "code"), [pytest.param(184, 0, id="in the class"), pytest.param(0, 2, id="in another")]
)
def test_traffic_of_ip_sla_needs_an_operation_in_its_class(
    tos: int, code: int, capsys: Said
) -> None:
    probe = f"ip sla 1\n udp-jitter 10.0.0.2 16384 codec g729a\n tos {tos}\n"
    Path("r1.cfg").write_text(CONFIG.format(name="r1") + probe, encoding="utf-8")
    stated = '[[traffic]]\nclass = "VOICE"\nip_sla = true\n'
    lacks = "no IP SLA operation of r1 of known route and packets is in class 'VOICE' on Serial0/0"
    found, _, errors = said("predict r1.cfg", stated, capsys)
    assert (found, lacks in errors) == (code, code == 2)


@pytest.mark.parametrize("command", ["fix r1.cfg", "predict r1.cfg"])
def test_statement_about_another_device_is_a_note(command: str, capsys: Said) -> None:
    code, _, errors = said(command, traffic("r9", name="VOIP"), capsys)
    assert code == 0
    assert "t.toml:1" in errors


def test_lint_judges_all_the_same(capsys: Said) -> None:
    code, report, _ = said("lint r1.cfg", traffic(name="VOIP"), capsys)
    assert code == 2
    assert "TXR001" in report


def test_one_device_that_answers_is_enough(capsys: Said) -> None:
    other = CONFIG.format(name="r2").replace("VOICE", "SPEECH")
    Path("r2.cfg").write_text(other, encoding="utf-8")
    code, report, _ = said("lint r1.cfg r2.cfg", traffic("*", name="SPEECH"), capsys)
    assert code == 1
    assert "0 not judged" in report


def test_nothing_is_wrong_where_a_part_of_the_configuration_is_lost(capsys: Said) -> None:
    cut = "version 12.4\n" + CONFIG.format(name="r1")
    Path("r1.cfg").write_text(cut, encoding="utf-8")
    code, _, errors = said("lint r1.cfg", traffic(name="VOIP"), capsys)
    assert code == 1
    assert "t.toml" not in errors


def test_settings_of_a_folder_are_checked_by_size(capsys: Said) -> None:
    Path("advisor.toml").write_text(traffic(name="VOIP"), encoding="utf-8")
    dlsw = "dlsw local-peer peer-id 10.0.0.1\ndlsw remote-peer 0 tcp 10.0.0.2\n"
    Path("r1.cfg").write_text(CONFIG.format(name="r1") + dlsw, encoding="utf-8")
    assert run(["size", "dlsw", "r1.cfg"]) == 2
    assert WRONG_CLASS in capsys.readouterr().err


def test_hops_of_a_path_are_checked_together(capsys: Said) -> None:
    hops = "".join(f'[[hop]]\nname = "{name}"\nconfig = "{name}.cfg"\n' for name in ("r1", "r2"))
    Path("hops.toml").write_text(hops, encoding="utf-8")
    code, _, errors = said("predict --hops hops.toml", traffic("r1", name="VOIP"), capsys)
    assert (code, WRONG_CLASS in errors) == (2, True)
    code, _, errors = said("predict --hops hops.toml", traffic("r2"), capsys)
    assert (code, errors) == (0, "")


@pytest.mark.parametrize("form", ["full", "concise", "json"])
def test_what_is_not_judged_is_named_with_its_reason(form: str, capsys: Said) -> None:
    _, report, notes = said(f"lint r1.cfg --format {form}", traffic("r9"), capsys)
    report = notes if form == "concise" else report
    reason = "this [[traffic]] is of no device whose whole configuration is in the run"
    assert reason in report
    if form == "json":
        (skipped,) = json.loads(report)["skipped"]
        assert skipped["object"] == "t.toml:1: interface Serial0/0, class VOICE"
    else:
        assert "1 not judged" in report


def test_verbose_names_every_object_that_is_not_judged(capsys: Said) -> None:
    stated = "".join(traffic(f"r{number}") for number in range(3, 10))
    _, _, notes = said("lint r1.cfg --format concise", stated, capsys)
    assert "and 3 more" in notes
    _, _, notes = said("lint r1.cfg -v --format concise", stated, capsys)
    assert "r9: t.toml:37: interface Serial0/0, class VOICE" in notes


@pytest.mark.parametrize(
    ("flags", "advice"),
    [
        ("--set tx-ring-limt=3", "--set tx-ring-limt: unknown key; did you mean tx-ring-limit?"),
        ("--set xyz=3", "--set xyz: unknown key; it takes bandwidth, "),
        ("--sweep mtuu=500..600", "--sweep mtuu: unknown key; did you mean mtu?"),
        ("--interface Serial0/9", "no output with known queueing on Serial0/9; it is on Serial0/0"),
    ],
)
def test_misspelt_key_or_target_of_a_prediction(flags: str, advice: str, capsys: Said) -> None:
    assert run(["predict", "r1.cfg", *flags.split()]) == 2
    assert advice in capsys.readouterr().err


def test_misspelt_group_of_flows_is_told_the_nearest(capsys: Said) -> None:
    stated = (
        '[[traffic]]\nclass = "class-default"\npacket_bytes = 1500\ntcp_flows = 4\n'
        'dscp = "af11"\nrtt_ms = 50\n'
    )
    code, _, errors = said("predict r1.cfg --set flows.af1=3", stated, capsys)
    assert code == 2
    assert "did you mean af11?" in errors
