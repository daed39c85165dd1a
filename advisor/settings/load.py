"""Settings in force: those of a file, of a --traffic file and of flags; a flag wins."""

import os
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from msgspec.structs import replace

from advisor.settings.find_file import beside, find_settings_file
from advisor.settings.in_force import folded, unknown_profile
from advisor.settings.layers import Layer, Layers, StatedNames
from advisor.settings.values import (
    PROFILES,
    RULES_FLAG,
    DlswDesign,
    Flags,
    RuleFolder,
    Settings,
    StatedPlatform,
    Traffic,
    Transactions,
)


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
    of_flags = {"fail-on": flags.fail_on, "baseline": flags.baseline}
    return folded(
        replace(
            settings,
            layers=replace(settings.layers, flags=_layer_of_flags(flags)),
            fail_on=flags.fail_on or settings.fail_on,
            traffic=(*traffic, *settings.traffic),
            transactions=(*transactions, *settings.transactions),
            dlsw=dlsw or settings.dlsw,
            platforms=(*flag_platforms, *settings.platforms),
            suppresses=not flags.no_suppress,
            today=date.today(),  # noqa: DTZ011 -- the day of the user
            baseline=flags.baseline or (settings.baseline and beside(path, settings.baseline)),
            devices=flags.devices,
            rule_folders=_rule_folders(path, settings.rule_folders, flags.rules),
            origins=settings.origins
            | {key: f"--{key}" for key, value in of_flags.items() if value},
        )
    )


def _of_file(path: Path, flags: Flags) -> Settings:
    from advisor.settings.file import read_found, read_settings  # noqa: PLC0415 -- many have none

    if flags.config:
        return read_settings(path, flags.profile)
    return read_found(path, flags.profile, flags.rules)


def _traffic_of_flag(
    path: Path | None,
) -> tuple[tuple[Traffic, ...], tuple[Transactions, ...], DlswDesign | None]:
    """The statements of a --traffic file, if there is one."""
    if path is None:
        return (), (), None
    from advisor.settings.file import read_traffic  # noqa: PLC0415 -- most runs have none

    read = read_traffic(path)
    return read.stated.traffic, read.stated.transactions, read.dlsw


def _rule_folders(
    file: Path | None, of_file: Iterable[RuleFolder], of_flags: Iterable[Path]
) -> tuple[RuleFolder, ...]:
    """Each folder once, however it is named."""
    stated = [replace(each, path=beside(file, each.path)) for each in of_file]
    named = [RuleFolder(each, RULES_FLAG) for each in of_flags]
    flagged = {os.path.realpath(each.path) for each in named}
    kept = [each for each in stated if os.path.realpath(each.path) not in flagged]
    folders = {os.path.realpath(each.path): each for each in reversed([*kept, *named])}
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
