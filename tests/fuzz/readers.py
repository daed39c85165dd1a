"""Every reader of the product, called as the product calls it, with the errors it may raise."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from advisor.capture.cuts import read_capture
from advisor.capture.read_bundle import ManifestError, decode_manifest, read_bundle
from advisor.capture.sections import answer
from advisor.collect.hosts import InventoryError
from advisor.collect.inventory import targets_of
from advisor.facts.read_config import read_facts
from advisor.ios.edit.apply import apply
from advisor.ios.edit.undo import undo_commands
from advisor.ios.syntax.detect import identify
from advisor.ios.syntax.reader import parse_config
from advisor.ios.terminal import decode
from advisor.predict.size import SizingError, read_traffic_table
from advisor.predict.size.platform_line import read_calibration
from advisor.predict.what_if.path_hops import read_path
from advisor.settings import Flags, SettingsError
from advisor.settings.file import load_settings, read_traffic
from advisor.settings.read_scenarios import ScenarioError, read_scenarios
from advisor.shows.observe import observe
from advisor.shows.redact import redact_text
from tests.fuzz.case import Case
from tests.fuzz.oracles import words_before_secret


class BrokenLawError(Exception):
    """A reader returned what no reader may return."""


def _text(case: Case) -> str:
    return decode(case.files[case.main])[0]


def _capture(case: Case) -> None:
    text = _text(case)
    capture = read_capture(text, case.main)
    if "".join(section.text for section in capture.sections) != text:
        raise BrokenLawError("the sections of a capture are not its text")
    observe(capture.sections, case.main)


def _config(case: Case) -> None:
    text = _text(case)
    identify(text)
    tree = parse_config(text, case.main)
    if tree.text() != text:
        raise BrokenLawError("the tree of a config does not print its text")
    read_facts(tree)


def _edit(case: Case) -> None:
    before = parse_config(_text(case), case.main)
    half = before.lines[: len(before.lines) // 2]
    remedy = parse_config("".join(line.raw for line in half), "remedy")
    undo_commands(before, apply(before, remedy).tree)


def _redact(case: Case) -> None:
    text = _text(case)
    redacted = redact_text(text, case.main)
    if redacted.count("\n") != text.count("\n"):
        raise BrokenLawError("redaction changes the number of lines")
    if (words := words_before_secret(redacted)) is not None:
        raise BrokenLawError(f"redaction leaves a secret after `{words}`")


def _show(case: Case) -> None:
    section = answer(case.command, _text(case), file=case.main)
    observe([section], case.main)


def _manifest(case: Case) -> None:
    decode_manifest(case.files[case.main])


def _bundle(case: Case) -> None:
    read_bundle(Path(case.main).parent)


def _settings(case: Case) -> None:
    load_settings(Path.cwd(), Flags(Path(case.main)))


def _traffic(case: Case) -> None:
    read_traffic(Path(case.main))


def _scenarios(case: Case) -> None:
    read_scenarios(_text(case), case.main)


def _hops(case: Case) -> None:
    read_path(Path(case.main))


def _sites(case: Case) -> None:
    read_traffic_table(_text(case), case.main)


def _calibration(case: Case) -> None:
    read_calibration(Path(case.main))


def _inventory(case: Case) -> None:
    targets_of((), Path(case.main), (), None)


Errors = tuple[type[Exception], ...]
READERS: Final[dict[str, tuple[Callable[[Case], None], Errors]]] = {
    "capture": (_capture, ()),
    "config": (_config, ()),
    "edit": (_edit, ()),
    "redact": (_redact, ()),
    "show": (_show, ()),
    "manifest": (_manifest, (ManifestError,)),
    "bundle": (_bundle, ()),
    "settings": (_settings, (SettingsError,)),
    "traffic": (_traffic, (SettingsError,)),
    "scenarios": (_scenarios, (ScenarioError,)),
    "hops": (_hops, (SettingsError,)),
    "sites": (_sites, (SizingError,)),
    "calibration": (_calibration, (SettingsError,)),
    "inventory": (_inventory, (InventoryError,)),
}
