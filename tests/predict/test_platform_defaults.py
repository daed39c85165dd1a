"""Defaults by family: QFP has its own, and what is not known of a family stays unknown."""

import pytest

from advisor.device.device import Device
from advisor.facts.policy import Unit
from advisor.ground.quantity import Unknown
from advisor.model import Excess
from advisor.outlet.class_bandwidth import Admission, admission_of
from advisor.outlet.class_service import limit_of_class
from advisor.outlet.offer import offers_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.outlet.queue_limit import LimitKind, queue_limit
from advisor.outlet.scheduler import scheduler_of
from advisor.outlet.wred_rows import Defaults
from advisor.predict.classes import Question
from advisor.predict.classes.solved import SolvedOutlet, solved
from tests.support.devices import device_of
from tests.support.platforms import platform_named

HEADS = {
    "pre-hqf": "version 12.3\n",
    "hqf": "version 15.1\n",
    "qfp": "version 16.9\nlicense udi pid ISR4331/K9 sn F1\n",
    "xe": "version 16.9\n",
    "xe-without-qfp": "version 16.6\nlicense udi pid ASR-920-24SZ-M sn C1\n",
    "mqc": "version 17.3\nswitch 1 provision c9300-48p\n",
    "vip": "!Chassis type: RSP4\n!Slot 1/0: type VIP4-80 RM7000B\nversion 12.0\n",
}
POLICY = """\
policy-map QUEUES
 class VOICE
  priority percent 30
 class DATA
  bandwidth percent 12
 class BULK
  bandwidth percent 58
policy-map LINE
 class class-default
  shape average {rate}
  service-policy QUEUES
interface GigabitEthernet0/0/0
 service-policy output LINE
"""


def output_of(head: str, rate: int = 50_000_000) -> tuple[Device, Outlet]:
    device = device_of(HEADS[head] + POLICY.format(rate=rate))
    return device, policies_out(device)[0]


@pytest.mark.parametrize(
    ("head", "rate", "name", "kind", "packets"),
    [
        pytest.param("hqf", 50_000_000, "DATA", LimitKind.DEFAULT, 64, id="HQF: 64"),
        pytest.param("qfp", 50_000_000, "DATA", LimitKind.DEFAULT, 208, id="QFP: 50 ms of 50 Mb/s"),
        pytest.param("qfp", 50_000_000, "BULK", LimitKind.DEFAULT, 208, id="of each class alike"),
        pytest.param("qfp", 2_000_000, "DATA", LimitKind.DEFAULT, 64, id="QFP: never under 64"),
        pytest.param("qfp", 50_000_000, "VOICE", LimitKind.DEFAULT, 512, id="QFP: priority"),
        pytest.param("xe", 50_000_000, "DATA", LimitKind.UNKNOWN, None, id="XE: hardware open"),
        pytest.param("xe-without-qfp", 50_000_000, "DATA", LimitKind.UNKNOWN, None, id="ASR 920"),
        pytest.param("mqc", 50_000_000, "DATA", LimitKind.UNKNOWN, None, id="a Catalyst"),
        pytest.param("vip", 50_000_000, "DATA", LimitKind.UNKNOWN, None, id="a VIP"),
    ],
)
def test_the_default_queue_limit(
    head: str, rate: int, name: str, kind: LimitKind, packets: int | None
) -> None:
    device, outlet = output_of(head, rate)
    limit = queue_limit(outlet, outlet.class_named(name), device.platform)
    assert (limit.kind, limit.packets) == (kind, packets)


def test_limits_that_differ_by_output_are_named_with_their_outputs() -> None:
    policy = POLICY.format(rate=50_000_000)
    serial = "interface Serial0/1/0\n bandwidth 512\n service-policy output QUEUES\n"
    device = device_of(HEADS["qfp"] + policy + serial)
    queues = next(policy for policy in device.facts.policy_maps if policy.name == "QUEUES")
    data = next(queued for queued in queues.classes if queued.name == "DATA")
    limit = limit_of_class(device, queues, data)
    assert (limit.kind, limit.packets) == (LimitKind.UNKNOWN, None)
    assert limit.source == (
        "the queue-limit differs by output: interface GigabitEthernet0/0/0: 208 packets; "
        "interface Serial0/1/0: 64 packets"
    )


@pytest.mark.parametrize(
    ("limit", "unit", "precedence", "thresholds"),
    [
        pytest.param(375_000.0, Unit.BYTES, 0, (93_750.0, 187_500.0), id="a printed row"),
        pytest.param(375_000.0, Unit.BYTES, 1, (105_468.0, 187_500.0), id="whole numbers"),
        pytest.param(375_000.0, Unit.BYTES, 7, (175_781.0, 187_500.0), id="the last row"),
        pytest.param(64.0, Unit.PACKETS, 0, (16.0, 32.0), id="of the least queue-limit"),
    ],
)
def test_the_default_rows_of_qfp_follow_from_the_queue_limit(
    limit: float, unit: Unit, precedence: int, thresholds: tuple[float, float]
) -> None:
    defaults = Defaults(platform_named("qfp"), limit, unit)
    assert defaults.thresholds("precedence", precedence) == thresholds


@pytest.mark.parametrize("platform", ["qfp", "xe-without-qfp", "catalyst-mqc", "vip"])
def test_dscp_rows_of_other_families_are_not_known(platform: str) -> None:
    assert Defaults(platform_named(platform), 400.0).thresholds("dscp", 10) is None


@pytest.mark.parametrize(
    ("head", "reservable"),
    [
        pytest.param("hqf", 49_500_000.0, id="HQF: 99 %"),
        pytest.param("qfp", 50_000_000.0, id="QFP: 100 %"),
        pytest.param("mqc", None, id="a Catalyst: not known"),
        pytest.param("xe-without-qfp", None, id="ASR 920: not known"),
    ],
)
def test_the_rate_that_is_admitted(head: str, reservable: float | None) -> None:
    device, outlet = output_of(head)
    admission = admission_of(outlet, device.platform)
    if reservable is None:
        assert isinstance(admission, Unknown)
    else:
        assert isinstance(admission, Admission)
        assert admission.reservable_bps == reservable


@pytest.mark.parametrize(
    ("head", "rules"),
    [
        pytest.param("pre-hqf", [Excess.PROPORTIONAL], id="before HQF: by weight"),
        pytest.param("hqf", [Excess.UNRESERVED_FIRST], id="HQF: first to classes without a rate"),
        pytest.param("qfp", [Excess.EQUAL], id="QFP: equal parts"),
        pytest.param(
            "xe", [Excess.EQUAL, Excess.UNRESERVED_FIRST], id="XE on unknown hardware: either"
        ),
    ],
)
def test_how_excess_is_shared(head: str, rules: list[Excess]) -> None:
    device, outlet = output_of(head)
    assert [scheduler.excess for scheduler in scheduler_of(outlet, device.platform)] == rules


@pytest.mark.parametrize(
    ("head", "tc_ms"),
    [
        pytest.param("pre-hqf", 25.0, id="before HQF"),
        pytest.param("hqf", 4.0, id="HQF"),
        pytest.param("qfp", 4.0, id="QFP"),
    ],
)
def test_the_interval_of_a_shaper(head: str, tc_ms: float) -> None:
    device, outlet = output_of(head)
    assert scheduler_of(outlet, device.platform)[0].buckets.tc_ms(50_000_000.0) == tc_ms


@pytest.mark.parametrize("head", ["xe", "xe-without-qfp", "mqc", "vip"])
def test_nothing_is_solved_by_a_default_of_another_family(head: str) -> None:
    device, outlet = output_of(head)
    unknown = scheduler_of(outlet, device.platform)[0].unknown_default(["DATA"])
    assert isinstance(unknown, Unknown)
    assert unknown.reason.endswith("is not known; state `queue-limit`")


def test_fair_queue_of_qfp_leaves_the_class_without_figures_and_the_others_with_theirs() -> None:
    config = HEADS["qfp"] + POLICY.format(rate=50_000_000)
    device = device_of(
        config.replace("policy-map LINE", " class class-default\n  fair-queue\npolicy-map LINE")
    )
    outlet = policies_out(device)[0]
    answer = solved(Question(outlet, offers_of(outlet, ()), device.platform))
    assert isinstance(answer, SolvedOutlet)
    assert [known.name for known in answer.classes] == ["VOICE"]
    assert [unstated.name for unstated in answer.unstated] == ["DATA", "BULK"]
    assert [(silent.name, silent.why) for silent in answer.silent] == [
        (
            "class-default",
            "the limit of a flow under fair-queue is not known for IOS XE on QFP",
        )
    ]


def test_an_unshaped_output_of_ios_xe_has_no_prediction() -> None:
    device = device_of(
        HEADS["qfp"]
        + "policy-map P\n class DATA\n  bandwidth percent 40\n"
        + "interface GigabitEthernet0/0/0\n tx-ring-limit 8\n service-policy output P\n"
    )
    outlet = policies_out(device)[0]
    answer = solved(Question(outlet, offers_of(outlet, ()), device.platform))
    assert (outlet.ring, isinstance(answer, Unknown)) == (None, True)
