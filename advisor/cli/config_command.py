"""`config show`: its options. The body is a call: everything heavy is imported by it."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
# ruff: noqa: PLR0917 -- typer gives every option by its name
from typing import Annotated

import typer

from advisor.cli.options import (
    Config,
    Profile,
    Rules,
    Traffic,
    flags_of,
)

config_app = typer.Typer(
    help="Show the settings in force.", no_args_is_help=True, rich_markup_mode=None
)


@config_app.command("show")
def config_show(
    profile: Profile = None,
    config: Config = None,
    traffic: Traffic = None,
    rules: Rules = [],  # noqa: B006
    device: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Settings in force for a device of this name."),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print every parameter of every rule too.")
    ] = False,
) -> None:
    """Print the settings in force as TOML, with the place where each value is stated."""
    from advisor.cli import settings_jobs

    flags = flags_of(config, profile, traffic, rules=rules)
    raise typer.Exit(settings_jobs.show_settings(flags, device, is_verbose=verbose))


def add_to(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(config_app, name="config")
