"""`suppress`: its options. The body is a call, as in `app`."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the rules
# ruff: noqa: PLR0917 -- typer gives every option by its name
from typing import Annotated

import typer

from advisor.cli.options import Config, Devices, Paths, Platform, Profile, Rules, Traffic, flags_of


def suppress(
    paths: Paths,
    rule: Annotated[
        list[str],
        typer.Option("--rule", metavar="RULE", help="Rules to accept: ids, names or prefixes."),
    ],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why they are accepted.")],
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Last day, like 2027-01-31.")
    ] = None,
    object_path: Annotated[
        str,
        typer.Option("--object", metavar="PATH", help="Only of this, like 'interface Serial0/0'."),
    ] = "",
    traffic: Traffic = None,
    profile: Profile = None,
    config: Config = None,
    platform: Platform = None,
    rules: Rules = [],  # noqa: B006 -- how typer spells a repeatable option
    device: Devices = [],  # noqa: B006 -- how typer spells a repeatable option
) -> None:
    """Accept what is found: write [[suppress]] tables into the settings file."""
    from advisor.cli import suppress_jobs
    from advisor.cli.selection import words

    accepted = suppress_jobs.Acceptance(words(rule), reason, until, object_path)
    flags = flags_of(config, profile, traffic, platform=platform, devices=device, rules=rules)
    raise typer.Exit(suppress_jobs.suppress(paths, accepted, flags))


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(suppress)
