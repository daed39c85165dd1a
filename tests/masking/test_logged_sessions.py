"""Redaction sees the lines that readers see: stamps, messages and pagers hide no secret."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.capture.cuts import read_capture
from advisor.device.reading import Source, read_source
from advisor.settings import Settings
from advisor.shows.redact import redact_text
from tests.support.session_logs import MESSAGES, PAGERS, STAMPS, Block, Noise, log_of

NUMBER = "84736251"
CONFIG = (
    "version 12.4",
    f"enable secret 5 {NUMBER}",
    "hostname r1",
    f"username bob password 7 {NUMBER}",
    "banner motd ^C",
    f"ask bob for {NUMBER}",
    "^C",
    "interface Serial0/0",
    f" description the password of the far end of this long line is by the way {NUMBER}",
    f" ppp chap password 0 {NUMBER}",
    " tx-ring-limit 3",
    f"snmp-server community {NUMBER} RO",
    "crypto pki certificate chain x",
    " certificate 01",
    f"  30820122 {NUMBER}",
    "  quit",
    "end",
)
SHOWN = (
    "Serial0/0 is up, line protocol is up",
    f"  Description: the password of the far end of this long line is by the way {NUMBER}",
    "  MTU 1500 bytes, BW 64 Kbit, DLY 20000 usec,",
)
BLOCKS = (
    Block("r1", "show running-config", CONFIG),
    Block("r2", "show running-config", tuple(line.replace("r1", "r2") for line in CONFIG)),
    Block("r1", "show interfaces", SHOWN),
    Block("r1", f"enable {NUMBER}", ()),
    Block("r2", "show logging", (*MESSAGES, f"{MESSAGES[1]} by {NUMBER}")),
)
NOISES = st.builds(
    Noise,
    stamp=st.sampled_from(("", *STAMPS)),
    is_each_line_stamped=st.booleans(),
    pager=st.sampled_from(("", *PAGERS)),
    pager_lines=st.integers(1, 9),
    messages=st.lists(st.sampled_from((*MESSAGES, f"%SEC_LOGIN-5-X: by {NUMBER}")), max_size=3).map(
        tuple
    ),
    message_lines=st.integers(1, 9),
    line_end=st.sampled_from(("\n", "\r\n", "\r\r\n")),
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(NOISES, st.permutations(BLOCKS))
def test_no_secret_of_a_session_is_shown(noise: Noise, blocks: list[Block]) -> None:
    clean = redact_text(log_of(blocks, noise), "session.log")

    assert NUMBER not in clean
    assert redact_text(clean, "session.log") == clean


@pytest.mark.parametrize("pager", PAGERS)
@pytest.mark.parametrize(
    ("stamp", "messages"),
    [pytest.param("", MESSAGES[2:3], id="messages"), pytest.param(STAMPS[0], (), id="stamps")],
)
def test_a_masked_log_is_left_as_it_is(pager: str, stamp: str, messages: tuple[str, ...]) -> None:
    noise = Noise(stamp=stamp, pager=pager, pager_lines=1, messages=messages, message_lines=1)
    clean = redact_text(log_of(BLOCKS, noise), "session.log")

    assert redact_text(clean, "session.log") == clean


@pytest.mark.parametrize("stamp", STAMPS)
def test_what_stays_of_a_stamped_log_is_what_stays_without_stamps(stamp: str) -> None:
    stamped = redact_text(log_of(BLOCKS, Noise(stamp=stamp)), "session.log")
    plain = redact_text(log_of(BLOCKS, Noise()), "session.log")

    assert stamped.replace(stamp, "") == plain


@pytest.mark.parametrize("stamp", STAMPS)
def test_redacted_log_has_the_commands_of_the_log(stamp: str) -> None:
    log = log_of(BLOCKS, Noise(stamp=stamp, messages=MESSAGES))
    before, after = (
        read_capture(text, "session.log").sections
        for text in (log, redact_text(log, "session.log"))
    )

    assert [section.kind for section in after] == [section.kind for section in before]
    assert [section.host for section in after] == [section.host for section in before]


def test_a_configuration_typed_in_short_is_read_without_the_password() -> None:
    session = (
        "r1>en\nPassword: example-word\nr1#conf t\n"
        "Enter configuration commands, one per line.  End with CNTL/Z.\n"
        "r1(config)#policy-m WAN\nr1(config-pmap)#cl VOICE\nr1(config-pmap-c)#prio 128\n"
        "r1(config-pmap-c)#int s0/0/0\nr1(config-if)#band 512\nr1(config-if)#service-p out WAN\n"
        "r1(config-if)#^Z\nr1#wr\nBuilding configuration...\n[OK]\nr1#\n"
    )
    reading = read_source(Source("r1.txt", session.encode()), Settings())
    facts = reading.device.facts
    assert [policy.name for policy in facts.policy_maps] == ["WAN"]
    assert (facts.qos_lines_seen, facts.qos_lines_understood) == (5, 5)
    assert "example-word" not in facts.tree.text()
    assert "example-word" not in redact_text(session, "r1.txt")
