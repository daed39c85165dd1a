"""The rules in force, asked for and stated, for all devices or for one."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from advisor.ground.data import HIDDEN, shown_key
from advisor.ground.faults import AdvisorError
from advisor.ground.questions import Kept
from advisor.lint.cards import CatalogueEntry, Rule, is_named, is_selected, load_rules, rule_of
from advisor.lint.findings import Severity
from advisor.settings import BUILT_IN, Layer, Settings, SettingsError, StatedNames, StatedRule
from advisor.settings.document import in_words, nearest
from advisor.settings.tables import folded, overrides_of, settings_of

# Selects the rules of the catalogue that are asked for, and the devices of a run.


class SelectionError(AdvisorError):
    """A name means no rule, or no rule is left; the message says where it stands."""


def matching(rules: Sequence[CatalogueEntry], names: Sequence[str], origin: str) -> tuple[str, ...]:
    """Ids of the rules that the names mean.

    Raises
    ------
    SelectionError
        If a name means no rule; says the nearest, and `origin`: the flag or the file and line.
    """
    for name in names:
        if not any(is_named(rule, name) for rule in rules):
            candidates = [
                candidate for rule in rules for candidate in (rule.card.id, rule.card.name)
            ]
            advice = nearest(name, candidates)
            if not advice.startswith("did"):
                advice = "`advisor rules list` shows all"
            raise SelectionError(f"{origin}: no rule {name!r}; {advice}")
    return tuple(rule.card.id for rule in rules if any(is_named(rule, name) for name in names))


def is_asked_for(device: str, settings: Settings) -> bool:
    """Whether a device is to be reported."""
    return not settings.devices or any(fnmatchcase(device, name) for name in settings.devices)


def without_device(
    asked: Sequence[str], judged: Sequence[str], left_out: Sequence[str]
) -> Iterator[str]:
    """A word for each name or glob that no device of a run has."""
    for name in absent_names(asked, judged):
        yield f"--device {name}: no device of the run; {nearest(name, [*judged, *left_out])}"


def absent_names(asked: Sequence[str], judged: Sequence[str]) -> tuple[str, ...]:
    """Names and globs that no device of a run has."""
    return tuple(name for name in asked if not any(fnmatchcase(device, name) for device in judged))


# The rules in force: cards, with what the user states of them, for all devices or for one.

_SEVERITY: Final = "severity"
_ENABLED: Final = "enabled"


def rules_of(settings: Settings) -> tuple[Rule, ...]:
    """All rules, bound to the budgets of the settings and to what they state of single rules.

    What settings of single devices state is looked at too.

    Raises
    ------
    SettingsError
        If a `[rules.NAME]` table, wherever it stands, names no rule or a key or value that the
        rule does not take.
    CardError
        If a card is wrong, or two cards share an id or a name.
    """
    rules = load_rules(settings.budgets)
    if settings.rule_folders:
        from advisor.lint.own_rules import merged, own_rules  # noqa: PLC0415 -- most runs have none

        rules = merged(rules, own_rules(settings))
    for layer in settings.layers.everywhere():
        for stated in layer.rules:
            for rule in _named(rules, stated):
                _with(rule, stated)
    return _adjusted(rules, settings.rules)


def of_device(
    rules: Sequence[Rule], settings: Settings, device: str
) -> tuple[Sequence[Rule], Settings]:
    """Rules and settings in force for a device; those that are given where no override holds."""
    places = overrides_of(settings, device)
    if not places:
        return rules, settings
    own, _ = _KEPT.of(
        (id(rules), id(settings), *places),
        lambda: (_overridden(rules, settings, device), (rules, settings)),
    )
    return own


_InForce = tuple[Sequence[Rule], Settings]
# For devices of the same overrides: with rules and settings, whose identities are in the key.
_KEPT: Final = Kept[tuple[int, ...], tuple[_InForce, _InForce]](64)


def _overridden(rules: Sequence[Rule], settings: Settings, device: str) -> _InForce:
    layers = replace(settings.layers, overrides=())
    own = replace(settings_of(settings, device), layers=layers)
    return _rebound(rules, own), own


def _rebound(rules: Sequence[Rule], settings: Settings) -> tuple[Rule, ...]:
    again = (
        replace(
            rule_of(rule, settings.budgets), site=rule.site, bound=rule.bound, is_own=rule.is_own
        )
        for rule in rules
    )
    return _adjusted(tuple(again), settings.rules)


def _adjusted(rules: tuple[Rule, ...], stated: Iterable[StatedRule]) -> tuple[Rule, ...]:
    adjusted = {rule.card.id: rule for rule in rules}
    for item in stated:
        for rule in _named(rules, item):
            adjusted[rule.card.id] = _with(adjusted[rule.card.id], item)
    return tuple(adjusted.values())


def _named(rules: Sequence[Rule], stated: StatedRule) -> Iterator[Rule]:
    """Rules that a table is about.

    Raises
    ------
    SettingsError
        If there is none, or several of a parameter.
    """
    named = [rule for rule in rules if is_named(rule, stated.rule)]
    exact = [
        rule for rule in named if stated.rule.lower() in {rule.card.id.lower(), rule.card.name}
    ]
    named = exact or named
    if not named:
        candidates = [word for rule in rules for word in (rule.card.id, rule.card.name)]
        advice = nearest(stated.rule, candidates)
        if not advice.startswith("did"):
            advice = "`advisor rules list` shows all"
        raise SettingsError(f"{_place(stated)} names no rule; {advice}")
    if len(named) > 1 and stated.key not in {_SEVERITY, _ENABLED}:
        message = f"{stated.key} is of one rule, and {len(named)} have this prefix"
        raise SettingsError(f"{_place(stated)} {message}")
    return iter(named)


def _place(stated: StatedRule) -> str:
    return f"{stated.source}: [rules.{shown_key(stated.rule, HIDDEN)}]"


def _with(rule: Rule, stated: StatedRule) -> Rule:
    """A rule with what a key states.

    Raises
    ------
    SettingsError
        If the rule has no such key, or not this value.
    """
    if stated.key == _ENABLED:
        if not isinstance(stated.value, bool):
            raise SettingsError(f"{_place(stated)} enabled: expected true or false")
        return replace(rule, is_on=stated.value)
    if stated.key == _SEVERITY:
        return replace(rule, severity=_severity(stated))
    fields = {field.name: field.type for field in msgspec.structs.fields(rule.params)}
    if stated.key not in fields:
        advice = nearest(stated.key, [_SEVERITY, _ENABLED, *fields])
        raise SettingsError(
            f"{_place(stated)} unknown key {shown_key(stated.key, HIDDEN)}; {advice}"
        )
    return rule.with_params(**{stated.key: _value(stated, fields)})


def _severity(stated: StatedRule) -> Severity:
    known = [str(severity) for severity in Severity]
    if stated.value not in known:
        advice = nearest(str(stated.value), known)
        raise SettingsError(f"{_place(stated)} severity: unknown {stated.value!r}; {advice}")
    return Severity(stated.value)


def _value(stated: StatedRule, fields: dict[str, Any]) -> object:
    try:
        value: object = msgspec.convert(stated.value, fields[stated.key])
    except msgspec.ValidationError as error:
        raise SettingsError(f"{_place(stated)} {stated.key}: {in_words(str(error))}") from error
    if isinstance(value, int | float) and not (math.isfinite(value) and value >= 0):
        raise SettingsError(f"{_place(stated)} {stated.key}: expected a number from 0 upwards")
    return value


def resolved(rules: Sequence[Rule], settings: Settings) -> Settings:
    """Settings with the names and prefixes of `select` and `ignore` as ids.

    Raises
    ------
    SelectionError
        If a name means no rule, or no rule is left, for all devices or those of an override.
    """
    for table in settings.suppress:
        matching(rules, table.rules, f"{table.source}: [[suppress]] rule")
    settings = _with_ids(rules, settings)
    _refuse_none(rules, settings, settings.origins)
    for override in settings.layers.overrides:
        own = folded(settings, [override])
        _refuse_none(_rebound(rules, own), own, {"ignore": f"{override.source}: [[override]]"})
    return settings


def _with_ids(rules: Sequence[Rule], settings: Settings) -> Settings:
    layers = settings.layers
    if not any(layer.select or layer.ignore for layer in layers.everywhere()):
        return settings

    def ids(stated: StatedNames | None, key: str) -> StatedNames | None:
        if stated is None:
            return None
        origin = stated.source if stated.source.startswith("--") else f"{stated.source} {key}"
        return replace(stated, names=matching(rules, stated.names, origin))

    def of(layer: Layer) -> Layer:
        return replace(
            layer, select=ids(layer.select, "select"), ignore=ids(layer.ignore, "ignore")
        )

    layers = replace(
        layers,
        profiles=tuple(replace(profile, layer=of(profile.layer)) for profile in layers.profiles),
        file=of(layers.file),
        overrides=tuple(
            replace(override, layer=of(override.layer)) for override in layers.overrides
        ),
        flags=of(layers.flags),
    )
    return folded(replace(settings, layers=layers))


def _refuse_none(rules: Sequence[Rule], settings: Settings, origins: Mapping[str, str]) -> None:
    if any(is_selected(rule, settings) for rule in rules):
        return
    off = [stated.source for stated in settings.rules if stated.value is False]
    origin = origins.get("ignore", BUILT_IN)
    if origin == BUILT_IN:
        origin = off[-1] if off else origins.get("select", BUILT_IN)
    elif not origin.startswith("--") and not origin.endswith("]]"):
        origin = f"{origin} ignore"
    raise SelectionError(f"{origin}: no rule is left to run")
