"""The command line: for each command its help, its record of options and its job.

A record of options states each option once, with name, type, default and help. The signature that
typer reads is made from the record; the job takes the record. Both are imported when they are used.
"""

import os
from collections import ChainMap, Counter
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from inspect import Parameter, Signature
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args, get_origin

import typer
from typer.core import TyperCommand

from advisor import __version__


class CommandEntry(NamedTuple):
    """A command: MODULE.NAME of its options and of its job in this package, and its help."""

    options: str
    job: str
    help: str


# In the order of `--help`, which has the groups last.
COMMANDS: Final[Mapping[str, CommandEntry]] = MappingProxyType({
    "collect": CommandEntry(
        "fleet_options.Collect",
        "fleet_jobs.collect",
        "Read routers over SSH (read-only); write one bundle for each.",
    ),
    "audit": CommandEntry(
        "fleet_options.Audit",
        "fleet_jobs.audit",
        "Read routers over SSH, lint them, compare with predictions.",
    ),
    "redact": CommandEntry(
        "lint_options.Redact",
        "inspect_jobs.redact",
        "Print a config or show outputs without secrets.",
    ),
    "suppress": CommandEntry(
        "lint_options.Suppress",
        "acceptance.suppress",
        "Accept what is found: write [[suppress]] tables into the settings file.",
    ),
    "diff": CommandEntry(
        "lint_options.Diff",
        "diff_jobs.diff",
        "Compare two states; exit code 1 if findings or predictions got worse.",
    ),
    "baseline": CommandEntry(
        "lint_options.TakeBaseline",
        "diff_jobs.baseline",
        "Accept today's findings: write them to a file for `lint --baseline` and `diff`.",
    ),
    "demo": CommandEntry(
        "predict_options.Demo",
        "predict_jobs.demo",
        "Show voice behind transmit rings, predicted and simulated; needs no config.",
    ),
    "lint": CommandEntry(
        "lint_options.Lint",
        "lint_jobs.lint",
        "Check configs and show outputs; print findings, worst first.",
    ),
    "fix": CommandEntry(
        "lint_options.Fix",
        "fix_jobs.fix",
        "Print one plan for each device with its rollback and proof. Nothing is sent to a device.",
    ),
    "predict": CommandEntry(
        "predict_options.Predict",
        "predict_jobs.predict",
        "Predict delay, jitter, loss and throughput of each class.",
    ),
    "inspect": CommandEntry(
        "lint_options.Inspect",
        "inspect_jobs.inspect",
        "Print what was read: facts, observations and coverage.",
    ),
    "explain": CommandEntry(
        "lint_options.Explain",
        "fix_jobs.explain",
        "Explain a rule with its examples and sources, or a formula.",
    ),
    "schema": CommandEntry(
        "lint_options.Schema",
        "inspect_jobs.schema",
        "Print the JSON Schema of one or all JSON outputs, or of scenario files.",
    ),
    "demo-router": CommandEntry(
        "fleet_options.DemoRouter",
        "demo_jobs.demo_router",
        "Run simulated routers on loopback, to try collect and audit.",
    ),
    "size dlsw": CommandEntry(
        "predict_options.SizeDlsw",
        "design_jobs.size_dlsw",
        "Size DLSw+ routers: CPU load now and after a failover.",
    ),
    "design wred": CommandEntry(
        "design_options.DesignWred",
        "design_jobs.wred",
        "Design WRED of a class: thresholds, denominators, weight and shares.",
    ),
    "design llq": CommandEntry(
        "design_options.DesignLlq",
        "design_jobs.edge",
        "Design a priority queue for calls: its rate and burst, the ring, and fragments if needed.",
    ),
    "design lfi": CommandEntry(
        "design_options.DesignLfi",
        "design_jobs.edge",
        "Design fragments and interleaving: Multilink PPP or FRF.12, with the LLQ that needs them.",
    ),
    "design shape": CommandEntry(
        "design_options.DesignShape",
        "design_jobs.edge",
        "Design a shaper of a port that is faster than its contract: Tc 10 ms, Be 0, nested"
        " policy.",
    ),
    "design edge": CommandEntry(
        "design_options.DesignEdge",
        "design_jobs.edge",
        "Design a whole WAN edge: classes, policy, shaper, ring, fragments, with their prediction.",
    ),
    "rules list": CommandEntry(
        "lint_options.ListRules", "inspect_jobs.list_rules", "Print one line for each rule."
    ),
    "rules test": CommandEntry(
        "lint_options.TestRules",
        "inspect_jobs.test_rules",
        "Test the example of each rule: finding, remedy and rollback; with --rules, of your own.",
    ),
    "rules docs": CommandEntry(
        "lint_options.RuleDocs",
        "inspect_jobs.rule_docs",
        "Print the catalogue as Markdown; with --rules, that of your own rules.",
    ),
    "rules new": CommandEntry(
        "lint_options.NewRule",
        "inspect_jobs.new_rule",
        "Write a card, a check, a template and a test, which pass; then make them your own.",
    ),
    "config show": CommandEntry(
        "lint_options.ShowConfig",
        "inspect_jobs.show_config",
        "Print the settings in force as TOML, with the place where each value is stated.",
    ),
})  # fmt: skip
GROUPS: Final[Mapping[str, str]] = MappingProxyType({
    "size": "Size routers: CPU, head room and smallest platform.",
    "design": "Design settings from requirements, with proof.",
    "rules": "List, test, document and write rules.",
    "config": "Show the settings in force.",
})  # fmt: skip
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
            _add(app, name, COMMANDS[name], has_options=has_options)
            continue
        group = typer.Typer(help=GROUPS[name], no_args_is_help=True, rich_markup_mode=None)
        group.callback()(_group)
        for whole, of_group in COMMANDS.items():
            if whole.startswith(f"{name} "):
                _add(group, whole.removeprefix(f"{name} "), of_group, has_options=has_options)
        app.add_typer(group, name=name)
    return app


def _add(app: typer.Typer, name: str, row: CommandEntry, *, has_options: bool) -> None:
    """Add a command: its options become the record that its job takes."""
    record = _named(row.options) if has_options else None

    def call(**given: Any) -> None:  # noqa: ANN401 -- of the types that the record states
        raise typer.Exit(_named(row.job)(_filled(record, given)))

    vars(call)["__signature__"] = Signature([] if record is None else list(_parameters(record)))
    app.command(name, cls=_StrictCommand, help=row.help)(call)


def _named(name: str) -> Any:  # noqa: ANN401 -- a record or a function
    module, _, member = name.partition(".")
    return getattr(import_module(f"advisor.cli.{module}"), member)


def _parameters(record: Any) -> Iterable[Parameter]:  # noqa: ANN401 -- any Struct
    """The fields of a record as the parameters that typer reads."""
    defaults = record.__struct_defaults__
    fields = _fields(record)
    required = len(fields) - len(defaults)
    for place, (name, annotation) in enumerate(fields.items()):
        default: Any = defaults[place - required] if place >= required else Parameter.empty
        kind: Any
        kind, stated, *more = get_args(annotation)
        if _is_list(kind):  # typer's list
            is_argument = isinstance(stated, typer.models.ArgumentInfo)
            kind = list[get_args(kind)[0]]  # type: ignore[misc]
            if place >= required:
                kind, default = (kind | None, None) if is_argument else (kind, list(default))
        for formats in more:
            if isinstance(formats, Mapping):
                kind = Literal.__getitem__(tuple(formats))
                kind = kind | None if default is None else kind
        yield Parameter(
            name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, stated]
        )


def _fields(record: Any) -> dict[str, Any]:  # noqa: ANN401 -- any Struct
    """The annotations of the fields, in their order; a record may state one of its base anew."""
    stated = ChainMap(*(vars(kind).get("__annotations__", {}) for kind in record.__mro__))
    return {name: stated[name] for name in record.__struct_fields__}


def _is_list(kind: object) -> bool:
    return get_origin(kind) is tuple


def _filled(record: Any, given: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- any Struct
    """A record with the options that are given; lists become tuples, words are taken apart."""
    values: dict[str, Any] = {}
    for name, annotation in _fields(record).items():
        kind, *stated = get_args(annotation)
        values[name] = tuple(given[name] or ()) if _is_list(kind) else given[name]
        if "words" in stated:
            values[name] = tuple(
                word.strip() for text in values[name] for word in text.split(",") if word.strip()
            )
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
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def _group() -> None:
    pass
