"""The remedies of one device as one plan, and work on both ends of a link."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.glance import config_outline
from advisor.device.links import LinkTable
from advisor.device.peers import Fleet, PeerEnd, peer_end
from advisor.device.reading import DeviceInputs, read_device
from advisor.device.sources import TaskRunner
from advisor.facts.read_config import read_facts
from advisor.ground.faults import Guard, guarded
from advisor.ios.syntax import ConfigTree
from advisor.ios.syntax.reader import parse_config
from advisor.lint.accepted import verifications
from advisor.lint.build_plan import PartialPlan, built, may_be_shown
from advisor.lint.candidates import candidates_of, merged, place_of, with_cured
from advisor.lint.cards import Rule
from advisor.lint.findings import (
    Appearing,
    Cost,
    Finding,
    Level,
    Remedy,
    SideEffect,
    Verification,
    costs_of,
    without_lines,
)
from advisor.lint.judge import Key, judge, keys_of
from advisor.lint.rulebook import of_device
from advisor.lint.trial import Standard, appearing, pasted
from advisor.settings import Budgets, Settings
from advisor.shows.observations import Observations

# The remedies of one device as one plan: ordered steps, one rollback, one proof.


class PlanStep(Struct, frozen=True):
    """Lines to paste together, where they belong, and the findings that they cure.

    `place` is the first line: the interface or the policy-map.
    """

    number: int
    place: str
    level: Level
    lines: tuple[str, ...]
    cures: tuple[Finding, ...]


class DeviceSteps(Struct, frozen=True):
    """Steps in the order of the paste, the one way back, and what is left for a human.

    `rollback` takes back all steps when it is pasted as a whole. `by_hand` are findings whose
    remedies have no lines here; `tree` is the configuration after the steps, `worse` what all steps
    together make worse, as predicted, `costs` all that they bring about beside the cures.
    """

    steps: tuple[PlanStep, ...]
    rollback: tuple[str, ...]
    checks: tuple[Verification, ...]
    proof: tuple[str, ...]
    by_hand: tuple[Finding, ...]
    tree: ConfigTree
    worse: tuple[SideEffect, ...]
    costs: tuple[Cost, ...]


def steps_of_device(
    device: Device, findings: Sequence[Finding], rules: Sequence[Rule], budgets: Budgets
) -> DeviceSteps:
    """Join the remedies of one device.

    One step stands for all findings that it cures; a remedy that another one undoes or contains
    is dropped. The whole plan is proven at once: every command is taken in the state before it,
    all findings are gone, nothing that withholds lines is new, and the rollback restores the
    config. If that fails, the steps are proven one after the other, each as often as it takes until
    its place is found; where one that moves a policy then finds none, those are tried first. At
    last, remedies that do not hold alone are tried behind the steps, and those that alone take a
    figure beyond its budget ahead of them.
    """
    candidates = [candidate for candidate in candidates_of(findings) if may_be_shown(candidate)]
    ordered = sorted(merged(device, candidates, rules), key=place_of)
    known = keys_of(judge(device, rules).pairs) if ordered else frozenset()
    standard = Standard(rules, known, budgets)
    state, failed = built(device, ordered, findings, standard)
    accepted = with_cured(device, state.accepted, state.device, findings, rules)
    state = replace(state, accepted=accepted)
    renamed = [name for candidate in accepted for name in candidate.renamed]
    new = appearing(judge(state.device, rules), known, renamed) if accepted else ()
    return _planned(device, findings, state, failed, new)


def _planned(
    device: Device,
    findings: Sequence[Finding],
    state: PartialPlan,
    failed: dict[Key, Remedy],
    new: Sequence[Appearing],
) -> DeviceSteps:
    steps = tuple(
        PlanStep(
            number,
            candidate.lines[0],
            candidate.level,
            candidate.lines,
            (*candidate.findings, *candidate.also),
        )
        for number, candidate in enumerate(state.accepted, start=1)
    )
    lines = tuple(line for step in steps for line in step.lines)
    cured = {key for candidate in state.accepted for key in candidate.keys}
    by_hand = tuple(
        _by_hand(finding, failed.get((finding.rule, finding.object)))
        for finding in findings
        if (finding.rule, finding.object) not in cured
    )
    return DeviceSteps(
        steps,
        state.rollback,
        verifications(lines),
        tuple(_proof(steps, state, new)),
        by_hand,
        state.device.facts.tree if steps else device.facts.tree,
        state.effects.worse,
        costs_of(state.effects.worse, new),
    )


def _proof(
    steps: Sequence[PlanStep], state: PartialPlan, new: Sequence[Appearing]
) -> Iterator[str]:
    if not steps:
        return
    cured = sum(len(step.cures) for step in steps)
    yield "applied: IOS takes every line in the state before it"
    others = f"{len(new)} new, see the costs" if new else "no new one"
    yield f"re-linted: {cured} found before, none of them after, and {others}"
    yield f"rolled back: {len(state.rollback)} lines restore the configuration"


def _by_hand(finding: Finding, manual: Remedy | None) -> Finding:
    """A finding without lines in the plan; its own lines would not be those of the plan."""
    if finding.remedy is None or not finding.remedy.lines:
        return finding
    hidden = without_lines("a line of the remedy holds text that reports must not show")
    return replace(finding, remedy=manual or hidden)


# Work on both ends of a link: which end is changed first, and what has no lines yet.


class LinkWork(Struct, frozen=True):
    """The order of work on a link that is cut until both ends have changed.

    `device` and `interface` are this end. Without `far_device` the other end is not in the run.
    `is_first` says that this end is changed first: the far one, with fewer links of its own, so
    that whoever works from the middle of the network can still reach it. `far_has_lines` says that
    the plan of the other device has lines for it, `far_fragments` that the other end has fragments
    already, which this end is to get.
    """

    device: str
    interface: str
    far_device: str | None = None
    far_interface: str | None = None
    is_first: bool = False
    far_has_lines: bool = False
    far_fragments: bool = False


Place = tuple[str, str | None]  # device and interface


def link_works(
    steps_by_device: Sequence[tuple[str, Sequence[PlanStep]]], table: LinkTable
) -> tuple[tuple[LinkWork, ...], ...]:
    """Works of each device, in their order: one for each link that its steps cut."""
    links = Counter(end.device for link in table.links.found for end in link.ends)
    order = {device: place for place, (device, _) in enumerate(steps_by_device)}
    cut = [tuple(_cut(device, steps)) for device, steps in steps_by_device]
    with_lines: set[Place] = {(work.device, work.interface) for works in cut for work in works}

    def rank(device: str | None) -> tuple[int, int]:
        """How far out: fewer links first; of two alike the later one of the run."""
        return links[device or ""], -order.get(device or "", 0)

    return tuple(
        tuple(
            replace(
                work,
                is_first=work.far_device is not None and rank(work.device) < rank(work.far_device),
                far_has_lines=(work.far_device or "", work.far_interface) in with_lines,
                far_fragments=_far_fragments(table, work),
            )
            for work in works
        )
        for works in cut
    )


def _far_fragments(table: LinkTable, work: LinkWork) -> bool:
    link = table.link(work.device, work.interface)
    if link is None:
        return False
    own, far = link.from_here(work.device)
    return far.cuts and not own.cuts


def _cut(device: str, steps: Iterable[PlanStep]) -> Iterable[LinkWork]:
    found: dict[str, LinkWork] = {}
    for step in steps:
        for finding in step.cures:
            link = finding.remedy.two_ended if finding.remedy is not None else None
            if link is not None:
                work = LinkWork(device, link.interface, link.far_device, link.far_interface)
                found[link.interface] = work
    return found.values()


# Plans of several devices proven together: what one does to DLSw+ peers, another one answers to.
#
# Each plan is proven on its own device, with the peers of the others as they were captured. Here
# all plans stand at once, and every device with peers is judged again.

ConfigPlace = tuple[str, str]  # a device, and the file of its configuration


class JointFinding(Struct, frozen=True):
    """A finding that appears on a device only when the plans of all devices stand."""

    device: str
    peer_id: str
    finding: Appearing


class Joint(Struct, frozen=True):
    """The task of judging a device before the plans of a run, and with all of them.

    `lines` are those of the plans, by device. A defect was told by the plan of the
    device already: guarded, it leaves the device without an answer.
    """

    before: Fleet
    after: Fleet
    rules: tuple[Rule, ...]
    settings: Settings
    lines: Mapping[ConfigPlace, tuple[str, ...]]
    is_guarded: bool

    def __call__(self, inputs: DeviceInputs) -> tuple[JointFinding, ...]:
        guard = Guard() if self.is_guarded else None
        answers: list[JointFinding] = []
        with guarded(guard, inputs.name):
            answers += self._answers(inputs, guard)
        return tuple(answers)

    def _answers(self, inputs: DeviceInputs, guard: Guard | None) -> tuple[JointFinding, ...]:
        device = read_device(inputs, self.settings, self.before).device
        end = peer_end(device.facts, device.name, device.seen)
        if end is None:
            return ()
        rules, _ = of_device(self.rules, self.settings, device.name)
        known = keys_of(judge(device, rules, guard).pairs)
        lines = self.lines.get((device.name, device.facts.tree.file), ())
        planned = pasted(replace(device, fleet=self.after), lines)
        new = appearing(judge(planned, rules, guard), known)
        return tuple(JointFinding(device.name, end.peer_id, item) for item in new)

    def lost(self, inputs: DeviceInputs, fault: str) -> tuple[JointFinding, ...]:
        del inputs, fault
        return ()


def ends_after(fleet: Fleet, edited: Mapping[ConfigPlace, str]) -> Fleet:
    """The peers of a run when the configurations of some devices are edited."""
    return replace(
        fleet, ends=tuple(_after(end, edited.get((end.device, end.at.file))) for end in fleet.ends)
    )


def _after(end: PeerEnd, text: str | None) -> PeerEnd:
    if text is None or "dlsw" not in text:
        return end
    facts = read_facts(parse_config(text, end.at.file))
    edited = peer_end(facts, end.device, Observations())
    if edited is None:
        return end
    return replace(edited, seen=end.seen, cpu=end.cpu, hardware=end.hardware)


def answers_of(
    inputs: Iterable[DeviceInputs], joint: Joint, run: TaskRunner
) -> tuple[JointFinding, ...]:
    """List findings that appear on any device when all plans stand; () if none touches a peer."""
    if _peers(joint.after) == _peers(joint.before):
        return ()
    return tuple(item for found in run(joint, _with_peers(inputs)) for item in found)


def _peers(fleet: Fleet) -> tuple[tuple[str, bool, tuple[tuple[str, str | None], ...]], ...]:
    """Return the ends as other devices see them: without line numbers."""
    return tuple(
        (
            end.peer_id,
            end.is_promiscuous,
            tuple((item.address, item.backup_of) for item in end.named),
        )
        for end in fleet.ends
    )


def _with_peers(inputs: Iterable[DeviceInputs]) -> Iterator[DeviceInputs]:
    for an_input in inputs:
        if an_input.config is not None and config_outline(an_input.config).speaks_of_dlsw:
            yield an_input
