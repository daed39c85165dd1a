"""Designs of `advisor design` as Markdown: for a change request."""

from collections.abc import Iterator

from advisor.design.edge import EdgeDesign, RefusedDemand
from advisor.design.edge_far import FarEnd
from advisor.design.wred import WredDesign
from advisor.quantity import number, rate_text
from advisor.report import design_edge_text, design_text
from advisor.report.manner import Manner
from advisor.report.markdown import block, escaped, section
from advisor.report.text import input_text


def render_edge(design: EdgeDesign | RefusedDemand, manner: Manner | None = None) -> str:
    """Requirements, settings, predictions, budgets, lines and rollback of both ends."""
    del manner
    lines = _refused(design) if isinstance(design, RefusedDemand) else _edge(design)
    return "".join(f"{line}\n" for line in lines)


def render_wred(design: WredDesign, manner: Manner | None = None) -> str:
    """Settings and shares as `design wred` prints them, lines and rollback."""
    del manner
    return "".join(f"{line}\n" for line in _wred(design))


def _refused(refused: RefusedDemand) -> Iterator[str]:
    yield "# Cannot be met"
    yield ""
    yield escaped(refused.reason)
    yield ""
    yield from section("Would fit", refused.fits)


def _edge(design: EdgeDesign) -> Iterator[str]:
    place = f"{design.interface} of {rate_text(design.link_kbps)} kb/s"
    yield f"# {escaped(f'{place} on {design.platform} ({design.release})')}"
    yield ""
    yield from section("Given", [input_text(source) for source in design.inputs])
    settings = [*design_edge_text.settings_of(design), *design_edge_text.voice_of(design.voice)]
    yield from section("Settings", [line.strip() for line in settings])
    if design.not_predicted is not None:
        yield from section("Not predicted", [design.not_predicted])
    classes = [design_edge_text.class_words(each) for each in design.classes]
    yield from section("Predicted, all lower classes congested", classes)
    yield from _budgets(design)
    yield from section("Notes", design.remarks)
    losses = [design_edge_text.loss_words(each) for each in design.losses]
    yield from section("Replaced or taken off", losses)
    yield from _proven(design)
    if design.far is not None:
        yield from _far_end(design.far)


def _budgets(design: EdgeDesign) -> Iterator[str]:
    if not design.held and not design.queues:
        return
    yield "## Budgets"
    yield ""
    yield "| figure | before | up to | budget |"
    yield "| --- | --- | --- | --- |"
    for held in design.held:
        name, unit = escaped(held.name), escaped(held.unit)
        yield f"| {name} | | {number(held.predicted)} {unit} | {held.budget:g} {unit} |"
    for queue in design.queues:
        yield (
            f"| full queue of {escaped(queue.name)} | {number(queue.before.high)} ms "
            f"| {number(queue.after.high)} ms | {queue.budget_ms:g} ms |"
        )
    yield ""


def _far_end(far: FarEnd) -> Iterator[str]:
    yield f"# {escaped(f'Far end: {far.interface} on {far.platform} ({far.release})')}"
    yield ""
    yield from section("Only here", far.only_here)
    yield from section("Only there", far.only_there)
    yield from _proven(far, " of the far end")


def _wred(design: WredDesign) -> Iterator[str]:
    yield f"# {escaped(f'WRED by {design.basis} for {design.generation} ({design.release})')}"
    yield ""
    yield from section("Given", [input_text(source) for source in design.inputs])
    yield "## Settings and shares"
    yield ""
    yield from block([line.rstrip() for line in design_text.figures_of(design)])
    yield from section("Notes", [*design.notes, *design_text.shortfalls_of(design)])
    yield from _proven(design)


def _proven(design: EdgeDesign | FarEnd | WredDesign, of: str = "") -> Iterator[str]:
    """The lines of a design, their rollback and their proof."""
    for title, lines in (("Lines", design.lines), ("Rollback", design.rollback)):
        yield f"## {title}{of}"
        yield ""
        yield from block(lines or (design_edge_text.NOTHING,))
    yield from section(f"Proof{of}", design.proof)
