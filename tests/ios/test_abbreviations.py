"""Abbreviations of keywords, in every mode whose commands are read."""

from collections.abc import Callable, Iterator

import pytest

from advisor.ios.edit.apply import apply
from advisor.ios.grammar import KEYWORDS, OLD_SPELLINGS, SUBCOMMANDS
from advisor.ios.syntax.abbreviations import doubt_about, spelled_out
from advisor.ios.syntax.detect import doubtful_lines
from advisor.ios.syntax.reader import parse_config

Outline = Callable[[str], list[str]]

# mode, as typed, in full
COMPLETED = [
    ("global", "int s0/2", "interface s0/2"),
    ("global", "pol-map WAN", "policy-map WAN"),
    ("global", "class-m match-an VOICE", "class-map match-any VOICE"),
    ("global", "map-cl frame WAN", "map-class frame-relay WAN"),
    ("global", "dls rem 0 tcp 10.0.0.1 keep 30", "dlsw remote-peer 0 tcp 10.0.0.1 keepalive 30"),
    ("global", "dlsw loc peer 10.0.0.2 prom", "dlsw local-peer peer-id 10.0.0.2 promiscuous"),
    ("global", "access-l 101 perm tcp an an eq 23", "access-list 101 permit tcp any any eq 23"),
    ("class-map", "mat ip ds ef", "match ip dscp ef"),
    ("class-map", "match acc na WEB", "match access-group name WEB"),
    ("policy-map-class", "prio perc 30", "priority percent 30"),
    ("policy-map-class", "band rem perc 20", "bandwidth remaining percent 20"),
    ("policy-map-class", "sh av 512000", "shape average 512000"),
    ("policy-map-class", "rand dscp-b", "random-detect dscp-based"),
    ("policy-map-class", "fair", "fair-queue"),
    ("policy-map-class", "que 40", "queue-limit 40"),
    ("policy-map-class", "set ip ds ef", "set ip dscp ef"),
    ("policy-map-class", "pol 64000 conf tr exc dr",
     "police 64000 conform-action transmit exceed-action drop"),
    ("interface", "band 512", "bandwidth 512"),
    ("interface", "no band", "no bandwidth"),
    ("interface", "default tx-r", "default tx-ring-limit"),
    ("interface", "ser-pol out WAN", "service-policy output WAN"),
    ("interface", "service-p o WAN", "service-policy output WAN"),
    ("interface", "enc ppp", "encapsulation ppp"),
    ("interface", "encap ppp", "encapsulation ppp"),
    ("interface", "encap dot1q 20", "encapsulation dot1Q 20"),
    ("interface", "encap frame", "encapsulation frame-relay"),
    ("interface", "class SLOW", "class-int SLOW"),
    ("interface", "tx-ring 3", "tx-ring-limit 3"),
    ("pvc", "encap aal5mux ppp dialer", "encapsulation aal5mux ppp dialer"),
    ("pvc", "service out WAN", "service-policy output WAN"),
    ("interface", "enc fram ietf", "encapsulation frame-relay ietf"),
    ("interface", "hold-q 100 o", "hold-queue 100 out"),
    ("interface", "clo ra 128000", "clock rate 128000"),
    ("interface", "ppp multi frag del 10", "ppp multilink fragment delay 10"),
    ("interface", "frame-r interface-d 102", "frame-relay interface-dlci 102"),
    ("interface", "dialer pool-m 1", "dialer pool-member 1"),
    ("interface", "ip rsv band 64", "ip rsvp bandwidth 64"),
    ("interface", "ip nh map gr G ser out P", "ip nhrp map group G service-policy output P"),
    ("pvc", "enc aal5m ip", "encapsulation aal5mux ip"),
    ("pvc", "ser out WAN", "service-policy output WAN"),
    ("pvc", "proto ppp dialer", "protocol ppp dialer"),
    ("vc-class", "tx-r 3", "tx-ring-limit 3"),
    ("map-class", "fra ci 64000", "frame-relay cir 64000"),
    ("map-class", "ser out WAN", "service-policy output WAN"),
    ("frame-relay-dlci", "cl WAN", "class WAN"),
    ("interface", "cry map CM", "crypto map CM"),
    ("interface", "tun so s 0/0", "tunnel source s 0/0"),
    ("interface", "tun dest 192.0.2.2", "tunnel destination 192.0.2.2"),
    ("interface", "tun mo gre mu", "tunnel mode gre multipoint"),
    ("interface", "tun prot ips prof DM sh", "tunnel protection ipsec profile DM shared"),
    ("interface", "tunnel path", "tunnel path-mtu-discovery"),
    ("interface", "no qos pre", "no qos pre-classify"),
    ("crypto-map", "s tr TS", "set transform-set TS"),
    ("crypto-map", "mat add 120", "match address 120"),
    ("crypto-map", "q p", "qos pre-classify"),
    ("transform-set", "mo tr", "mode transport"),
    ("global", "cry ips trans TS esp-aes 256 esp-sha256",
     "crypto ipsec transform-set TS esp-aes 256 esp-sha256-hmac"),
    ("global", "cry map CM 10 ipsec-i dyn DYN", "crypto map CM 10 ipsec-isakmp dynamic DYN"),
    ("global", "cry map CM loc Lo0", "crypto map CM local-address Lo0"),
    ("global", "no cry ips nat udp", "no crypto ipsec nat-transparency udp-encapsulation"),
    ("Interface", "band 512", "band 512"),
]  # fmt: skip


@pytest.mark.parametrize(("mode", "typed", "full"), COMPLETED)
def test_a_keyword_that_is_cut_short(mode: str, typed: str, full: str) -> None:
    assert spelled_out(mode, typed) == full


# What stays as it is typed: a name, an argument, a word that fits several keywords.
KEPT = [
    ("interface", "description band 512 ser out X"),
    ("interface", "service-policy output out"),
    ("interface", "tx 5"),
    ("interface", "serv out WAN"),
    ("interface", "cr map CM"),
    ("interface", "crypto map map"),
    ("interface", "dia pool 1"),
    ("interface", "encapsulation dot1Q 20 native"),
    ("global", "class-map match-a"),
    ("global", "policy-map ty"),
    ("global", "hostname int"),
    ("policy-map-class", "p 30"),
    ("policy-map-class", "service-policy out"),
    ("policy-map", "class cl"),
    ("global", "random-detect dscp-based"),
    ("interface", "bridge 1 protocol ieee"),
    ("pvc", "service timestamps debug datetime"),
]


@pytest.mark.parametrize(("mode", "typed"), KEPT)
def test_a_word_that_is_no_abbreviation_stays(mode: str, typed: str) -> None:
    assert spelled_out(mode, typed) == typed


def _first_keywords(mode: str) -> set[str]:
    rows = (row.split() for row in KEYWORDS[mode])
    return {word for row in rows if row for word in row[0].split("|")} - OLD_SPELLINGS


def _beginnings(mode: str) -> Iterator[tuple[str, str]]:
    """Each beginning that fits one first keyword of a mode, and that keyword.

    Left out are words that may be a command of global configuration, and there of any mode: text
    without indentation does not say which.
    """
    known = SUBCOMMANDS[mode] | _first_keywords(mode)
    modes = SUBCOMMANDS if mode == "global" else ("global",)
    elsewhere = frozenset().union(*(SUBCOMMANDS[other] for other in modes))
    for keyword in _first_keywords(mode):
        for length in range(2, len(keyword)):
            word = keyword[:length]
            fits = [other for other in known - OLD_SPELLINGS if other.startswith(word)]
            if fits == [keyword] and word not in elsewhere:
                yield word, keyword


@pytest.mark.parametrize("mode", sorted(set(KEYWORDS) - {"access-list"}))
def test_every_beginning_that_fits_one_keyword_is_completed(mode: str) -> None:
    expected = [f"{keyword} 1" for _, keyword in _beginnings(mode)]
    assert [spelled_out(mode, f"{word} 1") for word, _ in _beginnings(mode)] == expected


@pytest.mark.parametrize(
    ("mode", "typed", "keywords"),
    [
        ("interface", "tx-ring-limt 5", ("tx-ring-limit",)),
        ("interface", "max-reserved-bandwidht 90", ("max-reserved-bandwidth",)),
        ("interface", "servce-policy output WAN", ("service-policy",)),
        ("interface", "no bandwith", ("bandwidth",)),
        ("interface", "ip rvsp bandwidth 64", ("rsvp",)),
        ("interface", "frame-relay trafic-shaping", ("traffic-shaping",)),
        ("interface", "ppp multlink", ("multilink",)),
        ("policy-map-class", "prioritiy 64", ("priority",)),
        ("policy-map-class", "shape avrage 64000", ("average",)),
        ("class-map", "match acess-group 101", ("access-group",)),
        ("map-class", "frame-relay mincri 64000", ("mincir",)),
        ("pvc", "tx-ring-limti 3", ("tx-ring-limit",)),
        ("global", "dlsw remtoe-peer 0 tcp 10.0.0.1", ("remote-peer",)),
        ("global", "polciy-map WAN", ("policy-map",)),
        ("global", "class-map mach-any XX", ("match-any",)),
        ("global", "policy-map tpye inspect WEB", ("type",)),
        ("policy-map-class", "service-policy outptu WAN", ("output",)),
        ("interface", "service policy output WAN", ("service-policy",)),
        ("interface", "no service policy output", ("service-policy",)),
        ("policy-map-class", "random detect dscp-based", ("random-detect",)),
        ("global", "policy map WAN", ("policy-map",)),
    ],
)
def test_a_misspelt_keyword_has_a_nearest_one(
    mode: str, typed: str, keywords: tuple[str, ...]
) -> None:
    doubt = doubt_about(mode, typed)
    assert doubt is not None
    assert (doubt.keywords, doubt.ambiguous) == (keywords, False)


def test_a_word_that_fits_several_keywords_names_them_all() -> None:
    doubt = doubt_about("policy-map-class", "p 30")
    assert doubt is not None
    assert (doubt.keywords, doubt.ambiguous) == (("police", "priority"), True)


def test_a_keyword_that_is_cut_too_short_is_no_name_of_a_class_map() -> None:
    doubt = doubt_about("global", "class-map match-a EF")
    assert doubt is not None
    assert (doubt.keywords, doubt.ambiguous) == (("match-all", "match-any"), True)


@pytest.mark.parametrize(
    ("mode", "text"),
    [
        ("global", "class-map match-a"),
        ("policy-map", "class TYPES insert-before DATA"),
        ("pvc", "protocol ppp Virtual-Template1"),
        ("interface", "cdp enable"),
        ("interface", "ip ospf cost 10"),
        ("interface", "colour blue"),
        ("interface", "service instance 1 ethernet"),
        ("global", "service timestamps debug datetime"),
        ("global", "router ospf 1"),
        ("no such mode", "bandwith 512"),
    ],
)
def test_a_command_like_none_that_is_read_is_not_in_doubt(mode: str, text: str) -> None:
    assert doubt_about(mode, text) is None


SHORT = """\
class-m match-an VOICE
 mat ip ds ef
pol-map WAN
 cl VOICE
  prio perc 30
int s0/2
 band 512
 ser-pol out WAN
"""
FULL = [
    "class-map match-any VOICE",
    " match ip dscp ef",
    "policy-map WAN",
    " class VOICE",
    "  priority percent 30",
    "interface s0/2",
    " bandwidth 512",
    " service-policy output WAN",
]


def test_a_tree_has_full_words_and_prints_what_was_typed(outline: Outline) -> None:
    assert outline(SHORT) == FULL
    assert parse_config(SHORT).text() == SHORT


def test_short_words_without_indentation_nest_the_same(outline: Outline) -> None:
    assert outline("".join(line.lstrip() for line in SHORT.splitlines(keepends=True))) == FULL


def test_a_command_in_full_replaces_the_line_that_is_short() -> None:
    applied = apply(
        parse_config("int s0/2\n band 512\n tx-r 10\n"),
        parse_config("interface Serial0/2\n bandwidth 1024\n tx-ring-limit 3\n"),
    )
    assert applied.tree.text() == "int s0/2\n bandwidth 1024\n tx-ring-limit 3\n"


def test_no_in_short_takes_the_line_in_full_away() -> None:
    applied = apply(
        parse_config("interface Serial0/2\n bandwidth 512\n tx-ring-limit 3\n"),
        parse_config("int s0/2\n no tx-r\n"),
    )
    assert applied.tree.text() == "interface Serial0/2\n bandwidth 512\n"


def test_doubtful_lines_have_the_commands_around_them() -> None:
    tree = parse_config("interface ATM0\n pvc 0/100\n  tx-ring-limt 3\n")
    assert [(each.line.number, each.under) for each in doubtful_lines(tree.lines[0])] == [
        (3, ("interface ATM0", "pvc 0/100"))
    ]


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        pytest.param(
            "interface Serial0/0\n encapsulation ppp\n  servce-policy output WAN\n",
            ["servce-policy output WAN"],
            id="below a line of a port",
        ),
        pytest.param(
            "interface Serial0/0\n bandwidth 512\n   tx-ring-limt 3\n    fair-quue\n",
            ["tx-ring-limt 3"],
            id="below a line that is itself in doubt nothing is known",
        ),
        pytest.param(
            "policy-map P\n class C\n  bandwidth 256\n   radom-detect dscp-based\n",
            ["radom-detect dscp-based"],
            id="below an action of a class",
        ),
        pytest.param(
            "interface GigabitEthernet0/1\n service instance 1 ethernet\n  bandwith 3\n",
            [],
            id="a mode that is not known has no keywords",
        ),
        pytest.param(
            "router eigrp 1\n network 10.0.0.0\n  bandwith 3\n", [], id="nor one of a protocol"
        ),
    ],
)
def test_a_misspelt_line_that_is_indented_too_far_is_in_doubt(
    text: str, doubtful: list[str]
) -> None:
    (top,) = parse_config(text).lines
    assert [each.line.text for each in doubtful_lines(top)] == doubtful
