"""Layers of settings become the settings in force, of all devices or of one."""

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from msgspec.structs import replace

from advisor.settings.document import nearest
from advisor.settings.layers import BUILT_IN, Layer, Override, OwnProfile, StatedRule
from advisor.settings.values import PROFILES, Budgets, Settings, SettingsError


def overrides_of(settings: Settings, device: str) -> tuple[int, ...]:
    """Places of the `[[override]]` tables that hold for a device."""
    overrides = settings.layers.overrides
    return tuple(place for place, each in enumerate(overrides) if fnmatchcase(device, each.device))


def settings_of(settings: Settings, device: str) -> Settings:
    """Settings in force for a device; the same object where no override holds for it."""
    places = overrides_of(settings, device)
    if not places:
        return settings
    overrides = settings.layers.overrides
    return folded(settings, [overrides[place] for place in places])


def folded(settings: Settings, overrides: Sequence[Override] = ()) -> Settings:
    """Settings with what their layers and these overrides state; the last that states wins.

    `origins` says of each key where its value comes from.
    """
    layers = settings.layers
    profile, source = layers.profile, layers.profile_source
    for override in () if layers.is_profile_of_flag else overrides:
        if override.profile is not None:
            profile, source = override.profile, override.source
    own = tuple(profiles_of(layers.profiles, profile))
    ground = own[-1].extends if own else profile
    budgets = PROFILES[ground]
    origins = dict.fromkeys(
        (f"budgets.{name}" for name in Budgets.__struct_fields__), f"profile {ground}"
    )
    origins |= {"profile": source, "select": BUILT_IN, "ignore": BUILT_IN}
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rules: dict[tuple[str, str], StatedRule] = {}
    of_profiles = (each.layer for each in reversed(own))
    of_devices = (each.layer for each in overrides)
    for layer in (*of_profiles, layers.file, *of_devices, layers.flags):
        budgets = replace(budgets, **{each.name: each.value for each in layer.budgets})
        origins |= {f"budgets.{each.name}": each.source for each in layer.budgets}
        if layer.select is not None:
            select, origins["select"] = layer.select.names, layer.select.source
        if layer.ignore is not None:
            ignore, origins["ignore"] = layer.ignore.names, layer.ignore.source
        for stated in _special_last(layer):
            rules.pop((stated.rule, stated.key), None)  # it moves behind what it replaces
            rules[stated.rule, stated.key] = stated
    return replace(
        settings,
        budgets=budgets,
        profile=profile,
        select=select,
        ignore=ignore,
        rules=tuple(rules.values()),
        origins=settings.origins | origins,
    )


def profiles_of(own: Sequence[OwnProfile], name: str) -> Iterator[OwnProfile]:
    """A profile of the user and those of the user that it extends; none for a built-in one."""
    by_name = {profile.name: profile for profile in own}
    while (profile := by_name.get(name)) is not None:
        yield profile
        name = profile.extends


def _special_last(layer: Layer) -> list[StatedRule]:
    """A rule by its full name wins over a prefix of the same place."""
    return sorted(layer.rules, key=lambda stated: len(stated.rule))


def unknown_profile(name: str, known: Iterable[str]) -> SettingsError:
    """The error of a flag that names no profile."""
    return SettingsError(f"--profile: unknown {name!r}; {nearest(name, known)}")
