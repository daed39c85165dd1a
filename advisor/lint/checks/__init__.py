"""All built-in checks, in one visible table: a new check is a file and a line here."""

from advisor.lint.checks.base import AnyCheck
from advisor.lint.checks.cbw import class_starved_observed
from advisor.lint.checks.col import capture_incomplete, captures_far_apart, privilege_too_low
from advisor.lint.checks.cpu import cpu_interrupt_share_high, cpu_not_steady, cpu_over_half
from advisor.lint.checks.dls import (
    dlsw_cpu_over_design,
    dlsw_failover_over_capacity,
    dlsw_failover_over_design,
    dlsw_fault_domain_exceeded,
    dlsw_in_voice_queue,
    dlsw_largest_frame,
    dlsw_not_classified,
    dlsw_peer_down_observed,
    dlsw_peer_one_sided,
    dlsw_peer_without_backup,
    dlsw_promiscuous_open,
    dlsw_undefined_reference,
)
from advisor.lint.checks.lfi import serialization_over_budget
from advisor.lint.checks.llq import (
    llq_drops_observed,
    priority_share_too_high,
    priority_without_rate,
    reservation_exceeds_link,
)
from advisor.lint.checks.prs import (
    not_ios,
    qos_line_not_understood,
    rejected_command_in_capture,
    truncated_config,
)
from advisor.lint.checks.qlm import fifo_on_slow_congested_link
from advisor.lint.checks.ref import (
    class_never_matches,
    queueing_policy_on_input,
    undefined_access_list,
    undefined_class_map,
    undefined_policy_map,
)
from advisor.lint.checks.sla import (
    measured_over_predicted_bound,
    probe_not_in_priority_class,
    probe_too_few_samples,
)
from advisor.lint.checks.txr import (
    tx_ring_below_platform_minimum,
    tx_ring_observed_differs,
    tx_ring_residual_over_budget,
    tx_ring_smaller_than_packet,
    tx_ring_too_deep_for_llq,
    tx_ring_without_queueing,
)
from advisor.lint.checks.wrd import (
    wred_above_queue_limit,
    wred_and_queue_limit,
    wred_basis_mismatch,
    wred_inverted,
    wred_min_not_below_max,
    wred_min_over_half_max,
    wred_no_differentiation,
    wred_on_unresponsive_traffic,
    wred_per_packet_delay_observed,
    wred_refused_combination,
    wred_share_below_target,
    wred_tail_drops_observed,
    wred_thresholds_off_target_delay,
    wred_weight_wrong,
)

_ALL: tuple[AnyCheck, ...] = (
    capture_incomplete.CHECK,
    captures_far_apart.CHECK,
    class_never_matches.CHECK,
    class_starved_observed.CHECK,
    cpu_interrupt_share_high.CHECK,
    cpu_not_steady.CHECK,
    cpu_over_half.CHECK,
    dlsw_cpu_over_design.CHECK,
    dlsw_failover_over_capacity.CHECK,
    dlsw_failover_over_design.CHECK,
    dlsw_fault_domain_exceeded.CHECK,
    dlsw_in_voice_queue.CHECK,
    dlsw_largest_frame.CHECK,
    dlsw_not_classified.CHECK,
    dlsw_peer_down_observed.CHECK,
    dlsw_peer_one_sided.CHECK,
    dlsw_peer_without_backup.CHECK,
    dlsw_promiscuous_open.CHECK,
    dlsw_undefined_reference.CHECK,
    fifo_on_slow_congested_link.CHECK,
    llq_drops_observed.CHECK,
    measured_over_predicted_bound.CHECK,
    not_ios.CHECK,
    priority_share_too_high.CHECK,
    priority_without_rate.CHECK,
    privilege_too_low.CHECK,
    probe_not_in_priority_class.CHECK,
    probe_too_few_samples.CHECK,
    qos_line_not_understood.CHECK,
    queueing_policy_on_input.CHECK,
    rejected_command_in_capture.CHECK,
    reservation_exceeds_link.CHECK,
    serialization_over_budget.CHECK,
    truncated_config.CHECK,
    tx_ring_below_platform_minimum.CHECK,
    tx_ring_observed_differs.CHECK,
    tx_ring_residual_over_budget.CHECK,
    tx_ring_smaller_than_packet.CHECK,
    tx_ring_too_deep_for_llq.CHECK,
    tx_ring_without_queueing.CHECK,
    undefined_access_list.CHECK,
    undefined_class_map.CHECK,
    undefined_policy_map.CHECK,
    wred_above_queue_limit.CHECK,
    wred_and_queue_limit.CHECK,
    wred_basis_mismatch.CHECK,
    wred_inverted.CHECK,
    wred_min_not_below_max.CHECK,
    wred_min_over_half_max.CHECK,
    wred_no_differentiation.CHECK,
    wred_on_unresponsive_traffic.CHECK,
    wred_per_packet_delay_observed.CHECK,
    wred_refused_combination.CHECK,
    wred_share_below_target.CHECK,
    wred_tail_drops_observed.CHECK,
    wred_thresholds_off_target_delay.CHECK,
    wred_weight_wrong.CHECK,
)

CHECKS: dict[str, AnyCheck] = {check.name: check for check in _ALL}
