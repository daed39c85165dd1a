"""Device to verdict, one pure function for one device; before it the index, after it the merge."""

from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.coverage import DeviceCoverage, FileCoverage, nothing_judged
from advisor.device.device import Device
from advisor.device.index import index_of
from advisor.device.peers import Fleet
from advisor.device.reading import DeviceInputs, Reading, Source, read_device
from advisor.device.sources import TaskRunner, in_this_process, sources_of
from advisor.ground.faults import Fault, Guard, faults_of, guarded
from advisor.ground.questions import Kept
from advisor.ios.syntax.reader import WORD
from advisor.lint.cards import Rule, is_selected
from advisor.lint.checks.base import Hit
from advisor.lint.coverage import (
    KnownObject,
    Statement,
    device_coverage,
    objects_of,
    unused,
    used,
    wanted_by,
    with_columns,
)
from advisor.lint.findings import (
    Concern,
    Finding,
    Honoured,
    Idle,
    Remedy,
    Said,
    Severity,
    Skipped,
    Verdict,
    concern_of,
    without_lines,
)
from advisor.lint.judge import Hits, Key, finding_of, judge, keys_of, line_texts, sound
from advisor.lint.rulebook import is_asked_for, of_device, without_device
from advisor.settings import Budgets, Settings

if TYPE_CHECKING:
    from advisor.outlet.statements import Misstated

Progress = Callable[[int, int], None]  # devices that are judged, and all of the run
# Findings, when they are known, and the objects of their device where a baseline asks for them.
FindingSink = Callable[[tuple[Finding, ...], tuple[KnownObject, ...]], None]


def ignore_progress(done: int, total: int) -> None:
    """Report no progress."""


class DeviceVerdict(Struct, frozen=True):
    """Ranked findings of one device, and the coverage of its reading.

    `used` are the statements of the user that it answers to, `faults` the defects of the program
    that showed in a rule. `suppressing` are the keys of the suppressions that it needs, `idle` is
    said of those that it does not need. `objects` are told where a baseline may know a finding by
    another name. `left_out` is the name of a device that the settings do not
    ask for: nothing else is said of it.
    """

    findings: tuple[Finding, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    coverage: tuple[FileCoverage, ...] = ()
    devices: tuple[DeviceCoverage, ...] = ()
    incomplete: tuple[str, ...] = ()
    used: tuple[Statement, ...] = ()
    misstated: "tuple[Misstated, ...]" = ()
    faults: tuple[Fault, ...] = ()
    suppressing: tuple[str, ...] = ()
    idle: tuple[Idle, ...] = ()
    objects: tuple[KnownObject, ...] = ()
    left_out: str | None = None


def lint_device(
    inputs: DeviceInputs,
    contributed: Fleet,
    rules: Sequence[Rule],
    settings: Settings,
    *,
    is_guarded: bool = True,
) -> DeviceVerdict:
    """Judge one device and prove each remedy.

    It depends on its arguments alone; they and the verdict pickle.

    Parameters
    ----------
    inputs
        What was captured of the device.
    contributed
        What the other devices of the run say of it.
    rules
        The catalogue, which the remedies must not break; settings select from it.
    settings
        Settings in force.
    is_guarded
        Whether a defect of a rule is kept in the verdict, and not raised.
    """
    reading = read_device(inputs, settings, contributed)
    if not is_asked_for(reading.device.name, settings):
        return DeviceVerdict(left_out=reading.device.name)
    return judged(reading, rules, settings, is_guarded=is_guarded)


def judged(
    reading: Reading,
    rules: Sequence[Rule],
    settings: Settings,
    *,
    is_guarded: bool,
    proves: bool = True,
) -> DeviceVerdict:
    """Judge a device that was read; see `lint_device`. Without proofs there are no remedies."""
    rules, settings = of_device(rules, settings, reading.device.name)
    guard = Guard() if is_guarded else None
    judging = _judging(rules, settings)
    if proves:
        said = _proven(reading, rules, settings, judging, guard)
    else:
        said = judging(reading, guard, proves=False)
    honoured = _honoured(reading, said, judging, settings)
    return DeviceVerdict(
        findings=with_columns(ranked(honoured.findings), reading),
        skipped=said.skipped,
        coverage=reading.coverage,
        devices=(device_coverage(reading.device, judging.wanted),),
        incomplete=reading.incomplete,
        used=used(reading.device),
        misstated=_misstated(reading.device),
        faults=faults_of(guard),
        suppressing=honoured.used,
        idle=honoured.idle,
        objects=() if settings.baseline is None else tuple(objects_of(reading.device)),
    )


def _proven(
    reading: Reading,
    rules: Sequence[Rule],
    settings: Settings,
    judging: "_Judging",
    guard: Guard | None,
) -> Said:
    """Findings with remedies, and with what they give back together."""
    said = None
    found = judging.found(reading.device, guard)
    if sum(rule.card.remedy is not None and hit.curable for rule, hit in found) >= _LEAST_PROOFS:
        said = _said_of_alike(reading, (rules, settings), judging, keys_of(found))
    if said is None:
        said = judging(reading, guard)
    if said.findings:
        from advisor.lint.own_policy import with_users  # noqa: PLC0415 -- a clean device does without

        said = replace(said, findings=with_users(reading.device, said.findings))
    if any(finding.severity is not Severity.INFO for finding in said.findings):
        from advisor.lint.candidates import with_joint_gains  # noqa: PLC0415 -- most devices do without
        from advisor.lint.void import with_sequels  # noqa: PLC0415

        found_on = sound(reading.device, rules, guard)
        findings = with_sequels(reading.device, said.findings, found_on)
        with guarded(guard, reading.device.facts.tree.file):
            findings = with_joint_gains(reading.device, findings, settings.budgets)
        said = replace(said, findings=findings)
    return said


def proven_findings(
    reading: Reading, rules: Sequence[Rule], settings: Settings, keys: frozenset[Key]
) -> tuple[Finding, ...]:
    """Some findings of a device, each with its remedy by itself; none where a rule fails."""
    rules, settings = of_device(rules, settings, reading.device.name)
    found = _judging(rules, settings).of_keys(reading, keys).values()
    from advisor.lint.own_policy import with_users  # noqa: PLC0415 -- a clean device does without

    return with_columns(with_users(reading.device, found), reading)


def _misstated(device: Device) -> "tuple[Misstated, ...]":
    """Statements of the user about a device that has not what they name."""
    if not (device.traffic or device.stated_rates):
        return ()
    from advisor.outlet.statements import misstated_of  # noqa: PLC0415 -- most runs state nothing

    return misstated_of(device)


def _honoured(reading: Reading, said: Said, judging: "_Judging", settings: Settings) -> Honoured:
    """Suppress what the user accepts."""
    if not settings.suppresses:
        return Honoured(said.findings)
    if not settings.suppress and WORD not in reading.device.facts.tree.text():
        return Honoured(said.findings)
    from advisor.lint.suppressions import honoured  # noqa: PLC0415 -- most runs have none

    return honoured(reading.device, said, judging.rules, judging.selected, settings)


_LEAST_UNITS: Final = 5  # two of a kind are judged, and three are worth it
_LEAST_PROOFS: Final = 5  # fewer are made as fast as units are compared


def _said_of_alike(
    reading: Reading, kept_for: tuple[object, ...], judging: "_Judging", found: frozenset[Key]
) -> Said | None:
    facts = reading.device.facts
    ports = sum(not interface.is_subinterface for interface in facts.interfaces)
    if max(ports, len(facts.class_maps)) < _LEAST_UNITS:
        return None
    if any(rule.is_own for rule in judging.rules):
        return None

    def proven(keys: frozenset[Key]) -> Mapping[Key, Finding]:
        return judging.of_keys(reading, keys)

    from advisor.lint.alike_interfaces import judged_by_alike  # noqa: PLC0415 -- ordinary routers do without

    return judged_by_alike(reading, kept_for, found, judging.without_faults, proven)


class _Judging:
    """Rules and settings that judge devices as a whole."""

    def __init__(self, rules: Sequence[Rule], settings: Settings) -> None:
        self.rules, self._settings = rules, settings
        self.selected = [rule for rule in rules if is_selected(rule, settings)]
        self.wanted = wanted_by(self.selected)
        self._ids = {rule.card.id for rule in self.selected}

    def found(self, device: Device, guard: Guard | None) -> list[tuple[Rule, Hit[Any]]]:
        """Run the selected rules on a device."""
        pairs = judge(device, self.rules, guard).pairs
        return [(rule, hit) for rule, hit in pairs if rule.card.id in self._ids]

    def without_faults(self, reading: Reading) -> Said | None:
        """Judge a device; None where a rule fails."""
        guard = Guard()
        said = self(reading, guard)
        return None if faults_of(guard) else said

    def of_keys(self, reading: Reading, keys: frozenset[Key]) -> Mapping[Key, Finding]:
        """Some findings, found and proven on the device as a whole; {} where a rule fails."""
        guard = Guard()
        hits = judge(reading.device, self.rules, guard)
        own = [(rule, hit) for rule, hit in hits.pairs if (rule.card.id, hit.object) in keys]
        budgets = self._settings.budgets
        found = tuple(_findings(reading, self.rules, own, hits, budgets, guard=guard))
        return {} if faults_of(guard) else {(item.rule, item.object): item for item in found}

    def __call__(self, reading: Reading, guard: Guard | None, *, proves: bool = True) -> Said:
        rules, ids = self.rules, self._ids
        hits = judge(reading.device, rules, guard)
        own = [(rule, hit) for rule, hit in hits.pairs if rule.card.id in ids]
        budgets = self._settings.budgets if proves else None
        findings = tuple(_findings(reading, rules, own, hits, budgets, guard=guard))
        skipped = tuple(skip for skip in hits.skipped if skip.rule in ids)
        if not findings or not proves:
            return Said(findings, skipped)
        from advisor.lint.candidates import with_merges  # noqa: PLC0415 -- a clean device does without

        with guarded(guard, reading.device.facts.tree.file):
            findings = with_merges(reading.device, findings, sound(reading.device, rules, guard))
        return Said(findings, skipped)


_JUDGING: Final = Kept[tuple[int, int], _Judging](4)  # each with what its key identifies


def _judging(rules: Sequence[Rule], settings: Settings) -> _Judging:
    """The rules in force, selected once for all devices that they hold for."""
    return _JUDGING.of((id(rules), id(settings)), lambda: _Judging(rules, settings))


_NO_PROOF: Final = without_lines("their proof failed")


def _findings(
    reading: Reading,
    rules: Sequence[Rule],
    selected_hits: Sequence[tuple[Rule, Hit[Any]]],
    hits: Hits,
    budgets: Budgets | None,
    *,
    guard: Guard | None,
) -> Iterator[Finding]:
    """Findings of hits; without budgets to prove remedies by, they have none."""
    if not selected_hits:
        return
    from advisor.lint.void import idle_of, voids_of  # noqa: PLC0415 -- a device without hits

    device = reading.device
    texts = ChainMap(line_texts(device, reading.shown), device.fleet.links.headings)
    file = device.facts.tree.file
    rules = sound(device, rules, guard)
    voids = {**idle_of(selected_hits), **voids_of(device, rules)}
    remedies: Sequence[Remedy | None] = [None] * len(selected_hits)
    if budgets is not None:
        remedies = _remedies(device, rules, selected_hits, hits, budgets, guard=guard)
    for (rule, hit), remedy in zip(selected_hits, remedies, strict=True):
        finding = None
        with guarded(guard, file, rule.card.id):
            cause = voids.get((rule.card.id, hit.object))
            finding = replace(finding_of(device.name, rule, hit, texts, cause), remedy=remedy)
        if finding is not None:
            yield finding


def _remedies(
    device: Device,
    rules: Sequence[Rule],
    selected_hits: Sequence[tuple[Rule, Hit[Any]]],
    hits: Hits,
    budgets: Budgets,
    *,
    guard: Guard | None,
) -> Sequence[Remedy]:
    """The remedy of each hit; hits of one part of the device are proven one after the other."""
    from advisor.lint.affected_part import place_in_parts  # noqa: PLC0415
    from advisor.lint.prove import remedy_of  # noqa: PLC0415 -- a device without hits has no proof
    from advisor.lint.trial import Standard  # noqa: PLC0415

    standard = Standard(rules, keys_of(hits.pairs), budgets)
    remedies = [_NO_PROOF] * len(selected_hits)
    places = [place_in_parts(device, hit.object) for _, hit in selected_hits]
    for number in sorted(range(len(selected_hits)), key=places.__getitem__):
        rule, hit = selected_hits[number]
        with guarded(guard, device.facts.tree.file, rule.card.id):
            remedies[number] = remedy_of(device, rule, hit, standard)
    return remedies


_OF_VOICE: Final = ("TXR", "LFI", "LLQ", "SHP")  # families of its delay and loss


def ranked(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Worst first: errors, those that are only possible last, then voice ahead of data.

    Of each, what the lines give back most of comes first; information comes last.

    What a finding makes void stands directly below it; of equal ones these heads come first.
    """
    found = list(findings)
    keys = {finding.key for finding in found}
    void: dict[tuple[str, str, str], list[Finding]] = {}
    heads: list[Finding] = []
    for finding in sorted(found, key=_gain):
        cause = finding.void_by
        head = None if cause is None else (finding.device, *cause.key)
        if head in keys:
            void.setdefault(head, []).append(finding)
        else:
            heads.append(finding)
    chains = ((head, *void.pop(head.key, [])) for head in heads)
    return _after_cures([finding for chain in sorted(chains, key=_weight) for finding in chain])


def _after_cures(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings in their order; whose lines are pasted for another, or first, stands ahead of it."""
    first = {finding.key: finding for finding in reversed(findings)}
    placed: dict[int, Finding] = {}
    ahead: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings:
        merged = None if finding.remedy is None else finding.remedy.merged
        if merged is not None and finding.cured_by is None:
            ahead.setdefault((finding.device, *merged.key), []).append(finding)
    for finding in findings:
        for cheaper in ahead.get(finding.key, ()):
            if cheaper.void_by == finding.void_by:
                placed.setdefault(id(cheaper), cheaper)
        cure = None if finding.cured_by is None else first.get(finding.cured_by)
        if cure is not None and cure.void_by == finding.void_by:
            placed.setdefault(id(cure), cure)
        placed.setdefault(id(finding), finding)
    return tuple(placed.values())


def _weight(chain: tuple[Finding, ...]) -> tuple[object, ...]:
    is_light = len(chain) == 1 or any(finding.is_to_check for finding in chain)
    return not _is_sure_error(chain[0]), is_light, *_gain(chain[0])


def _is_sure_error(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR and not finding.is_to_check


def _gain(finding: Finding) -> tuple[bool, bool, float, int, str, str, str]:
    """Sorts by worth: no information first, then voice, then by what the lines give back."""
    is_of_voice = finding.rule.startswith(_OF_VOICE)
    is_info = finding.severity is Severity.INFO
    return is_info, not is_of_voice, -finding.gain, finding.severity.rank, *finding.key


class Outcome(Struct, frozen=True):
    """The verdict on a device; a task adds what else it finds out."""

    verdict: DeviceVerdict


T = TypeVar("T")
OutcomeT = TypeVar("OutcomeT", bound=Outcome)


class DeviceTask(Struct, Generic[OutcomeT], frozen=True):
    """A task for one device after the other, here or in another process."""

    contributed: Fleet
    rules: tuple[Rule, ...]
    settings: Settings
    is_guarded: bool

    def of_device(self, inputs: DeviceInputs) -> OutcomeT:
        """Do the task for a device."""
        raise NotImplementedError

    def of_verdict(self, verdict: DeviceVerdict) -> OutcomeT:
        """Return what there is of a device that has a verdict only."""
        raise NotImplementedError

    def __call__(self, inputs: DeviceInputs) -> OutcomeT:
        guard = Guard() if self.is_guarded else None
        for part in _parts_of(inputs):
            with guarded(guard, part.name):
                outcome = self.of_device(part)
                faults = (*faults_of(guard), *outcome.verdict.faults)
                return replace(outcome, verdict=replace(outcome.verdict, faults=faults))
        return self.of_verdict(DeviceVerdict(faults=faults_of(guard)))

    def lost(self, inputs: DeviceInputs, fault: str) -> OutcomeT:
        return self.of_verdict(DeviceVerdict(faults=(Fault(inputs.name, None, fault),)))


class _Linting(DeviceTask[Outcome], frozen=True):
    def of_device(self, inputs: DeviceInputs) -> Outcome:
        return Outcome(
            lint_device(
                inputs, self.contributed, self.rules, self.settings, is_guarded=self.is_guarded
            )
        )

    def of_verdict(self, verdict: DeviceVerdict) -> Outcome:
        return Outcome(verdict)


def _parts_of(inputs: DeviceInputs) -> Iterator[DeviceInputs]:
    """All inputs of a device; after it, where its configuration fails, its show outputs."""
    yield inputs
    if inputs.config is not None and inputs.shows:
        yield DeviceInputs(None, inputs.shows)


def review(
    sources: Iterable[Source],
    rules: Sequence[Rule],
    settings: Settings,
    guard: Guard | None = None,
    *,
    run: TaskRunner = in_this_process,
    on_progress: Progress = ignore_progress,
    on_findings: FindingSink | None = None,
) -> Verdict:
    """Lint all devices of a run.

    Parameters
    ----------
    sources
        All inputs. They are read more than once: what can be iterated only is kept in memory.
    rules
        The catalogue; settings select from it.
    settings
        Settings in force.
    guard
        Keeps a defect that shows on one device, or in one rule; without it a defect is raised.
    run
        Does what costs time: in this process, in several, or on a cluster.
    on_progress
        Called after each device, with the number of judged devices and of all.
    on_findings
        Called with the findings of each device when it is judged, of one with lines for a link
        whose other end is in the run when all are, and last with those of the run as a whole:
        each finding once. The verdict then holds none: a run of any length keeps its memory.
    """
    again = sources_of(sources)
    index = index_of(again, settings, guard, run)
    linting = _Linting(index.fleet, tuple(rules), settings, guard is not None)
    outcomes = reporting_progress(
        run(linting, index.inputs(again)), guard, on_progress, len(index.units)
    )
    return merge((outcome.verdict for outcome in outcomes), settings, on_findings)


def reporting_progress(
    outcomes: Iterator[OutcomeT], guard: Guard | None, on_progress: Progress, total: int
) -> Iterator[OutcomeT]:
    """Yield outcomes as they come, and report progress; a guard collects their faults."""
    for done, outcome in enumerate(outcomes, start=1):
        if guard is not None:
            guard.take(outcome.verdict.faults)
        on_progress(done, total)
        yield outcome


def merge(
    verdicts: Iterable[DeviceVerdict],
    settings: Settings,
    on_findings: FindingSink | None = None,
) -> Verdict:
    """Make one verdict of those of all devices, in their order; findings are ranked anew.

    Findings that somebody receives are not kept.
    """
    told = _told(verdicts, on_findings)

    def all_of(part: Callable[[DeviceVerdict], Iterable[T]]) -> tuple[T, ...]:
        return tuple(chain.from_iterable(map(part, told)))

    suppressing = {key for verdict in told for key in verdict.suppressing}
    without_effect = tuple(_without_effect(all_of(lambda of: of.idle), suppressing))
    if on_findings is not None:
        on_findings(without_effect, ())
        without_effect = ()
    answered = {statement for verdict in told for statement in verdict.used}
    wrong = _unanswered(all_of(lambda of: of.misstated), answered)
    coverage, devices = all_of(lambda of: of.coverage), all_of(lambda of: of.devices)
    incomplete = all_of(lambda of: of.incomplete)
    left_out = [verdict.left_out for verdict in told if verdict.left_out]
    return Verdict(
        findings=ranked((*all_of(lambda of: of.findings), *without_effect)),
        skipped=(*all_of(lambda of: of.skipped), *unused(settings, answered, wrong)),
        coverage=coverage,
        devices=devices,
        incomplete=incomplete or tuple(nothing_judged(coverage)),
        misstated=(
            *(statement.said for statement in wrong),
            *without_device(settings.devices, [known.device for known in devices], left_out),
        ),
    )


def _waits_for_others(verdict: DeviceVerdict) -> bool:
    """Whether lines of a device may be withheld by what is found at the other end of a link."""
    remedies = (item.remedy for item in verdict.findings if item.lines)
    links = (remedy.two_ended for remedy in remedies if remedy is not None)
    return any(link is not None and link.far_device is not None for link in links)


def _told(
    verdicts: Iterable[DeviceVerdict], on_findings: FindingSink | None
) -> list[DeviceVerdict]:
    """The verdicts with lines that cut no link whose other end has none; findings are passed on."""
    told: list[DeviceVerdict] = []
    waiting: dict[int, DeviceVerdict] = {}
    by_hand = set[Concern]()

    def passed_on(verdict: DeviceVerdict) -> DeviceVerdict:
        if on_findings is None:
            return verdict
        on_findings(verdict.findings, verdict.objects)
        return replace(verdict, findings=(), objects=())

    for place, verdict in enumerate(verdicts):
        by_hand.update(concern_of(finding) for finding in verdict.findings if not finding.lines)
        is_waiting = _waits_for_others(verdict)
        if is_waiting:
            waiting[place] = verdict
        told.append(verdict if is_waiting else passed_on(verdict))
    for place, verdict in _with_both_ends(waiting, by_hand):
        told[place] = passed_on(verdict)
    return told


def _with_both_ends(
    waiting: Mapping[int, DeviceVerdict], by_hand: Collection[Concern]
) -> Iterator[tuple[int, DeviceVerdict]]:
    """The verdicts, without lines that cut a link whose other end has none."""
    if not waiting:
        return
    from advisor.lint.candidates import without_one_ended  # noqa: PLC0415 -- few runs have links

    every = [finding for verdict in waiting.values() for finding in verdict.findings]
    found = iter(without_one_ended(every, by_hand))
    for place, verdict in waiting.items():
        yield place, replace(verdict, findings=tuple(islice(found, len(verdict.findings))))


def _unanswered(
    misstated: Sequence["Misstated"], answered: Collection[Statement]
) -> "tuple[Misstated, ...]":
    if not misstated:
        return ()
    from advisor.outlet.statements import unanswered  # noqa: PLC0415 -- most runs state nothing

    return unanswered(misstated, answered)


def _without_effect(idle: Iterable[Idle], suppressing: Collection[str]) -> Iterator[Finding]:
    """A word for each suppression that no device of the run needs."""
    said: set[str] = set()
    for item in idle:
        if item.key not in said and (item.is_certain or item.key not in suppressing):
            said.add(item.key)
            yield item.finding
