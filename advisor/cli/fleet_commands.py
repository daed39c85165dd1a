"""`collect`, `audit` and `redact`: their options. A body is a call, as in `app`."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for SSH
# ruff: noqa: PLR0917, B006 -- typer gives every option by its name
from enum import StrEnum
from math import isnan
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.choices import FailOn, FleetFormat

_COMMAND_S, _DEVICE_S, _CONNECT_S = 120.0, 900.0, 10.0
_DAY_S = 86_400.0
_WORKERS, _RETRIES, _CPU_PERCENT = 20, 2, 50.0


class Ssh(StrEnum):
    """How old the crypto of a device may be."""

    MODERN = "modern"
    LEGACY = "legacy"


Hosts = Annotated[
    list[str] | None, typer.Argument(metavar="[HOST[:PORT]]...", help="Devices to ask.")
]
Inventory = Annotated[
    Path | None,
    typer.Option(
        metavar="F",
        help="Nornir: a folder with hosts.yaml, that file, or a config; or a list, a host a line.",
    ),
]
Filter = Annotated[
    list[str],
    typer.Option("--filter", metavar="KEY=VALUE", help="These devices alone, like role=wan."),
]
Username = Annotated[
    str | None, typer.Option(metavar="NAME", help="Else ADVISOR_USERNAME, else the inventory.")
]
Key = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="Private key; ADVISOR_KEY_PASSPHRASE unlocks it."),
]
Agent = Annotated[bool, typer.Option("--agent", help="The first key of the SSH agent.")]
Jump = Annotated[
    str | None, typer.Option(metavar="HOST[:PORT]", help="Reach all devices through this host.")
]
KnownHostsFile = Annotated[
    Path, typer.Option("--known-hosts", metavar="FILE", help="Keys that devices are known by.")
]
AcceptNew = Annotated[
    bool,
    typer.Option(
        "--accept-new", help="Record the key of a device that is not known, before any login."
    ),
]
SshProfileOption = Annotated[
    Ssh | None,
    typer.Option("--ssh-profile", help="legacy allows SHA-1, CBC, group 1 and ssh-rsa."),
]
Workers = Annotated[int, typer.Option(min=1, max=500, help="Devices at a time.")]
Retries = Annotated[int, typer.Option(min=0, help="Of connections; a login is tried once.")]


def _number(value: float | None) -> float | None:
    """Refuse `nan`, which no bound refuses."""
    if value is not None and isnan(value):
        raise typer.BadParameter("is not a number")
    return value


ConnectTimeout = Annotated[
    float,
    typer.Option(min=0.1, max=_DAY_S, callback=_number, metavar="S", help="To connect."),
]
CommandTimeout = Annotated[
    float,
    typer.Option(min=0.1, max=_DAY_S, callback=_number, metavar="S", help="Of a command."),
]
DeviceTimeout = Annotated[
    float,
    typer.Option(min=1, max=_DAY_S, callback=_number, metavar="S", help="Of a device in all."),
]
CpuLimit = Annotated[
    float,
    typer.Option(
        min=0, max=100, callback=_number, metavar="%", help="Above it heavy commands wait."
    ),
]
Interval = Annotated[
    float | None,
    typer.Option(
        min=1,
        max=_DAY_S,
        callback=_number,
        metavar="S",
        help="Take counters twice, so far apart: true rates.",
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Keep whole bundles that are there.")]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Print the commands and the devices; connect to no device."),
]
Select = Annotated[
    list[str], typer.Option(metavar="RULES", help="Ask for what these rules need alone.")
]
Ignore = Annotated[list[str], typer.Option(metavar="RULES", help="Leave out what these need.")]
Config = Annotated[Path | None, typer.Option(metavar="FILE", help="Settings.")]
Profile = Annotated[str | None, typer.Option(metavar="NAME", help="Budgets: voice, video, …")]
Output = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write to a file, whole or not at all.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no notes.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="Plain text; so does NO_COLOR.")]
_KNOWN_HOSTS = Path("~/.ssh/known_hosts")


def add_to(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command()(collect)
    app.command()(audit)
    app.command()(redact)


def collect(
    hosts: Hosts = None,
    inventory: Inventory = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the bundles go, one folder each.")
    ] = None,
    conditions: Filter = [],
    username: Username = None,
    key: Key = None,
    agent: Agent = False,
    jump: Jump = None,
    known_hosts: KnownHostsFile = _KNOWN_HOSTS,
    accept_new: AcceptNew = False,
    ssh_profile: SshProfileOption = None,
    workers: Workers = _WORKERS,
    retries: Retries = _RETRIES,
    connect_timeout: ConnectTimeout = _CONNECT_S,
    command_timeout: CommandTimeout = _COMMAND_S,
    device_timeout: DeviceTimeout = _DEVICE_S,
    cpu_limit: CpuLimit = _CPU_PERCENT,
    interval: Interval = None,
    resume: Resume = False,
    dry_run: DryRun = False,
    print_authorization: Annotated[
        bool,
        typer.Option("--print-authorization", help="Print what the account must be allowed."),
    ] = False,
    select: Select = [],
    ignore: Ignore = [],
    config: Config = None,
    profile: Profile = None,
    fleet_format: Annotated[FleetFormat, typer.Option("--format")] = FleetFormat.FULL,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Read routers over SSH, read-only; write a bundle for each."""
    from advisor.cli import fleet_jobs
    from advisor.cli.fleet_options import FleetOptions
    from advisor.cli.selection import words
    from advisor.cli.view import View
    from advisor.settings.values import Flags

    flags = Flags(config, profile, words(select), words(ignore))
    view = View(fleet_format, output, quiet=quiet)
    if print_authorization:
        raise typer.Exit(fleet_jobs.print_authorization(flags, view))
    options = FleetOptions(
        tuple(hosts or ()),
        inventory,
        tuple(conditions),
        username,
        key,
        agent,
        jump,
        known_hosts,
        accept_new,
        ssh_profile,
        workers,
        retries,
        connect_timeout,
        command_timeout,
        device_timeout,
        cpu_limit,
        interval,
        resume,
    )
    if dry_run:
        raise typer.Exit(fleet_jobs.dry_run(options, flags, view))
    raise typer.Exit(fleet_jobs.collect(options, flags, view, out))


def audit(
    hosts: Hosts = None,
    inventory: Inventory = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep the bundles there; else none is kept.")
    ] = None,
    conditions: Filter = [],
    username: Username = None,
    key: Key = None,
    agent: Agent = False,
    jump: Jump = None,
    known_hosts: KnownHostsFile = _KNOWN_HOSTS,
    accept_new: AcceptNew = False,
    ssh_profile: SshProfileOption = None,
    workers: Workers = _WORKERS,
    retries: Retries = _RETRIES,
    connect_timeout: ConnectTimeout = _CONNECT_S,
    command_timeout: CommandTimeout = _COMMAND_S,
    device_timeout: DeviceTimeout = _DEVICE_S,
    cpu_limit: CpuLimit = _CPU_PERCENT,
    interval: Interval = None,
    resume: Resume = False,
    dry_run: DryRun = False,
    traffic: Annotated[
        Path | None, typer.Option(metavar="FILE", help="[[traffic]] tables: what is offered.")
    ] = None,
    select: Select = [],
    ignore: Ignore = [],
    fail_on: Annotated[
        FailOn | None, typer.Option(help="The mildest severity that exits 1 [default: warning].")
    ] = None,
    config: Config = None,
    profile: Profile = None,
    fleet_format: Annotated[FleetFormat, typer.Option("--format")] = FleetFormat.FULL,
    output: Output = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> None:
    """Read routers over SSH, judge them, and put measured beside predicted."""
    from advisor.cli import fleet_jobs
    from advisor.cli.fleet_options import FleetOptions
    from advisor.cli.selection import words
    from advisor.cli.view import View
    from advisor.settings.values import Flags

    flags = Flags(config, profile, words(select), words(ignore), fail_on, traffic)
    view = View(fleet_format, output, no_color, quiet)
    options = FleetOptions(
        tuple(hosts or ()),
        inventory,
        tuple(conditions),
        username,
        key,
        agent,
        jump,
        known_hosts,
        accept_new,
        ssh_profile,
        workers,
        retries,
        connect_timeout,
        command_timeout,
        device_timeout,
        cpu_limit,
        interval,
        resume,
    )
    if dry_run:
        raise typer.Exit(fleet_jobs.dry_run(options, flags, view))
    raise typer.Exit(fleet_jobs.audit(options, flags, view, out))


def redact(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A file, or - for standard input.")],
    output: Output = None,
) -> None:
    """Print a configuration or show outputs without secrets, line for line."""
    from advisor.cli import redact_jobs

    raise typer.Exit(redact_jobs.redact(path, output))
