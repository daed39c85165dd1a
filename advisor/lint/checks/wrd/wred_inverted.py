"""AF rows in the wrong order: packets marked to be dropped first are dropped last."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import Unit
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.wrd.shared.af_order import Inverted, af_rows, denominator_of, inverted
from advisor.lint.checks.wrd.shared.cure import Stage
from advisor.lint.checks.wrd.shared.decision import cure_of
from advisor.lint.checks.wrd.shared.rows import WredQueue, described, wred_queues
from advisor.lint.checks.wrd.shared.setting import WredSetting
from advisor.lint.findings import Confidence
from advisor.outlet.wred_rows import WredRow
from advisor.quantity import Basis, plain


class Evidence(Struct, frozen=True):
    """The first pair in the wrong order, how many more there are, and the rows put in order."""

    better: str  # "dscp af13 (30 to 60, 1 in 10)"
    worse: str
    rest: str  # "" or "; so are 2 more pairs"
    wred: WredSetting


def _describe(row: WredRow) -> str:
    unit = "" if row.unit is Unit.PACKETS else f" {row.unit}"
    thresholds = f"{plain(row.min_threshold)} to {plain(row.max_threshold)}{unit}"
    return f"{described(row)} ({thresholds}, 1 in {denominator_of(row)})"


def _confidence(device: Device, pairs: list[Inverted]) -> Confidence:
    rows = [row for pair in pairs if not pair.crossed for row in (pair.better, pair.worse)]
    if rows and all(row.basis is Basis.CONFIGURED for row in rows):
        return Confidence.CERTAIN
    return Confidence.POSSIBLE if device.platform.doubts_defaults else Confidence.LIKELY


def _places(pairs: list[Inverted]) -> tuple[Location, ...]:
    return tuple(dict.fromkeys(row.at for pair in pairs for row in (pair.better, pair.worse)))


def _judge(device: Device, queue: WredQueue) -> Iterator[Hit[Evidence] | Skip]:
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
        Evidence(
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


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each queue where AFx2 or AFx3 is treated better than a lower drop precedence.

    Better in any of minimum, maximum, denominator; IP precedences have no order of drop.
    """
    del params
    for queue in wred_queues(device):
        if isinstance(queue, Skip):
            yield queue
        else:
            yield from _judge(device, queue)


CHECK = Check(NoParams, Evidence, find)
