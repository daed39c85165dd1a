"""`policy-map` sections to PolicyMap; policy-maps with a `type` belong to other features."""

from functools import partial
from typing import Final

from msgspec import Struct, field
from msgspec.structs import asdict

from advisor.facts import Stated, ranges
from advisor.facts.policy import (
    CLASS_DEFAULT,
    USER_DEFINED,
    Bandwidth,
    ClassLines,
    Fragment,
    PolicyClass,
    PolicyMap,
    Priority,
    QueueLimit,
    Shape,
    Unit,
)
from advisor.facts.read_actions import (
    WredDraft,
    read_police,
    read_random_detect,
    with_police_action,
)
from advisor.facts.read_words import (
    GrammarError,
    Ledger,
    Words,
    read_typed,
    readers_of,
    whole_number,
)
from advisor.ios.syntax import Line, Location

_QUEUE_UNITS: Final = {"packets": Unit.PACKETS, "bytes": Unit.BYTES, "ms": Unit.MS}
_QUEUE_LIMITS: Final = {
    "packets": ranges.QUEUE_LIMIT_PACKETS,
    "bytes": ranges.QUEUE_LIMIT_BYTES,
    "ms": ranges.QUEUE_LIMIT_MS,
}
_SET_WORDS: Final = (
    "dscp precedence cos cos-inner qos-group discard-class atm-clp fr-de fr-fecn-becn mpls "
    "tos vlan dscp-transmit traffic-class"
)
_SETS: Final = frozenset(_SET_WORDS.split())


class ClassDraft(ClassLines):
    """A class of a policy-map while its lines are read."""

    wred: WredDraft | None = None
    sets: dict[str, Stated[str]] = field(default_factory=dict)

    def freeze(self) -> PolicyClass:
        wred = self.wred.freeze() if self.wred else None
        return PolicyClass(**asdict(self) | {"wred": wred, "sets": tuple(self.sets.values())})


class PolicyDraft(Struct):
    """A policy-map while its sections are read."""

    name: str
    at: Location
    classes: dict[str, ClassDraft] = field(default_factory=dict)

    def open(self, name: str, at: Location, before: str | None) -> ClassDraft:
        """Class of that name; a new one goes to the end, or before another."""
        draft = self.classes.get(name)
        if draft is None:
            draft = self.classes[name] = ClassDraft(name, at)
            if before is not None and before in self.classes:
                names = [class_name for class_name in self.classes if class_name != name]
                names.insert(names.index(before), name)
                self.classes = {class_name: self.classes[class_name] for class_name in names}
        return draft

    def freeze(self) -> PolicyMap:
        # IOS evaluates class-default last and prints it so, wherever it was entered.
        ordered = sorted(self.classes.values(), key=lambda draft: draft.name == CLASS_DEFAULT)
        return PolicyMap(self.name, tuple(draft.freeze() for draft in ordered), self.at)


def read_policy_map(line: Line, policies: dict[str, PolicyDraft], ledger: Ledger) -> None:
    """Read one `policy-map` section into `policies`; a second section of the name adds to it."""
    if read_typed(line, "", ledger):
        return
    draft = ledger.read(line, "", partial(_read_head, policies))
    if draft is not None:
        for child in line.commands():
            _read_member(draft, child, ledger)


def _read_head(policies: dict[str, PolicyDraft], words: Words) -> PolicyDraft:
    words.take()
    name = " ".join((words.take(), *words.rest()))
    return policies.setdefault(name, PolicyDraft(name, words.at))


def _read_member(policy: PolicyDraft, line: Line, ledger: Ledger) -> None:
    draft = ledger.read(line, f"policy-map {policy.name}", partial(_read_class, policy))
    if draft is not None:
        under = f"policy-map {policy.name} > class {draft.name}"
        for child in line.commands():
            _read_action(draft, child, under, ledger)


def _read_class(policy: PolicyDraft, words: Words) -> ClassDraft | None:
    """Open a class; None if the line opens none."""
    if words.expect("class", "description", "exit") != "class":
        words.rest()
        return None
    name = words.take()
    if name == "<removed>":
        raise GrammarError("its name was masked: two such classes would be one")
    before = words.take() if words.accept("insert-before") else None
    kind = words.accept("fragment", "service-fragment")
    fragment = Fragment(kind, words.take(), words.at) if kind is not None else None
    words.end()
    if words.negated:
        policy.classes.pop(name, None)
        return None
    draft = policy.open(name, words.at, before)
    draft.fragment = fragment or draft.fragment
    return draft


def _read_action(draft: ClassDraft, line: Line, under: str, ledger: Ledger) -> None:
    ledger.read(line, under, partial(_read_setting, draft))
    for child in line.commands():
        ledger.read(child, f"{under} > {line.text}", partial(_read_submode, draft))


def _read_setting(draft: ClassDraft, words: Words) -> None:
    action = _ACTIONS.get(words.take().lower())
    if action is None:
        raise GrammarError(words.line.text)
    action(draft, words)


def _read_submode(draft: ClassDraft, words: Words) -> None:
    """Read a line under `police`, the only action with a mode of its own."""
    if draft.police is None:
        raise GrammarError("no policer is open")
    if words.accept("exit", "conform-color"):
        words.rest()
        return
    draft.police = with_police_action(draft.police, words)


def priority(draft: ClassDraft, words: Words) -> None:
    if words.negated:
        draft.priority = None
        return
    level = words.within(ranges.PRIORITY_LEVEL) if words.accept("level") else None
    unit, amount, burst = Unit.STRICT, None, None
    if words.peek() is not None:
        unit = Unit.PERCENT if words.accept("percent") else Unit.KBPS
        amount = words.decimal(ranges.PERCENT if unit is Unit.PERCENT else ranges.CLASS_KBPS)
        burst = words.maybe_within(ranges.PRIORITY_BURST_BYTES)
    words.end()
    draft.priority = Priority(unit, amount, burst, level, words.at)


def bandwidth(draft: ClassDraft, words: Words) -> None:
    if words.negated:
        draft.bandwidth = None
        return
    if words.accept("remaining"):
        kind = words.expect("percent", "ratio")
        unit = Unit.REMAINING_PERCENT if kind == "percent" else Unit.REMAINING_RATIO
    else:
        unit = Unit.PERCENT if words.accept("percent") else Unit.KBPS
    takes = {Unit.KBPS: ranges.CLASS_KBPS, Unit.REMAINING_RATIO: ranges.REMAINING_RATIO}.get(
        unit, ranges.PERCENT
    )
    amount = words.decimal(takes)
    _account(words)  # the same as of the shaper around it: IOS takes no other
    draft.bandwidth = Bandwidth(unit, amount, words.at)


def _account(words: Words) -> str | None:
    """Read `account qinq aal5 snap`, `account user-defined 28`: overhead that other links add."""
    is_stated = words.accept("account")
    stated = words.rest() if is_stated else ()
    words.end()
    if stated[:1] == (USER_DEFINED,):
        whole_number("".join(stated[1:2]).removeprefix("-"), 0, ranges.ACCOUNT_BYTES.high)
    return " ".join(stated).lower() or None


def shape(draft: ClassDraft, words: Words) -> None:
    if words.accept("max-buffers", "adaptive", "fecn-adapt", "fr-voice-adapt"):
        words.rest()
        return
    if words.negated:
        draft.shape = None
        return
    mode = words.expect("average", "peak")
    if not words.accept("percent"):
        rate_bps = words.rate_bps()
        bc_bits = words.maybe_within(ranges.SHAPE_BURST_BITS) or None  # 0 is no Bc: IOS chooses
        be_bits = words.maybe_within(ranges.SHAPE_BURST_BITS)
        account = _account(words)
        draft.shape = Shape(mode, rate_bps, None, bc_bits, be_bits, words.at, account=account)
        return
    percent = words.decimal(ranges.PERCENT)
    bc_ms, be_ms = _burst_ms(words) or None, _burst_ms(words)
    draft.shape = Shape(mode, None, percent, None, None, words.at, bc_ms, be_ms, _account(words))


def _burst_ms(words: Words) -> float | None:
    burst_ms = words.maybe_within(ranges.BURST_MS)
    if burst_ms is not None:
        words.accept("ms")
    return burst_ms


def police(draft: ClassDraft, words: Words) -> None:
    draft.police = None if words.negated else read_police(words)


def queue_limit(draft: ClassDraft, words: Words) -> None:
    if words.negated:
        draft.queue_limit = None
        return
    at = words.position
    words.take()
    stated = words.accept(*_QUEUE_UNITS)
    unit = stated or "packets"
    words.end()
    words.position = at
    amount = words.within(_QUEUE_LIMITS[unit])
    words.rest()
    draft.queue_limit = QueueLimit(amount, _QUEUE_UNITS[unit], words.at, stated is not None)


def fair_queue(draft: ClassDraft, words: Words) -> None:
    limit = words.accept("queue-limit", "individual-limit", "aggregate-limit")
    takes = ranges.QUEUE_LIMIT_PACKETS if limit else ranges.DYNAMIC_QUEUES
    is_needed = limit is not None and not words.negated
    number = words.within(takes) if is_needed else words.maybe_within(takes)
    words.end()
    draft.fair_queue = None if words.negated else Stated(value=True, at=words.at)
    if not limit:
        draft.dynamic_queues = (
            Stated(number, words.at) if number is not None and not words.negated else None
        )


def random_detect(draft: ClassDraft, words: Words) -> None:
    draft.wred = read_random_detect(draft.wred, words)


def mark(draft: ClassDraft, words: Words) -> None:
    words.accept("ip")
    value = words.rest()
    if not value or value[0] not in _SETS:
        raise GrammarError("set")
    if words.negated:
        draft.sets.pop(value[0], None)
    else:
        draft.sets[value[0]] = Stated(" ".join(value), words.at)


def service_policy(draft: ClassDraft, words: Words) -> None:
    if words.negated:
        draft.child = None
        return
    name = words.take()
    # Old trains also print a direction here; a policy may itself be called "output".
    if name in ("input", "output") and words.peek() is not None:
        name = words.take()
    words.end()
    draft.child = Stated(name, words.at)


def drop(draft: ClassDraft, words: Words) -> None:
    words.end()
    draft.drops = not words.negated


def compression(draft: ClassDraft, words: Words) -> None:
    """`compression header ip [rtp|tcp]`; without a protocol, of both."""
    if words.rest()[:3] != ("header", "ip", "tcp"):
        draft.compresses_rtp = not words.negated


_ACTIONS: Final = readers_of("policy-class")
