"""WRED that IOS refuses, that another line voids, or that drops the wrong packets first."""

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.selectable import selectable_by_class
from advisor.ground.quantity import Basis, plain
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import dscp_name
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.wrd import (
    RefusedCombination,
    WredQueue,
    WredSetting,
    described,
    refused_in_class,
    refused_on_interfaces,
    wred_classes,
    wred_queues,
)
from advisor.lint.checks.wrd.decision import Stage, cure_of
from advisor.lint.checks.wrd.steps import (
    CODES_PER_PRECEDENCE,
    Inverted,
    af_rows,
    denominator_of,
    inverted,
    mismatch_of,
    tuned_classes,
)
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.wred_rows import WredRow

# WRED and `queue-limit` in one class before HQF: one of the two is not in force.


class LimitBeside(Struct, frozen=True):
    """The two commands in the order of the text, and a reason to doubt the finding."""

    earlier: str
    later: str
    doubt: str


def find_wred_and_queue_limit(device: Device) -> Found[LimitBeside]:
    """Yield a hit for each class with both, where the generation takes only one."""
    if not device.platform.is_pre_hqf:
        return
    captured = device.facts.tree.is_capture
    for wred_class in wred_classes(device):
        limit = wred_class.policy_class.queue_limit
        if limit is None:
            continue
        commands = [
            (wred_class.wred.at, "random-detect"),
            (limit.at, f"queue-limit {plain(limit.amount)}"),
        ]
        (_, earlier), (_, later) = sorted(commands, key=lambda command: command[0].line)
        doubt = ""
        if captured:
            because = device.platform.because
            doubt = f"; the device printed both: the generation ({because}) may be wrong"
        yield Hit(
            wred_class.label,
            (limit.at, wred_class.wred.at),
            LimitBeside(earlier, later, doubt),
            Confidence.POSSIBLE if captured or device.platform.assumed else Confidence.LIKELY,
        )


# WRED by precedence in a class of DSCPs: AF11, AF12 and AF13 are all precedence 1.


class WrongBasis(Struct, frozen=True):
    """The DSCPs of the class, their precedences, and the setting by DSCP."""

    dscps: str
    precedences: str
    how: str  # "matched" or "marked"
    wred: WredSetting


def find_wred_basis_mismatch(device: Device) -> Found[WrongBasis]:
    """Yield a hit for each class with WRED by precedence whose packets differ by DSCP.

    Where each DSCP has a precedence of its own, no order of drop is lost: `info`.
    """
    selectable = selectable_by_class(device.facts)
    for wred_class in tuned_classes(device):
        mismatch = mismatch_of(wred_class, selectable(wred_class.policy_class.name))
        if mismatch is None:
            continue
        cure = cure_of(device, wred_class)
        precedences = sorted({code // CODES_PER_PRECEDENCE for code in mismatch.codes})
        yield Hit(
            wred_class.label,
            (wred_class.wred.at,),
            WrongBasis(
                dscps=", ".join(dscp_name(code) for code in mismatch.codes),
                precedences=", ".join(map(str, precedences)),
                how=mismatch.how,
                wred=cure.setting,
            ),
            Confidence.CERTAIN,
            severity=None if mismatch.merges else Severity.INFO,
            level=cure.level,
            curable=cure.why_not(Stage.BASIS) is None,
            advice=cure.why_not(Stage.BASIS),
        )


# AF rows in the wrong order: packets marked to be dropped first are dropped last.


class InvertedRows(Struct, frozen=True):
    """The first pair in the wrong order, how many more there are, and the rows put in order."""

    better: str  # "dscp af13 (30 to 60, 1 in 10)"
    worse: str
    rest: str  # "" or "; so are 2 more pairs"
    wred: WredSetting


def _describe(row: WredRow) -> str:
    thresholds = f"{plain(row.min_threshold)} to {plain(row.max_threshold)}{row.unit_words}"
    return f"{described(row)} ({thresholds}, 1 in {denominator_of(row)})"


def _confidence(device: Device, pairs: list[Inverted]) -> Confidence:
    rows = [row for pair in pairs if not pair.crossed for row in (pair.better, pair.worse)]
    if rows and all(row.basis is Basis.CONFIGURED for row in rows):
        return Confidence.CERTAIN
    return Confidence.POSSIBLE if device.platform.doubts_defaults else Confidence.LIKELY


def _places(pairs: list[Inverted]) -> tuple[Location, ...]:
    return tuple(dict.fromkeys(row.at for pair in pairs for row in (pair.better, pair.worse)))


def _judge(device: Device, queue: WredQueue) -> Found[InvertedRows]:
    pairs: list[Inverted] = []
    for rows in af_rows(queue.rows):
        if len({row.unit for row in rows}) > 1:
            labels = ", ".join(row.label for row in rows)
            yield Skip(queue.label, f"thresholds in different units: {labels}")
            continue
        pairs += inverted(rows)
    if not pairs:
        return
    cure = cure_of(device, queue)
    more = len(pairs) - 1
    yield Hit(
        queue.label,
        _places(pairs),
        InvertedRows(
            better=_describe(pairs[0].better),
            worse=_describe(pairs[0].worse),
            rest=f" (and {more} more of the AF rows)" if more else "",
            wred=cure.setting,
        ),
        _confidence(device, pairs),
        level=cure.level,
        curable=cure.why_not(Stage.ORDER) is None,
        advice=cure.why_not(Stage.ORDER),
    )


def find_wred_inverted(device: Device) -> Found[InvertedRows]:
    """Yield a hit for each queue where AFx2 or AFx3 is treated better than a lower drop precedence.

    Better in any of minimum, maximum, denominator; IP precedences have no order of drop.
    """
    for queue in wred_queues(device):
        if isinstance(queue, Skip):
            yield queue
        else:
            yield from _judge(device, queue)


# WRED where IOS refuses the line: the queue then differs from the text.

_CAPTURED = (
    "the device printed this line: see with `show version` which release it runs, and with "
    "`show policy-map interface` whether WRED is in force"
)


class RefusedWred(Struct, frozen=True):
    """The refused combination, the IOS that refuses it, and a reason to doubt the finding."""

    combination: str
    generation: str
    doubt: str


def find_wred_refused_combination(device: Device) -> Found[RefusedWred]:
    """Yield a hit for each class or interface with WRED that its generation of IOS refuses.

    A capture proves that IOS took the line: there the hit is `possible`.
    """
    for policy, policy_class in device.facts.policy_classes:
        refused = refused_in_class(device, policy_class)
        if refused is not None:
            yield _hit(device, policy.path_of(policy_class.name), refused)
    for label, refused in refused_on_interfaces(device):
        yield _hit(device, label, refused)


def _hit(device: Device, label: str, refused: RefusedCombination) -> Hit[RefusedWred]:
    captured, platform = device.facts.tree.is_capture, device.platform
    unsure = captured or (platform.assumed and not refused.always)
    generation = (
        "every generation" if refused.always else f"{platform.generation} ({platform.because})"
    )
    doubt = ", yet the device printed this line" if captured else ""
    if captured and not refused.always:
        doubt += ": the generation assumed may be wrong"
    return Hit(
        label,
        refused.at,
        RefusedWred(refused.combination, generation, doubt),
        Confidence.POSSIBLE if unsure else Confidence.CERTAIN,
        curable=False,
        advice=_CAPTURED if captured else refused.advice,
        refused=refused.lines,
    )
