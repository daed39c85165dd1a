"""A maximum threshold over the queue-limit: the queue is full before WRED would drop all."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import QueueLimit, Unit
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.wrd.shared.cure import Stage
from advisor.lint.checks.wrd.shared.decision import cure_of
from advisor.lint.checks.wrd.shared.rows import WredClass, described, wred_classes
from advisor.lint.checks.wrd.shared.setting import WredSetting
from advisor.lint.findings import Confidence
from advisor.outlet.wred_rows import WredRow
from advisor.quantity import Basis, plain


class Evidence(Struct, frozen=True):
    """The row, the limit that comes first, and the limit that leaves room for the row."""

    row: str
    max_threshold: str
    limit: str  # "64 packets by default"
    generation: str
    room: str  # "; 120 packets leaves room", empty where the thresholds come down instead
    rest: str
    wred: WredSetting


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each WRED class of HQF or IOS XE with rows that end over the queue-limit.

    Before HQF the default queue-limit does not apply with WRED, and a class has one of the two.
    """
    del params
    if device.platform.is_pre_hqf:
        return
    for wred_class in wred_classes(device):
        limit = wred_class.policy_class.queue_limit
        default_packets = wred_class.default_limit_packets
        if limit is None and default_packets is None:
            yield Skip(wred_class.label, wred_class.limit.source)
            continue
        amount, unit = (limit.amount, limit.unit) if limit else (default_packets or 0.0, None)
        unit = unit or Unit.PACKETS
        rows_over = [
            row for row in wred_class.rows if row.unit is unit and row.max_threshold > amount
        ]
        labels = [row.label for row in wred_class.rows if row.unit is not unit]
        if rows_over:
            yield _hit(device, wred_class, limit, rows_over)
        elif labels:
            words = ", ".join(labels)
            yield Skip(wred_class.label, f"{words}: not in the unit of the queue-limit, {unit}")


def _hit(
    device: Device, wred_class: WredClass, limit: QueueLimit | None, rows: list[WredRow]
) -> Hit[Evidence]:
    top = max(rows, key=lambda row: row.max_threshold)
    cure = cure_of(device, wred_class)
    advised = "" if cure.setting.removes else cure.setting.queue_limit
    words = f"{plain(wred_class.default_limit_packets or 0.0)} packets by default"
    if limit is not None:
        words = f"{plain(limit.amount)} {limit.unit}"
    return Hit(
        wred_class.label,
        (*dict.fromkeys(row.at for row in rows), *((limit.at,) if limit is not None else ())),
        Evidence(
            row=described(top),
            max_threshold=plain(top.max_threshold),
            limit=words,
            generation=device.platform.software,
            room=f"; {advised} leaves room" if advised else "",
            rest=f", and {len(rows) - 1} more" if len(rows) > 1 else "",
            wred=cure.setting,
        ),
        _confidence(limit, rows),
        level=cure.level,
        curable=cure.why_not(Stage.LIMIT) is None,
        advice=cure.why_not(Stage.LIMIT),
    )


def _confidence(limit: QueueLimit | None, rows: list[WredRow]) -> Confidence:
    if any(row.basis is Basis.ASSUMED for row in rows):
        return Confidence.POSSIBLE
    configured = limit is not None and all(row.basis is Basis.CONFIGURED for row in rows)
    return Confidence.CERTAIN if configured else Confidence.LIKELY


CHECK = Check(NoParams, Evidence, find)
