"""The order of the stages: bytes to sections, trees, facts, devices, hits and findings."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from advisor.capture import Section, SectionKind, read_capture
from advisor.cards.card import Rule
from advisor.checks.base import Hit, Skip
from advisor.facts.read_config import read_facts
from advisor.findings import FileCoverage, Finding, Place, Skipped, Unjudged
from advisor.ios.detect import Dialect, identify
from advisor.ios.reader import parse_config
from advisor.ios.terminal import decode
from advisor.ios.tree import ConfigTree, Problem, ProblemKind
from advisor.observed.cpu import CpuLoad, read_cpu
from advisor.settings import Settings
from advisor.snapshot import Device, device_of


@dataclass(frozen=True, slots=True)
class Source:
    """An input file as it was read."""

    name: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Reading:
    """A device as one file shows it, with what was read of the file."""

    device: Device
    coverage: FileCoverage
    incomplete: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hits:
    """What rules say of a device, before words and remedies."""

    found: tuple[tuple[Rule, Hit[Any]], ...]
    skipped: tuple[Skipped, ...]


def read_source(source: Source, settings: Settings) -> Reading:
    """Read one file: what it is, the device it speaks of, what was understood."""
    text, _ = decode(source.payload)
    capture = read_capture(text, source.name)
    configs = [each for each in capture.sections if each.kind is SectionKind.CONFIG]
    loads = [load for each in capture.sections if (load := _cpu(each, source.name)) is not None]
    shows = [each for each in capture.sections if each.kind is SectionKind.SHOW]
    if configs:
        dialect, evidence = identify(configs[0].text)
    elif shows:
        dialect, evidence = Dialect.IOS, ""
    else:
        dialect, evidence = identify(text)
    is_ios = dialect is Dialect.IOS
    first = configs[0] if configs and is_ios else None
    tree = (
        parse_config(first.text, source.name, first.first_line)
        if first is not None
        else ConfigTree(source.name, ())
    )
    elsewhere = [each for each in capture.sections if each is not first]
    tree = replace(tree, problems=(*tree.problems, *_rejected(elsewhere, source.name)))
    facts = read_facts(tree)
    host = next((each.host for each in capture.sections if each.host), None)
    device = device_of(
        facts,
        host,
        cpu=tuple(loads),
        traffic=settings.traffic,
        dialect=dialect,
        evidence=evidence,
        evidence_line=_line_of(evidence, text),
    )
    lines = text.count("\n") + (not text.endswith("\n") and bool(text))
    coverage = _coverage(device, source.name, lines, _taken_for(dialect, configs, shows))
    return Reading(device, coverage, _incomplete(device, source.name))


def _rejected(sections: Sequence[Section], file: str) -> Iterator[Problem]:
    """Commands that the device refused outside of the configuration."""
    for each in sections:
        if "% " in each.text:
            problems = parse_config(each.text, file, each.first_line).problems
            yield from (one for one in problems if one.kind is ProblemKind.REJECTED)


def _line_of(evidence: str, text: str) -> int:
    """Number of the first line that holds the evidence; 1 where no single line shows it."""
    start = text.find(evidence) if evidence else -1
    return text.count("\n", 0, max(start, 0)) + 1


def _cpu(section: Section, file: str) -> CpuLoad | None:
    if section.kind is not SectionKind.SHOW:
        return None
    return read_cpu(section.text, file, section.first_line)


def _taken_for(dialect: Dialect, configs: Sequence[Section], shows: Sequence[Section]) -> str:
    if dialect is not Dialect.IOS:
        return f"{dialect.value}, declined"
    parts = ["Cisco IOS configuration"] if configs else []
    parts += [each.command or "show output" for each in shows]
    return ", ".join(dict.fromkeys(parts))


def _coverage(device: Device, file: str, lines: int, taken_for: str) -> FileCoverage:
    facts, train = device.facts, device.train
    unjudged = [Unjudged("dlsw", len(facts.dlsw_lines))] if facts.dlsw_lines else []
    unjudged += [Unjudged("ip sla", len(facts.probes))] if facts.probes else []
    has_config = bool(facts.tree.lines)
    assumed = []
    if has_config and train.assumed:
        assumed.append(f"IOS generation {train.generation} ({train.because})")
    if has_config and facts.platform is None:
        assumed.append("platform unknown: rings and their minimum are those of the family")
    problems = {each.kind for each in facts.tree.problems}
    return FileCoverage(
        file=file,
        device=device.name,
        taken_for=taken_for,
        lines=lines,
        qos_lines=facts.qos_lines_seen,
        qos_lines_understood=facts.qos_lines_understood,
        is_draft=has_config and not facts.tree.is_capture and ProblemKind.NO_END not in problems,
        unjudged=tuple(unjudged),
        assumed=tuple(assumed),
    )


def _incomplete(device: Device, file: str) -> tuple[str, ...]:
    if device.dialect is not Dialect.IOS:
        return (f"{file}: {device.dialect.value}, not judged",)
    cut = {ProblemKind.UNTERMINATED, ProblemKind.SHORT, ProblemKind.NO_END}
    return tuple(
        f"{file}:{each.number}: {each.detail}"
        for each in device.facts.tree.problems
        if each.kind in cut
    )


def judge(device: Device, rules: Sequence[Rule]) -> Hits:
    """Run rules on a device."""
    found: list[tuple[Rule, Hit[Any]]] = []
    skipped: list[Skipped] = []
    for rule in rules:
        for said in rule.check.find(device, rule.params):
            if isinstance(said, Skip):
                skipped.append(Skipped(device.name, rule.card.id, said.object, said.reason))
            else:
                found.append((rule, said))
    return Hits(tuple(found), tuple(skipped))


def finding_of(device: Device, rule: Rule, hit: Hit[Any], texts: dict[int, str]) -> Finding:
    """Words of a hit: the card's message with the numbers of its evidence. No remedy yet."""
    card = rule.card
    severity = card.severity
    if hit.severity is not None and hit.severity.rank > severity.rank:
        severity = hit.severity
    return Finding(
        device=device.name,
        rule=card.id,
        name=card.name,
        severity=severity,
        confidence=hit.confidence,
        object=hit.object,
        locations=tuple(Place(at.file, at.line, texts.get(at.line, "")) for at in hit.at),
        message=card.message.format_map(asdict(hit.evidence)),
        prediction=hit.forecast,
        remedy=None,
        sources=card.sources,
    )


def line_texts(device: Device) -> dict[int, str]:
    """Text of each line that a finding may quote, by its number."""
    texts = {line.number: line.text for line in device.facts.tree.walk()}
    texts.update({each.number: each.detail for each in device.facts.tree.problems})
    texts.update({load.at.line: load.text for load in device.cpu})
    texts.update({device.evidence_line: device.evidence} if device.evidence else {})
    return texts


def with_tree(device: Device, tree: ConfigTree) -> Device:
    """Return the same device with another config: what a remedy or a what-if makes of it."""
    return device_of(
        read_facts(tree),
        device.name,
        cpu=device.cpu,
        traffic=device.traffic,
        dialect=device.dialect,
        evidence=device.evidence,
        evidence_line=device.evidence_line,
    )


def ranked(findings: Iterator[Finding]) -> tuple[Finding, ...]:
    """Worst first: what the fix gives back, then severity, then place."""
    return tuple(
        sorted(
            findings,
            key=lambda each: (
                -(each.prediction.gain if each.prediction else 0.0),
                each.severity.rank,
                each.device,
                each.rule,
                each.object,
            ),
        )
    )
