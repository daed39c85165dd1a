"""Options of the commands that read routers, and of the routers to try them on."""

from math import isnan
from pathlib import Path
from typing import Annotated, Final, Literal

import typer
from msgspec import Struct

from advisor.cli.options import WORDS, FailOn, NoColor, Output, Profile, RuleFolders, Traffic
from advisor.report.formats import FLEETS, VERDICTS

_DAY_S: Final = 86_400.0
_KNOWN_HOSTS: Final = Path("~/.ssh/known_hosts")


def _number(value: float | None) -> float | None:
    """Refuse `nan`, which no bound refuses."""
    if value is not None and isnan(value):
        raise typer.BadParameter("is not a number")
    return value


Hosts = Annotated[
    tuple[str, ...], typer.Argument(metavar="[HOST[:PORT]]...", help="Devices to read.")
]
Inventory = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Nornir inventory: folder, hosts.yaml or config; or a text file, one host a line.",
    ),
]
Filter = Annotated[
    tuple[str, ...],
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
SshProfileName = Annotated[
    Literal["modern", "legacy"] | None,
    typer.Option("--ssh-profile", help="legacy also allows SHA-1, CBC, group 1 and ssh-rsa."),
]
Workers = Annotated[
    int, typer.Option(min=1, max=500, metavar="N", help="Devices at the same time.")
]
Retries = Annotated[
    int, typer.Option(min=0, metavar="N", help="Retries of a connection; a login is tried once.")
]
ConnectTimeout = Annotated[
    float,
    typer.Option(
        "--connect-timeout",
        min=0.1,
        max=_DAY_S,
        callback=_number,
        metavar="S",
        help="Time limit of a connection, in s.",
    ),
]
CommandTimeout = Annotated[
    float,
    typer.Option(
        "--command-timeout",
        min=0.1,
        max=_DAY_S,
        callback=_number,
        metavar="S",
        help="Time limit of a command, in s.",
    ),
]
DeviceTimeout = Annotated[
    float,
    typer.Option(
        "--device-timeout",
        min=1,
        max=_DAY_S,
        callback=_number,
        metavar="S",
        help="Time limit of a device, in s.",
    ),
]
CpuLimit = Annotated[
    float,
    typer.Option(
        "--cpu-limit",
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
        "--interval",
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
    tuple[str, ...],
    typer.Option(metavar="RULES", help="Read only what these rules need."),
    WORDS,
]
Ignore = Annotated[
    tuple[str, ...],
    typer.Option(metavar="RULES", help="Do not read what only these rules need."),
    WORDS,
]
Config = Annotated[Path | None, typer.Option(metavar="FILE", help="Settings file.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no progress and no notes.")]


class ReadOptions(Struct, frozen=True):
    """Options that `collect` and `audit` share: devices, log-in, limits."""

    hosts: Hosts = ()
    inventory: Inventory = None
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for the bundles, one folder for each device."),
    ] = None
    conditions: Filter = ()
    username: Username = None
    key: Key = None
    agent: Agent = False
    jump: Jump = None
    known_hosts: KnownHostsFile = _KNOWN_HOSTS
    accept_new: AcceptNew = False
    ssh_profile: SshProfileName = None
    workers: Workers = 20
    retries: Retries = 2
    connect_s: ConnectTimeout = 10.0
    command_s: CommandTimeout = 120.0
    device_s: DeviceTimeout = 900.0
    cpu_percent: CpuLimit = 50.0
    interval_s: Interval = None
    resume: Resume = False
    dry_run: DryRun = False


class Collect(ReadOptions, frozen=True):
    """Options of `collect`."""

    print_authorization: Annotated[
        bool,
        typer.Option("--print-authorization", help="Print the rights that the account needs."),
    ] = False
    select: Select = ()
    ignore: Ignore = ()
    rules: RuleFolders = ()
    config: Config = None
    profile: Profile = None
    form: Annotated[str, typer.Option("--format"), FLEETS.renderers] = "full"
    output: Output = None
    quiet: Quiet = False


class Audit(ReadOptions, frozen=True):
    """Options of `audit`."""

    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep the bundles in this folder. Default: keep none."),
    ] = None
    traffic: Traffic = None
    select: Select = ()
    ignore: Ignore = ()
    rules: RuleFolders = ()
    fail_on: FailOn = None
    config: Config = None
    profile: Profile = None
    platform: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Model or family of devices that do not show theirs."),
    ] = None
    form: Annotated[str, typer.Option("--format"), VERDICTS.renderers] = "full"
    output: Output = None
    no_color: NoColor = False
    quiet: Quiet = False


class DemoRouter(Struct, frozen=True):
    """Options of `demo-router`."""

    bundle: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Bundle with the answers [default: a built-in bundle]."),
    ] = None
    port: Annotated[
        int,
        typer.Option(
            min=0, max=65535, metavar="PORT", help="Port of the first router; 0: any free port."
        ),
    ] = 0
    count: Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="Number of routers.")] = 1
    faults: Annotated[
        tuple[str, ...],
        typer.Option("--fault", metavar="NAME", help="Fault to simulate; `list` prints the names."),
    ] = ()
    username: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Login name [default: ADVISOR_USERNAME, or advisor]."),
    ] = None
    inventory: Annotated[
        Path | None,
        typer.Option(
            "--write-inventory",
            metavar="DIR",
            help="Write hosts.yaml and known_hosts into this folder.",
        ),
    ] = None
