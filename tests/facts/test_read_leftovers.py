"""Coverage: every line about queueing, QoS or DLSw+ is counted, read or not."""

import pytest

from advisor.facts.config import Facts
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config


def facts_of(text: str) -> Facts:
    return read_facts(parse_config(text, "r1.cfg"))


@pytest.mark.parametrize(
    ("text", "line", "under"),
    [
        ("platform qos match-statistics\n", "platform qos match-statistics", ""),
        ("table-map COS\n map from 1 to 2\n", "table-map COS", ""),
        ("vlan configuration 10\n service-policy input P\n", "service-policy input P",
         "vlan configuration 10"),
        ("interface Gi0/1\n service instance 1 ethernet\n  queue-limit 40\n",
         "queue-limit 40", "interface GigabitEthernet0/1 > service instance 1 ethernet"),
        ("interface ATM0\n pvc 0/100\n  fair-queue\n", "fair-queue",
         "interface ATM0 > pvc 0/100"),
        ("interface Serial0/0\n tx-ring-limt 5\n", "tx-ring-limt 5", "interface Serial0/0"),
        ("interface Serial0/0\n max-reserved-bandwidht 90\n", "max-reserved-bandwidht 90",
         "interface Serial0/0"),
        ("interface Serial0/0\n servce-policy output P\n", "servce-policy output P",
         "interface Serial0/0"),
        ("interface Serial0/0\n encapsulaton ppp\n", "encapsulaton ppp", "interface Serial0/0"),
        ("interface Serial0/0\n tx 5\n", "tx 5", "interface Serial0/0"),
        ("clsas-map match-any X\n match any\n", "clsas-map match-any X", ""),
        ("dlsw remote-peeer 0 tcp 10.0.0.1\n", "dlsw remote-peeer 0 tcp 10.0.0.1", ""),
        ("template T\n hold-queue 5 in\n", "hold-queue 5 in", "template T"),
    ],
)  # fmt: skip
def test_a_line_that_nothing_reads_is_counted_and_reported(
    text: str, line: str, under: str
) -> None:
    facts = facts_of(text)
    assert [(unread.text, unread.under) for unread in facts.unread] == [(line, under)]
    assert facts.qos_lines_seen - facts.qos_lines_understood == 1


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("interface Serial0/0\n random-detect\n random-detect precedence 0 20 40 10\n", 2),
        ("interface Serial0/0\n hold-queue 100 out\n fair-queue\n", 2),
        ("interface Serial0/0\n ip rsvp bandwidth\n", 1),
        ("interface Serial0/0\n ip rsvp bandwidth 64\n", 1),
        ("interface Serial0/0\n ip rsvp bandwidth 64 32\n", 1),
        ("interface Serial0/0\n ip rsvp bandwidth percent 40\n", 1),
        ("interface Tunnel0\n ip nhrp map group G service-policy output P\n", 1),
        ("interface Tunnel0\n nhrp group G\n", 1),
        ("template T\n service-policy output P\n", 1),
        ("interface Serial0/0\n source template T\n", 1),
        ("policy-map P\n class A\n  priority level 1\n  police 64000\n", 4),
    ],
)
def test_a_line_that_is_read_is_counted_once(text: str, lines: int) -> None:
    facts = facts_of(text)
    assert (facts.qos_lines_seen, facts.unread) == (lines, ())


@pytest.mark.parametrize(
    "text",
    [
        "zone-pair security Z source A destination B\n service-policy type inspect P\n",
        "policy-map type inspect P\n class type inspect C\n  police rate 8000\n",
        "interface Tunnel0\n ip nhrp map 10.0.0.1 192.0.2.1\n ip nhrp network-id 1\n",
        "router bgp 1\n template peer-policy P\n",
    ],
)
def test_a_line_about_something_else_is_not_counted(text: str) -> None:
    assert facts_of(text).qos_lines_seen == 0


def test_a_misspelt_line_has_the_nearest_keyword() -> None:
    (unread,) = facts_of("policy-map P\n class A\n  bandwith 20\n").unread
    assert unread.doubt is not None
    assert unread.doubt.keywords == ("bandwidth",)


@pytest.mark.parametrize(
    "text",
    [
        "priority-list 1 protocol ip high tcp 2065\n",
        "no priority-list 1\n",
        "queue-list 1 queue 2 byte-count 3000\n",
        "platform qos port-channel-aggregate 1\n",
        "interface GigabitEthernet1/0/1\n queue-set 2\n",
        "policy-map P\n class C\n  queue-buffers ratio 25\n",
    ],
)
def test_queueing_of_other_kinds_is_understood_and_counted(text: str) -> None:
    facts = facts_of(text)
    assert facts.unread == ()
    assert facts.qos_lines_seen == facts.qos_lines_understood > 0
