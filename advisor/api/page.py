"""What the what-if page asks: texts to outputs, moved settings to figures, findings and a plan.

Results are parts of the page, masked and escaped. The page asks through this module alone.
"""

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from advisor.api import InForce, Run, in_force, of_texts
from advisor.capture.masking import mask_quoted
from advisor.device.index import read_devices
from advisor.ground.assets import asset_dir
from advisor.ground.faults import AdvisorError
from advisor.lint.what_if import OutputInputs, moved_figures, moved_plan, moves_at, outputs_of
from advisor.predict.what_if.levers import Lever
from advisor.report import printable
from advisor.report.document import asset as page_asset
from advisor.report.what_if_page import (
    BROWSER,
    EXAMPLE,
    SERVER,
    PageFigures,
    figures_page,
    output_name,
    page_texts,
    plan_page,
    shown_levers,
)
from advisor.settings import SettingsError
from advisor.settings.file import settings_of_text

__all__ = [
    "BROWSER",
    "EXAMPLE",
    "SERVER",
    "AdvisorError",
    "Lever",
    "OpenedPage",
    "OutputInputs",
    "PageFigures",
    "figures",
    "opened",
    "output_name",
    "page_asset",
    "page_texts",
    "plan",
    "shipped_folders",
    "shown_error",
    "shown_levers",
]  # fmt: skip


class OpenedPage(Struct, frozen=True, eq=False):
    """Texts that were read: the run, the rules in force, and the outputs with known queueing."""

    run: Run
    force: InForce
    outputs: tuple[OutputInputs, ...]
    unjudged: Mapping[str, str]  # what texts are that are not judged, by their names


def opened(texts: Mapping[str, str], settings_text: str) -> OpenedPage:
    """Read texts with the text of a settings file, which loads no rules and names no other file.

    Raises
    ------
    AdvisorError
        If there is no output with known queueing, or the settings are not understood.
    """
    run = of_texts(texts)
    if settings_text.strip():
        stated = settings_of_text(settings_text)
        if stated.rule_folders or stated.baseline is not None:
            raise SettingsError("settings: rule-dirs and baseline name files: a page reads none")
        run = replace(run, settings=replace(stated, today=date.today()))  # noqa: DTZ011 -- the user's
    readings = tuple(read_devices(run.sources, run.settings))
    outputs = outputs_of(readings)
    parts = (part for each in readings for part in each.coverage)
    unjudged = {part.file: part.taken_for for part in parts if part.other_system is not None}
    return OpenedPage(run, in_force(run.settings), outputs, unjudged)


def figures(page: OpenedPage, output: OutputInputs, moved: Mapping[str, float]) -> PageFigures:
    """The figures of an output with settings moved.

    Raises
    ------
    AdvisorError
        If the output cannot be moved so, or nothing can be predicted.
    """
    return figures_page(moved_figures(output, moves_at(output, moved), page.run.settings))


def plan(page: OpenedPage, output: OutputInputs, moved: Mapping[str, float]) -> str:
    """The findings and the plan of a device with settings moved at an output, as HTML.

    Raises
    ------
    AdvisorError
        If the output cannot be moved so.
    """
    rules, settings = page.force.rules, page.force.settings
    return plan_page(moved_plan(output, moves_at(output, moved), rules, settings))


def shipped_folders() -> dict[str, Path]:
    """The data that an answer reads, by its place among the assets of the wheel."""
    names = ("rules", "templates", EXAMPLE)
    return {name: asset_dir(name) for name in names}


def shown_error(error: AdvisorError) -> str:
    """The message of an error without secrets, and printable."""
    return printable(mask_quoted(str(error)))
