"""What `predict` and `config show` do."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from advisor.cli import prediction_text
from advisor.cli.errors import Code, WrongUseError
from advisor.cli.inputs import STDIN, Inputs, first_folder
from advisor.cli.output import emit, show, style_of
from advisor.cli.view import View
from advisor.cli.wrong_use import says_what_is_wrong
from advisor.reading import Source
from advisor.report import json_report, settings_text
from advisor.settings import Flags, SettingsError
from advisor.settings_file import load_settings
from advisor.what_if import InputError, predict_sources


@says_what_is_wrong(SettingsError, InputError)
def predict(
    path: str, flags: Flags, view: View, interface: str | None, overrides: Sequence[str]
) -> Code:
    """Print the predictions of one file."""
    moved = _key_values(overrides)
    settings = load_settings(first_folder([path]), flags)
    predictions = predict_sources(_only_source(path), settings, interface, moved)
    if view.form == "json":
        show(json_report.encoded(predictions), view)
    else:
        show(prediction_text.render(predictions, style_of(view)), view)
    return Code.CLEAN


def _only_source(path: str) -> Source:
    inputs = Inputs([path])
    sources = list(islice(inputs, 2))
    is_folder = path != STDIN and Path(path).is_dir()
    if is_folder and any(each.capture is None for each in sources):
        raise WrongUseError(f"{path}: is a folder; predict takes one file or bundle")
    if not sources:
        raise WrongUseError("; ".join((*inputs.unreadable, *inputs.declined)))
    if len(sources) > 1:
        raise WrongUseError(f"{path}: names more than one file; predict takes one")
    return sources[0]


def _key_values(overrides: Sequence[str]) -> Mapping[str, str]:
    moved: dict[str, str] = {}
    for each in overrides:
        key, equals, value = each.partition("=")
        if not equals:
            raise WrongUseError(f"--set {each}: write KEY=VALUE, like tx-ring-limit=5")
        moved[key.strip()] = value.strip()
    return moved


@says_what_is_wrong(SettingsError)
def show_settings(flags: Flags) -> Code:
    """Print the settings in force."""
    settings = load_settings(Path.cwd(), flags)
    emit(settings_text.render(settings), None)
    return Code.CLEAN
