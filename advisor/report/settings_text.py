"""Settings in force as TOML that can be pasted into advisor.toml."""

from collections.abc import Iterator, Sequence

from msgspec.structs import asdict

from advisor.report.printable import printable
from advisor.settings.values import (
    DlswDesign,
    Pattern,
    ReturnPath,
    Settings,
    StatedBacklog,
    StatedBursts,
    StatedJitter,
    StatedOnOff,
    StatedPlatform,
    StatedTcp,
    Traffic,
    Transactions,
)


def render(settings: Settings) -> str:
    """Render profile, rule selection, budgets, and the stated traffic with its source."""
    return "\n".join(_lines(settings)) + "\n"


def _text(value: str) -> str:
    return '"' + printable(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _lines(settings: Settings) -> Iterator[str]:
    yield f"# {printable(settings.file or 'built-in settings; no advisor.toml was found')}"
    yield f"profile = {_text(settings.profile)}"
    yield f"select = [{', '.join(map(_text, settings.select))}]"
    yield f"ignore = [{', '.join(map(_text, settings.ignore))}]"
    yield f"fail-on = {_text(settings.fail_on)}"
    if settings.baseline is not None:
        yield f"baseline = {_text(str(settings.baseline))}"
    yield from _platforms(settings.platforms)
    yield ""
    yield "[budgets]"
    for name, value in asdict(settings.budgets).items():
        yield f"# {name}: not judged" if value is None else f"{name} = {value}"
    if settings.return_path is not ReturnPath.UNSTATED:
        yield ""
        yield "[ip_sla]"
        yield f"return_path = {_text(settings.return_path)}"
    if settings.dlsw != DlswDesign():
        yield from _dlsw(settings.dlsw)
    for traffic in settings.traffic:
        yield from _traffic(traffic)
    for transactions in settings.transactions:
        yield from _transactions(transactions)


def _platforms(stated: Sequence[StatedPlatform]) -> Iterator[str]:
    if stated:
        yield ""
        yield "[platforms]"
    for statement in stated:
        source = printable(statement.source)
        yield f"{_text(statement.device)} = {_text(statement.platform)}  # {source}"


def _dlsw(design: DlswDesign) -> Iterator[str]:
    yield ""
    yield "[dlsw]"
    sets = (f"[{', '.join(map(_text, peers))}]" for peers in design.redundant_peers)
    if design.redundant_peers:
        yield f"redundant_peers = [{', '.join(sets)}]  # {printable(design.peers_source)}"
    if design.fault_domain_peers is not None:
        source = printable(design.limit_source)
        yield f"fault_domain_peers = {design.fault_domain_peers}  # {source}"


def _transactions(peak: Transactions) -> Iterator[str]:
    yield ""
    yield f"[[traffic]]  # {printable(peak.source)}"
    yield f"device = {_text(peak.device)}"
    yield f"peak_tps = {peak.peak_tps}"
    yield f"out_bytes = {peak.out_bytes}"
    yield f"in_bytes = {peak.in_bytes}"
    yield f"ru_bytes = {peak.ru_bytes}"


def _traffic(traffic: Traffic) -> Iterator[str]:
    yield ""
    yield f"[[traffic]]  # {printable(traffic.source)}"
    yield f"device = {_text(traffic.device)}"
    yield f"interface = {_text(traffic.interface)}"
    yield f"class = {_text(traffic.class_name)}"
    if len(traffic.sizes) == 1:
        yield f"packet_bytes = {traffic.sizes[0].ip_bytes}"
    elif traffic.sizes:
        sizes = (f"{{ bytes = {size.ip_bytes}, share = {size.share} }}" for size in traffic.sizes)
        yield f"packet_bytes = [{', '.join(sizes)}]"
    pattern = traffic.pattern
    if traffic.packets_per_second is not None:
        active = pattern.active_ratio if isinstance(pattern, StatedOnOff) else 1.0
        yield f"packets_per_second = {traffic.packets_per_second / active}"
    yield from _of_some_packets(traffic)
    if traffic.tcp is not None:
        yield from _tcp(traffic.tcp)
        return
    if traffic.of_ip_sla:
        yield "ip_sla = true"
        return
    yield f"streams = {traffic.streams}"
    yield f"arrivals = {_text(traffic.arrivals)}"
    if traffic.conversations > 1:
        yield f"conversations = {traffic.conversations}"
    yield from _pattern(pattern)


def _pattern(pattern: Pattern | None) -> Iterator[str]:
    match pattern:
        case StatedJitter(jitter_ms):
            yield f"jitter_ms = {jitter_ms}"
        case StatedBursts(packets, spacing_ms):
            yield f"burst_packets = {packets}"
            yield f"burst_spacing_ms = {spacing_ms}"
        case StatedOnOff(on_ms, off_ms):
            yield f"on_ms = {on_ms}"
            yield f"off_ms = {off_ms}"
        case StatedBacklog(packets):
            yield f"backlog_packets = {packets}"
        case None:
            return


def _of_some_packets(traffic: Traffic) -> Iterator[str]:
    if traffic.marking is not None:
        scheme, _, code = traffic.marking.partition(" ")
        yield f"{scheme} = {_text(code)}"
    if traffic.group is not None:
        yield f"group = {_text(traffic.group)}"


def _tcp(tcp: StatedTcp) -> Iterator[str]:
    yield f"tcp_flows = {tcp.flows}"
    if tcp.rtt_low_ms is not None:
        yield f"rtt_ms = [{tcp.rtt_low_ms}, {tcp.rtt_high_ms}]"
    for key in ("receiver_window_bytes", "transfer_bytes", "target_share_percent"):
        value = getattr(tcp, key)
        if value is not None:
            yield f"{key} = {value}"
