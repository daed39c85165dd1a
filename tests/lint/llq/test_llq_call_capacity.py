"""LLQ003: the rate of an LLQ, and its link, against the calls."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.llq.calls import CallCapacity
from advisor.lint.findings import Severity
from advisor.settings import Settings
from advisor.settings.file import settings_of_text
from tests.support.devices import device_read
from tests.support.verdicts import hit_of, hits_of

LLQ_CALL_CAPACITY = CHECKS["llq-call-capacity"]

SERIAL = "interface Serial0/0\n bandwidth {kbps}\n clock rate {kbps}000\n encapsulation ppp\n"
PVC = "interface ATM0/0\n pvc 0/35\n  vbr-nrt {kbps} {kbps}\n"


def calls(count: int, codec: str = "g729") -> str:
    return f'[[traffic]]\nclass = "VOICE"\ncalls = {count}\ncodec = "{codec}"\n'


def found(
    priority: str,
    traffic: str = "",
    *,
    port: str = SERIAL,
    kbps: int = 1536,
    match: str = "ip dscp ef",
) -> list[Hit[CallCapacity]]:
    indent = "  " if "pvc" in port else " "
    text = (
        f"version 12.4\nhostname R1\nclass-map match-all VOICE\n match {match}\n"
        f"policy-map WAN\n class VOICE\n{priority} class class-default\n  fair-queue\n"
        f"{port.format(kbps=kbps)}{indent}service-policy output WAN\nend\n"
    )
    settings = Settings(traffic=settings_of_text(traffic).traffic)
    return hits_of(
        LLQ_CALL_CAPACITY.find(
            device_read(text, settings, file="r1.ios"), LLQ_CALL_CAPACITY.params(1.0)
        )
    )


@pytest.mark.parametrize(
    ("priority", "traffic"),
    [
        pytest.param("  priority 76\n", calls(3), id="3 calls of 25.6 kb/s"),
        pytest.param("  priority percent 4\n", calls(3), id="a percentage"),
        pytest.param("  priority\n  police 76000\n", calls(3), id="a policer of its own"),
        pytest.param("  priority 81\n", calls(1, "g711"), id="G.711 with its header"),
    ],
)
def test_calls_over_the_rate_are_found(priority: str, traffic: str) -> None:
    (hit,) = found(priority, traffic)

    assert hit.severity is None
    assert "the excess is dropped" in hit.evidence.said


@pytest.mark.parametrize(
    ("priority", "rate"),
    [
        pytest.param("  priority 64\n", "77", id="kb/s, rounded up"),
        pytest.param("  priority 64 3200\n", "77 3200", id="the burst stays"),
        pytest.param("  priority percent 4\n", "percent 5", id="percent"),
        pytest.param("  priority\n  police 64000\n", "", id="no lines for a policer"),
        pytest.param("  priority 64\n  police cir 64000\n", "", id="police beside it drops still"),
        pytest.param(
            "  priority 64\n  police 64000 8000 8000 conform-action transmit exceed-action transmit\n",
            "77",
            id="police beside it drops nothing",
        ),
        pytest.param("  priority 64\n  police 80000\n", "77", id="police that lets them pass"),
    ],
)
def test_the_statement_that_its_calls_need(priority: str, rate: str) -> None:
    (hit,) = found(priority, calls(3))

    assert (hit.evidence.rate, hit.curable) == (rate, bool(rate))


@pytest.mark.parametrize("priority", ["  priority 64\n", "  priority percent 5\n"])
def test_calls_that_the_line_does_not_carry_have_no_rate(priority: str) -> None:
    (hit,) = found(priority, calls(80))

    assert not hit.curable
    assert "the line has 1536 kb/s" in (hit.advice or "")


def test_police_below_priority_is_a_warning_that_names_both_lines() -> None:
    (hit,) = found("  priority 512\n  police cir 128000\n")

    assert hit.severity is None
    assert "reserves 512 kb/s and drops all above 128 by its `police`" in hit.evidence.said
    assert "5 of G.729 or 1 of G.711" in hit.evidence.said
    assert len(hit.at) == 2


def test_calls_at_the_rate_are_silent() -> None:
    assert found("  priority 77\n", calls(3)) == []


def test_cells_that_fill_the_line_are_found_where_the_policer_counts_less() -> None:
    (hit,) = found("  priority 96\n", calls(3), port=PVC, kbps=126)  # 3 x 2 cells of 50/s

    assert "126 kb/s" not in hit.evidence.rate
    assert "127.2 kb/s on the wire" in hit.evidence.said


def test_cells_that_fit_the_line_are_silent() -> None:
    assert found("  priority 96\n", calls(3), port=PVC, kbps=128) == []


def test_unstated_calls_are_told_as_information() -> None:
    hit = hit_of(found("  priority 128\n"))

    assert hit.severity is Severity.INFO
    assert "5 of G.729 or 1 of G.711" in hit.evidence.said


@pytest.mark.parametrize(
    "match",
    [
        pytest.param("ip dscp af41", id="video"),
        pytest.param("access-group 101\naccess-list 101 permit icmp any any", id="ICMP"),
    ],
)
def test_a_class_of_other_packets_carries_no_calls(match: str) -> None:
    assert found("  priority 128\n", match=match) == []


@pytest.mark.parametrize(
    ("priority", "severity"),
    [
        pytest.param("  priority 10\n", None, id="10 kb/s: not one call with cRTP"),
        pytest.param("  priority 11\n", Severity.INFO, id="11 kb/s: 26 bytes of 50/s"),
    ],
)
def test_a_rate_below_one_compressed_call_is_a_warning(
    priority: str, severity: Severity | None
) -> None:
    assert hit_of(found(priority)).severity is severity


def test_priority_without_a_rate_is_not_judged_here() -> None:
    assert found("  priority\n") == []


MEASURED = """r1#show policy-map interface
 Serial0/0

  Service-policy output: WAN

    Class-map: VOICE (match-all)
      250000 packets, 51000000 bytes
      5 minute offered rate 102000 bps, drop rate 30000 bps
      Match: ip dscp ef (46)
      Queueing
        Strict Priority
        Output Queue: Conversation 264
        Bandwidth 80 (kbps) Burst 2000 (Bytes)
        (pkts matched/bytes matched) 250000/51000000
        (total drops/bytes drops) 75000/15300000

    Class-map: class-default (match-any)
      9 packets, 900 bytes
      5 minute offered rate 0 bps, drop rate 0 bps
      Match: any
r1#
"""


def test_a_measured_class_is_judged_by_what_arrives_and_not_by_what_its_policer_lets_pass() -> None:
    text = (
        "r1#show running-config\nversion 12.4\nhostname r1\n"
        "class-map match-all VOICE\n match ip dscp ef\n"
        "policy-map WAN\n class VOICE\n  priority 80\n class class-default\n  fair-queue\n"
        f"{SERIAL.format(kbps=1536)} service-policy output WAN\nend\n{MEASURED}"
    )
    (hit,) = hits_of(
        LLQ_CALL_CAPACITY.find(
            device_read(text, Settings(), file="r1.log"), LLQ_CALL_CAPACITY.params(1.0)
        )
    )

    assert "is offered 102 " in hit.evidence.said
    assert hit.evidence.rate == "164"  # two calls of 204 bytes, not the mean of 1.25


def test_a_call_that_frf12_does_not_cut_has_no_fragment_header() -> None:
    port = (
        "interface Serial0/0\n bandwidth {kbps}\n clock rate {kbps}000\n"
        " encapsulation frame-relay\n frame-relay fragment 640 end-to-end\n"
    )
    (hit,) = found("  priority 81\n", calls(1, "g711"), port=port, kbps=512)

    assert "is offered 81.6 " in hit.evidence.said  # 200 + 4 bytes, 50 times a second
    assert found("  priority 82\n", calls(1, "g711"), port=port, kbps=512) == []


def test_a_rate_below_one_call_says_what_a_call_needs() -> None:
    assert "needs 25.6 kb/s" in (hit_of(found("  priority 10\n")).advice or "")


@pytest.mark.parametrize(
    ("priority", "words"),
    [
        pytest.param("  priority percent 4\n", "has 61.4 kb/s (4 % of the link) and", id="percent"),
        pytest.param("  priority 64\n", "has 64 kb/s and", id="kb/s"),
    ],
)
def test_a_percentage_is_told_of_the_link(priority: str, words: str) -> None:
    assert words in hit_of(found(priority, calls(3))).evidence.said


IN_PROGRESS = (
    "r1#show running-config\nversion 12.4\nhostname r1\nclass-map VOICE\n match ip dscp ef\n"
    "policy-map WAN\n class VOICE\n  priority {kbps}\n class class-default\n  fair-queue\n"
    "interface Serial0/0\n ip address 192.0.2.1 255.255.255.252\n clock rate 512000\n"
    " encapsulation ppp\n service-policy output WAN\nend\nr1#show call active voice brief\n"
    "Total call-legs: 1\n dur 00:08:43 tx:7044/139565 rx:26165/523127\n"
    " IP 192.0.2.2:18682 rtt:51ms pl:148590/290ms lost:0/0/15 delay:65/60/132ms g729r8\nr1#\n"
)


@pytest.mark.parametrize(
    ("kbps", "severity", "said"),
    [
        pytest.param(26, Severity.INFO, "1 call of G.729 in progress", id="one call fits: told"),
        pytest.param(25, None, "is offered 25.6", id="a call needs 25.6 kb/s: a warning"),
    ],
)
def test_calls_in_progress(kbps: int, severity: Severity | None, said: str) -> None:
    device = device_read(IN_PROGRESS.format(kbps=kbps))
    hit = hit_of(LLQ_CALL_CAPACITY.find(device, LLQ_CALL_CAPACITY.params(1.0)))

    assert hit.severity is severity
    assert said in hit.evidence.said


def test_calls_in_progress_by_one_of_several_outputs_are_told() -> None:
    second = (
        "interface Serial0/1\n clock rate 512000\n service-policy output WAN\ninterface Serial0/0"
    )
    text = IN_PROGRESS.format(kbps=128).replace("interface Serial0/0", second, 1)
    text = text.replace("IP 192.0.2.2:", "IP 198.51.100.2:")
    hit = hit_of(LLQ_CALL_CAPACITY.find(device_read(text), LLQ_CALL_CAPACITY.params(1.0)))

    assert hit.severity is Severity.INFO
    assert "1 call of G.729 in progress, by which output is not known" in hit.evidence.said


PEAK = (
    "version 15.2\nclass-map VOICE\n match dscp ef\npolicy-map CHILD\n class VOICE\n  priority {}\n"
    " class class-default\n  fair-queue\npolicy-map EDGE\n class class-default\n  shape {}\n"
    "  service-policy CHILD\ninterface GigabitEthernet0/0\n ip address 192.0.2.1 255.255.255.252\n"
    " service-policy output EDGE\nend\n"
)


@pytest.mark.parametrize(
    ("priority", "shape", "carried"),
    [
        pytest.param("percent 30", "peak 2000000", "20-40 of G.729 or 7-14 of G.711",
                     id="twice the stated rate by default"),
        pytest.param("percent 30", "peak 2000000 8000 4000", "20-30 of G.729",
                     id="with a Be of half the Bc"),
        pytest.param("600", "peak 2000000", "20 of G.729", id="a rate in kb/s has one base"),
        pytest.param("percent 30", "average 2000000", "20 of G.729", id="shape average has one"),
    ],
)  # fmt: skip
def test_the_base_of_a_percentage_below_shape_peak_is_an_interval(
    priority: str, shape: str, carried: str
) -> None:
    device = device_read(PEAK.format(priority, shape))
    hit = hit_of(LLQ_CALL_CAPACITY.find(device, LLQ_CALL_CAPACITY.params(1.0)))

    assert f"calls of 20 ms packets: {carried}" in hit.evidence.said


@pytest.mark.parametrize(
    ("count", "outcome"),
    [
        pytest.param(18, "fits", id="18 calls fit at both ends"),
        pytest.param(30, "skipped", id="30 calls fit at one end"),
        pytest.param(45, "found", id="45 calls fit at none"),
    ],
)
def test_calls_below_shape_peak_are_judged_where_both_ends_agree(count: int, outcome: str) -> None:
    settings = Settings(traffic=settings_of_text(calls(count)).traffic)
    device = device_read(PEAK.format("percent 30", "peak 2000000"), settings)
    found = list(LLQ_CALL_CAPACITY.find(device, LLQ_CALL_CAPACITY.params(1.0)))

    kinds = ["skipped" if isinstance(item, Skip) else "found" for item in found]
    assert kinds == ([] if outcome == "fits" else [outcome])
