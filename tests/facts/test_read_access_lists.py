"""Access lists as class-maps need them."""

import pytest

from advisor.facts import AccessEntry, AccessList, Ports
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config


def lists_of(text: str) -> tuple[AccessList, ...]:
    return read_facts(parse_config(text, "r1.cfg")).access_lists


def entry_of(words: str) -> AccessEntry:
    ((entry,),) = [known.entries for known in lists_of(f"access-list 101 {words}\n")]
    return entry


ADDRESSES = [
    pytest.param("ip any any", ("ip", "any", "any"), id="any"),
    pytest.param(
        "tcp host 10.0.0.1 host 10.0.0.2", ("tcp", "host 10.0.0.1", "host 10.0.0.2"), id="hosts"
    ),
    pytest.param(
        "udp 10.0.0.0 0.0.0.255 any", ("udp", "10.0.0.0 0.0.0.255", "any"), id="wildcard"
    ),
    pytest.param(
        "ip 10.0.0.1 0.0.0.0 0.0.0.0 255.255.255.255", ("ip", "host 10.0.0.1", "any"),
        id="a wildcard of zeros is a host, one of ones is any",
    ),
    pytest.param("17 any any", ("udp", "any", "any"), id="a protocol by its number"),
    pytest.param("gre any any", ("gre", "any", "any"), id="GRE"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), ADDRESSES)
def test_protocol_and_addresses(words: str, expected: tuple[str, str, str]) -> None:
    entry = entry_of(f"permit {words}")
    assert entry.understood
    assert (entry.protocol, entry.source, entry.destination) == expected


PORT_FORMS = [
    pytest.param("tcp any any eq www", (Ports(80, 80),), id="a name of TCP"),
    pytest.param("tcp any any eq telnet", (Ports(23, 23),), id="telnet"),
    pytest.param("udp any any eq domain", (Ports(53, 53),), id="a name of UDP"),
    pytest.param("udp any any range 16384 32767", (Ports(16384, 32767),), id="range"),
    pytest.param("tcp any any gt 1023", (Ports(1024, 65535),), id="gt"),
    pytest.param("tcp any any lt 1024", (Ports(0, 1023),), id="lt"),
    pytest.param("tcp any any neq 80", (Ports(0, 79), Ports(81, 65535)), id="neq"),
    pytest.param("tcp any any eq 2065 2067 www", tuple(Ports(p, p) for p in (2065, 2067, 80)), id="several"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "ports"), PORT_FORMS)
def test_destination_ports(words: str, ports: tuple[Ports, ...]) -> None:
    entry = entry_of(f"permit {words}")
    assert (entry.understood, entry.source_ports, entry.destination_ports) == (True, (), ports)


def test_source_ports() -> None:
    entry = entry_of("permit tcp host 192.168.70.2 range 30000 31000 host 192.168.73.3")
    assert (entry.source_ports, entry.destination_ports) == ((Ports(30000, 31000),), ())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param("ip any any dscp ef", (46, None, ()), id="DSCP by name"),
        pytest.param("ip any any dscp 46", (46, None, ()), id="DSCP by number"),
        pytest.param("ip any any precedence flash", (None, 3, ()), id="precedence by name"),
        pytest.param("ip any any precedence 5 log", (None, 5, ()), id="log changes nothing"),
        pytest.param("tcp any any established", (None, None, ("established",)), id="established"),
        pytest.param("ip any any tos min-delay", (None, None, ("tos 8",)), id="TOS by name"),
        pytest.param("icmp any any echo", (None, None, ("icmp echo",)), id="an ICMP type"),
        pytest.param("ip any any fragments", (None, None, ("fragments",)), id="fragments"),
    ],
)
def test_options(words: str, expected: tuple[int | None, int | None, tuple[str, ...]]) -> None:
    entry = entry_of(f"permit {words}")
    assert entry.understood
    assert (entry.dscp, entry.precedence, entry.narrowed_by) == expected


@pytest.mark.parametrize(
    "words",
    [
        "permit tcp object-group A any", "permit ip any any time-range WORK", "permit tcp any any lt 0",
        "permit udp any any eq nosuchport", "permit ip any any dscp 64", "permit ip 10.0.0.300 any",
        "permit tcp any any reflect R", "permit ip any", "dynamic X permit ip any any",
    ],
)  # fmt: skip
def test_an_entry_with_other_words_is_kept_and_not_understood(words: str) -> None:
    entry = entry_of(words)
    assert (entry.understood, entry.text) == (False, f"access-list 101 {words}")


@pytest.mark.parametrize(
    ("words", "source"),
    [
        pytest.param("permit 10.0.0.0 0.0.0.255", "10.0.0.0 0.0.0.255", id="wildcard"),
        pytest.param("permit 10.0.0.1", "host 10.0.0.1", id="a bare address is a host"),
        pytest.param("permit host 10.0.0.1 log", "host 10.0.0.1", id="host"),
        pytest.param("deny any", "any", id="any"),
    ],
)
@pytest.mark.parametrize("head", ["access-list 10 ", "ip access-list standard X\n "])
def test_standard_list(head: str, words: str, source: str) -> None:
    ((entry,),) = [known.entries for known in lists_of(f"{head}{words}\n")]
    assert (entry.understood, entry.source, entry.permit) == (True, source, "deny" not in words)


def test_the_lines_of_a_numbered_list_are_one_list_in_order() -> None:
    (found,) = lists_of(
        "access-list 101 remark voice\naccess-list 101 permit udp any any\n"
        "access-list 101 deny ip any any\n"
    )
    assert [(entry.permit, entry.at.line) for entry in found.entries] == [(True, 2), (False, 3)]


def test_sequence_numbers_order_the_entries() -> None:
    (found,) = lists_of(
        "ip access-list extended E\n 20 permit tcp any any\n 10 deny udp any any\n permit ip any any\n"
    )
    assert [entry.protocol for entry in found.entries] == ["udp", "tcp", "ip"]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(" no 10", id="by its number"),
        pytest.param(" no permit tcp any any", id="by its words"),
    ],
)
def test_no_removes_an_entry(line: str) -> None:
    (found,) = lists_of(
        f"ip access-list extended E\n 10 permit tcp any any\n 20 permit udp any any\n{line}\n"
    )
    assert [entry.protocol for entry in found.entries] == ["udp"]


def test_no_removes_a_list() -> None:
    assert lists_of("access-list 101 permit ip any any\nno access-list 101\n") == ()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("ipv6 access-list V6\n permit ipv6 any any\n", id="IPv6"),
        pytest.param("mac access-list extended M\n permit any any\n", id="MAC"),
        pytest.param("access-list 700 permit 0000.0000.0000 ffff.ffff.ffff\n", id="numbered MAC"),
    ],
)
def test_lists_of_other_families_are_known_by_name_and_not_understood(text: str) -> None:
    (found,) = lists_of(text)
    assert [entry.understood for entry in found.entries] == [False]


def test_what_is_no_list_of_entries_is_left_alone() -> None:
    assert lists_of("access-list rate-limit 1 5\nip access-list resequence E 10 10\n") == ()
