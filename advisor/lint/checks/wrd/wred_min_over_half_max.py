"""A minimum threshold too near to the maximum: early drops come late and all at once."""

from collections.abc import Iterator

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.wrd.shared.rows import wred_queues
from advisor.lint.checks.wrd.shared.thresholds import Evidence, hit_for_rows
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.wred_rows import WredRow
from advisor.quantity import Basis


def _over_half(row: WredRow) -> bool:
    return row.max_threshold / 2 <= row.min_threshold < row.max_threshold


def _confidence(device: Device, rows: tuple[WredRow, ...]) -> Confidence:
    if any(row.basis is Basis.CONFIGURED for row in rows):
        return Confidence.CERTAIN
    is_sourced = all(row.basis is Basis.DEFAULT for row in rows)
    is_sourced = is_sourced and not device.platform.doubts_defaults
    return Confidence.LIKELY if is_sourced else Confidence.POSSIBLE


def _severity(rows: tuple[WredRow, ...]) -> Severity | None:
    """Only information where IOS chose all the rows itself."""
    chosen = all(row.basis is not Basis.CONFIGURED for row in rows)
    return Severity.INFO if chosen else None


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each queue with rows whose minimum is half of the maximum or more.

    IOS's own rows count where no row is configured, or where the match names their code. A
    minimum that is not under the maximum is left to wred-min-not-below-max.
    """
    del params
    for queue in wred_queues(device):
        if isinstance(queue, Skip):
            yield queue
            continue
        rows = tuple(row for row in queue.rows if _over_half(row))
        if rows:
            yield hit_for_rows(device, queue, rows, _confidence(device, rows), _severity(rows))
        if queue.unknown:
            unknown = ", ".join(queue.unknown)
            generation = device.platform.software
            yield Skip(queue.label, f"default thresholds of {unknown} not known for {generation}")


CHECK = Check(NoParams, Evidence, find)
