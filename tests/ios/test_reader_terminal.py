"""Bytes to text, and what a terminal does to a line."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.ios.syntax.reader import parse_config
from advisor.ios.terminal import decode, is_binary, render, text_of

MORE = " --More-- " + "\b" * 9 + " " * 8 + "\b" * 9


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        pytest.param(b"hostname R1\n", "hostname R1\n", id="ASCII"),
        pytest.param("description Zürich\n".encode(), "description Zürich\n", id="UTF-8"),
        pytest.param(b"description Z\xfcrich\n", "description Z\xfcrich\n", id="Latin-1"),
        pytest.param(b"\xef\xbb\xbfhostname R1\n", "hostname R1\n", id="a UTF-8 mark is no text"),
        pytest.param("hostname R1\n".encode("utf-16"), "hostname R1\n", id="UTF-16 by its mark"),
        pytest.param("hostname R1\n".encode("utf-16-le"), "hostname R1\n", id="UTF-16, little"),
        pytest.param("hostname R1\n".encode("utf-16-be"), "hostname R1\n", id="UTF-16, big"),
        pytest.param("hostname R1\n".encode("utf-32"), "hostname R1\n", id="UTF-32 by its mark"),
        pytest.param(b"\xff\xfeh", "\xff\xfeh", id="half a UTF-16 character is Latin-1"),
        pytest.param(b"", "", id="nothing"),
    ],
)
def test_text_of_bytes(payload: bytes, text: str) -> None:
    assert decode(payload)[0] == text


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        pytest.param(b"mtu 1500\r\0\nend\r\0\n", "mtu 1500\r\nend\r\n", id="line ends of telnet"),
        pytest.param(b"class-map match-any VO\0ICE\n", "class-map match-any VOICE\n", id="one NUL"),
        pytest.param(b"hostname R1\n" + b"\0" * 500, "hostname R1\n", id="padding at the end"),
        pytest.param(
            "hostname R1\n".encode("utf-16-le") + b"e", "hostname R1\ne", id="UTF-16, cut"
        ),
        pytest.param(b"\x7fELF\2\1\1\0", "\x7fELF\2\1\1\0", id="binary"),
    ],
)
def test_nul_is_not_shown(payload: bytes, text: str) -> None:
    assert text_of(payload) == text


@pytest.mark.parametrize(
    ("payload", "is_so"),
    [
        pytest.param(b"\x7fELF\2\1\1\0\0\0\0\0\0\0", True, id="a program"),
        pytest.param(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\2X", True, id="an image"),
        pytest.param(b"PK\3\4\x14\0\0\0\b\0 r1.cfg", True, id="an archive"),
        pytest.param(b"\0\0\0\0", True, id="nothing but NUL"),
        pytest.param(b"hostname R1\r\0\n!\r\0\n", False, id="a log of telnet"),
        pytest.param("hostname R1\n".encode("utf-16-le"), False, id="UTF-16 without a mark"),
        pytest.param(b"hostname R1\n", False, id="text"),
        pytest.param(b"", False, id="nothing"),
    ],
)
def test_binary_by_its_content(payload: bytes, is_so: bool) -> None:
    assert is_binary(payload) is is_so


@given(st.binary() | st.text().map(lambda text: text.encode("utf-16-be", "surrogatepass")))
def test_bytes_come_back_from_the_text(payload: bytes) -> None:
    text, encoding = decode(payload)
    assert text.encode(encoding) == payload


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_big_endian_text_reads_like_any_other(text: str) -> None:
    payload = "\ufeff".encode("utf-16-be") + text.encode("utf-16-be")
    assert decode(payload)[0].removeprefix("\ufeff") == text


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        pytest.param("mtu 1500", "mtu 1500", id="plain"),
        pytest.param(
            "mtu 1400\b\b\b500", "mtu 1500", id="a backspace moves left, typing overwrites"
        ),
        pytest.param("\b\bmtu", "mtu", id="the left margin holds"),
        pytest.param("% more\rmtu 15", "mtu 15", id="a carriage return goes back to the margin"),
        pytest.param("mtu 1500\r\r\n", "mtu 1500", id="carriage returns at the end are line ends"),
        pytest.param("\x1b[7m--More--\x1b[m\r\x1b[K mtu", " mtu", id="an escape sequence erases"),
        pytest.param("shut\x1b[2Ddo", "shdo", id="an escape sequence moves"),
        pytest.param("\x1b]0;title\amtu", "mtu", id="a window title is not shown"),
        pytest.param("mtu 1500\r\0\n", "mtu 1500", id="NUL is not shown"),
        pytest.param("mtu\x1b", "mtu", id="half an escape sequence is nothing"),
        pytest.param(f"{MORE} mtu 1500", " mtu 1500", id="the pager erases itself"),
    ],
)
def test_line_as_a_terminal_shows_it(line: str, shown: str) -> None:
    assert render(line).rstrip() == shown


@pytest.mark.parametrize(
    "pager",
    [
        pytest.param(MORE, id="with its backspaces"),
        pytest.param(" --More-- \r          \r", id="erased by a carriage return"),
        pytest.param(" --More--         ", id="with its backspaces lost"),
        pytest.param("\x1b[7m --More-- \x1b[m\r\x1b[K", id="in reverse video"),
    ],
)
def test_pager_before_a_line_changes_nothing(
    outline: Callable[[str], list[str]], pager: str
) -> None:
    text = f"interface A0\n{pager} mtu 1500\n{pager}interface B0\n"
    assert outline(text) == ["interface A0", " mtu 1500", "interface B0"]
    assert parse_config(text).text() == text


def test_lone_carriage_returns_before_lines_are_no_text(
    outline: Callable[[str], list[str]],
) -> None:
    text = "interface nve1 \n\r no ip address \n\r source-interface Loopback0 \n"
    assert outline(text) == ["interface nve1", " no ip address", " source-interface Loopback0"]
