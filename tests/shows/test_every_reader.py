"""Every show command of the product is read from an output of ours, or is known to be kept only."""

import re
from pathlib import Path

import pytest

from advisor.capture import ShowCommand
from tests.support.devices import device_read

SHOW = Path(__file__).parents[2] / "fixtures/show"
HEAD = re.compile(r"\A(?:![^\n]*\n|[\w-]+#[^\n]*\n)+")

# The output that is read, and the field of the observations that it fills.
READ = {
    ShowCommand.POLICY_MAP_INTERFACE: ("policy_map_interface/15.1-hqf-nested", "policies"),
    ShowCommand.POLICY_MAP: ("policy_map/15.1-hierarchy", "shown_policies"),
    ShowCommand.INTERFACES: ("interfaces/12.4-cbwfq", "interfaces"),
    ShowCommand.CONTROLLERS: ("controllers_serial/12.4-gt96k-dce", "controllers"),
    ShowCommand.QUEUEING: ("queueing/12.2-all", "random_detect"),
    ShowCommand.QUEUEING_INTERFACE: ("queueing/12.2-interface-atm-vc-wred", "queueing"),
    ShowCommand.QUEUEING_RANDOM_DETECT: ("queueing/12.4-random-detect", "random_detect"),
    ShowCommand.QUEUEING_FAIR: ("queueing/12.4-fair", "fair_queueing"),
    ShowCommand.QUEUE: ("queue/12.4-cbwfq", "queues"),
    ShowCommand.ATM_PVC: ("atm_pvc/12.4-detail", "atm_circuits"),
    ShowCommand.ATM_VC: ("atm_vc/12.2-detail-ring", "atm_circuits"),
    ShowCommand.CPU: ("processes_cpu/12.4-sorted", "cpu"),
    ShowCommand.CPU_HISTORY: ("processes_cpu/12.4-history", "cpu_history"),
    ShowCommand.SLA_AGGREGATED: ("ip_sla/12.4-aggregated-icmp-jitter", "sla"),
    ShowCommand.SLA_STATISTICS: ("ip_sla/15.x-statistics-icmp-echo", "sla"),
    ShowCommand.SLA_MONITOR_AGGREGATED: ("ip_sla/12.4-aggregated-two-hours", "sla"),
    ShowCommand.SLA_MONITOR_STATISTICS: ("ip_sla/12.4-monitor-statistics-echo", "sla"),
    ShowCommand.SLA_MONITOR_COLLECTION: ("ip_sla/12.3-rtr-collection-statistics-jitter", "sla"),
    ShowCommand.RTR_OPERATIONAL_STATE: ("ip_sla/12.3-rtr-operational-state-jitter", "sla"),
    ShowCommand.RTR_COLLECTION: ("ip_sla/12.3-rtr-collection-statistics-jitter", "sla"),
    ShowCommand.DLSW_PEERS: ("dlsw/12.x-peers", "dlsw_peers"),
    ShowCommand.DLSW_CIRCUITS: ("dlsw/12.x-circuits", "dlsw_circuits"),
    ShowCommand.DLSW_STATISTICS: ("dlsw/12.x-statistics", "dlsw_statistics"),
    ShowCommand.DLSW_CAPABILITIES: ("dlsw/12.x-capabilities", "dlsw_capabilities"),
    ShowCommand.DLSW_REACHABILITY: ("dlsw/12.x-reachability", "dlsw_reachability"),
    ShowCommand.VERSION: ("version/12.4-2811", "versions"),
}
# A configuration, a clock or a privilege has a reader of its own; the others wait for one.
NOT_OBSERVED = {
    ShowCommand.RUNNING_CONFIG,
    ShowCommand.STARTUP_CONFIG,
    ShowCommand.CLOCK,
    ShowCommand.PRIVILEGE,
    ShowCommand.POLICY_MAP_CONTROL_PLANE,
    ShowCommand.CLASS_MAP,
    ShowCommand.QUEUEING_PRIORITY,
    ShowCommand.QUEUEING_CUSTOM,
}


def test_every_command_is_read_or_known_to_be_kept() -> None:
    assert READ.keys() | NOT_OBSERVED == set(ShowCommand)


@pytest.mark.parametrize("command", [pytest.param(command, id=command.value) for command in READ])
def test_an_output_is_read(command: ShowCommand) -> None:
    file, field = READ[command]
    output = HEAD.sub("", (SHOW / f"{file}.txt").read_text("utf-8"))

    seen = device_read(f"r1#{command}\n{output}\nr1#\n").seen

    assert all(taken.understood for taken in seen.taken)
    assert len(getattr(seen, field)) > 0


@pytest.mark.parametrize("command", [pytest.param(command, id=command.value) for command in READ])
def test_an_output_of_another_command_is_not_understood_or_empty(command: ShowCommand) -> None:
    _, field = READ[command]

    seen = device_read(f"r1#{command}\nnothing that this command prints\nr1#\n").seen

    assert getattr(seen, field) == ()


@pytest.mark.parametrize("command", [pytest.param(command, id=command.value) for command in READ])
def test_the_words_of_an_unknown_layout_hold_no_secret(command: ShowCommand) -> None:
    seen = device_read(f"r1#{command}\nsnmp-server community S3ntinel RO\nr1#\n").seen

    assert "S3ntinel" not in "".join(taken.said for taken in seen.taken)
