"""Lines of a policy that are not understood are not in its figures, and the figures say so."""

import pytest

from advisor.ground.quantity import Unknown
from advisor.ground.wording import RemarkKind, remark_words
from advisor.outlet.class_bandwidth import reserves_nothing
from advisor.outlet.outlets import outlets
from advisor.outlet.plain import plain_outlets
from advisor.predict.classes.congested import CongestedCase, congested, solved_cases
from tests.support.devices import device_read

_CONFIG = """version 15.1
hostname r1
class-map match-any VOICE
 match ip dscp ef
class-map match-any DATA
 match ip dscp af21
policy-map CHILD
 class VOICE
  priority 128
 class DATA
  bandwidth 100
policy-map PARENT
 class class-default
  shape average 512000
  service-policy CHILD
interface Serial0/0
 bandwidth 1000
 encapsulation ppp
 tx-ring-limit 4
 service-policy output PARENT
policy-map OTHER
 class DATA
  frobnicate 3
"""
_SAID = remark_words(RemarkKind.UNREAD_LINES)


def _cautions(config: str) -> set[bool]:
    device = device_read(config)
    (case,) = solved_cases([congested(device, outlets(device)[0])])
    assert isinstance(case, CongestedCase)
    said = [each.weak for each in case.solved.classes]
    said += [each.weak for each in case.solved.unstated]
    return {_SAID in weak for weak in said}


@pytest.mark.parametrize(
    ("line", "unread"),
    [
        pytest.param("  bandwidth 100", "  bandwith 100", id="an action of a nested policy"),
        pytest.param("  bandwidth 100", "  bandwidth 100\n  frobnicate 3", id="beside others"),
        pytest.param(" class DATA\n", ' class DATA\n  bandwidth 50\n class "A B"\n', id="a class"),
        pytest.param("  shape average 512000", "  shape average 512000\n  frob 1", id="the parent"),
    ],
)
def test_every_class_of_the_output_has_the_caution(line: str, unread: str) -> None:
    assert _cautions(_CONFIG.replace(line, unread, 1)) == {True}


_FRAME_RELAY = """version 12.3
class-map match-all VOICE
 match ip dscp ef
policy-map LLQ
 class VOICE
  priority 64
interface Serial0/0
 clock rate 512000
 encapsulation frame-relay
 frame-relay traffic-shaping
interface Serial0/0.101 point-to-point
 frame-relay interface-dlci 101
  class FR
interface Serial0/0.102 point-to-point
 frame-relay interface-dlci 102
  class OTHER
map-class frame-relay FR
 frame-relay cir 256000
 frame-relay fragment 320
 service-policy output LLQ
map-class frame-relay OTHER
 frame-relay cir 64000
"""
_BUNDLE = """version 12.4
policy-map LLQ
 class VOICE
  priority 64
interface Multilink1
 ppp multilink
 ppp multilink interleave
 ppp multilink fragment delay 10
 ppp multilink group 1
 service-policy output LLQ
interface Serial0/0
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 2
 ppp multilink group 1
interface Serial0/1
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 2
 ppp multilink group 1
"""
_CIRCUIT = """version 12.4
policy-map LLQ
 class VOICE
  priority 64
interface ATM0/0.1 point-to-point
 pvc 1/101
  vbr-nrt 384 384
  encapsulation aal5snap
  service-policy output LLQ
 pvc 1/102
  vbr-nrt 384 384
"""


@pytest.mark.parametrize(
    ("config", "line", "unread"),
    [
        (_CONFIG, " encapsulation ppp", " encapsulation ppp\n tx-queue-limit x"),
        (_FRAME_RELAY, " frame-relay fragment 320", " frame-relay fragment 8"),
        (_FRAME_RELAY, " clock rate 512000", " clock rate 512000\n hold-queue x out"),
        (_BUNDLE, "limit 2", "limit 2\n hold-queue x out"),
        (_CIRCUIT, "  encapsulation aal5snap", "  encapsulation aal5snap\n  queue-depth x"),
    ],
    ids=["the interface", "a map-class", "the main interface", "a member", "a circuit"],
)
def test_a_line_of_a_section_that_the_output_depends_on_is_a_caution(
    config: str, line: str, unread: str
) -> None:
    assert not any(outlet.has_unread_lines for outlet in outlets(device_read(config)))

    assert _cautions(config.replace(line, unread, 1)) == {True}


@pytest.mark.parametrize(
    ("config", "line", "unread"),
    [
        (_FRAME_RELAY, " frame-relay cir 64000", " frame-relay cir 64k"),
        (_CIRCUIT, " pvc 1/102\n  vbr-nrt 384 384", " pvc 1/102\n  vbr-nrt fast"),
    ],
    ids=["another map-class", "another circuit"],
)
def test_a_line_of_a_section_beside_the_output_gives_none(
    config: str, line: str, unread: str
) -> None:
    assert _cautions(config.replace(line, unread, 1)) == {False}


@pytest.mark.parametrize(
    ("config", "line", "unread", "said"),
    [
        pytest.param(
            _FRAME_RELAY, "relay cir 256000", "relay cir 256k", "the shaper is not known", id="CIR"
        ),
        pytest.param(
            _BUNDLE, "delay 10", "delay 10000", "the fragments are not known", id="fragments"
        ),
    ],
)
def test_no_value_of_ios_stands_for_a_line_that_is_not_understood(
    config: str, line: str, unread: str, said: str
) -> None:
    device = device_read(config.replace(line, unread, 1))

    (case,) = solved_cases([congested(device, outlets(device)[0])])

    assert isinstance(case, Unknown)
    assert case.reason.startswith(said)


def test_a_circuit_without_a_policy_has_no_default_cir_for_one_that_is_not_understood() -> None:
    config = _FRAME_RELAY.replace("cir 64000", "cir 64k")
    rates = [
        outlet.shaper_bps
        for text in (_FRAME_RELAY, config)
        for outlet in plain_outlets(device_read(text))
    ]

    assert rates == [64_000, None]


def test_a_circuit_whose_rate_is_not_understood_is_no_ubr() -> None:
    found = []
    for rate in ("vbr-nrt 384 384", "vbr-nrt fast", "ubr"):
        device = device_read(_CIRCUIT.replace("vbr-nrt 384 384", rate, 1))
        found.append(reserves_nothing(outlets(device)[0], device.platform))

    assert found == [False, False, True]


def test_a_line_of_another_policy_gives_none() -> None:
    assert _cautions(_CONFIG) == {False}
