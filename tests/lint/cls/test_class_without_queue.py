"""CLS003: a class without a queue shares that of class-default, in every figure."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.lint.findings import Confidence
from advisor.outlet.offer import Offer, offers_of
from advisor.outlet.outlets import policies_out
from advisor.predict.classes import Question
from advisor.predict.classes.solved import SolvedOutlet, solved
from advisor.settings import PacketShare, Traffic
from tests.support.devices import device_of
from tests.support.verdicts import hits_of

CLASS_WITHOUT_QUEUE = CHECKS["class-without-queue"]


def router(oam: str, *, attach: str = "output", version: str = "15.2") -> str:
    return (
        f"version {version}\nhostname R1\nclass-map match-all CALLS\n match dscp ef\n"
        "class-map match-all OAM\n match dscp cs2\n"
        f"policy-map UPLINK\n class CALLS\n  priority 256\n class OAM\n{oam}"
        " class class-default\n  fair-queue\n"
        "interface Serial0/0/0\n clock rate 1536000\n encapsulation ppp\n tx-ring-limit 1\n"
        f" service-policy {attach} UPLINK\nend\n"
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(router("  set dscp cs2\n"), ["`set` alone"], id="it marks"),
        pytest.param(router("  police 64000\n"), ["`police` alone"], id="it polices"),
        pytest.param(router(""), ["no action"], id="it has no action"),
        pytest.param(router("  bandwidth 64\n"), [], id="a guarantee"),
        pytest.param(router("  shape average 64000\n"), [], id="a shaper"),
        pytest.param(router("  fair-queue\n"), [], id="fair queueing of HQF"),
        pytest.param(router("  drop\n"), [], id="what is dropped waits nowhere"),
        pytest.param(router("  bandwith 64\n"), [], id="a line that is not understood"),
        pytest.param(router("", attach="input"), [], id="no queue is on input"),
        pytest.param(
            router("").replace(" priority 256", " set dscp ef").replace("  fair-queue\n", ""),
            [],
            id="a policy that only marks",
        ),
        pytest.param(
            router("").replace(" match dscp cs2\n", ""), [], id="a class that takes no packets"
        ),
    ],
)
def test_a_class_without_a_queue(text: str, found: list[str]) -> None:
    hits = hits_of(CLASS_WITHOUT_QUEUE.find(device_of(text), NoParams()))

    assert [hit.evidence.lines for hit in hits] == found


@pytest.mark.parametrize(
    ("version", "confidence"), [("12.3", Confidence.POSSIBLE), ("15.2", Confidence.LIKELY)]
)
def test_before_hqf_sources_agree_less(version: str, confidence: Confidence) -> None:
    (hit,) = hits_of(CLASS_WITHOUT_QUEUE.find(device_of(router("", version=version)), NoParams()))

    assert hit.confidence is confidence


def states(name: str, per_s: float | None, size: int = 500) -> Traffic:
    arrivals = "saturated" if per_s is None else "poisson"
    return Traffic("*", "*", name, (PacketShare(size, 1.0),), per_s, 1, arrivals, "test")


def asked(oam: str, *traffic: Traffic, congested: bool = False) -> tuple[Question, SolvedOutlet]:
    device = device_of(router(oam))
    (outlet,) = policies_out(device)
    question = Question(outlet, offers_of(outlet, traffic, congested=congested), device.platform)
    answer = solved(question)
    assert isinstance(answer, SolvedOutlet)
    return question, answer


@pytest.mark.parametrize("limit", ["", "  queue-limit 100\n"], ids=["set", "and queue-limit"])
def test_both_share_one_part_of_the_line(limit: str) -> None:
    _, answer = asked("  set dscp cs2\n" + limit)

    (rest,) = answer.unstated
    assert rest.name == "class-default"
    assert rest.share_percent.value == pytest.approx(82, abs=1)
    assert [silent.name for silent in answer.silent] == ["OAM"]


def of_default(question: Question) -> tuple[Offer, ...]:
    return tuple(offer for offer in question.offers if offer.class_name == "class-default")


@pytest.mark.parametrize("congested", [False, True], ids=["as stated", "in congestion"])
def test_what_both_offer_waits_in_one_queue(*, congested: bool) -> None:
    own, more = states("class-default", 50.0), states("OAM", 30.0, 100)
    question, answer = asked("  set dscp cs2\n", own, more, congested=congested)

    offers = of_default(question)
    if not congested:
        assert [offer.packets_per_second for offer in offers] == [50.0, 30.0]
        assert [known.name for known in answer.classes] == ["CALLS", "class-default"]
    assert sum(offer.packets_per_second is None for offer in offers) == int(congested)
    assert not any(offer.class_name == "OAM" for offer in question.offers)


def test_a_class_of_the_queue_that_nobody_states_keeps_its_delay_unknown() -> None:
    _, answer = asked("  set dscp cs2\n", states("class-default", 50.0))

    (rest,) = answer.unstated
    assert "class OAM, in the queue of class-default" in rest.delay.reason


def test_its_policer_holds_what_it_adds_to_the_queue() -> None:
    question, _ = asked("  police 64000\n", states("class-default", 50.0), states("OAM", 900.0))

    rates = [offer.packets_per_second for offer in of_default(question)]
    assert rates == [50.0, pytest.approx(64000 / 8 / 504)]
