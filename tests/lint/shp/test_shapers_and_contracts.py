"""SHP002, SHP004 and SHP005: a shaper against its line, its contract and another shaper."""

from pathlib import Path

import pytest

from advisor.api import lint, of_texts
from advisor.cli import run
from advisor.ground.quantity import point
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, NoParams
from advisor.lint.checks.shp import BurstExcess
from advisor.lint.findings import Confidence, Severity
from advisor.lint.site import remedy_lines
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

BURST_EXCESS_WITH_VOICE = CHECKS["burst-excess-with-voice"]
FRTS_AND_MQC_MIXED = CHECKS["frts-and-mqc-mixed"]
SHAPER_ABOVE_LINK = CHECKS["shaper-above-link"]
SHAPING_INTERVAL_TOO_LONG = CHECKS["shaping-interval-too-long"]

ABOVE = SHAPER_ABOVE_LINK.params(above_percent=1.0, above_sold_percent=5.0)
LLQ = (
    "class-map match-all VOICE\n match ip dscp ef\npolicy-map EDGE\n class VOICE\n"
    "  priority percent 20\n class class-default\n  fair-queue\n"
)
CAPTURE = "Building configuration...\n\nCurrent configuration : 900 bytes\n"


def shaped(shape: str, interface: str, version: str = "15.2", policy: str = LLQ) -> str:
    return (
        f"version {version}\nhostname r1\n{policy}policy-map PARENT\n class class-default\n"
        f"  {shape}\n  service-policy EDGE\n{interface} service-policy output PARENT\n"
    )


def circuit(
    lines: str, shaping: str = " frame-relay traffic-shaping\n", clock: int = 1024000
) -> str:
    return (
        f"version 12.3\nhostname r1\n{LLQ}interface Serial0/0\n encapsulation frame-relay\n"
        f" clock rate {clock}\n{shaping}interface Serial0/0.1 point-to-point\n"
        " frame-relay interface-dlci 100\n  class FAST\nmap-class frame-relay FAST\n"
        f" frame-relay cir 256000\n{lines}"
    )


def fast(description: str = "", bandwidth: str = "") -> str:
    return f"interface GigabitEthernet0/0\n{description}{bandwidth} speed 100\n"


SERIAL = "interface Serial0/0\n clock rate 1536000\n encapsulation ppp\n"
POLICY = " service-policy output EDGE\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(
            shaped("shape average 2000000", SERIAL), "the line of 1536 kb/s", id="above the clock"
        ),
        pytest.param(
            shaped("shape average 1552000", SERIAL), "the line of 1536 kb/s", id="just over 1 %"
        ),
        pytest.param(
            shaped("shape peak 1000000", SERIAL), "the line of 1536 kb/s", id="the peak counts"
        ),
        pytest.param(
            shaped("shape average 200000000", fast()), "the line of 100 Mb/s", id="above the speed"
        ),
        pytest.param(
            circuit(POLICY, clock=128000), "the line of 128 kb/s", id="a CIR above the clock"
        ),
    ],
)
def test_a_shaper_above_its_line(text: str, line: str) -> None:
    hit = hit_of(SHAPER_ABOVE_LINK.find(device_of(text), ABOVE))

    assert (hit.evidence.line, hit.confidence) == (line, Confidence.CERTAIN)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(shaped("shape average 1536000", SERIAL), id="the rate of the line"),
        pytest.param(shaped("shape average 1544000", SERIAL), id="a T1 by its nominal rate"),
        pytest.param(shaped("shape average 20000000", fast()), id="below the port"),
        pytest.param(circuit(POLICY), id="a CIR below the clock"),
        pytest.param(shaped("shape average 20000000", "interface Tunnel0\n"), id="a tunnel"),
    ],
)
def test_a_shaper_that_its_line_holds(text: str) -> None:
    assert hits_of(SHAPER_ABOVE_LINK.find(device_of(text), ABOVE)) == []


def sold_circuit(shape: str, main: str = "", sub: str = "", more: str = "") -> str:
    return (
        f"version 12.4(24)T\nhostname r1\n{LLQ}policy-map PARENT\n class class-default\n  {shape}\n"
        "  service-policy EDGE\ninterface Serial0/0\n encapsulation frame-relay\n"
        f" clock rate 2000000\n{main}interface Serial0/0.1 point-to-point\n{sub}"
        f" frame-relay interface-dlci 100\n service-policy output PARENT\n{more}"
    )


SOLD_1024K = " description PVC CIR 1024 kbit/s\n"
ANOTHER_PVC = "interface Serial0/0.2 point-to-point\n frame-relay interface-dlci 200\n"
BY_DESCRIPTION = "1024 kb/s by description (r1.ios:{})"


@pytest.mark.parametrize(
    ("text", "line", "rate_bps"),
    [
        pytest.param(
            sold_circuit("shape average 3000000", sub=SOLD_1024K),
            "the line of 2000 kb/s, and above " + BY_DESCRIPTION.format(18),
            1024000,
            id="over the line and the contract of its circuit",
        ),
        pytest.param(
            sold_circuit("shape average 1500000", sub=SOLD_1024K),
            BY_DESCRIPTION.format(18),
            1024000,
            id="over the contract of its circuit",
        ),
        pytest.param(
            sold_circuit("shape average 1500000", main=" description FR CIR 1024k\n"),
            BY_DESCRIPTION.format(17),
            1024000,
            id="over the contract of the one circuit of its port",
        ),
    ],
)
def test_a_shaper_above_the_contract_of_its_circuit(text: str, line: str, rate_bps: int) -> None:
    hit = hit_of(SHAPER_ABOVE_LINK.find(device_of(text), ABOVE))

    assert hit.evidence.line == line
    assert hit.evidence.burst is not None
    assert hit.evidence.burst.rate_bps == rate_bps


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(sold_circuit("shape average 1024000", sub=SOLD_1024K), id="the contract"),
        pytest.param(
            sold_circuit("shape average 1500000", sub=" description 512k to Porto\n"),
            id="a number that is no contract",
        ),
        pytest.param(
            sold_circuit("shape average 1500000", " description FR CIR 1024k\n", "", ANOTHER_PVC),
            id="the contract of one of several circuits",
        ),
    ],
)
def test_a_shaper_below_what_its_circuit_is_known_to_carry(text: str) -> None:
    assert hits_of(SHAPER_ABOVE_LINK.find(device_of(text), ABOVE)) == []


def test_a_label_is_a_warning() -> None:
    labelled = SERIAL.replace("clock rate 1536000", "bandwidth 1536")
    hit = hit_of(
        SHAPER_ABOVE_LINK.find(device_of(shaped("shape average 2000000", labelled)), ABOVE)
    )

    assert (hit.severity, hit.confidence) == (Severity.WARNING, Confidence.LIKELY)


@pytest.mark.parametrize(
    ("line", "has_lines"),
    [
        pytest.param("clock rate 1536000", True, id="the clock is the line"),
        pytest.param("bandwidth 1536", False, id="a label may be wrong, or the shaper"),
    ],
)
def test_no_shaper_is_slowed_to_a_label(line: str, *, has_lines: bool) -> None:
    text = shaped("shape average 2000000", SERIAL.replace("clock rate 1536000", line))

    assert hit_of(SHAPER_ABOVE_LINK.find(device_of(text), ABOVE)).curable is has_lines


@pytest.mark.parametrize(
    ("other", "has_lines"),
    [
        pytest.param(" speed 10\n", True, id="the other port is as fast"),
        pytest.param(" bandwidth 10000\n", False, id="a label is no rate of the other port"),
        pytest.param(" description uplink 10M, room 5\n", False, id="nor is a number in its text"),
    ],
)
def test_no_shaper_is_slowed_that_another_port_fills(other: str, *, has_lines: bool) -> None:
    port, shape = " service-policy output PARENT\n", "shape average 20000000"
    both = f"interface GigabitEthernet0/1\n{other}{port}interface GigabitEthernet0/0\n speed 10\n"
    found = hits_of(SHAPER_ABOVE_LINK.find(device_of(shaped(shape, both)), ABOVE))
    (hit,) = (hit for hit in found if hit.object == "interface GigabitEthernet0/0")

    assert hit.curable is has_lines


SOLD = " description metro, CIR 10 Mb/s\n"


@pytest.mark.parametrize(
    ("text", "line", "severity"),
    [
        pytest.param(shaped("shape average 12000000", fast(SOLD)), "10 Mb/s by description (r1.ios:15)",
                     Severity.WARNING, id="a description below the port"),
        pytest.param(shaped("shape average 12000000", fast("", " bandwidth 10000\n")),
                     "10 Mb/s by bandwidth label (r1.ios:15)", Severity.INFO, id="bandwidth alone"),
        pytest.param(shaped("shape average 120000000", fast(SOLD)),
                     "the line of 100 Mb/s, and above 10 Mb/s by description (r1.ios:15)", None,
                     id="the line itself"),
    ],
)  # fmt: skip
def test_a_shaper_above_what_is_sold(text: str, line: str, severity: Severity | None) -> None:
    hit = hit_of(SHAPER_ABOVE_LINK.find(device_of(text), ABOVE))

    assert (hit.evidence.line, hit.severity) == (line, severity)


@pytest.mark.parametrize(
    ("shape_bps", "is_found"), [(10_490_000, False), (10_510_000, True), (9_000_000, False)]
)
def test_a_description_is_rounder_than_a_contract(shape_bps: int, *, is_found: bool) -> None:
    text = shaped(f"shape average {shape_bps}", fast(SOLD))

    assert bool(hits_of(SHAPER_ABOVE_LINK.find(device_of(text), ABOVE))) is is_found


def test_the_shaper_of_what_is_sold() -> None:
    hit = hit_of(
        SHAPER_ABOVE_LINK.find(device_of(shaped("shape average 12000000", fast(SOLD))), ABOVE)
    )

    assert list(remedy_lines("shaper-burst.j2", hit)) == [
        "policy-map PARENT", " class class-default", "  shape average 10000000 40000 0",
    ]  # fmt: skip


TAGGED = "interface GigabitEthernet0/0\n speed 100\ninterface GigabitEthernet0/0.7\n{}"
FRAMES = "interface Serial0/0\n clock rate 1536000\n encapsulation frame-relay\n"


@pytest.mark.parametrize(
    ("shape", "interface", "line"),
    [
        pytest.param("200000000", fast(), "93650000 374600", id="Ethernet: 354 of 378 bytes"),
        pytest.param("200000000", TAGGED.format(" encapsulation dot1Q 7\n"), "93717000 374868",
                     id="a tag that both count: 358 of 382"),
        pytest.param("200000000 account user-defined 24", fast(), "100000000 400000",
                     id="account adds what Ethernet does"),
        pytest.param("3000000", SERIAL, "1518000 6072", id="PPP: 344 of 348"),
        pytest.param("3000000", FRAMES, "1459200 14592", id="Frame Relay: 95 %"),
    ],
)  # fmt: skip
def test_lines_for_a_shaper_leave_room_for_what_it_does_not_count(
    shape: str, interface: str, line: str
) -> None:
    hit = hit_of(
        SHAPER_ABOVE_LINK.find(device_of(shaped(f"shape average {shape}", interface)), ABOVE)
    )

    assert list(remedy_lines("shaper-burst.j2", hit))[2].startswith(f"  shape average {line} 0")
    assert hit.forecast is not None
    assert hit.forecast.after == point(0, "%")


@pytest.mark.parametrize("interface", [fast(), fast().replace("100", "10")])
def test_after_the_lines_no_ring_fills_and_nothing_is_worse(interface: str, tmp_path: Path) -> None:
    port = f"{interface} ip address 192.0.2.1 255.255.255.252\n"
    calls = LLQ.replace("percent 20", "2000")
    text = shaped("shape average 200000000", port, policy=calls)
    shaper = hit_of(SHAPER_ABOVE_LINK.find(device_of(text), ABOVE))
    line = list(remedy_lines("shaper-burst.j2", shaper))[2].strip()
    cured = text.replace("shape average 200000000", line)
    old, new = tmp_path / "old.cfg", tmp_path / "new.cfg"
    old.write_text(f"{text}end\n")
    new.write_text(f"{cured}end\n")
    told = lint(of_texts({"r1.cfg": f"{cured}end\n"})).findings

    assert {"SHP002", "TXR001"}.isdisjoint(each.rule for each in told)
    assert run(["diff", str(old), str(new)]) == 0


@pytest.mark.parametrize("account", ["user-defined -8", "user-defined 4 atm", "qinq aal5 snap-rbe"])
def test_what_a_shaper_counts_stays_in_its_new_line(account: str) -> None:
    shape = f"shape average 12000000 480000 480000 account {account}"
    device = device_of(shaped(shape, fast(SOLD)))
    hits = [
        hit_of(SHAPER_ABOVE_LINK.find(device, ABOVE)),
        hit_of(
            SHAPING_INTERVAL_TOO_LONG.find(
                device, SHAPING_INTERVAL_TOO_LONG.params(longest_tc_ms=10.0)
            )
        ),
        hit_of(BURST_EXCESS_WITH_VOICE.find(device, NoParams())),
    ]

    lines = [remedy_lines("shaper-burst.j2", hit)[-1] for hit in hits]
    assert [line.partition(" account ")[2] for line in lines] == [account] * len(hits)


def test_a_number_in_the_prose_of_a_description_has_no_lines() -> None:
    text = shaped("shape average 12000000", fast(" description ETH-10M-LON-0042\n"))
    hit = hit_of(SHAPER_ABOVE_LINK.find(device_of(text), ABOVE))

    assert (hit.curable, hit.confidence) == (False, Confidence.POSSIBLE)


def test_ports_of_two_contracts_share_the_shaper() -> None:
    second = fast(SOLD.replace("10", "8")).replace("0/0", "0/1")
    text = shaped("shape average 12000000", fast(SOLD)) + second + " service-policy output PARENT\n"
    hits = hits_of(SHAPER_ABOVE_LINK.find(device_of(text), ABOVE))

    assert {"several rates" in (hit.advice or "") for hit in hits} == {True}


def test_an_unknown_line_is_skipped() -> None:
    text = shaped("shape average 2000000", "interface Serial0/0\n encapsulation ppp\n")

    assert skip_of(SHAPER_ABOVE_LINK.find(device_of(text), ABOVE)).object == "interface Serial0/0"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            circuit(POLICY, clock=128000)
            + "interface Serial0/1\n encapsulation frame-relay\n clock rate 64000\n"
            " frame-relay traffic-shaping\ninterface Serial0/1.1 point-to-point\n"
            " frame-relay interface-dlci 200\n  class FAST\n",
            "several rates", id="ports of two rates share the map-class",
        ),
        pytest.param(shaped("shape peak 1000000", SERIAL), "shape average", id="shape peak"),
        pytest.param(
            shaped("shape average 2000000", SERIAL)
            + SERIAL.replace("0/0", "0/1").replace("1536", "512") + " service-policy output PARENT\n",
            "several rates", id="two lines share the shaper",
        ),
    ],
)  # fmt: skip
def test_where_no_lines_slow_the_shaper(text: str, said: str) -> None:
    hits = hits_of(SHAPER_ABOVE_LINK.find(device_of(text), ABOVE))

    assert {said in (hit.advice or "") for hit in hits} == {True}


@pytest.mark.parametrize(
    ("stated", "mended"),
    [
        pytest.param("", (" frame-relay cir 121600", " frame-relay bc 1216"), id="a CIR alone"),
        pytest.param(
            " frame-relay mincir 256000\n frame-relay be 25600\n",
            (
                " frame-relay mincir 121600", " frame-relay cir 121600", " frame-relay bc 1216",
                " frame-relay be 0",
            ),
            id="a mincir above the line, and an excess",
        ),
        pytest.param(
            " frame-relay mincir 64000\n frame-relay be 0\n",
            (" frame-relay cir 121600", " frame-relay bc 1216"),
            id="what fits stays",
        ),
    ],
)  # fmt: skip
def test_a_cir_comes_down_to_the_port_with_room_for_flags_and_fcs(
    stated: str, mended: tuple[str, ...]
) -> None:
    hit = hit_of(SHAPER_ABOVE_LINK.find(device_of(circuit(stated + POLICY, clock=128000)), ABOVE))

    assert remedy_lines("shaper-burst.j2", hit) == ("map-class frame-relay FAST", *mended)


@pytest.mark.parametrize(
    ("above", "mended"),
    [
        pytest.param("768000", "  shape average 486400 4864 0", id="of FRF.12"),
        pytest.param("512000", None, id="as fast as the line is not above it"),
    ],
)
def test_a_shaper_of_a_circuit_leaves_room_for_flags_and_fcs(
    above: str, mended: str | None
) -> None:
    text = LLQ + (
        f"policy-map OUT\n class class-default\n  shape average {above} 7680 0\n"
        "  service-policy EDGE\nmap-class frame-relay CUT\n service-policy output OUT\n"
        " frame-relay fragment 640\ninterface Serial0/0\n encapsulation frame-relay\n"
        " clock rate 512000\ninterface Serial0/0.16 point-to-point\n"
        " frame-relay interface-dlci 16\n  class CUT\n"
    )
    hits = hits_of(SHAPER_ABOVE_LINK.find(device_of(text), ABOVE))

    assert [remedy_lines("shaper-burst.j2", hit)[-1] for hit in hits] == (
        [mended] if mended else []
    )


def excesses(text: str) -> list[Hit[BurstExcess]]:
    return hits_of(BURST_EXCESS_WITH_VOICE.find(device_of(text), NoParams()))


DESCRIBED = " description metro 20M\n"
STATED = "shape average 20000000 200000 "


@pytest.mark.parametrize(
    ("text", "excess_ms", "severity"),
    [
        pytest.param(circuit(" frame-relay be 25600\n" + POLICY), "100", None, id="Be of a circuit"),
        pytest.param(shaped(STATED + "2000000", fast(DESCRIBED)), "100", None,
                     id="the rate that a description names"),
        pytest.param(shaped(STATED + "1", fast("", " bandwidth 20000\n")), "0.00005", None,
                     id="one bit, the rate of bandwidth"),
        pytest.param(shaped(STATED.strip(), fast(DESCRIBED)), "10", Severity.INFO,
                     id="Be = Bc by default"),
        pytest.param(shaped("shape average 20000000", fast(DESCRIBED)), "4", Severity.INFO,
                     id="both by default"),
        pytest.param(
            LLQ + "policy-map OUT\n class class-default\n  shape average 729000 7290 14580\n"
            "  service-policy EDGE\n"
            "interface Serial0/0\n encapsulation frame-relay\n clock rate 1536000\n"
            "interface Serial0/0.1 point-to-point\n frame-relay interface-dlci 102\n"
            "  class VOIP\nmap-class frame-relay VOIP\n service-policy output OUT\n",
            "20", None, id="a circuit whose CIR no line states",
        ),
        pytest.param(sold_circuit("shape average 1024000 10240 20480", sub=SOLD_1024K), "20", None,
                     id="a circuit whose CIR its description states"),
    ],
)  # fmt: skip
def test_a_burst_over_the_contract(text: str, excess_ms: str, severity: Severity | None) -> None:
    hit = hit_of(BURST_EXCESS_WITH_VOICE.find(device_of(text), NoParams()))

    assert (hit.evidence.excess_ms, hit.severity) == (excess_ms, severity)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(circuit(POLICY), id="a circuit has none by default"),
        pytest.param(circuit(" frame-relay be 0\n" + POLICY), id="a circuit with Be 0"),
        pytest.param(shaped(STATED + "0", fast(DESCRIBED)), id="Be 0"),
        pytest.param(shaped(STATED + "2000000", fast()), id="no contract is known"),
        pytest.param(shaped("shape average 15000000 150000 1500000", fast(DESCRIBED)),
                     id="well below the contract"),
        pytest.param(
            shaped(STATED + "2000000", fast(DESCRIBED), policy=LLQ.replace("priority", "bandwidth")),
            id="no voice inside",
        ),
    ],
)  # fmt: skip
def test_no_burst_over_the_contract(text: str) -> None:
    assert excesses(text) == []


def test_a_default_of_an_open_generation_is_skipped() -> None:
    text = shaped("shape average 20000000", fast(DESCRIBED), version="12.4")

    said = skip_of(BURST_EXCESS_WITH_VOICE.find(device_of(text), NoParams()))
    assert said.object == "policy-map PARENT > class class-default"


SHAPES = "policy-map PARENT\n class class-default\n  shape average 256000\n  service-policy EDGE\n"


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        pytest.param(SHAPES + circuit(" service-policy output PARENT\n"), True, id="both"),
        pytest.param(SHAPES + circuit(" service-policy output PARENT\n", ""), False,
                     id="the policy alone"),
        pytest.param(SHAPES + circuit(POLICY), False, id="the map-class alone"),
        pytest.param(
            "policy-map OUTER\n class class-default\n  service-policy PARENT\n" + SHAPES
            + circuit(" service-policy output OUTER\n"), True, id="in a nested policy",
        ),
        pytest.param(SHAPES + circuit(" service-policy output PARENT\n",
                                      " frame-relay traffic-shaping\n shutdown\n"), False,
                     id="shut down"),
        pytest.param(SHAPES + circuit(" service-policy output PARENT\n",
                                      " frame-relay fragment 640 end-to-end\n"), True,
                     id="fragments of the interface"),
        pytest.param(circuit(POLICY, " frame-relay fragment 640 end-to-end\n"), False,
                     id="fragments of the interface and no shaper"),
    ],
)  # fmt: skip
def test_two_kinds_of_shaping(text: str, is_found: bool) -> None:
    assert bool(hits_of(FRTS_AND_MQC_MIXED.find(device_of(text), NoParams()))) is is_found


@pytest.mark.parametrize(
    ("head", "confidence"),
    [
        pytest.param("", Confidence.LIKELY, id="a draft"),
        pytest.param(CAPTURE, Confidence.POSSIBLE, id="IOS printed both"),
    ],
)
def test_a_capture_proves_that_ios_took_both(head: str, confidence: Confidence) -> None:
    text = head + SHAPES + circuit(" service-policy output PARENT\n")

    assert hit_of(FRTS_AND_MQC_MIXED.find(device_of(text), NoParams())).confidence is confidence
