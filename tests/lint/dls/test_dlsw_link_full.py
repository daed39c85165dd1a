"""DLS013: a peak that the line to the peers does not carry."""

import pytest

from advisor.device.device import Device
from advisor.lint.checks.dls.classes import find_dlsw_link_full
from advisor.lint.findings import Confidence, Severity
from advisor.settings import Settings, Transactions
from tests.support.devices import device_read
from tests.support.verdicts import hit_of, hits_of, skip_of

PEER = "dlsw local-peer peer-id 10.1.0.1\ndlsw remote-peer 0 tcp 10.1.0.2\n"
SERIAL = "interface Serial0/0\n ip address 10.1.0.1 255.255.255.0\n"
OTHER = (
    "dlsw remote-peer 0 tcp 10.2.0.2\n"
    "interface Serial0/1\n ip address 10.2.0.1 255.255.255.0\n clock rate 800000\n"
)


def router(config: str, tps: float | None = 100) -> Device:
    peak = () if tps is None else (Transactions("*", tps, 2000, 1000, 1024, "t.toml:1"),)
    text = f"version 12.1\nhostname r1\n{config}end\n"
    return device_read(text, Settings(transactions=peak))


@pytest.mark.parametrize(
    ("config", "confidence", "severity"),
    [
        pytest.param(
            f"{PEER}{SERIAL} clock rate 800000\n", Confidence.CERTAIN, None, id="a clock rate"
        ),
        pytest.param(
            f"{PEER}{SERIAL} bandwidth 800\n", Confidence.LIKELY, None, id="only the label"
        ),
        pytest.param(
            f"{PEER}{SERIAL} clock rate 1701500\n", Confidence.POSSIBLE, Severity.INFO,
            id="full by the middle of the framing only",
        ),
    ],
)  # fmt: skip
def test_how_sure_it_is_that_the_line_is_full(
    config: str, confidence: Confidence, severity: Severity | None
) -> None:
    hit = hit_of(find_dlsw_link_full(router(config)))

    assert (hit.object, hit.confidence, hit.severity) == (
        "interface Serial0/0", confidence, severity,
    )  # fmt: skip


def test_the_finding_says_at_how_many_transactions_the_line_is_full() -> None:
    hit = hit_of(find_dlsw_link_full(router(f"{PEER}{SERIAL} clock rate 800000\n")))

    assert (hit.evidence.rate, hit.evidence.full_tps, hit.evidence.peers) == (
        "800", "47", "peer 10.1.0.2",
    )  # fmt: skip


def test_two_lines_are_full_by_their_part_of_the_load_which_is_assumed() -> None:
    hits = hits_of(find_dlsw_link_full(router(f"{PEER}{SERIAL} clock rate 800000\n{OTHER}")))

    assert [hit.object for hit in hits] == ["interface Serial0/0", "interface Serial0/1"]
    assert {hit.confidence for hit in hits} == {Confidence.POSSIBLE}
    assert {hit.evidence.needed for hit in hits} == {"850.8"}


@pytest.mark.parametrize(
    ("config", "tps"),
    [
        pytest.param(f"{PEER}{SERIAL} clock rate 2000000\n", 100, id="a faster line"),
        pytest.param(f"{PEER}{SERIAL} clock rate 800000\n", 46, id="fewer transactions"),
        pytest.param(f"{PEER}{SERIAL} clock rate 800000\n", None, id="no peak stated"),
        pytest.param(f"{SERIAL} clock rate 800000\n", 100, id="no DLSw+"),
    ],
)
def test_nothing_is_found(config: str, tps: float | None) -> None:
    assert not hits_of(find_dlsw_link_full(router(config, tps)))


def test_a_peer_behind_no_known_line_is_not_judged() -> None:
    far = PEER.replace("tcp 10.1.0.2", "tcp 10.7.0.1")
    device = router(f"{far}{SERIAL} clock rate 800000\n{OTHER.partition(chr(10))[2]}")

    assert skip_of(find_dlsw_link_full(device)).object == "dlsw link"
