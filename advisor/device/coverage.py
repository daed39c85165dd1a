"""What was read of a file, and why that is not all: the coverage section of a report."""

from collections.abc import Iterable, Iterator

from advisor.capture import Section, SectionKind
from advisor.capture.masking import mask_quoted_line
from advisor.device.covered import FileCoverage, Unjudged
from advisor.device.device import Device
from advisor.ios.syntax.detect import Dialect
from advisor.ios.syntax.tree import ProblemKind
from advisor.shows.observations import Observations


def kind_of(dialect: Dialect, sections: Iterable[Section]) -> str:
    """What a file was taken for, in words."""
    if dialect is not Dialect.IOS:
        return f"{dialect.value}, declined"
    parts = []
    for each in sections:
        if each.kind is SectionKind.CONFIG:
            parts.append("Cisco IOS configuration")
        elif each.kind is SectionKind.SHOW:
            parts.append(each.command or "show output")
    return ", ".join(dict.fromkeys(parts))


def file_coverage(device: Device, file: str, lines: int, taken_for: str) -> FileCoverage:
    """Lines that were understood, kept without a verdict, and what was assumed."""
    facts, train = device.facts, device.train
    sna_lines = sum(len(each.sna_lines) for each in facts.interfaces)
    rsvp_lines = sum(each.rsvp is not None for each in facts.interfaces)
    kept = (
        ("dlsw", len(facts.dlsw.other)),
        ("sdlc, llc2 and qllc", sna_lines),
        ("ip rsvp bandwidth", rsvp_lines),
    )
    unjudged = [Unjudged(what, count) for what, count in kept if count]
    has_config = bool(facts.tree.lines)
    assumed = []
    if has_config and train.assumed:
        assumed.append(f"IOS generation {train.generation} ({train.because})")
    if has_config and device.platform is None:
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


def why_incomplete(device: Device, file: str) -> Iterator[str]:
    """Reasons for which the verdict on a file is not all."""
    if not device.is_ios:
        yield f"{file}: {device.dialect.value}, not judged"
    cut = {ProblemKind.UNTERMINATED, ProblemKind.SHORT, ProblemKind.NO_END}
    for each in device.facts.tree.problems:
        if each.kind in cut:
            cut_inside = each.kind is ProblemKind.UNTERMINATED  # a banner may hold anything
            said = f"cut inside `{mask_quoted_line(each.detail)}`" if cut_inside else each.detail
            yield f"{file}:{each.number}: {said}"
    yield from (f"{file}: {gap}" for gap in device.gaps)
    yield from not_understood(device.seen)


def not_understood(seen: Observations) -> Iterator[str]:
    """Outputs that no reader understood."""
    return (each.said for each in seen.taken if not each.understood)
