"""The command line: for each command its help, its record of options and its job.

A record of options states the name, the type and the default of each option, `commands.txt` its
words. The signature that typer reads is made of both; the job takes the record. Records and jobs
are imported when they are used.
"""

import os
import re
from collections import ChainMap, Counter
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from inspect import Parameter, Signature
from math import isnan
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args, get_origin

import typer
from typer.core import TyperCommand

from advisor import __version__
from advisor.ground.assets import headed_rows


class CommandEntry(NamedTuple):
    """A command: its record of options, MODULE.NAME of its job in this package, and its help."""

    record: str
    job: str
    help: str


_TEXT: Final = headed_rows(Path(__file__).with_name("commands.txt"))
_EVERY: Final = "every command"
_LIMITS: Final = re.compile(r"([\d.]*)\.\.([\d.]*)")
WORDS: Final = "words"  # a value may hold several words, with commas


def _command(row: str) -> tuple[str, CommandEntry]:
    name, _, entry = row.partition(" = ")
    called, _, words = entry.partition(": ")
    record, _, job = called.partition(" ")
    return name, CommandEntry(record, job, words)


# In the order of `--help`, which has the groups last.
COMMANDS: Final[Mapping[str, CommandEntry]] = MappingProxyType(
    dict(map(_command, _TEXT["commands"]))
)
GROUPS: Final[Mapping[str, str]] = MappingProxyType(
    {name: words for name, _, words in (text.partition(": ") for text in _TEXT["groups"])}
)
NAMES: Final = tuple(dict.fromkeys(name.partition(" ")[0] for name in COMMANDS))
_HELP: Final = ("-h", "--help")
_COMPLETION: Final = "_ADVISOR_COMPLETE"  # a shell that asks for completions sets it


def command(first: str | None) -> Callable[..., Any]:
    """Return the command line, to be called with arguments; `first` is the first of them.

    If that is a command, only its options are built; if it asks for the list of commands, or is no
    command, none are.
    """
    if first in NAMES:
        return typer.main.get_command(_app((first,)))
    is_list = first is None or first in _HELP or not first.startswith("-")
    return typer.main.get_command(_app(NAMES, has_options=not is_list or _COMPLETION in os.environ))


def all_commands() -> typer.Typer:
    """The whole command line."""
    return _app(NAMES)


def _app(names: Iterable[str], *, has_options: bool = True) -> typer.Typer:
    """The command line with some commands and groups."""
    app = typer.Typer(
        name="advisor",
        help="Cisco IOS QoS: predict delay, find faults, print proven remedies.",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": list(_HELP)},
    )
    app.callback()(_advisor)
    for name in names:
        if name not in GROUPS:
            _add(app, name, has_options=has_options)
            continue
        group = typer.Typer(help=GROUPS[name], no_args_is_help=True, rich_markup_mode=None)
        group.callback()(_group)
        for whole in COMMANDS:
            if whole.startswith(f"{name} "):
                _add(group, whole, has_options=has_options)
        app.add_typer(group, name=name)
    return app


def _add(app: typer.Typer, name: str, *, has_options: bool) -> None:
    """Add a command: its options become the record that its job takes."""
    entry = COMMANDS[name]
    record = _named(entry.record) if has_options else None

    def call(**given: Any) -> None:  # noqa: ANN401 -- of the types that the record states
        raise typer.Exit(_named(entry.job)(_filled(record, given)))

    parameters = () if record is None else _parameters(record, _option_rows(name))
    vars(call)["__signature__"] = Signature(list(parameters))
    app.command(name.rpartition(" ")[2], cls=_StrictCommand, help=entry.help)(call)


def _named(name: str) -> Any:  # noqa: ANN401 -- a record or a function
    module, _, member = name.partition(".")
    return getattr(import_module(f"advisor.cli.{module}"), member)


def _option_rows(command: str) -> dict[str, str]:
    """The rows of the options of a command by their fields: its own, else those of every one."""
    headed = (
        rows
        for heading, rows in _TEXT.items()
        if heading == _EVERY or command in heading.split(", ")
    )
    return {row.split(maxsplit=1)[0].rstrip(":"): row for rows in headed for row in rows}


def _parameters(record: Any, rows: Mapping[str, str]) -> Iterable[Parameter]:  # noqa: ANN401
    """The fields of a record as the parameters that typer reads."""
    defaults = record.__struct_defaults__
    fields = _fields(record)
    required = len(fields) - len(defaults)
    for place, (name, (kind, taken_as)) in enumerate(fields.items()):
        default: Any = defaults[place - required] if place >= required else Parameter.empty
        option = _option(rows[name], is_float=kind in (float, float | None))
        is_argument = isinstance(option, typer.models.ArgumentInfo)
        shown: Any = kind
        if isinstance(taken_as, Mapping):  # the formats of a report
            shown = Literal.__getitem__(tuple(taken_as))
            shown = shown | None if default is None else shown
        elif get_origin(kind) is tuple:  # typer's list
            shown = list[get_args(kind)[0]]  # type: ignore[misc]
            if place >= required:
                shown, default = (shown | None, None) if is_argument else (shown, list(default))
        typed = Annotated[shown, option]
        yield Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=typed)


def _option(row: str, *, is_float: bool) -> Any:  # noqa: ANN401 -- typer has no common type
    """An option or, without flags, an argument, with the words and the limits of its row."""
    typed, _, words = row.partition(": ")
    field, *parts = typed.split()
    flags = [part for part in parts if part.startswith("-")]
    limits = next(filter(None, map(_LIMITS.fullmatch, parts)), None)
    value = " ".join(part for part in parts if part not in flags and not _LIMITS.fullmatch(part))
    shown: dict[str, Any] = {"metavar": value or None, "help": words or None}
    if not flags:
        return typer.Argument(**shown)
    least, most = (None, None) if limits is None else map(_limit, limits.groups())
    check = _is_number if is_float and limits is not None else _FILES.get(field)
    return typer.Option(*flags, min=least, max=most, callback=check, **shown)


def _limit(text: str) -> float | None:
    return (float(text) if "." in text else int(text)) if text else None


def _is_number(value: float | None) -> float | None:
    """Refuse `nan`, which no limit refuses."""
    if value is not None and isnan(value):
        raise typer.BadParameter("is not a number")
    return value


def _unless_stdout(output: Path | None) -> Path | None:
    """The file to write; None where `-` asks for standard output."""
    return None if output == Path("-") else output


_FILES: Final = {"output": _unless_stdout}


def _fields(record: Any) -> dict[str, tuple[Any, object]]:  # noqa: ANN401 -- any Struct
    """The type of each field in their order, and what it is taken as: words, or a format."""
    stated = ChainMap(*(vars(kind).get("__annotations__", {}) for kind in record.__mro__))
    kinds = ((name, stated[name]) for name in record.__struct_fields__)
    return {
        name: get_args(kind) if get_origin(kind) is Annotated else (kind, None)
        for name, kind in kinds
    }


def _filled(record: Any, given: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- any Struct
    """A record with the options that are given; lists become tuples, words are taken apart."""
    values: dict[str, Any] = {}
    for name, (kind, taken_as) in _fields(record).items():
        values[name] = tuple(given[name] or ()) if get_origin(kind) is tuple else given[name]
        if taken_as == WORDS:
            texts = (word.strip() for text in values[name] for word in text.split(","))
            values[name] = tuple(filter(None, texts))
    return record(**values)


class _StrictCommand(TyperCommand):
    """A command that takes an option once, and whose report does not replace one of its inputs."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 -- as below
        _refuse_repeated(self.make_parser(ctx).parse_args(list(args))[2])
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 -- typer has no public name for it
        if (output := ctx.params.get("output")) is not None:
            from advisor.cli.options import refuse_input  # noqa: PLC0415 -- most write no file

            refuse_input(output, ctx.params)
        return super().invoke(ctx)


def _refuse_repeated(given: Iterable[Any]) -> None:
    """Refuse an option that takes one value and is given again: the first would be lost."""
    times = Counter(
        item.opts[0] for item in given if item.param_type_name == "option" and _takes_one(item)
    )
    for name, count in times.items():
        if count > 1:
            from advisor.cli.endings import WrongUseError  # noqa: PLC0415 -- rarely needed

            raise WrongUseError(f"{name}: is given {count} times; it takes one value")


def _takes_one(option: Any) -> bool:  # noqa: ANN401 -- typer has no public name for it
    return not (option.multiple or option.is_flag or option.count)


def _version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"advisor {__version__}")
        raise typer.Exit


def _advisor(
    _: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help="Show the version; with --verbose what a bug report needs.",
        ),
    ] = False,
) -> None:
    pass


def _group() -> None:
    pass
