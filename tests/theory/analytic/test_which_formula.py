"""Which formula answers a class, how far it may be off, and why none does."""

import pytest
from msgspec.structs import replace

from advisor.model import (
    Bursts,
    Interface,
    OnOff,
    Poisson,
    Policer,
    Queue,
    QueueKind,
    RingUnit,
    Shaper,
    Traffic,
)
from advisor.theory.analytic import Method, Validity
from tests.theory.analytic.build import (
    DATA_MS,
    VOICE_MS,
    data,
    every,
    fifo,
    interface,
    of,
    outside,
    poisson,
    voice,
)

CALL = voice(every(20.0))
HALF = data(poisson(0.5, DATA_MS))
SMALL = data(poisson(0.3, 1.0), (125, 1.0))


@pytest.mark.parametrize(
    ("case", "method", "validity"),
    [
        (interface(voice(every(200.0)), data(), ring=4), Method.RING_FULL, Validity.EXACT),
        (interface(voice(poisson(0.1, VOICE_MS)), data()), Method.RING_FULL, Validity.EXACT),
        (interface(voice(poisson(0.1, VOICE_MS)), HALF), Method.RING, Validity.EXACT),
        (
            interface(voice(poisson(0.05, VOICE_MS)), data(), ring=4),
            Method.RING_FULL,
            Validity.WITHIN_5,
        ),
        (
            interface(voice(poisson(0.07, VOICE_MS)), data(), ring=4),
            Method.FOLLOWED,
            Validity.WITHIN_5,
        ),
        (interface(CALL, HALF, ring=8), Method.RING, Validity.WITHIN_5),
        (interface(voice(every(20.0), size=900), HALF, ring=8), Method.RING, Validity.WITHIN_20),
        (
            interface(voice(poisson(0.05, VOICE_MS)), data(every(25.0)), ring=8),
            Method.RING,
            Validity.WITHIN_20,
        ),
        (interface(CALL, data(every(25.0)), ring=8), Method.RING, Validity.WITHIN_5),
        (interface(voice(every(20.0), 4), data(), ring=3), Method.FOLLOWED, Validity.WITHIN_5),
        (interface(voice(every(20.0), 11), SMALL, ring=2), Method.RING, Validity.WITHIN_20),
        (
            interface(voice(Bursts(5.0, 3, 0.0)), data(), ring=3),
            Method.FOLLOWED,
            Validity.WITHIN_5,
        ),
        (
            interface(CALL, HALF, ring=8, unit=RingUnit.PARTICLES),
            Method.RING,
            Validity.WITHIN_20,
        ),
        (interface(voice(every(20.0), 12), data(), ring=3), Method.FOLLOWED, Validity.WITHIN_5),
        (interface(voice(every(20.0), 18), data(), ring=3), Method.FOLLOWED, Validity.WITHIN_20),
        (interface(voice(every(20.0), 3)), Method.ALONE, Validity.EXACT),
        (fifo(CALL, HALF), Method.FIFO, Validity.WITHIN_5),
    ],
    ids=[
        "a rare probe in a full ring",
        "random packets and one place, full",
        "random packets and one place, not full",
        "random packets and a few places, full",
        "random packets of which 0.7 come while a packet is sent",
        "a call above random data",
        "a call of a third of the wire above random data",
        "random packets above periodic data",
        "a call above periodic data",
        "calls of which several come while a packet is sent",
        "an LLQ over half of the wire",
        "bursts in the LLQ",
        "particles that do not always fill the ring",
        "calls with which the ring swings between data and voice",
        "calls that leave little of the wire",
        "calls alone",
        "one FIFO",
    ],
)
def test_a_method_and_its_validity(case: Interface, method: Method, validity: Validity) -> None:
    found = of(case)
    assert (found.method, found.mean) == (method, validity)
    assert bool(found.why) is (validity in {Validity.WITHIN_20, Validity.OUTSIDE})


TIGHT = Policer(64_000.0, 200.0)
ROOM_FOR_ONE = Policer(210_000.0, 200.0)


def policed(case: Interface, policer: Policer) -> Interface:
    llq, *others = case.queues
    return replace(case, queues=(replace(llq, priority_policer=policer), *others))


def short_llq(case: Interface, limit: int) -> Interface:
    llq, *others = case.queues
    return replace(case, queues=(replace(llq, limit_packets=limit), *others))


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (
            replace(interface(CALL, HALF), shaper=Shaper(500_000.0, 10.0)),
            "lower queues that run empty before a shaper",
        ),
        (
            interface(CALL, data(OnOff(100.0, 500.0, 500.0)), ring=4),
            "periodic or on/off lower sources below saturation",
        ),
        (interface(voice(OnOff(50.0, 1000.0, 1000.0)), HALF), "on/off sources in the LLQ"),
        (policed(interface(voice(Poisson(70.0)), HALF), TIGHT), "the policer of the LLQ"),
        (policed(interface(voice(every(20.0), 4), HALF), ROOM_FOR_ONE), "the policer of the LLQ"),
        (interface(CALL, data(Bursts(5.0, 8, 9.0)), ring=4), "bursts whose packets come with gaps"),
        (
            interface(voice(poisson(0.1, VOICE_MS)), data(Bursts(5.0, 5, 0.0)), ring=4),
            "bursts beside",
        ),
        (fifo(voice(poisson(0.1, VOICE_MS)), data(Bursts(5.0, 5, 0.0))), "bursts beside"),
        (interface(voice(poisson(0.97, VOICE_MS)), data()), "nearly all of the wire"),
        (interface(voice(Bursts(0.5, 80, 0.0))), "longer than the queue"),
    ],
    ids=[
        "a shaper before data that runs empty",
        "on/off data",
        "talkspurts",
        "a policer near its rate",
        "a policer that holds a packet of one of four calls",
        "spaced bursts",
        "random packets above bursts of larger ones",
        "random packets in a FIFO with bursts of larger ones",
        "an LLQ near the line rate",
        "a burst that the LLQ drops",
    ],
)
def test_what_no_formula_answers_says_why(case: Interface, why: str) -> None:
    assert why in outside(case)


GOLD = Traffic("gold", "gold", poisson(0.5, DATA_MS), HALF.sizes)


def beside_gold(case: Interface) -> Interface:
    gold = Queue("gold", QueueKind.BANDWIDTH)
    return replace(case, queues=(*case.queues, gold), traffic=(*case.traffic, GOLD))


@pytest.mark.parametrize(
    "case",
    [
        beside_gold(interface(voice(every(20.0)), data(), ring=1)),
        beside_gold(interface(voice(poisson(0.1, VOICE_MS)), data(), ring=1)),
        interface(voice(every(20.0), size=1250), data(), ring=8),
    ],
    ids=[
        "a call beside a class that has no packets at times",
        "random packets beside such a class",
        "a call that meets itself",
    ],
)
def test_an_llq_that_changes_what_it_finds_is_not_exact(case: Interface) -> None:
    assert of(case).mean is not Validity.EXACT


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (interface(voice(every(20.0, 30.0))), "the one before it"),
        (policed(interface(voice(every(20.0), 4), ring=2), TIGHT), "the policer of the LLQ"),
        (policed(interface(voice(poisson(0.5, VOICE_MS)), ring=2), TIGHT), "the policer"),
        (short_llq(interface(voice(every(20.0), 4)), 2), "more calls than their queue holds"),
    ],
    ids=[
        "jitter of more than a period",
        "calls that fill the ring before a policer",
        "random packets that fill the ring before a policer",
        "more calls than the queue has places",
    ],
)
def test_an_llq_alone_that_is_not_only_its_own_work_has_no_formula(
    case: Interface, why: str
) -> None:
    assert why in outside(case)


def test_a_call_alone_never_meets_its_policer() -> None:
    assert of(policed(interface(CALL, ring=2), TIGHT)).mean is Validity.EXACT


LARGE = voice(poisson(0.2, 12.0), size=1500)


@pytest.mark.parametrize(
    ("case", "mean", "percentiles"),
    [
        (
            interface(voice(poisson(0.2, VOICE_MS)), HALF, ring=1),
            Validity.WITHIN_5,
            Validity.WITHIN_5,
        ),
        (interface(LARGE, SMALL, ring=1), Validity.WITHIN_5, Validity.WITHIN_20),
        (
            interface(voice(poisson(0.2, VOICE_MS)), HALF, ring=2),
            Validity.WITHIN_20,
            Validity.WITHIN_20,
        ),
        (
            interface(voice(poisson(0.3, 0.4), size=50), HALF, ring=2),
            Validity.OUTSIDE,
            Validity.OUTSIDE,
        ),
    ],
    ids=[
        "small packets of the LLQ and one place",
        "packets of the LLQ that are larger than lower ones",
        "more than one packet of the LLQ while a lower one is sent",
        "several packets of the LLQ while a lower one is sent",
    ],
)
def test_a_lower_queue_is_within_5_percent_up_to_limits_of_the_llq(
    case: Interface, mean: Validity, percentiles: Validity
) -> None:
    found = of(case, "data")
    assert (found.mean, found.p95, found.p99) == (mean, percentiles, percentiles)


def test_a_policer_that_hardly_drops_is_no_reason() -> None:
    wide = Policer(200_000.0, 5000.0)
    found = of(policed(interface(voice(Poisson(70.0)), data()), wide))
    assert found.mean is Validity.EXACT


def test_queues_that_share_what_they_do_not_fill_have_no_formula() -> None:
    both = beside_gold(interface(CALL, SMALL, ring=8))
    assert "do not fill" in outside(both, "gold")
    assert of(both).method is Method.RING


@pytest.mark.parametrize(
    ("ring", "validity"),
    [(10, Validity.WITHIN_20), (8, Validity.WITHIN_5)],
    ids=["a deep ring", "a ring of eight"],
)
def test_near_the_line_a_deep_ring_of_llq_packets_moves_what_waits_before_it(
    ring: int, validity: Validity
) -> None:
    """Of 78 ms by the formula the simulation has 71, at a load of 98 % and a limit of 20."""
    case = interface(
        voice(poisson(0.15, VOICE_MS)), data(poisson(0.835, DATA_MS)), ring=ring, limit=20
    )
    assert of(case, "data").mean is validity
