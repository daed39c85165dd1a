"""Settings in force as TOML that can be pasted into advisor.toml."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import asdict

from advisor.ground.quantity import rate_text
from advisor.ground.units import kbps_from_bps
from advisor.lint.cards import Rule
from advisor.report import printable
from advisor.settings import (
    BUILT_IN,
    RULES_FLAG,
    DlswDesign,
    Layer,
    Layers,
    Pattern,
    ReturnPath,
    RuleFolder,
    Settings,
    StatedBacklog,
    StatedBursts,
    StatedOnOff,
    StatedPlatform,
    StatedRate,
    StatedRule,
    StatedSuppression,
    StatedTcp,
    Traffic,
)

# Prefixes of the keys in a table, before the names of the fields.
_PREFIXES: Final[Mapping[object, str]] = {StatedBursts: "burst_", StatedBacklog: "backlog_"}


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


def _table(
    head: str, pairs: Iterable[tuple[str, object]], source: str | None = None
) -> Iterator[str]:
    """A table with its place; a value that is not stated is left out."""
    yield ""
    yield head if source is None else f"{head}  # {printable(source)}"
    yield from (f"{_key(name)} = {_toml(value)}" for name, value in pairs if value is not None)


def _lines(settings: Settings, rules: Sequence[Rule]) -> Iterator[str]:
    yield f"# {printable(settings.file or 'built-in settings; no advisor.toml was found')}"

    def origin(key: str) -> str:
        return f"  # {printable(settings.origins.get(key, BUILT_IN))}"

    stated = _stated_for_all(settings.layers)

    def line(key: str, text: str) -> str:
        return f"{'' if stated is None or key in stated else '# '}{text}{origin(key)}"

    yield f"profile = {_text(settings.profile)}{origin('profile')}"
    yield line("select", f"select = {_toml(settings.select)}")
    yield line("ignore", f"ignore = {_toml(settings.ignore)}")
    yield f"fail-on = {_text(settings.fail_on)}{origin('fail-on')}"
    if settings.baseline is not None:
        yield f"baseline = {_text(str(settings.baseline))}{origin('baseline')}"
    if settings.exclude:
        yield f"exclude = {_toml(settings.exclude)}{origin('exclude')}"
    yield from _rule_folders(settings.rule_folders)
    yield from _platforms(settings.platforms)
    yield from _rates(settings.rates)
    yield ""
    yield "[budgets]"
    for name, value in asdict(settings.budgets).items():
        key = f"budgets.{name}"
        unset = f"# {name}: not judged{origin(key)}"
        yield unset if value is None else line(key, f"{name} = {value}")
    yield from _rules(_of_rules(settings), rules)
    yield from _layers(settings.layers)
    yield from _stated_tables(settings)


def _stated_tables(settings: Settings) -> Iterator[str]:
    """Tables of what only the user can state."""
    if settings.return_path is not ReturnPath.UNSTATED:
        yield from _table("[ip_sla]", [("return_path", settings.return_path)])
    if settings.dlsw != DlswDesign():
        yield from _dlsw(settings.dlsw)
    for traffic in settings.traffic:
        yield from _table("[[traffic]]", _traffic(traffic), traffic.source)
    for peak in settings.transactions:
        pairs = [(key, value) for key, value in asdict(peak).items() if key != "source"]
        yield from _table("[[traffic]]", pairs, peak.source)
    if settings.site:
        yield from _table("[site]", settings.site)
    for stated in settings.suppress:
        yield from _table("[[suppress]]", _suppression(stated), stated.source)


def _stated_for_all(layers: Layers) -> set[str] | None:
    """Keys that the file or a flag states for all devices; None where nothing else differs."""
    if not layers.overrides:
        return None
    keys: set[str] = set()
    for layer in (layers.file, layers.flags):
        keys.update(f"budgets.{budget.name}" for budget in layer.budgets)
        keys.update(["select"] if layer.select is not None else [])
        keys.update(["ignore"] if layer.ignore is not None else [])
    return keys


def _of_rules(settings: Settings) -> Sequence[StatedRule]:
    """Statements about rules, without those of a profile that an override may replace."""
    return settings.layers.file.rules if settings.layers.overrides else settings.rules


def _rule_folders(folders: Sequence[RuleFolder]) -> Iterator[str]:
    flagged = [folder for folder in folders if folder.source == RULES_FLAG]
    named = [folder for folder in folders if folder not in flagged]
    if named:
        names = _toml([str(folder.path) for folder in named])
        yield f"rule-dirs = {names}  # {printable(named[0].source)}"
    for folder in flagged:
        yield f"# {printable(f'{folder.source} {folder.path}')}"


def _suppression(stated: StatedSuppression) -> Iterator[tuple[str, object]]:
    yield "rule", stated.rules
    yield "device", stated.device
    yield "object", stated.object or None
    yield "reason", stated.reason
    yield "until", stated.until


def _rules(stated: Sequence[StatedRule], rules: Sequence[Rule]) -> Iterator[str]:
    by_rule: dict[str, list[str]] = {}
    for statement in stated:
        by_rule.setdefault(statement.rule, []).append(_rule_key(statement))
    for name, keys in by_rule.items():
        yield ""
        yield f"[rules.{_key(name)}]"
        yield from keys
    for rule in rules:
        yield ""
        yield f"# {rule.card.id} {rule.card.name}"
        yield f"# severity = {_text(rule.severity)}, enabled = {_toml(rule.is_on)}"
        yield from (f"# {name} = {_toml(value)}" for name, value in asdict(rule.params).items())


def _rule_key(stated: StatedRule) -> str:
    return f"{_key(stated.key)} = {_toml(stated.value)}  # {printable(stated.source)}"


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
            yield f"{key} = {_toml(stated.names)}"
    if layer.budgets:
        budgets = [(budget.name, budget.value) for budget in layer.budgets]
        yield from _table(f"[{table}.budgets]", budgets)
    names = dict.fromkeys(stated.rule for stated in layer.rules)
    for name in names:
        yield from _table(f"[{table}.rules.{_key(name)}]", ())
        yield from (_rule_key(stated) for stated in layer.rules if stated.rule == name)


def _platforms(stated: Sequence[StatedPlatform]) -> Iterator[str]:
    if stated:
        yield ""
        yield "[platforms]"
    for statement in stated:
        source = printable(statement.source)
        yield f"{_text(statement.device)} = {_text(statement.platform)}  # {source}"


def _rates(stated: Sequence[StatedRate]) -> Iterator[str]:
    if stated:
        yield ""
        yield "[rates]"
    for rate in stated:
        place = f"{rate.device}:{rate.interface}"
        text = f"{rate_text(kbps_from_bps(rate.rate_bps))}k"
        yield f"{_text(place)} = {_text(text)}  # {printable(rate.source)}"


def _dlsw(design: DlswDesign) -> Iterator[str]:
    yield ""
    yield "[dlsw]"
    if design.redundant_peers:
        peers = _toml(design.redundant_peers)
        yield f"redundant_peers = {peers}  # {printable(design.peers_source)}"
    if design.fault_domain_peers is not None:
        source = printable(design.limit_source)
        yield f"fault_domain_peers = {design.fault_domain_peers}  # {source}"


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
