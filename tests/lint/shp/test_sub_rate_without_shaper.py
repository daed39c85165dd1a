"""SHP003: a policy that queues at a port of which a provider sells less."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, NoParams
from advisor.lint.checks.llq.calls import CallCapacityParams
from advisor.lint.checks.shp.rates import MissingShaper
from advisor.lint.findings import Confidence, Severity
from advisor.lint.run import review
from advisor.outlet.wires import described_rate_bps
from advisor.settings import Settings
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of

LLQ_CALL_CAPACITY = CHECKS["llq-call-capacity"]
QUEUEING_WITHOUT_SHAPER_ON_SUBINTERFACE = CHECKS["queueing-without-shaper-on-subinterface"]
SUB_RATE_WITHOUT_SHAPER = CHECKS["sub-rate-without-shaper"]

QUEUES = (
    "class-map match-all VOICE\n match ip dscp ef\npolicy-map EDGE\n class VOICE\n"
    "  priority percent 20\n class class-default\n  fair-queue\n"
)
MARKS = "policy-map EDGE\n class class-default\n  set dscp default\n"
PARENT = (
    "policy-map PARENT\n class class-default\n  shape average 20000000\n  service-policy EDGE\n"
)


def port(lines: str, policy: str = "EDGE", queues: str = QUEUES) -> str:
    return (
        f"version 15.2\n{queues}{PARENT}interface GigabitEthernet0/0\n{lines}"
        f" service-policy output {policy}\n"
    )


def circuit(cir_bps: int, shaping: str = "") -> str:
    return (
        f"version 12.3\n{QUEUES}interface Serial0/0\n encapsulation frame-relay\n"
        f" clock rate 1024000\n{shaping}interface Serial0/0.1 point-to-point\n"
        " frame-relay interface-dlci 100\n  class FAST\nmap-class frame-relay FAST\n"
        f" frame-relay cir {cir_bps}\n service-policy output EDGE\n"
    )


DIALER = (
    f"version 12.4\n{QUEUES}interface FastEthernet0/0\n pppoe enable\n"
    " pppoe-client dial-pool-number 1\ninterface Dialer1\n bandwidth 768\n encapsulation ppp\n"
    " dialer pool 1\n service-policy output EDGE\n"
)


def found(text: str) -> list[Hit[MissingShaper]]:
    return hits_of(SUB_RATE_WITHOUT_SHAPER.find(device_of(text), NoParams()))


@pytest.mark.parametrize(
    ("text", "sold", "port_rate"),
    [
        pytest.param(port(" description metro 20M\n"), "20 Mb/s", "1000 Mb/s", id="a description"),
        pytest.param(port(" bandwidth 949000\n"), "949 Mb/s", "1000 Mb/s", id="just under the port"),
        pytest.param(port(" description 20M\n bandwidth 50000\n"), "20 Mb/s", "1000 Mb/s",
                     id="a description before bandwidth"),
        pytest.param(port(" speed 100\n bandwidth 20000\n"), "20 Mb/s", "100 Mb/s", id="of its speed"),
        pytest.param(circuit(256000).replace(" encapsulation frame-relay\n", ""), "256 kb/s", "1024 kb/s",
                     id="a CIR that nothing shapes to in this part"),
    ],
)  # fmt: skip
def test_less_is_sold_than_the_port_has(text: str, sold: str, port_rate: str) -> None:
    evidence = hit_of(SUB_RATE_WITHOUT_SHAPER.find(device_of(text), NoParams())).evidence

    assert (evidence.sold, evidence.port) == (sold, port_rate)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(port(" description metro 20M\n", "PARENT"), id="a parent shapes"),
        pytest.param(port(" bandwidth 950000\n"), id="the rate of the port, rounded"),
        pytest.param(port(" description LAN\n"), id="nothing names a rate"),
        pytest.param(port(" description metro 20M\n", queues=MARKS), id="nothing queues"),
        pytest.param(circuit(256000, " frame-relay traffic-shaping\n"), id="the CIR shapes"),
        pytest.param(circuit(1024000), id="the CIR is the port"),
        pytest.param(
            port(" encapsulation dot1Q 5\n bandwidth 20000\n").replace("net0/0\n", "net0/0.5\n"),
            id="a subinterface is REF007's",
        ),
    ],
)
def test_silent(text: str) -> None:
    assert found(text) == []


SUB = "GigabitEthernet0/0/0.120"


def subinterface(main: str = "", own: str = "", version: str = "16.9", more: str = "") -> str:
    """A policy that queues on a dot1Q subinterface of a gigabit port."""
    chassis = "!Chassis type: ISR4431/K9\n" if version == "16.9" else "!Chassis type: 2911\n"
    return (
        f"{chassis}version {version}\n{QUEUES}interface GigabitEthernet0/0/0\n{main}"
        f"interface {SUB}\n{own} encapsulation dot1Q 120\n service-policy output EDGE\n{more}"
    )


@pytest.mark.parametrize(
    ("text", "sold", "has_lines"),
    [
        pytest.param(subinterface(own=" description MPLS 20 Mb/s\n"), "20 Mb/s", True,
                     id="its own description"),
        pytest.param(subinterface(" description MPLS 20 Mb/s\n"), "20 Mb/s", True,
                     id="the description of its main interface"),
        pytest.param(
            subinterface(
                " description MPLS 20 Mb/s\n",
                more="interface GigabitEthernet0/0/0.130\n encapsulation dot1Q 130\n",
            ),
            "20 Mb/s", False, id="a rate that two subinterfaces share has no lines",
        ),
        pytest.param(subinterface(own=" description room 20M\n"), "20 Mb/s", False,
                     id="a number in prose has no lines"),
    ],
)  # fmt: skip
def test_a_subinterface_of_ios_xe(text: str, sold: str, *, has_lines: bool) -> None:
    (hit,) = found(text)

    assert (hit.object, hit.evidence.sold, hit.curable) == (
        f"interface {SUB}",
        sold,
        has_lines,
    )


def test_before_ios_xe_the_refusal_on_a_subinterface_names_the_rate() -> None:
    text = subinterface(own=" description MPLS 20 Mb/s\n", version="15.2")

    assert found(text) == []
    refusal = hit_of(QUEUEING_WITHOUT_SHAPER_ON_SUBINTERFACE.find(device_of(text), NoParams()))
    assert "20 Mb/s by description" in (refusal.advice or "")


def test_the_line_that_names_the_rate_is_evidence() -> None:
    text = port(" description metro 20M\n")
    (hit,) = found(text)
    line = text.splitlines().index(" description metro 20M") + 1

    assert [at.line for at in hit.at][1:] == [line]
    assert hit.evidence.named == f" (r1.ios:{line})"


@pytest.mark.parametrize(
    ("own", "said"),
    [
        pytest.param(" description MPLS 20 Mb/s\n", "128 of G.729 or 45 of G.711",
                     id="a contract counts"),
        pytest.param(" description room 20M\n", "6410 of G.729 or 2293 of G.711",
                     id="a number in prose does not"),
    ],
)  # fmt: skip
def test_calls_are_counted_at_the_rate_that_is_sold(own: str, said: str) -> None:
    hit = hit_of(LLQ_CALL_CAPACITY.find(device_of(subinterface(own=own)), CallCapacityParams(1.0)))

    assert said in hit.evidence.said
    assert ("at the 20 Mb/s of the description" in hit.evidence.said) is ("MPLS" in own)


def test_bandwidth_alone_is_information() -> None:
    hit = hit_of(SUB_RATE_WITHOUT_SHAPER.find(device_of(port(" bandwidth 20000\n")), NoParams()))

    assert (hit.severity, hit.confidence) == (Severity.INFO, Confidence.POSSIBLE)


@pytest.mark.parametrize(
    ("names", "has_lines"),
    [
        pytest.param(" bandwidth 20000\n", False, id="a label that may be a metric of routing"),
        pytest.param(" description metro 20M\n", True, id="a description names what is sold"),
        pytest.param(
            " description metro 20M\n rate-limit output 18000000 8000 8000 conform-action transmit"
            " exceed-action drop\n",
            False,
            id="CAR drops before a shaper queues",
        ),
        pytest.param(
            " description metro 20M\n traffic-shape rate 18000000\n", False, id="GTS below it"
        ),
        pytest.param(
            " description metro 20M\n rate-limit output 30000000 8000 8000 conform-action transmit"
            " exceed-action drop\n",
            True,
            id="CAR above it leaves the queue to the shaper",
        ),
    ],
)
def test_a_port_is_not_shaped_to_a_label(names: str, *, has_lines: bool) -> None:
    assert (
        hit_of(SUB_RATE_WITHOUT_SHAPER.find(device_of(port(names)), NoParams())).curable
        is has_lines
    )


def test_a_description_is_a_warning() -> None:
    hit = hit_of(
        SUB_RATE_WITHOUT_SHAPER.find(device_of(port(" description metro 20M\n")), NoParams())
    )

    assert (hit.severity, hit.confidence) == (None, Confidence.LIKELY)


def test_the_dialer_over_a_modem_names_the_rate() -> None:
    hit = hit_of(SUB_RATE_WITHOUT_SHAPER.find(device_of(DIALER), NoParams()))

    assert (hit.evidence.interface, hit.evidence.sold) == ("Dialer1", "768 kb/s")


def test_the_parent_has_a_free_name() -> None:
    taken = port(" bandwidth 20000\n") + "policy-map EDGE-20000K\n"

    assert (
        hit_of(SUB_RATE_WITHOUT_SHAPER.find(device_of(taken), NoParams())).evidence.parent
        == "EDGE-20000K-2"
    )


@pytest.mark.parametrize(
    ("text", "rate_bps"),
    [
        pytest.param("metro access, 20 Mb/s contracted", 20e6, id="Mb/s"),
        pytest.param("CIR 512k to Lisbon", 512e3, id="k"),
        pytest.param("EVC-0017-10M", 10e6, id="of an identifier"),
        pytest.param("1.5 Mbit/s", 1.5e6, id="a fraction"),
        pytest.param("20M primary (20 Mbps)", 20e6, id="twice the same"),
        pytest.param("backup for 2M line", None, id="the rate of another line"),
        pytest.param("4G backup", None, id="mobile"),
        pytest.param("10m to the rack", None, id="metres"),
        pytest.param("CIR 10M PIR 20M", None, id="two rates"),
        pytest.param("WS-C2960-24TT", None, id="a model"),
        pytest.param("10/100M", None, id="a kind of port"),
        pytest.param("9" * 30 + "M", None, id="no number of a rate"),
        pytest.param("circuit 123456M9", None, id="a number"),
    ],
)
def test_rates_in_descriptions(text: str, rate_bps: float | None) -> None:
    assert described_rate_bps(text) == rate_bps


@pytest.mark.parametrize(
    ("lines", "is_curable"),
    [
        pytest.param(" description MPLS 20M\n", True, id="a provider's line"),
        pytest.param(" description CIR 20M\n", True, id="a contract"),
        pytest.param(" description to HQ, 20M\n bandwidth 20000\n", True, id="bandwidth agrees"),
        pytest.param(" description Bldg 7 Room 5M-12\n", False, id="a room"),
        pytest.param(" description formerly 20Mbps, ISP\n", False, id="an old rate"),
        pytest.param(" description to HQ, 20M\n", False, id="a number alone"),
        pytest.param(
            " description formerly 20M\n bandwidth 20000\n", False, id="bandwidth as old as it"
        ),
        pytest.param(
            " description 20M until 2020\n bandwidth 20000\n", False, id="a rate that has an end"
        ),
        pytest.param(
            " description backup of the 20M line\n bandwidth 20000\n", False, id="another line"
        ),
        pytest.param(
            " description CIR 5M, no longer 20M\n bandwidth 20000\n", False, id="two rates"
        ),
    ],
)
def test_a_number_in_prose_gives_a_port_no_shaper(lines: str, *, is_curable: bool) -> None:
    hit = hit_of(SUB_RATE_WITHOUT_SHAPER.find(device_of(port(lines)), NoParams()))
    assert (hit.curable, hit.severity is None) == (is_curable, is_curable)
    assert ("sends no more than 20 Mb/s of its" in (hit.advice or "")) is is_curable


SOLD = port(" description metro 20M\n", queues=QUEUES.replace("  fair-queue\n", ""))
SHAPED_TOO = "interface GigabitEthernet0/1\n service-policy output PARENT\n"


@pytest.mark.parametrize(
    ("text", "depends"),
    [
        pytest.param(SOLD, True, id="a policy that queues nowhere"),
        pytest.param(SOLD + SHAPED_TOO, False, id="a policy that queues behind a shaper elsewhere"),
    ],
)
def test_findings_on_a_policy_that_queues_nowhere_stand_below(text: str, *, depends: bool) -> None:
    settings = Settings()
    found = review([Source("r1.ios", text.encode())], load_rules(settings.budgets), settings)
    (dependent,) = (each for each in found.findings if each.rule == "CBW002")

    assert (dependent.void_by is not None and dependent.void_by.rule == "SHP003") is depends
    assert ("without effect until SHP003" in dependent.message) is depends
    assert dependent.remedy is not None
    assert dependent.remedy.lines


def test_the_figure_is_the_rate_that_queues_before_and_with_the_lines() -> None:
    settings = Settings()
    found = review([Source("r1.ios", SOLD.encode())], load_rules(settings.budgets), settings)
    forecast = next(each.prediction for each in found.findings if each.rule == "SHP003")
    assert forecast is not None
    assert forecast.after is not None
    assert forecast.metric == "rate at which packets begin to queue here, by class"
    rates = forecast.before.value, forecast.after.value, forecast.before.unit
    assert rates == (1_000_000, 20_000, "kb/s")
