"""What holds of the reader for any text."""

from itertools import accumulate

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from advisor.ios.reader import parse_config

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


@given(TEXTS | LINED)
@example("banner motd ^C")
@example("a\n" * 3 + " b")
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


def test_long_lines_and_many_openers_take_linear_time() -> None:
    parse_config("description " + "x" * 1_000_000 + "\n")
    parse_config("\b" * 1_000_000)
    parse_config("banner motd Hello\n" * 20_000)
    parse_config("certificate 01\n" * 20_000 + "% Invalid input\n" * 20_000)
