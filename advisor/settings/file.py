"""Finds, reads and layers the settings: a file, `[tool.advisor]`, a --traffic file, flags."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.ground.bounded import read_file
from advisor.settings import (
    BUILT_IN,
    PROFILES,
    RULES_FLAG,
    DlswDesign,
    Flags,
    Layer,
    Layers,
    ReturnPath,
    RuleFolder,
    Settings,
    SettingsError,
    StatedNames,
    StatedPlatform,
    Traffic,
    Transactions,
)
from advisor.settings.document import TomlDocument, document_of, read_document
from advisor.settings.rates import rates_of_flags, rates_of_table
from advisor.settings.tables import (
    DlswTable,
    LayerTable,
    OverrideTable,
    SuppressTable,
    design_of,
    folded,
    layer_of,
    overrides_of_file,
    profiles_of_file,
    suppressions_of,
    unknown_profile,
)
from advisor.settings.traffic import StatedTraffic, TrafficFile, traffic_of
from advisor.settings.traffic_keys import TrafficTable

# The file with the settings of a folder: advisor.toml or pyproject.toml, the nearest upwards.

OWN_FILE: Final = "advisor.toml"
SHARED_FILE: Final = "pyproject.toml"
SHARED_ROOT: Final = ("tool", "advisor")


def _is_ours(pyproject: Path) -> bool:
    """Whether a pyproject.toml has a `[tool.advisor]` table."""
    try:
        # Search the text first: most files do not name us, and TOML parsing costs start-up time.
        if b"advisor" not in read_file(pyproject):
            return False
    except OSError:
        return False
    return bool(read_document(pyproject, root=SHARED_ROOT).table)


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
        if _is_file(file := parent / SHARED_FILE) and _is_ours(file):
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


def beside(settings_file: Path | None, named: Path) -> Path:
    """A file that the settings name: relative names start at their folder."""
    return named if settings_file is None else settings_file.parent / named


# The tables of a settings file, of `[tool.advisor]` and of a --traffic file.
#
# A run without such a file does without this module.

FAIL_ON = ("error", "warning", "info", "never")


class _IpSlaTable(Struct, frozen=True, forbid_unknown_fields=True):
    return_path: str | None = None


class SettingsTable(LayerTable, frozen=True, forbid_unknown_fields=True):
    """The keys of advisor.toml, and of `[tool.advisor]` in pyproject.toml."""

    profile: str | None = None
    profiles: dict[str, object] = field(default_factory=dict)
    override: tuple[OverrideTable, ...] = ()
    fail_on: str | None = field(name="fail-on", default=None)
    traffic: tuple[TrafficTable, ...] = ()
    dlsw: DlswTable = DlswTable()
    platform: str | None = None
    platforms: dict[str, object] = field(default_factory=dict)
    rates: dict[str, object] = field(default_factory=dict)
    ip_sla: _IpSlaTable = _IpSlaTable()
    suppress: tuple[SuppressTable, ...] = ()
    baseline: str | None = None
    exclude: tuple[str, ...] = ()
    rule_dirs: tuple[str, ...] = field(name="rule-dirs", default=())
    site: dict[str, object] = field(default_factory=dict)


def _shown(path: Path) -> str:
    """The path as a user types it."""
    current = Path.cwd()
    return str(path.relative_to(current)) if path.is_relative_to(current) else str(path)


def _document(path: Path) -> TomlDocument:
    return read_document(path, _shown(path), _root(path))


def _root(path: Path) -> tuple[str, ...]:
    return SHARED_ROOT if path.name == SHARED_FILE else ()


def _return_path(document: TomlDocument, stated: str | None) -> ReturnPath:
    if stated is None:
        return ReturnPath.UNSTATED
    known = (ReturnPath.IDLE, ReturnPath.LOADED)
    return ReturnPath(document.one_of(("ip_sla", "return_path"), stated, known))


def _platforms(document: TomlDocument, table: SettingsTable) -> tuple[StatedPlatform, ...]:
    """Platforms by device, then the one of all devices: the first that fits a name counts."""
    stated: list[tuple[tuple[str, ...], str, str]] = [
        (("platforms", device), device, name)
        for device, name in _texts(document, "platforms", table.platforms)
    ]
    if table.platform is not None:
        stated.append((("platform",), "*", table.platform))
    return tuple(
        StatedPlatform(device, name, f"{document.name}:{document.line_of(path)}")
        for path, device, name in stated
    )


def _texts(
    document: TomlDocument, key: str, table: Mapping[str, object]
) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        yield name, document.convert(value, str, (key, name))


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

    stated: StatedTraffic
    dlsw: DlswDesign | None = None


def read_traffic(path: Path) -> TrafficOfFile:
    """Statements of a --traffic file.

    Raises
    ------
    SettingsError
        If it is unreadable, holds an invalid statement, or holds no `[[traffic]]` table.
    """
    document = read_document(path)
    tables = document.whole(TrafficFile)
    if not tables.traffic and tables.dlsw == DlswTable():
        raise SettingsError(f"{path}:1: holds no [[traffic]] table")
    design = design_of(document, tables.dlsw)
    stated = traffic_of(document, tables.traffic)
    return TrafficOfFile(stated, design if design != DlswDesign() else None)


def read_settings(path: Path, profile: str | None) -> Settings:
    return _settings(_document(path), profile)


def read_found(path: Path, profile: str | None, rules: Iterable[Path]) -> Settings:
    """Settings of a file that nobody named: somebody else may have written it.

    Of its folders of rules it may state those that a flag names too, `rules`.

    Raises
    ------
    SettingsError
        If it holds an invalid statement, loads rules, or leads out of its folder.
    """
    if (odd := _odd(path, path.parent)) is not None:
        raise SettingsError(f"{_shown(path)}: cannot be read: {odd}; name it with --config FILE")
    document = _document(path)
    settings = _settings(document, profile)
    named = {os.path.realpath(folder) for folder in rules}
    if any(
        os.path.realpath(path.parent / rule_folder.path) not in named
        for rule_folder in settings.rule_folders
    ):
        raise document.error(
            ("rule-dirs",),
            "rule-dirs: this file was found, not named, so it loads no rules, templates or Python; "
            "name the folder with --rules DIR, or the file with --config FILE",
        )
    if settings.baseline is not None:
        odd = _odd(beside(path, settings.baseline), path.parent)
        if odd is not None:
            advice = "this file was found, not named: give the option --baseline FILE"
            raise document.error(("baseline",), f"baseline: {settings.baseline} {odd}; {advice}")
    return settings


def _odd(path: Path, folder: Path) -> str | None:
    """Why a file that nobody named is not read: it lies elsewhere, or may never end."""
    try:
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(os.path.realpath(folder)):
            return "leads out of its folder"
        kind = real.stat().st_mode
    except (OSError, ValueError):
        return None  # reading it says why
    if stat.S_ISREG(kind) or stat.S_ISDIR(kind):
        return None
    return "is a pipe or a device"


def settings_of_text(text: str) -> Settings:
    """Settings from a text, such as the example of a card.

    Raises
    ------
    SettingsError
        If it holds an invalid statement.
    """
    return _settings(document_of(text.lstrip("\n"), "settings"), None)


def _settings(document: TomlDocument, flag: str | None) -> Settings:
    table = document.convert(document.table, SettingsTable)
    own = profiles_of_file(document, table.profiles)
    names = [*PROFILES, *(profile.name for profile in own)]
    if table.profile is not None:
        document.one_of(("profile",), table.profile, names)
    if table.fail_on is not None:
        document.one_of(("fail-on",), table.fail_on, FAIL_ON)
    if flag is not None and flag not in names:
        raise unknown_profile(flag, names)
    stated = traffic_of(document, table.traffic)
    chosen = flag or table.profile
    source = BUILT_IN if table.profile is None else document.place_of(("profile",))
    layers = Layers(
        chosen or Settings().profile,
        "--profile" if flag else source,
        flag is not None,
        own,
        layer_of(document, table),
        overrides_of_file(document, table.override, names),
    )
    document.refuse_beyond_limits()  # each key has said its own range by now
    settled = {
        "fail-on": table.fail_on,
        "baseline": table.baseline,
        "exclude": table.exclude or None,
    }
    return folded(
        Settings(
            fail_on=table.fail_on or Settings().fail_on,
            traffic=stated.traffic,
            transactions=stated.transactions,
            dlsw=design_of(document, table.dlsw),
            platforms=_platforms(document, table),
            rates=tuple(rates_of_table(document, table.rates)),
            file=document.name,
            return_path=_return_path(document, table.ip_sla.return_path),
            suppress=tuple(suppressions_of(document, table.suppress)),
            baseline=None if table.baseline is None else Path(table.baseline),
            layers=layers,
            exclude=table.exclude,
            rule_folders=tuple(
                RuleFolder(Path(name), document.place_of(("rule-dirs",)))
                for name in table.rule_dirs
            ),
            site=tuple(_texts(document, "site", table.site)),
            origins={
                key: document.place_of((key,))
                for key, value in settled.items()
                if value is not None
            },
        )
    )


# Settings in force: those of a file, of a --traffic file and of flags; a flag wins.


def load_settings(start: Path, flags: Flags | None = None) -> Settings:
    """Settings in force for the inputs at `start`.

    A flag replaces the same setting of the file, of its profiles and of its overrides. `[budgets]`
    of the file apply to every profile.
    The statements of --traffic come before those of the file, and its `[dlsw]` replaces that of
    the file.

    Raises
    ------
    SettingsError
        If a file or a flag holds an invalid statement. The error names file, line, key and the
        nearest valid word.
    """
    flags = flags or Flags()
    flag_platforms = _platforms_of_flag(flags.platform)
    path = flags.config or find_settings_file(start)
    settings = _without_file(flags.profile) if path is None else _of_file(path, flags)
    traffic, transactions, dlsw = _traffic_of_flag(flags.traffic)
    of_flags = {"fail-on": flags.fail_on, "baseline": flags.baseline, "exclude": flags.exclude}
    return folded(
        replace(
            settings,
            layers=replace(settings.layers, flags=_layer_of_flags(flags)),
            fail_on=flags.fail_on or settings.fail_on,
            traffic=(*traffic, *settings.traffic),
            transactions=(*transactions, *settings.transactions),
            dlsw=dlsw or settings.dlsw,
            platforms=(*flag_platforms, *settings.platforms),
            rates=(*rates_of_flags(flags.rates), *settings.rates),
            suppresses=not flags.no_suppress,
            today=date.today(),  # noqa: DTZ011 -- the day of the user
            baseline=flags.baseline or (settings.baseline and beside(path, settings.baseline)),
            devices=flags.devices,
            exclude=flags.exclude or settings.exclude,
            rule_folders=_rule_folders(path, settings.rule_folders, flags.rules),
            origins=settings.origins
            | {key: f"--{key}" for key, value in of_flags.items() if value},
        )
    )


def _of_file(path: Path, flags: Flags) -> Settings:

    if flags.config:
        return read_settings(path, flags.profile)
    return read_found(path, flags.profile, flags.rules)


def _traffic_of_flag(
    path: Path | None,
) -> tuple[tuple[Traffic, ...], tuple[Transactions, ...], DlswDesign | None]:
    """The statements of a --traffic file, if there is one."""
    if path is None:
        return (), (), None

    read = read_traffic(path)
    return read.stated.traffic, read.stated.transactions, read.dlsw


def _rule_folders(
    file: Path | None, of_file: Iterable[RuleFolder], of_flags: Iterable[Path]
) -> tuple[RuleFolder, ...]:
    """Each folder once, however it is named."""
    stated = [replace(item, path=beside(file, item.path)) for item in of_file]
    named = [RuleFolder(folder, RULES_FLAG) for folder in of_flags]
    flagged = {os.path.realpath(item.path) for item in named}
    kept = [item for item in stated if os.path.realpath(item.path) not in flagged]
    folders = {os.path.realpath(item.path): item for item in reversed([*kept, *named])}
    return tuple(reversed(folders.values()))


def _without_file(profile: str | None) -> Settings:
    if profile is None:
        return Settings()
    if profile not in PROFILES:
        raise unknown_profile(profile, PROFILES)
    return replace(Settings(), layers=Layers(profile, "--profile", is_profile_of_flag=True))


def _layer_of_flags(flags: Flags) -> Layer:
    select = StatedNames(flags.select, "--select") if flags.select else None
    return Layer(
        select=select, ignore=StatedNames(flags.ignore, "--ignore") if flags.ignore else None
    )


def _platforms_of_flag(name: str | None) -> tuple[StatedPlatform, ...]:
    return (StatedPlatform("*", name, "--platform"),) if name is not None else ()
