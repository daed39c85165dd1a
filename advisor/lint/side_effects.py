"""Predicts the effect of an edit on every class of each output that it touches."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.facts.policy import PolicyClass
from advisor.ground.quantity import point
from advisor.lint.findings import Metric, Renamed, SideEffect
from advisor.lint.output_figures import (
    FigureSubject,
    Known,
    OutputFigures,
    falls,
    flow_figures_of,
    outputs_of,
    rises,
    solved_cases,
)
from advisor.outlet.outlet import Outlet
from advisor.outlet.probe import results_in
from advisor.predict.classes import class_names
from advisor.settings import Budgets

_OUTPUT: Final = ["service-policy", "output"]


class SideEffects(Struct, frozen=True):
    """Figures that an edit makes worse, and the reasons why others are not known.

    `shorter` are the delays of priority classes that it shortens, in the congested case.
    """

    worse: tuple[SideEffect, ...] = ()
    unknown: tuple[str, ...] = ()
    shorter: tuple[SideEffect, ...] = ()


class _Pair(Struct, frozen=True):
    """An output before and after an edit."""

    before: Outlet
    after: Outlet


def side_effects(
    before: Device, after: Device, budgets: Budgets, renamed: Sequence[Renamed] = ()
) -> SideEffects:
    """Compare every class of each output that an edit touches: delay, loss and goodput.

    An output whose policy moves to a bundle is compared with the bundle: `renamed` has its names.
    Each output is solved with its traffic as stated or measured, and in the congested case that
    lint judges. Where both solutions depend on the same numbers, nothing moves.
    """
    old, new = outputs_of(before), outputs_of(after)
    new = {_path_before(label, renamed): outlet for label, outlet in new.items()}
    new = {label: _moved_to(outlet, old.get(label)) for label, outlet in new.items()}
    unknown = [f"{label}: its queueing is another one" for label in old.keys() ^ new.keys()]
    unknown += (*_not_modelled(before, after), *_in_unread_places(before, after))
    pairs = [
        _Pair(outlet, new[label])
        for label, outlet in old.items()
        if label in new and (outlet != new[label] or _other_packets(before, after, outlet))
    ]
    worse: list[SideEffect] = []
    shorter: list[SideEffect] = []
    ends = [(before, pair.before) for pair in pairs] + [(after, pair.after) for pair in pairs]
    solved = solved_cases(ends)
    cases = zip(solved[: len(pairs)], solved[len(pairs) :], strict=True)
    for pair, (old_cases, new_cases) in zip(pairs, cases, strict=True):
        figures = [
            None if old.is_same(new) else (old.figures(budgets), new.figures(budgets))
            for old, new in zip(old_cases, new_cases, strict=True)
        ]
        effects = _effects(before, after, pair, list(filter(None, figures)), budgets)
        worse += effects.worse
        if figures[-1] is not None:
            shorter += _shorter(before, pair.before, *figures[-1])
        unknown += (f"{pair.before.policy_label}: {why}" for why in effects.unknown)
    return SideEffects(tuple(worse), tuple(dict.fromkeys(unknown)), tuple(shorter))


def _not_modelled(before: Device, after: Device) -> Iterator[str]:
    """Say which interfaces drop otherwise after an edit, in a queue that the model has not."""
    cured = {item.name: item for item in after.facts.interfaces}
    for interface in before.facts.interfaces:
        now = cured.get(interface.name, interface)
        if (interface.wred, interface.random_detect) != (now.wred, now.random_detect):
            yield f"interface {interface.name}: the queue with WRED of its own is not modelled"


def _in_unread_places(before: Device, after: Device) -> Iterator[str]:
    """Say where an edited policy queues and no output of it is known: a service instance…"""
    facts = before.facts
    edited = {
        policy.name for policy in facts.policy_maps if after.facts.policy_map(policy.name) != policy
    }
    if not edited:
        return
    read = {attachment.attachment.at.line for attachment in attachments(facts)}
    for head in facts.tree.commands():
        if head.words[0] == "policy-map":
            continue
        for line in head.walk():
            if not line.is_command or line.words[:2] != _OUTPUT or line.number in read:
                continue
            if edited.intersection(
                nested_policy.name for nested_policy in facts.nested_policies(line.words[-1])
            ):
                yield f"`{head.text}`: the queues of {line.words[-1]} are not modelled there"


def _path_before(label: str, renamed: Sequence[Renamed]) -> str:
    for item in renamed:
        label = item.path_before(label)
    return label


def _moved_to(outlet: Outlet, old: Outlet | None) -> Outlet:
    """An output after an edit; where its policy moved, it carries what was measured before."""
    if old is None or old.policy_label == outlet.policy_label:
        return outlet
    return replace(
        outlet,
        measured=old.measured,
        measured_mean=old.measured_mean,
        unread_classes=old.unread_classes,
    )


Cases = Sequence[tuple[OutputFigures, OutputFigures]]  # of an output: each before and after


def _effects(
    before: Device, after: Device, pair: _Pair, cases: Cases, budgets: Budgets
) -> SideEffects:
    flows = tuple(
        flow_figures_of(device, outlet, budgets)
        for device, outlet in ((before, pair.before), (after, pair.after))
    )
    answered = frozenset(subject.class_name for own in flows for subject in own.known)
    compared = [(old.without(answered), new.without(answered)) for old, new in cases]
    worse: dict[FigureSubject, SideEffect] = {}
    unknown = [*_moved_packets(before, after, pair.before), *_unstated_flows(pair, answered)]
    for old, new in (*compared, flows):
        label = pair.before.policy_label
        for effect in (*_worse(pair.before, old, new), *_lost_bounds(label, old, new)):
            worse.setdefault(FigureSubject(effect.object, effect.metric, effect.group), effect)
        unknown += (*map(str, old.unknown), *map(str, new.unknown), *_without_figure(old, new))
    return SideEffects(tuple(worse.values()), tuple(dict.fromkeys(unknown)))


def _worse(outlet: Outlet, old: OutputFigures, new: OutputFigures) -> Iterator[SideEffect]:
    for subject, known in old.known.items():
        cured = new.known.get(subject)
        if cured is not None and _is_worse(subject, known, cured):
            yield SideEffect(
                f"{outlet.policy_label} > class {subject.class_name}",
                subject.metric,
                known.figure,
                cured.figure,
                cured.budget,
                subject.group,
                _measured(outlet, subject),
            )


def _shorter(
    device: Device, outlet: Outlet, congested: OutputFigures, edited: OutputFigures
) -> Iterator[SideEffect]:
    """Delays of priority classes that fall by more than their uncertainty."""
    old, new = congested.known, edited.known
    for policy_class in outlet.queueing.classes:
        subject = FigureSubject(policy_class.name, Metric.DELAY)
        if policy_class.priority is None or subject not in old or subject not in new:
            continue
        before, after = old[subject], new[subject]
        if falls(before.figure, after.figure):
            path = f"{outlet.policy_label} > class {policy_class.name}"
            budget, measured_ms = after.budget, _round_trip_ms(device, outlet, policy_class.name)
            yield SideEffect(
                path, Metric.DELAY, before.figure, after.figure, budget, measured=measured_ms
            )


def _round_trip_ms(device: Device, outlet: Outlet, class_name: str) -> float | None:
    """Mean round trip of a probe in a priority class, where a class dropped: under congestion."""
    if not any(counted.loss_percent for counted in outlet.measured):
        return None
    results = results_in(device, outlet, class_name)
    return min((result.rtt.mean_ms for result in results if result.rtt is not None), default=None)


def _measured(outlet: Outlet, subject: FigureSubject) -> float | None:
    """The figure as it was counted: of the loss of a class, the packets that were not carried."""
    if subject.metric is not Metric.LOSS:
        return None
    for counted in outlet.measured:
        if counted.name == subject.class_name:
            return counted.loss_percent
    return None


def _lost_bounds(label: str, old: OutputFigures, new: OutputFigures) -> Iterator[SideEffect]:
    """Classes whose delay had a bound, and has none with the edit."""
    for name, bound_ms in old.bounds_ms.items():
        if name not in new.bounds_ms and FigureSubject(name, Metric.DELAY) in new.known:
            before = point(bound_ms, "ms")
            yield SideEffect(f"{label} > class {name}", Metric.BOUND, before, None)


def _is_worse(subject: FigureSubject, old: Known, new: Known) -> bool:
    change = rises if subject.metric.more_is_worse else falls
    return change(old.figure, new.figure)


def _without_figure(old: OutputFigures, new: OutputFigures) -> Iterator[str]:
    for subject in old.known.keys() - new.known.keys():
        yield f"{subject.metric} of {subject.class_name} is not known after it"


def _other_packets(before: Device, after: Device, outlet: Outlet) -> bool:
    return any(_moved_packets(before, after, outlet))


def _moved_packets(before: Device, after: Device, outlet: Outlet) -> Iterator[str]:
    """Say which classes take other packets: no statement tells what they then carry."""
    lists_differ = before.facts.access_lists != after.facts.access_lists
    if before.facts.class_maps == after.facts.class_maps and not lists_differ:
        return
    old, new = (
        {class_map.name: class_map for class_map in device.facts.class_maps}
        for device in (before, after)
    )
    for name in class_names(outlet):
        uses_list = name in old and any(match.kind == "access-group" for match in old[name].matches)
        if old.get(name) != new.get(name) or (lists_differ and uses_list):
            yield f"{name} then takes other packets, and what they are is not stated"


def _unstated_flows(pair: _Pair, stated: frozenset[str]) -> Iterator[str]:
    """Name the classes whose drops change and whose flows nobody stated."""
    for policy_class in pair.before.queueing.classes:
        cured = pair.after.class_named(policy_class.name)
        moves = cured is None or _dropping(cured) != _dropping(policy_class)
        if moves and policy_class.name not in stated:
            yield f"the TCP flows of {policy_class.name} are not stated"


def _dropping(policy_class: PolicyClass) -> tuple[object, ...]:
    return (policy_class.wred, policy_class.queue_limit)
