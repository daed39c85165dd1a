"""After a failover more frames than the CPU can carry: sessions are lost."""

from collections.abc import Iterator

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.dls.shared.failover import (
    FULL_PERCENT,
    Evidence,
    Params,
    failovers_of,
    hits,
    surest_first,
)
from advisor.lint.findings import ObjectKind


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield one hit for a head end that cannot carry the load of both."""
    failovers = failovers_of(device)
    if isinstance(failovers, Skip):
        yield failovers
        return
    full = (each for each in failovers if each.after.value >= FULL_PERCENT)
    for failover in surest_first(full, params)[:1]:
        yield from hits(failover, params, FULL_PERCENT)


CHECK = Check(Params, Evidence, find, object_kind=ObjectKind.NAME)
