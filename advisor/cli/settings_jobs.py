"""What `config show` does."""

from pathlib import Path

from advisor.cli.errors import Code
from advisor.cli.output import emit
from advisor.lint.rulebook import of_device, resolved, rules_of
from advisor.report import settings_text
from advisor.settings.load import load_settings
from advisor.settings.values import Flags


def show_settings(flags: Flags, device: str | None, *, is_verbose: bool) -> Code:
    """Print the settings in force, for all devices or for one."""
    settings = load_settings(Path.cwd(), flags)
    rules = rules_of(settings)
    resolved(rules, settings)  # what cannot be used is said here, too
    if device is not None:
        of_rules, settings = of_device(rules, settings, device)
        rules = tuple(of_rules)
    emit(settings_text.render(settings, rules if is_verbose else ()), None)
    return Code.CLEAN
