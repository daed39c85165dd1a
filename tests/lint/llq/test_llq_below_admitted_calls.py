"""LLQ012: the calls that dial-peers admit against those that the LLQ carries."""

import pytest

from advisor.lint.checks.base import Hit, NoParams
from advisor.lint.checks.llq.llq_below_admitted_calls import CHECK, Evidence
from advisor.lint.checks.llq.llq_too_small_for_calls import CHECK as TOLD
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of


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


def found(text: str) -> list[Hit[Evidence]]:
    return hits_of(CHECK.find(device_of(text), NoParams()))


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
    ],
)
def test_more_calls_than_the_class_carries_are_found(peers: str, calls: int, carried: int) -> None:
    evidence = hit_of(found(router(peers))).evidence

    assert (evidence.calls, evidence.carried) == (calls, carried)


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

    assert "codec" in skip_of(CHECK.find(device, NoParams())).reason


def test_where_calls_are_admitted_nobody_is_told_to_state_them() -> None:
    assert hits_of(TOLD.find(device_of(router(peer(5))), NoParams())) == []
