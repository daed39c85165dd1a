"""All built-in checks, in one visible table: a new check is a file and a line here."""

from advisor.checks.base import AnyCheck
from advisor.checks.cpu import cpu_over_half
from advisor.checks.lfi import serialization_over_budget
from advisor.checks.llq import (
    priority_share_too_high,
    priority_without_rate,
    reservation_exceeds_link,
)
from advisor.checks.prs import (
    not_ios,
    qos_line_not_understood,
    rejected_command_in_capture,
    truncated_config,
)
from advisor.checks.ref import (
    queueing_policy_on_input,
    undefined_access_list,
    undefined_class_map,
    undefined_policy_map,
)
from advisor.checks.txr import (
    tx_ring_below_platform_minimum,
    tx_ring_residual_over_budget,
    tx_ring_smaller_than_packet,
    tx_ring_too_deep_for_llq,
    tx_ring_without_queueing,
)
from advisor.checks.wrd import wred_inverted, wred_min_not_below_max, wred_min_over_half_max

_ALL: tuple[AnyCheck, ...] = (
    cpu_over_half.CHECK,
    not_ios.CHECK,
    priority_share_too_high.CHECK,
    priority_without_rate.CHECK,
    qos_line_not_understood.CHECK,
    queueing_policy_on_input.CHECK,
    rejected_command_in_capture.CHECK,
    reservation_exceeds_link.CHECK,
    serialization_over_budget.CHECK,
    truncated_config.CHECK,
    tx_ring_below_platform_minimum.CHECK,
    tx_ring_residual_over_budget.CHECK,
    tx_ring_smaller_than_packet.CHECK,
    tx_ring_too_deep_for_llq.CHECK,
    tx_ring_without_queueing.CHECK,
    undefined_access_list.CHECK,
    undefined_class_map.CHECK,
    undefined_policy_map.CHECK,
    wred_inverted.CHECK,
    wred_min_not_below_max.CHECK,
    wred_min_over_half_max.CHECK,
)

CHECKS: dict[str, AnyCheck] = {check.name: check for check in _ALL}
