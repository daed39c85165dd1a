"""The mean delay of a class by its formula with numbers, or why it is sampled."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from advisor.ground.quantity import ends, figure, number, plain
from advisor.predict.classes import Question
from advisor.predict.classes.congested import Part, breakdown
from advisor.predict.classes.figures import SolvedClass
from advisor.predict.classes.solved import SolvedOutlet, solutions_of
from advisor.theory.analytic import Answer, Method, Outside, Result, Validity, answer, is_figure
from advisor.theory.check import FormulaCheck, checks_of, joined
from advisor.theory.formulas import Formula, formula_of, formulas
from advisor.theory.solution import ClassResult

_OF_LLQ, _OF_LOWER = "ring-delay", "lower-delay"
_DIGITS = 2  # of parts that add up
_RING_WORDS = "parts as predict draws them, the ring as what a ring of 1 would not delay"


class Explained(Struct, frozen=True):
    """Traffic of a class at one corner: its answer by analysis, and the figure."""

    answer: Answer
    result: ClassResult

    @property
    def is_formula(self) -> bool:
        """Whether analysis is the figure, not an explanation."""
        return is_figure(self.answer)

    @property
    def topic(self) -> Formula | None:
        """The formula of the answer; None where there is none."""
        if isinstance(self.answer, Outside):
            return None
        return formula_of(self.answer.method)


def explained(solved: SolvedClass, outlet: SolvedOutlet) -> tuple[Explained, ...]:
    """All traffic of a class at the corners that give its value."""
    interfaces = [corner.interface for corner in outlet.corners if corner.counts]
    return tuple(
        Explained(found, result)
        for interface, solution in zip(interfaces, solutions_of(interfaces), strict=True)
        for traffic, found, result in zip(
            interface.traffic, answer(interface), solution.classes, strict=True
        )
        if traffic.queue == solved.name
    )


def check_of(name: str, outlet: SolvedOutlet) -> FormulaCheck | None:
    """The mean of a class by formula and by a run, over the corners that give its value."""
    checks, carried = [], []
    interfaces = [corner.interface for corner in outlet.corners if corner.counts]
    for interface, solution in zip(interfaces, solutions_of(interfaces), strict=True):
        rows = zip(interface.traffic, checks_of(interface), solution.classes, strict=True)
        own = [(check, result) for traffic, check, result in rows if traffic.queue == name]
        total = sum(result.throughput_bps for _, result in own) or 1.0
        checks += [check for check, _ in own]
        carried += [result.throughput_bps / total for _, result in own]
    return joined(checks, carried) if checks else None


def class_lines(
    name: str, solved: SolvedClass, outlet: SolvedOutlet, question: Question, when: str = ""
) -> Iterator[str]:
    """Lines on a class where the formula of this name answers it, or would: of an LLQ always."""
    parts = explained(solved, outlet)
    topics = {part.topic.name if part.topic is not None else None for part in parts}
    would = _OF_LLQ if solved.is_priority else _OF_LOWER
    is_asked = topics == {None} or solved.is_priority
    if name not in topics and not (is_asked and name == would):
        return
    printed = ends(solved.mean) if solved.never_empty else figure(solved.mean)
    yield f"{solved.name}{when}: {printed}{' ms' if solved.never_empty else ''}, {solved.method}"
    for number_of, part in enumerate(parts, 1):
        of = f"case {number_of} of {len(parts)}: " if len(parts) > 1 else ""
        yield from (f"{of}{line}" for line in _part_lines(part))
    is_bar, terms = solved == outlet.first_priority, _terms(solved, outlet, question, parts)
    if terms and not solved.never_empty:
        yield f"{_RING_WORDS if is_bar else 'parts'}: {added(terms)} ms: {printed}"


def _part_lines(part: Explained) -> Iterator[str]:
    found, sampled_ms = part.answer, part.result.delay.mean_ms
    if isinstance(found, Outside):
        yield f"no formula holds: {found.why}"
        return
    assert part.topic is not None  # noqa: S101 -- a result has a method
    values = dict(found.values)
    worked = (
        f"{part.topic.formula} = {part.topic.with_numbers(values)} = {number(found.mean_ms)} ms"
    )
    g = f"g = {number(found.loading)}, " if found.loading else ""
    if part.is_formula:
        yield worked
        if found.method is Method.FOLLOWED:
            yield f"that is {'; '.join(part.topic.symbols)}"
        if found.method is Method.FOLLOWED:
            yield from _balance(values, found.mean_ms, "")
        yield f"{g}{found.mean}; percentiles {found.p99}"
    elif found.mean is Validity.OUTSIDE:
        yield f"no formula holds: {found.why}"
        if found.method in {Method.FOLLOWED, Method.RING_FULL}:
            yield from _balance(values, sampled_ms, " on the sampled wait")
    else:
        off = (found.mean_ms / sampled_ms - 1) * 100
        side = "above" if off > 0 else "below"
        yield f"{worked}, {number(abs(off))} % {side} the sampled {number(sampled_ms)} ms"
        yield f"{g}the formula is {found.mean}, it explains: {found.why or 'percentiles are not'}"
        if found.method is Method.FOLLOWED:
            yield from _balance(values, sampled_ms, " on the sampled wait")


def _balance(values: Mapping[str, float], mean_ms: float, of: str) -> Iterator[str]:
    """Count the packets before one of the LLQ in a full ring, by Little's law on its delay.

    It leads from the wait of a rare probe, which finds lower packets alone, to this mean.
    """
    wait_ms = mean_ms - values["s"]
    packets = values["lambda"] * wait_ms
    work_ms = values["R"] + values["B"] * values["s_l"] + packets * values["s_v"] - wait_ms
    in_ring = work_ms / values["s_p"]
    if not 0 <= in_ring <= min(values["B"], packets):
        return
    waiting = {**values, "K": in_ring, "Q": packets - in_ring}
    topic = formulas()["ring-delay"]
    yield (
        f"Little's law{of}: lambda * W = {plain(values['lambda'], 4)} * {plain(wait_ms, 4)} = "
        f"{number(packets)} packets of the LLQ before one: K = {number(in_ring)} in the ring, "
        f"Q = {number(packets - in_ring)} in the queue"
    )
    worked = topic.with_numbers(waiting)
    yield f"in the terms of {topic.name}: {topic.formula} = {worked} = {number(mean_ms)} ms"


def _terms(
    solved: SolvedClass, outlet: SolvedOutlet, question: Question, parts: Sequence[Explained]
) -> tuple[Part, ...]:
    """Parts of the mean, as `predict` draws them; of other classes those of their formula."""
    if solved == outlet.first_priority:
        return breakdown(question, outlet)
    found = [part.answer for part in parts if isinstance(part.answer, Result) and part.is_formula]
    if len(found) != 1 or len(parts) != 1:
        return ()
    terms = found[0].terms
    named = (
        ("shaper", terms.shaper_ms),
        ("ring", terms.ring_ms),
        ("own queue", terms.queue_ms),
        ("serialization", terms.sending_ms),
    )
    return tuple(Part(name, ms) for name, ms in named if ms)


def added(parts: Sequence[Part]) -> str:
    """A sum whose printed parts add up: the largest takes what rounding leaves.

    >>> added([Part("ring", 1.004), Part("own queue", 0.004), Part("serialization", 0.003)])
    'ring 1.01 + own queue 0.00 + serialization 0.00 = 1.01'
    """
    whole = round(sum(part.ms for part in parts), _DIGITS)
    rounded = [round(part.ms, _DIGITS) for part in parts]
    largest = max(range(len(parts)), key=rounded.__getitem__)
    rounded[largest] += whole - sum(rounded)
    words = (f"{part.name} {ms:.{_DIGITS}f}" for part, ms in zip(parts, rounded, strict=True))
    return f"{' + '.join(words)} = {whole:.{_DIGITS}f}"
