"""In a text without indentation a misspelt command stands where its nearest command would."""

import pytest

from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config

# A configuration of 15.1 that lost its indentation, typed with errors.
_FLAT = """version 15.1
hostname r1
policy-map WAN
class VOICE
priority 128
class BULK
bandwidth 100
{under_class}
random-detect dscp 10 20 40 10
class class-default
fair-queue
interface Serial0/0
bandwidth 512
{under_interface}
interface Serial0/1
bandwidth 512
end
"""


def _flat(under_class: str = "!", under_interface: str = "!") -> str:
    return _FLAT.format(under_class=under_class, under_interface=under_interface)


@pytest.mark.parametrize(
    ("text", "under", "nearest"),
    [
        (
            _flat(under_class="randm-detect dscp-based"),
            "policy-map WAN > class BULK",
            [("randm-detect", "random-detect")],
        ),
        (
            _flat(under_interface="tx-ring-limt 10\nservice-polcy output WAN\n!"),
            "interface Serial0/0",
            [("tx-ring-limt", "tx-ring-limit"), ("service-polcy", "service-policy")],
        ),
        (
            _flat(under_interface="no tx-ring-limt\n!"),
            "interface Serial0/0",
            [("tx-ring-limt", "tx-ring-limit")],
        ),
    ],
)
def test_misspelt_command_is_a_line_of_the_open_mode(
    text: str, under: str, nearest: list[tuple[str, str]]
) -> None:
    unread = [line for line in read_facts(parse_config(text, "r1.ios")).unread if line.doubt]
    assert {line.under for line in unread} == {under}
    words = [(line.doubt.word, *line.doubt.keywords) for line in unread if line.doubt]
    assert words == nearest


def test_misspelt_command_of_a_class_does_not_end_the_class() -> None:
    facts = read_facts(parse_config(_flat(under_class="randm-detect dscp-based"), "r1.ios"))
    policy = facts.policy_map("WAN")
    assert policy is not None
    assert [member.name for member in policy.classes] == ["VOICE", "BULK", "class-default"]


def test_lines_behind_a_misspelt_interface_are_not_of_the_one_ahead() -> None:
    text = _flat(under_interface="tx-ring-limit 5\ninterfce Serial0/9\ntx-ring-limit 10")
    interface = read_facts(parse_config(text, "r1.ios")).interface("Serial0/0")
    assert interface is not None
    assert interface.tx_ring_limit is not None
    assert interface.tx_ring_limit.value == 5
