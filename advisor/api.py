"""The tool from Python. What a function returns is what its command prints as JSON.

`read` takes files, `of_texts` texts that are in memory already, like the result of a Nornir task.
Both give a `Run`, which the other functions take. Nothing here prints, asks or connects.

Names and shapes of this module are public: they stay, fields are added. Other modules of `advisor`
are not.
"""

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import TypedDict, TypeVar, Unpack

from msgspec import Struct
from msgspec.structs import replace

from advisor.design.edge import EdgeDesign, RefusedDemand, design_edge
from advisor.design.edge_demand import EdgeFlags as Requirements
from advisor.design.edge_demand import edge_demand
from advisor.device.inputs import Inputs, first_folder
from advisor.device.reading import Source, read_source
from advisor.device.source import device_sources, source_of
from advisor.faults import AdvisorError
from advisor.lint.findings import Level
from advisor.lint.plan import RemedySelection, plan_run
from advisor.lint.rulebook import resolved, rules_of
from advisor.lint.run import review
from advisor.lint.selection import matching
from advisor.predict.what_if.errors import InputError
from advisor.predict.what_if.moves import moves_of
from advisor.predict.what_if.path import with_calls
from advisor.predict.what_if.prediction import (
    ClassPrediction,
    Prediction,
    Unpredicted,
    UnstatedPrediction,
)
from advisor.predict.what_if.predictions import predict_device
from advisor.predict.what_if.stated import refuse_wrong_statements
from advisor.report.json_report import Report, encoded, report_of
from advisor.report.snippet import Snippet, snippets_of
from advisor.settings.document import nearest
from advisor.settings.load import load_settings
from advisor.settings.values import Flags, Settings

__all__ = [
    "AdvisorError",
    "ClassPrediction",
    "EdgeDesign",
    "Prediction",
    "RefusedDemand",
    "Report",
    "Requirements",
    "Run",
    "Snippet",
    "Unpredicted",
    "UnstatedPrediction",
    "design",
    "lint",
    "of_texts",
    "plan",
    "predict",
    "read",
    "to_json",
]


_Name = TypeVar("_Name", str, str | PathLike[str])


class Stated(TypedDict, total=False):
    """Settings that win over those of a file: the flags of the commands.

    `rules` are folders of own rules: the Python of their checks is run.
    """

    config: str | PathLike[str]
    profile: str
    traffic: str | PathLike[str]
    platform: str
    select: Iterable[str]
    ignore: Iterable[str]
    devices: Iterable[str]
    rules: Iterable[str | PathLike[str]]
    no_suppress: bool


class Run(Struct, frozen=True):
    """Inputs in memory, with the settings in force.

    `unread` says what could not be read: a report is then not complete.
    """

    sources: tuple[Source, ...]
    settings: Settings
    flags: Flags
    unread: tuple[str, ...] = ()


def read(*paths: str | PathLike[str], **settings: Unpack[Stated]) -> Run:
    """Read configs, show outputs and bundles: files, folders or globs, as `advisor lint` does.

    Parameters
    ----------
    paths
        What the command takes as PATH.
    settings
        What the flags of the command state. Without `config` the nearest advisor.toml upwards is
        used.

    Raises
    ------
    AdvisorError
        If a settings file holds an invalid statement, or a name means no rule.

    Examples
    --------
    >>> run = read("fixtures/configs/wan-edge-512k.ios")
    >>> [(each.rule, each.object) for each in lint(run).findings][0]
    ('TXR001', 'interface Serial0/0/0')
    """
    names = [fspath(path) for path in paths]
    flags = _flags(settings)
    inputs = Inputs(names)
    sources = tuple(inputs)
    unread = (*inputs.unreadable, *inputs.declined)
    return Run(sources, load_settings(first_folder(names), flags), flags, unread)


def of_texts(texts: Mapping[str, str | bytes], **settings: Unpack[Stated]) -> Run:
    r"""Take texts by the names that reports give them; see `read`.

    Settings files are looked for from the current folder.

    Examples
    --------
    >>> text = "hostname R1\ninterface Serial0/0\n service-policy output WAN\n"
    >>> [each.rule for each in lint(of_texts({"r1": text})).findings]
    ['REF001']
    """
    flags = _flags(settings)
    sources = tuple(
        source_of(
            name,
            text.encode(errors="replace") if isinstance(text, str) else bytes(memoryview(text)),
        )
        for name, text in texts.items()
    )
    return Run(sources, load_settings(Path.cwd(), flags), flags)


def _flags(stated: Stated) -> Flags:
    unknown = stated.keys() - Stated.__annotations__.keys()
    if unknown:
        known = ", ".join(Stated.__annotations__)
        raise TypeError(f"no setting is called {', '.join(sorted(unknown))}; there are {known}")
    return Flags(
        config=_path(stated.get("config")),
        profile=stated.get("profile"),
        select=_several(stated.get("select", ())),
        ignore=_several(stated.get("ignore", ())),
        traffic=_path(stated.get("traffic")),
        platform=stated.get("platform"),
        no_suppress=stated.get("no_suppress", False),
        devices=_several(stated.get("devices", ())),
        rules=tuple(Path(folder) for folder in _several(stated.get("rules", ()))),
    )


def _several(names: Iterable[_Name]) -> tuple[_Name, ...]:
    """Names of a setting that takes several; a text would be one for each of its letters."""
    if isinstance(names, str | bytes | PathLike):
        raise TypeError(f"takes several names, like [{names!r}]")
    return tuple(names)


def _path(name: str | PathLike[str] | None) -> Path | None:
    return None if name is None else Path(name)


def lint(run: Run) -> Report:
    """Judge all devices of a run, as `advisor lint --format json`.

    Raises
    ------
    AdvisorError
        If a name of a rule means none.
    """
    rules = rules_of(run.settings)
    verdict = review(run.sources, rules, resolved(rules, run.settings))
    return report_of(replace(verdict, incomplete=(*verdict.incomplete, *run.unread)))


def predict(
    run: Run, interface: str | None = None, moved: Mapping[str, str | float] | None = None
) -> tuple[Prediction, ...]:
    """Predict every class of each output, as `advisor predict --format json` of each device.

    Parameters
    ----------
    run
        The inputs. A source may hold several devices.
    interface
        Only this one.
    moved
        Settings to move, as `--set`: tx-ring-limit, bandwidth, mtu, fragment, load, wred-min.

    Raises
    ------
    AdvisorError
        If nothing can be predicted of a device, or a key or value is not known.

    Examples
    --------
    >>> run = read("fixtures/configs/wan-edge-512k.ios")
    >>> found = predict(run, moved={"tx-ring-limit": 1})
    >>> [each.mean.value < 50 for each in found if each.class_name == "VOICE"]
    [True]
    """
    moves = moves_of({key: str(value) for key, value in (moved or {}).items()})
    devices = [
        (read_source(source, run.settings).device, source.name)
        for whole in run.sources
        for source in device_sources(whole)
    ]
    if run.settings.traffic:
        refuse_wrong_statements(device for device, _ in devices)
    return tuple(
        prediction
        for device, name in devices
        for prediction in with_calls(
            predict_device(device, name, run.settings, interface, (moves,))
        )
    )


def plan(
    run: Run,
    rules: Iterable[str] = ("all",),
    level: Level | str | None = None,
    interface: str | None = None,
) -> tuple[Snippet, ...]:
    """Plan the remedies of all devices, as `advisor fix --format json`.

    Parameters
    ----------
    run
        The inputs.
    rules
        Ids, names or prefixes of the rules to cure.
    level
        The most intrusive remedy: "safe", "needs-window" or "manual".
    interface
        Only what concerns this one and its policies.

    Raises
    ------
    AdvisorError
        If a name of a rule means none, or there is no such level.
    """
    catalogue = rules_of(run.settings)
    selection = RemedySelection(
        matching(catalogue, _several(rules), "rules"),
        None if level is None else _level(level),
        interface,
    )
    settings = resolved(catalogue, run.settings)
    return snippets_of(plan_run(run.sources, catalogue, settings, selection).devices)


def _level(name: str) -> Level:
    levels = [str(level) for level in Level]
    if name not in levels:
        raise InputError(f"level: unknown {name!r}; {nearest(name, levels)}")
    return Level(name)


def design(requirements: Requirements, on: Run | None = None) -> EdgeDesign | RefusedDemand:
    """Design the edge of a link from requirements, as `advisor design edge --format json`.

    Parameters
    ----------
    requirements
        The options of the command; `release` is its `--ios`.
    on
        The configuration that takes the lines; a bare router without one.

    Raises
    ------
    AdvisorError
        If a requirement is not understood, or `on` is not one configuration.

    Examples
    --------
    >>> made = design(Requirements(link="512k", calls=2, platform="2811"))
    >>> "priority" in " ".join(made.lines)
    True
    """
    if on is not None and len(on.sources) != 1:
        raise InputError("design: takes one configuration")
    source = None if on is None else on.sources[0]
    demand = edge_demand(requirements, is_on_config=source is not None)
    settings = load_settings(Path.cwd()) if on is None else on.settings
    return design_edge(demand, settings, source)


def to_json(result: object) -> str:
    """Any result as its command prints it."""
    return encoded(result)
