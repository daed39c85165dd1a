"""What holds of the reader for any text."""

from itertools import accumulate
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from advisor.ios.syntax.reader import parse_config

pytestmark = pytest.mark.slow


# Pieces that texts of routers are made of, so that odd combinations of them are found too.
PIECES = st.sampled_from(
    [
        "interface Serial0/0", "policy-map P", "class A", "priority 64", "bandwidth 64", "!", "end",
        "exit", "quit", "banner motd ^C", "^C", "banner login #", "#", "macro name M", "@",
        "crypto pki certificate chain C", "certificate 01", "0A0B0C0D 01020304", "key-string",
        "R1#", "R1#show run", "R1(config-if)#mtu 1500", "R1(config)#", "% Invalid input", "^",
        " --More-- ", "\b\b", "\r", "\t", " ", "  ", "\n", "\r\n", "\n", "\x1b[K", "\ufeff", "\x0b",
        "Current configuration : 99999 bytes", "version 12.4", "router bgp 1", "address-family ipv4",
        "exit-address-family", "neighbor x", "no ", "default ", "ip ", "description é", "\x85",
    ]
)  # fmt: skip
TEXTS = st.text() | st.lists(PIECES, max_size=40).map("".join)
LINED = st.lists(PIECES | st.text(max_size=8), max_size=40).map("\n".join)
# Lines that open modes, belong to one, end one, or are global: in any order, without indentation.
FLAT = st.lists(
    st.sampled_from(
        [
            "router p", "router bgp 1", "interface Serial0/0", "policy-map P", "class A", "voice-port 0",
            "authentication", "compand-type", "scramble", "neighbor x", "priority 64", "mtu 1500",
            "no ip", "mpls", "hostname R", "zork", "exit", "end", "!", "!",
        ]
    ),
    min_size=4,
    max_size=10,
).map("\n".join)  # fmt: skip


@given(TEXTS | LINED | FLAT)
@example("banner motd ^C")
@example("a\n" * 3 + " b")
@example("router p\n!\nno ip\nauthentication")
def test_text_comes_back_from_the_tree(text: str) -> None:
    assert parse_config(text).text() == text


@given(TEXTS | LINED, st.integers(1, 1000))
def test_each_line_has_the_number_of_its_first_physical_line(text: str, first: int) -> None:
    lines = list(parse_config(text, first_line=first).walk())
    ends = accumulate((line.raw.count("\n") for line in lines), initial=first)
    assert [line.number for line in lines] == list(ends)[: len(lines)]


@given(TEXTS | LINED)
def test_no_text_has_blanks_at_its_ends(text: str) -> None:
    assert all(line.text == line.text.strip() for line in parse_config(text).walk())


@given(LINED)
def test_reading_twice_gives_the_same_tree(text: str) -> None:
    assert parse_config(text) == parse_config(text)


def test_depth_is_no_limit() -> None:
    text = "".join(" " * depth + "x\n" for depth in range(3000))
    assert sum(1 for _ in parse_config(text).walk()) == 3000


def reading_s(text: str) -> float:
    """CPU time of the faster of two readings."""
    times_s = []
    for _ in range(2):
        began_s = process_time()
        parse_config(text)
        times_s.append(process_time() - began_s)
    return min(times_s)


@pytest.mark.parametrize(
    ("head", "unit", "count"),
    [
        pytest.param("description ", "x", 250_000, id="a long line"),
        pytest.param("", "\b", 250_000, id="backspaces"),
        pytest.param("", "banner motd Hello\n", 5_000, id="banners that never end"),
        pytest.param("", "certificate 01\n", 5_000, id="certificates that never end"),
        pytest.param("", "% Invalid input\n", 5_000, id="refusals"),
    ],
)
def test_four_times_the_text_takes_less_than_ten_times_as_long(
    head: str, unit: str, count: int
) -> None:
    once_s, more_s = (reading_s(f"{head}{unit * count * times}\n") for times in (1, 4))
    assert more_s < 10 * once_s + 0.01
