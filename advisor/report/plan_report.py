"""What would be asked of a fleet, as JSON: `--dry-run --format json` of `collect` and `audit`."""

from msgspec import Struct

from advisor import __version__
from advisor.collect.hosts import Target
from advisor.collect.plan import Plan
from advisor.report.json_report import SCHEMA_VERSION, encoded
from advisor.report.terminal import PLAIN, RenderOptions


class PlannedDevice(Struct, frozen=True):
    """A device that would be asked, and how old its crypto may be."""

    name: str
    address: str
    ssh_profile: str


class PlannedCommand(Struct, frozen=True):
    """A command that every device would be asked, in order.

    `older` are its names in older trains, tried where the image does not know it. `waits_for_cpu`
    is true of what is held back while the CPU is busy, `is_sampled_twice` of what rates are made
    of.
    """

    command: str
    older: tuple[str, ...]
    waits_for_cpu: bool
    is_sampled_twice: bool


class PlannedFleet(Struct, frozen=True):
    """The top-level object of `collect --dry-run --format json`; that of `audit` is the same."""

    schema: int
    version: str
    jump: str | None
    interval_s: float | None
    devices: tuple[PlannedDevice, ...]
    commands: tuple[PlannedCommand, ...]


class DryRun(Struct, frozen=True):
    """What would be asked, of which devices, and over which host."""

    plan: Plan
    targets: tuple[Target, ...]
    jump: str | None


def render(run: DryRun, _options: RenderOptions = PLAIN) -> str:
    """What would be asked of each device, as JSON."""
    plan, targets, jump = run.plan, run.targets, run.jump
    devices = (
        PlannedDevice(target.name, target.endpoint, target.profile.value) for target in targets
    )
    commands = (
        PlannedCommand(step.command, step.older, step.is_heavy, plan.is_sampled_twice(step))
        for step in plan.steps
    )
    return encoded(
        PlannedFleet(
            SCHEMA_VERSION, __version__, jump, plan.interval_s, tuple(devices), tuple(commands)
        )
    )
