"""Snapshots of devices for later comparison: findings, figures of classes, configurations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from itertools import chain
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from advisor.capture.masking import mask_quoted_line
from advisor.device.device import Device
from advisor.device.index import index_of
from advisor.device.reading import DeviceInputs, Source, read_device
from advisor.device.sources import TaskRunner, in_this_process, sources_of
from advisor.facts.policy import PolicyMap
from advisor.facts.taken_classes import Taker, classes_ahead, takers_of_classes
from advisor.ground.faults import Guard
from advisor.ground.quantity import Figure, Unknown
from advisor.ground.records import picked
from advisor.lint.cards import Rule
from advisor.lint.change.known_packets import (
    KnownOrder,
    KnownSection,
    orders_of,
    sections_of,
    taken_dscps,
)
from advisor.lint.coverage import KnownObject, objects_of
from advisor.lint.findings import Finding, Metric, Severity, Verdict
from advisor.lint.output_figures import (
    OutputFigures,
    SolvedCase,
    flow_figures_of,
    outputs_of,
    solved_cases,
)
from advisor.lint.rulebook import absent_names, is_asked_for, of_device
from advisor.lint.run import (
    DeviceTask,
    DeviceVerdict,
    Outcome,
    Progress,
    ignore_progress,
    judged,
    merge,
    reporting_progress,
)
from advisor.lint.void import as_taken
from advisor.outlet.outlet import Outlet
from advisor.settings import Budgets, Settings
from advisor.shows.observations import Observations

SNAPSHOT_SCHEMA: Final = 1


class Case(StrEnum):
    """The traffic of a prediction."""

    CONGESTED = "congested"  # the LLQ as stated, measured or reserved, all else saturated
    OFFERED = "offered"  # as stated or measured


class KnownFinding(Struct, frozen=True):
    """A finding as a later state is compared with it; `place` is for readers only.

    `figure` is its own figure, `cured` the same with its remedy.
    """

    device: str
    rule: str
    name: str
    object: str
    severity: Severity
    message: str
    place: str | None = None
    metric: str | None = None
    figure: Figure | None = None
    cured: Figure | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """Device, rule and object path: no line, no number."""
        return self.device, self.rule, self.object


class KnownFigure(Struct, frozen=True):
    """A figure of a class, or of one group of its TCP flows."""

    metric: Metric
    figure: Figure
    group: str | None = None


class KnownClass(Struct, frozen=True):
    """The figures of one class of an output; `bound_ms` is None where nothing bounds its delay.

    `p95` is that of its delay. `output` is the object path of what queues. `dscps` are those whose
    packets all end in the class, as the match lines of the policy prove it.
    """

    device: str
    output: str
    class_name: str
    case: Case
    figures: tuple[KnownFigure, ...]
    bound_ms: float | None = None
    dscps: tuple[int, ...] = ()
    p95: Figure | None = None


class OutputWithoutFigures(Struct, frozen=True):
    """An output that cannot be predicted."""

    device: str
    output: str
    why: str


class KnownFile(Struct, frozen=True):
    """A file that holds something of a device: one that is renamed is known by it."""

    device: str
    file: str


class KnownConfig(Struct, frozen=True):
    """Fingerprint of a configuration, kept only if the device has no show outputs.

    `told` are the rates and descriptions of its interfaces by their places, without secrets;
    `digest` covers all its other lines.
    """

    device: str
    digest: str
    told: tuple[tuple[str, str], ...] = ()

    def tells_more(self, old: "KnownConfig") -> bool:
        """Whether it equals `old` except for additional rates and descriptions."""
        was, has = dict(old.told), dict(self.told)
        return self.digest == old.digest and was != has and was.items() <= has.items()


_TELLING: Final = ("bandwidth ", "clock rate ", "clockrate ", "description ")


def configs_of(device: Device) -> Iterator[KnownConfig]:
    """The fingerprint of a device's configuration; none if the device has show outputs."""
    if device.seen != Observations():
        return
    told: dict[str, str] = {}
    digest = sha256()
    for head in device.facts.tree.commands():
        is_interface = head.text.startswith("interface ")
        for line in head.walk():
            text = mask_quoted_line(line.text)
            if is_interface and line.text.startswith(_TELLING):
                told[f"{head.text} > {text.split()[0]}"] = text
            elif line.is_command:
                digest.update(f"{text}\n".encode())
    yield KnownConfig(device.name, digest.hexdigest(), tuple(told.items()))


class WrongStatement(Struct, frozen=True):
    """A statement of the user, by its file and line, that names nothing that its device has."""

    source: str
    said: str


class Snapshot(Struct, frozen=True):
    """All that a later state is compared with; without secrets, it may be kept in a file."""

    schema: int
    version: str
    complete: bool
    findings: tuple[KnownFinding, ...] = ()
    classes: tuple[KnownClass, ...] = ()
    without_figures: tuple[OutputWithoutFigures, ...] = ()
    misstated: tuple[WrongStatement, ...] = ()
    files: tuple[KnownFile, ...] = ()
    objects: tuple[KnownObject, ...] = ()
    orders: tuple[KnownOrder, ...] = ()
    sections: tuple[KnownSection, ...] = ()
    configs: tuple[KnownConfig, ...] = ()


class KnownState(Struct, frozen=True):
    """Facts and figures of a device, or of all of a run, beside findings."""

    classes: tuple[KnownClass, ...] = ()
    without_figures: tuple[OutputWithoutFigures, ...] = ()
    objects: tuple[KnownObject, ...] = ()
    orders: tuple[KnownOrder, ...] = ()
    sections: tuple[KnownSection, ...] = ()
    configs: tuple[KnownConfig, ...] = ()


class Taken(Struct, frozen=True):
    """A verdict with the figures of all classes; as reports do, mask it before it is shown.

    `misstated_sources` are the places of the statements that the verdict calls misstated.
    """

    verdict: Verdict
    known: KnownState
    misstated_sources: tuple[str, ...]


class _OfDevice(Outcome, frozen=True):
    """Findings and figures of one device."""

    known: KnownState = KnownState()


def known_finding(finding: Finding) -> KnownFinding:
    """A finding, which is without secrets already, as a later state is compared with it."""
    forecast, places = finding.prediction, finding.locations
    return picked(
        KnownFinding,
        finding,
        place=f"{places[0].file}:{places[0].line}" if places else None,
        metric=None if forecast is None else forecast.metric,
        figure=None if forecast is None else forecast.before,
        cured=None if forecast is None else forecast.after,
    )


class _Taking(DeviceTask[_OfDevice], frozen=True):
    """The task of judging and predicting one device after the other."""

    def of_verdict(self, verdict: DeviceVerdict) -> _OfDevice:
        return _OfDevice(verdict)

    def of_device(self, inputs: DeviceInputs) -> _OfDevice:
        reading = read_device(inputs, self.settings, self.contributed)
        if not is_asked_for(reading.device.name, self.settings):
            return _OfDevice(DeviceVerdict(left_out=reading.device.name))
        rules, settings = of_device(self.rules, self.settings, reading.device.name)
        verdict = judged(reading, rules, settings, is_guarded=self.is_guarded)
        return _OfDevice(verdict, _known(as_taken(reading.device, rules), settings.budgets))


def take(
    sources: Iterable[Source],
    rules: Sequence[Rule],
    settings: Settings,
    guard: Guard | None = None,
    *,
    run: TaskRunner = in_this_process,
    on_progress: Progress = ignore_progress,
) -> Taken:
    """Judge all devices of a run and predict every class of them; see `review`."""
    again = sources_of(sources)
    index = index_of(again, settings, guard, run)
    taking = _Taking(index.fleet, tuple(rules), settings, guard is not None)
    known: list[KnownState] = []
    sources_of_words: dict[str, str] = {}

    def verdicts() -> Iterator[DeviceVerdict]:
        outcomes = run(taking, index.inputs(again))
        for taken in reporting_progress(outcomes, guard, on_progress, len(index.units)):
            known.append(taken.known)
            wrong = taken.verdict.misstated
            sources_of_words.update((item.said, item.statement.source) for item in wrong)
            yield taken.verdict

    verdict = merge(verdicts(), settings)
    absent = absent_names(settings.devices, [known.device for known in verdict.devices])
    stated = verdict.misstated[: len(verdict.misstated) - len(absent)]  # these stand at the end
    wrong = tuple(sources_of_words.get(said, said) for said in stated)
    wrong += tuple(f"--device {name}" for name in absent)  # the words differ between two states
    columns = zip(*map(astuple, known), strict=True)
    return Taken(verdict, KnownState(*(tuple(chain(*column)) for column in columns)), wrong)


def _known(device: Device, budgets: Budgets) -> KnownState:
    """The predicted figures of all classes, and the known objects of the device."""
    outputs = outputs_of(device)
    solved = solved_cases([(device, outlet) for outlet in outputs.values()])
    classes: list[KnownClass] = []
    without: list[OutputWithoutFigures] = []
    for (path, outlet), cases in zip(outputs.items(), solved, strict=True):
        if all(isinstance(item.answer, Unknown) for item in cases):
            _, congested = cases
            reason = congested.answer.reason if isinstance(congested.answer, Unknown) else ""
            without.append(OutputWithoutFigures(device.name, path, reason))
        classes += _classes(device, path, outlet, cases, budgets)
    orders = tuple(orders_of(device, outputs))
    return KnownState(
        tuple(classes),
        tuple(without),
        tuple(objects_of(device)),
        orders,
        tuple(sections_of(device, orders)),
        tuple(configs_of(device)),
    )


def _classes(
    device: Device,
    path: str,
    outlet: Outlet,
    cases: tuple[SolvedCase, SolvedCase],
    budgets: Budgets,
) -> Iterator[KnownClass]:
    flows = flow_figures_of(device, outlet, budgets)
    of_flows = frozenset(subject.class_name for subject in flows.known)
    policy = outlet.queueing
    ahead = [taker.policy_class for taker in classes_ahead(device.facts, policy.name)]
    names = [queue_class.name for queue_class in (*ahead, *policy.classes)]
    taken, empty = taken_dscps(device.facts, names), takers_of_classes(device.facts)
    for case, solved in zip((Case.OFFERED, Case.CONGESTED), cases, strict=True):
        answer = solved.answer
        if isinstance(answer, Unknown):
            continue
        known = solved.figures(budgets).without(of_flows)
        bounds = {queue_class.name: queue_class.mean.bound for queue_class in answer.classes}
        p95 = {queue_class.name: queue_class.p95 for queue_class in answer.classes}
        bounds |= {unstated.name: unstated.bound_ms for unstated in answer.unstated}
        for name, bound_ms in bounds.items():
            if name not in of_flows and not _is_taken_above(empty, policy, name):
                figures = _figures(known, name)
                codes = taken.get(name, ())
                yield KnownClass(
                    device.name, path, name, case, figures, bound_ms, codes, p95.get(name)
                )
    for name in sorted(of_flows):
        figures, codes = _figures(flows, name), taken.get(name, ())
        yield KnownClass(device.name, path, name, Case.OFFERED, figures, dscps=codes)


def _is_taken_above(
    takers: Mapping[tuple[str, str], tuple[Taker, ...]], policy: PolicyMap, name: str
) -> bool:
    """Whether classes of another policy, ahead of this one, take all packets of a class."""
    return any(taker.policy != policy.name for taker in takers.get((policy.name, name), ()))


def _figures(known: OutputFigures, name: str) -> tuple[KnownFigure, ...]:
    return tuple(
        KnownFigure(subject.metric, own.figure, subject.group)
        for subject, own in known.known.items()
        if subject.class_name == name
    )
