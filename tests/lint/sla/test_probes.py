"""SLA001 to SLA003: probes beside the model of their way."""

import pytest
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, NoParams, Skip
from advisor.lint.checks.sla import OverBound
from advisor.lint.checks.sla.probes import width_ms
from advisor.lint.findings import Confidence, Severity
from advisor.settings import ReturnPath, Settings
from advisor.shows.sla import Spread
from tests.support.devices import device_read
from tests.support.verdicts import hit_of, hits_of, skip_of

MEASURED_OVER_PREDICTED_BOUND = CHECKS["measured-over-predicted-bound"]
PROBE_NOT_IN_PRIORITY_CLASS = CHECKS["probe-not-in-priority-class"]
PROBE_TOO_FEW_SAMPLES = CHECKS["probe-too-few-samples"]

# Ring 1 and the packet on the wire: 2 x 1508 bytes at 1300 kb/s are 18.6 ms; the burst of 2400
# bytes of priority 96 in small packets 15.7; 208 bytes of its own 1.3: 35.5 ms one way.
EDGE = """\
class-map match-all VOICE
 match ip dscp ef
policy-map EDGE
 class VOICE
  priority 96
 class class-default
  fair-queue
"""
SERIAL = """\
interface Serial0/0
 ip address 192.0.2.1 255.255.255.252
 encapsulation ppp
 clock rate 1300000
 tx-ring-limit 1
 service-policy output EDGE
"""
PROBE = "ip sla 1\n udp-jitter 192.0.2.2 16400\n tos 184\n"
MEASURED = """\
Round Trip Time (RTT) for       Index 1
Start Time Index: 13:15:22.851 UTC Fri Apr 18 2008
Type of operation: jitter
RTT Values:
        Number Of RTT: {samples}              RTT Min/Avg/Max: {rtt}
Latency one-way time:
        Number of Latency one-way Samples: {samples}
        Source to Destination Latency one way Min/Avg/Max: {there}
        Destination to Source Latency one way Min/Avg/Max: 0/0/0
Jitter Time:
        Number of Jitter Samples: {samples}
        Source to Destination Jitter Min/Avg/Max: {jitter}
        Destination to Source Jitter Min/Avg/Max: {jitter_back}
"""
FAR = "ip sla 1\n udp-jitter 10.9.9.9 16400\n tos {tos}\n"
BEHIND = "ip route 0.0.0.0 0.0.0.0 192.0.2.2\n"
PARAMS = MEASURED_OVER_PREDICTED_BOUND.params(processing_ms=10.0, cpu_percent=50.0)


def router(config: str, output: str = "", *, more: str = "") -> Device:
    text = f"r1#show running-config\n{config}end\n"
    text += f"r1#show ip sla statistics aggregated\n{output}{more}r1#\n" if output else "r1#\n"
    return device_read(text)


def measured(
    *, rtt: str = "1/2/3", there: str = "1/1/1", jitter: str = "1/1/1", back: str = "1/1/1",
    samples: int = 1000,
) -> str:  # fmt: skip
    return MEASURED.format(rtt=rtt, there=there, jitter=jitter, jitter_back=back, samples=samples)


def judged(
    config: str, output: str, way_back: ReturnPath = ReturnPath.UNSTATED
) -> list[Hit[OverBound] | Skip]:
    device = replace(router(config, output), return_path=way_back)
    return list(MEASURED_OVER_PREDICTED_BOUND.find(device, PARAMS))


@pytest.mark.parametrize(
    ("output", "said"),
    [
        pytest.param(measured(rtt="1/20/81"), [], id="81 ms there and back can be"),
        pytest.param(measured(rtt="1/20/82"), ["RTT"], id="82 ms cannot"),
        pytest.param(measured(there="1/20/45"), [], id="45 ms one way can be"),
        pytest.param(measured(there="1/20/46"), ["latency to the destination"], id="46 ms cannot"),
        pytest.param(measured(jitter="1/9/44"), [], id="a jitter of one wait can be"),
        pytest.param(measured(jitter="1/9/45"), ["jitter to the destination"], id="more cannot"),
        pytest.param(measured(back="1/9/45"), ["jitter to the source"], id="nor on the way back"),
    ],
)
def test_what_was_measured_beside_the_bound(output: str, said: list[str]) -> None:
    found = judged(EDGE + SERIAL + PROBE, output)

    assert [h.evidence.measured.partition(" up to")[0] for h in hits_of(found)] == said


@pytest.mark.parametrize(
    ("way_back", "output", "said"),
    [
        pytest.param(ReturnPath.LOADED, measured(rtt="1/20/81"), [], id="loaded: 81 ms can be"),
        pytest.param(ReturnPath.LOADED, measured(rtt="1/20/82"), ["RTT"], id="82 ms cannot"),
        pytest.param(ReturnPath.IDLE, measured(rtt="1/20/46"), [], id="idle: 46 ms can be"),
        pytest.param(ReturnPath.IDLE, measured(rtt="1/20/47"), ["RTT"], id="idle: 47 ms cannot"),
        pytest.param(ReturnPath.IDLE, measured(there="1/20/45"), [], id="the way there is as long"),
        pytest.param(
            ReturnPath.IDLE, measured(back="1/9/11"), ["jitter to the source"],
            id="an idle way back has no jitter but that of the routers",
        ),
    ],
)  # fmt: skip
def test_a_stated_way_back_decides_the_bound(
    way_back: ReturnPath, output: str, said: list[str]
) -> None:
    found = judged(EDGE + SERIAL + PROBE, output, way_back)

    assert [h.evidence.measured.partition(" up to")[0] for h in hits_of(found)] == said


def test_a_setting_states_the_way_back() -> None:
    settings = Settings(return_path=ReturnPath.IDLE)
    assert device_read(EDGE, settings).return_path is ReturnPath.IDLE


@pytest.mark.parametrize(
    ("output", "confidence"),
    [
        pytest.param(
            measured(there="1/20/60"), Confidence.LIKELY, id="this router's own direction"
        ),
        pytest.param(measured(rtt="1/20/90"), Confidence.POSSIBLE, id="the far end is in it"),
    ],
)
def test_what_rests_on_the_far_end_is_only_possible(output: str, confidence: Confidence) -> None:
    hit = hit_of(judged(EDGE + SERIAL + PROBE, output))

    assert hit.confidence is confidence


LOSS = "Packet Loss Values:\n        Loss Source to Destination: {}          Loss Destination to Source: {}\n"
BUDGET = MEASURED_OVER_PREDICTED_BOUND.params(10.0, 50.0, loss_percent=1.0)


@pytest.mark.parametrize(
    ("samples", "there", "back", "said"),
    [
        pytest.param(1000, 41, 0, "loss to the destination 3.94 %", id="4 % on the way there"),
        pytest.param(1000, 2, 41, "loss to the source 3.93 %", id="4 % on the way back"),
        pytest.param(1000, 10, 0, None, id="1 % is the budget"),
        pytest.param(1000, 14, 0, None, id="1.4 % of 1000 may be chance"),
        pytest.param(100_000, 1400, 0, "loss to the destination 1.38 %", id="of 100,000 not"),
        pytest.param(1000, 0, 0, None, id="no loss"),
    ],
)
def test_loss_over_the_budget_is_a_warning(
    samples: int, there: int, back: int, said: str | None
) -> None:
    device = router(EDGE + SERIAL + PROBE, measured(samples=samples) + LOSS.format(there, back))
    found = hits_of(MEASURED_OVER_PREDICTED_BOUND.find(device, BUDGET))

    assert [(hit.evidence.measured.partition(" (")[0], hit.severity) for hit in found] == (
        [] if said is None else [(said, Severity.WARNING)]
    )


def test_loss_stands_beside_a_delay_over_the_bound() -> None:
    device = router(EDGE + SERIAL + PROBE, measured(rtt="1/20/82") + LOSS.format(41, 0))
    hit = hit_of(MEASURED_OVER_PREDICTED_BOUND.find(device, BUDGET))

    assert hit.severity is None
    assert "RTT up to 82 ms" in hit.evidence.measured
    assert "loss to the destination" in hit.evidence.measured


def test_loss_outside_the_llq_is_no_finding() -> None:
    device = router(
        EDGE + SERIAL + PROBE.replace("tos 184", "tos 0"), measured() + LOSS.format(41, 0)
    )

    assert (
        "no bound of its delay"
        in skip_of(MEASURED_OVER_PREDICTED_BOUND.find(device, BUDGET)).reason
    )


def test_a_busy_cpu_is_the_first_explanation() -> None:
    busy = "CPU utilization for five seconds: 70%/6%; one minute: 71%; five minutes: 70%\n"
    more = f"r1#show processes cpu | include CPU\n{busy}"
    known = router(EDGE + SERIAL + PROBE, measured(rtt="1/20/200"), more=more)

    hit = hit_of(MEASURED_OVER_PREDICTED_BOUND.find(known, PARAMS))

    assert hit.evidence.causes.startswith("a CPU at 71 %")


def causes(config: str, rtt: str) -> str:
    known = router(config, measured(rtt=rtt))
    found: str = hit_of(MEASURED_OVER_PREDICTED_BOUND.find(known, PARAMS)).evidence.causes
    return found


LABELLED = SERIAL.replace(" clock rate 1300000\n", " bandwidth 1300\n")


@pytest.mark.parametrize(
    ("serial", "rtt", "expected"),
    [
        pytest.param(
            SERIAL,
            "1/20/200",
            [
                "a ring of 8 packets at both ends, not 1 (configured)",
                "119 ms more at the far end or between the two ends than on the way there",
            ],
            id="6.4 packets of 9.3 ms more each way",
        ),
        pytest.param(
            SERIAL,
            "1/20/400",
            [
                "a ring of 19 packets at both ends, not 1 (configured)",
                "319 ms more at the far end or between the two ends than on the way there",
            ],
            id="another difference takes other numbers",
        ),
        pytest.param(
            LABELLED,
            "1/20/200",
            [
                "a ring of 8 packets at both ends, not 1 (configured)",
                "a line of 486 kb/s, where `bandwidth` says 1300",
                "119 ms more at the far end or between the two ends than on the way there",
            ],
            id="a label may be of another line",
        ),
    ],
)
def test_each_cause_is_named_by_the_number_that_it_takes(
    serial: str, rtt: str, expected: list[str]
) -> None:
    assert causes(EDGE + serial + PROBE, rtt).split("; ") == expected


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        pytest.param(EDGE + SERIAL, "not in the configuration", id="an unknown operation"),
        pytest.param(
            EDGE + SERIAL + "ip sla 1\n udp-jitter 10.9.9.9 16400\n",
            "in no connected subnet",
            id="a destination without a route",
        ),
        pytest.param(
            EDGE + SERIAL + BEHIND + FAR.format(tos=184),
            "10.9.9.9 is behind 192.0.2.2: the links from there on are not known",
            id="a destination behind other routers",
        ),
        pytest.param(
            EDGE + SERIAL + "ip sla 1\n udp-jitter voice.example.com 16400\n",
            "a name",
            id="a destination by name",
        ),
        pytest.param(
            EDGE + SERIAL.replace(" service-policy output EDGE\n", "") + PROBE,
            "no policy queues",
            id="no policy on its way",
        ),
        pytest.param(
            EDGE + SERIAL + "ip sla 1\n udp-jitter 192.0.2.2 16400\n",
            "class class-default",
            id="a probe outside of the LLQ",
        ),
        pytest.param(
            EDGE.replace("ip dscp ef", "protocol rtp") + SERIAL + PROBE,
            "which class takes the probe",
            id="a class by NBAR",
        ),
        pytest.param(
            EDGE.replace("priority 96", "priority") + SERIAL + PROBE,
            "has no rate",
            id="an LLQ without a rate has no bound",
        ),
        pytest.param(
            EDGE + SERIAL.replace(" clock rate 1300000\n", "") + PROBE,
            "the rate of the link is not known",
            id="no rate of the link",
        ),
    ],
)
def test_without_a_bound_a_probe_is_not_judged(config: str, reason: str) -> None:
    said = skip_of(judged(config, measured(rtt="1/20/900")))

    assert reason in said.reason


def outside(config: str) -> list[str]:
    said = PROBE_NOT_IN_PRIORITY_CLASS.find(router(config), NoParams())
    return [each.evidence.class_name for each in hits_of(said)]


@pytest.mark.parametrize(
    ("probes", "classes"),
    [
        pytest.param(PROBE, [], id="EF is in the LLQ"),
        pytest.param("ip sla 1\n udp-jitter 192.0.2.2 16400\n", ["class-default"], id="no tos"),
        pytest.param(
            "ip sla 1\n icmp-jitter 192.0.2.2\n tos 104\n", ["class-default"], id="AF31 is not"
        ),
        pytest.param("ip sla 1\n icmp-echo 192.0.2.2\n", [], id="an echo tests reachability"),
        pytest.param(
            PROBE + "ip sla 2\n udp-jitter 192.0.2.2 16402\n", [], id="one of two is in the LLQ"
        ),
        pytest.param(
            PROBE + "ip sla 2\n udp-jitter 192.0.2.2 16402 codec g711alaw\n",
            ["class-default"],
            id="a codec is voice whatever another probe measures",
        ),
    ],
)
def test_a_probe_of_jitter_outside_of_the_llq(probes: str, classes: list[str]) -> None:
    assert outside(EDGE + SERIAL + probes) == classes


LAN = "interface FastEthernet0/0\n ip address 192.0.2.5 255.255.255.252\n"
DOWN = LAN + " shutdown\nip route 0.0.0.0 0.0.0.0 FastEthernet0/0\n"


@pytest.mark.parametrize(
    ("routes", "tos", "classes"),
    [
        pytest.param(BEHIND, 184, [], id="EF by the default route is in the LLQ"),
        pytest.param(BEHIND, 0, ["class-default"], id="the default route"),
        pytest.param(
            "ip route 10.9.0.0 255.255.0.0 Serial0/0\n", 0, ["class-default"], id="an interface"
        ),
        pytest.param(
            "ip route 0.0.0.0 0.0.0.0 192.0.2.6 250\n" + BEHIND + LAN,
            0,
            ["class-default"],
            id="the shorter distance",
        ),
    ],
)
def test_a_probe_is_followed_along_a_static_route(
    routes: str, tos: int, classes: list[str]
) -> None:
    assert outside(EDGE + SERIAL + routes + FAR.format(tos=tos)) == classes


@pytest.mark.parametrize(
    ("routes", "reason"),
    [
        pytest.param(
            "ip route 10.9.0.0 255.255.0.0 192.0.2.6\n" + BEHIND + LAN,
            "no policy queues on FastEthernet0/0",
            id="the longest prefix leads elsewhere",
        ),
        pytest.param(
            "ip route 0.0.0.0 0.0.0.0 192.0.2.6\n" + BEHIND + LAN,
            "2 static routes share its packets",
            id="two of one distance",
        ),
        pytest.param(BEHIND.replace("2.2\n", "2.2 track 7\n"), "a tracked object", id="a track"),
        pytest.param("router ospf 1\n" + BEHIND, "`router ospf` may have", id="a protocol"),
        pytest.param(
            "ip local policy route-map OUT\n" + BEHIND, "`ip local policy` may have", id="a policy"
        ),
        pytest.param("ip route 0.0.0.0 0.0.0.0 Null0\n", "by no interface that is up", id="Null0"),
        pytest.param(DOWN, "by no interface that is up", id="an interface that is shut down"),
        pytest.param(
            "ip route vrf RED 0.0.0.0 0.0.0.0 192.0.2.2\n",
            "in no connected subnet",
            id="the route of a VRF",
        ),
        pytest.param(
            BEHIND + "no ip route 0.0.0.0 0.0.0.0\n", "in no connected subnet", id="removed"
        ),
        pytest.param(
            BEHIND + "no ip route 10.9.0.0 255.255.0.0\nrouter bgp 65000\n",
            "`router bgp` may have",
            id="another one removed",
        ),
    ],
)
def test_a_way_that_the_static_routes_do_not_decide_is_not_followed(
    routes: str, reason: str
) -> None:
    known = router(EDGE + SERIAL + routes + FAR.format(tos=0))

    assert reason in skip_of(PROBE_NOT_IN_PRIORITY_CLASS.find(known, NoParams())).reason


def test_a_probe_of_a_vrf_does_not_take_a_static_route() -> None:
    known = router(EDGE + SERIAL + BEHIND + FAR.format(tos=0) + " vrf RED\n")

    assert "in a VRF" in skip_of(PROBE_NOT_IN_PRIORITY_CLASS.find(known, NoParams())).reason


def test_the_tos_that_the_llq_asks_for_is_said() -> None:
    known = router(EDGE + SERIAL + "ip sla 1\n udp-jitter 192.0.2.2 16400\n")

    hit = hit_of(PROBE_NOT_IN_PRIORITY_CLASS.find(known, NoParams()))

    assert hit.evidence.hint == "; `tos 184` is in it"


@pytest.mark.parametrize(
    ("samples", "rtt", "found"),
    [
        pytest.param(387, "6/15/31", 0, id="387 values: 2.4 ms"),
        pytest.param(10, "6/32/140", 1, id="10 values of which one is long: 66 ms"),
        pytest.param(100, "6/32/140", 0, id="100 of them: 21 ms"),
        pytest.param(10, "6/7/8", 0, id="10 values that are alike"),
    ],
)
def test_a_mean_of_too_few_samples(samples: int, rtt: str, found: int) -> None:
    known = router("hostname r1\n", measured(rtt=rtt, samples=samples))

    hits = hits_of(PROBE_TOO_FEW_SAMPLES.find(known, PROBE_TOO_FEW_SAMPLES.params(30.0)))
    assert [hit.evidence.samples for hit in hits] == [samples] * found


def test_four_times_the_samples_halve_the_interval() -> None:
    spread = Spread(6.0, 32.0, 140.0, None)

    assert width_ms(spread, 40) == pytest.approx(width_ms(spread, 10) / 2)


VOICE_FAR = "ip sla 1\n udp-jitter 10.9.9.9 16400 codec g729a\n{tos}"
SECOND = (
    "class-map match-all LOW\n match ip dscp default\npolicy-map BACKUP\n class LOW\n  priority 64\n"
    "interface Serial0/1\n encapsulation ppp\n clock rate 512000\n service-policy output BACKUP\n"
)


@pytest.mark.parametrize(
    ("config", "is_found"),
    [
        pytest.param(EDGE + SERIAL + VOICE_FAR.format(tos=""), True, id="no LLQ takes best effort"),
        pytest.param(EDGE + SERIAL + VOICE_FAR.format(tos=" tos 184\n"), False, id="one takes EF"),
        pytest.param(EDGE + SERIAL + SECOND + VOICE_FAR.format(tos=""), False,
                     id="the LLQ of another output takes it"),
        pytest.param(EDGE.replace("ip dscp ef", "protocol rtp") + SERIAL + VOICE_FAR.format(tos=""),
                     False, id="what the LLQ takes is not known"),
        pytest.param(EDGE + SERIAL + FAR.format(tos=0), False, id="no codec: it may be of data"),
    ],
)  # fmt: skip
def test_a_probe_of_voice_is_judged_whatever_its_route_is(config: str, is_found: bool) -> None:
    said = list(PROBE_NOT_IN_PRIORITY_CLASS.find(router(config), NoParams()))

    assert [isinstance(each, Hit) for each in said] == [is_found]
