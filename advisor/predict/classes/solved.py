"""Solves every class of an output at the corners of its unknown inputs; equal cases once."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.quantity import Basis, Input, Unknown, exact
from advisor.ground.questions import Together, question
from advisor.model import Interface, Refill
from advisor.outlet.class_bandwidth import refused_sum, reserves_nothing
from advisor.outlet.class_service import class_packet
from advisor.outlet.scheduler import OutputScheduler, scheduler_of
from advisor.predict.classes import (
    Demand,
    Question,
    class_names,
    demand_of,
    filled_kbps,
    llq_load,
    of_bundle,
    priority_input,
    unknown_traffic,
)
from advisor.predict.classes.corners import Corner, corners
from advisor.predict.classes.figures import (
    CornerCase,
    Silent,
    SolvedClass,
    UnstatedClass,
    class_figures,
    unstated_class,
    without_assumed_loss,
)
from advisor.predict.classes.limits import class_bound_ms, remarks_of
from advisor.predict.ring import given_inputs, ring_view
from advisor.settings import StatedBacklog
from advisor.theory.solution import MOST_CLASSES, MOST_LLQ_LOAD, ModelError, Solution

# Solutions of interfaces. Names do not matter to a solution, so they are replaced by numbers:
# interfaces that differ in names only are solved once.

_MOST: Final = 2048  # some 2 MB


def _solved(interfaces: Sequence[Interface]) -> Sequence[Solution]:
    from advisor.theory.solver import solve_all  # noqa: PLC0415 -- heavy: numerics

    return solve_all(interfaces)


_SOLUTIONS: Final = Together(_solved, _MOST)


def solutions_of(interfaces: Sequence[Interface]) -> tuple[Solution, ...]:
    """Solutions in the order of the interfaces; new ones are solved together.

    Raises
    ------
    ModelError
        If one of them cannot be solved.
    """
    try:
        answers = _SOLUTIONS.of([_numbered(interface) for interface in interfaces])
    except ModelError:
        return tuple(_solved(interfaces))  # the error names the class
    return tuple(map(_flows_named, interfaces, answers))


def _numbered(interface: Interface) -> Interface:
    """The interface with numbers for the names of its classes: no figure depends on a name."""
    names = (
        *(queue.name for queue in interface.queues),
        *(traffic.queue for traffic in interface.traffic),
        *(traffic.name for traffic in interface.traffic),
    )
    numbers = {name: str(number) for number, name in enumerate(dict.fromkeys(names))}
    return replace(
        interface,
        queues=tuple(replace(queue, name=numbers[queue.name]) for queue in interface.queues),
        traffic=tuple(
            replace(traffic, name=numbers[traffic.name], queue=numbers[traffic.queue])
            for traffic in interface.traffic
        ),
    )


def _flows_named(interface: Interface, solution: Solution) -> Solution:
    pairs = zip(interface.traffic, solution.classes, strict=True)
    return Solution(tuple(replace(result, name=traffic.name) for traffic, result in pairs))


# Every class of an output, solved at the corners of its unknown inputs.

_MOST_ANSWERS: Final = 1024  # two of each output of a large hub
IN_DEFAULT_QUEUE: Final = "no action gives it a queue: its packets wait in that of class-default"
NEVER_FULL: Final = "the place is never full by itself, and no shaper is around the classes"
_NO_STEPS: Final = "no source says whether tokens come in steps: as time goes, or once in a Tc"


class SolvedOutlet(Struct, frozen=True):
    """All classes of an output with their inputs."""

    classes: tuple[SolvedClass, ...]
    unstated: tuple[UnstatedClass, ...]
    silent: tuple[Silent, ...]
    inputs: tuple[Input, ...]
    corners: tuple[Corner, ...]

    @property
    def first_priority(self) -> SolvedClass | None:
        """The first priority class of the policy that has figures."""
        return next((known for known in self.classes if known.is_priority), None)


class _Asked(Struct, frozen=True, cache_hash=True):
    """A question that can be answered, and its demand."""

    question: Question
    demand: Demand

    @property
    def unnamed(self) -> "_Asked":
        """The question without names and lines, on which no figure depends."""
        return replace(self, question=self.question.unnamed)


def solved(question: Question) -> SolvedOutlet | Unknown:
    """Predict every class of an output, or say why it cannot be predicted.

    The value is the mean over the corners that count; low and high are the least and the most of
    all of them, each with the model's own interval.
    """
    return solved_all((question,))[0]


def solved_all(questions: Sequence[Question]) -> tuple[SolvedOutlet | Unknown, ...]:
    """`solved` for several questions: all their corners are solved together, each once."""
    return _ANSWERS.of(questions)


def _answers(questions: Sequence[Question]) -> Sequence[SolvedOutlet | Unknown]:
    demands = [_demand(of_bundle(question)) for question in questions]
    known = [demand.unnamed for demand in demands if isinstance(demand, _Asked)]
    figures = iter(_FIGURES.of(known))
    return tuple(
        demand if isinstance(demand, Unknown) else _named(demand, next(figures))
        for demand in demands
    )


_ANSWERS: Final = Together(_answers, _MOST_ANSWERS)


def _demand(question: Question) -> _Asked | Unknown:
    unknown = _unpredictable(question)
    if unknown is not None:
        return unknown
    classes = len(class_names(question.outlet))
    if classes > MOST_CLASSES:
        return Unknown(f"classes: {classes}, more than is solved ({MOST_CLASSES})")
    if _unknown_of_lower(question) is not None:  # shares alone: all of them always have packets
        question = replace(question, offers=tuple(o for o in question.offers if o.is_llq))
    demand = demand_of(question)
    if llq_load(question, demand) > MOST_LLQ_LOAD:
        return Unknown(f"the LLQ is offered more than {MOST_LLQ_LOAD:g} times the link")
    return _Asked(question, demand)


def _named(asked: _Asked, figures: SolvedOutlet | Unknown) -> SolvedOutlet | Unknown:
    if isinstance(figures, Unknown):
        return figures
    return replace(figures, inputs=_inputs(asked.question, asked.demand))


def _all_figures(asked: Sequence[_Asked]) -> Sequence[SolvedOutlet | Unknown]:
    """Figures that are equal for outputs that differ in names and lines only, without inputs."""
    expanded = [corners(item.question, item.demand) if item.demand.offers else () for item in asked]
    interfaces = tuple(dict.fromkeys(corner.interface for item in expanded for corner in item))
    try:
        known = dict(zip(interfaces, solutions_of(interfaces), strict=True))
    except ModelError:
        known = {}  # one of them fails: each is solved alone for its own error
    return tuple(_figures(item, found, known) for item, found in zip(asked, expanded, strict=True))


_FIGURES: Final = Together(_all_figures, _MOST_ANSWERS)


def _figures(
    asked: _Asked, expanded: tuple[Corner, ...], known: Mapping[Interface, Solution]
) -> SolvedOutlet | Unknown:
    question, demand = asked.question, asked.demand
    try:
        solutions = [
            known[corner.interface]
            if corner.interface in known
            else solutions_of((corner.interface,))[0]
            for corner in expanded
        ]
    except ModelError as error:
        return Unknown(str(error))
    classes: list[SolvedClass] = []
    unstated: list[UnstatedClass] = []
    silent = [Silent(name, "carries nothing", is_idle=True) for name in demand.idle]
    silent += (
        Silent(policy_class.name, IN_DEFAULT_QUEUE)
        for policy_class in question.outlet.queueing.classes
        if policy_class.shares_default
    )
    for name in class_names(question.outlet):
        reason = _scheduler(question).unknown_flow_limit(name)
        if reason is not None:
            silent.append(Silent(name, reason))
            continue
        outcome = _class(question, demand, name, expanded, solutions)
        if isinstance(outcome, Silent):
            silent.append(outcome)
        elif isinstance(outcome, UnstatedClass):
            unstated.append(outcome)
        elif outcome is not None:
            classes.append(outcome)
    return SolvedOutlet(tuple(classes), tuple(unstated), tuple(silent), (), expanded)


def _unpredictable(question: Question) -> Unknown | None:
    outlet = question.outlet
    llq = [policy_class.name for policy_class in outlet.llq_classes]
    unknown = _scheduler(question).unknown_default(llq)
    if unknown is not None:
        return unknown
    why = _why_nothing_queues(question)
    if why is not None:
        return Unknown(why)
    is_known = outlet.wire is not None and outlet.encapsulation is not None
    if is_known and (question.line_bps < question.wire_bps or outlet.ring_idle):
        return None
    view = ring_view(outlet, question.offers)
    if isinstance(view, Unknown) or outlet.ring is None:
        return view if isinstance(view, Unknown) else Unknown("the ring is not known")
    return None


def _why_nothing_queues(question: Question) -> str | None:
    """Why no figure stands for the policy: nothing queues at its place, or IOS refuses it there."""
    outlet, platform = question.outlet, question.platform
    if outlet.is_never_full:
        return NEVER_FULL
    if reserves_nothing(outlet, platform) and refused_sum(outlet, platform):
        return "the circuit is UBR, which reserves nothing: IOS takes no class that does"
    return outlet.why_not_modelled


def _class(
    question: Question,
    demand: Demand,
    name: str,
    corners: tuple[Corner, ...],
    solutions: list[Solution],
) -> SolvedClass | UnstatedClass | Silent | None:
    own = [index for index, offer in enumerate(demand.offers) if offer.class_name == name]
    if not own:
        return None
    is_llq = demand.offers[own[0]].is_llq
    knows_backlog = tuple(isinstance(demand.offers[index].pattern, StatedBacklog) for index in own)
    cases = [
        CornerCase(
            corner.interface,
            tuple(corner.interface.traffic[index] for index in own),
            tuple(solution.classes[index] for index in own),
            corner.counts,
            knows_backlog,
            corner.is_mixed,
        )
        for corner, solution in zip(corners, solutions, strict=True)
        if is_llq or not corner.for_llq
    ]
    unknown = unknown_traffic(question, [demand.offers[index] for index in own])
    remarks = remarks_of(question.before_ring, demand, name)
    if unknown is not None:
        unknown = _unknown_of_lower(question) or unknown
        return unstated_class(name, cases, question.line_bps, unknown, remarks)
    is_stated = all(demand.offers[index].packets_per_second is not None for index in own)
    rate_known = is_stated or (
        filled_kbps(question, name) is not None if is_llq else question.load_percent is not None
    )
    figures = class_figures(
        name,
        cases,
        rate_known=rate_known,
        least_bound_ms=class_bound_ms(question) if is_llq else 0.0,
        remarks=remarks,
    )
    if is_llq and not is_stated and isinstance(figures, SolvedClass):
        return without_assumed_loss(figures)
    return figures


def _unknown_of_lower(question: Question) -> Unknown | None:
    """A missing default that the delays of lower classes depend on; their shares do not."""
    priority = {policy_class.name for policy_class in question.outlet.llq_classes}
    lower = [name for name in class_names(question.outlet) if name not in priority]
    return _scheduler(question).unknown_default(lower)


def _scheduler(question: Question) -> OutputScheduler:
    return scheduler_of(question.outlet, question.platform)[0]


def _inputs(question: Question, demand: Demand) -> tuple[Input, ...]:
    ring = question.outlet.ring
    others = _inputs_before_ring(question.before_ring, demand)
    if ring is None or question.outlet.ring_idle:
        return others
    return (ring.as_input, *others)


@question(_MOST_ANSWERS)
def _inputs_before_ring(question: Question, demand: Demand) -> tuple[Input, ...]:
    outlet, framing = question.outlet, question.outlet.encapsulation
    inputs: list[Input] = []
    if framing is not None:
        inputs += given_inputs(outlet, framing, question.offers, unstated=demand.unstated)
    scheduler = _scheduler(question)
    if question.line_bps < question.wire_bps:
        inputs.append(exact("shaper_bps", question.line_bps, Basis.CONFIGURED, "shape or CIR"))
        inputs += outlet.line_overhead_inputs
        tc_ms = scheduler.buckets.tc_ms(question.line_bps)
        inputs.append(exact("tc_ms", tc_ms, *scheduler.buckets.tc_basis))
        if scheduler.buckets.refill is Refill.SMOOTH:
            inputs.append(Input("token_step_ms", tc_ms / 2, 0.0, tc_ms, Basis.ASSUMED, _NO_STEPS))
    if question.load_percent is not None:
        inputs.append(
            exact(
                "load_percent of the lower classes", question.load_percent, Basis.CONFIGURED, "load"
            )
        )
    for offer in demand.offers:
        if offer.packets_per_second is not None:
            continue
        if offer.is_llq:
            inputs.append(priority_input(question, offer.class_name))
        elif question.load_percent is None:
            name = offer.class_name
            packet = class_packet(outlet, demand.offers, name)
            inputs += scheduler.limit_inputs(name, packet)
    return tuple(inputs)
