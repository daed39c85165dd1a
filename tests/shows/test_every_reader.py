"""Every show command of the product is read from an output of ours, or is known to be kept only."""

import re
from pathlib import Path

import pytest

from advisor.capture.outputs import outputs
from tests.support.devices import device_read

SHOW = Path(__file__).parents[2] / "fixtures/show"


def by_folder() -> dict[str, tuple[str, str]]:
    """Commands with a folder of their name: its first output, and the field that is filled."""
    found = {}
    for command, record in outputs().items():
        folder = SHOW / re.sub("[ -]", "_", command.removeprefix("show "))
        files = sorted(folder.glob("*.txt"))
        if files and record.reads:
            found[command] = (f"{folder.name}/{files[0].stem}", record.reads[0].field)
    return found


HEAD = re.compile(r"\A(?:![^\n]*\n|[\w-]+#[^\n]*\n)+")

# The output that is read, and the field of the observations that it fills, where the folder has not
# the name of the command, as `frame_relay_fragment` has, or another of its outputs is read.
READ = by_folder() | {
    "show policy-map interface": ("policy_map_interface/15.1-hqf-nested", "policies"),
    "show policy-map": ("policy_map/15.1-hierarchy", "shown_policies"),
    "show interfaces": ("interfaces/12.4-cbwfq", "interfaces"),
    "show controllers": ("controllers_serial/12.4-gt96k-dce", "controllers"),
    "show queueing": ("queueing/12.2-all", "random_detect"),
    "show queueing interface": ("queueing/12.2-interface-atm-vc-wred", "queueing"),
    "show queueing random-detect": ("queueing/12.4-random-detect", "random_detect"),
    "show queueing fair": ("queueing/12.4-fair", "fair_queueing"),
    "show queue": ("queue/12.4-cbwfq", "queues"),
    "show atm vc": ("atm_vc/12.2-detail-ring", "atm_circuits"),
    "show processes cpu": ("processes_cpu/12.4-sorted", "cpu"),
    "show ip sla statistics aggregated": ("ip_sla/12.4-aggregated-icmp-jitter", "sla"),
    "show ip sla statistics": ("ip_sla/15.x-statistics-icmp-echo", "sla"),
    "show ip sla monitor statistics aggregated": ("ip_sla/12.4-aggregated-two-hours", "sla"),
    "show ip sla monitor statistics": ("ip_sla/12.4-monitor-statistics-echo", "sla"),
    "show ip sla monitor collection-statistics": (
        "ip_sla/12.3-rtr-collection-statistics-jitter",
        "sla",
    ),
    "show rtr operational-state": ("ip_sla/12.3-rtr-operational-state-jitter", "sla"),
    "show rtr collection-statistics": ("ip_sla/12.3-rtr-collection-statistics-jitter", "sla"),
    "show dlsw peers": ("dlsw/12.x-peers", "dlsw_peers"),
    "show dlsw circuits": ("dlsw/12.x-circuits", "dlsw_circuits"),
    "show dlsw statistics": ("dlsw/12.x-statistics", "dlsw_statistics"),
    "show policy-map control-plane": ("policy_map_interface/xe-17-three-levels", "policies"),
    "show cdp neighbors detail": ("cdp_neighbors/12.4-detail", "neighbors"),
    "show ppp multilink": ("ppp_multilink/12.4-two-members", "bundles"),
    "show version": ("version/12.4-2811", "versions"),
    "show logging": ("log_messages/15.x-replay", "replay_messages"),
    "show crypto ipsec sa": ("crypto_ipsec_sa/15.x-detail", "protected"),
}
# A configuration, a clock or a privilege has a reader of its own; the others wait for one.
NOT_OBSERVED = {
    "show running-config",
    "show startup-config",
    "show clock",
    "show privilege",
    "show queueing priority",
    "show queueing custom",
    "show processes cpu history",
    "show dlsw capabilities",
    "show dlsw reachability",
}


def test_every_command_is_read_or_known_to_be_kept() -> None:
    assert READ.keys() | NOT_OBSERVED == outputs().keys()


@pytest.mark.parametrize("command", [pytest.param(command, id=command) for command in READ])
def test_an_output_is_read(command: str) -> None:
    file, field = READ[command]
    output = HEAD.sub("", (SHOW / f"{file}.txt").read_text("utf-8"))

    seen = device_read(f"r1#{command}\n{output}\nr1#\n").seen

    assert all(taken.understood for taken in seen.taken)
    assert len(getattr(seen, field)) > 0


@pytest.mark.parametrize("command", [pytest.param(command, id=command) for command in READ])
def test_an_output_of_another_command_is_not_understood_or_empty(command: str) -> None:
    _, field = READ[command]

    seen = device_read(f"r1#{command}\nnothing that this command prints\nr1#\n").seen

    assert getattr(seen, field) == ()


@pytest.mark.parametrize("command", [pytest.param(command, id=command) for command in READ])
def test_the_words_of_an_unknown_layout_hold_no_secret(command: str) -> None:
    seen = device_read(f"r1#{command}\nsnmp-server community S3ntinel RO\nr1#\n").seen

    assert "S3ntinel" not in "".join(taken.said for taken in seen.taken)
