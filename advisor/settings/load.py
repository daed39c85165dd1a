"""Settings from advisor.toml or `[tool.advisor]`, --traffic files and flags; a flag wins."""

from datetime import date
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from advisor.bounded import read_file
from advisor.settings.dlsw_table import DlswTable, design_of
from advisor.settings.document import Document, document_of, nearest, read_document
from advisor.settings.suppress_table import SuppressTable, suppressions_of
from advisor.settings.traffic import Stated, TrafficFile, traffic_of
from advisor.settings.traffic_table import TrafficTable
from advisor.settings.values import (
    PROFILES,
    Budgets,
    DlswDesign,
    Flags,
    ReturnPath,
    Settings,
    SettingsError,
    StatedPlatform,
)

FAIL_ON = ("error", "warning", "info", "never")
OWN_FILE = "advisor.toml"
_SHARED_FILE = "pyproject.toml"
_SHARED_ROOT = ("tool", "advisor")

_Budget = Annotated[float, Meta(gt=0, le=1e9)]
_Percent = Annotated[float, Meta(gt=0, le=100)]


class _IpSlaTable(Struct, frozen=True, forbid_unknown_fields=True):
    return_path: str | None = None


class _SettingsTable(Struct, frozen=True, forbid_unknown_fields=True):
    profile: str = "voice"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str = field(name="fail-on", default="warning")
    budgets: dict[str, object] = {}
    traffic: tuple[TrafficTable, ...] = ()
    dlsw: DlswTable = DlswTable()
    platform: str | None = None
    platforms: dict[str, str] = {}
    ip_sla: _IpSlaTable = _IpSlaTable()
    suppress: tuple[SuppressTable, ...] = ()
    baseline: str | None = None


def _is_ours(pyproject: Path) -> bool:
    """Whether a pyproject.toml has a `[tool.advisor]` table."""
    try:
        # Search the text first: most files do not name us, and TOML parsing costs start-up time.
        if b"advisor" not in read_file(pyproject):
            return False
    except OSError:
        return False
    return bool(read_document(pyproject, root=_SHARED_ROOT).table)


def find_settings_file(start: Path) -> Path | None:
    """Nearest settings file in `start` or a folder above it; advisor.toml before pyproject.toml.

    An advisor.toml that cannot be read, like a link to nothing, is found too: reading it says why.

    Raises
    ------
    SettingsError
        If a pyproject.toml that names us is not TOML.
    """
    folder = start.absolute()
    for parent in (folder, *folder.parents):
        if _is_there(own_file := parent / OWN_FILE):
            return own_file
        if _is_file(file := parent / _SHARED_FILE) and _is_ours(file):
            return file
    return None


def _is_there(path: Path) -> bool:
    """Whether the name exists, whatever it leads to, and the user may see it."""
    try:
        path.lstat()
    except OSError:
        return False
    return True


def _is_file(path: Path) -> bool:
    """Whether the file exists and the user may see it."""
    try:
        return path.is_file()
    except OSError:  # no permission to search a folder of the path
        return False


def _shown(path: Path) -> str:
    """The path as a user types it."""
    current = Path.cwd()
    return str(path.relative_to(current)) if path.is_relative_to(current) else str(path)


def _document(path: Path) -> Document:
    return read_document(path, _shown(path), _root(path))


def _root(path: Path) -> tuple[str, ...]:
    return _SHARED_ROOT if path.name == _SHARED_FILE else ()


def _budgets(document: Document, profile: str, table: dict[str, object]) -> Budgets:
    budget_names = set(Budgets.__struct_fields__)
    stated: dict[str, float] = {}
    for key, value in table.items():
        path = ("budgets", key)
        if key not in budget_names:
            raise document.unknown(path, budget_names)
        shape: type[float] = _Percent if key.endswith("_percent") else _Budget
        stated[key] = document.convert(value, shape, path)
    return replace(PROFILES[profile], **stated)


def _return_path(document: Document, stated: str | None) -> ReturnPath:
    if stated is None:
        return ReturnPath.UNSTATED
    known = (ReturnPath.IDLE, ReturnPath.LOADED)
    return ReturnPath(document.one_of(("ip_sla", "return_path"), stated, known))


def _platforms(document: Document, table: _SettingsTable) -> tuple[StatedPlatform, ...]:
    """Platforms by device, then the one of all devices: the first that fits a name counts."""
    stated: list[tuple[tuple[str, ...], str, str]] = [
        (("platforms", device), device, name) for device, name in table.platforms.items()
    ]
    if table.platform is not None:
        stated.append((("platform",), "*", table.platform))
    return tuple(
        StatedPlatform(device, name, f"{document.name}:{document.line_of(path)}")
        for path, device, name in stated
    )


def table_name(path: Path) -> str:
    """Name of a `[[suppress]]` table in a settings file."""
    return ".".join((*_root(path), "suppress"))


def taken(text: str, path: Path) -> Settings:
    """Settings that a file would state with this text.

    Raises
    ------
    SettingsError
        If it held an invalid statement.
    """
    return _settings(document_of(text, _shown(path), _root(path)), None)


class TrafficOfFile(Struct, frozen=True):
    """The statements of a --traffic file: traffic, and a design of DLSw+ if it has one."""

    stated: Stated
    dlsw: DlswDesign | None = None


def read_traffic(path: Path) -> TrafficOfFile:
    """Statements of a --traffic file.

    Raises
    ------
    SettingsError
        If it is unreadable, holds an invalid statement, or holds no `[[traffic]]` table.
    """
    document = read_document(path)
    tables = document.convert(document.table, TrafficFile)
    if not tables.traffic and tables.dlsw == DlswTable():
        raise SettingsError(f"{path}:1: holds no [[traffic]] table")
    design = design_of(document, tables.dlsw)
    stated = traffic_of(document, tables.traffic)
    return TrafficOfFile(stated, design if design != DlswDesign() else None)


def where(file: str | None, key: str) -> str:
    """Place of a top-level key of a settings file, "advisor.toml:3"."""
    if file is None:
        return "built-in settings"
    return f"{file}:{_document(Path(file)).line_of((key,))}"


def _read(path: Path, profile: str | None) -> Settings:
    return _settings(_document(path), profile)


def settings_of_text(text: str) -> Settings:
    """Settings from a text, such as the example of a card.

    Raises
    ------
    SettingsError
        If it holds an invalid statement.
    """
    return _settings(document_of(text.lstrip("\n"), "settings"), None)


def _settings(document: Document, profile: str | None) -> Settings:
    table = document.convert(document.table, _SettingsTable)
    document.one_of(("profile",), table.profile, PROFILES)
    document.one_of(("fail-on",), table.fail_on, FAIL_ON)
    in_force = profile or table.profile
    stated = traffic_of(document, table.traffic)
    return Settings(
        _budgets(document, in_force, table.budgets),
        in_force,
        table.select,
        table.ignore,
        table.fail_on,
        stated.traffic,
        stated.transactions,
        design_of(document, table.dlsw),
        _platforms(document, table),
        document.name,
        _return_path(document, table.ip_sla.return_path),
        tuple(suppressions_of(document, table.suppress)),
        baseline=None if table.baseline is None else Path(table.baseline),
    )


def load_settings(start: Path, flags: Flags | None = None) -> Settings:
    """Settings in force for the inputs at `start`.

    A flag replaces the same setting of the file. `[budgets]` of the file apply to every profile.
    The statements of --traffic come before those of the file, and its `[dlsw]` replaces that of
    the file.

    Raises
    ------
    SettingsError
        If a file or a flag holds an invalid statement. The error names file, line, key and the
        nearest valid word.
    """
    flags = flags or Flags()
    if flags.profile is not None and flags.profile not in PROFILES:
        message = f"--profile: unknown {flags.profile!r}; {nearest(flags.profile, PROFILES)}"
        raise SettingsError(message)
    flag_platforms = _platforms_of_flag(flags.platform)
    path = flags.config or find_settings_file(start)
    profile = flags.profile or "voice"
    built_in = Settings(PROFILES[profile], profile)
    settings = built_in if path is None else _read(path, flags.profile)
    traffic = read_traffic(flags.traffic) if flags.traffic else TrafficOfFile(Stated())
    return replace(
        settings,
        select=flags.select or settings.select,
        ignore=flags.ignore or settings.ignore,
        fail_on=flags.fail_on or settings.fail_on,
        traffic=(*traffic.stated.traffic, *settings.traffic),
        transactions=(*traffic.stated.transactions, *settings.transactions),
        dlsw=traffic.dlsw or settings.dlsw,
        platforms=(*flag_platforms, *settings.platforms),
        suppresses=not flags.no_suppress,
        today=date.today(),  # noqa: DTZ011 -- the day of the user
        baseline=flags.baseline or _beside(path, settings.baseline),
    )


def _beside(settings_file: Path | None, named: Path | None) -> Path | None:
    """A file that the settings name: relative names start at their folder."""
    return named if settings_file is None or named is None else settings_file.parent / named


def _platforms_of_flag(name: str | None) -> tuple[StatedPlatform, ...]:
    return (StatedPlatform("*", name, "--platform"),) if name is not None else ()
