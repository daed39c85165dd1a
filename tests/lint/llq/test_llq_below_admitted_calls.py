"""LLQ012: the calls that a gateway admits against those that the LLQ carries."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, NoParams
from advisor.lint.checks.llq.calls import AdmittedCalls
from advisor.lint.findings import Confidence, Severity
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

LLQ_BELOW_ADMITTED_CALLS = CHECKS["llq-below-admitted-calls"]
TOLD = CHECKS["llq-call-capacity"]


def router(peers: str, priority: str = "priority 128", outputs: int = 1) -> str:
    """An LLQ that carries five calls of G.729 with PPP, 25.6 kb/s each."""
    ports = "".join(
        f"interface Serial0/0/{port}\n bandwidth 1536\n clock rate 1536000\n encapsulation ppp\n"
        " service-policy output WAN\n"
        for port in range(outputs)
    )
    return (
        "version 15.1\nhostname R1\nclass-map match-all VOICE\n match dscp ef\n"
        f"policy-map WAN\n class VOICE\n  {priority}\n class class-default\n  fair-queue\n"
        f"{ports}{peers}end\n"
    )


def peer(calls: int | None, *lines: str, tag: int = 100, kind: str = "voip") -> str:
    limit = f" max-conn {calls}\n" if calls is not None else ""
    return f"dial-peer voice {tag} {kind}\n" + limit + "".join(f" {line}\n" for line in lines)


def found(text: str) -> list[Hit[AdmittedCalls]]:
    return hits_of(LLQ_BELOW_ADMITTED_CALLS.find(device_of(text), NoParams()))


@pytest.mark.parametrize(
    ("peers", "calls", "carried"),
    [
        pytest.param(peer(6), 6, 5, id="one call too many, of the default codec"),
        pytest.param(peer(3) + peer(3, tag=200), 6, 5, id="two peers together"),
        pytest.param(peer(2, "codec g711ulaw"), 2, 1, id="of G.711"),
        pytest.param(
            "voice class codec 1\n codec preference 2 g729r8\n codec preference 1 g711ulaw\n"
            + peer(2, "voice-class codec 1"),
            2,
            1,
            id="of the codec that its class prefers",
        ),
        pytest.param(
            "interface Tunnel0\n tunnel source Serial0/0/0\n" + peer(4),
            4,
            3,
            id="of packets that leave in a tunnel, 35.2 kb/s each",
        ),
    ],
)
def test_more_calls_than_the_class_carries_are_found(peers: str, calls: int, carried: int) -> None:
    evidence = hit_of(found(router(peers))).evidence

    assert (evidence.calls, evidence.carried) == (calls, str(carried))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(router(peer(5)), id="the calls that the class carries"),
        pytest.param(router(peer(None)), id="no limit"),
        pytest.param(router(peer(60, "shutdown")), id="a peer that is shut down"),
        pytest.param(router(peer(60, kind="pots")), id="a peer to the telephone network"),
        pytest.param(router(peer(60, "no max-conn")), id="a limit that is taken back"),
        pytest.param(router(peer(10), outputs=2), id="two outputs carry them"),
        pytest.param(router(peer(60), priority="bandwidth 128"), id="no LLQ"),
    ],
)
def test_other_gateways_are_silent(text: str) -> None:
    assert found(text) == []


def test_a_codec_that_is_not_in_the_table_is_skipped() -> None:
    device = device_of(router(peer(60, "codec clear-channel")))

    assert "codec" in skip_of(LLQ_BELOW_ADMITTED_CALLS.find(device, NoParams())).reason


def test_where_calls_are_admitted_nobody_is_told_to_state_them() -> None:
    assert hits_of(TOLD.find(device_of(router(peer(5))), TOLD.params(1.0))) == []


def threshold(high: int, of: str = "interface Serial0/0/0 int-calls") -> str:
    return f"call threshold {of} low 1 high {high}\n"


@pytest.mark.parametrize(
    ("lines", "by", "calls"),
    [
        pytest.param(threshold(6), "`call threshold`", 6, id="of the interface"),
        pytest.param(
            threshold(6, "global total-calls") + "call treatment on\n",
            "`call threshold`",
            6,
            id="of the gateway",
        ),
        pytest.param(threshold(8) + peer(6), "`call threshold`", 8, id="beside a peer to anywhere"),
    ],
)
def test_thresholds_over_the_class_are_found(lines: str, by: str, calls: int) -> None:
    evidence = hit_of(found(router(lines))).evidence

    assert (evidence.by, evidence.calls) == (by, calls)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(threshold(5), id="the calls that the class carries"),
        pytest.param(threshold(60, "interface Serial0/0/9 int-calls"), id="another interface"),
        pytest.param(threshold(60, "global cpu-avg"), id="a threshold that counts no calls"),
        pytest.param(threshold(5) + peer(60), id="it is tighter than a dial-peer to anywhere"),
        pytest.param(threshold(5, "global total-calls") + peer(60), id="of all calls, tighter"),
    ],
)
def test_thresholds_within_the_class_are_silent(lines: str) -> None:
    assert found(router(lines)) == []


@pytest.mark.parametrize(
    ("lines", "confidence"),
    [
        pytest.param(threshold(6), Confidence.POSSIBLE, id="of an assumed codec"),
        pytest.param(
            threshold(6) + peer(None, "codec g729r8"), Confidence.LIKELY, id="of a peer's"
        ),
    ],
)
def test_a_threshold_is_sure_only_with_a_codec(lines: str, confidence: Confidence) -> None:
    assert hit_of(found(router(lines))).confidence is confidence


def two_links(target: str) -> str:
    """Links to 10.0.0.2 and 10.0.1.2, with LLQs that carry two and ten calls."""
    links = "".join(
        f"policy-map WAN{link}\n class VOICE\n  priority {rate}\n class class-default\n"
        f"  fair-queue\ninterface Serial0/0/{link}\n bandwidth 1536\n clock rate 1536000\n"
        f" ip address 10.0.{link}.1 255.255.255.252\n encapsulation ppp\n"
        f" service-policy output WAN{link}\n"
        for link, rate in enumerate((52, 256))
    )
    return (
        "version 15.1\nhostname R1\nclass-map match-all VOICE\n match dscp ef\n"
        f"{links}{peer(6, f'session target ipv4:{target}')}end\n"
    )


@pytest.mark.parametrize(
    ("target", "objects"),
    [
        pytest.param("10.0.0.2", ["interface Serial0/0/0 > class VOICE"], id="over the small LLQ"),
        pytest.param("10.0.1.2:5060", [], id="over the large LLQ"),
        pytest.param("10.9.9.9", [], id="to anywhere: both together carry them"),
    ],
)
def test_a_peer_at_the_end_of_a_link_is_judged_there(target: str, objects: list[str]) -> None:
    assert [hit.object for hit in found(two_links(target))] == objects


def reserving(*lines: str) -> str:
    return router("").replace(
        " service-policy output WAN\n",
        " service-policy output WAN\n" + "".join(f" ip rsvp {line}\n" for line in lines),
    )


ONLY_ADMITS = "data-packet classification none"


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        pytest.param(reserving("bandwidth 512", ONLY_ADMITS), [6], id="6 of G.711 in 512 kb/s"),
        pytest.param(
            reserving("bandwidth 512 64", ONLY_ADMITS), [21], id="flows that G.711 does not fit"
        ),
        pytest.param(reserving("bandwidth percent 30", ONLY_ADMITS), [5], id="30 % of 1536"),
        pytest.param(reserving("bandwidth", ONLY_ADMITS), [14], id="75 % by default"),
        pytest.param(reserving("bandwidth 100", ONLY_ADMITS), [], id="within the class"),
        pytest.param(reserving("bandwidth 512"), [], id="RSVP queues what it admits"),
    ],
)
def test_reservations_count_where_the_class_queues_them(text: str, calls: list[int]) -> None:
    assert [hit.evidence.calls for hit in found(text)] == calls


def test_where_an_interface_limits_its_calls_nobody_is_told_to_state_them() -> None:
    assert hits_of(TOLD.find(device_of(router(threshold(5))), TOLD.params(1.0))) == []


CRTP = " encapsulation ppp\n ip rtp header-compression iphc-format\n"


@pytest.mark.parametrize(
    ("calls", "verdict"),
    [
        pytest.param(11, None, id="11 of 11.2 kb/s fit"),
        pytest.param(12, Severity.INFO, id="12 fit without the checksum of UDP alone"),
        pytest.param(13, "of the card", id="13 of 10.4 kb/s do not"),
    ],
)
def test_compressed_calls_are_judged_over_the_interval_of_their_bytes(
    calls: int, verdict: Severity | str | None
) -> None:
    hits = found(router(peer(calls)).replace(" encapsulation ppp\n", CRTP))

    assert [hit.severity or "of the card" for hit in hits] == ([] if verdict is None else [verdict])
    assert all(hit.evidence.carried == "11-12" for hit in hits)
