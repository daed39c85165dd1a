"""What the command line states of a fleet."""

from pathlib import Path

from msgspec import Struct

from advisor.collect.crypto import SshProfile
from advisor.collect.faults import Limits
from advisor.collect.hosts import Target
from advisor.collect.inventory import targets_of


class FleetOptions(Struct, frozen=True):
    """The options that `collect` and `audit` share."""

    hosts: tuple[str, ...]
    inventory: Path | None
    conditions: tuple[str, ...]
    username: str | None
    key: Path | None
    agent: bool
    jump: str | None
    known_hosts: Path
    accept_new: bool
    ssh_profile: str | None
    workers: int
    retries: int
    connect_s: float
    command_s: float
    device_s: float
    cpu_percent: float
    interval_s: float | None
    resume: bool

    @property
    def limits(self) -> Limits:
        """Times and loads; a second sample is on top of what a device may take."""
        return Limits(
            connect_s=self.connect_s,
            command_s=self.command_s,
            device_s=self.device_s + (self.interval_s or 0.0),
            retries=self.retries,
            cpu_percent=self.cpu_percent,
        )

    def targets(self) -> tuple[Target, ...]:
        """The devices.

        Raises
        ------
        InventoryError
            If they cannot be told.
        """
        profile = SshProfile(self.ssh_profile) if self.ssh_profile is not None else None
        return targets_of(self.hosts, self.inventory, self.conditions, profile)
