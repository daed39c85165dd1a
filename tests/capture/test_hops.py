"""A hop from one router to another of the same name makes two devices; back leads to the first."""

import pytest

from advisor import api
from advisor.capture.cuts import read_capture
from advisor.capture.devices import by_device
from advisor.shows.redact import redact_text
from tests.support.branch_log import CONFIG, POLICY

FIRST = CONFIG.replace("kiel-1", "Router")
SECOND = FIRST.replace("203.0.113.9", "203.0.113.10").replace("tx-ring-limit 12", "tx-ring-limit 3")
OPEN = (
    "Trying 192.0.2.5 ... Open\n\nUser Access Verification\n\nPassword: \nRouter>en\nPassword: \n"
)
CLOSED = "\n[Connection to 192.0.2.5 closed by foreign host]\n"


def asked(command: str, output: str = "", prompt: str = "Router#") -> str:
    return f"{prompt}{command}\n{output}"


RUN, RUN_OF_SECOND = asked("show running-config", FIRST), asked("show running-config", SECOND)
TELNET, EXIT = asked("telnet 192.0.2.5", OPEN), asked("exit", CLOSED)
POLICIES = asked("show policy-map interface", POLICY)


@pytest.mark.parametrize(
    "hop",
    [
        "Router#rlogin 192.0.2.5\nPassword:\n",
        "Router#exit\nspawn ssh noc@192.0.2.5\nPassword:\n",
        "Router#exit\nnoc@192.0.2.5's password:\n",
        "Router#exit\n(noc@192.0.2.5) Password:\n",
        "========= 192.0.2.5 =========\n",
        "Router#exit\n[root@jump ~]# ssh noc@192.0.2.5\nPassword:\n",
        "Router#exit\n\u276f ssh noc@192.0.2.5\nPassword:\n",
    ],
)
def test_a_hop_makes_two_devices_of_a_log_and_of_a_masked_log(hop: str) -> None:
    for text in (RUN + hop + POLICIES, redact_text(RUN + hop + POLICIES, "x.log")):
        devices = [part.device for part in by_device(read_capture(text, "x.log"))]
        assert devices == ["Router", "Router@192.0.2.5"]


@pytest.mark.parametrize(
    ("text", "devices"),
    [
        pytest.param(
            RUN + TELNET + RUN_OF_SECOND + EXIT + POLICIES,
            {
                "Router": ["show running-config", "show policy-map interface"],
                "Router@192.0.2.5": ["show running-config"],
            },
            id="telnet and back",
        ),
        pytest.param(
            RUN + asked("ssh -l noc 192.0.2.5", "\nPassword: \n\n") + RUN_OF_SECOND,
            {"Router": ["show running-config"], "Router@192.0.2.5": ["show running-config"]},
            id="ssh, which says nothing of where it leads",
        ),
        pytest.param(
            RUN + TELNET + POLICIES,
            {"Router": ["show running-config"], "Router@192.0.2.5": ["show policy-map interface"]},
            id="counters alone of the second",
        ),
        pytest.param(
            RUN + TELNET + RUN_OF_SECOND + "Router#\nRouter#\n" + EXIT + TELNET + POLICIES,
            {
                "Router": ["show running-config"],
                "Router@192.0.2.5": ["show running-config", "show policy-map interface"],
            },
            id="the same address twice",
        ),
        pytest.param(
            "noc@jump:~$ telnet 192.0.2.1\nTrying 192.0.2.1...\nConnected to 192.0.2.1.\n\n" + RUN
            + asked("exit", "Connection closed by foreign host.\nnoc@jump:~$ telnet 192.0.2.5\n")
            + "Trying 192.0.2.5...\nConnected to 192.0.2.5.\n\n" + RUN_OF_SECOND,
            {
                "Router@192.0.2.1": ["show running-config"],
                "Router@192.0.2.5": ["show running-config"],
            },
            id="from a host that is no router",
        ),
        pytest.param(
            RUN + asked("telnet 192.0.2.5", "Trying 192.0.2.5 ... \n% Connection refused\n") + POLICIES,
            {None: ["show running-config", "show policy-map interface"]},
            id="a refused hop",
        ),
        pytest.param(
            asked("show running-config", CONFIG, "kiel-1#")
            + asked("telnet 192.0.2.5", OPEN.replace("Router", "bonn-1"), "kiel-1#")
            + asked("show policy-map interface", POLICY, "bonn-1#"),
            {"kiel-1": ["show running-config"], "bonn-1": ["show policy-map interface"]},
            id="names that tell the devices",
        ),
    ],
)  # fmt: skip
def test_devices_of_a_log(text: str, devices: dict[str | None, list[str]]) -> None:
    parts = by_device(read_capture(text, "x.log"))

    assert {
        part.device: [
            str(section.taken_for)
            for section in part.sections
            if section.taken_for or section.kind == "config"
        ]
        for part in parts
    } == devices


def test_both_routers_of_one_name_are_judged() -> None:
    report = api.lint(api.of_texts({"x.log": RUN + POLICIES + TELNET + RUN_OF_SECOND + EXIT}))

    lines = (RUN + POLICIES + TELNET + RUN_OF_SECOND).split("\n")
    rings = [row for row, line in enumerate(lines, 1) if "tx-ring-limit" in line]
    judged = {
        finding.locations[0].line
        for finding in report.findings
        if finding.rule == "TXR001" and finding.object == "interface Serial0/1/0"
    }
    assert judged == set(rings)


def test_two_configurations_of_a_factory_name_without_prompts_are_not_complete() -> None:
    report = api.lint(api.of_texts({"x.cfg": FIRST + SECOND}))
    assert not report.complete


def test_same_configuration_twice_is_complete() -> None:
    report = api.lint(api.of_texts({"x.cfg": FIRST + FIRST}))
    assert report.complete
