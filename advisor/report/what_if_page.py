"""The parts of the what-if page that follow its sliders, as HTML: figures, findings, plan."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from advisor import __version__
from advisor.capture.masking import mask_quoted
from advisor.ground.assets import asset_dir
from advisor.ground.quantity import count
from advisor.lint.findings import Finding
from advisor.lint.what_if import Followed, MovedFigures, MovedPlan, MovedSetting, OutputInputs
from advisor.predict.what_if.levers import Lever
from advisor.predict.what_if.moves import unit_of
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.report import all_printable, pictures, printable
from advisor.report.brief import is_note
from advisor.report.device_pages import (
    CONFIGURED,
    HERE,
    OutputStory,
    finding_view,
    output_view,
    plan_view,
)
from advisor.report.document import asset, filled, markup
from advisor.report.mask import hidden_line, mask_class, mask_path, masked_finding

_MOST_ELSEWHERE: Final = 50  # findings that are shown
_HIDDEN: Final = "! a line of these settings must not be shown"


PAGE: Final = "index.html"
_FOOTER: Final = (
    f"advisor {__version__}. A delay is a mean with its interval, and the worst case that no "
    "packet may exceed. Text that might be a secret is masked."
)
EXAMPLE: Final = "fixtures/bundles/wan-edge-demo"


class PageBackend(Struct, frozen=True):
    """What answers the page: its name in the script, what the page promises and says at first.

    `policy` is for a page that no server sends with a policy.
    """

    name: str
    promise: str
    waiting: str
    policy: str = ""


SERVER: Final = PageBackend(
    "server",
    "Nothing of it leaves this machine or is stored.",
    "Paste a configuration, or take the example.",
)
BROWSER: Final = PageBackend(
    "worker",
    "The product runs in this browser: nothing of it leaves this page.",
    "Loading the product into the page …",
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "connect-src 'self'; worker-src 'self' blob:; img-src data:; base-uri 'none'; "
    "form-action 'none'",
)


def page_texts(backend: PageBackend) -> dict[str, str]:
    """The what-if page, its style and its script, by the names of their files."""
    example = (asset_dir(EXAMPLE) / "running-config").read_text("utf-8")
    page = filled(
        "what_if.html.j2",
        policy=backend.policy,
        backend=backend.name,
        promise=backend.promise,
        waiting=backend.waiting,
        footer=_FOOTER,
        example=markup(example),
    )
    css = f"{asset('report.css')}\n{asset('what_if.css')}\n"
    script = f"{asset('shared.js')}\n{asset('what_if.js')}\n"
    return {PAGE: page, "page.css": css, "page.js": script}


class PageFigures(Struct, frozen=True):
    """The figures of an output as HTML, in a sentence, and why the input is not complete."""

    said: str
    figures: str
    incomplete: tuple[str, ...]


def output_name(output: OutputInputs) -> str:
    """The device and the path of an output."""
    device, label = printable(output.reading.device.name), printable(output.outlet.label)
    return f"{device}: {mask_path(label)}"


def shown_levers(output: OutputInputs) -> tuple[Lever, ...]:
    """Settings that can be moved at an output, without secrets in names of classes and groups."""
    return tuple(
        replace(each, of=mask_class(printable(each.of))) if each.of else each
        for each in output.levers
    )


def figures_page(figures: MovedFigures) -> PageFigures:
    """The output as it is set, beside the configured one where anything is moved."""
    is_moved = figures.is_moved
    words = (HERE, CONFIGURED) if is_moved else (CONFIGURED, "")
    before = figures.configured if is_moved else ()
    story = OutputStory(figures.object, figures.moved, before, has_plan=is_moved, words=words)
    view = output_view(story, tuple(_delay_plots(figures, words)))
    shown = {**view, "headline": ""}  # the status line of the page has it
    html = filled("figures.html.j2", output=shown, of=printable(figures.device), is_open=True)
    incomplete = (printable(mask_quoted(reason)) for reason in figures.incomplete)
    return PageFigures(str(view["headline"]), html, tuple(incomplete))


def _delay_plots(figures: MovedFigures, words: tuple[str, str]) -> Iterator[str]:
    before = {
        each.class_name: each for each in figures.configured if isinstance(each, ClassPrediction)
    }
    for each in figures.moved:
        if isinstance(each, ClassPrediction):
            known = before.get(each.class_name) if figures.is_moved else None
            name = mask_class(printable(each.class_name))
            beside = None if known is None else (words[1], known)
            plot = pictures.delay_plot(f"{name}: delay of its packets", each, words[0], beside)
            if plot is not None:
                yield plot


def plan_page(judged: MovedPlan) -> str:
    """Findings and plan of an output, its device's other findings, and the moved lines."""
    here, elsewhere = _views(judged.findings, "f"), _views(judged.elsewhere[:_MOST_ELSEWHERE], "e")
    notes = [view for view in here if is_note(view["finding"])]
    by_way = {way: [each for each in judged.moved if each.followed is way] for way in Followed}
    plan = plan_view(judged.plan, interface=judged.interface)
    if plan is not None and judged.moved:
        plan = _from_moved(plan, judged)
    return filled(
        "judged.html.j2",
        total=count(len(here), "finding") if here else "No finding",
        findings=[view for view in here if view not in notes],
        notes=notes,
        notes_title=", ".join(dict.fromkeys(view["finding"].rule for view in notes)),
        elsewhere=elsewhere,
        elsewhere_title=count(len(judged.elsewhere), "finding"),
        plan=plan,
        lines=_moved_lines(judged) if judged.lines else "",
        presumed=_named(by_way[Followed.STATED]),
        unfollowed=_named(by_way[Followed.NOTHING]),
        is_moved=bool(judged.moved),
    )


def _from_moved(plan: dict[str, object], judged: MovedPlan) -> dict[str, object]:
    """The plan behind the lines of the moved settings; its way back leads past them, too."""
    lines = f"{_moved_lines(judged)}\n!\n{plan['lines']}"
    if not judged.lines:
        return {**plan, "command": "", "lines": lines}
    words = "! rollback of what was moved on this page"
    unknown = "! none restores the configuration line for line"
    back = unknown if judged.back is None else _shown_lines(judged.back)
    undo = f"{words}, behind that of the plan\n{back}\n"
    remarks = "".join(f"!   {line}\n" for line in back.splitlines())
    lines = f"{lines}!\n{words}, behind that of the plan:\n{remarks}"
    return {**plan, "command": "", "lines": lines, "rollback": f"{plan['rollback']}{undo}"}


def _moved_lines(judged: MovedPlan) -> str:
    """Moved settings to paste; comments name those that no line sets."""
    says = (
        (Followed.LINE, "moved on this page"),
        (Followed.STATED, "moved on this page, no line sets it, findings and plan presume it"),
        (Followed.NOTHING, "moved on this page, no line sets it, findings and plan are without it"),
    )
    heads = [
        f"! {words}: {_named([each])}"
        for way, words in says
        for each in judged.moved
        if each.followed is way
    ]
    lines = _shown_lines(judged.lines)
    return "\n".join((*heads, lines) if lines else heads)


def _named(moved: Sequence[MovedSetting]) -> str:
    return ", ".join(map(_name, moved))


def _name(moved: MovedSetting) -> str:
    """A moved setting in the words of the page; one that a line sets by its key."""
    lever = moved.lever
    title = f"{lever.title} {mask_class(printable(lever.of))}" if lever.of else lever.title
    if moved.followed is Followed.LINE:
        return f"{lever.key} {moved.value:.10g} {unit_of(lever.key)}".rstrip()
    return f"{title} = {moved.value:.10g} {lever.unit}".rstrip()


def _shown_lines(lines: Sequence[str]) -> str:
    return _HIDDEN if hidden_line(lines) is not None else "\n".join(map(printable, lines))


def _views(findings: Sequence[Finding], anchor: str) -> list[dict[str, Any]]:
    shown = [all_printable(masked_finding(each)) for each in findings]
    files = {each.device: at.file for each in shown for at in each.locations[:1]}
    return [finding_view(f"{anchor}{place}", each, files) for place, each in enumerate(shown, 1)]
