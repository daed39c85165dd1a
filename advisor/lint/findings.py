"""Results of an audit: findings, their figures and remedies, skipped objects, coverage."""

from collections.abc import Collection, Iterable
from datetime import date
from enum import StrEnum

from msgspec import Struct

from advisor.device.coverage import DeviceCoverage, FileCoverage
from advisor.ground.quantity import Figure, Input, Narrowing, figure, number


class Severity(StrEnum):
    """How bad it is: breaks or is refused; costs a user something measurable; worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 is the worst."""
        return list(Severity).index(self)


class Confidence(StrEnum):
    """How sure the check is; it belongs to the finding, not to the rule."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


class Level(StrEnum):
    """Care that applying a remedy needs."""

    SAFE = "safe"
    NEEDS_WINDOW = "needs-window"
    MANUAL = "manual"


class ObjectKind(StrEnum):
    """Kind of name of a finding's object: reports mask it accordingly."""

    SECTIONS = "sections"  # lines of the configuration as they nest, joined by " > "
    NAME = "name"  # words of this tool, with an address, a number, a file or a masked command
    FILE = "file"  # a name that is a file as a whole


class Place(Struct, frozen=True):
    """A line of an input file, shown in the report.

    `column` is where `text` starts in that line, in characters from 1, `end_column` the first one
    behind it; None where the line does not hold `text` as it stands: its keywords are abbreviated,
    or a secret is masked.
    """

    file: str
    line: int
    text: str
    column: int | None = None
    end_column: int | None = None

    @property
    def is_verbatim(self) -> bool:
        """Whether the columns are known, and each character of `text` stands in one of them."""
        if self.column is None or self.end_column is None:
            return False
        return self.end_column - self.column == len(self.text)


class Longest(Struct, frozen=True):
    """The longest time in ms, now and with the remedy; None where nothing bounds it."""

    before: float | None
    after: float | None


class Forecast(Struct, frozen=True):
    """Cost of the finding now, and with the remedy; every input with its basis.

    `improvement` is what the remedy gives back for the same traffic before and after: its interval
    holds whatever the unknown inputs are. Of an LLQ behind a ring, `ring_bound_ms` is the longest
    time that the ring alone delays a packet (it decides the ring to set), `class_bound_ms` the
    longest delay of the class, with the LLQ's own packets. A figure that no traffic feels is one of
    a setting alone, such as a time constant: its remedy gives nothing back, its severity ranks it.
    A mean delay has the `method` of `predict`, a formula or "sampled", with the remedy
    `after_method`; None where the figure is arithmetic.
    """

    metric: str
    before: Figure
    after: Figure | None
    inputs: tuple[Input, ...]
    improvement: Figure | None = None
    ring_bound_ms: Longest | None = None
    class_bound_ms: Longest | None = None
    is_felt: bool = True
    method: str | None = None
    after_method: str | None = None

    @property
    def has_range(self) -> bool:
        """Whether the figure has an interval."""
        return self.before.low < self.before.high

    @property
    def gain(self) -> float:
        """Gain of the remedy in ms, Mb/s or percent: by the bounds if both have one."""
        if self.after is None or not self.is_felt:
            return 0.0
        if self.before.unit == "kb/s":
            return abs(self.before.value - self.after.value) / 1000
        ring = self.ring_bound_ms
        if ring is not None and ring.before is not None and ring.after is not None:
            return ring.before - ring.after
        if self.before.bound is not None and self.after.bound is not None:
            return self.before.bound - self.after.bound
        return abs(self.before.value - self.after.value)


class Verification(Struct, frozen=True):
    """A show command for after the paste, and what it then shows."""

    command: str
    shows: str

    def __str__(self) -> str:
        return f"{self.command}: {self.shows}"


class TwoEnded(Struct, frozen=True):
    """A link that is cut until both ends have changed; no `far_device` where it is not known."""

    interface: str
    far_device: str | None = None
    far_interface: str | None = None


class Renamed(Struct, frozen=True):
    """The path of an object before and with the lines: what is found there was found before."""

    before: str
    now: str

    def path_before(self, path: str) -> str:
        """The path that an object, or one within it, had before the lines."""
        is_in_it = f"{path} > ".startswith(f"{self.now} > ")
        return self.before + path.removeprefix(self.now) if is_in_it else path


class Metric(StrEnum):
    """A figure of a class that a remedy must not make worse."""

    DELAY = "delay"  # mean, in ms
    BOUND = "bound of the delay"  # in ms
    LOSS = "loss"  # percent of the packets
    GOODPUT = "goodput"  # kb/s in bytes of IP packets
    USE = "use of its rate"  # percent, by the stated TCP flows
    DROPS = "drops"  # percent of the packets of a group of TCP flows

    @property
    def more_is_worse(self) -> bool:
        return self not in (Metric.GOODPUT, Metric.USE)


class SideEffect(Struct, frozen=True):
    """A figure of a class that a remedy moves by more than its uncertainty.

    `object` is the path of the output and the class, `group` a group of its flows. `budget` is that
    of the profile in the unit of the figures; None where the profile does not judge it. `after` is
    None where a bound is lost: the model derives none with the remedy. `measured` is the figure as
    it was counted before the change, in its unit; None where it was not. Of a delay it is a round
    trip: the way there takes no longer.
    """

    object: str
    metric: Metric
    before: Figure
    after: Figure | None
    budget: float | None = None
    group: str | None = None
    measured: float | None = None

    @property
    def class_name(self) -> str:
        """The class that the figure is of."""
        return self.object.rpartition(" > class ")[2]

    @property
    def saved(self) -> float:
        """How much less the figure is with the lines."""
        return 0.0 if self.after is None else self.before.value - self.after.value

    @property
    def is_refuted(self) -> bool:
        """Whether the figure was measured before, and is better than its interval has it."""
        return self.measured is not None and self.measured < self.before.low

    @property
    def counted(self) -> str:
        """The figure that was measured, where it refutes the predicted one; else empty."""
        if self.measured is None or not self.is_refuted:
            return ""
        seen = f"{number(self.measured)} {self.before.unit}"
        if self.metric is Metric.DELAY:
            return f"a probe measured {seen} there and back: the prediction is too high"
        if self.metric is Metric.LOSS:
            return f"only while it is saturated: {seen} lost so far"
        return f"counted now: {seen}"

    @property
    def leaves_budget(self) -> bool:
        """Whether the figure goes from within its budget to beyond it."""
        if self.budget is None or self.after is None or self.is_refuted:
            return False
        return self.before.value <= self.budget < self.after.value

    @property
    def is_worse_beyond_budget(self) -> bool:
        """Whether the figure is beyond its budget before, and no value of it is as bad as after."""
        if self.budget is None or self.after is None or self.is_refuted:
            return False
        return self.before.value > self.budget and self.after.low > self.before.high

    def __str__(self) -> str:
        of = f" of {self.group}" if self.group is not None else ""
        after = "none that is derived" if self.after is None else figure(self.after)
        text = f"{self.metric}{of} of {self.object} from {figure(self.before)} to {after}"
        return f"{text}; {self.counted}" if self.counted else text


class Appearing(Struct, frozen=True):
    """A finding that is there with the lines and was not before.

    `harm` is true where its card tells one. One that `is_measured` rests on what was measured
    before the change: it is no witness of the state after it.
    """

    rule: str
    object: str
    severity: Severity
    harm: bool = False
    is_measured: bool = False
    object_kind: ObjectKind = ObjectKind.SECTIONS

    def __str__(self) -> str:
        said = f"{self.rule} ({self.severity}) appears on {self.object}"
        return f"{said}, by what was measured before the change" if self.is_measured else said


class Cost(Struct, frozen=True):
    """Side effect of lines beside their cure: a figure that gets worse, or a finding."""

    figure: SideEffect | None = None
    finding: Appearing | None = None

    def __str__(self) -> str:
        return str(self.figure if self.finding is None else self.finding)


def costs_of(worse: Iterable[SideEffect], new: Iterable[Appearing]) -> tuple[Cost, ...]:
    """The costs of lines, figures first."""
    figures = (Cost(figure=effect) for effect in worse)
    return (*figures, *(Cost(finding=item) for item in new))


class StandIn(Struct, frozen=True):
    """The remedy of a plan that stands for another: its lines are the same, or cure both.

    One that `cuts_link` costs more for less: the other's lines give most of it at one end alone.
    """

    rule: str
    object: str
    has_same_lines: bool
    cuts_link: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """Return the key of its finding on the device."""
        return self.rule, self.object

    def __str__(self) -> str:
        name = f"{self.rule} {self.object}"
        if self.has_same_lines:
            return f"the same lines as {name}"
        return f"the remedy of {name} cures it too"


class Remedy(Struct, frozen=True):
    """Lines to paste, their exact rollback, and the results of the proof.

    At level `manual` there are no lines: `advice` says what to do. `merged` says which other
    remedy of the plan stands for this one. `worse` are the figures that the lines make worse, as
    predicted: none at level `safe`; where there are no lines, those that withhold them are among
    these. `costs` are all that the lines bring about beside the cure: `worse`, and findings. None
    of them withholds. `shorter` are the delays of priority classes that the lines shorten.
    `two_ended` is set where the other end of a link needs the same. `renamed` are objects whose
    policy moves to a bundle, or is copied. `interrupts` is what stops for a while, in a window.
    """

    level: Level
    lines: tuple[str, ...] = ()
    rollback: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()
    verify: tuple[Verification, ...] = ()
    advice: str | None = None
    merged: StandIn | None = None
    two_ended: TwoEnded | None = None
    worse: tuple[SideEffect, ...] = ()
    renamed: tuple[Renamed, ...] = ()
    costs: tuple[Cost, ...] = ()
    shorter: tuple[SideEffect, ...] = ()
    interrupts: str | None = None

    @property
    def notes(self) -> str:
        """The advice, and what the lines interrupt."""
        interrupts = f"interrupts: {self.interrupts}" if self.interrupts else None
        return "; ".join(filter(None, (self.advice, interrupts)))


def without_lines(
    why: str, worse: tuple[SideEffect, ...] = (), renamed: tuple[Renamed, ...] = ()
) -> Remedy:
    """A remedy whose lines must not be pasted, and why: manual advice.

    The words of IOS may name the bundle that the lines would have made: `renamed` tells it.
    """
    return Remedy(Level.MANUAL, advice=f"no lines to paste: {why}", worse=worse, renamed=renamed)


class Suppressed(Struct, frozen=True):
    """The comment or table that accepts a finding, as FILE:LINE; why, and until which day."""

    by: str
    reason: str | None = None
    until: date | None = None


class Cause(Struct, frozen=True):
    """The finding, by rule and object, that IOS refuses lines: what rests on them is void.

    Unless it `is_sure`, the device may have taken the lines all the same. One that `is_idle`
    refuses nothing: no class queues until it is mended. What is `found_anyway` holds without the
    lines too, with other figures.
    """

    rule: str
    object: str
    is_sure: bool = True
    is_idle: bool = False
    found_anyway: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """Return the key of the finding on its device."""
        return self.rule, self.object

    def __str__(self) -> str:
        place = f"{self.rule} of {self.object}"
        if self.is_idle:
            return f"without effect until {place} is mended: no class queues"
        if self.found_anyway:
            return f"holds without the line that IOS refuses too, with other figures: see {place}"
        if self.is_sure:
            return f"void until {place} is mended: IOS refuses a line there"
        return f"holds if the policy is in force: see {place}"


class Sequel(Struct, frozen=True):
    """A later finding: a rule reports it once the wrong name of this one is right."""

    rule: str
    object: str
    severity: Severity
    message: str


class JointGain(Struct, frozen=True):
    """The delay of a class with the lines of several rules, in the order of the report."""

    rules: tuple[str, ...]
    effect: SideEffect


class Finding(Struct, frozen=True):
    """One place where a rule is broken. The same in every output format.

    A `suppressed` one is accepted by the user: it counts for nothing, and no plan cures it. One
    with `void_by` rests on lines that IOS refuses, as that finding says. `then` is what is found
    once its wrong name is right, worst first; `together` what its lines give back with others.
    `title` is the fault in one clause, without a number, `harm` what users feel until it is mended.
    """

    device: str
    rule: str
    name: str
    severity: Severity
    confidence: Confidence
    object: str
    locations: tuple[Place, ...]
    message: str
    prediction: Forecast | None
    remedy: Remedy | None
    sources: tuple[str, ...]
    object_kind: ObjectKind = ObjectKind.SECTIONS
    suppressed: Suppressed | None = None
    void_by: Cause | None = None
    then: tuple[Sequel, ...] = ()
    together: JointGain | None = None
    title: str = ""
    harm: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines to paste; none where it is mended by hand."""
        return () if self.remedy is None else self.remedy.lines

    @property
    def gain(self) -> float:
        """The gain of its own figure by the lines; 0 where no figure is predicted."""
        return self.prediction.gain if self.prediction else 0.0

    @property
    def cured_by(self) -> tuple[str, str, str] | None:
        """Key of the finding whose lines are pasted for this one; None where its own are.

        Its own come first where a measurement refutes the gain that was predicted, and where the
        others cut a link for little more.
        """
        remedy = self.remedy
        if remedy is None or remedy.merged is None:
            return None
        is_own = self.is_refuted or remedy.merged.cuts_link
        is_own = is_own and not remedy.merged.has_same_lines
        return None if is_own else (self.device, *remedy.merged.key)

    @property
    def is_refuted(self) -> bool:
        """Whether a measurement refutes a delay that its lines shorten."""
        return self.remedy is not None and any(item.is_refuted for item in self.remedy.shorter)

    @property
    def is_to_check(self) -> bool:
        """Whether it is an error that may be none: what to look at, and not counted as one."""
        return self.severity is Severity.ERROR and self.confidence is Confidence.POSSIBLE

    @property
    def has_sure_cure(self) -> bool:
        """Whether there are lines, or an act by hand whose gain users feel is known."""
        forecast = self.prediction
        return bool(self.lines) or (forecast is not None and forecast.gain > 0)

    @property
    def is_open(self) -> bool:
        """Whether no line states what makes it harm or none; its lines help in either case."""
        forecast = self.prediction
        if forecast is None or forecast.after is None or not forecast.has_range or not self.lines:
            return False
        is_contested = self.severity is Severity.INFO and self.confidence is Confidence.POSSIBLE
        return is_contested and forecast.is_felt and forecast.after.low < forecast.before.low

    @property
    def is_due(self) -> bool:
        """Whether it asks for an act: no information, and not void until another is mended."""
        is_void = self.void_by is not None and self.void_by.is_sure
        return self.severity is not Severity.INFO and not is_void

    @property
    def key(self) -> tuple[str, str, str]:
        """Device, rule and object path: no line, no number. Later runs know a finding by it."""
        return self.device, self.rule, self.object


def tally_of(finding: Finding) -> Finding:
    """What counts of a finding once it is told: its device and rule, how severe and sure it is.

    Its message tells it from others of the rule on the device; it holds no text.
    """
    told = str(hash((finding.object, finding.message)))
    return Finding(
        finding.device, finding.rule, "", finding.severity, finding.confidence, "", (), told,
        None, None, (), suppressed=finding.suppressed,
    )  # fmt: skip


Concern = tuple[str, str, str]  # a device, a rule, and the interface that the finding is about


def concern_of(finding: Finding) -> Concern:
    """What the other end of a link asks for: whether a finding has lines there."""
    return finding.device, finding.rule, finding.object.split(" > ")[0]


def is_failure(
    finding: Finding, incomplete_rules: Collection[str], fail_on: Severity | None
) -> bool:
    """Whether a finding fails a run that fails from `fail_on` up; None fails on none.

    The rules of `incomplete_rules` never do: they say that something could not be read.
    """
    if fail_on is None or finding.suppressed is not None or finding.rule in incomplete_rules:
        return False
    return finding.severity.rank <= fail_on.rank


class Skipped(Struct, frozen=True):
    """A rule that applies to an object and could not be judged for lack of knowledge."""

    device: str
    rule: str
    object: str
    reason: str
    object_kind: ObjectKind = ObjectKind.SECTIONS


class Said(Struct, frozen=True):
    """Findings of a device, and objects that could not be judged."""

    findings: tuple[Finding, ...]
    skipped: tuple[Skipped, ...]


class Idle(Struct, frozen=True):
    """A suppression that suppresses nothing on a device, and its finding.

    `key` are its place and its word. Unless it `is_certain`, it counts only where no other device
    needs it.
    """

    key: str
    finding: Finding
    is_certain: bool


class Honoured(Struct, frozen=True):
    """Findings of a device, the suppressed ones too, and findings about suppressions.

    `used` are the keys of those that suppress anything here.
    """

    findings: tuple[Finding, ...]
    used: tuple[str, ...] = ()
    idle: tuple[Idle, ...] = ()


class Narrowed(Struct, frozen=True):
    """A finding whose figure has an interval, and the inputs that would narrow it, best first."""

    device: str
    rule: str
    object: str
    figure: Figure
    by: tuple[Narrowing, ...]


class Verdict(Struct, frozen=True):
    """The result of an audit: everything a renderer may show."""

    findings: tuple[Finding, ...]
    skipped: tuple[Skipped, ...]
    coverage: tuple[FileCoverage, ...]
    devices: tuple[DeviceCoverage, ...] = ()
    incomplete: tuple[str, ...] = ()  # why the verdict is not complete; empty where it is
    misstated: tuple[str, ...] = ()  # statements about a device of the run that has not their names
    narrows: Narrowed | None = (
        None  # of the first finding that can be narrowed; None: not asked for
    )

    @property
    def complete(self) -> bool:
        return not self.incomplete

    @property
    def standing(self) -> tuple[Finding, ...]:
        """Findings that nobody accepts."""
        return tuple(finding for finding in self.findings if finding.suppressed is None)

    @property
    def suppressed(self) -> tuple[Finding, ...]:
        """Findings that the user accepts."""
        return tuple(finding for finding in self.findings if finding.suppressed is not None)
