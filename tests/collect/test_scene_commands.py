"""`advisor collect` and `advisor audit` against simulated routers: report, exit code, secrets."""

# ruff: noqa: S603 -- the program is the one under test

import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from msgspec.structs import replace

from advisor.cli import run
from advisor.collect.demo.script import DemoFault, Script, live_script
from advisor.collect.demo.ssh_server import Router
from advisor.collect.plan import ALLOWED

pytestmark = pytest.mark.slow


if TYPE_CHECKING:
    from tests.collect.conftest import Scene

ROOT: Final = Path(__file__).resolve().parents[2]
Advisor = Callable[..., tuple[int, str, str]]


@pytest.fixture
def advisor(
    scene: "Scene", monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Advisor:
    """Run a command on devices; its exit code and what it wrote."""
    monkeypatch.chdir(scene.folder)
    monkeypatch.setenv("ADVISOR_USERNAME", "advisor")

    def run_it(command: str, devices: Sequence[Router], *options: str) -> tuple[int, str, str]:
        hosts = [each.address for each in devices]
        known = ["--known-hosts", str(scene.known_hosts), "--retries", "0"]
        code = run([command, *hosts, *known, *options])
        written = capsys.readouterr()
        return code, written.out, written.err

    return run_it


def faulty(script: Script, *faults: DemoFault) -> Script:
    return replace(script, faults=frozenset(faults))


def test_a_single_device_that_refuses_the_login_is_asked_once(
    scene: "Scene", advisor: Advisor
) -> None:
    with scene.devices(faulty(scene.r1, DemoFault.LOGIN_REFUSED)) as devices:
        code, said, _ = advisor("audit", devices)
    assert code == 3
    assert len(devices[0].record.logins) == 1
    assert "login refused: user advisor, one try" in said
    assert "mind the lock-out" in said


def test_audit_of_the_shipped_bundle_finds_what_is_wrong_in_it(
    scene: "Scene", advisor: Advisor
) -> None:
    with scene.devices(live_script()) as devices:
        code, said, _ = advisor("audit", devices, "--format", "json", "--interval", "1")
    report = json.loads(said)
    assert (code, report["complete"]) == (1, True)
    assert {each["rule"] for each in report["findings"]} >= {"TXR001", "WRD002", "LFI001"}
    assert [each["state"] for each in report["fleet"]] == ["collected"]
    assert report["compared"]
    assert {each["class_name"] for each in report["rates"]} >= {"VOICE", "class-default"}


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        pytest.param(
            DemoFault.BOOT_MARKERS,
            ("COL002", "no hostname, no version, no interface"),
            id="boot markers",
        ),
        pytest.param(
            DemoFault.UNAUTHORIZED,
            ("COL001", "the AAA server refuses the command"),
            id="not authorized",
        ),
    ],
)
def test_a_configuration_that_is_none_is_said_by_audit_and_by_its_bundle(
    scene: "Scene",
    advisor: Advisor,
    capsys: pytest.CaptureFixture[str],
    fault: DemoFault,
    told: tuple[str, str],
) -> None:
    with scene.devices(faulty(scene.r1, fault)) as devices:
        code, said, _ = advisor("audit", devices, "--format", "json", "--out", "kept")
    audited = json.loads(said)
    (bundle,) = (scene.folder / "kept").iterdir()
    linted_code = run(["lint", str(bundle), "--format", "json"])
    linted = json.loads(capsys.readouterr().out)
    assert (code, linted_code) == (3, 3)
    assert "--print-authorization" in audited["fleet"][0]["next_step"]
    for report in (audited, linted):
        found = [(each["rule"], each["message"]) for each in report["findings"]]
        assert any(rule == told[0] and told[1] in message for rule, message in found), found


REPORTED: Final = {
    DemoFault.REFUSED: "connection refused",
    DemoFault.CLOSES: "no SSH",
    DemoFault.RESETS: "connection lost",
    DemoFault.LOGIN_REFUSED: "login refused",
    DemoFault.CUT: "session cut",
    DemoFault.GARBAGE: "not text",
    DemoFault.LOW_PRIVILEGE: "privilege 7",
}


def test_audit_of_a_part_of_a_fleet_is_whole_and_says_what_is_missing(
    scene: "Scene", advisor: Advisor
) -> None:
    scripts = [scene.r1, *(faulty(scene.r1, fault) for fault in REPORTED)]
    with scene.devices(*scripts) as devices:
        code, said, _ = advisor("audit", devices, "--format", "json", "--fail-on", "never")
        _, text, _ = advisor("collect", devices[:3], "--out", "again")
    report = json.loads(said)
    assert (code, report["complete"]) == (3, False)
    fleet = {each["address"]: each for each in report["fleet"]}
    for (fault, reason), router in zip(REPORTED.items(), devices[1:], strict=True):
        assert reason in fleet[router.address]["reason"], fault
        assert fleet[router.address]["next_step"]
    assert fleet[devices[0].address]["state"] == "collected"
    assert "1 of 3 devices whole" in text
    assert "reason  connection refused" in text


def test_a_dry_run_connects_to_nobody(scene: "Scene", advisor: Advisor) -> None:
    with scene.devices(scene.r1) as devices:
        code, said, _ = advisor("collect", devices, "--dry-run")
        assert devices[0].record.connections == 0
    assert code == 0
    assert "show running-config" in said


def test_the_authorization_is_for_what_is_sent_and_nothing_else(
    scene: "Scene", advisor: Advisor
) -> None:
    code, said, _ = advisor("collect", [], "--print-authorization")
    printed = set(re.findall(r"\bshow (?!privilege$)[a-z][a-z -]*[a-z]", said))
    listed = {each.command for each in ALLOWED}
    assert code == 0
    assert scene.plan.commands
    assert {each for each in scene.plan.commands if each not in said} == set()
    assert "configure" not in printed
    assert all(any(known.startswith(each) for known in listed) for each in printed), printed


def test_the_inventory_of_the_demo_is_read_and_filtered(scene: "Scene", advisor: Advisor) -> None:
    with scene.devices(scene.r1, scene.r1) as (first, second):
        hosts = (
            f"wan:\n  hostname: 127.0.0.1\n  port: {first.port}\n  data:\n    role: wan\n"
            f"lan:\n  hostname: 127.0.0.1\n  port: {second.port}\n  data:\n    role: lan\n"
        )
        (scene.folder / "hosts.yaml").write_text(hosts)
        options = ["--inventory", str(scene.folder), "--filter", "role=wan", "--out", "bundles"]
        code, said, _ = advisor("collect", [], *options)
    assert code == 0
    assert "1 of 1 device whole" in said
    assert (first.record.connections, second.record.connections) == (1, 0)
    assert [each.name for each in scene.out.iterdir()] == ["wan"]


def test_ctrl_c_leaves_finished_bundles_whole(scene: "Scene") -> None:
    slow = replace(scene.r1, answer_delay_s=60.0)
    with scene.devices(scene.r1, slow) as devices:
        command = [sys.executable, "-m", "advisor", "collect"]
        command += [each.address for each in devices]
        command += ["--known-hosts", str(scene.known_hosts), "--out", str(scene.out)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "ADVISOR_USERNAME": "advisor"}
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            whole = scene.out / devices[0].address.replace(":", "_")
            while not whole.exists() or "show privilege" not in devices[1].received:
                assert process.poll() is None
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            said, complaints = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in complaints
    assert "1 of 2 devices whole" in said
    assert "interrupted" in said
    assert [each.name for each in scene.out.iterdir()] == [devices[0].address.replace(":", "_")]


SENTINEL: Final = "5ENT1NEL"
SECRETS: Final = f"""\
enable secret 5 $1${SENTINEL}$abcdefghijklmnopqr
enable password {SENTINEL}b
username admin password 0 {SENTINEL}c
snmp-server community {SENTINEL}d RO
tacacs-server key {SENTINEL}e
radius-server host 192.0.2.9 key {SENTINEL}f
key chain K
 key 1
  key-string {SENTINEL}g
crypto isakmp key {SENTINEL}h address 192.0.2.1
crypto pki certificate chain CA
 certificate 01
  30820101 {SENTINEL}i
  quit
interface Serial0/9
 ppp chap password 0 {SENTINEL}j
 description see ftp://u:{SENTINEL}k@192.0.2.1/x
 service-policy output {SENTINEL}-is-a-name
banner motd ^C
password of the day: {SENTINEL}l
^C
"""


@pytest.fixture
def everything_logged(scene: "Scene") -> Iterator[None]:
    """A log of all that reaches the root logger, as an application around the tool may keep."""
    root, log = logging.getLogger(), logging.FileHandler(scene.folder / "all.log")
    level = root.level
    root.addHandler(log)
    root.setLevel(logging.DEBUG)
    yield
    root.setLevel(level)
    root.removeHandler(log)
    log.close()


def with_secrets(scene: "Scene") -> Script:
    config = scene.config.replace("end\n", SECRETS.replace(f"{SENTINEL}-is", "NAME-is") + "end\n")
    return replace(
        scene.r1,
        answers={**scene.r1.answers, "show running-config": config},
        exec_banner=f"password {SENTINEL}m",
        login_banner=f"password {SENTINEL}n",
        password=f"{SENTINEL}o",
        privilege=1,
        enable_password=scene.enable,
    )


@pytest.mark.usefixtures("everything_logged")
@pytest.mark.parametrize(
    "fault", [None, DemoFault.CUT, DemoFault.GARBAGE, DemoFault.PROMPT_IN_OUTPUT]
)
def test_no_secret_is_in_any_file_log_or_output(
    scene: "Scene",
    advisor: Advisor,
    fault: DemoFault | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ADVISOR_PASSWORD", f"{SENTINEL}o")
    monkeypatch.setenv("ADVISOR_ENABLE", scene.enable)
    script = faulty(with_secrets(scene), *([fault] if fault else []))
    said = ""
    with scene.devices(script) as devices:
        for form in ("full", "json"):
            _, out, complaints = advisor("audit", devices, "--out", "kept", "--format", form)
            said += out + complaints
    files = [each for each in scene.folder.rglob("*") if each.is_file()]
    leaked = re.compile(f"{SENTINEL}|{scene.enable}")
    assert [each.name for each in files if leaked.search(each.read_text("latin-1"))] == []
    assert leaked.findall(said) == []
    assert (
        "NAME-is-a-name"
        in next(each.read_text("latin-1") for each in files if each.name == "running-config")
        or fault is not None
    )


def test_redact_keeps_the_lines_and_no_secret(
    scene: "Scene", capsys: pytest.CaptureFixture[str]
) -> None:
    config = scene.config + SECRETS
    file = scene.folder / "r1.cfg"
    file.write_text(config)
    assert run(["redact", str(file)]) == 0
    clean = capsys.readouterr().out
    assert clean.count("\n") == config.count("\n")
    assert SENTINEL not in clean.replace(f"{SENTINEL}-is-a-name", "")
