"""What all commands have in common before their own call."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand

_Function = TypeVar("_Function", bound=Callable[..., object])


class _Command(TyperCommand):
    """A command that takes an option once, and whose report does not replace one of its inputs."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 -- as below
        _refuse_repeated(self.make_parser(ctx).parse_args(list(args))[2])
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 -- typer has no public name for it
        if (output := ctx.params.get("output")) is not None:
            from advisor.cli.output import refuse_input  # noqa: PLC0415 -- most write no file

            refuse_input(output, ctx.params)
        return super().invoke(ctx)


def _refuse_repeated(given: Iterable[Any]) -> None:
    """Refuse an option that takes one value and is given again: the first would be lost."""
    times = Counter(
        each.opts[0] for each in given if each.param_type_name == "option" and _takes_one(each)
    )
    for name, count in times.items():
        if count > 1:
            from advisor.cli.wrong_use import WrongUseError  # noqa: PLC0415 -- rarely needed

            raise WrongUseError(f"{name}: is given {count} times; it takes one value")


def _takes_one(option: Any) -> bool:  # noqa: ANN401 -- typer has no public name for it
    return not (option.multiple or option.is_flag or option.count)


class Commands(typer.Typer):
    """Commands of this tool, by their functions."""

    def command(  # type: ignore[override]
        self, name: str | None = None
    ) -> Callable[[_Function], _Function]:
        """Add a command."""
        return super().command(name, cls=_Command)
