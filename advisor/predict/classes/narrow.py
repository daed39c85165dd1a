"""Finds unstated inputs that narrow the figures of an output, by how much each would help.

The same question is asked again with one input stated at either end of its range. Only what a user
can state is tried: a key of `[[traffic]]`, a line, or `--set`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.policy import CLASS_DEFAULT
from advisor.ground.quantity import Figure, Narrowing, Outcome, Unknown, count, rate_text
from advisor.ground.units import bits_from_bytes, kbps_from_bps, percent_from_ratio
from advisor.outlet.background import unstated_classes
from advisor.outlet.class_service import class_packet
from advisor.outlet.offer import offers_of, speaks_of
from advisor.outlet.operations import is_for_voice, stated_calls, stated_traffic
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import at_ring
from advisor.outlet.scheduler import scheduler_of
from advisor.predict.classes import Filling, Question, demand_of, filling_of, of_bundle
from advisor.predict.classes.solved import SolvedOutlet, solved_all
from advisor.settings import PacketShare, StatedBacklog, Traffic

_HERE = "stated"  # no report shows where
_LEAST_RATE = 0.1  # of what fills a class: less is a sparse probe
_LEAST_PERCENT = 5.0  # of the interval: what narrows it by less is not worth stating


class _Statement(Struct, frozen=True):
    """An input that could be stated, and the question with it at either end of its range."""

    key: str
    of: str
    ends: tuple[tuple[str, Question], tuple[str, Question]]


def narrowings(
    device: Device,
    question: Question,
    figures: Mapping[str, Figure],
    *,
    is_congested: bool,
    most_lower: int | None = None,
) -> dict[str, tuple[Narrowing, ...]]:
    """Find inputs that narrow the mean delay of classes, by name; the most helpful comes first.

    Parameters
    ----------
    device
        The device of the output.
    question
        What was asked of the output.
    figures
        The mean delay of each class as it was answered.
    is_congested
        Whether it is the congested case: the lower classes always have packets waiting.
    most_lower
        The most lower classes whose packets are tried, class-default first; None: all of them.
    """
    wide = {name: figure for name, figure in figures.items() if figure.low < figure.high}
    if not wide:
        return {}
    statements = tuple(_statements(device, question, most_lower, is_congested=is_congested))
    asked = [asked for statement in statements for _, asked in statement.ends]
    answers = solved_all(asked)
    pairs = list(zip(answers[::2], answers[1::2], strict=True))
    return {
        name: _ranked(
            _narrowing(name, figure, *pair) for pair in zip(statements, pairs, strict=True)
        )
        for name, figure in wide.items()
    }


def _ranked(found: Iterable[Narrowing | None]) -> tuple[Narrowing, ...]:
    helping = (item for item in found if item and item.narrower_percent >= _LEAST_PERCENT)
    return tuple(sorted(helping, key=lambda item: -item.narrower_percent))


def _narrowing(
    name: str,
    before: Figure,
    statement: _Statement,
    answers: tuple[SolvedOutlet | Unknown, SolvedOutlet | Unknown],
) -> Narrowing | None:
    low, high = (_mean_of(answer, name) for answer in answers)
    if low is None or high is None:
        return None
    (low_text, _), (high_text, _) = statement.ends
    left = (low.high - low.low + high.high - high.low) / 2
    return Narrowing(
        statement.key,
        statement.of,
        Outcome(low_text, low),
        Outcome(high_text, high),
        percent_from_ratio(1 - left / (before.high - before.low)),
    )


def _mean_of(answer: SolvedOutlet | Unknown, name: str) -> Figure | None:
    known = () if isinstance(answer, Unknown) else answer.classes
    return next((item.mean for item in known if item.name == name), None)


def _statements(
    device: Device, question: Question, most_lower: int | None, *, is_congested: bool
) -> Iterator[_Statement]:
    outlet, traffic = question.outlet, stated_traffic(device)

    def asked(*stated: Traffic) -> Question:
        """The question with statements in place of others of their class."""
        names = {statement.class_name for statement in stated}
        others = (
            item for item in traffic if item.class_name not in names or not speaks_of(item, outlet)
        )
        offers = offers_of(outlet, (*others, *stated), congested=is_congested)
        return replace(question, offers=offers)

    lower = sorted(
        unstated_classes(outlet, question.offers), key=lambda name: name != CLASS_DEFAULT
    )
    for name in lower[:most_lower]:
        own = [item for item in traffic if item.class_name == name and speaks_of(item, outlet)]
        packet = class_packet(outlet, (), name)
        low, high = (
            (f"{size:.0f} bytes", asked(*_sized(outlet, name, round(size), own)))
            for size in (packet.low, packet.high)
        )
        yield _Statement("packet_bytes", name, (low, high))
    for policy_class in outlet.llq_classes:
        yield from _llq(device, question, policy_class.name, asked)
    yield from _backlogs(question, traffic, asked)
    ring = outlet.ring
    if ring is not None and not outlet.ring_idle and ring.limit_low < ring.limit_high:
        low, high = (
            (
                f"{limit} {ring.unit_of(limit)}",
                replace(question, outlet=at_ring(outlet, limit, _HERE)),
            )
            for limit in (ring.limit_low, ring.limit_high)
        )
        yield _Statement("tx-ring-limit", outlet.interface.name, (low, high))


def _llq(
    device: Device, question: Question, name: str, asked: Callable[..., Question]
) -> Iterator[_Statement]:
    """The calls of a priority class that states none, or its rate where it is not for voice."""
    filling = _filling(question, name)
    if filling is None:
        return
    outlet = question.outlet
    if is_for_voice(device, name):
        numbers = (1, filling.calls) if filling.calls else ()
        stated = [
            (count(calls, "call"), asked(stated_calls(outlet, name, calls, None, _HERE)))
            for calls in numbers
        ]
        key = "calls"
    else:
        ip_bytes = round(class_packet(outlet, (), name).value)
        sizes = (PacketShare(ip_bytes, 1.0),)
        stated = [
            (
                f"{rate_text(kbps_from_bps(bits_from_bytes(ip_bytes * per_s)))} kb/s",
                asked(Traffic("*", outlet.attached_to, name, sizes, per_s, 1, "poisson", _HERE)),
            )
            for per_s in (filling.packets_per_s * _LEAST_RATE, filling.packets_per_s)
        ]
        key = "rate_kbps"
    if stated:
        yield _Statement(key, name, (stated[0], stated[1]))


def _filling(question: Question, name: str) -> Filling | None:
    """Fill the `priority` of a class; None where its traffic is known, or nothing fits."""
    whole = of_bundle(question)
    framing = whole.outlet.encapsulation
    if framing is None or not any(
        offer.class_name == name and offer.packets_per_second is None
        for offer in demand_of(whole).offers
    ):
        return None
    return filling_of(whole, name, framing.low)


def _sized(outlet: Outlet, name: str, ip_bytes: int, own: Sequence[Traffic]) -> Iterator[Traffic]:
    """Packets of one size that always wait in a class, or what is stated of it with that size."""
    sizes = (PacketShare(ip_bytes, 1.0),)
    if own:
        yield from (replace(item, sizes=item.sizes or sizes) for item in own)
    else:
        yield Traffic("*", outlet.attached_to, name, sizes, None, 1, "saturated", _HERE)


def _backlogs(
    question: Question, traffic: Sequence[Traffic], asked: Callable[..., Question]
) -> Iterator[_Statement]:
    """The number of packets that wait in a class that is stated as never empty."""
    outlet = question.outlet
    scheduler = scheduler_of(outlet, question.platform)[0]
    for item in traffic:
        if item.arrivals != "saturated" or item.pattern is not None or not speaks_of(item, outlet):
            continue
        most = scheduler.limit_packets(
            item.class_name, class_packet(outlet, (), item.class_name).low
        )
        low, high = (
            (count(packets, "packet"), asked(replace(item, pattern=StatedBacklog(packets))))
            for packets in (1, most)
        )
        yield _Statement("backlog_packets", item.class_name, (low, high))
