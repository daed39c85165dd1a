"""A masked log of two routers of one name is still of two: the lines of a hop are kept."""

import pytest

from advisor import api
from advisor.capture.cuts import read_capture
from advisor.capture.devices import by_device
from advisor.shows.observe import observe
from advisor.shows.redact import redact_text
from tests.support.branch_log import CONFIG, POLICY

USER, SECRET = "tiger", "lion-seven"
FIRST = CONFIG.replace("kiel-1", "Router")
SECOND = FIRST.replace("203.0.113.9", "203.0.113.10").replace("tx-ring-limit 12", "tx-ring-limit 3")
LOGIN = (
    f"\nUser Access Verification\n\nUsername: {USER}\nPassword: \nRouter>en\nPassword: {SECRET}\n"
)
AT_FIRST = f"Router#show running-config\n{FIRST}Router#show policy-map interface\n{POLICY}"
AT_SECOND = f"Router#show running-config\n{SECOND}Router#show policy-map interface\n{POLICY}"
CLOSED = "Router#exit\n[Connection to 192.0.2.5 closed by foreign host]\n"
# What leads from the first router to the second.
HOPS = {
    "telnet to an address": f"Router#telnet 192.0.2.5\nTrying 192.0.2.5 ... Open\n{LOGIN}",
    "telnet with a port": f"Router#telnet 192.0.2.5 2001\nTrying 192.0.2.5, 2001 ... Open\n{LOGIN}",
    "telnet, in capitals and cut": f"Router#TELN 192.0.2.5\nTrying 192.0.2.5 ... Open\n{LOGIN}",
    "telnet from an interface": (
        f"Router#telnet 192.0.2.5 /source-interface Lo0\nTrying 192.0.2.5 ... Open\n{LOGIN}"
    ),
    "telnet to a name": (
        'Router#telnet bonn\nTranslating "bonn"...domain server (192.0.2.53) [OK]\n'
        f"Trying bonn.example.com (192.0.2.5)... Open\n{LOGIN}"
    ),
    "a bare name": f"Router#bonn\nTrying bonn (192.0.2.5)... Open\n{LOGIN}",
    "a bare address": f"Router#192.0.2.5\nTrying 192.0.2.5 ... Open\n{LOGIN}",
    "ssh with a user": f"Router#ssh -l {USER} 192.0.2.5\n\nPassword: \n\n",
    "ssh with options": f"Router#ssh -v 2 -c aes256-ctr -l {USER} -p 22 192.0.2.5\nPassword:\n",
    "ssh as Unix spells it": f"Router#ssh {USER}@192.0.2.5\n\nPassword: \n\n",
    "a session that is resumed": (
        "Router#resume 1\n[Resuming connection 1 to 192.0.2.5 ... ]\n\nRouter#\n"
    ),
}


def _read(text: str) -> object:
    return [
        (
            part.device,
            [(section.kind, section.taken_for) for section in part.sections],
            str(observe(part.sections, "x.log")),
        )
        for part in by_device(read_capture(text, "x.log"))
    ]


def _findings(text: str) -> list[tuple[str, str, list[int]]]:
    report = api.lint(api.of_texts({"x.log": text}))
    return [
        (each.rule, each.object, [at.line for at in each.locations]) for each in report.findings
    ]


@pytest.mark.parametrize("hop", HOPS.values(), ids=HOPS)
def test_both_routers_are_read_of_a_masked_log(hop: str) -> None:
    text = AT_FIRST + hop + AT_SECOND + CLOSED + "Router#show clock\n"
    clean = redact_text(text, "x.log")

    assert len(by_device(read_capture(text, "x.log"))) == 2
    assert _read(clean) == _read(text)
    assert USER not in clean
    assert SECRET not in clean


def test_findings_of_both_routers_stay() -> None:
    text = AT_FIRST + HOPS["telnet to an address"] + AT_SECOND + CLOSED
    found = _findings(text)
    assert {line for rule, _, (line, *_) in found if rule == "TXR001"} != set()
    assert _findings(redact_text(text, "x.log")) == found


def test_routers_that_are_reached_from_a_unix_host_stay_two() -> None:
    def hop(address: str) -> str:
        return (
            f"{USER}@jump:~$ ssh {USER}@{address}\n{USER}@{address}'s password: \n"
            f"Connected to {address}.\nEscape character is '^]'.\n"
        )

    back = "Router#exit\nConnection to 192.0.2.1 closed.\n"
    text = hop("192.0.2.1") + AT_FIRST + back + hop("192.0.2.5") + AT_SECOND
    clean = redact_text(text, "x.log")
    assert _read(clean) == _read(text)
    assert USER not in clean


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Router#telnet 192.0.2.5 lion", "Router#telnet 192.0.2.5 <removed>"),
        ("Router#telnet 192.0.2.5 84736251", "Router#telnet 192.0.2.5 <removed>"),
        ("Router#telnet 192.0.2.5 /user lion", "Router#telnet 192.0.2.5 <removed>"),
        ("Router#telnet u:lion@192.0.2.5", "Router#telnet <removed>@192.0.2.5"),
        ("Router#ssh -l 84736251 192.0.2.5", "Router#ssh -l <removed> 192.0.2.5"),
        ("Router#ssh -l lion:7 192.0.2.5", "Router#ssh -l <removed> 192.0.2.5"),
        ("Router#ssh -i lion -vrf MGMT 192.0.2.5", "Router#ssh -i <removed> -vrf MGMT 192.0.2.5"),
        ("Router#ssh -p lion 192.0.2.5", "Router#ssh -p <removed> 192.0.2.5"),
        ("Router#ssh 192.0.2.5 lion", "Router#ssh 192.0.2.5 <removed>"),
        ("Router#rlogin bonn -l lion", "Router#rlogin bonn -l <removed>"),
        ("Router#lion", "Router#<removed>"),
        ("Password: lion", "<removed>"),
        ("Password:lion", "<removed>"),
        ("Username: lion", "Username: <removed>"),
        ("lion@192.0.2.5's password: ", "<removed>@192.0.2.5's password:"),
        ("Trying lion ...", "<removed>"),
        ("Connected to bonn, password lion", "<removed>"),
        ("Connection to bonn closed by lion", "<removed>"),
        ("[Connection to bonn closed by foreign host] lion", "<removed>"),
        ("lion@jump:~$ ssh -l lion bonn", "removed$ ssh -l <removed> bonn"),
        ("lion@jump:~$ sshpass -p lion ssh bonn", "<removed>"),
    ],
)
def test_what_is_typed_beside_a_hop_goes(line: str, shown: str) -> None:
    text = f"Router#show clock\n12:00:00.000 UTC Mon Mar 1 2010\nRouter#telnet 192.0.2.5\n{line}\n"
    assert redact_text(text, "x.log").split("\n")[3] == shown
