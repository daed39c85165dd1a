"""The command line: the module of each command, which is imported when it is called."""

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Annotated, Any

import typer
from typer.main import get_command, get_command_name

from advisor import __version__
from advisor.cli.commands import Commands

# In the order of `--help`, which has the groups last.
MODULES: Mapping[str, str] = MappingProxyType(
    {
        "collect": "fleet_commands",
        "audit": "fleet_commands",
        "redact": "fleet_commands",
        "suppress": "suppress_command",
        "diff": "diff_command",
        "baseline": "diff_command",
        "demo": "lesson_command",
        "lint": "lint_command",
        "fix": "fix_command",
        "predict": "predict_command",
        "inspect": "inspect_command",
        "explain": "explain_command",
        "schema": "schema_command",
        "demo-router": "demo_router_command",
        "size": "size",
        "design": "design_edge",
        "rules": "rules",
        "config": "config_command",
    }
)


def command(first: str | None) -> Callable[..., Any]:
    """Return the command line, to be called with the arguments, of which `first` is the first.

    Where that is a command it stands alone: to import all commands, and typer's look at each option
    of those that it is given, take as long as a short lint needs to read its file.
    """
    module = MODULES.get(first or "")
    if module is None:
        return get_command(all_commands())
    app = _with((module,))
    app.registered_commands = [
        each
        for each in app.registered_commands
        if each.callback and first == (each.name or get_command_name(each.callback.__name__))
    ]
    return get_command(app)


def all_commands() -> Commands:
    """The whole command line."""
    return _with(tuple(dict.fromkeys(MODULES.values())))


def _with(modules: tuple[str, ...]) -> Commands:
    """The command line with the commands of some modules."""
    app = Commands(
        name="advisor",
        help="Cisco IOS QoS: predict delay, find faults, print proven remedies.",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_advisor)
    for module in modules:
        import_module(f"advisor.cli.{module}").add_to(app)
    return app


def _version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"advisor {__version__}")
        raise typer.Exit


def _advisor(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass
