"""Fleets of simulated routers on loopback; whatever a test does, what reaches them is judged."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from advisor.capture.read_bundle import read_bundle
from advisor.capture.sections import Capture
from advisor.collect import ReadLimits
from advisor.collect.demo.script import DemoFault, Script
from advisor.collect.demo.ssh_server import Router, routers
from advisor.collect.fleet import DeviceOutcome, FleetRun
from advisor.collect.hosts import Keychain, KnownHosts, target_of
from advisor.collect.plan import ALLOWED, CollectPlan, plan_of
from advisor.lint.cards import load_rules, wanted_commands
from advisor.settings import Settings

# What the library sends by itself: the shape of the terminal, `enable`, blank lines, `exit`.
_OF_THE_LIBRARY: Final = {"terminal length 0", "terminal width 511", "enable", "", "exit", "\n"}
_MAY_ARRIVE: Final = _OF_THE_LIBRARY | {each.command for each in ALLOWED}
CONFIG: Final = """\
!
version 12.4
hostname r1
!
policy-map EDGE
 class VOICE
  priority 128
!
interface Serial0/0
 bandwidth 512
 service-policy output EDGE
!
end
"""
ANSWERS: Final = {
    "show version": "Cisco IOS Software, 2800 Software (C2800NM-ADVENTERPRISEK9-M), "
    "Version 12.4(15)T9, RELEASE SOFTWARE (fc5)\n",
    "show processes cpu": "CPU utilization for five seconds: 8%/6%; one minute: 8%; "
    "five minutes: 5%\n",
    "show policy-map interface": " Serial0/0\n\n  Service-policy output: EDGE\n",
    "show interfaces": "Serial0/0 is up, line protocol is up\n",
    "show running-config": CONFIG,
}
R1: Final = Script("r1", ANSWERS)
PATIENT: Final = ReadLimits(retries=0, cpu_wait_s=0.0)
ENTERED: Final = "en-secret"
WITHOUT_PROMPT: Final = (
    DemoFault.SILENT_AFTER_LOGIN,
    DemoFault.NO_PROMPT,
    DemoFault.QUESTION,
    DemoFault.MENU,
)


class Scene(Struct, dict=True):
    """One test's devices, folder and way to collect."""

    r1: ClassVar[Script] = R1
    config: ClassVar[str] = CONFIG
    enable: ClassVar[str] = ENTERED
    patient: ClassVar[ReadLimits] = PATIENT

    folder: Path
    plan: CollectPlan
    routers: list[Router] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @property
    def out(self) -> Path:
        return self.folder / "bundles"

    @property
    def known_hosts(self) -> Path:
        return self.folder / "known_hosts"

    @contextmanager
    def devices(self, *scripts: Script, known: bool = True) -> Iterator[list[Router]]:
        """Run devices; their keys are known unless a test says otherwise."""
        with routers(*scripts) as devices:
            self.routers += devices
            if known:
                self.known_hosts.write_text("".join(each.known_hosts for each in devices))
            yield devices

    def fleet(self, **options: Any) -> FleetRun:
        """A fleet that is patient and tries a connection once, unless a test says otherwise."""
        self.out.mkdir(exist_ok=True)
        fleet = FleetRun(
            self.plan,
            Keychain("advisor"),
            KnownHosts(self.known_hosts),
            self.out,
            PATIENT,
            say=lambda _, text: self.said.append(text),
        )
        return replace(fleet, **options)

    def collect(self, devices: Sequence[Router], **options: Any) -> list[DeviceOutcome]:
        """Outcomes in the order of the devices."""
        targets = [target_of(each.address) for each in devices]
        outcomes = {each.target: each for each in self.fleet(**options).collect(targets)}
        return [outcomes[target] for target in targets]

    def one(self, script: Script, **options: Any) -> tuple[DeviceOutcome, Router]:
        """Collect from a fleet of one."""
        with self.devices(script) as devices:
            (outcome,) = self.collect(devices, **options)
        return outcome, devices[0]

    def bundle(self, outcome: DeviceOutcome) -> Capture:
        assert outcome.folder is not None
        return read_bundle(outcome.folder)

    def output(self, outcome: DeviceOutcome, command: str) -> str:
        sections = self.bundle(outcome).sections
        return next(each.output for each in sections if each.command == command)

    @staticmethod
    def commands(router: Router) -> list[str]:
        """What was asked, without what the library sends by itself."""
        return [each for each in router.received if each not in _OF_THE_LIBRARY]


@pytest.fixture(scope="session")
def plan() -> CollectPlan:
    return plan_of(wanted_commands(load_rules(Settings().budgets)))


@pytest.fixture
def scene(tmp_path: Path, plan: CollectPlan, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    monkeypatch.setenv("ADVISOR_PASSWORD", "demo")
    monkeypatch.delenv("ADVISOR_ENABLE", raising=False)
    made = Scene(tmp_path, plan)
    yield made
    for router in made.routers:
        password = {router.script.enable_password, ENTERED}
        strange = [each for each in router.received if each not in _MAY_ARRIVE | password]
        assert strange == [], "only these lines may ever reach a device"
        sessions = router.record.connections
        assert len(router.record.logins) <= sessions, "a login is tried once"
        assert router.received.count(ENTERED) <= sessions, "`enable` gets its secret once"
        if router.script.has(*WITHOUT_PROMPT):
            assert bytes(router.record.raw) == b"", "nothing is sent to what is no prompt"
