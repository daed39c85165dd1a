"""`demo-router`: its options. The body is a call: everything heavy is imported by it."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
# ruff: noqa: PLR0917 -- typer gives every option by its name
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.commands import Commands


def demo_router(
    bundle: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Bundle with the answers [default: a built-in bundle]."),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            min=0, max=65535, metavar="PORT", help="Port of the first router; 0: any free port."
        ),
    ] = 0,
    count: Annotated[
        int, typer.Option(min=1, max=1000, metavar="N", help="Number of routers.")
    ] = 1,
    fault: Annotated[
        list[str], typer.Option(metavar="NAME", help="Fault to simulate; `list` prints the names.")
    ] = [],  # noqa: B006
    username: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Login name [default: ADVISOR_USERNAME, or advisor]."),
    ] = None,
    write_inventory: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write hosts.yaml and known_hosts into this folder."),
    ] = None,
) -> None:
    """Run simulated routers on loopback, to try collect and audit."""
    from advisor.cli import demo_jobs

    options = demo_jobs.DemoOptions(bundle, port, count, fault, username, write_inventory)
    raise typer.Exit(demo_jobs.demo_router(options))


def add_to(app: Commands) -> None:
    """Add the command."""
    app.command("demo-router")(demo_router)
