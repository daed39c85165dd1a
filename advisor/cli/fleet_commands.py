"""`collect`, `audit` and `redact`: their options. A body is a call, as in `app`."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for SSH
# ruff: noqa: PLR0917, B006 -- typer gives every option by its name
from enum import StrEnum
from math import isnan
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.choices import FailOn, FleetFormat, ReportFormat
from advisor.cli.options import Output, Rules

_COMMAND_S, _DEVICE_S, _CONNECT_S = 120.0, 900.0, 10.0
_DAY_S = 86_400.0
_WORKERS, _RETRIES, _CPU_PERCENT = 20, 2, 50.0


class Ssh(StrEnum):
    """How old the crypto of a device may be."""

    MODERN = "modern"
    LEGACY = "legacy"


Hosts = Annotated[
    list[str] | None, typer.Argument(metavar="[HOST[:PORT]]...", help="Devices to read.")
]
Inventory = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Nornir inventory: folder, hosts.yaml or config; or a text file, one host a line.",
    ),
]
Filter = Annotated[
    list[str],
    typer.Option("--filter", metavar="KEY=VALUE", help="Only these devices, like role=wan."),
]
Username = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Login name [default: ADVISOR_USERNAME, then the inventory]."
    ),
]
Key = Annotated[
    Path | None,
    typer.Option(
        "--key", metavar="FILE", help="Private key file; ADVISOR_KEY_PASSPHRASE unlocks it."
    ),
]
Agent = Annotated[bool, typer.Option("--agent", help="Log in with the first key of the SSH agent.")]
Jump = Annotated[
    str | None, typer.Option(metavar="HOST[:PORT]", help="Reach all devices through this host.")
]
KnownHostsFile = Annotated[
    Path, typer.Option("--known-hosts", metavar="FILE", help="File of known host keys.")
]
AcceptNew = Annotated[
    bool,
    typer.Option(
        "--accept-new", help="Record the host key of an unknown device, before any login."
    ),
]
SshProfileOption = Annotated[
    Ssh | None,
    typer.Option("--ssh-profile", help="legacy also allows SHA-1, CBC, group 1 and ssh-rsa."),
]
Workers = Annotated[
    int, typer.Option(min=1, max=500, metavar="N", help="Devices at the same time.")
]
Retries = Annotated[
    int, typer.Option(min=0, metavar="N", help="Retries of a connection; a login is tried once.")
]


def _number(value: float | None) -> float | None:
    """Refuse `nan`, which no bound refuses."""
    if value is not None and isnan(value):
        raise typer.BadParameter("is not a number")
    return value


ConnectTimeout = Annotated[
    float,
    typer.Option(
        min=0.1, max=_DAY_S, callback=_number, metavar="S", help="Time limit of a connection, in s."
    ),
]
CommandTimeout = Annotated[
    float,
    typer.Option(
        min=0.1, max=_DAY_S, callback=_number, metavar="S", help="Time limit of a command, in s."
    ),
]
DeviceTimeout = Annotated[
    float,
    typer.Option(
        min=1, max=_DAY_S, callback=_number, metavar="S", help="Time limit of a device, in s."
    ),
]
CpuLimit = Annotated[
    float,
    typer.Option(
        min=0,
        max=100,
        callback=_number,
        metavar="%",
        help="CPU load above which heavy commands wait.",
    ),
]
Interval = Annotated[
    float | None,
    typer.Option(
        min=1,
        max=_DAY_S,
        callback=_number,
        metavar="S",
        help="Read the counters twice, this many seconds apart, for true rates.",
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Keep complete bundles of an earlier run.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print the commands for each device; connect to none.")
]
Select = Annotated[
    list[str], typer.Option(metavar="RULES", help="Read only what these rules need.")
]
Ignore = Annotated[
    list[str], typer.Option(metavar="RULES", help="Do not read what only these rules need.")
]
Config = Annotated[Path | None, typer.Option(metavar="FILE", help="Settings file.")]
Profile = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Set of budgets: voice, video, data, dlsw or strict."),
]
Platform = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Model or family of devices that do not show theirs."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no progress and no notes.")]
NoColor = Annotated[
    bool, typer.Option("--no-color", help="Print without color; NO_COLOR does the same.")
]
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
        Path | None,
        typer.Option(metavar="DIR", help="Folder for the bundles, one folder for each device."),
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
        typer.Option("--print-authorization", help="Print the rights that the account needs."),
    ] = False,
    select: Select = [],
    ignore: Ignore = [],
    rules: Rules = [],
    config: Config = None,
    profile: Profile = None,
    fleet_format: Annotated[FleetFormat, typer.Option("--format")] = FleetFormat.FULL,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Read routers over SSH (read-only); write one bundle for each."""
    from advisor.cli import fleet_jobs
    from advisor.cli.fleet_options import FleetOptions
    from advisor.cli.selection import words
    from advisor.cli.view import View
    from advisor.settings.values import Flags

    flags = Flags(config, profile, words(select), words(ignore), rules=tuple(rules))
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
        Path | None,
        typer.Option(metavar="DIR", help="Keep the bundles in this folder. Default: keep none."),
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
        Path | None,
        typer.Option(
            metavar="FILE", help="TOML file of [[traffic]] tables: the load of the classes."
        ),
    ] = None,
    select: Select = [],
    ignore: Ignore = [],
    rules: Rules = [],
    fail_on: Annotated[
        FailOn | None,
        typer.Option(help="Lowest severity that gives exit code 1 [default: warning]."),
    ] = None,
    config: Config = None,
    profile: Profile = None,
    platform: Platform = None,
    report_format: Annotated[ReportFormat, typer.Option("--format")] = ReportFormat.FULL,
    output: Output = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> None:
    """Read routers over SSH, lint them, compare with predictions."""
    from advisor.cli import fleet_jobs
    from advisor.cli.fleet_options import FleetOptions
    from advisor.cli.selection import words
    from advisor.cli.view import View
    from advisor.settings.values import Flags

    flags = Flags(
        config,
        profile,
        words(select),
        words(ignore),
        fail_on,
        traffic,
        platform,
        rules=tuple(rules),
    )
    view = View(report_format, output, no_color, quiet)
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
    """Print a config or show outputs without secrets."""
    from advisor.cli import redact_jobs

    raise typer.Exit(redact_jobs.redact(path, output))
