"""Texts that are typed at a prompt: IOS's own line below the command is no end of them."""

from pathlib import Path

import pytest

from advisor.capture.cuts import read_capture
from advisor.capture.masking import mask_command, mask_line
from advisor.cli import run
from advisor.device.reading import Source, read_source
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.settings import Settings
from advisor.shows.redact import redact_text
from tests.masking.kinds import S, kinds

ASKED = "Enter TEXT message.  End with the character '{}'."
TOLD = "zQ7w"  # no letter of a delimiter below


@pytest.mark.parametrize(
    ("command", "mark"),
    [
        pytest.param("banner motd #", "#", id="a banner"),
        pytest.param("banner motd c", "c", id="a delimiter that IOS's line has in a word"),
        pytest.param("banner exec ^C", "^C", id="a typed Control-C"),
        pytest.param("banner #", "#", id="a banner without its kind"),
        pytest.param("ban mot #", "#", id="a short command"),
        pytest.param("bann log e", "e", id="a delimiter that the mask's own word has"),
        pytest.param("banner incoming ^", "^", id="an incoming banner"),
        pytest.param("banner slip-ppp %", "%", id="a banner of SLIP"),
        pytest.param("banner prompt-timeout $", "$", id="a banner of a login that waits"),
        pytest.param("menu m title @", "@", id="a title of a menu"),
        pytest.param("vacant-message '", "'", id="a message, between quotes"),
        pytest.param("aaa authentication banner *", "*", id="a banner of AAA"),
    ],
)
@pytest.mark.parametrize("stamp", ["", "[12:00:01] "], ids=["plain", "stamped"])
def test_a_text_typed_below_ios_own_line_is_no_configuration(
    command: str, mark: str, stamp: str
) -> None:
    log = (
        f"r2#conf t\nr2(config)#{command}\n{ASKED.format(mark)}\nask for {TOLD}\n\nvlan {TOLD}\n"
        f"hostnam {TOLD}\n{mark}\nr2(config)#policy-map WAN\nr2(config-pmap)#end\nr2#\n"
    )
    log = "".join(f"{stamp}{line}\n" for line in log.splitlines())

    clean = redact_text(log, "r2.log")
    facts = read_source(Source("r2.log", log.encode()), Settings()).device.facts

    assert TOLD not in clean
    assert clean.count("\n") == log.count("\n")
    assert "policy-map WAN" in clean
    assert [policy.name for policy in facts.policy_maps] == ["WAN"]
    assert facts.hostname is None
    assert redact_text(clean, "r2.log") == clean


def test_a_macro_that_is_typed_ends_at_its_mark() -> None:
    log = (
        "r2(config)#macro name x\nEnter macro commands one per line. End with the character '@'.\n"
        f"policy-map {S}\n@\nr2(config)#policy-map WAN\nr2(config)#end\n"
    )
    facts = read_source(Source("r2.log", log.encode()), Settings()).device.facts
    assert S not in redact_text(log, "r2.log")
    assert [policy.name for policy in facts.policy_maps] == ["WAN"]


def test_a_short_bandwidth_opens_no_banner() -> None:
    text = "interface Serial0/0\n ban 512\n tx-ring-limit 5\n"
    (interface,) = read_facts(parse_config(text, "x")).interfaces
    assert interface.bandwidth_bps is not None
    assert redact_text(text, "r1.cfg") == text


@pytest.mark.parametrize(
    "dialogue",
    [
        (
            "r2#copy running-config ftp:",
            f"Address or name of remote host []? u:{S}@192.0.2.1",
            f"Destination filename [r2-confg]? {S}",
            f"Password: {S}",
        ),
        ("r2#enable", f"Password: {S}"),
        (
            f"r2(config)#crypto key import rsa x pem terminal {S}",
            "% Enter PEM-formatted public key or certificate.",
            S,
            "quit",
        ),
        (
            "r2(config)#crypto pki authenticate x",
            "Enter the base 64 encoded CA certificate.",
            S,
            "",
        ),
        ("r2(config)#username bob", f"Password: {S}", f"Confirm: {S}"),
    ],
    ids=["a copy", "enable", "an import of a key", "a certificate", "a password that is asked"],
)
def test_what_a_dialogue_asks_for_goes(
    dialogue: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = "r2#show clock\n09:00:00.0 UTC Fri Apr 18 2008\n" + "\n".join((*dialogue, "r2#", ""))
    file = tmp_path / "r2.log"
    file.write_text(log, "utf-8")
    run(["lint", "-v", str(file)])
    said = capsys.readouterr()

    assert S not in redact_text(log, "r2.log")
    assert S not in said.out + said.err
    assert read_capture(log, "r2.log").sections[0].command == "show clock"


@pytest.mark.parametrize("first", [1, 3, 5])
@pytest.mark.parametrize("others", [1, 4])
def test_no_abbreviation_of_a_kind_shows_its_secret(first: int, others: int) -> None:
    left = [
        mask_line(line)
        for _, whole, _ in kinds()
        if S in mask_line(line := _cut(whole, first, others))
    ]
    assert left == []


def _cut(command: str, first: int, others: int) -> str:
    """Cut the keywords ahead of the secret to so many letters."""
    words = command.split()
    secret = next(at for at, word in enumerate(words) if S in word)
    return " ".join(
        word
        if at >= secret or not word.replace("-", "").isalpha()
        else word[: first if at == 0 else others]
        for at, word in enumerate(words)
    )


@pytest.mark.parametrize(
    ("line", "masked"),
    [
        (f" ser {S}", " ser <removed>"),
        (f" ser 7 {S}", " ser <removed>"),
        (f" server-k {S}", " <removed>"),
        (f" ser-k {S}", " <removed>"),
        (" ser out WAN", " ser out WAN"),
        (" ser-pol out WAN", " ser-pol out WAN"),
        (" prio 128", " prio 128"),
        (" enc ppp", " enc ppp"),
    ],
)
def test_a_word_that_may_be_short_for_a_secret_shows_keywords_alone(line: str, masked: str) -> None:
    assert mask_line(line) == masked


@pytest.mark.parametrize(
    ("pattern", "shown"),
    [
        ("drops|Class", "drops|Class"),
        ("^ *Serial|queue", "^ *Serial|queue"),
        ("tiger", "<removed>"),
        ("drops|tiger", "<removed>"),
        ("drops|84736251", "<removed>"),
        ("drops tiger", "drops <removed>"),
        ("10.99.88.77", "<removed>"),
    ],
)
def test_of_a_pattern_stay_words_that_people_look_for(pattern: str, shown: str) -> None:
    command = "show policy-map interface | include "
    assert mask_command(command + pattern) == command + shown


def test_a_circuit_of_an_output_stays() -> None:
    line = " GigabitEthernet0/0/1: EFP 100"
    text = f"r1#show policy-map interface\n{line}\n\n  Service-policy output: SHAPE\n"
    assert redact_text(text, "r1.log") == text
