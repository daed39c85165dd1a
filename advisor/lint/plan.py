"""Remedies of a device in the order in which they are pasted, each proven after those before it."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device, with_tree
from advisor.device.index import index_of
from advisor.device.jobs import Run, here
from advisor.device.peers import Fleet
from advisor.device.reading import DeviceInputs, Source, read_device
from advisor.device.sources import sources_of
from advisor.faults import Fault, Guard, faults_of, guarded
from advisor.ios.edit.apply import apply
from advisor.lint.cards import Rule
from advisor.lint.findings import Finding, Level, Remedy, Verdict
from advisor.lint.judge import judge, keys_of
from advisor.lint.prove import remedy_of
from advisor.lint.run import DeviceVerdict, Progress, judged, merge, parts_of, told, untold
from advisor.lint.trial import snippet_of
from advisor.settings.values import Settings


class RemedySelection(Struct, frozen=True):
    """Remedies to plan: those of the rules with these ids, up to a level of care."""

    rules: tuple[str, ...]
    level: Level | None = None

    def holds(self, finding: Finding) -> bool:
        """Whether the remedy of a finding is selected."""
        if finding.remedy is None or finding.rule not in self.rules:
            return False
        levels = list(Level)
        return self.level is None or levels.index(finding.remedy.level) <= levels.index(self.level)


class Edited(Struct, frozen=True):
    """A config file before and after its remedies."""

    file: str
    before: str
    after: str


class DevicePlan(Struct, frozen=True):
    """Remedies of one device as they stand when pasted one after the other.

    One whose finding an earlier remedy cures gives no lines. `loose` are findings without a line.
    """

    verdict: DeviceVerdict
    findings: tuple[Finding, ...] = ()
    loose: tuple[Finding, ...] = ()
    edited: tuple[Edited, ...] = ()


class Plan(Struct, frozen=True):
    """Remedies of all devices of a run, and all that was found."""

    verdict: Verdict
    findings: tuple[Finding, ...]
    edited: tuple[Edited, ...]


def plan_device(
    inputs: DeviceInputs,
    contributed: Fleet,
    rules: Sequence[Rule],
    settings: Settings,
    selection: RemedySelection,
    *,
    is_guarded: bool = True,
) -> DevicePlan:
    """Judge one device, and put its remedies in order; see `lint_device`."""
    reading = read_device(inputs, settings, contributed)
    verdict = judged(reading, rules, settings, is_guarded=is_guarded)
    failed = {fault.rule for fault in verdict.faults}
    sound = [rule for rule in rules if rule.card.id not in failed]
    selected = [finding for finding in verdict.findings if selection.holds(finding)]
    placed = sorted((finding for finding in selected if finding.locations), key=_file_of)
    pasted, device = _pasted(reading.device, placed, sound)
    before = reading.device.facts.tree
    return DevicePlan(
        verdict,
        findings=tuple(pasted),
        loose=tuple(finding for finding in selected if not finding.locations),
        edited=(Edited(before.file, before.text(), device.facts.tree.text()),),
    )


def _file_of(finding: Finding) -> str:
    """The file under whose name the remedy is printed: that is the order of the paste."""
    return finding.locations[0].file


def _pasted(
    device: Device, findings: Sequence[Finding], rules: Sequence[Rule]
) -> tuple[list[Finding], Device]:
    """Remedies of one device one after the other, and the device with all of them."""
    pasted = []
    for finding in findings:
        proven, device = _proven_anew(device, finding, rules)
        pasted.append(proven)
    return pasted, device


def _proven_anew(device: Device, finding: Finding, rules: Sequence[Rule]) -> tuple[Finding, Device]:
    """A remedy proven anew after those before it, and the device with it."""
    if finding.remedy is None or not finding.remedy.lines:
        return finding, device
    hits = judge(device, rules)
    key = (finding.rule, finding.object)
    pairs = [(rule, hit) for rule, hit in hits.pairs if (rule.card.id, hit.object) == key]
    if not pairs:
        cured = Remedy(Level.MANUAL, advice="cured by a remedy above")
        return replace(finding, remedy=cured), device
    remedy = remedy_of(device, *pairs[0], rules, keys_of(hits.pairs))
    after = device
    if remedy.lines:
        after = with_tree(device, apply(device.facts.tree, snippet_of(remedy.lines)).tree)
    return replace(finding, remedy=remedy), after


class _Planning(Struct, frozen=True):
    """The task of planning one device after the other, here or in another process."""

    contributed: Fleet
    rules: tuple[Rule, ...]
    settings: Settings
    selection: RemedySelection
    is_guarded: bool

    def __call__(self, inputs: DeviceInputs) -> DevicePlan:
        guard = Guard() if self.is_guarded else None
        for part in parts_of(inputs):
            with guarded(guard, part.name):
                plan = plan_device(
                    part,
                    self.contributed,
                    self.rules,
                    self.settings,
                    self.selection,
                    is_guarded=self.is_guarded,
                )
                faults = (*faults_of(guard), *plan.verdict.faults)
                return replace(plan, verdict=replace(plan.verdict, faults=faults))
        return DevicePlan(DeviceVerdict(faults=faults_of(guard)))

    def lost(self, inputs: DeviceInputs, fault: str) -> DevicePlan:
        return DevicePlan(DeviceVerdict(faults=(Fault(inputs.name, None, fault),)))


def plan_run(
    sources: Iterable[Source],
    rules: Sequence[Rule],
    settings: Settings,
    selection: RemedySelection,
    guard: Guard | None = None,
    *,
    run: Run = here,
    tell: Progress = untold,
) -> Plan:
    """Plan the remedies of all devices of a run; see `review`."""
    again = sources_of(sources)
    index = index_of(again, settings, guard, run)
    planning = _Planning(index.fleet, tuple(rules), settings, selection, guard is not None)
    findings: list[Finding] = []
    loose: list[Finding] = []
    edited: list[Edited] = []

    def verdicts() -> Iterator[DeviceVerdict]:
        for plan in run(planning, index.inputs(again)):
            findings.extend(plan.findings)
            loose.extend(plan.loose)
            edited.extend(plan.edited)
            yield plan.verdict

    verdict = merge(told(verdicts(), guard, tell, len(index.units)), settings)
    return Plan(verdict, (*findings, *loose), tuple(edited))
