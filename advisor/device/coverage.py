"""What was read of a file, and what was not: the coverage section of a report."""

from collections.abc import Iterable, Iterator

from advisor.capture import Section, SectionKind
from advisor.capture.masking import mask_quoted_line
from advisor.device.covered import FileCoverage, Unjudged
from advisor.device.device import Device
from advisor.ios.syntax.detect import Dialect
from advisor.ios.syntax.tree import ProblemKind
from advisor.shows.observations import Observations


def kind_of(dialect: Dialect, sections: Iterable[Section]) -> str:
    """Kind of a file, in words."""
    if dialect is not Dialect.IOS:
        return f"{dialect.value}, declined"
    parts = []
    for section in sections:
        if section.kind is SectionKind.CONFIG:
            parts.append("Cisco IOS configuration")
        elif section.kind is SectionKind.SHOW:
            parts.append(section.command or "show output")
    return ", ".join(dict.fromkeys(parts))


def file_coverage(device: Device, file: str, lines: int, taken_for: str) -> FileCoverage:
    """Lines that were understood, kept without a verdict, and what was assumed."""
    facts, train = device.facts, device.train
    sna_lines = sum(len(interface.sna_lines) for interface in facts.interfaces)
    kept = (("dlsw", len(facts.dlsw.other)), ("sdlc, llc2 and qllc", sna_lines))
    unjudged = [Unjudged(what, count) for what, count in kept if count]
    has_config = bool(facts.tree.lines)
    assumed = []
    if has_config and train.assumed:
        assumed.append(f"IOS generation {train.generation} ({train.because})")
    if has_config and device.platform is None:
        assumed.append("platform unknown: rings and their minimum are those of the family")
    problems = {problem.kind for problem in facts.tree.problems}
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
    """Reasons why the verdict on a file is incomplete."""
    if not device.is_ios:
        yield f"{file}: {device.dialect.value}, not judged"
    cut = {ProblemKind.UNTERMINATED, ProblemKind.SHORT, ProblemKind.NO_END}
    for problem in device.facts.tree.problems:
        if problem.kind in cut:
            cut_inside = problem.kind is ProblemKind.UNTERMINATED  # a banner may hold anything
            said = (
                f"cut inside `{mask_quoted_line(problem.detail)}`" if cut_inside else problem.detail
            )
            yield f"{file}:{problem.number}: {said}"
    yield from (f"{file}: {gap}" for gap in device.gaps)
    yield from not_understood(device.seen)


def not_understood(seen: Observations) -> Iterator[str]:
    """Outputs that no reader understood."""
    return (taken.said for taken in seen.taken if not taken.understood)
