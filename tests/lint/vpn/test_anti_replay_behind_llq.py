"""VPN001: packets that IPsec dropped because an LLQ let others overtake them, or may drop."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.vpn import ReplayLossParams
from advisor.lint.findings import Severity
from tests.support.devices import device_of, device_read
from tests.support.verdicts import hit_of, hits_of

ANTI_REPLAY_BEHIND_LLQ = CHECKS["anti-replay-behind-llq"]
PARAMS = ReplayLossParams(seldom_percent=0.1)

SESSION = (
    "r1#show running-config\nBuilding configuration...\n\nCurrent configuration : 200 bytes\n!\n"
    "version 15.4\n!\nhostname r1\n!\n{window}interface Tunnel0\n ip address 10.9.0.1 255.255.255.0\n"
    "!\nend\nr1#show crypto ipsec sa{detail}\n{output}r1#\n"
)
TUNNEL = (
    "\ninterface: Tunnel0\n    Crypto map tag: T-head-0, local addr 192.0.2.1\n\n"
    "   current_peer 192.0.2.9 port 500\n    #pkts decaps: 9000, #pkts decrypt: 9000\n{counter}"
    "\n     outbound pcp sas:\n"
)
FAILED = "    ##pkts replay failed (rcv): {0}\n"
SUPPORT = "        replay detection support: Y  replay window size: {0}\n"
WINDOW = "crypto ipsec security-association replay window-size {0}\n!\n"


def session(output: str, window: str = "", detail: str = " detail") -> str:
    return SESSION.format(window=window, detail=detail, output=output)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(session(TUNNEL.format(counter=FAILED.format(7))), (True, "of 64 packets"),
                     id="the default window"),
        pytest.param(session(TUNNEL.format(counter=FAILED.format(7)), WINDOW.format(1024)),
                     (False, "than the window holds"), id="a window that is as long as it gets"),
        pytest.param(session(TUNNEL.format(counter=FAILED.format(0))), None, id="nothing is lost"),
        pytest.param(session(TUNNEL.format(counter=""), detail=""), None,
                     id="the form that does not print the counter"),
        pytest.param(session("\nNo SAs found\n"), None, id="no associations"),
        pytest.param(session(TUNNEL.format(counter=FAILED.format(7) + SUPPORT.format(512))),
                     (True, "beside 9000 that it took, that came later than the window of 512"), id="the window that the association has"),
        pytest.param(session(TUNNEL.format(counter=FAILED.format(7) + SUPPORT.format(1024))),
                     (False, "of 1024 packets"), id="an association whose window is the longest"),
        pytest.param(session(TUNNEL.format(counter=FAILED.format(7)),
                             detail=" peer 192.0.2.9 detail"), (True, "7 packets"), id="one peer"),
        pytest.param(session(TUNNEL.format(counter=FAILED.format(7))
                             + "r1#show crypto ipsec sa peer 192.0.2.9 detail\n"
                             + TUNNEL.format(counter=FAILED.format(9))), (True, "9 packets"),
                     id="the last one of two outputs"),
        pytest.param(session("interface: Tunnel0\n" + FAILED.format(7),
                             detail=" detail | include interface:|replay failed"),
                     (True, "7 packets"), id="a filter that leaves the interface"),
    ],
)  # fmt: skip
def test_drops_are_told(text: str, found: tuple[bool, str] | None) -> None:
    device = device_read(text)
    hits = hits_of(ANTI_REPLAY_BEHIND_LLQ.find(device, PARAMS))

    assert device.gaps == ()
    assert [(hit.curable, found is not None and found[1] in hit.evidence.said) for hit in hits] == (
        [] if found is None else [(found[0], True)]
    )


LLQ = (
    "version 15.4\nhostname r1\ncrypto ipsec transform-set T esp-aes esp-sha-hmac\n"
    "crypto ipsec profile V\n set transform-set T\nclass-map match-any VOICE\n match ip dscp ef\n"
    "policy-map EDGE\n class VOICE\n  priority {kbps}\n class class-default\n"
    "  bandwidth {rest}\n  queue-limit {limit}\n"
    "interface Serial0/0\n ip address 198.51.100.1 255.255.255.252\n encapsulation ppp\n"
    " clock rate 1000000\n bandwidth 1000\n service-policy output EDGE\n"
    "interface Tunnel0\n ip address 10.9.0.1 255.255.255.0\n tunnel source Serial0/0\n"
    " tunnel destination 198.51.100.9\n{more} tunnel protection ipsec profile V\n"
)


@pytest.mark.parametrize(
    ("kbps", "rest", "limit", "more", "is_found"),
    [
        pytest.param(300, 400, 64, "", True, id="five calls while 64 packets go at 400 kb/s"),
        pytest.param(60, 400, 64, "", False, id="one call is within the window"),
        pytest.param(300, 400, 8, "", False, id="a short queue"),
        pytest.param(300, 400, 64, " ip nhrp map multicast dynamic\n", False,
                     id="a hub has a window with each spoke"),
    ],
)  # fmt: skip
def test_an_llq_before_a_port_with_ipsec(
    kbps: int, rest: int, limit: int, more: str, is_found: bool
) -> None:
    device = device_of(LLQ.format(kbps=kbps, rest=rest, limit=limit, more=more))
    hits = hits_of(ANTI_REPLAY_BEHIND_LLQ.find(device, PARAMS))

    assert [(hit.severity, hit.curable) for hit in hits] == [(Severity.INFO, False)] * is_found


def test_the_numbers_by_hand() -> None:
    device = device_of(LLQ.format(kbps=300, rest=400, limit=64, more=""))
    said = hit_of(ANTI_REPLAY_BEHIND_LLQ.find(device, PARAMS)).evidence.said

    # 64 packets of 1504 bytes at 400 kb/s; 300 / (156 * 0.4) = 4 calls, a packet each in 20 ms.
    assert "up to 1925 ms" in said
    assert "up to 385 packets of VOICE with 4 calls" in said


def test_a_counter_ahead_of_a_cut_is_told_and_the_cut_too() -> None:
    text = session(TUNNEL.format(counter=FAILED.format(7)).partition("\n     outbound")[0] + "\n")
    device = device_read(text)

    assert "7 packets" in hit_of(ANTI_REPLAY_BEHIND_LLQ.find(device, PARAMS)).evidence.said
    assert [part.is_cut for taken in device.seen.taken for part in taken.declined] == [True]


def test_drops_of_no_known_interface_are_no_finding() -> None:
    device = device_read(session(FAILED.format(7), detail=" detail | include replay failed"))

    assert hits_of(ANTI_REPLAY_BEHIND_LLQ.find(device, PARAMS)) == []
    assert [(taken.is_read, taken.counts) for taken in device.seen.taken] == [(False, True)]


@pytest.mark.parametrize(
    ("failed", "severity"),
    [
        pytest.param(9, Severity.INFO, id="9 of 9009 are below 0.1 percent"),
        pytest.param(10, None, id="10 of 9010 are not"),
    ],
)
def test_a_loss_that_is_seldom_is_information(failed: int, severity: Severity | None) -> None:
    device = device_read(session(TUNNEL.format(counter=FAILED.format(failed))))

    assert hit_of(ANTI_REPLAY_BEHIND_LLQ.find(device, PARAMS)).severity == severity


LOGGED = (
    "r1#show logging{filter}\n"
    "*Mar  3 10:22:01.123: %CRYPTO-4-PKT_REPLAY_ERR: decrypt: replay check failed connection id=2\n"
    "*Mar  3 10:23:04.007: %LINEPROTO-5-UPDOWN: Line protocol on Interface Serial0/0, changed state\n"
    "*Mar  3 10:24:09.120: %IPSEC-3-REPLAY_ERROR: IPSec SA receives anti-replay error\nr1#\n"
)
SECURED = (
    "r1#show running-config\nversion 15.4\nhostname r1\ncrypto ipsec profile V\n"
    "interface Tunnel0\n ip address 10.9.0.1 255.255.255.0\n tunnel source Serial0/0\n"
    " tunnel destination 192.0.2.9\n tunnel protection ipsec profile V\n"
    "interface Serial0/0\n ip address 192.0.2.1 255.255.255.252\nend\n"
)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        pytest.param(SECURED + LOGGED.format(filter=""), "interface Tunnel0", id="one tunnel"),
        pytest.param(LOGGED.format(filter=" | include REPLAY"), "logging", id="no configuration"),
    ],
)
def test_messages_of_the_log_tell_of_drops(text: str, subject: str) -> None:
    hit = hit_of(ANTI_REPLAY_BEHIND_LLQ.find(device_read(text), PARAMS))

    assert (hit.object, hit.severity) == (subject, None)
    assert "2 messages of the log" in hit.evidence.said


def test_counters_come_before_messages() -> None:
    counted = session(TUNNEL.format(counter=FAILED.format(700)))
    hit = hit_of(
        ANTI_REPLAY_BEHIND_LLQ.find(device_read(counted + LOGGED.format(filter="")), PARAMS)
    )

    assert "dropped 700 packets" in hit.evidence.said


def test_a_log_without_such_messages_is_silent() -> None:
    text = "r1#show logging\n*Mar  3 10:23:04.007: %LINEPROTO-5-UPDOWN: Line protocol\nr1#\n"

    assert hits_of(ANTI_REPLAY_BEHIND_LLQ.find(device_read(text), PARAMS)) == []


@pytest.mark.parametrize("prompt", ["r1#show logging\n", ""], ids=["after its prompt", "pasted"])
def test_the_image_in_a_message_of_a_restart_is_no_output(prompt: str) -> None:
    text = (
        f"{prompt}Syslog logging: enabled (0 messages dropped, 2 messages rate-limited)\n\n"
        "000050: Dec  2 12:09:25.715: %SYS-5-RESTART: System restarted --\n"
        "Cisco IOS Software, C2900 Software (C2900-UNIVERSALK9-M), Version 15.2(1)T1, RELEASE\n"
        "Copyright (c) 1986-2011 by Cisco Systems, Inc.\n"
        "000051: Dec  2 12:11:25.719: %CRYPTO-4-PKT_REPLAY_ERR: decrypt: replay check failed\n"
    )
    device = device_read(text)

    assert [(taken.command, taken.understood) for taken in device.seen.taken] == [
        ("show logging", True)
    ]
    assert [messages.messages for messages in device.seen.replay_messages] == [1]
