"""`advisor collect` and `advisor audit` as a user types them, against simulated routers."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from advisor.cli import run
from advisor.collect.demo.script import DemoFault, Script, live_script, renamed
from advisor.collect.demo.ssh_server import Router, routers
from tests.collect.conftest import R1

pytestmark = pytest.mark.slow


SECRET = "S3ntinelX9"  # noqa: S105 -- planted to be searched for
SECRETS = f"""\
enable secret 0 {SECRET}
username bob password 0 {SECRET}
snmp-server community {SECRET} RO
tacacs-server key {SECRET}
banner motd ^C
{SECRET}
^C
"""
Said = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ADVISOR_PASSWORD", "demo")
    monkeypatch.setenv("ADVISOR_USERNAME", "advisor")
    monkeypatch.delenv("ADVISOR_ENABLE", raising=False)
    return tmp_path


def with_secrets(script: Script) -> Script:
    config = script.answer("show running-config")
    header, version, rest = config.partition("version 12.4\n")
    grown = f"{version}{SECRETS}{rest}"
    text = f"Current configuration : {len(grown)} bytes\n!\n{grown}" if header else grown
    return replace(script, answers={**script.answers, "show running-config": text})


@pytest.fixture
def fleet(folder: Path) -> Iterator[list[Router]]:
    good = with_secrets(live_script())
    refusing = replace(good, faults=frozenset({DemoFault.REFUSED}))
    low = replace(good, faults=frozenset({DemoFault.CUT}))
    with routers(good, refusing, low) as devices:
        known = "".join(each.known_hosts for each in devices)
        (folder / "known_hosts").write_text(known, "utf-8")
        hosts = "".join(f"{each.address}\n" for each in devices)
        (folder / "hosts.txt").write_text(hosts, "utf-8")
        yield devices


def advisor(*arguments: str) -> int:
    return run([*arguments, "--known-hosts", "known_hosts", "--retries", "0"])


def audited(devices: list[Router], capsys: Said, *options: str) -> dict[str, Any]:
    hosts = [each.address for each in devices]
    code = advisor("audit", *hosts, "--format", "json", *options)
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    report["exit"] = code
    return report


def test_audit_of_a_device_finds_and_compares(fleet: list[Router], capsys: Said) -> None:
    report = audited(fleet[:1], capsys)
    assert report["complete"] is True
    assert report["exit"] == 1
    assert "TXR001" in {each["rule"] for each in report["findings"]}
    compared = {(each["class_name"], each["metric"].split(",")[0]) for each in report["compared"]}
    assert {
        ("VOICE", "drops"),
        ("ORDERS", "average queue (AQS)"),
        ("class-default", "round trip of probe 10"),
        ("class-default", "jitter of probe 10 to the destination"),
        (None, "CPU of one minute"),
    } <= compared


def test_what_is_off_is_explained(fleet: list[Router], capsys: Said) -> None:
    rows = audited(fleet[:1], capsys)["compared"]
    off = [each for each in rows if each["agreement"] in {"above", "below"}]
    assert off
    assert all(each["explains"] for each in off)


def test_json_grades_each_prediction(fleet: list[Router], capsys: Said) -> None:
    rows = audited(fleet[:1], capsys)["compared"]
    grades = {each["metric"].split(",")[0]: each["verdict"]["grade"] for each in rows}

    assert grades["CPU of one minute"] == "within"
    assert set(grades.values()) <= {
        "within",
        "off",
        "interval too wide to judge",
        "not comparable",
        "fault of the prediction",
    }


def test_audit_of_a_part_of_the_fleet_is_whole_in_itself(fleet: list[Router], capsys: Said) -> None:
    report = audited(fleet, capsys)
    assert report["complete"] is False
    assert report["exit"] == 1  # findings count before what is missing
    states = {each["address"]: each["state"] for each in report["fleet"]}
    assert states == {
        fleet[0].address: "collected",
        fleet[1].address: "not reached",
        fleet[2].address: "incomplete",
    }
    lost = next(each for each in report["fleet"] if each["state"] == "not reached")
    assert lost["reason"] == "connection refused"
    assert "transport input ssh" in lost["next_step"]
    assert any(fleet[1].address in each for each in report["incomplete"])


def test_findings_that_do_not_count_leave_it_incomplete(fleet: list[Router], capsys: Said) -> None:
    assert audited(fleet, capsys, "--fail-on", "never")["exit"] == 3


def test_text_names_devices_that_were_not_reached_and_what_to_do(
    fleet: list[Router], capsys: Said
) -> None:
    advisor("audit", "--inventory", "hosts.txt")
    said = capsys.readouterr().out
    assert f"{fleet[1].address}" in said
    assert "next    check port" in said
    assert "1 of 3 devices whole" in said
    assert "Predicted and measured" in said


def test_rates_are_those_between_two_samples(fleet: list[Router], capsys: Said) -> None:
    rates = audited(fleet[:1], capsys, "--interval", "1")["rates"]
    voice = next(each for each in rates if each["class_name"] == "VOICE")
    assert voice["over_s"] >= 1
    assert voice["packets_per_s"] is not None


def test_refused_login_of_one_device_is_one_try_and_exit_3(folder: Path, capsys: Said) -> None:
    with routers(replace(live_script(), faults=frozenset({DemoFault.LOGIN_REFUSED}))) as (device,):
        (folder / "known_hosts").write_text(device.known_hosts, "utf-8")
        assert advisor("collect", device.address, "--out", "bundles") == 3
    assert device.record.logins == [("password", "advisor", False)]
    assert "login refused" in capsys.readouterr().out


def test_no_secret_is_in_any_file_or_output(
    fleet: list[Router], folder: Path, capsys: Said
) -> None:
    advisor("collect", fleet[0].address, "--out", "bundles")
    for form in ("full", "json", "html"):
        advisor("audit", fleet[0].address, "--format", form)
        advisor("audit", fleet[0].address, "--format", form, "--output", f"report.{form}")
    said = capsys.readouterr()
    assert SECRET not in said.out + said.err
    files = [each for each in folder.rglob("*") if each.is_file()]
    assert len(files) > 10
    assert not [each for each in files if SECRET.encode() in each.read_bytes()]


def test_the_page_of_an_audit_shows_measured_beside_predicted_and_the_fleet(
    fleet: list[Router], capsys: Said
) -> None:
    advisor("audit", fleet[0].address, "--format", "html")
    page = capsys.readouterr().out
    for shown in ("QoS audit", "Predicted and measured", "Devices asked", "1 of 1 device whole."):
        assert shown in page


def test_bundle_of_collect_is_what_lint_reads(fleet: list[Router], capsys: Said) -> None:
    assert advisor("collect", fleet[0].address, "--out", "bundles") == 0
    capsys.readouterr()
    assert run(["lint", "bundles", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["complete"] is True
    assert {each["device"] for each in report["findings"]} == {"demo-branch"}


def test_cut_bundle_lets_the_rules_speak(fleet: list[Router], capsys: Said) -> None:
    advisor("collect", fleet[2].address, "--out", "bundles")
    capsys.readouterr()
    run(["lint", "bundles", "--format", "json"])
    assert "COL001" in {each["rule"] for each in json.loads(capsys.readouterr().out)["findings"]}


def test_a_low_privilege_is_a_finding_of_its_own_and_exits_3(folder: Path, capsys: Said) -> None:
    script = replace(live_script(), faults=frozenset({DemoFault.LOW_PRIVILEGE}))
    with routers(script) as (device,):
        (folder / "known_hosts").write_text(device.known_hosts, "utf-8")
        options = ["--format", "json", "--out", "bundles", "--fail-on", "error"]
        assert advisor("audit", device.address, *options) == 3
    report = json.loads(capsys.readouterr().out)
    of_config = [
        each["rule"]
        for each in report["findings"]
        if each["object"] == "command show running-config"
    ]
    assert of_config == ["COL002"]
    assert report["complete"] is False
    run(["lint", "bundles", "--format", "json"])
    again = json.loads(capsys.readouterr().out)
    assert [each["rule"] for each in again["findings"]].count("COL002") == 1


def test_resume_audits_a_kept_bundle_without_a_connection(
    fleet: list[Router], capsys: Said
) -> None:
    advisor("collect", fleet[0].address, "--out", "bundles")
    capsys.readouterr()
    connections = fleet[0].record.connections
    report = audited(fleet[:1], capsys, "--out", "bundles", "--resume")
    assert report["fleet"][0]["state"] == "kept"
    assert fleet[0].record.connections == connections


def _inventory(devices: list[Router]) -> None:
    """A host of each router, r1, r2, …, under whatever port it listens now."""
    Path("known_hosts").write_text("".join(each.known_hosts for each in devices), "utf-8")
    hosts = "".join(
        f"r{number}: {{hostname: '{each.address}'}}\n" for number, each in enumerate(devices, 1)
    )
    Path("hosts.yaml").write_text(hosts, "utf-8")


@pytest.mark.parametrize("out", ["old", "new"])
def test_an_audit_says_what_changed_since_the_last_one(
    folder: Path, capsys: Said, out: str
) -> None:
    del folder
    config = R1.answer("show running-config")
    deeper = config.replace(" service-policy", " tx-ring-limit 20\n service-policy")
    changed = replace(R1, answers={**R1.answers, "show running-config": deeper})
    with routers(R1, renamed(R1, "r2")) as devices:
        _inventory(devices)
        advisor("collect", "--inventory", "hosts.yaml", "--out", "old")
    with routers(changed, renamed(R1, "r2"), renamed(R1, "r3")) as devices:
        _inventory(devices)
        words = ("--inventory", "hosts.yaml", "--out", out, "--since", "old")
        capsys.readouterr()
        code = advisor("audit", *words)
    said = capsys.readouterr().out
    before, _, since = said.partition("Since old\n")
    assert code == 1
    assert "TXR001" in before
    assert "no earlier bundle: r3" in since
    assert "worse\n  r1: adds" in since
    assert "r2: " not in since.partition("Devices")[0]
    assert "3 of 3 devices whole" in since


def test_changes_since_the_last_audit_are_in_json_and_on_the_page(
    folder: Path, capsys: Said
) -> None:
    with routers(R1) as devices:
        _inventory(devices)
        advisor("collect", "--inventory", "hosts.yaml", "--out", "old")
        capsys.readouterr()
        for form in ("json", "html"):
            words = ("--inventory", "hosts.yaml", "--since", "old", "--format", form)
            advisor("audit", *words, "--output", f"report.{form}")
    report = json.loads((folder / "report.json").read_text("utf-8"))
    assert report["since"]["folder"] == "old"
    changes = report["since"]["changes"]
    assert (changes["worse"], changes["findings"], changes["predictions"]) == (False, [], [])
    assert "Devices asked" in (folder / "report.html").read_text("utf-8")


def test_what_is_not_reached_now_is_no_change_since(folder: Path, capsys: Said) -> None:
    del folder
    with routers(R1, renamed(R1, "r2")) as devices:
        _inventory(devices)
        advisor("collect", "--inventory", "hosts.yaml", "--out", "old")
    refusing = replace(renamed(R1, "r2"), faults=frozenset({DemoFault.REFUSED}))
    with routers(R1, refusing) as devices:
        _inventory(devices)
        capsys.readouterr()
        advisor("audit", "--inventory", "hosts.yaml", "--since", "old", "--format", "json")
    report = json.loads(capsys.readouterr().out)
    assert report["since"]["changes"]["findings"] == []
    assert report["since"]["changes"]["without_figures"] == []
    states = {each["name"]: each["state"] for each in report["fleet"]}
    assert states == {"r1": "collected", "r2": "not reached"}


def test_a_fleet_of_all_kinds_has_a_reason_and_a_next_step_for_each(
    folder: Path, capsys: Said
) -> None:
    kinds = (
        *(None, DemoFault.REFUSED, DemoFault.CUT, DemoFault.HANGS, DemoFault.LOW_PRIVILEGE),
        *(DemoFault.LOGIN_REFUSED, DemoFault.QUESTION),
    )
    scripts = [
        replace(renamed(R1, f"r{number}"), faults=frozenset(filter(None, (kind,))))
        for number, kind in enumerate(kinds, 1)
    ]
    with routers(*scripts) as devices:
        _inventory(devices)
        hosts = (folder / "hosts.yaml").read_text("utf-8")
        (folder / "hosts.yaml").write_text(f"{hosts}r8: {{hostname: no.such.name.invalid}}\n")
        words = ("--out", "out", "--command-timeout", "1.5", "--format", "json")
        assert advisor("collect", "--inventory", "hosts.yaml", *words) == 3
    fleet = json.loads(capsys.readouterr().out)["fleet"]
    told = {each["name"]: (each["state"], each["reason"], each["next_step"]) for each in fleet}
    assert told["r1"] == ("collected", "", "")
    for name, state, reason, step in (
        ("r2", "not reached", "connection refused", "transport input ssh"),
        ("r3", "incomplete", "show running-config: cut", "--resume"),
        ("r4", "incomplete", "show running-config: cut, time limit", "--command-timeout"),
        ("r5", "incomplete", "privilege 7", "--print-authorization"),
        ("r6", "not reached", "login refused", "by hand, once"),
        ("r7", "not reached", "it asks a question", "answer it"),
        ("r8", "not reached", "name not found", "correct the name"),
    ):
        assert told[name][0] == state, name
        assert reason in told[name][1], name
        assert step in told[name][2], name


def test_a_folder_without_an_earlier_run_is_said(folder: Path, capsys: Said) -> None:
    (folder / "old").mkdir()
    assert advisor("audit", "r1", "--since", "old") == 2
    assert "holds no bundle of these devices" in capsys.readouterr().err


def test_dry_run_connects_to_nobody(fleet: list[Router], capsys: Said) -> None:
    assert advisor("audit", fleet[0].address, "--dry-run") == 0
    assert fleet[0].record.connections == 0
    assert "show running-config" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["collect", "r1"], "--out: is missing", id="no folder"),
        pytest.param(["audit"], "no device", id="no device"),
        pytest.param(["audit", "a b"], "write HOST", id="no host"),
        pytest.param(["audit", "r1", "--filter", "x"], "KEY=VALUE", id="a filter without a value"),
        pytest.param(["audit", "--inventory", "none"], "no such file", id="no inventory"),
        pytest.param(["audit", "r1", "--select", "XYZ"], "no rule", id="no rule"),
        pytest.param(["audit", "r1", "--key", "none"], "--key none", id="no key"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_wrong_use(capsys: Said, arguments: list[str], said: str) -> None:
    assert run(arguments) == 2
    assert said in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_password_that_is_nowhere_is_said_with_where_it_may_be(
    capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ADVISOR_PASSWORD")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    assert run(["audit", "r1"]) == 2
    assert "ADVISOR_PASSWORD" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["collect", "audit"])
def test_password_is_no_argument(command: str, capsys: Said) -> None:
    assert run([command, "--help"]) == 0
    assert "--password" not in capsys.readouterr().out


def fails(*_: object) -> Any:
    raise KeyError(SECRET)


@pytest.mark.parametrize(
    "place",
    [
        pytest.param("advisor.predict.comparison.compared", id="measured beside predicted"),
        pytest.param("advisor.device.reading.read_facts", id="reading"),
        pytest.param("advisor.collect.bundles.redact_capture", id="collecting"),
    ],
)
def test_defect_on_a_device_leaves_a_whole_report(
    place: str, fleet: list[Router], monkeypatch: pytest.MonkeyPatch, capsys: Said, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(place, fails)
    report = audited(fleet[:1], capsys)
    assert report["exit"] == 4
    assert report["complete"] is False
    assert any("internal error (KeyError)" in each for each in report["incomplete"])
    (crash,) = tmp_path.glob("advisor-crash-*.txt")
    assert "in fails" in crash.read_text("utf-8")
    assert SECRET not in crash.read_text("utf-8") + json.dumps(report)


def test_defect_on_a_device_is_its_outcome_in_collect(
    fleet: list[Router], monkeypatch: pytest.MonkeyPatch, capsys: Said, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("advisor.collect.bundles.redact_capture", fails)
    hosts = [each.address for each in fleet]
    assert advisor("collect", *hosts, "--out", "out", "--format", "json") == 4
    reasons = {each["reason"] for each in json.loads(capsys.readouterr().out)["fleet"]}
    assert reasons == {"internal error: a defect of advisor", "connection refused"}
