"""Tables of budgets and rules: of the file, of a `[profiles.NAME]` and of an `[[override]]`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

from advisor.data import Key
from advisor.settings.document import Document
from advisor.settings.layers import (
    Layer,
    Override,
    OwnProfile,
    StatedBudget,
    StatedNames,
    StatedRule,
)
from advisor.settings.values import PROFILES, Budgets

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


def layer_of(document: Document, table: LayerTable, path: Key = ()) -> Layer:
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


def profiles_of_file(document: Document, tables: Mapping[str, object]) -> tuple[OwnProfile, ...]:
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


def _refuse_circles(document: Document, profiles: Mapping[str, OwnProfile]) -> None:
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
    document: Document, tables: Sequence[OverrideTable], profiles: Sequence[str]
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


def _budgets(document: Document, table: Mapping[str, object], path: Key) -> Iterator[StatedBudget]:
    names = set(Budgets.__struct_fields__)
    for key, value in table.items():
        place = (*path, key)
        if key not in names:
            raise document.unknown(place, names)
        shape: type[float] = _Percent if key.endswith("_percent") else _Budget
        stated = document.convert(value, shape, place)
        yield StatedBudget(key, stated, document.place_of(place))


def _names(document: Document, names: tuple[str, ...] | None, path: Key) -> StatedNames | None:
    return None if names is None else StatedNames(names, document.place_of(path))


def _rules(document: Document, table: Mapping[str, object], path: Key) -> Iterator[StatedRule]:
    for rule, keys in table.items():
        if not isinstance(keys, dict):
            message = f"{rule}: expected a table, [{'.'.join(map(str, (*path, rule)))}]"
            raise document.error((*path, rule), message)
        for key, value in keys.items():
            yield StatedRule(rule, key, value, document.place_of((*path, rule, key)))
