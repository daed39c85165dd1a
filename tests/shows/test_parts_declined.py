"""An unknown line costs the part that it stands in: an interface, an operation, a class, a row."""

from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.capture.masking import mask_quoted
from advisor.shows.atm import read_atm_circuits
from advisor.shows.controllers import read_controllers
from advisor.shows.dlsw.reader import read_dlsw_circuits, read_dlsw_peers
from advisor.shows.interfaces.reader import read_interfaces
from advisor.shows.output import OutputPart, OutputReading
from advisor.shows.policy_map import ChildPolicy, ObservedPolicy
from advisor.shows.policy_map.counted import read_policy_map_interface
from advisor.shows.policy_map.shown_lines import read_policy_map
from advisor.shows.queueing import read_fair_queueing, read_queueing_interface
from advisor.shows.sla.reader import read_sla
from advisor.shows.version import read_version
from tests.support.devices import device_read

SHOW = Path(__file__).parents[2] / "fixtures" / "show"
UNKNOWN = "frobnication of the colour: 9"

SERIAL = """Serial{n} is up, line protocol is up
  Hardware is GT96K Serial
  MTU 1500 bytes, BW 512 Kbit, DLY 20000 usec,
  Last input 00:00:01, output 00:00:00, output hang never
     10 packets input, 4000 bytes, 0 no buffer
     20 packets output, 8000 bytes, 0 underruns
"""
ECHO = """IPSLA operation id: {n}
        Latest RTT: {n} milliseconds
Number of successes: 5
Number of failures: 0
Operation time to live: Forever
"""


def numbered(block: str, broken: int, after: int) -> str:
    """Three blocks; one has an unknown line below its line `after`."""
    blocks = [block.replace("{n}", str(n)).splitlines() for n in range(3)]
    blocks[broken].insert(after, f"  {UNKNOWN}")
    return "\n".join(line for lines in blocks for line in lines) + "\n"


@pytest.mark.parametrize(
    ("text", "kept", "lost", "line"),
    [
        pytest.param(
            numbered(SERIAL, 0, 2), ["Serial1", "Serial2"], "interface Serial0", 3, id="1"
        ),
        pytest.param(
            numbered(SERIAL, 1, 1), ["Serial0", "Serial2"], "interface Serial1", 8, id="2"
        ),
        pytest.param(
            numbered(SERIAL, 2, 6), ["Serial0", "Serial1"], "interface Serial2", 19, id="3"
        ),
    ],
)
def test_an_interface_is_lost_and_the_others_are_read(
    text: str, kept: list[str], lost: str, line: int
) -> None:
    reading = read_interfaces(text, "r1.txt")
    (part,) = reading.declined
    assert [interface.name for interface in reading.records] == kept
    assert (part.label, part.at.line, part.is_cut) == (lost, line, False)


def test_an_operation_of_an_unread_type_leaves_the_others() -> None:
    reading = read_sla(numbered(ECHO, 1, 2), "r1.txt")
    assert [result.number for result in reading.records] == [0, 2]
    assert [part.label for part in reading.declined] == ["operation 1"]


def test_a_line_above_all_parts_is_said_and_costs_none() -> None:
    reading = read_interfaces(f"{UNKNOWN}\n{SERIAL.replace('{n}', '0')}", "r1.txt")
    assert [interface.name for interface in reading.records] == ["Serial0"]
    assert [(part.part, part.at.line) for part in reading.declined] == [(OutputPart.LINES, 1)]


def test_a_number_without_end_costs_its_interface() -> None:
    text = SERIAL.replace("{n}", "0").replace("4000", "4" * 400) + SERIAL.replace("{n}", "1")
    reading = read_interfaces(text, "r1.txt")
    assert [interface.name for interface in reading.records] == ["Serial1"]
    assert [(part.label, part.at.line) for part in reading.declined] == [("interface Serial0", 5)]
    assert len(str(reading.declined[0])) < 200


Names = Callable[[str, str], tuple[list[object], list[str]]]


def names(read: Callable[[str, str], OutputReading], name: Callable) -> Names:  # type: ignore[type-arg]
    def read_names(text: str, file: str) -> tuple[list[object], list[str]]:
        reading = read(text, file)
        return [name(record) for record in reading.records], [p.label for p in reading.declined]

    return read_names


@pytest.mark.parametrize(
    ("read", "fixture", "above", "kept", "lost"),
    [
        pytest.param(
            names(read_atm_circuits, lambda circuit: circuit.vci),
            "atm_vc/12.2-detail-ring", "Status: UP", [], ["circuit ATM5/0.7 0/107"], id="ATM VC",
        ),
        pytest.param(
            names(read_queueing_interface, lambda shown: shown.interface),
            "queueing/12.4-interface-wfq", "Interface FastEthernet", ["FastEthernet0/0"],
            ["interface Serial0/1/0"], id="queueing of an interface",
        ),
        pytest.param(
            names(read_fair_queueing, lambda row: row.interface),
            "queueing/12.4-fair", "Serial", ["FastEthernet0/0", "Serial1/0"], ["row"],
            id="a row of fair queueing",
        ),
        pytest.param(
            names(read_controllers, lambda controller: controller.interface),
            "controllers_serial/12.4-gt96k-dce", "", ["Serial0/1/0"], [], id="a dump is passed over",
        ),
        pytest.param(
            names(read_version, lambda version: version.version_text),
            "version/12.4-2811", "", ["12.4(15)T9"], [], id="what a box says of itself",
        ),
        pytest.param(
            names(read_dlsw_peers, lambda table: (len(table.peers), table.is_whole)),
            "dlsw/12.x-peers", "TCP ", [(5, False)], ["row"], id="DLSw+ peers",
        ),
        pytest.param(
            names(read_dlsw_circuits, lambda table: (len(table.circuits), table.is_whole)),
            "dlsw/12.x-circuits", "Total", [(2, False)], ["circuit 738197612"], id="DLSw+ circuits",
        ),
    ],
)  # fmt: skip
def test_other_outputs_lose_the_part_of_an_unknown_line(
    read: Names, fixture: str, above: str, kept: list[object], lost: list[str]
) -> None:
    lines = (SHOW / f"{fixture}.txt").read_text("utf-8").splitlines()
    index = next(i for i, line in enumerate(lines) if line.strip().startswith(above) and i > 2)
    lines.insert(index, UNKNOWN)
    assert read("\n".join(lines), "f") == (kept, lost)


NESTED = """ Serial0/0
  Service-policy output: SHAPE
    Class-map: class-default (match-any)
      9 packets, 900 bytes
      Match: any
      Queueing
      queue limit 64 packets
      Service-policy : WAN
        Class-map: VOICE (match-any)
          4 packets, 400 bytes
          Match: dscp ef (46)
          Priority: 128 kbps, burst bytes 3200, b/w exceed drops: 0
        Class-map: DATA (match-any)
          3 packets, 300 bytes
          Match: dscp af31 (26)
          bandwidth 200 kbps
        Class-map: class-default (match-any)
          2 packets, 200 bytes
          Match: any
 Serial0/1
  Service-policy output: EDGE
    Class-map: VIDEO (match-all)
      1 packets, 100 bytes
      Match: dscp cs4 (32)
    Class-map: class-default (match-any)
      5 packets, 500 bytes
      Match: any
"""


def flat(text: str) -> str:
    """The text as some terminals and web pages give it: without indentation."""
    return "".join(f"{line.strip()}\n" for line in text.splitlines())


def inserted(text: str, below: int, line: str) -> str:
    lines = text.splitlines()
    return "\n".join([*lines[:below], line, *lines[below:]]) + "\n"


def tree(policy: ObservedPolicy | ChildPolicy) -> list[object]:
    """Names of the classes of a policy, each with those of its nested policy."""
    return [
        (shown.name, shown.child.policy, tree(shown.child)) if shown.child else shown.name
        for shown in policy.classes
    ]


WHOLE = [("class-default", "WAN", ["VOICE", "DATA", "class-default"])]
EDGE = ["VIDEO", "class-default"]


@pytest.mark.parametrize(
    ("text", "trees", "lost"),
    [
        pytest.param(NESTED, [WHOLE, EDGE], [], id="all known"),
        pytest.param(
            inserted(NESTED, 14, f"          {UNKNOWN}"),
            [[("class-default", "WAN", ["VOICE", "class-default"])], EDGE],
            ["class DATA"],
            id="in a nested class",
        ),
        pytest.param(
            inserted(NESTED, 6, f"      {UNKNOWN}"), [[], EDGE], ["class class-default"],
            id="in the class that nests",
        ),
        pytest.param(
            inserted(NESTED, 16, f"      {UNKNOWN}"), [[], EDGE], ["class class-default"],
            id="in the class that nests, below the nested policy",
        ),
        pytest.param(
            inserted(NESTED, 7, "      Service-policy of a new kind : OTHER"), [[], EDGE],
            ["class class-default"], id="the head of an unknown nested policy",
        ),
        pytest.param(
            NESTED.replace("      Service-policy : WAN\n", ""), [[], EDGE],
            ["class class-default"], id="nested classes without the head of their policy",
        ),
        pytest.param(
            NESTED.replace(" Serial0/1\n", " Colour Nine\n"), [WHOLE[:0]],
            ["class class-default", "policy-map EDGE"],
            id="an unknown interface: its policy is not given to the one above",
        ),
        pytest.param(
            NESTED.replace("Service-policy output: EDGE", "Service-policy inspect input : EDGE"),
            [WHOLE], ["policy-map EDGE"], id="a policy that queues nothing",
        ),
        pytest.param(flat(NESTED), [WHOLE, EDGE], [], id="flat: nested up to class-default"),
        pytest.param(
            flat(NESTED).replace("Class-map: class-default (match-any)\n2 ", "Class-map: WEB (match-any)\n2 "),
            [[("class-default", "WAN", ["VOICE", "DATA", "WEB"])], EDGE], ["policy-map WAN"],
            id="flat: the nested policy of class-default is the last, and lacks its own class-default",
        ),
        pytest.param(
            flat(NESTED).replace("class-default (match-any)\n2 ", "WEB (match-any)\n2 ")
            .replace("class-default (match-any)\n9 ", "BRANCH (match-any)\n9 "),
            [[], EDGE], ["class BRANCH"],
            id="flat: nothing says where the nested policy ends",
        ),
        pytest.param(
            inserted(flat(NESTED), 14, UNKNOWN),
            [[("class-default", "WAN", ["VOICE", "class-default"])], EDGE], ["class DATA"],
            id="flat: in a nested class",
        ),
        pytest.param(
            inserted(flat(NESTED), 6, UNKNOWN), [[], EDGE], ["class class-default"],
            id="flat: in the class that nests, its nested classes are not taken for its siblings",
        ),
    ],
)  # fmt: skip
def test_a_class_is_lost_and_none_is_taken_for_one_of_another_policy(
    text: str, trees: list[object], lost: list[str]
) -> None:
    reading = read_policy_map_interface(text, "r1.txt")
    assert [tree(policy) for policy in reading.records] == trees
    assert [part.label for part in reading.declined] == lost


def test_a_policy_names_its_classes_that_are_not_understood() -> None:
    reading = read_policy_map_interface(inserted(NESTED, 14, f"          {UNKNOWN}"), "r1.txt")
    child = reading.records[0].classes[0].child
    assert child is not None
    assert (child.unread, reading.records[0].unread) == (("DATA",), ())


SHOWN = """  Policy Map A
    Class VOICE
      Strict Priority
    Class WEB
      bandwidth 20 (%)
  Policy Map B
    Class class-default
      fair-queue
"""


@pytest.mark.parametrize(
    ("text", "classes", "lost"),
    [
        pytest.param(
            inserted(SHOWN, 3, f"      {UNKNOWN}"), [["WEB"], ["class-default"]], ["class VOICE"],
            id="in a class",
        ),
        pytest.param(
            inserted(SHOWN, 3, f"  {UNKNOWN}"), [[], ["class-default"]], ["class VOICE", "class WEB"],
            id="left of the classes: it may be another policy",
        ),
        pytest.param(
            SHOWN.replace("Policy Map B", "Policy Map type inspect B"), [["VOICE", "WEB"]],
            ["policy-map B"], id="a policy of another type",
        ),
    ],
)  # fmt: skip
def test_a_configured_class_is_lost_alone(
    text: str, classes: list[list[str]], lost: list[str]
) -> None:
    reading = read_policy_map(text, "r1.txt")
    assert [[shown.name for shown in policy.classes] for policy in reading.records] == classes
    assert [part.label for part in reading.declined] == lost


@pytest.mark.parametrize(
    ("read", "text", "lost"),
    [
        pytest.param(
            read_interfaces, "\n".join(SERIAL.replace("{n}", "0").splitlines()[:4]),
            "r1.txt:4: show interfaces ends before its line of packets output: cut: interface Serial0, line 1",
            id="interface",
        ),
        pytest.param(
            read_interfaces, f"r1#show interfaces Serial0\n{SERIAL.replace('{n}', '0').splitlines()[0]}\n",
            "r1.txt:2: show interfaces ends before its line of packets output: cut: interface Serial0, line 2",
            id="interface, behind its first line",
        ),
        pytest.param(
            read_sla, "\n".join(ECHO.replace("{n}", "7").splitlines()[:3]),
            "r1.txt:3: IP SLA statistics ends before its line of operation time to live: cut: operation 7, line 1",
            id="operation",
        ),
        pytest.param(
            read_policy_map_interface, NESTED[: NESTED.index("    Class-map: class-default (match-any)\n      5")],
            "r1.txt:24: `show policy-map interface` ends before class-default: cut: policy-map EDGE, line 21",
            id="policy",
        ),
        pytest.param(
            read_policy_map_interface, NESTED[: NESTED.index("      Match: dscp cs4")],
            "r1.txt:23: `show policy-map interface` ends before its line of Match: cut: class VIDEO, line 22",
            id="class",
        ),
    ],
)  # fmt: skip
def test_an_output_that_was_cut_says_so(
    read: Callable[[str, str], OutputReading[object]], text: str, lost: str
) -> None:
    said = str(read(text, "r1.txt").declined[0])
    assert (said, mask_quoted(said)) == (lost, lost)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("show interfaces | include is up|Last input", SERIAL.replace("{n}", "0")[:190]),
        ("show policy-map interface Serial0/1 output class VIDEO", "\n".join(NESTED.splitlines()[19:24]) + "\n"),
    ],
)  # fmt: skip
def test_a_part_that_was_asked_for_is_not_cut(command: str, text: str) -> None:
    (taken,) = device_read(f"r1#{command}\n{text.rpartition(chr(10))[0]}\nr1#\n").seen.taken
    assert taken.not_understood == ()


def test_a_device_is_incomplete_and_says_each_part() -> None:
    reading = device_read(f"r1#show interfaces\n{numbered(SERIAL, 1, 1)}r1#\n")
    (taken,) = reading.seen.taken
    assert [interface.name for interface in reading.seen.interfaces] == ["Serial0", "Serial2"]
    assert not taken.understood
    assert [said.partition(": not")[2] for said in taken.not_understood] == [
        " understood: interface Serial1, line 8"
    ]
