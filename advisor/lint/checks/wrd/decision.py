"""One decision on the WRED of a queue: what all findings on it are cured with."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.matched_packets import packets_of_classes
from advisor.facts.policy import Unit
from advisor.facts.selectable import selectable_by_class
from advisor.ground.quantity import Basis, plain
from advisor.ground.questions import derived
from advisor.lint.checks.base import Skip
from advisor.lint.checks.wrd import (
    RowSetting,
    WredClass,
    WredQueue,
    WredSetting,
    row_setting,
    why_order_changes,
    wred_queues,
)
from advisor.lint.checks.wrd.steps import (
    LARGEST_PACKETS,
    MET_FACTOR,
    MOST_MS,
    TARGET_MS,
    advised_exponent,
    in_order,
    is_off,
    is_over_half,
    is_too_small,
    kinds_of,
    mismatch_of,
    moved,
    shortest_wred,
    spread_by_drop,
    third,
    time_constant,
    with_thirds,
)
from advisor.lint.findings import Level
from advisor.outlet.class_service import ClassService, class_services, outlet_of_unknown_rate
from advisor.outlet.outlet import Outlet
from advisor.outlet.wred_rows import WredRow
from advisor.settings import Budgets

# A decision on the WRED of a queue, and what a finding needs of it.


class Stage(StrEnum):
    """A part of the decision, and so what a finding needs of it."""

    BASIS = "basis"
    ORDER = "order"
    HALVES = "halves"
    TARGET = "target"
    SPREAD = "spread"
    WEIGHT = "weight"
    LIMIT = "limit"


class Cure(Struct, frozen=True):
    """A decision: the setting, the rows after it, and the stages that could not be done."""

    setting: WredSetting
    rows: tuple[WredRow, ...]
    failed: Mapping[Stage, str]
    level: Level | None = None

    def why_not(self, stage: Stage) -> str | None:
        """Why a finding that needs this stage has no lines; None where it has."""
        if self.setting.removes:
            return None
        if stage in self.failed:
            return self.failed[stage]
        return None if self.setting.changes else "the rows are right: see advisor explain"


# It goes from the rows in force through one stage after the other: basis, order of drop, minima,
# target delay, denominators; then weight and queue-limit follow from the rows. A stage that
# cannot be done leaves the rows as they are, and says why to the findings that need it: a class
# too slow for WRED at the target delay keeps its thresholds, in order. WRED goes only where the
# packets do not slow down after a loss.

_MOST_UNNAMED: Final = 8  # rows of codes that the match does not name: those of a precedence
_ROOM: Final = 2  # queue-limit over the maximum: a burst is longer than the average
_MANY_LINES = "a line sets the rows of several codes at once: enter it again with these thresholds"
_DELAY_FIRST = (
    "mend WRD001 first: no thresholds bring this class to the target delay, and a third of "
    "a maximum that is off leaves the queue as long"
)
_NO_THIRD = "Raise the maximum threshold, then set the minimum to a third of it"


class _DecisionDraft(Struct):
    """A decision while it is made; each row with the one that it was.

    `unknown` is an output where the class has a rate that is not known: no row is chosen by the
    rates of the others.
    """

    queue: WredQueue
    services: tuple[ClassService, ...]
    rows: tuple[WredRow, ...]
    origin: dict[WredRow, WredRow]
    failed: dict[Stage, str]
    unknown: Outlet | None = None
    by_dscp: bool = False
    is_moved: bool = False

    def take(self, stage: Stage, rows: Sequence[WredRow]) -> bool:
        """Take new rows if the order of drop holds; the stage fails otherwise."""
        if tuple(rows) == self.rows:
            return False
        pairs = list(zip(self.rows, rows, strict=True))
        changed = [(old, new) for old, new in pairs if old != new]
        if not self.queue.have_own_lines(row for row, _ in changed):
            self.failed[stage] = _MANY_LINES
            return False
        why_not = self.why_order_changes(changed) if stage is not Stage.ORDER else None
        if why_not is not None:
            self.failed[stage] = why_not
            return False
        self.origin = {new: self.origin[old] for old, new in pairs}
        self.rows = tuple(rows)
        return True

    def why_order_changes(self, moves: Sequence[tuple[WredRow, WredRow]]) -> str | None:
        """Why moves of the rows as they stand now would change the order of the drops."""
        unnamed = tuple(row for row in self.queue.unnamed if row not in self.rows)
        return why_order_changes(replace(self.queue, rows=self.rows, unnamed=unnamed), moves)


def cure_of(device: Device, queue: WredQueue) -> Cure:
    """The decision on a queue, made once for all findings on it."""
    return _cures(device)[queue.label]


@derived
def _cures(device: Device) -> dict[str, Cure]:
    return {
        queue.label: _decided(device, queue)
        for queue in wred_queues(device)
        if not isinstance(queue, Skip)
    }


def _decided(device: Device, queue: WredQueue) -> Cure:
    if not isinstance(queue, WredClass):
        draft = _DecisionDraft(queue, (), queue.rows, {row: row for row in queue.rows}, {})
        _order_and_halve(draft)
        return _cure(device, draft, WredSetting(queue.place, rows=_changed(draft)))
    if not queue.policy_class.is_default:
        matched = packets_of_classes(device.facts).of(queue.policy_class.name)
        if kinds_of(matched):
            return Cure(WredSetting(queue.place, removes=True), (), {})
    services = class_services(device, queue.policy, queue.policy_class)
    unknown = outlet_of_unknown_rate(device, queue.policy, queue.policy_class)
    mismatch = mismatch_of(queue, selectable_by_class(device.facts)(queue.policy_class.name))
    by_dscp: tuple[WredRow, ...] = ()
    if mismatch is not None and mismatch.why_not is None:  # these rows will stand in lines
        by_dscp = tuple(replace(row, basis=Basis.CONFIGURED) for row in mismatch.rows)
    rows = by_dscp or queue.rows
    draft = _DecisionDraft(
        queue, services, rows, {row: row for row in rows}, {}, unknown, bool(by_dscp)
    )
    if mismatch is not None and mismatch.why_not is not None:
        draft.failed[Stage.BASIS] = mismatch.why_not
    _order_and_halve(draft)
    _to_target(draft)
    _leave_off_target(draft)
    _spread(draft)
    return _finished(device, queue, draft, by_dscp=bool(by_dscp))


def _order_and_halve(draft: _DecisionDraft) -> None:
    draft.take(Stage.ORDER, in_order(draft.rows))
    wrong = [row for row in draft.rows if is_over_half(row)]
    if any(third(row) is None for row in wrong):
        draft.failed[Stage.HALVES] = _NO_THIRD
    elif wrong:
        draft.take(Stage.HALVES, with_thirds(draft.rows))


def _to_target(draft: _DecisionDraft) -> None:
    """Move rows to the target delay where the class has room for WRED in it."""
    services = draft.services
    is_any_off = any(is_off(row, services) for row in draft.rows)
    if not services or not (is_any_off or any(_has_no_room(draft, row) for row in draft.rows)):
        return
    why_not = _why_no_target(draft)
    if why_not is None:
        some = _moved(draft, services[0])
        in_packets = [row.max_threshold for row in some if row.unit is Unit.PACKETS]
        if max(in_packets, default=0) > LARGEST_PACKETS:
            why_not = (
                f"more than {LARGEST_PACKETS} packets: give thresholds in ms where IOS has them"
            )
        elif not _is_told_apart(draft.rows, some):
            why_not = "so few whole packets cannot tell the rows apart: raise the rate of the class"
        else:
            draft.is_moved = draft.take(Stage.TARGET, some)
    if why_not is not None and is_any_off:
        draft.failed[Stage.TARGET] = why_not
    if draft.is_moved:
        draft.failed.pop(Stage.HALVES, None)  # the moved rows have minima under half


def _leave_off_target(draft: _DecisionDraft) -> None:
    """Take the thirds back where no thresholds bring a row to the target: its delay comes first.

    A minimum that is not under its maximum is mended all the same.
    """
    before = [draft.origin[row] for row in draft.rows]
    left = {
        row: replace(row, min_threshold=old.min_threshold)
        for row, old in zip(draft.rows, before, strict=True)
        if row.min_threshold < old.min_threshold < old.max_threshold == row.max_threshold
        and is_off(old, draft.services)
    }
    if Stage.TARGET in draft.failed and left:
        draft.take(Stage.HALVES, [left.get(row, row) for row in draft.rows])
        draft.failed[Stage.HALVES] = _DELAY_FIRST


def _has_no_room(draft: _DecisionDraft, row: WredRow) -> bool:
    """Whether a row that is entered anew has fewer packets than WRED needs."""
    is_entered = draft.by_dscp or draft.origin[row] != row
    return is_entered and is_too_small(row, draft.services[0])


def _why_no_target(draft: _DecisionDraft) -> str | None:
    """Why no thresholds bring the class to the target delay at all its outputs."""
    if draft.unknown is not None:
        return (
            f"the rate of the class at {draft.unknown.label} is not known, and a policy has one "
            "row for all its outputs: state the rate there, or give that output a policy of its own"
        )
    if len({service.rate.value for service in draft.services}) > 1:
        return "the policy has another rate at each output: give each a policy of its own"
    packets, shortest = shortest_wred(draft.services[0])
    if shortest.value > MET_FACTOR * TARGET_MS:
        return (
            f"WRED needs {packets} packets, which take {shortest.span} ms here: the class is too "
            f"slow for {plain(TARGET_MS)} ms of queue; raise its rate, or take full-size packets "
            "out of it"
        )
    return None


def _moved(draft: _DecisionDraft, service: ClassService) -> tuple[WredRow, ...]:
    """All rows with those off the target moved; all of them where their order needs it."""
    wrong = tuple(
        row for row in draft.rows if is_off(row, draft.services) or _has_no_room(draft, row)
    )
    by_row = dict(zip(wrong, moved(wrong, service), strict=True))
    some = tuple(by_row.get(row, row) for row in draft.rows)
    if draft.why_order_changes(list(by_row.items())) is not None:
        _add_unnamed(draft)
        some = moved(draft.rows, service)
    if not _is_told_apart(draft.rows, some):
        return spread_by_drop(some) or some
    return some


def _is_told_apart(rows: Sequence[WredRow], after: Sequence[WredRow]) -> bool:
    """Whether rows that differed still do, which small whole numbers may not let them."""
    return all(
        _values(one) == _values(other) or _values(now) != _values(beside)
        for (one, now), (other, beside) in combinations(zip(rows, after, strict=True), 2)
    )


def _values(row: WredRow) -> tuple[float, float, int | None]:
    return row.min_threshold, row.max_threshold, row.denominator


def _add_unnamed(draft: _DecisionDraft) -> None:
    """Take in the rows of codes that only the match allows: they must move with the others."""
    unnamed = draft.queue.unnamed
    if 0 < len(unnamed) <= _MOST_UNNAMED:
        draft.rows = (*draft.rows, *unnamed)
        draft.origin |= {row: row for row in unnamed}


def _are_alike(rows: Sequence[WredRow]) -> bool:
    """Whether the rows treat all packets alike, as small whole numbers may make them."""
    return len(set(map(_values, rows))) == 1


def _spread(draft: _DecisionDraft) -> None:
    """Tell equal rows apart by their denominators."""
    if len(draft.rows) > 1 and _are_alike(draft.rows):
        rows = spread_by_drop(draft.rows)
        if rows is not None:
            draft.take(Stage.SPREAD, rows)
        else:
            draft.failed[Stage.SPREAD] = (
                "Keep the thresholds, and give the packets to drop first the smaller denominator"
            )


def _finished(device: Device, queue: WredClass, draft: _DecisionDraft, *, by_dscp: bool) -> Cure:
    exponent = _exponent(device, queue, draft)
    setting = WredSetting(
        queue.place,
        basis="dscp-based" if by_dscp else "",
        ecn=by_dscp and queue.wred.ecn is not None and queue.wred.ecn.value,
        queue_limit=_queue_limit(device, queue, draft),
        rows=tuple(map(row_setting, draft.rows)) if by_dscp else _changed(draft),
        exponent="" if exponent is None else str(exponent),
    )
    if by_dscp and exponent is None and queue.wred.exponent is not None:
        setting = replace(setting, exponent=str(queue.wred.exponent.value))
    return _cure(device, draft, setting)


def _changed(draft: _DecisionDraft) -> tuple[RowSetting, ...]:
    return tuple(row_setting(row) for row in draft.rows if draft.origin[row] != row)


def _exponent(device: Device, queue: WredClass, draft: _DecisionDraft) -> int | None:
    """The weight where it has to change: with moved rows, or where the present one is wrong."""
    services = draft.services
    if not services or queue.exponent is None:
        return None
    service = services[0]
    delays = (service.queue_ms(row.max_threshold, row.unit).value for row in draft.rows)
    queue_ms = max(delays, default=0.0)
    otherwise_ms = Budgets().rtt_ms if draft.is_moved else None
    advised = advised_exponent(device, service, queue.policy_class, queue_ms, otherwise_ms)
    is_one_rate = draft.unknown is None and len({item.rate.value for item in services}) == 1
    if advised is None or advised == queue.exponent or not is_one_rate:
        draft.failed[Stage.WEIGHT] = ""
        return None
    now = time_constant(service, queue.exponent)
    is_wrong = now.low > MOST_MS or queue.exponent < advised
    return advised if draft.is_moved or is_wrong else None


def _queue_limit(device: Device, queue: WredClass, draft: _DecisionDraft) -> str:
    """The `queue-limit` that prevents earlier tail drop; before HQF there is none.

    None either where a maximum off the target stays: a limit of twice that delay is no cure.
    """
    stated = queue.policy_class.queue_limit
    if device.platform.is_pre_hqf:
        return ""
    if Stage.TARGET in draft.failed:
        reason = draft.failed[Stage.TARGET]
        draft.failed[Stage.LIMIT] = f"bring the thresholds to the target delay first: {reason}"
        return ""
    unit = stated.unit if stated is not None else Unit.PACKETS
    tops = [row.max_threshold for row in draft.rows if row.unit is unit]
    top = max(tops, default=0.0)
    limit = stated.amount if stated is not None else queue.default_limit_packets
    if limit is None or top <= limit:
        return ""
    return f"{plain(_ROOM * top)} {unit}"


def _cure(device: Device, draft: _DecisionDraft, setting: WredSetting) -> Cure:
    return Cure(setting, draft.rows, draft.failed, level=_level(device, draft))


def _level(device: Device, draft: _DecisionDraft) -> Level | None:
    """A window where nothing is known of the flows: their drops are then not predicted."""
    queue = draft.queue
    name = queue.policy_class.name if isinstance(queue, WredClass) else None
    is_known = any(
        traffic.tcp is not None and traffic.class_name == name for traffic in device.traffic
    )
    return Level.NEEDS_WINDOW if draft.is_moved and not is_known else None
