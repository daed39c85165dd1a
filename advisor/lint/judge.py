"""Rules on a device: hits, and the words of findings."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from advisor.capture import Section
from advisor.device.covered import DeviceCoverage, Wanted
from advisor.device.device import Device, train_of
from advisor.facts.read_config import read_facts
from advisor.faults import Guard, guarded
from advisor.ios.syntax.detect import Dialect
from advisor.ios.syntax.tree import ConfigTree, Location
from advisor.lint.cards import Rule
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.findings import Finding, Place, Skipped
from advisor.outlet.offer import speaks_of
from advisor.outlet.outlet import outlets
from advisor.settings.values import Traffic, Transactions


class Hits(Struct, frozen=True):
    """What rules say of a device, before words and remedies."""

    found: tuple[tuple[Rule, Hit[Any]], ...]
    skipped: tuple[Skipped, ...]


def judge(device: Device, rules: Sequence[Rule], guard: Guard | None = None) -> Hits:
    """Run rules on a device; with a guard one that fails leaves the others to judge."""
    found: list[tuple[Rule, Hit[Any]]] = []
    skipped: list[Skipped] = []
    for rule in rules:
        with guarded(guard, device.facts.tree.file, rule.card.id):
            for said in rule.check.find(device, rule.params):
                if isinstance(said, Skip):
                    skipped.append(Skipped(device.name, rule.card.id, said.object, said.reason))
                else:
                    found.append((rule, said))
    return Hits(tuple(found), tuple(skipped))


def sound(device: Device, rules: Sequence[Rule], guard: Guard | None) -> Sequence[Rule]:
    """Rules that did not fail on a device: a proof cannot run the others."""
    if guard is None:
        return rules
    file = device.facts.tree.file
    return [rule for rule in rules if not guard.holds(file, rule.card.id)]


def finding_of(device: Device, rule: Rule, hit: Hit[Any], texts: dict[Location, str]) -> Finding:
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
        locations=tuple(Place(at.file, at.line, texts.get(at, "")) for at in hit.at),
        message=card.message.format_map(asdict(hit.evidence)),
        prediction=hit.forecast,
        remedy=None,
        sources=card.sources,
    )


def line_texts(device: Device, shown: Sequence[Section]) -> dict[Location, str]:
    """Text of each line that a finding may quote: of the config, and of show outputs."""
    tree = device.facts.tree
    texts = {
        Location(each.file, each.first_line + index): line.strip()
        for each in shown
        for index, line in enumerate(each.text.split("\n"))
    }
    texts.update({tree.at(line): line.text for line in tree.walk()})
    texts.update(
        {Location(tree.file, each.number): each.detail for each in tree.problems if each.quotes}
    )
    return texts


def with_tree(device: Device, tree: ConfigTree) -> Device:
    """Return the same device with another config: what a remedy or a what-if makes of it."""
    facts = read_facts(tree)
    return replace(device, facts=facts, train=train_of(facts, device.seen))


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


def device_coverage(device: Device, rules: Sequence[Rule]) -> DeviceCoverage:
    """Commands captured of a device, and those that rules would have judged by."""
    captured = tuple(dict.fromkeys(each.command for each in device.seen.taken))
    wanting: dict[str, list[str]] = {}
    for rule in rules:
        for command in rule.check.wants:
            if not any(each.startswith(command) for each in captured):
                wanting.setdefault(command, []).append(rule.card.id)
    missing = tuple(Wanted(command, tuple(ids)) for command, ids in sorted(wanting.items()))
    return DeviceCoverage(device.name, captured, missing if _is_read(device) else ())


def _is_read(device: Device) -> bool:
    return device.dialect is Dialect.IOS


def used_traffic(device: Device) -> set[Traffic]:
    """Statements of the user that name a class of an output of this device."""
    found = outlets(device) if device.traffic else ()
    return {each for each in device.traffic for outlet in found if speaks_of(each, outlet)}


def unused(traffic: Iterable[Traffic | Transactions]) -> Iterator[Skipped]:
    """A word for each statement that no output, or no device, of the run answers to."""
    for each in traffic:
        if isinstance(each, Transactions):
            reason = "this [[traffic]] with peak_tps is of no device of the run: a misspelt name?"
            yield Skipped(each.device, "traffic", each.source, reason)
            continue
        said = f"interface {each.interface}, class {each.class_name}"
        reason = "this [[traffic]] names no class of any output: a misspelt name?"
        yield Skipped(each.device, "traffic", f"{each.source}: {said}", reason)
