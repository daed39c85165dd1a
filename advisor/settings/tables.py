"""Tables of a settings file: budgets, rules, `[dlsw]`, `[[suppress]]`; those of one device."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from fnmatch import fnmatchcase
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from advisor.ground.data import Key
from advisor.settings import (
    BUILT_IN,
    PROFILES,
    Budgets,
    DlswDesign,
    Layer,
    Override,
    OwnProfile,
    Settings,
    SettingsError,
    StatedBudget,
    StatedNames,
    StatedRule,
    StatedSuppression,
)
from advisor.settings.document import TomlDocument, nearest

# The `[dlsw]` table: redundant head ends, and the limit of peers on one router.

_MAX_PEERS = 100_000
_PEERS: Final = ("dlsw", "redundant_peers")
_LIMIT: Final = ("dlsw", "fault_domain_peers")
_FEWEST = 2  # the least number of peers that can be redundant


class DlswTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of the table as the user writes them."""

    redundant_peers: tuple[tuple[str, ...], ...] = ()
    fault_domain_peers: Annotated[int, Meta(ge=1, le=_MAX_PEERS)] | None = None


def design_of(document: TomlDocument, table: DlswTable) -> DlswDesign:
    """The design that the table states.

    Raises
    ------
    SettingsError
        If a set of redundant peers has one peer, a peer twice, or a peer of another set.
    """
    peers: set[str] = set()
    for group in table.redundant_peers:
        if len(group) < _FEWEST:
            raise document.error(_PEERS, "redundant_peers: a set needs at least two peers")
        for peer in group:
            if peer in peers:
                message = f"redundant_peers: {peer} occurs twice; a head end is in one set, once"
                raise document.error(_PEERS, message)
            peers.add(peer)
    limit = table.fault_domain_peers
    return DlswDesign(
        table.redundant_peers,
        limit,
        f"{document.name}:{document.line_of(_PEERS)}" if table.redundant_peers else "",
        f"{document.name}:{document.line_of(_LIMIT)}" if limit is not None else "",
    )


# The `[[suppress]]` tables: findings that the user accepts.

KEY = "suppress"
Text = Annotated[str, Meta(min_length=1)]


class SuppressTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a table as the user writes them; `rule` is one, or an array of several."""

    rule: Text | Annotated[tuple[Text, ...], Meta(min_length=1)]
    reason: Text
    device: Text = "*"
    object: str = ""
    until: date | None = None


NO_REASON: Final = "say why"  # stands where a reason is to be written


def suppressions_of(
    document: TomlDocument, tables: Iterable[SuppressTable]
) -> Iterator[StatedSuppression]:
    """The tables with their places.

    Raises
    ------
    SettingsError
        If a reason is blank, or the words that stand for one.
    """
    for number, table in enumerate(tables):
        reason = " ".join(table.reason.split())
        if reason in ("", NO_REASON):
            raise document.error((KEY, number, "reason"), "reason: say why it is accepted")
        yield StatedSuppression(
            table.device,
            " ".join(table.object.split()),
            (table.rule,) if isinstance(table.rule, str) else table.rule,
            reason,
            table.until,
            document.name,
            document.line_of((KEY, number)),
        )


# Tables of budgets and rules: of the file, of a `[profiles.NAME]` and of an `[[override]]`.

_Budget = Annotated[float, Meta(gt=0, le=1e9)]
_Percent = Annotated[float, Meta(gt=0, le=100)]
_Name = Annotated[str, Meta(min_length=1)]
_OWN: Final = "profiles"
_OVERRIDES: Final = "override"


class LayerTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys that each of these tables has."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    budgets: dict[str, object] = {}
    rules: dict[str, object] = {}


class ProfileTable(LayerTable, frozen=True, forbid_unknown_fields=True):
    """The keys of a profile of the user."""

    extends: str = "voice"


class OverrideTable(LayerTable, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of an override; `device` is a glob."""

    device: _Name
    profile: str | None = None


def layer_of(document: TomlDocument, table: LayerTable, path: Key = ()) -> Layer:
    """The layer that a table states.

    Raises
    ------
    SettingsError
        If a budget is unknown or no number that it can be, or a rule has no table.
    """
    return Layer(
        tuple(_budgets(document, table.budgets, (*path, "budgets"))),
        _names(document, table.select, (*path, "select")),
        _names(document, table.ignore, (*path, "ignore")),
        tuple(_rules(document, table.rules, (*path, "rules"))),
    )


def profiles_of_file(
    document: TomlDocument, tables: Mapping[str, object]
) -> tuple[OwnProfile, ...]:
    """The profiles of the user.

    Raises
    ------
    SettingsError
        If one has the name of a built-in one, or extends what is no profile, or itself.
    """
    profiles: dict[str, OwnProfile] = {}
    known = {**PROFILES, **tables}
    for name, table in tables.items():
        path = (_OWN, name)
        if name in PROFILES:
            raise document.error(path, f"{name} is a built-in profile: choose another name")
        own = document.convert(table, ProfileTable, path)
        if own.extends not in known:
            document.one_of((*path, "extends"), own.extends, known)
        layer = layer_of(document, own, path)
        profiles[name] = OwnProfile(name, own.extends, layer, document.place_of(path))
    _refuse_circles(document, profiles)
    return tuple(profiles.values())


def _refuse_circles(document: TomlDocument, profiles: Mapping[str, OwnProfile]) -> None:
    ending: set[str] = set()  # profiles that lead to a built-in one
    for name in profiles:
        seen, at = {name}, profiles[name].extends
        while at in profiles and at not in ending:
            if at in seen:
                raise document.error((_OWN, name, "extends"), f"extends: {name} extends itself")
            seen.add(at)
            at = profiles[at].extends
        ending.update(seen)


def overrides_of_file(
    document: TomlDocument, tables: Sequence[OverrideTable], profiles: Sequence[str]
) -> tuple[Override, ...]:
    """The overrides; `profiles` are the names that they may state.

    Raises
    ------
    SettingsError
        If one states an unknown profile, or what `layer_of` refuses.
    """
    overrides: list[Override] = []
    for number, table in enumerate(tables):
        path = (_OVERRIDES, number)
        if table.profile is not None:
            document.one_of((*path, "profile"), table.profile, profiles)
        layer = layer_of(document, table, path)
        overrides.append(Override(table.device, table.profile, layer, document.place_of(path)))
    return tuple(overrides)


def _budgets(
    document: TomlDocument, table: Mapping[str, object], path: Key
) -> Iterator[StatedBudget]:
    names = set(Budgets.__struct_fields__)
    for key, value in table.items():
        place = (*path, key)
        if key not in names:
            raise document.unknown(place, names)
        shape: type[float] = _Percent if key.endswith("_percent") else _Budget
        stated = document.convert(value, shape, place)
        yield StatedBudget(key, stated, document.place_of(place))


def _names(document: TomlDocument, names: tuple[str, ...] | None, path: Key) -> StatedNames | None:
    return None if names is None else StatedNames(names, document.place_of(path))


def _rules(document: TomlDocument, table: Mapping[str, object], path: Key) -> Iterator[StatedRule]:
    for rule, keys in table.items():
        if not isinstance(keys, dict):
            message = f"{rule}: expected a table, [{'.'.join(map(str, (*path, rule)))}]"
            raise document.error((*path, rule), message)
        for key, value in keys.items():
            yield StatedRule(rule, key, value, document.place_of((*path, rule, key)))


# Layers of settings become the settings in force, of all devices or of one.


def overrides_of(settings: Settings, device: str) -> tuple[int, ...]:
    """Places of the `[[override]]` tables that hold for a device."""
    overrides = settings.layers.overrides
    return tuple(place for place, item in enumerate(overrides) if fnmatchcase(device, item.device))


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
    of_profiles = (item.layer for item in reversed(own))
    of_devices = (item.layer for item in overrides)
    for layer in (*of_profiles, layers.file, *of_devices, layers.flags):
        budgets = replace(budgets, **{budget.name: budget.value for budget in layer.budgets})
        origins |= {f"budgets.{item.name}": item.source for item in layer.budgets}
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
