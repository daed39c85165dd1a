"""`diff` of a policy that goes to another output: the same class is compared, and none is lost."""

import json
from pathlib import Path

import pytest

from advisor.cli import run

Said = pytest.CaptureFixture[str]
_Change = tuple[str, str | None, str, bool]
POLICIES = """\
version 15.2
hostname branch
class-map match-all VOICE
 match ip dscp ef
policy-map QUEUES
 class VOICE
  priority 512
 class class-default
  fair-queue
policy-map SHAPED
 class class-default
  shape average 4000000 40000 0
  service-policy QUEUES
"""
PORT, VLAN_20, VLAN_30 = "GigabitEthernet0/1", "GigabitEthernet0/1.20", "GigabitEthernet0/1.30"
SHAPED, QUEUES = "service-policy output SHAPED", "service-policy output QUEUES"
SERIAL = (
    "interface Serial0/{slot}/0\n clock rate 768000\n encapsulation ppp\n tx-ring-limit {ring}\n"
    f" {QUEUES.replace('QUEUES', 'SMALL')}\nend\n"
)
SMALL = POLICIES.replace("QUEUES", "SMALL").replace("512", "128")


def router(**lines: str) -> str:
    """A port with two subinterfaces, and a line for each of them."""
    port, first, second = (lines.get(name, "") for name in ("port", "first", "second"))
    return (
        f"{POLICIES}interface {PORT}\n speed 100\n duplex full\n {port}\n"
        f"interface {VLAN_20}\n encapsulation dot1Q 20\n ip address 192.0.2.1 255.255.255.252\n {first}\n"
        f"interface {VLAN_30}\n encapsulation dot1Q 30\n ip address 192.0.2.5 255.255.255.252\n {second}\nend\n"
    )


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def compared(old: str, new: str, *options: str) -> int:
    Path("old.cfg").write_text(old, "utf-8")
    Path("new.cfg").write_text(new, "utf-8")
    return run(["diff", "old.cfg", "new.cfg", *options])


def delays(old: str, new: str, capsys: Said) -> tuple[int, list[_Change]]:
    """The exit code; of each delay that changes: its output, that of before, and what it is."""
    code = compared(old, new, "--format", "json")
    changes = json.loads(capsys.readouterr().out)["predictions"]
    return code, [
        (
            each["output"].removeprefix("interface "),
            None if each["output_before"] is None else each["output_before"][len("interface ") :],
            each["change"],
            each["is_unserved"],
        )
        for each in changes
        if (each["metric"], each["class_name"]) == ("delay", "VOICE")
    ]


@pytest.mark.parametrize(
    ("old", "new", "code", "expected"),
    [
        pytest.param(
            router(port=SHAPED),
            router(first=SHAPED, second=SHAPED),
            0,
            [(VLAN_20, PORT, "moved", False), (VLAN_30, PORT, "moved", False)],
            id="from the port to all of its subinterfaces",
        ),
        pytest.param(
            router(port=SHAPED),
            router(first=SHAPED),
            1,
            [(VLAN_30, PORT, "gone", True), (VLAN_20, PORT, "moved", False)],
            id="from the port to one: the other has no policy any more",
        ),
        pytest.param(
            router(port=SHAPED),
            router(first=SHAPED, second="shutdown"),
            0,
            [(VLAN_20, PORT, "moved", False)],
            id="an interface that is shut sends nothing",
        ),
        pytest.param(
            router(first=SHAPED, second=SHAPED),
            router(port=SHAPED),
            0,
            [(PORT, VLAN_20, "moved", False), (PORT, VLAN_30, "moved", False)],
            id="from the subinterfaces to the port",
        ),
        pytest.param(
            router(first=SHAPED, second=SHAPED),
            router(first=SHAPED),
            1,
            [(VLAN_30, None, "gone", True)],
            id="one of two loses it",
        ),
        pytest.param(
            router(first=SHAPED),
            router(),
            1,
            [(PORT, VLAN_20, "gone", False)],
            id="the port queues without a policy",
        ),
        pytest.param(
            router(port=SHAPED),
            router(first=QUEUES, second=SHAPED),
            1,
            [(VLAN_20, PORT, "gone", True), (VLAN_30, PORT, "moved", False)],
            id="its shaper does not go with it, so that IOS refuses it",
        ),
        pytest.param(
            SMALL + SERIAL.format(slot=0, ring=2),
            SMALL + SERIAL.format(slot=1, ring=8),
            1,
            [("Serial0/1/0", "Serial0/0/0", "moved", False)],
            id="the interface has another name, and a deeper ring",
        ),
        pytest.param(
            SMALL + SERIAL.format(slot=0, ring=2),
            SMALL + SERIAL.format(slot=0, ring=2).replace("tx-ring", "shutdown\n tx-ring"),
            0,
            [("Serial0/0/0", None, "gone", False)],
            id="an interface that is shut loses nothing",
        ),
    ],
)
def test_a_class_goes_with_its_policy(
    old: str, new: str, code: int, expected: list[_Change], capsys: Said
) -> None:
    assert delays(old, new, capsys) == (code, expected)


CIRCUIT = (
    SMALL
    + """\
map-class frame-relay BRANCH
 frame-relay cir 256000
 frame-relay mincir 256000
 frame-relay fragment 320
 service-policy output SMALL
interface Serial0/0/0
 clock rate 512000
 encapsulation frame-relay
 frame-relay traffic-shaping
interface Serial0/0/0.100 point-to-point
 frame-relay interface-dlci 100
  class BRANCH
end
"""
)


@pytest.mark.parametrize(
    "new",
    [
        pytest.param(CIRCUIT.replace(" service-policy output SMALL\n", ""), id="no policy"),
        pytest.param(CIRCUIT.replace("priority 128", "bandwidth 128"), id="no priority"),
    ],
)
def test_an_llq_without_a_bound_is_lost_like_one_with_a_bound(new: str, capsys: Said) -> None:
    assert compared(CIRCUIT, new, "--select", "TXR001") == 1
    assert " bounds " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("new", "headline"),
    [
        (router(first=SHAPED), f"moves VOICE from {PORT} to {VLAN_20}"),
        (
            router(first=SHAPED),
            f"removes VOICE from {VLAN_30}; no policy queues its packets, as that of {PORT} did",
        ),
        (router(first=QUEUES), f"removes VOICE from {PORT}; no policy queues its packets"),
    ],
)
def test_the_headline_names_both_outputs(new: str, headline: str, capsys: Said) -> None:
    assert compared(router(port=SHAPED), new) == 1
    assert headline in capsys.readouterr().out


IMAGE = "boot system flash c3640-ik9o3s-mz.123-22.bin\n"
TWO_LINES = (
    f"version 12.3\n{IMAGE}hostname branch\nclass-map match-all VOICE\n match ip dscp ef\n"
    "policy-map SMALL\n class VOICE\n  priority 300\n class class-default\n  fair-queue\n"
    f"interface Serial0/0\n clock rate 768000\n bandwidth 768\n encapsulation ppp\n {QUEUES}\n"
    "interface Serial0/1\n clock rate 256000\n bandwidth 256\n encapsulation ppp\n"
).replace("QUEUES", "SMALL")


def test_a_policy_that_ios_refuses_at_one_port_is_lost_at_the_other(capsys: Said) -> None:
    attached = f"{TWO_LINES} service-policy output SMALL\nend\n"
    assert delays(f"{TWO_LINES}end\n", attached, capsys) == (
        1,
        [("Serial0/0", None, "gone", True)],
    )


LINK = TWO_LINES.partition("interface Serial0/1")[0].replace("768", "512")
MEMBER = LINK.replace(
    " service-policy output SMALL\n", " tx-ring-limit 1\n ppp multilink\n ppp multilink group 1\n"
)
BUNDLE = (
    "interface Multilink1\n bandwidth 512\n ppp multilink\n ppp multilink group 1\n ppp multilink fragment delay 10\n"
    " ppp multilink interleave\n{policy}end\n"
)


@pytest.mark.parametrize(
    ("policy", "code", "expected"),
    [
        pytest.param(
            " service-policy output SMALL\n",
            0,
            [("Multilink1", "Serial0/0", "moved", False)],
            id="the bundle of a link has its policy",
        ),
        pytest.param("", 1, [("Serial0/0", None, "gone", True)], id="the bundle has none"),
    ],
)
def test_a_policy_goes_from_a_link_to_its_bundle(
    policy: str, code: int, expected: list[_Change], capsys: Said
) -> None:
    new = MEMBER + BUNDLE.format(policy=policy)
    assert delays(f"{LINK}end\n", new, capsys) == (code, expected)


def test_a_finding_goes_with_its_link_into_the_bundle(capsys: Said) -> None:
    new = MEMBER + BUNDLE.format(policy=" service-policy output SMALL\n")
    assert compared(f"{LINK}end\n", new, "--format", "json") == 0
    changes = json.loads(capsys.readouterr().out)["findings"]
    moved = {
        (each["finding"]["rule"], each["object_before"], each["finding"]["object"])
        for each in changes
        if each["change"] == "moved"
    }
    assert moved == {("LLQ001", "interface Serial0/0", "interface Multilink1")}
    assert all(each["change"] != "added" for each in changes)


def test_a_finding_of_a_link_goes_to_it_as_a_member(capsys: Said) -> None:
    long_fragments = BUNDLE.replace("delay 10", "delay 20")
    new = MEMBER + long_fragments.format(policy=" service-policy output SMALL\n")
    compared(f"{LINK}end\n", new, "--format", "json", "--select", "TXR002")
    (change,) = json.loads(capsys.readouterr().out)["findings"]
    assert (change["change"], change["counts"], change["object_before"]) == (
        "moved",
        False,
        "interface Serial0/0",
    )
    assert change["finding"]["object"] == "interface Multilink1 > member Serial0/0"
