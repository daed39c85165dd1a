"""Settings in force as TOML that can be pasted into advisor.toml."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec.structs import asdict

from advisor.ground.quantity import rate_text
from advisor.ground.units import kbps_from_bps
from advisor.lint.cards import Rule
from advisor.report import printable
from advisor.settings import (
    BUILT_IN,
    RULES_FLAG,
    Budgets,
    Layer,
    Layers,
    Pattern,
    ReturnPath,
    RuleFolder,
    Settings,
    StatedBacklog,
    StatedBursts,
    StatedOnOff,
    StatedRate,
    StatedRule,
    StatedSuppression,
    StatedTcp,
    Traffic,
)

# Prefixes of the keys in a table, before the names of the fields.
_PREFIXES: Final[Mapping[object, str]] = {StatedBursts: "burst_", StatedBacklog: "backlog_"}


_Row: TypeAlias = tuple[str, object] | tuple[str, object, str]  # key, value, place


class _Toml(str):
    """A value that is TOML already."""

    __slots__ = ()


def render(settings: Settings, rules: Sequence[Rule] = ()) -> str:
    """Render profile, rule selection, budgets, and what is stated, each with its place.

    Of `rules` all parameters are shown; of other rules what the settings state. Where overrides may
    choose other profiles, what comes from a profile is a comment: pasted, it would hold for them.
    """
    return "\n".join(_lines(settings, rules)) + "\n"


def _text(value: str) -> str:
    """A basic string of TOML that reads back as it was."""
    return '"' + "".join(map(_char, value)) + '"'


def _char(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else f"\\U{ord(char):08x}"


def _key(word: str) -> str:
    """A word as a key of TOML."""
    return word if re.fullmatch(r"[A-Za-z0-9_-]+", word) else _text(word)


def _toml(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value if isinstance(value, _Toml) else _text(value)
        case list() | tuple():
            return f"[{', '.join(map(_toml, value))}]"
        case dict():
            return "{" + ", ".join(f"{_key(name)} = {_toml(value[name])}" for name in value) + "}"
        case None:
            return "none"
        case _:
            return printable(str(value))


def _source(source: str | None) -> str:
    return "" if source is None else f"  # {printable(source)}"


def _row(key: str, value: object, source: str | None = None) -> str:
    return f"{_key(key)} = {_toml(value)}{_source(source)}"


def _table(
    head: str,
    rows: Iterable[_Row],
    source: str | None = None,
) -> Iterator[str]:
    """A table and its rows, each with its place.

    A value that is not stated is left out, and a table without rows and place.
    """
    stated = [_row(*row) for row in rows if row[1] is not None]
    if stated or source is not None:
        yield from ("", f"{head}{_source(source)}", *stated)


def _lines(settings: Settings, rules: Sequence[Rule]) -> Iterator[str]:
    yield f"# {printable(settings.file or 'built-in settings; no advisor.toml was found')}"

    def row(key: str, name: str, value: object) -> str:
        mark = "# " if key in of_profile else ""
        return f"{mark}{_row(name, value, settings.origins.get(key, BUILT_IN))}"

    of_profile = _of_profile(settings.layers)
    keys: dict[str, object] = {
        "profile": settings.profile,
        "select": settings.select,
        "ignore": settings.ignore,
        "fail-on": settings.fail_on,
        "baseline": None if settings.baseline is None else str(settings.baseline),
        "exclude": settings.exclude or None,
    }
    yield from (row(key, key, value) for key, value in keys.items() if value is not None)
    yield from _rule_folders(settings.rule_folders)
    platforms = ((stated.device, stated.platform, stated.source) for stated in settings.platforms)
    yield from _table("[platforms]", platforms)
    yield from _table("[rates]", map(_rate, settings.rates))
    yield from ("", "[budgets]")
    for name, value in asdict(settings.budgets).items():
        key = f"budgets.{name}"
        unset = f"# {name}: not judged{_source(settings.origins.get(key, BUILT_IN))}"
        yield unset if value is None else row(key, name, value)
    yield from _rules("rules", _of_rules(settings))
    for rule in rules:
        yield from ("", f"# {rule.card.id} {rule.card.name}")
        yield f"# severity = {_text(rule.severity)}, enabled = {_toml(rule.is_on)}"
        yield from (f"# {name} = {_toml(value)}" for name, value in asdict(rule.params).items())
    yield from _layers(settings.layers)
    yield from _stated_tables(settings)


def _stated_tables(settings: Settings) -> Iterator[str]:
    """Tables of what only the user can state."""
    if settings.return_path is not ReturnPath.UNSTATED:
        yield from _table("[ip_sla]", [("return_path", settings.return_path)])
    dlsw = settings.dlsw
    yield from _table(
        "[dlsw]",
        [
            ("redundant_peers", dlsw.redundant_peers or None, dlsw.peers_source),
            ("fault_domain_peers", dlsw.fault_domain_peers, dlsw.limit_source),
        ],
    )
    for traffic in settings.traffic:
        yield from _table("[[traffic]]", _traffic(traffic), traffic.source)
    for peak in settings.transactions:
        pairs = [(key, value) for key, value in asdict(peak).items() if key != "source"]
        yield from _table("[[traffic]]", pairs, peak.source)
    yield from _table("[site]", settings.site)
    for stated in settings.suppress:
        yield from _table("[[suppress]]", _suppression(stated), stated.source)


def _of_profile(layers: Layers) -> set[str]:
    """Keys that overrides may change by another profile: nothing states them for all devices."""
    if not layers.overrides:
        return set()
    keys = {"select", "ignore", *(f"budgets.{name}" for name in Budgets.__struct_fields__)}
    for layer in (layers.file, layers.flags):
        keys.difference_update(f"budgets.{budget.name}" for budget in layer.budgets)
        keys.difference_update(["select"] if layer.select is not None else [])
        keys.difference_update(["ignore"] if layer.ignore is not None else [])
    return keys


def _of_rules(settings: Settings) -> Sequence[StatedRule]:
    """Statements about rules, without those of a profile that an override may replace."""
    return settings.layers.file.rules if settings.layers.overrides else settings.rules


def _rule_folders(folders: Sequence[RuleFolder]) -> Iterator[str]:
    flagged = [folder for folder in folders if folder.source == RULES_FLAG]
    named = [folder for folder in folders if folder not in flagged]
    if named:
        yield _row("rule-dirs", [str(folder.path) for folder in named], named[0].source)
    for folder in flagged:
        yield f"# {printable(f'{folder.source} {folder.path}')}"


def _suppression(stated: StatedSuppression) -> Iterator[tuple[str, object]]:
    yield "rule", stated.rules
    yield "device", stated.device
    yield "object", stated.object or None
    yield "reason", stated.reason
    yield "until", stated.until


def _rules(table: str, stated: Sequence[StatedRule]) -> Iterator[str]:
    """A table for each rule, in the order in which the rules are first stated."""
    for name in dict.fromkeys(statement.rule for statement in stated):
        rows = ((item.key, item.value, item.source) for item in stated if item.rule == name)
        yield from _table(f"[{table}.{_key(name)}]", rows)


def _layers(layers: Layers) -> Iterator[str]:
    for profile in layers.profiles:
        table = f"profiles.{_key(profile.name)}"
        yield from _table(f"[{table}]", [("extends", profile.extends)], profile.source)
        yield from _layer(profile.layer, table)
    for override in layers.overrides:
        pairs = [("device", override.device), ("profile", override.profile)]
        yield from _table("[[override]]", pairs, override.source)
        yield from _layer(override.layer, "override")


def _layer(layer: Layer, table: str) -> Iterator[str]:
    for key, stated in (("select", layer.select), ("ignore", layer.ignore)):
        if stated is not None:
            yield _row(key, stated.names)
    budgets = ((budget.name, budget.value) for budget in layer.budgets)
    yield from _table(f"[{table}.budgets]", budgets)
    yield from _rules(f"{table}.rules", layer.rules)


def _rate(rate: StatedRate) -> tuple[str, str, str]:
    text = f"{rate_text(kbps_from_bps(rate.rate_bps))}k"
    return f"{rate.device}:{rate.interface}", text, rate.source


def _traffic(traffic: Traffic) -> Iterator[tuple[str, object]]:
    yield "device", traffic.device
    yield "interface", traffic.interface
    yield "class", traffic.class_name
    if len(traffic.sizes) == 1:
        yield "packet_bytes", traffic.sizes[0].ip_bytes
    elif traffic.sizes:
        sizes = (f"{{ bytes = {size.ip_bytes}, share = {size.share} }}" for size in traffic.sizes)
        yield "packet_bytes", [*map(_Toml, sizes)]
    pattern = traffic.pattern
    if traffic.packets_per_second is not None:
        active = pattern.active_ratio if isinstance(pattern, StatedOnOff) else 1.0
        yield "packets_per_second", traffic.packets_per_second / active
    if traffic.marking is not None:
        scheme, _, code = traffic.marking.partition(" ")
        yield scheme, code
    yield "group", traffic.group
    if traffic.tcp is not None:
        yield from _tcp(traffic.tcp)
    elif traffic.of_ip_sla:
        yield "ip_sla", True
    else:
        yield "streams", traffic.streams
        yield "arrivals", traffic.arrivals
        yield "conversations", traffic.conversations if traffic.conversations > 1 else None
        yield from _pattern(pattern)


def _pattern(pattern: Pattern | None) -> Iterator[tuple[str, object]]:
    prefix = _PREFIXES.get(type(pattern), "")
    fields = () if pattern is None else asdict(pattern).items()
    yield from ((f"{prefix}{name}", value) for name, value in fields)


def _tcp(tcp: StatedTcp) -> Iterator[tuple[str, object]]:
    yield "tcp_flows", tcp.flows
    if tcp.rtt_low_ms is not None:
        yield "rtt_ms", (tcp.rtt_low_ms, tcp.rtt_high_ms)
    for key in ("receiver_window_bytes", "transfer_bytes", "target_share_percent"):
        yield key, getattr(tcp, key)
