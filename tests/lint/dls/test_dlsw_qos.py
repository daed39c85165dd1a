"""DLS004 and DLS009: the queue that DLSw+ travels in."""

from typing import Any

import pytest

from advisor.device.device import Device
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, NoParams, Skip
from advisor.lint.findings import Confidence
from advisor.lint.site import remedy_lines
from tests.support.devices import device_read
from tests.support.verdicts import hit_of, hits_of

DLSW_IN_VOICE_QUEUE = CHECKS["dlsw-in-voice-queue"]
DLSW_NOT_CLASSIFIED = CHECKS["dlsw-not-classified"]

PEER = "dlsw local-peer peer-id 10.9.0.1\ndlsw remote-peer 0 tcp {peer}\n"
OPEN = "dlsw local-peer peer-id 10.9.0.1 promiscuous\n"
PORT = " service-policy output EDGE\n"


def router(
    matches: str, action: str, *, dlsw: str = PEER, port: str = PORT, shown: str = ""
) -> Device:
    text = (
        "r1#show running-config\nhostname r1\n"
        f"class-map match-any C\n{matches}"
        f"policy-map EDGE\n class C\n  {action}\n class class-default\n  fair-queue\n"
        "access-list 101 permit tcp any any eq 2065\n"
        "access-list 102 permit tcp any any eq 2065\naccess-list 102 permit tcp any any eq 1981\n"
        "access-list 102 permit tcp any any eq 1982\naccess-list 102 permit tcp any any eq 1983\n"
        "access-list 103 permit tcp any eq telnet any\naccess-list 104 permit tcp any eq 2065 any\n"
        f"{dlsw.format(peer='10.0.0.1')}"
        "interface Serial0/0\n bandwidth 2000\n ip address 10.9.0.1 255.255.255.252\n"
        f" clock rate 2000000\n{port}end\n{shown}r1#\n"
    )
    return device_read(text)


def seen(*, drops: int = 0, load: int = 10) -> str:
    return (
        "r1#show interfaces\nSerial0/0 is up, line protocol is up\n"
        "  Hardware is PowerQUICC Serial\n  MTU 1500 bytes, BW 2000 Kbit, DLY 20000 usec,\n"
        f"     reliability 255/255, txload {load}/255, rxload 3/255\n"
        f"  Input queue: 0/75/0/0 (size/max/drops/flushes); Total output drops: {drops}\n"
    )


BY_PRECEDENCE, BY_CS5, BY_EF = " match ip precedence 5\n", " match dscp cs5\n", " match dscp ef\n"
BY_PORT, BY_NBAR = " match access-group 101\n", " match protocol dlsw\n"
BY_FOUR_PORTS = " match access-group 102\n"
LLQ = "priority 256"
MAPPED = PEER + "dlsw tos map high 2 medium 2 normal 2 low 2\n"
TO_2 = "dlsw tos map high 2 medium 2 normal 2 low 2"


@pytest.mark.parametrize(
    ("matches", "action", "dlsw", "expected"),
    [
        pytest.param(BY_PRECEDENCE, LLQ, PEER, TO_2, id="precedence 5 by default, as the LLQ"),
        pytest.param(BY_CS5, LLQ, PEER, TO_2, id="CS5 is precedence 5"),
        pytest.param(BY_EF, LLQ, PEER, None, id="EF is not what DLSw+ marks"),
        pytest.param(BY_PRECEDENCE, LLQ, MAPPED, None, id="DLSw+ marks 2"),
        pytest.param(BY_PRECEDENCE, LLQ, PEER + "dlsw tos disable\n", None, id="it marks nothing"),
        pytest.param(
            BY_PRECEDENCE, LLQ, PEER + "dlsw tos map high 5 low 1\n",
            "dlsw tos map high 2 medium 2 normal 2 low 1", id="5 as it is mapped; 1 stays"
        ),
        pytest.param(BY_PRECEDENCE, "bandwidth 256", PEER, None, id="no LLQ"),
        pytest.param(BY_PRECEDENCE + BY_PORT, LLQ, PEER, None, id="an access list means it"),
        pytest.param(BY_PRECEDENCE, LLQ, "", None, id="no DLSw+"),
        pytest.param(BY_PRECEDENCE, LLQ, PEER + "dlsw disable\n", None, id="it is disabled"),
        pytest.param(BY_PRECEDENCE, LLQ, OPEN, TO_2, id="peers that connect unnamed"),
        pytest.param(
            BY_PRECEDENCE, LLQ, "dlsw local-peer peer-id 10.9.0.1\n", None, id="no peer may connect"
        ),
        pytest.param(
            BY_PRECEDENCE, LLQ, "dlsw local-peer\ndlsw remote-peer 0 interface Serial1\n", None,
            id="direct encapsulation has no IP header",
        ),
    ],
)  # fmt: skip
def test_dlsw_in_the_queue_of_voice(
    matches: str, action: str, dlsw: str, expected: str | None
) -> None:
    found = list(DLSW_IN_VOICE_QUEUE.find(router(matches, action, dlsw=dlsw), NoParams()))

    said = [remedy_lines("dlsw-tos-map.j2", each) for each in hits_of(found)]
    assert said == ([(expected,)] if expected else [])


def test_the_class_of_call_signalling_is_not_advised() -> None:
    config = (
        "class-map match-all V\n match ip precedence 5\nclass-map match-all S\n match ip dscp cs3\n"
        f"policy-map EDGE\n class V\n  {LLQ}\n class S\n  bandwidth 64\n"
        f" class class-default\n  fair-queue\n{PEER.format(peer='10.0.0.1')}"
        f"interface Serial0/0\n bandwidth 2000\n clock rate 2000000\n{PORT}"
    )
    hit = hit_of(DLSW_IN_VOICE_QUEUE.find(device_read(config), NoParams()))

    assert remedy_lines("dlsw-tos-map.j2", hit) == (TO_2,)


def test_a_marking_of_a_class_with_a_guarantee_is_advised_first() -> None:
    config = (
        "class-map match-all V\n match ip precedence 5\nclass-map match-all S\n match ip precedence 1\n"
        "policy-map EDGE\n class V\n  priority 256\n class S\n  bandwidth 256\n"
        f"{PEER.format(peer='10.0.0.1')}interface Serial0/0\n clock rate 2000000\n{PORT}"
    )
    device = device_read(config, file="r1.cfg")

    hit = hit_of(DLSW_IN_VOICE_QUEUE.find(device, NoParams()))

    assert remedy_lines("dlsw-tos-map.j2", hit) == ("dlsw tos map high 1 medium 1 normal 1 low 1",)


TWO = ("3", "2")


@pytest.mark.parametrize(
    ("stated", "classes", "expected"),
    [
        pytest.param("high 5 medium 3 normal 2 low 0", TWO, "high 3 medium 3 normal 2 low 0",
                     id="high joins medium: 2 would rank it below"),
        pytest.param("high 5 medium 2 normal 1 low 0", TWO, "high 2 medium 2 normal 1 low 0",
                     id="medium is at 2"),
        pytest.param("high 5 medium 5 normal 3 low 0", TWO, "high 3 medium 3 normal 3 low 0",
                     id="two queues are marked as voice"),
        pytest.param("high 5 medium 4 normal 3 low 0", ("2",), "high 2 medium 2 normal 2 low 0",
                     id="no class above: the others step down with it"),
    ],
)  # fmt: skip
def test_a_new_marking_keeps_the_order_of_the_queues(
    stated: str, classes: tuple[str, ...], expected: str
) -> None:
    maps = "".join(f"class-map match-all P{n}\n match ip precedence {n}\n" for n in classes)
    shares = "".join(f" class P{n}\n  bandwidth 100\n" for n in classes)
    config = (
        f"class-map match-all V\n match ip precedence 5\n{maps}"
        f"policy-map EDGE\n class V\n  priority 64\n{shares}"
        f"{PEER.format(peer='10.0.0.1 priority')}dlsw tos map {stated}\n"
        f"interface Serial0/0\n bandwidth 2000\n clock rate 2000000\n{PORT}"
    )

    hit = hit_of(DLSW_IN_VOICE_QUEUE.find(device_read(config), NoParams()))

    assert remedy_lines("dlsw-tos-map.j2", hit) == (f"dlsw tos map {expected}",)


PARAMS = DLSW_NOT_CLASSIFIED.params(load_percent=70.0, bandwidth_percent=10.0)
SILENT, SKIPPED = None, "skipped"


def _bandwidth(hit: Hit[Any]) -> str:
    """The line of the new class."""
    return remedy_lines("dlsw-class.j2", hit)[-1].strip()


@pytest.mark.parametrize(
    ("matches", "action", "shown", "expected"),
    [
        pytest.param(BY_EF, "bandwidth 256", seen(drops=9), "bandwidth 200", id="drops"),
        pytest.param(BY_EF, "bandwidth 256", seen(load=200), "bandwidth 200", id="a high load"),
        pytest.param(BY_EF, "bandwidth 256", seen(), SILENT, id="the link is not congested"),
        pytest.param(BY_EF, "bandwidth 256", "", SILENT, id="nothing was seen of the link"),
        pytest.param(BY_PORT, "bandwidth 256", seen(drops=9), SILENT, id="an access list takes it"),
        pytest.param(BY_NBAR, "bandwidth 256", seen(drops=9), SILENT, id="NBAR takes it"),
        pytest.param(BY_PRECEDENCE, LLQ, seen(drops=9), SILENT, id="its precedence has a class"),
        pytest.param(
            BY_EF, "bandwidth percent 20", seen(drops=9), "bandwidth percent 10",
            id="the unit is that of the other classes",
        ),
        pytest.param(
            " match protocol http\n", "bandwidth 256", seen(drops=9), SKIPPED,
            id="what NBAR takes besides is not known",
        ),
        pytest.param(
            " match access-group 103\n", "bandwidth 256", seen(drops=9), "bandwidth 200",
            id="DLSw+ does not send from the port of Telnet",
        ),
        pytest.param(
            " match access-group 104\n", "bandwidth 256", seen(drops=9), SKIPPED,
            id="which end opened the connection is not known",
        ),
    ],
)  # fmt: skip
def test_dlsw_as_best_effort_of_a_congested_link(
    matches: str, action: str, shown: str, expected: str | None
) -> None:
    found = list(DLSW_NOT_CLASSIFIED.find(router(matches, action, shown=shown), PARAMS))

    said = [SKIPPED if isinstance(each, Skip) else _bandwidth(each) for each in found]
    assert said == ([expected] if expected else [])


@pytest.mark.parametrize("matches", [BY_PORT, BY_NBAR, BY_PRECEDENCE])
def test_a_class_that_only_marks_leaves_dlsw_in_the_queue_of_class_default(matches: str) -> None:
    device = router(matches, "set ip dscp af21", shown=seen(drops=9))

    hit = hit_of(DLSW_NOT_CLASSIFIED.find(device, PARAMS))

    assert (hit.evidence.by, hit.curable) == (" by class C", False)


def test_peers_that_connect_unnamed_are_best_effort_too() -> None:
    device = router(BY_EF, "bandwidth 256", dlsw=OPEN, shown=seen(drops=9))

    hit = hit_of(DLSW_NOT_CLASSIFIED.find(device, PARAMS))

    assert (hit.object, hit.confidence) == ("interface Serial0/0", Confidence.LIKELY)
    assert (hit.evidence.signs, _bandwidth(hit)) == ("9 output drops", "bandwidth 200")


def test_a_policy_without_dlsw_peers_is_not_judged() -> None:
    device = router(BY_EF, "bandwidth 256", dlsw="", shown=seen(drops=9))
    assert list(DLSW_NOT_CLASSIFIED.find(device, PARAMS)) == []


@pytest.mark.parametrize(
    ("matches", "expected"),
    [
        pytest.param(BY_PORT, ["bandwidth 200"], id="an access list of one of the four ports"),
        pytest.param(BY_FOUR_PORTS, [], id="an access list of all four"),
    ],
)
def test_with_priority_all_four_ports_count(matches: str, expected: list[str]) -> None:
    dlsw = PEER.replace("{peer}", "{peer} priority")
    device = router(matches, "bandwidth 256", dlsw=dlsw, shown=seen(drops=9))

    hits = hits_of(DLSW_NOT_CLASSIFIED.find(device, PARAMS))

    assert [_bandwidth(hit) for hit in hits] == expected


COUNTED = """\
r1#show running-config
version 12.4
hostname r1
dlsw local-peer peer-id 10.1.1.1
dlsw remote-peer 0 tcp 10.1.1.2
class-map match-any VOICE
 match ip dscp ef
policy-map EDGE
 class VOICE
  priority 96
 class class-default
  fair-queue
interface Serial0/0
 ip address 10.1.1.1 255.255.255.252
 clock rate 256000
 encapsulation ppp
 service-policy output EDGE
end
r1#show policy-map interface Serial0/0
 Serial0/0

  Service-policy output: EDGE

    Class-map: VOICE (match-any)
      1000 packets, 64000 bytes
      5 minute offered rate 0 bps, drop rate 0 bps
      Match: ip dscp ef (46)
      Queueing
        Strict Priority
        Output Queue: Conversation 40
        Bandwidth 96 (kbps) Burst 2400 (Bytes)
        (pkts matched/bytes matched) 0/0
        (total drops/bytes drops) {voice}/0

    Class-map: class-default (match-any)
      2245634 packets, 1345673456 bytes
      5 minute offered rate 250000 bps, drop rate 3000 bps
      Match: any
      Queueing
        Flow Based Fair Queueing
        Maximum Number of Hashed Queues 32
        (total queued/total drops/no-buffer drops) 12/{default}/0
r1#
"""


@pytest.mark.parametrize(
    ("voice", "default", "signs"),
    [
        pytest.param(0, 48211, ["48211 drops of class-default"], id="its own class drops"),
        pytest.param(900, 0, [], id="drops of the LLQ are no congestion of best effort"),
    ],
)
def test_drops_of_class_default_are_congestion(voice: int, default: int, signs: list[str]) -> None:
    device = device_read(COUNTED.format(voice=voice, default=default))
    hits = hits_of(DLSW_NOT_CLASSIFIED.find(device, PARAMS))

    assert [hit.evidence.signs for hit in hits] == signs
