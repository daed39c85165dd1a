"""All built-in checks, in one visible table: a new check is a file and a line here."""

from advisor.checks.base import AnyCheck
from advisor.checks.lfi import serialization_over_budget
from advisor.checks.llq import (
    priority_share_too_high,
    priority_without_rate,
    reservation_exceeds_link,
)
from advisor.checks.ref import undefined_policy_map
from advisor.checks.txr import (
    tx_ring_below_platform_minimum,
    tx_ring_residual_over_budget,
    tx_ring_smaller_than_packet,
    tx_ring_too_deep_for_llq,
    tx_ring_without_queueing,
)

_ALL: tuple[AnyCheck, ...] = (
    priority_share_too_high.CHECK,
    priority_without_rate.CHECK,
    reservation_exceeds_link.CHECK,
    serialization_over_budget.CHECK,
    tx_ring_below_platform_minimum.CHECK,
    tx_ring_residual_over_budget.CHECK,
    tx_ring_smaller_than_packet.CHECK,
    tx_ring_too_deep_for_llq.CHECK,
    tx_ring_without_queueing.CHECK,
    undefined_policy_map.CHECK,
)

CHECKS: dict[str, AnyCheck] = {check.name: check for check in _ALL}
