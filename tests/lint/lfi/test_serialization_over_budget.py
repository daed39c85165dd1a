"""One packet on the wire against the budget of voice."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit
from advisor.lint.checks.lfi.serialization import LongPacket
from advisor.lint.findings import Severity
from advisor.outlet.outlets import outlets
from advisor.predict.classes.congested import CongestedCase, congested, solved_cases
from advisor.predict.ring import RingView, ring_view
from tests.support.devices import device_of
from tests.support.verdicts import hits_of, skip_of

SERIALIZATION_OVER_BUDGET = CHECKS["serialization-over-budget"]

LLQ = """\
class-map match-all VOICE
 match ip dscp ef
policy-map EDGE
 class VOICE
  priority 64
 class class-default
  fair-queue
"""
PPP = "interface Serial0/0\n encapsulation ppp\n{0} service-policy output EDGE\n"
FR = (
    "interface Serial0/0\n encapsulation frame-relay\n clock rate 512000\n"
    " frame-relay traffic-shaping\ninterface Serial0/0.1 point-to-point\n"
    " frame-relay interface-dlci 100\n  class VOFR\n"
    "map-class frame-relay VOFR\n frame-relay cir 256000\n service-policy output EDGE\n"
)


def hits(text: str) -> list[Hit[LongPacket]]:
    device = device_of(LLQ + text)
    said = SERIALIZATION_OVER_BUDGET.find(device, SERIALIZATION_OVER_BUDGET.params(10.0, 768))
    return hits_of(said)


@pytest.mark.parametrize(
    ("text", "packet_ms"),
    [
        pytest.param(
            PPP.format(" clock rate 512000\n"), 23.6, id="1500 bytes, 1508 on the wire, at 512 k"
        ),
        pytest.param(PPP.format(" clock rate 2000000\n"), None, id="6 ms at 2 M"),
        pytest.param(PPP.format(" clock rate 512000\n mtu 576\n"), None, id="9 ms for 576 bytes"),
        pytest.param(
            PPP.format(" clock rate 512000\n ip mtu 576\n"), None, id="9 ms for 576 bytes of IP"
        ),
        pytest.param(
            PPP.format(" clock rate 512000\n ip mtu 576\n ipv6 enable\n"),
            23.6,
            id="ip mtu does not cut IPv6",
        ),
        pytest.param(
            PPP.format(" clock rate 512000\n mtu 576\n ip mtu 1000\n"), None, id="the smaller one"
        ),
        pytest.param(
            FR.replace("  class VOFR\n", "  class VOFR\n ip mtu 576\n"), None, id="of a circuit"
        ),
        pytest.param(
            FR.replace("  class VOFR\n", "  class VOFR\n ip mtu 576\n")
            + "interface Serial0/0.2 point-to-point\n ip address 10.0.0.1 255.255.255.252\n",
            23.6,
            id="another circuit sends whole packets over the wire",
        ),
        pytest.param(FR, 23.6, id="the wire of a circuit is that of the port"),
        pytest.param(
            FR + " frame-relay fragment 640\n", None, id="a circuit that is fragmented already"
        ),
    ],
)
def test_packet_on_the_wire(text: str, packet_ms: float | None) -> None:
    found = [round(each.evidence.packet_ms, 1) for each in hits(text)]
    assert found == ([] if packet_ms is None else [packet_ms])


def test_a_tunnel_whose_wire_is_not_known_is_not_judged() -> None:
    text = "interface Tunnel0\n bandwidth 512\n service-policy output EDGE\n"
    skip = skip_of(
        SERIALIZATION_OVER_BUDGET.find(
            device_of(LLQ + text), SERIALIZATION_OVER_BUDGET.params(10.0, 768)
        )
    )
    assert skip.object == "interface Tunnel0"


def test_above_768_kbps_it_is_worth_knowing_only() -> None:
    (hit,) = hits(PPP.format(" clock rate 1000000\n"))
    assert hit.severity is Severity.INFO


FR_PORT = (
    "interface Serial0/0\n encapsulation frame-relay\n clock rate 256000\n"
    " service-policy output EDGE\n"
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(FR_PORT, id="an interface without circuits"),
        pytest.param(FR, id="a circuit"),
        pytest.param(PPP.format(" clock rate 512000\n"), id="PPP"),
    ],
)
def test_advice_has_no_empty_clause(text: str) -> None:
    (hit,) = hits(text)
    assert all(clause.strip() for clause in (hit.advice or "").split(";"))


NO_CLASS = (
    "interface Serial0/0\n encapsulation frame-relay\n clock rate 512000\n"
    " frame-relay traffic-shaping\n frame-relay interface-dlci 100\n"
    "  service-policy output EDGE\n"
)
ON_SUBINTERFACE = (
    "policy-map SHAPE\n class class-default\n  shape average 256000\n  service-policy EDGE\n"
    "interface Serial0/0\n encapsulation frame-relay\n clock rate 512000\n"
    "interface Serial0/0.1 point-to-point\n service-policy output SHAPE\n"
    " frame-relay interface-dlci 100\n"
)
ATM = "interface ATM0/0\n pvc 1/100\n  vbr-nrt 256 256\n  service-policy output EDGE\n"


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        pytest.param(PPP.format(" clock rate 512000\n"), "MLPPP with interleaving on both ends",
                     id="PPP: multilink"),
        pytest.param(NO_CLASS, "FRF.12 on both ends: `frame-relay fragment 632` in a map-class",
                     id="under traffic shaping without a map-class"),
        pytest.param(ON_SUBINTERFACE, "FRF.12 on both ends: `frame-relay fragment 312` in a map-class"
                     " of the circuit, with `service-policy output SHAPE` there, not on the interface",
                     id="a policy that shapes on the subinterface: the form of the circuit"),
        pytest.param(PPP.format(" clock rate 38400\n"), "raise the rate", id="48 bytes cut voice"),
    ],
)  # fmt: skip
def test_what_to_do_where_both_ends_must_change(text: str, advice: str) -> None:
    (hit,) = hits(text)
    assert not hit.curable
    assert (hit.advice or "").startswith(advice)


@pytest.mark.parametrize(
    ("text", "size_bytes", "time_ms", "rate_kbps"),
    [
        pytest.param(FR, 312, 5.0, "512", id="with the header, sized for the CIR of the circuit"),
        pytest.param(FR_PORT, 312, 10.0, "256", id="with the header, at the rate of the port"),
        pytest.param(ATM, 272, 9.9375, "256", id="six whole cells"),
        pytest.param(PPP.format(" clock rate 512000\n"), 640, 10.203125, "512",
                     id="MLPPP: the header comes on top of what IOS cuts"),
    ],
)  # fmt: skip
def test_a_fragment_and_its_time_at_its_rate(
    text: str, size_bytes: int, time_ms: float, rate_kbps: str
) -> None:
    (hit,) = hits(text)
    fragment = hit.evidence
    assert fragment.fragment_bytes == size_bytes
    assert fragment.fragment_ms == pytest.approx(time_ms)
    assert fragment.fragment_rate_kbps == rate_kbps


TWO_CIRCUITS = (
    "interface Serial0/0\n encapsulation frame-relay\n clock rate 512000\n"
    " frame-relay traffic-shaping\n"
    "interface Serial0/0.1 point-to-point\n frame-relay interface-dlci 100\n  class SLOW\n"
    "interface Serial0/0.2 point-to-point\n frame-relay interface-dlci 200\n  class FAST\n"
    "map-class frame-relay SLOW\n frame-relay cir 128000\n frame-relay fragment {}\n"
    " service-policy output EDGE\n"
    "map-class frame-relay FAST\n frame-relay cir 256000\n service-policy output EDGE\n"
)


@pytest.mark.parametrize(
    ("stated", "map_classes"),
    [
        pytest.param(160, ("FAST",), id="160 of 152 is right"),
        pytest.param(190, ("FAST",), id="as far off as LFI002 lets pass"),
        pytest.param(191, ("SLOW", "FAST"), id="more than that"),
    ],
)
def test_a_map_class_with_the_right_fragment_stays(
    stated: int, map_classes: tuple[str, ...]
) -> None:
    (hit,) = hits(TWO_CIRCUITS.format(stated))

    assert hit.evidence.frame_relay is not None
    assert hit.evidence.frame_relay.map_classes == map_classes


def test_the_message_names_the_fragment_of_the_lines_and_what_made_its_size() -> None:
    (hit,) = hits(TWO_CIRCUITS.format(160))
    said, forecast = hit.evidence, hit.forecast

    assert said.frame_relay is not None
    assert said.fragment_bytes == said.frame_relay.size_bytes == 152
    assert forecast is not None
    assert forecast.after is not None
    assert said.fragment_ms == forecast.after.high
    assert said.slowest == "; they fit 128 kb/s, the slowest rate on their way"


DISABLE = " ppp multilink fragment disable\n"


def bundle(links: int, lines: str = "", clock: int = 512_000) -> str:
    text = f"interface Multilink1\n ppp multilink\n ppp multilink group 1\n{lines}"
    member = f" encapsulation ppp\n clock rate {clock}\n ppp multilink\n ppp multilink group 1\n"
    members = "".join(f"interface Serial0/{number}\n{member}" for number in range(links))
    return f"{LLQ}{text} service-policy output EDGE\n{members}"


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        pytest.param(bundle(1), (None, "certain"), id="one link: the packet is whole"),
        pytest.param(bundle(3, DISABLE), (None, "certain"), id="three links that cut nothing"),
        pytest.param(bundle(3), ("info", "possible"), id="three links: 8 ms in three fragments"),
        pytest.param(bundle(2), (None, "certain"), id="two links: 11.9 ms is over the budget, too"),
    ],
)
def test_several_links_cut_a_packet_by_default(text: str, judged: tuple[str | None, str]) -> None:
    said = SERIALIZATION_OVER_BUDGET.find(
        device_of(text), SERIALIZATION_OVER_BUDGET.params(10.0, 768)
    )
    (hit,) = hits_of(said)

    assert (hit.severity, hit.confidence) == judged


def test_rings_and_predictions_have_the_range_of_the_pieces() -> None:
    devices = [device_of(bundle(3, f"{lines} bandwidth 1536\n")) for lines in ("", DISABLE)]
    questions = [congested(device, next(iter(outlets(device)))) for device in devices]
    cut, whole = solved_cases(questions)
    views = [ring_view(question.outlet, question.offers) for question in questions]

    assert isinstance(cut, CongestedCase)
    assert isinstance(whole, CongestedCase)
    in_pieces, in_one = cut.solved.first_priority, whole.solved.first_priority
    assert in_pieces is not None
    assert in_one is not None
    assert in_pieces.mean.low < in_one.mean.low / 2
    assert in_pieces.mean.high == in_one.mean.high
    bounds = [view.bound(2) for view in views if isinstance(view, RingView)]
    assert bounds[0].low_ms < bounds[1].low_ms / 2
    assert bounds[0].high_ms == bounds[1].high_ms
