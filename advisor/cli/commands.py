"""What all commands have in common before their own call."""

from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand

_Function = TypeVar("_Function", bound=Callable[..., object])


class _Command(TyperCommand):
    """A command whose report does not replace one of its inputs."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 -- typer has no public name for it
        if (output := ctx.params.get("output")) is not None:
            from advisor.cli.output import refuse_input  # noqa: PLC0415 -- most write no file

            refuse_input(output, ctx.params)
        return super().invoke(ctx)


class Commands(typer.Typer):
    """Commands of this tool, by their functions."""

    def command(  # type: ignore[override]
        self, name: str | None = None
    ) -> Callable[[_Function], _Function]:
        """Add a command."""
        return super().command(name, cls=_Command)
