"""A minimum threshold at or over the maximum: no packet is ever dropped early."""

from collections.abc import Iterator

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.wrd.shared.rows import wred_queues
from advisor.lint.checks.wrd.shared.thresholds import Evidence, hit_for_rows
from advisor.lint.findings import Confidence


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class or interface with rows whose minimum is not under the maximum."""
    del params
    for queue in wred_queues(device):
        if isinstance(queue, Skip):
            yield queue
            continue
        rows = tuple(row for row in queue.rows if row.min_threshold >= row.max_threshold)
        if rows:
            yield hit_for_rows(device, queue, rows, Confidence.CERTAIN)


CHECK = Check(NoParams, Evidence, find)
