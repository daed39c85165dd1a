"""No kind of secret is left, however its command is spelt, hidden, wrapped or printed."""

from collections.abc import Callable
from itertools import cycle

import pytest

from advisor.capture.masking import mask_line, mask_output_line, mask_quoted_line
from advisor.shows.redact import redact_text
from tests.masking.kinds import S, kinds

pytestmark = pytest.mark.slow
KINDS = kinds()


def _head(line: str) -> tuple[str, str]:
    """A command cut inside its first word, where characters can hide it."""
    return line[:2], line[2:]


WRAPPED: dict[str, Callable[[str], str]] = {
    "as it is": lambda line: line,
    "indented": lambda line: f"  {line}",
    "behind `no`": lambda line: f"no {line}",
    "in capitals": lambda line: line.replace(S, "\0").upper().replace("\0", S),
    "at a prompt": lambda line: f"r1(config)#{line}",
    "at a prompt with a blank": lambda line: f"r1(config-if)# {line}",
    "at an exec prompt": lambda line: f"r1#{line}",
    "behind `do`": lambda line: f"r1(config)#do {line}",
    "of an applet": lambda line: f' action 1.0 cli command "{line}"',
    "of Kron": lambda line: f" cli {line}",
    "of an alias": lambda line: f"alias exec x {line}",
    "of a menu": lambda line: f"menu m command 1 {line}",
    "logged by the archive": lambda line: (
        f"*Mar  1 00:00:01.000: %PARSER-5-CFGLOG_LOGGEDCMD: User:bob  logged command:{line}"
    ),
    "logged without a time": lambda line: f"%PARSER-5-CFGLOG_LOGGEDCMD: logged command:{line}",
    "behind a lone CR": lambda line: f"hostname r1\r{line}",
    "before a lone CR": lambda line: f"{line}\rhostname r1",
    "behind a form feed": lambda line: f"hostname r1\f{line}",
    "behind a vertical tab": lambda line: f"interface Serial0/0\v{line}",
    "behind NEL": lambda line: f"hostname r1\x85{line}",
    "behind a line separator": lambda line: f"hostname r1\u2028{line}",
    "behind a paragraph separator": lambda line: f"hostname r1\u2029{line}",
    "behind a file separator": lambda line: f"hostname r1\x1c{line}",
    "behind a record separator": lambda line: f"hostname r1\x1e{line}",
    "with a backspace": lambda line: "x\b".join(_head(line)),
    "with a colour": lambda line: "\x1b[31m".join(_head(line)),
    "all in a colour": lambda line: f"\x1b[1;31m{line}\x1b[0m",
    "with a zero-width blank": lambda line: "\u200b".join(_head(line)),
    "with a soft hyphen": lambda line: "\xad".join(_head(line)),
    "with a word joiner": lambda line: "\u2060".join(_head(line)),
    "with a byte-order mark": lambda line: "\ufeff".join(_head(line)),
    "with NUL": lambda line: "\0".join(_head(line)),
    "with no-break blanks": lambda line: line.replace(" ", "\xa0"),
    "with tabs": lambda line: line.replace(" ", "\t"),
    "with several blanks": lambda line: line.replace(" ", "   "),
    "in wide letters": lambda line: chr(ord(line[0]) + 0xFEE0) + line[1:],
    "behind the pager": lambda line: f" --More-- \b\b\b\b\b\b\b\b\b         {line}",
    "filtered": lambda line: f"r1#show running-config | include x\n{line}",
    "in an output": lambda line: f"r1#show interfaces\nSerial0/0 is up\n{line}",
    "in an output, behind a lone CR": lambda line: f"r1#show interfaces\nSerial0/0 is up\r{line}",
}

MASKS = (mask_line, mask_quoted_line, mask_output_line)


def _by_turns(turn: int) -> list[tuple[str, str]]:
    """Names of the kinds, each with its command: one in full, the next abbreviated."""
    return [(each[0], each[1 + (turn + at) % 2]) for at, each in enumerate(KINDS)]


@pytest.mark.parametrize("wrapped", WRAPPED)
def test_no_kind_of_secret_stays(wrapped: str) -> None:
    lines = [WRAPPED[wrapped](line) for _, line in _by_turns([*WRAPPED].index(wrapped))]
    texts = [f"version 12.4\nhostname r1\n!\n{line}\n!\nend\n" for line in lines]
    assert [text for text in texts if S in redact_text(text, "r1.txt")] == []


@pytest.mark.parametrize("wrapped", WRAPPED)
@pytest.mark.parametrize("mask", MASKS)
def test_no_quoted_line_holds_a_secret(wrapped: str, mask: Callable[[str], str]) -> None:
    turn = [*WRAPPED].index(wrapped) + MASKS.index(mask)
    lines = [WRAPPED[wrapped](line) for _, line in _by_turns(turn)]
    assert [line for line in lines for part in line.split("\n") if S in mask(part)] == []


NUMBER, WORD, ADDRESS, INTERFACE = "84736251", "cisco", "10.99.88.77", "gi9/8/7"
# What a kind may show: a syslog server is an address, and no secret.
SHOWN = {"logging by name": (ADDRESS,)}
SPELT: dict[str, Callable[[str], str]] = {
    "as it is": lambda line: line,
    "in capitals": str.upper,
    "with capitals": str.title,
    "behind `no`": lambda line: f"no {line}",
    "behind a number": lambda line: f"10 {line}",
    "at a prompt": lambda line: f"r1(config-if)#{line}",
    "at an exec prompt": lambda line: f"r1#{line}",
    "in an output": lambda line: f"r1#show interfaces\nSerial0/0 is up\n  {line}",
    "in an output of policies": lambda line: f"r1#show policy-map\n  Policy Map A\n    {line}",
    "behind `show version`": lambda line: f"{VERSION}{line}",
    "behind show controllers": lambda line: f"Interface Serial0/0\n {line}",
}
VERSION = (
    "Cisco IOS Software, 2800 Software (C2800NM-IPBASE-M), Version 12.4(15)T9\n\nversion 12.4\n"
)


SHAPES = (NUMBER, WORD, ADDRESS, INTERFACE, "7", "network", "any")
# Every shape as it is, and every other spelling with a number and one shape after the other.
PLAIN, *OTHERS = SPELT
PAIRS = [
    *((PLAIN, shape) for shape in SHAPES),
    *((spelling, NUMBER) for spelling in OTHERS),
    *zip(OTHERS, cycle(SHAPES[1:])),
]


@pytest.mark.parametrize(("spelling", "secret"), PAIRS)
@pytest.mark.parametrize("mask", [*MASKS, lambda text: redact_text(text, "x")])
def test_secret_of_the_shape_of_something_harmless_goes_too(
    mask: Callable[[str], str], spelling: str, secret: str
) -> None:
    left = []
    for name, text in _by_turns(PAIRS.index((spelling, secret))):
        around = SPELT[spelling](text.replace(S, "\0"))
        planted = around.replace("\0", secret)
        if secret not in SHOWN.get(name, ()) and mask(planted).count(secret) > around.count(secret):
            left.append(planted)
    assert left == []


def test_table_holds_many_kinds() -> None:
    assert len({name for name, _, _ in KINDS}) == len(KINDS)
    assert all(S in whole and S in short for _, whole, short in KINDS)
    assert len(KINDS) > 150
