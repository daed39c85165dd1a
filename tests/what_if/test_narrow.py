"""The value of a congested case, and the inputs that narrow its interval."""

import json
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.ground.quantity import Figure, Narrowing, ends, figure
from advisor.outlet.outlets import outlets
from advisor.predict.classes.congested import CongestedCase, congested, solved_cases
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.report.predictions import render
from advisor.settings import PacketShare, Settings, Traffic
from tests.support.devices import device_read

EDGE = """\
!Chassis type: 2811
version 12.4
hostname R1
class-map match-any VOICE
 match ip dscp ef
class-map match-any DATA
 match ip dscp af31
policy-map WAN
 class VOICE
  priority 128
 class DATA
  bandwidth 64
 class class-default
interface Serial0/0/0
 bandwidth 512
 encapsulation ppp
 clock rate 512000
 tx-ring-limit 10
 service-policy output WAN
end
"""
LOWER = ("DATA", "class-default")
SLOW_ETHERNET = EDGE.replace("!Chassis type: 2811\n", "").replace(
    "interface Serial0/0/0\n bandwidth 512\n encapsulation ppp\n clock rate 512000\n"
    " tx-ring-limit 10\n",
    "interface Ethernet0/0\n bandwidth 10000\n",
)
LFI = """\
!Chassis type: 2811
version 12.4
hostname R1
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 128
 class class-default
interface Multilink1
 bandwidth 512
 ppp multilink
 ppp multilink group 1
 ppp multilink fragment delay 10
 ppp multilink interleave
 service-policy output WAN
interface Serial0/0/0
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 2
 ppp multilink
 ppp multilink group 1
end
"""
Said = pytest.CaptureFixture[str]


def sized(name: str, ip_bytes: int) -> Traffic:
    return Traffic("*", "*", name, (PacketShare(ip_bytes, 1.0),), None, 1, "saturated", "test")


def of_voice(config: str, *traffic: Traffic) -> Figure:
    voice = case_of(config, *traffic).class_named("VOICE")
    assert voice is not None
    return voice.mean


def case_of(config: str, *traffic: Traffic) -> CongestedCase:
    device = device_read(config, Settings(traffic=traffic))
    outlet = next(item for item in outlets(device) if item.llq_classes)
    (case,) = solved_cases((congested(device, outlet),))
    assert isinstance(case, CongestedCase)
    return case


def predicted(config: str, *traffic: Traffic, narrowed: bool = True) -> ClassPrediction:
    settings = Settings(traffic=traffic)
    device = device_read(config, settings, file="r1.cfg")
    found = predict_device(device, "r1.cfg", settings, None, (), narrowed=narrowed)
    return next(
        each for each in found if isinstance(each, ClassPrediction) and each.class_name == "VOICE"
    )


@pytest.mark.parametrize(
    ("config", "lower"),
    [
        pytest.param(EDGE, LOWER, id="whole packets"),
        pytest.param(LFI, ("class-default",), id="full-size fragments under LFI"),
        pytest.param(EDGE.replace(" 10\n", " 1\n"), LOWER, id="the shortest ring"),
    ],
)
def test_the_value_of_packets_that_nobody_states_is_that_of_full_size_ones(
    config: str, lower: tuple[str, ...]
) -> None:
    unstated = of_voice(config)
    full = of_voice(config, *(sized(name, 1500) for name in lower))
    small = of_voice(config, *(sized(name, 340) for name in lower))

    assert not unstated.contested
    assert unstated.value == pytest.approx(full.value, rel=0.01)
    assert unstated.low <= small.low * 1.02  # each is sampled by itself
    assert small.value < unstated.value <= unstated.high


@pytest.mark.parametrize(
    ("config", "solutions"),
    [
        # two worlds (least and longest wait), each with an LLQ that fills its rate and a sparse one,
        # each with both rules for the rate that no class reserves
        pytest.param(EDGE, 8, id="a known ring"),
        pytest.param(SLOW_ETHERNET, 12, id="a contested ring: full-size packets at both its ends"),
    ],
)
def test_the_value_costs_no_solution_that_the_interval_does_not(
    config: str, solutions: int
) -> None:
    assert len(case_of(config).solved.corners) == solutions


def test_a_ring_that_sources_disagree_on_has_only_its_ends_in_the_headline() -> None:
    contested = of_voice(SLOW_ETHERNET)

    assert contested.contested
    assert figure(contested).startswith(f"{ends(contested)} ms (contested")
    assert "waits " + figure(contested) in render((predicted(SLOW_ETHERNET),))
    known = SLOW_ETHERNET.replace(" bandwidth 10000\n", " bandwidth 10000\n tx-ring-limit 64\n")
    assert not of_voice(known).contested


def test_what_narrows_is_ranked_and_is_what_the_same_statement_gives() -> None:
    found = predicted(EDGE).narrows

    assert [(item.key, item.of) for item in found] == [
        ("calls", "VOICE"),
        ("packet_bytes", "class-default"),
        ("packet_bytes", "DATA"),
    ]
    percents = [item.narrower_percent for item in found]
    assert percents == sorted(percents, reverse=True)
    by_packets = found[1]
    for outcome, ip_bytes in ((by_packets.low, 340), (by_packets.high, 1500)):
        assert outcome.stated == f"{ip_bytes} bytes"
        assert outcome.figure == of_voice(EDGE, sized("class-default", ip_bytes))


def keys(found: tuple[Narrowing, ...]) -> set[tuple[str, str]]:
    return {(item.key, item.of) for item in found}


def test_what_is_stated_narrows_no_more() -> None:
    stated = tuple(sized(name, 1500) for name in LOWER)

    assert keys(predicted(EDGE, *stated).narrows) == {("calls", "VOICE")}
    assert predicted(EDGE, narrowed=False).narrows == ()


def test_a_ring_that_is_not_known_can_be_stated() -> None:
    assert ("tx-ring-limit", "Ethernet0/0") in keys(predicted(SLOW_ETHERNET).narrows)


def test_a_priority_class_that_is_not_for_voice_has_a_rate_and_no_calls() -> None:
    found = predicted(EDGE.replace("dscp ef", "dscp af41")).narrows

    assert {("rate_kbps", "VOICE")} == {item for item in keys(found) if item[1] == "VOICE"}


def test_a_queue_that_is_never_empty_narrows_by_its_backlog() -> None:
    settings = Settings(traffic=(sized("class-default", 1500),))
    device = device_read(EDGE, settings, file="r1.cfg")
    found = predict_device(device, "r1.cfg", settings, None, (), narrowed=True)
    rest = next(each for each in found if getattr(each, "never_empty", False))

    assert isinstance(rest, ClassPrediction)
    assert keys(rest.narrows) >= {("backlog_packets", "class-default")}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "r1.cfg"
    path.write_text(EDGE)
    return path


def test_lint_tells_the_inputs_of_its_first_interval(file: Path, capsys: Said) -> None:
    run(["lint", str(file)])
    line = next(each for each in capsys.readouterr().out.splitlines() if "To narrow" in each)
    run(["lint", str(file), "--format", "json"])
    said = json.loads(capsys.readouterr().out)
    finding = next(each for each in said["findings"] if each["rule"] == "TXR001")

    assert "TXR001 (R1), state calls of VOICE: " in line
    assert "; and packet_bytes of class-default: " in line
    assert said["narrows"]["figure"] == finding["prediction"]["before"]
    assert (said["narrows"]["device"], said["narrows"]["rule"]) == ("R1", "TXR001")
    by = [item["key"] for item in said["narrows"]["by"]]
    assert by == [item.key for item in predicted(EDGE).narrows if item.of != "DATA"]


@pytest.mark.parametrize(
    "config",
    [
        pytest.param("version 12.4\nhostname R1\nend\n", id="no figure at all"),
        pytest.param(EDGE.replace(" tx-ring-limit 10\n", " tx-ring-limit 1\n"), id="one of N*"),
    ],
)
def test_lint_and_predict_agree_on_what_narrows(config: str, file: Path, capsys: Said) -> None:
    file.write_text(config)
    run(["lint", str(file), "--format", "json"])
    said = json.loads(capsys.readouterr().out)["narrows"]

    if "policy-map" not in config:
        assert said is None
    else:
        assert said["by"][0]["of"] == predicted(config).narrows[0].of
