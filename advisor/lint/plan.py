"""Plans of a run: for each device, its remedies as one paste with one way back."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.index import Index, index_of
from advisor.device.links import LinkTable
from advisor.device.peers import Fleet
from advisor.device.reading import DeviceInputs, Reading, Source, read_device
from advisor.device.sources import Sources, TaskRunner, in_this_process, sources_of
from advisor.facts.attachments import attachments
from advisor.ground.faults import Guard
from advisor.ground.records import picked
from advisor.ios.syntax.names import interface_name
from advisor.lint.candidates import why_one_ended
from advisor.lint.cards import Rule
from advisor.lint.device_plan import (
    Joint,
    JointFinding,
    LinkWork,
    PlanStep,
    answers_of,
    ends_after,
    link_works,
    steps_of_device,
)
from advisor.lint.findings import (
    Cost,
    Finding,
    Level,
    SideEffect,
    Verdict,
    Verification,
    concern_of,
    costs_of,
    without_lines,
)
from advisor.lint.rulebook import is_asked_for, of_device
from advisor.lint.run import (
    DeviceTask,
    DeviceVerdict,
    FindingSink,
    Outcome,
    Progress,
    ignore_progress,
    judged,
    merge,
    reporting_progress,
)
from advisor.lint.trial import harm_of
from advisor.settings import Settings
from advisor.settings.document import nearest


class LeftOut(Struct, frozen=True):
    """A finding whose lines do not hold beside the plans of other devices, and why."""

    device: str
    rule: str
    object: str
    why: str


class RemedySelection(Struct, frozen=True):
    """Remedies to plan: those of the rules with these ids, up to a level of care, at an output.

    `interface` is a name as IOS spells it; the policies attached to it count too. The findings of
    `left_out` stay, without their lines.
    """

    rules: tuple[str, ...]
    level: Level | None = None
    interface: str | None = None
    left_out: tuple[LeftOut, ...] = ()

    def why_left_out(self, finding: Finding) -> str | None:
        """Why the lines of a finding are left out of the plan; None where they are not."""
        key = (finding.device, finding.rule, finding.object)
        return next(
            (item.why for item in self.left_out if (item.device, item.rule, item.object) == key),
            None,
        )

    def holds(self, finding: Finding, device: Device) -> bool:
        """Whether the remedy of a finding is selected."""
        if finding.remedy is None or finding.rule not in self.rules or finding.suppressed:
            return False
        levels = list(Level)
        if self.level is not None:
            is_milder = levels.index(finding.remedy.level) <= levels.index(self.level)
            if not is_milder:
                return False
        return self.interface is None or concerns(device, self.interface, finding)


def concerns(device: Device, interface: str, finding: Finding) -> bool:
    """Whether a finding is of an interface, or of a policy that is attached there."""
    full = interface_name(interface)
    heads = {f"interface {full}"}
    for attached in attachments(device.facts):
        if full in (attached.interface.name, attached.interface.parent):
            heads |= {f"interface {attached.interface.name}"}
            nested = device.facts.nested_policies(attached.attachment.policy)
            heads |= {f"policy-map {policy.name}" for policy in nested}
    steps = finding.object.split(" > ")
    return steps[0] in heads


def all_of(rules: Iterable[Rule]) -> RemedySelection:
    """The selection of every remedy."""
    return RemedySelection(tuple(rule.card.id for rule in rules))


class Edited(Struct, frozen=True):
    """A config file before and after its remedies."""

    file: str
    before: str
    after: str


class DevicePlan(Outcome, frozen=True):
    """The remedies of one device as one paste with one way back.

    `by_hand` are the selected findings that no line of the plan cures, with advice. `worse` are the
    figures that all steps together make worse, as predicted, `costs` these and the findings that
    they bring about. `links` are those
    that the steps cut until their other ends have changed too; `interfaces` are all of the device.
    """

    device: str = ""
    file: str = ""
    steps: tuple[PlanStep, ...] = ()
    rollback: tuple[str, ...] = ()
    checks: tuple[Verification, ...] = ()
    proof: tuple[str, ...] = ()
    by_hand: tuple[Finding, ...] = ()
    edited: Edited | None = None
    links: tuple[LinkWork, ...] = ()
    worse: tuple[SideEffect, ...] = ()
    costs: tuple[Cost, ...] = ()
    interfaces: tuple[str, ...] = ()

    @property
    def level(self) -> Level | None:
        """The most careful level of all steps, and of what they do together; None without steps."""
        levels = list(Level)
        together = [Level.NEEDS_WINDOW] if self.steps and self.worse else []
        return max(
            (*(step.level for step in self.steps), *together), key=levels.index, default=None
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """All steps, as they are pasted."""
        return tuple(line for step in self.steps for line in step.lines)


class Plan(Struct, frozen=True):
    """Plans of the devices of a run that have any finding selected, and all that was found.

    The devices stand in the order of the work: far ends of links that are cut come first.
    """

    verdict: Verdict
    devices: tuple[DevicePlan, ...]


def plan_device(
    inputs: DeviceInputs,
    contributed: Fleet,
    rules: Sequence[Rule],
    settings: Settings,
    selection: RemedySelection,
    *,
    is_guarded: bool = True,
) -> DevicePlan:
    """Judge one device, and make one plan of its remedies; see `lint_device`."""
    reading = read_device(inputs, settings, contributed)
    if not is_asked_for(reading.device.name, settings):
        return DevicePlan(DeviceVerdict(left_out=reading.device.name))
    return plan_reading(reading, rules, settings, selection, is_guarded=is_guarded)


def plan_reading(
    reading: Reading,
    rules: Sequence[Rule],
    settings: Settings,
    selection: RemedySelection,
    *,
    is_guarded: bool,
) -> DevicePlan:
    """Judge a device that was read, and make one plan of its remedies."""
    device = reading.device
    rules, settings = of_device(rules, settings, device.name)
    verdict = judged(reading, rules, settings, is_guarded=is_guarded)
    failed = {fault.rule for fault in verdict.faults}
    sound = [rule for rule in rules if rule.card.id not in failed]
    selected = [
        _left_out(finding, selection.why_left_out(finding))
        for finding in verdict.findings
        if selection.holds(finding, device)
    ]
    made = steps_of_device(device, selected, sound, settings.budgets)
    before = device.facts.tree
    return picked(
        DevicePlan,
        made,
        verdict=verdict,
        device=device.name,
        file=before.file,
        edited=Edited(before.file, before.text(), made.tree.text()) if selected else None,
        interfaces=tuple(interface.name for interface in device.facts.interfaces),
    )


def _left_out(finding: Finding, why: str | None) -> Finding:
    if why is None:
        return finding
    return replace(finding, remedy=without_lines(why))


class _Planning(DeviceTask[DevicePlan], frozen=True):
    selection: RemedySelection

    def of_device(self, inputs: DeviceInputs) -> DevicePlan:
        return plan_device(
            inputs,
            self.contributed,
            self.rules,
            self.settings,
            self.selection,
            is_guarded=self.is_guarded,
        )

    def of_verdict(self, verdict: DeviceVerdict) -> DevicePlan:
        return DevicePlan(verdict)


def plan_run(
    sources: Iterable[Source],
    rules: Sequence[Rule],
    settings: Settings,
    selection: RemedySelection,
    guard: Guard | None = None,
    *,
    run: TaskRunner = in_this_process,
    on_progress: Progress = ignore_progress,
    on_findings: FindingSink | None = None,
) -> Plan:
    """Plan the remedies of all devices of a run; see `review`."""
    again = sources_of(sources)
    index = index_of(again, settings, guard, run)
    planning = _Planning(index.fleet, tuple(rules), settings, guard is not None, selection)
    devices: list[DevicePlan] = []
    interfaces: set[str] = set()

    def verdicts() -> Iterator[DeviceVerdict]:
        plans = run(planning, index.inputs(again))
        for plan in reporting_progress(plans, guard, on_progress, len(index.units)):
            interfaces.update(plan.interfaces)
            if plan.steps or plan.by_hand:
                devices.append(replace(plan, verdict=DeviceVerdict()))
            yield plan.verdict

    verdict = merge(verdicts(), settings, on_findings)
    if selection.interface and interface_name(selection.interface) not in interfaces:
        advice = nearest(interface_name(selection.interface), sorted(interfaces))
        said = f"--interface {selection.interface}: no device of the run has it; {advice}"
        verdict = replace(verdict, misstated=(*verdict.misstated, said))
    devices = _together(devices, planning, index, again, run)
    return Plan(verdict, _in_order(devices, index.fleet.links))


def _together(
    devices: list[DevicePlan], planning: _Planning, index: Index, sources: Sources, run: TaskRunner
) -> list[DevicePlan]:
    """Plans that hold beside each other.

    Left out are lines whose answer is a new finding, and those of one end of a link alone.
    """
    while True:
        edited = {
            (plan.device, plan.file): plan.edited.after
            for plan in devices
            if plan.edited is not None
        }
        joint = Joint(
            index.fleet,
            ends_after(index.fleet, edited),
            planning.rules,
            planning.settings,
            {(plan.device, plan.file): plan.lines for plan in devices},
            planning.is_guarded,
        )
        answers = answers_of(index.inputs(sources), joint, run)
        known = planning.selection.left_out
        unfit = (*_to_leave_out(devices, answers), *_of_one_end(devices))
        more = tuple(item for item in unfit if item not in known)
        if not more:
            return _with_answers(devices, answers)
        selection = replace(planning.selection, left_out=(*known, *more))
        planning = replace(planning, selection=selection)
        concerned = {item.device for item in more}
        again = {
            (plan.device, plan.file): replace(plan, verdict=DeviceVerdict())
            for plan in run(planning, index.inputs(sources))
            if plan.device in concerned
        }
        devices = [again.get((plan.device, plan.file), plan) for plan in devices]


def _to_leave_out(
    devices: Sequence[DevicePlan], answers: Sequence[JointFinding]
) -> Iterator[LeftOut]:
    """Findings whose lines name the peer that answers; of its own plan those on DLSw+."""
    for answer in answers:
        new, where = answer.finding, f"{answer.device}: {answer.finding.object}"
        why = f"with the plans of all devices {new.rule} would appear on {where}"
        for plan in devices:
            for step in _answered(plan, answer):
                for finding in step.cures:
                    if harm_of([new], finding.severity) is not None:
                        yield LeftOut(plan.device, finding.rule, finding.object, why)


def _of_one_end(devices: Sequence[DevicePlan]) -> Iterator[LeftOut]:
    """Findings whose lines cut a link that has to be done by hand at its other end."""
    by_hand = {concern_of(finding) for plan in devices for finding in plan.by_hand}
    for plan in devices:
        for finding in (cured for step in plan.steps for cured in step.cures):
            if (why := why_one_ended(finding, by_hand)) is not None:
                yield LeftOut(plan.device, finding.rule, finding.object, why)


def _answered(plan: DevicePlan, answer: JointFinding) -> Iterator[PlanStep]:
    """The steps that an answer is to: those that name its peer; of its own plan those on DLSw+."""
    is_own = plan.device == answer.device
    for step in plan.steps:
        lines = [line for line in step.lines if line.startswith("dlsw ")]
        if lines and (is_own or any(answer.peer_id in line.split() for line in lines)):
            yield step


def _with_answers(devices: list[DevicePlan], answers: Sequence[JointFinding]) -> list[DevicePlan]:
    """The plans with the answers that withhold nothing, which are their costs."""
    answered: list[DevicePlan] = []
    for plan in devices:
        new = [
            replace(answer.finding, object=f"{answer.device}: {answer.finding.object}")
            for answer in answers
            if any(_answered(plan, answer))
        ]
        answered.append(replace(plan, costs=(*plan.costs, *costs_of((), new))))
    return answered


def _in_order(devices: Sequence[DevicePlan], table: LinkTable) -> tuple[DevicePlan, ...]:
    works = link_works([(plan.device, plan.steps) for plan in devices], table)
    planned = [
        replace(plan, links=of_device) for plan, of_device in zip(devices, works, strict=True)
    ]
    return tuple(sorted(planned, key=lambda plan: not any(work.is_first for work in plan.links)))
