"""One device: its config, what was observed, what the user states, definitions it lacks."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.capture.masking import REMOVED, is_masked
from advisor.capture.outputs import RUNNING_CONFIG
from advisor.capture.sections import Gap
from advisor.device.as_seen import as_seen, with_sessions
from advisor.device.peers import Fleet
from advisor.device.platform import Decision
from advisor.device.platform_evidence import platform_of
from advisor.facts.attachments import Attached, attachments
from advisor.facts.config import Facts, Unread
from advisor.facts.name_uses import near_names
from advisor.facts.read_config import read_facts
from advisor.ground.questions import derived
from advisor.ios.syntax import ConfigTree, Location, ProblemKind
from advisor.ios.syntax.abbreviations import doubt_about
from advisor.ios.syntax.detect import Dialect
from advisor.ios.syntax.modes import GLOBAL, is_local, knows, opens_mode
from advisor.settings import (
    ReturnPath,
    Settings,
    StatedPlatform,
    StatedRate,
    Traffic,
    Transactions,
)
from advisor.shows.observations import Observations

if TYPE_CHECKING:
    from advisor.shows.policy_map import ChildPolicy, ObservedPolicy


# One device: what its config says, what was observed, what the user states.


class Device(Struct, frozen=True, eq=False, dict=True):
    """The snapshot that predictions and checks work on. Compared by identity: it is large."""

    name: str
    facts: Facts
    platform: Decision
    seen: Observations = field(default_factory=Observations)
    traffic: tuple[Traffic, ...] = ()  # the user's statements that apply to this device
    dialect: Dialect = Dialect.IOS
    evidence: str = ""  # the line that shows a foreign dialect
    evidence_line: int = 1
    is_among_others: bool = False  # the user did not name its input alone
    gaps: tuple[Gap, ...] = ()  # commands of a capture that are missing or cut
    transactions: Transactions | None = None  # the peak of SNA that the user states
    fleet: Fleet = field(default_factory=Fleet)  # what the devices of the run know of each other
    stated_platforms: tuple[StatedPlatform, ...] = ()
    stated_rates: tuple[StatedRate, ...] = ()  # those whose device has its name
    return_path: ReturnPath = ReturnPath.UNSTATED  # of its probes, as the user states it
    # Lines that name a policy or a class in configurations of its file that are not judged.
    unjudged: tuple[tuple[Location, str], ...] = ()
    is_edited: bool = False  # by lines that are newer than its outputs

    @property
    def is_ios(self) -> bool:
        """Whether it runs IOS or IOS XE: no other system is judged."""
        return self.dialect is Dialect.IOS

    @property
    def is_skipped(self) -> bool:
        """Whether it is of another system, among inputs that are judged."""
        return not self.is_ios and self.is_among_others

    @property
    def at(self) -> Location:
        """The line that names the device, else the first of its config."""
        hostname = self.facts.hostname
        return hostname.at if hostname else Location(self.facts.tree.file, 1)


def device_of(
    facts: Facts,
    name: str | None,
    *,
    seen: Observations,
    settings: Settings,
    fleet: Fleet,
    dialect: Dialect,
    evidence: str,
    evidence_line: int,
    gaps: tuple[Gap, ...],
) -> Device:
    """Join what is known of one device. Its hostname wins over the name of a prompt."""
    if facts.hostname is not None:
        name = facts.hostname.value
    name = name or facts.tree.file
    own_rates = tuple(rate for rate in settings.rates if fnmatchcase(name, rate.device))
    seen = with_sessions(facts, seen)
    facts = as_seen(facts, seen, own_rates)
    transactions = (peak for peak in settings.transactions if fnmatchcase(name, peak.device))
    return Device(
        name=name,
        facts=facts,
        platform=platform_of(facts, seen, name, settings.platforms),
        seen=seen,
        traffic=tuple(
            statement for statement in settings.traffic if fnmatchcase(name, statement.device)
        ),
        dialect=dialect,
        evidence=evidence,
        evidence_line=evidence_line,
        gaps=gaps,
        transactions=next(transactions, None),
        fleet=fleet,
        stated_platforms=settings.platforms,
        stated_rates=own_rates,
        return_path=settings.return_path,
    )


def with_tree(device: Device, tree: ConfigTree) -> Device:
    """Return the same device with another config: what a remedy or a what-if makes of it.

    An edit changes neither the hardware nor the software: its platform stays as it was decided.
    """
    facts = as_seen(read_facts(tree), device.seen, device.stated_rates)
    return replace(device, facts=facts)


def with_edit(device: Device, tree: ConfigTree) -> Device:
    """Return the same device with the config that an edit leaves: its outputs are older."""
    return replace(with_tree(device, tree), is_edited=True)


def with_facts(device: Device, facts: Facts, seen: Observations) -> Device:
    """Return the same device with other facts and observations; its platform is decided anew."""
    seen = with_sessions(facts, seen)
    facts = as_seen(facts, seen, device.stated_rates)
    platform = platform_of(facts, seen, device.name, device.stated_platforms)
    return replace(device, facts=facts, seen=seen, platform=platform)


def with_all_members(device: Device) -> Device | None:
    """The device as if every member of its bundles carried traffic; None where all do."""
    if all(item.seen_down is None for item in device.facts.interfaces):
        return None
    whole = (replace(item, seen_down=None) for item in device.facts.interfaces)
    return replace(device, facts=replace(device.facts, interfaces=tuple(whole)))


# Definitions that the text of a device lacks, and whether the device may have them.

POLICY_MAP: Final = "policy-map "  # the command that defines one
CLASS_MAP: Final = "class-map "
# Sections that IOS prints behind the interfaces: a text with its `end` has them all.
_BEHIND_INTERFACES: Final = ("access-list ", "ip prefix-list ", "map-class ", "route-map ")
_CLASS_MODES: Final = {  # whose lines each holds, at any depth
    "class-map": ("class-map",),
    "policy-map": ("policy-map", "policy-map-class", "policy-map-event", "police"),
}


class UnreadPolicy(Struct, frozen=True):
    """A place that names a policy-map which the text does not hold, and the device may have.

    `attached` is None where the place is a class of another policy.
    """

    label: str
    policy: str
    attached: Attached | None = None


@derived
def why_not_known(device: Device) -> str | None:
    """Reason why the device may have a definition that the text lacks; None if it cannot.

    A capture of a whole configuration prints `version` and `hostname`; one with neither is `show
    running-config interface …` or the like.
    """
    facts, cut = device.facts, why_cut(device)
    if cut is not None:
        return cut
    if _starts_inside(device):
        return "the text starts inside a section or a line: what stood ahead of it is lost"
    if facts.tree.is_capture and facts.version is None and facts.hostname is None:
        return "the capture holds only a part of the configuration (no `version`, no `hostname`)"
    if _is_of_interfaces(device):
        return "the text holds interfaces alone, as `show running-config interface` prints them"
    hole = _hole(device)
    if hole is not None:
        return f"{hole} belongs into another section: what stood ahead of it is lost"
    return None


def _hole(device: Device) -> Location | None:
    """The first line of a class-map or a policy-map that only a section of another kind has."""
    if not device.facts.unread:
        return None
    modes = {line.number: opens_mode(GLOBAL, line.text) for line in device.facts.tree.commands()}
    tops = sorted(modes)
    for unread in device.facts.unread:
        mode = modes[tops[bisect_right(tops, unread.at.line) - 1]]
        own = any(knows(inner, unread.text) for inner in _CLASS_MODES.get(mode or "", ()))
        if mode in _CLASS_MODES and not own and is_local(unread.text) and unread.doubt is None:
            return unread.at
    return None


def _is_of_interfaces(device: Device) -> bool:
    """Whether a text is of interfaces and the `end` that only a device prints."""
    kinds = [line.words[0] for line in device.facts.tree.commands()]
    return kinds[-1:] == ["end"] and set(kinds[:-1]) == {"interface"}


def _starts_inside(device: Device) -> bool:
    """Whether the head was cut: the first command belongs into a section, or is the end of one."""
    facts = device.facts
    first = next(facts.tree.commands(), None)
    if first is None:
        return False
    if facts.version is None and facts.hostname is None and not knows(GLOBAL, first.text):
        return True  # cut inside a word
    misplaced = (
        problem.number for problem in facts.tree.problems if problem.kind is ProblemKind.MISPLACED
    )
    return first.number in misplaced


def why_part(device: Device) -> str | None:
    """Reason why the text is known to be a part; None where it may be a draft that lacks `end`."""
    only_end = {problem.kind for problem in device.facts.tree.problems if problem.is_cut}
    return None if only_end == {ProblemKind.NO_END} else why_not_known(device)


def why_cut(device: Device) -> str | None:
    """Reason why lines of the configuration are lost; None where none are known to be.

    A cut text may have lost a definition, and a low privilege does not show it.
    """
    for gap in device.gaps:
        if gap.command.startswith(RUNNING_CONFIG):
            return f"the configuration is not whole ({gap.reason}): the definition may be lost"
    for problem in device.facts.tree.problems:
        if problem.is_cut:
            return f"the configuration is cut ({problem.kind.value}): the definition may be lost"
    return None


def why_not_shown(
    device: Device, name: str, heads: tuple[str, ...], defined: Collection[str]
) -> str | None:
    """Reason why a text may lack the definition of a name that the device has.

    `heads` are the commands that define names of its kind, `defined` the names that the text has.
    """
    return (
        why_may_be_defined(device, name, heads)
        or why_not_known(device)
        or why_head_lost(device, name, heads, defined)
    )


def why_head_lost(
    device: Device, name: str, heads: tuple[str, ...], defined: Collection[str]
) -> str | None:
    """Reason why the head of a text that ends as a device prints it is lost, and the name with it.

    IOS prints `version` and `hostname` first, then class-maps and policy-maps, then interfaces.
    Where a text has other sections of the kind, and some line ahead of them, it has them all.
    """
    facts = device.facts
    if facts.version is not None or facts.hostname is not None:
        return None
    commands = [line.text for line in facts.tree.commands()]
    is_behind = any(head.startswith(_BEHIND_INTERFACES) for head in heads)
    if is_behind or commands[-1:] != ["end"]:
        return None
    if defined and (not commands[0].startswith(heads) or near_names(name, defined)):
        return None
    return "the text has an `end`, no `version` and no `hostname`: it lost its head"


def why_may_be_defined(device: Device, name: str, heads: tuple[str, ...]) -> str | None:
    """Reason why the device may define a name that its text does not; None where nothing tells.

    `heads` are the commands that define names of its kind.
    """
    if name in _shown_names(device).get(heads[0], ()):
        return "show policy-map interface counts it: the device defines it in lines not given here"
    if is_masked(name):
        return "redaction masked the name"
    for text in _masked_lines(device):
        if text.startswith(heads) or any(map(partial(_may_be, text), heads)):
            return f"redaction masked `{text}`, which may define it"
    return _unread_heads(device).get(name) or _head_alone(device, heads)


def is_hidden(name: str) -> bool:
    """Whether redaction took a name away: then it may be any."""
    return is_masked(name)


def _may_be(text: str, head: str) -> bool:
    """Whether a masked command of the first level, misspelt, may be one that defines names."""
    doubt = doubt_about(GLOBAL, text)
    shown = text.partition(REMOVED)[0]
    meant = () if doubt is None else (shown.replace(doubt.word, k, 1) for k in doubt.keywords)
    return any(item.startswith(head) or head.startswith(item) for item in meant)


@derived
def _unread_heads(device: Device) -> Mapping[str, str]:
    """Names in lines of the first level that are not understood: they may be defined there."""
    return {
        word: f"line {line.at.line} is not understood, and may define it"
        for line in _unread_lines(device)
        for word in line.text.split()[1:]
    }


def _head_alone(device: Device, heads: tuple[str, ...]) -> str | None:
    """Reason why a name may be defined where a command has lost its name."""
    alone = tuple(head.strip() for head in heads)
    return next(
        (
            f"line {line.at.line} is not understood, and may define it"
            for line in _unread_lines(device)
            if line.text in alone
        ),
        None,
    )


@derived
def _unread_lines(device: Device) -> tuple[Unread, ...]:
    tops = {line.number for line in device.facts.tree.commands()}
    return tuple(line for line in device.facts.unread if line.at.line in tops)


@derived
def _shown_names(device: Device) -> Mapping[str, Collection[str]]:
    """Names of policies and classes that counters of the device show, by what defines them."""
    names: dict[str, set[str]] = {POLICY_MAP: set(), CLASS_MAP: set()}
    waiting: list[ObservedPolicy | ChildPolicy] = list(device.seen.policies)
    while waiting:
        policy = waiting.pop()
        names[POLICY_MAP].add(policy.policy)
        names[CLASS_MAP] |= {queue_class.name for queue_class in policy.classes}
        waiting += [
            queue_class.child for queue_class in policy.classes if queue_class.child is not None
        ]
    return names


@derived
def _masked_lines(device: Device) -> tuple[str, ...]:
    texts = (line.text for line in device.facts.tree.commands())
    return tuple(text for text in texts if is_masked(text))


def is_surely_missing(device: Device, defined: Collection[str]) -> bool:
    """Whether the device lacks a name that is not among `defined`.

    A draft that names no device and defines nothing of the kind may be a part of a config.
    """
    facts = device.facts
    is_named = facts.version is not None or facts.hostname is not None
    return why_not_known(device) is None and (bool(defined) or is_named)


@derived
def unread_policies(device: Device) -> tuple[UnreadPolicy, ...]:
    """Places whose policy is not in the text: what queues there is not known, and not judged."""
    return tuple(_unread(device))


def _unread(device: Device) -> Iterator[UnreadPolicy]:
    facts = device.facts
    defined = {policy.name for policy in facts.policy_maps}
    is_known = is_surely_missing(device, defined)

    def is_unread(name: str) -> bool:
        if name in defined:
            return False
        return not is_known or why_not_shown(device, name, (POLICY_MAP,), defined) is not None

    for attached in attachments(facts):
        if is_unread(attached.attachment.policy):
            yield UnreadPolicy(attached.label, attached.attachment.policy, attached)
    for policy, queue_class in facts.policy_classes:
        if queue_class.child is not None and is_unread(queue_class.child.value):
            label = policy.path_of(queue_class.name)
            yield UnreadPolicy(label, queue_class.child.value)
