"""Where an output and the configuration differ: which of the two figures are of, and what is said."""

import pytest

from advisor.device.device import Device, with_edit
from advisor.outlet.class_differences import Figures
from advisor.outlet.contradictions import contradicting, contradictions, doubtful_objects
from advisor.outlet.outlets import outlets
from advisor.predict.what_if.moves import Moves
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import Settings
from tests.support.devices import device_read

CONFIG = """\
version 12.4
hostname R1
frame-relay switching
class-map match-all VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 48
 class class-default
  fair-queue
interface Serial0/0
 encapsulation ppp
 clock rate 512000
 service-policy output WAN
interface ATM1/0
interface ATM1/0.1 point-to-point
 pvc 1/32
  vbr-nrt 2000 2000
  encapsulation aal5snap
  service-policy output WAN
interface Serial2/0
 encapsulation frame-relay
 clock rate 1536000
 frame-relay traffic-shaping
interface Serial2/0.1 point-to-point
 frame-relay interface-dlci 100
  class FR
map-class frame-relay FR
 frame-relay cir 512000
 frame-relay fragment 640
 service-policy output WAN
end
"""
CLOCK = """\
R1#show controllers serial 0/0
Interface Serial0/0
Hardware is PowerQUICC MPC860
DCE V.35, clock rate 128000
tx_limited=1(2)
"""
VBR = """\
R1#show atm pvc 1/32
ATM1/0.1: VCD: 3, VPI: 1, VCI: 32
VBR-NRT, PeakRate: 1000, Average Rate: 1000, Burst Cells: 64
AAL5-LLC/SNAP, etype:0x0, Flags: 0x20, VCmode: 0x0
InPkts: 100, OutPkts: 2000, InBytes: 100, OutBytes: 200000
Status: UP
"""
PVC = """\
R1#show frame-relay pvc 100
DLCI = 100, DLCI USAGE = LOCAL, PVC STATUS = ACTIVE, INTERFACE = Serial2/0.1
  input pkts 10            output pkts 9000         in bytes 4000
  pvc create time 1d02h, last time pvc status changed 1d01h
  fragment type end-to-end         fragment size 320
  cir 256000    bc 2560      be 0         limit 640    interval 10
  mincir 256000    byte increment 320   BECN response no  IF_CONG no
  shaping inactive
  traffic shaping drops 0
"""
DOWN = """\
R1#show interfaces serial 0/0
Serial0/0 is administratively down, line protocol is down
  Hardware is PowerQUICC Serial
  MTU 1500 bytes, BW 1544 Kbit, DLY 20000 usec, rely 255/255, load 1/255
  Encapsulation PPP, loopback not set
     100 packets output, 10000 bytes, 0 underruns
"""
SHOWN = """\
R1#show policy-map
  Policy Map WAN
    Class VOICE
      priority 96 (kbps)
    Class class-default
      fair-queue
"""


def router(shown: str, config: str = CONFIG) -> Device:
    return device_read(f"R1#show running-config\n{config}{shown}R1#\n")


@pytest.mark.parametrize(
    ("shown", "place", "rate_bps"),
    [
        pytest.param("", "Serial0/0", 512_000, id="the stated clock"),
        pytest.param(CLOCK, "Serial0/0", 128_000, id="the clock that the port gives"),
        pytest.param("", "ATM1/0.1", 2_000_000, id="the stated rate of a PVC"),
        pytest.param(VBR, "ATM1/0.1", 1_000_000, id="the rate of the PVC in force"),
        pytest.param("", "Serial2/0.1", 512_000, id="the stated CIR"),
        pytest.param(PVC, "Serial2/0.1", 256_000, id="the CIR in force"),
    ],
)
def test_figures_of_a_line_are_of_what_a_newer_output_shows(
    shown: str, place: str, rate_bps: float
) -> None:
    (own,) = (item for item in outlets(router(shown)) if item.interface.name == place)
    assert min(own.wire_bps, own.line_bps) == rate_bps


def test_fragments_are_those_in_force() -> None:
    (circuit,) = (circuit for item in router(PVC).facts.interfaces for circuit in item.circuits)
    assert circuit.fragment_bytes is not None
    assert (circuit.fragment_bytes.value, circuit.bc_bits and circuit.bc_bits.value) == (320, 2560)


SAID = [
    pytest.param(
        CLOCK,
        "Serial0/0",
        "a clock of 128 kb/s for `clock rate` 512 kb/s",
        Figures.OF_OUTPUT,
        id="a clock",
    ),
    pytest.param(
        VBR,
        "ATM1/0.1",
        "an average of 1000 kb/s on pvc 1/32 for 2000",
        Figures.OF_OUTPUT,
        id="the rate of a PVC",
    ),
    pytest.param(
        PVC, "Serial2/0.1", "DLCI 100 shaped to 256 kb/s for 512", Figures.OF_OUTPUT, id="a CIR"
    ),
    pytest.param(
        DOWN,
        "Serial0/0",
        "administratively down for no `shutdown`",
        Figures.OF_CONFIG,
        id="a port that is shut down",
    ),
    pytest.param(
        SHOWN, "Serial0/0", "priority 96 in class VOICE for 48", Figures.OF_CONFIG, id="a policy"
    ),
]


@pytest.mark.parametrize(("shown", "place", "said", "figures"), SAID)
def test_predict_says_what_lint_says_of_the_outputs(
    shown: str, place: str, said: str, figures: Figures
) -> None:
    device = router(shown)
    (found, *_) = (row for rows in contradictions(device).values() for row in rows)
    predictions = [
        item
        for item in predict_device(device, "r1.txt", Settings(), None, (Moves(),))
        if isinstance(item, ClassPrediction) and place in item.object
    ]

    assert (found.said, found.figures) == (said, figures)
    assert predictions
    of = "what they show" if figures is Figures.OF_OUTPUT else "the configuration"
    for prediction in predictions:
        (caution,) = (weak for weak in prediction.weak if weak.startswith("outputs show"))
        assert said in caution
        assert caution.endswith(f"the figures are of {of}")


def test_nothing_is_said_of_the_other_outputs() -> None:
    device = router(CLOCK)
    places = {outlet.interface.name for outlet in outlets(device) if contradicting(device, outlet)}
    assert places == {"Serial0/0"}


def test_lines_of_an_edit_are_newer_than_outputs() -> None:
    device = router(CLOCK)
    assert contradictions(device)
    assert not contradictions(with_edit(device, device.facts.tree))


@pytest.mark.parametrize(
    ("shown", "objects"),
    [
        pytest.param("", set(), id="no output"),
        pytest.param(CLOCK, {"interface Serial0/0"}, id="a policy that other ports use is sound"),
        pytest.param(PVC, {"interface Serial2/0.1"}, id="a circuit leaves its port without doubt"),
        pytest.param(SHOWN, {"policy-map WAN"}, id="a policy that an output prints otherwise"),
    ],
)
def test_what_a_contradiction_puts_in_doubt(shown: str, objects: set[str]) -> None:
    assert doubtful_objects(router(shown)) == objects


def test_a_policy_is_in_doubt_where_each_of_its_places_is() -> None:
    alone = CONFIG[: CONFIG.index("interface ATM1/0\n")] + "end\n"
    assert doubtful_objects(router(CLOCK, alone)) == {"interface Serial0/0", "policy-map WAN"}
