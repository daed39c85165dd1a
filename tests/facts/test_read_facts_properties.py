"""Any text gives facts, with every number within its bounds."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from advisor.facts.config import Facts
from advisor.facts.read_config import read_facts
from advisor.ios.syntax import ConfigTree, Line, LineKind
from advisor.ios.syntax.reader import parse_config
from tests.support.outside import CORPUS, needs

pytestmark = pytest.mark.slow


WORDS = """
interface Serial0/0 ATM1/0.1 Se0/0:0 range controller T1 E1 channel-group timeslots 1-24 speed 64
class-map match-any match-all type inspect C match not dscp ef precedence access-group name any cos
policy-map P class class-default priority percent level bandwidth remaining ratio shape average peak
police cir rate pir bc be conform-action exceed-action transmit drop queue-limit packets ms bytes
fair-queue random-detect dscp-based aggregate values minimum-thresh exponential-weighting-constant ecn
set ip service-policy input output tx-ring-limit hold-queue out in pvc 0/100 vbr-nrt ubr cbr class-vc
class-int vc-class atm map-class frame-relay interface-dlci class cir fragment end-to-end ppp multilink
group delay interleave encapsulation mtu clock load-interval priority-group access-list 101 extended
standard permit deny tcp udp host 10.0.0.1 0.0.0.255 eq range www remark log sla monitor rtr icmp-echo
udp-jitter timeout frequency type echo protocol dlsw remote-peer tcp source-bridge ring-group hostname
version license udi pid boot system flash c2800nm-ipbase-mz.124-3.bin cef no default description
local-peer peer-id promiscuous lf backup-peer linger keepalive group border cost no-llc bgroup-list
ring-list rings bridge bridge-group sdlc interface disable tos map high
control-plane ! insert-before 0 1 7 8 64 512 9999999999999999999999 -1 3.5 10m ² ٣ 1/ /1 : . 1- ,
"""
VOCABULARY = WORDS.split()

LINES = st.builds(
    lambda indent, words: " " * indent + " ".join(words),
    st.integers(0, 3),
    st.lists(st.sampled_from(VOCABULARY), max_size=8),
)
# Heads with bodies of one vocabulary, so that deep readers are reached.
HEADS = st.sampled_from(
    [
        "interface Serial0/0", "class-map C", "policy-map P\n class C", "map-class frame-relay F",
        "vc-class atm V", "controller T1 0/0", "ip access-list extended E", "ip sla 1", "dlsw remote-peer 0 tcp 10.0.0.1", "dlsw local-peer",
        "interface ATM1/0\n pvc 0/100", "policy-map P\n class C\n  police cir 8000",
    ]
)  # fmt: skip
TEXTS = st.builds(
    lambda sections: "\n".join("\n".join((head, *body)) for head, body in sections),
    st.lists(st.tuples(HEADS, st.lists(LINES, max_size=6)), max_size=5),
)


def numbers_in(facts: Facts) -> list[tuple[float | None, float]]:
    """Numbers of facts beside the highest that makes sense."""
    found: list[tuple[float | None, float]] = []
    for interface in facts.interfaces:
        for stated, highest in (
            (interface.bandwidth_bps, 1e12),
            (interface.clock_rate_bps, 1e9),
            (interface.tx_ring_limit, 65535),
            (interface.mtu_bytes, 65535),
            (interface.max_reserved_percent, 100),
        ):
            found.append((stated.value if stated else None, highest))
        found += [(pvc.vci, 65535) for pvc in interface.pvcs]
    for policy in facts.policy_maps:
        for each in policy.classes:
            rows = each.wred.profiles if each.wred else ()
            found += [(row.code, 63) for row in rows]
    for known in facts.access_lists:
        for entry in known.entries:
            found += [(entry.dscp, 63), (entry.precedence, 7)]
            found += [(ports.high, 65535) for ports in entry.destination_ports]
    return found


def contradictions(facts: Facts) -> list[str]:
    """What is wrong with facts by themselves: lines that are lost, and numbers out of their range."""
    counts = (facts.qos_lines_seen, facts.qos_lines_understood, len(facts.unread))
    lost = counts[0] - counts[1] - counts[2]
    return [f"{lost} of {counts[0]} lines are neither understood nor unread"] * (lost != 0) + [
        f"{number} is not within 0 and {highest}"
        for number, highest in numbers_in(facts)
        if number is not None and not 0 <= number <= highest
    ]


@settings(max_examples=200, deadline=None)
@given(TEXTS)
@example(
    "interface\nclass-map\npolicy-map\nip\nno\nno ip\naccess-list\ncontroller\ndlsw\nrtr\nboot"
)
def test_texts_of_ios_words_give_facts(text: str) -> None:
    assert contradictions(read_facts(parse_config(text, "any"))) == []


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_any_text_gives_facts(text: str) -> None:
    assert contradictions(read_facts(parse_config(text, "any"))) == []


def trees() -> st.SearchStrategy[ConfigTree]:
    leaf = st.builds(lambda line: Line(line.strip() or "no", 1, line), LINES)
    nested = st.recursive(
        leaf,
        lambda inner: st.builds(
            lambda line, children: Line(
                line.strip() or "no", 1, line, LineKind.COMMAND, tuple(children)
            ),
            LINES,
            st.lists(inner, max_size=3),
        ),
        max_leaves=8,
    )
    return st.builds(lambda lines: ConfigTree("any", tuple(lines)), st.lists(nested, max_size=4))


@settings(max_examples=200, deadline=None)
@given(trees())
def test_any_tree_gives_facts(tree: ConfigTree) -> None:
    assert contradictions(read_facts(tree)) == []


@needs(CORPUS)
@pytest.mark.parametrize("folder", ["ios", "fragments", "lookalike"])
def test_every_config_of_the_corpus_gives_facts(folder: str) -> None:
    paths = [path for path in (CORPUS / "configs" / folder).rglob("*") if path.is_file()]
    assert paths
    for path in paths:
        facts = read_facts(parse_config(path.read_text("latin-1"), path.name))
        assert contradictions(facts) == [], path.name


@needs(CORPUS)
def test_whole_routers_of_the_corpus_have_no_unread_line() -> None:
    for path in sorted((CORPUS / "configs/ios").iterdir()):
        facts = read_facts(parse_config(path.read_text("latin-1"), path.name))
        assert facts.unread == (), path.name
