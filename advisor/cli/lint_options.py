"""Options of the commands that judge or read devices, print what was read, or tell of rules.

A record states the name, the type and the default of each option; `commands.txt` has its words.
"""

from pathlib import Path
from typing import Annotated, Final, Literal

from msgspec import Struct

from advisor.cli.options import Words
from advisor.report.formats import COMPARISONS, FLEETS, INSPECTIONS, PLANS, TRENDS, VERDICTS

_KNOWN_HOSTS: Final = Path("~/.ssh/known_hosts")
Severities = Literal["error", "warning", "info", "never"]


class _DeviceOptions(Struct, frozen=True, kw_only=True):
    """Options of the commands that read devices: which ones, and what is stated of them."""

    devices: Words = ()
    exclude: tuple[str, ...] = ()
    config: Path | None = None
    platform: str | None = None
    rates: tuple[str, ...] = ()


class _RuleOptions(_DeviceOptions, frozen=True, kw_only=True):
    """Options of the commands that find what rules say of devices."""

    rules: tuple[Path, ...] = ()
    traffic: Path | None = None
    profile: str | None = None


class _JudgeOptions(_RuleOptions, frozen=True, kw_only=True):
    """Options of the commands that judge devices, how many at a time too."""

    quiet: bool = False
    workers: int | None = None
    scheduler: str | None = None


class Lint(_JudgeOptions, frozen=True):
    """Options of `lint`."""

    paths: tuple[str, ...] = ()
    git: str | None = None
    form: Annotated[str, VERDICTS.renderers] = "full"
    output: Path | None = None
    select: Words = ()
    ignore: Words = ()
    fail_on: Severities | None = None
    severity: Literal["error", "warning", "info"] = "info"
    no_color: bool = False
    verbose: bool = False
    no_suppress: bool = False
    baseline: Path | None = None
    statistics: bool = False
    exit_zero: bool = False
    watch: bool = False


class Fix(_JudgeOptions, frozen=True):
    """Options of `fix`."""

    paths: tuple[str, ...]
    only: Words = ()
    level: Literal["safe", "needs-window"] | None = None
    interface: str | None = None
    guard_minutes: int | None = None
    apply_to: Path | None = None
    form: Annotated[str, PLANS.renderers] = "ios"
    output: Path | None = None
    no_suppress: bool = False


class Diff(_JudgeOptions, frozen=True):
    """Options of `diff`."""

    paths: tuple[str, ...] = ()
    git: str | None = None
    worse_by: str = "5%,1ms"
    fail_on: Severities | None = None
    form: Annotated[str, COMPARISONS.renderers] = "full"
    output: Path | None = None
    select: Words = ()
    ignore: Words = ()
    no_color: bool = False
    no_suppress: bool = False


class Trends(_JudgeOptions, frozen=True):
    """Options of `trends`."""

    paths: tuple[str, ...] = ()
    git: str | None = None
    days: int = 12
    form: Annotated[str, TRENDS.renderers] = "full"
    output: Path | None = None
    select: Words = ()
    ignore: Words = ()
    no_color: bool = False


class TakeBaseline(_JudgeOptions, frozen=True):
    """Options of `baseline`."""

    paths: tuple[str, ...]
    output: Path | None
    select: Words = ()
    ignore: Words = ()


class Suppress(_RuleOptions, frozen=True):
    """Options of `suppress`."""

    paths: tuple[str, ...]
    accepted: Words
    reason: str
    until: str | None = None
    object: str = ""


class Inspect(_DeviceOptions, frozen=True):
    """Options of `inspect`."""

    paths: tuple[str, ...]
    command: str | None = None
    form: Annotated[str, INSPECTIONS.renderers] = "tree"
    output: Path | None = None
    no_color: bool = False
    quiet: bool = False


class Explain(Struct, frozen=True):
    """Options of `explain`."""

    rule: str
    path: str | None = None
    traffic: Path | None = None
    profile: str | None = None
    config: Path | None = None
    rules: tuple[Path, ...] = ()
    no_color: bool = False


class Redact(Struct, frozen=True):
    """Options of `redact`."""

    path: str
    output: Path | None = None


class ListRules(Struct, frozen=True):
    """Options of `rules list`."""

    rules: tuple[Path, ...] = ()
    config: Path | None = None
    no_color: bool = False


class TestRules(Struct, frozen=True):
    """Options of `rules test`."""

    only: Words = ()
    rules: tuple[Path, ...] = ()
    config: Path | None = None


class RuleDocs(Struct, frozen=True):
    """Options of `rules docs`."""

    rules: tuple[Path, ...] = ()
    config: Path | None = None
    output: Path | None = None
    reference: Path | None = None


class NewRule(Struct, frozen=True):
    """Options of `rules new`."""

    title: str
    folder: Path = Path()
    is_declared: bool = False


class Schema(Struct, frozen=True):
    """Options of `schema`."""

    name: str | None = None
    output: Path | None = None
    reference: Path | None = None


class ShowConfig(Struct, frozen=True):
    """Options of `config show`."""

    profile: str | None = None
    config: Path | None = None
    traffic: Path | None = None
    rules: tuple[Path, ...] = ()
    device: str | None = None
    verbose: bool = False


class InitConfig(Struct, frozen=True):
    """Options of `config init`."""

    profile: str | None = None
    output: Path | None = Path("advisor.toml")


class ReadOptions(Struct, frozen=True):
    """Options that `collect` and `audit` share: devices, log-in, limits, rules."""

    hosts: tuple[str, ...] = ()
    inventory: Path | None = None
    out: Path | None = None
    conditions: tuple[str, ...] = ()
    username: str | None = None
    key: Path | None = None
    agent: bool = False
    jump: str | None = None
    known_hosts: Path = _KNOWN_HOSTS
    accept_new: bool = False
    ssh_profile: Literal["modern", "legacy"] | None = None
    workers: int = 20
    retries: int = 2
    connect_s: float = 10.0
    command_s: float = 120.0
    device_s: float = 900.0
    cpu_percent: float = 50.0
    interval_s: float | None = None
    resume: bool = False
    dry_run: bool = False
    select: Words = ()
    ignore: Words = ()
    rules: tuple[Path, ...] = ()
    config: Path | None = None
    profile: str | None = None
    output: Path | None = None
    quiet: bool = False


class Collect(ReadOptions, frozen=True):
    """Options of `collect`."""

    print_authorization: bool = False
    form: Annotated[str, FLEETS.renderers] = "full"


class Audit(ReadOptions, frozen=True):
    """Options of `audit`."""

    since: Path | None = None
    traffic: Path | None = None
    fail_on: Severities | None = None
    platform: str | None = None
    form: Annotated[str, VERDICTS.renderers] = "full"
    no_color: bool = False


class DemoRouter(Struct, frozen=True):
    """Options of `demo-router`."""

    bundle: Path | None = None
    port: int = 0
    count: int = 1
    faults: tuple[str, ...] = ()
    username: str | None = None
    inventory: Path | None = None


class Lsp(Struct, frozen=True):
    """Options of `lsp`: it has none, the editor sends the rest."""


class Serve(Struct, frozen=True):
    """Options of `serve`."""

    export: Path | None = None
    pyodide: Path | None = None
