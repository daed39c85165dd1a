"""WRD009 and WRD010: what traffic a class with WRED holds, and by what it is told apart."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import AnyCheck, Hit, NoParams
from advisor.lint.findings import Severity
from tests.support.devices import device_of
from tests.support.verdicts import hits_of
from tests.support.wred import wred_lines

WRED_BASIS_MISMATCH = CHECKS["wred-basis-mismatch"]
WRED_ON_UNRESPONSIVE_TRAFFIC = CHECKS["wred-on-unresponsive-traffic"]

UNRESPONSIVE, BASIS = WRED_ON_UNRESPONSIVE_TRAFFIC, WRED_BASIS_MISMATCH
LISTS = (
    "access-list 101 permit udp any any range 16384 32767\n"
    "access-list 102 permit udp any any\naccess-list 102 permit tcp any any eq 80\n"
    "access-list 103 permit ip any any dscp ef\n"
    "access-list 104 permit ip any any dscp af11\naccess-list 104 permit ip any any dscp af12\n"
)


def config(
    *matches: str, mode: str = "any", version: str = "12.3", lines: str = "random-detect\n"
) -> str:
    body = "".join(f" match {each}\n" for each in matches)
    indented = "".join(f"  {line}\n" for line in lines.splitlines())
    return (
        f"version {version}\n{LISTS}class-map match-{mode} DATA\n{body}"
        f"policy-map P\n class DATA\n  bandwidth 2000\n{indented}end\n"
    )  # fmt: skip


def hits(check: AnyCheck, text: str) -> list[Hit[object]]:
    found = check.find(device_of(text), NoParams())
    return hits_of(found)


@pytest.mark.parametrize(
    ("matches", "mode", "traffic"),
    [
        pytest.param(["access-group 101"], "any", "UDP", id="a list of UDP"),
        pytest.param(["access-group 102"], "any", None, id="a list of UDP and TCP"),
        pytest.param(["ip dscp ef"], "any", "voice", id="EF"),
        pytest.param(["access-group 103"], "any", "voice", id="EF by a list"),
        pytest.param(["ip dscp ef af41"], "any", None, id="EF and AF41"),
        pytest.param(["ip rtp 16384 16383"], "any", "UDP", id="RTP ports"),
        pytest.param(["protocol rtp audio"], "any", "UDP", id="RTP by NBAR"),
        pytest.param(["protocol http"], "any", None, id="HTTP"),
        pytest.param(["protocol rtp", "protocol http"], "any", None, id="RTP or HTTP"),
        pytest.param(["ip dscp ef", "access-group 101"], "any", "UDP and voice", id="both"),
        pytest.param(["ip dscp af41", "access-group 101"], "all", "UDP", id="UDP of AF41"),
        pytest.param(["ip precedence 5"], "any", None, id="precedence 5 may be other than voice"),
        pytest.param(["access-group 199"], "any", None, id="an undefined list"),
        pytest.param(["any"], "any", None, id="everything"),
    ],
)
def test_unresponsive(matches: list[str], mode: str, traffic: str | None) -> None:
    found = hits(UNRESPONSIVE, config(*matches, mode=mode))

    said = [hit.evidence.traffic for hit in found]  # type: ignore[attr-defined]
    assert said == ([] if traffic is None else [traffic])


def test_udp_without_wred_is_no_finding() -> None:
    assert hits(UNRESPONSIVE, config("access-group 101", lines="queue-limit 20\n")) == []


@pytest.mark.parametrize(
    ("matches", "lines", "dscps"),
    [
        pytest.param(["ip dscp af11 af12 af13"], "random-detect\n", "af11, af12, af13", id="AF1"),
        pytest.param(["access-group 104"], "random-detect\n", "af11, af12", id="AF by a list"),
        pytest.param(["ip dscp ef"], "random-detect\n", None, id="EF is WRD009's"),
        pytest.param(["ip dscp cs1 cs3"], "random-detect\n", None, id="a CS is a precedence"),
        pytest.param(["ip dscp af11"], "random-detect dscp-based\n", None, id="WRED by DSCP"),
        pytest.param(["ip precedence 1"], "random-detect\n", None, id="both by precedence"),
        pytest.param(["protocol http"], "random-detect\n", None, id="neither"),
        pytest.param(["protocol http"], "random-detect\nset ip dscp af21\n", "af21", id="marked"),
        pytest.param(
            ["protocol http"],
            "random-detect\npolice 64000 8000 conform-action set-dscp-transmit af31"
            " exceed-action set-dscp-transmit af32\n",
            "af31, af32", id="marked by a policer",
        ),
        pytest.param(["ip dscp af11"], "random-detect\nset ip precedence 1\n", "af11",
                     id="matched by DSCP, marked by precedence"),
    ],
)  # fmt: skip
def test_basis(matches: list[str], lines: str, dscps: str | None) -> None:
    found = hits(BASIS, config(*matches, lines=lines))

    said = [hit.evidence.dscps for hit in found]  # type: ignore[attr-defined]
    assert said == ([] if dscps is None else [dscps])


def test_rows_by_dscp_keep_thresholds_denominator_and_weight() -> None:
    lines = (
        "random-detect\nrandom-detect exponential-weighting-constant 5\n"
        "random-detect precedence 2 10 30 5\n"
    )
    (hit,) = hits(BASIS, config("ip dscp af21 af23", lines=lines))

    assert wred_lines(hit) == (
        "no random-detect",
        "random-detect dscp-based",
        "random-detect exponential-weighting-constant 5",
        "random-detect dscp af21 10 30 5",
        "random-detect dscp af23 7 30 5",
    )


@pytest.mark.parametrize(
    ("matches", "severity"),
    [
        pytest.param(["ip dscp af11 af12"], None, id="two DSCPs of one precedence"),
        pytest.param(["ip dscp af21"], Severity.INFO, id="one DSCP"),
        pytest.param(["ip dscp af21 af31"], Severity.INFO, id="a precedence each"),
        pytest.param(["ip dscp af21", "ip precedence 2"], None, id="other packets of it too"),
    ],
)
def test_what_precedence_still_tells_apart_is_only_info(
    matches: list[str], severity: Severity | None
) -> None:
    (hit,) = hits(BASIS, config(*matches))

    assert hit.severity is severity


def test_rows_that_are_not_known_have_no_lines() -> None:
    (hit,) = hits(BASIS, config("ip dscp af11", version="16.9"))

    assert not hit.curable


POLICER = (
    "random-detect\npolice 64000 8000 conform-action {0} exceed-action set-dscp-transmit af32\n"
)


@pytest.mark.parametrize(
    ("matches", "lines", "curable"),
    [
        pytest.param(["ip dscp af11 af12"], "random-detect\n", True, id="all codes are named"),
        pytest.param(["ip dscp af11", "ip precedence 0"], "random-detect\n", False,
                     id="packets of precedence 0 would get default rows"),
        pytest.param(["protocol http"], "random-detect\nset ip dscp af21\n", True,
                     id="every packet is marked"),
        pytest.param(["protocol http"], POLICER.format("set-dscp-transmit af31"), True,
                     id="a policer marks every packet"),
        pytest.param(["protocol http"], POLICER.format("transmit"), False,
                     id="a policer marks some packets"),
    ],
)  # fmt: skip
def test_lines_only_where_no_packet_gets_a_default_row(
    matches: list[str], lines: str, curable: bool
) -> None:
    (hit,) = hits(BASIS, config(*matches, lines=lines))

    assert hit.curable is curable
