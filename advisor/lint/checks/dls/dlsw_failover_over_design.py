"""More CPU after a failover than the design rule allows for DLSw+."""

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
    """Yield one hit for a head end that is then over the design rule but under its capacity.

    An estimate that is over the capacity and may be under the design rule does not hide two
    measured loads that are over the rule together.
    """
    failovers = failovers_of(device)
    if isinstance(failovers, Skip):
        yield failovers
        return
    for failover in surest_first(failovers, params)[:1]:
        if params.design_percent < failover.after.value < FULL_PERCENT:
            yield from hits(failover, params, params.design_percent)


CHECK = Check(Params, Evidence, find, object_kind=ObjectKind.NAME)
