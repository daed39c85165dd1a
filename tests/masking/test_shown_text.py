"""What redaction reads is what a terminal shows, at every line end."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.capture.masking import mask_line, mask_quoted_line, redact_config
from advisor.capture.masking.words import segments, shown
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.shows.redact import redact_text

S = "S3ntinelQ7"
ENDS = [
    "\r",
    "\v",
    "\f",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x85",
    "\u2028",
    "\u2029",
    "\n",
    "\r\n",
    "\r\r\n",
]


@pytest.mark.parametrize("end", ENDS, ids=ascii)
def test_file_of_any_line_end_is_redacted_and_keeps_its_line_ends(end: str) -> None:
    lines = ["hostname r1", f"enable secret 0 {S}", f"banner motd #{S}", f"class {S}", "#", "end"]
    clean = redact_text(end.join(lines), "r1.cfg")
    assert S not in clean
    assert [part for part, _ in segments(clean)] == [
        *("hostname r1", "enable secret <removed>", "banner motd #<removed>", "<removed>"),
        *("<removed>#", "end"),
    ]
    assert clean.count(end) == len(lines) - 1


@pytest.mark.parametrize(
    ("segment", "seen"),
    [
        pytest.param("ena\bble", "enble", id="a backspace overwrites"),
        pytest.param("enaX\bble", "enable", id="a letter that was corrected"),
        pytest.param("\x1b[1;31menable\x1b[0m", "enable", id="colours"),
        pytest.param("\x1b]0;title\aenable", "enable", id="the title of a window"),
        pytest.param("en\x00ab\x07le", "enable", id="NUL and bell"),
        pytest.param("en\u200bab\u200dle", "enable", id="zero-width characters"),
        pytest.param("en\u00adable", "enable", id="a soft hyphen"),
        pytest.param("\ufeffenable", "enable", id="a byte-order mark"),
        pytest.param("enable\xa0x", "enable x", id="a no-break blank"),
        pytest.param("enable\u3000x", "enable x", id="an ideographic blank"),
        pytest.param("\uff45nable", "enable", id="a wide letter"),
        pytest.param("e\u0301nable", "\xe9nable", id="an accent stays a letter of its own"),
        pytest.param("banner motd \x03", "banner motd ^C", id="control-C of a banner"),
        pytest.param("interface\tSerial0/0", "interface\tSerial0/0", id="a tab stays"),
    ],
)
def test_segment_is_read_as_it_is_shown(segment: str, seen: str) -> None:
    assert shown(segment) == seen


@pytest.mark.parametrize(
    "opening",
    [
        *("banner motd ^C", "banner  motd  ^C", "banner\tmotd ^C", "ban mot ^C", "BANNER MOTD ^C"),
        *("Banner Login ^C", "banner ^C", "banner exec \x03", "banner motd \x1b[1m^C", "bann e ^C"),
        *("r1(config)#banner motd ^C", "r1(config)#ban m ^C", "banner incoming $", "ban inc %"),
        *(
            "banner slip-ppp /",
            "banner prompt-timeout !",
            "banner config-save ~",
            "vacant-message &",
        ),
        *("menu m title ^C", "aaa authentication fail-message *", "busy-message h +"),
    ],
)
def test_banner_of_any_spelling_leaves_none_of_its_lines(opening: str) -> None:
    mark = "^C" if "^C" in opening or "\x03" in opening else opening[-1]
    text = f"hostname r1\n{opening}\n class {S}\n policy-map {S}\n hostname {S} {mark}\nend\n"
    clean = redact_text(text, "r1.cfg")
    assert S not in clean
    assert clean.count("\n") == text.count("\n")
    assert clean.endswith("\nend\n")


@pytest.mark.parametrize(
    "line",
    [
        "hostname r1",
        " --More-- \b\b\b\b\b\b\b\b\b         \b\b\b\b\b\b\b\b\b bandwidth 512",
        " bandwidth 512\x1b[K",
        " band\u200bwidth 512",
    ],
)
def test_no_control_character_is_carried_over(line: str) -> None:
    clean = redact_text(f"interface Serial0/0\n{line}\nend\n", "r1.cfg")
    assert clean.replace("\n", "").isprintable()


@given(st.text(max_size=200))
def test_every_line_end_stays_where_it_was(text: str) -> None:
    ends = [end for _, end in segments(text) if end]
    assert [end for _, end in segments(redact_config(text)) if end] == ends


@given(
    st.text(
        alphabet=st.sampled_from("abeilnrs \t\r\b\x1b[m#>!^C0123:/.-\n\v\u200b\x85"), max_size=120
    )
)
def test_what_is_masked_stays_as_it_is_when_it_is_masked_again(text: str) -> None:
    once = redact_config(text)
    assert redact_config(once) == once


def test_configuration_whose_lines_a_terminal_corrects_is_read_the_same() -> None:
    text = "interface Serial0/0\n bandX\bwidth 512\n tx-ring-limit\xa03\nend\n"
    plain = "interface Serial0/0\n bandwidth 512\n tx-ring-limit 3\nend\n"
    clean = read_facts(parse_config(redact_config(text), "x"))
    assert clean.interfaces == read_facts(parse_config(plain, "x")).interfaces


LONG: dict[str, Callable[[int], str]] = {
    "words": lambda size: "a " * size,
    "a login at every word": lambda size: "a:b@c " * size,
    "colons": lambda size: "a:" * size,
    "hexadecimal words": lambda size: "0123abcd " * size,
    "hashes": lambda size: "$a$" * size,
    "numbers behind a command": lambda size: "permit " + "1 " * size,
    "one word": lambda size: "a" * size,
    "prompts": lambda size: "r1(config)#" * size,
    "a prompt": lambda size: "r" * size + "#",
    "blanks": lambda size: " " * size + "x",
    "backspaces": lambda size: "a\b" * size,
    "colours": lambda size: "\x1b[31m" * size,
    "commands": lambda size: "banner motd " * size,
    "dots": lambda size: "1." * size,
}


@pytest.mark.parametrize("long", LONG.values(), ids=LONG)
@pytest.mark.parametrize("mask", [mask_line, mask_quoted_line])
def test_time_grows_with_the_length_of_a_line_and_not_with_its_square(
    mask: Callable[[str], str], long: Callable[[int], str]
) -> None:
    def seconds(size: int) -> float:
        line = long(size)
        best = float("inf")
        for _ in range(3):
            start = time.thread_time()
            mask(line)
            best = min(best, time.thread_time() - start)
        return best

    # 16 times the length: a square would take 256 times as long
    assert seconds(64_000) < 128 * max(seconds(4_000), 2e-4)


def test_a_long_word_is_compared_with_no_keyword() -> None:
    start = time.thread_time()
    mask_line(f"r1#show controllers {'a' * 64_000}")
    assert time.thread_time() - start < 2  # letter by letter it takes far longer
