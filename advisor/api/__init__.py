"""The tool from Python. What a function returns is what its command prints as JSON.

`read` takes files, `of_texts` texts that are in memory already, like the result of a Nornir task.
Both give a `Run`, which the other functions take. Nothing here prints, asks or connects.

Names and shapes of `__all__` are public: they stay, fields are added. The other functions are what
the commands call; other modules of `advisor` are not public. Each function imports what it needs:
a command waits for nothing else.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict, TypeVar, Unpack

from msgspec import Struct

from advisor.device.sources import TaskRunner as Runner
from advisor.device.sources import in_this_process
from advisor.ground.faults import AdvisorError, Guard

if TYPE_CHECKING:
    from advisor.design.edge import EdgeDesign, RefusedDemand
    from advisor.design.edge_demand import EdgeFlags as Requirements
    from advisor.design.wred import WredDesign
    from advisor.device.reading import Source
    from advisor.ground.quantity import Unknown
    from advisor.lint.cards import Rule
    from advisor.lint.change.snapshot import Taken
    from advisor.lint.findings import Level, Verdict
    from advisor.lint.plan import Plan, RemedySelection
    from advisor.lint.run import FindingSink, Progress
    from advisor.predict.what_if.prediction import (
        ClassPrediction,
        Prediction,
        Unpredicted,
        UnstatedPrediction,
    )
    from advisor.report.json_report import Report
    from advisor.report.plans import Snippet
    from advisor.settings import Flags, Settings


# ruff: noqa: PLC0415 -- each function imports what it needs


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

_PREDICTION: Final = "advisor.predict.what_if.prediction"
_SHAPES: Final = {  # of results and requirements: imported when somebody asks for them
    "ClassPrediction": _PREDICTION,
    "EdgeDesign": "advisor.design.edge",
    "Prediction": _PREDICTION,
    "RefusedDemand": "advisor.design.edge",
    "Report": "advisor.report.json_report",
    "Requirements": "advisor.design.edge_demand",
    "Snippet": "advisor.report.plans",
    "Unpredicted": _PREDICTION,
    "UnstatedPrediction": _PREDICTION,
}
_NAMED_THERE: Final = {"Requirements": "EdgeFlags"}
_Name = TypeVar("_Name", str, str | PathLike[str])


def __getattr__(name: str) -> Any:  # noqa: ANN401 -- a type
    if name not in _SHAPES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_SHAPES[name]), _NAMED_THERE.get(name, name))


class StatedFlags(TypedDict, total=False):
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
    exclude: Iterable[str]
    rules: Iterable[str | PathLike[str]]
    no_suppress: bool


class Run(Struct, frozen=True):
    """Inputs in memory, with the settings in force.

    `unread` says what could not be read: a report is then not complete.
    """

    sources: "tuple[Source, ...]"
    settings: "Settings"
    flags: "Flags"
    unread: tuple[str, ...] = ()


class InForce(Struct, frozen=True):
    """The rules and the settings in force for a run."""

    rules: "tuple[Rule, ...]"
    settings: "Settings"

    @property
    def incomplete(self) -> tuple[str, ...]:
        """Ids of the rules that say that a verdict is not complete."""
        return tuple(rule.card.id for rule in self.rules if rule.card.incomplete)


class RunOptions(Struct, frozen=True):
    """How a run executes: its guard, its processes, its receivers of progress and findings."""

    guard: Guard | None = None
    runner: Runner = in_this_process
    on_progress: "Progress | None" = None
    on_findings: "FindingSink | None" = None

    def arguments(self) -> dict[str, Any]:
        """Keyword arguments of the functions that judge devices."""
        receivers = {"on_progress": self.on_progress, "on_findings": self.on_findings}
        given = {name: receiver for name, receiver in receivers.items() if receiver is not None}
        return {"run": self.runner, "guard": self.guard, **given}


DEFAULT_RUN: Final = RunOptions()  # in this process, without a guard or receivers


def read(*paths: str | PathLike[str], **settings: Unpack[StatedFlags]) -> Run:
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
    >>> [(finding.rule, finding.object) for finding in lint(run).findings][0]
    ('TXR001', 'interface Serial0/0/0')
    """
    from advisor.device.inputs import Inputs

    names = [fspath(path) for path in paths]
    flags = _flags(settings)
    in_force = settings_of(flags, names)
    inputs = Inputs(names, exclude=in_force.exclude)
    sources = tuple(inputs)
    unread = (*inputs.unreadable, *inputs.declined)
    return Run(sources, in_force, flags, unread)


def of_texts(texts: Mapping[str, str | bytes], **settings: Unpack[StatedFlags]) -> Run:
    r"""Take texts by the names that reports give them; see `read`.

    Texts beside a `manifest.json` (`r1/manifest.json`, `r1/…`) are one bundle. Settings files are
    looked for from the current folder.

    Examples
    --------
    >>> text = "hostname R1\ninterface Serial0/0\n service-policy output WAN\n"
    >>> [finding.rule for finding in lint(of_texts({"r1": text})).findings]
    ['REF001']
    """
    from advisor.device.sources import sources_of_texts

    flags = _flags(settings)
    payloads = {
        name: text.encode(errors="replace") if isinstance(text, str) else bytes(memoryview(text))
        for name, text in texts.items()
    }
    return Run(tuple(sources_of_texts(payloads)), settings_of(flags), flags)


def settings_of(flags: "Flags", paths: Sequence[str] = ()) -> "Settings":
    """The settings in force for paths, or for the current folder.

    Raises
    ------
    SettingsError
        If a settings file holds an invalid statement.
    """
    from advisor.device.inputs import first_folder
    from advisor.settings.file import load_settings

    return load_settings(first_folder(paths), flags)


def in_force(settings: "Settings") -> InForce:
    """The rules of settings, and the settings with the names of rules looked up.

    Raises
    ------
    AdvisorError
        If a card is wrong, or a name of a rule means none.
    """
    from advisor.lint.rulebook import resolved, rules_of

    rules = rules_of(settings)
    return InForce(rules, resolved(rules, settings))


def _flags(stated: StatedFlags) -> "Flags":
    from advisor.settings import Flags

    unknown = stated.keys() - StatedFlags.__annotations__.keys()
    if unknown:
        known = ", ".join(StatedFlags.__annotations__)
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
        exclude=_several(stated.get("exclude", ())),
        rules=tuple(Path(folder) for folder in _several(stated.get("rules", ()))),
    )


def _several(names: Iterable[_Name]) -> tuple[_Name, ...]:
    """Names of a setting that takes several; a text would be one for each of its letters."""
    if isinstance(names, str | bytes | PathLike):
        raise TypeError(f"takes several names, like [{names!r}]")
    return tuple(names)


def _path(name: str | PathLike[str] | None) -> Path | None:
    return None if name is None else Path(name)


def lint(run: Run) -> "Report":
    """Judge all devices of a run, as `advisor lint --format json`.

    Raises
    ------
    AdvisorError
        If a name of a rule means none.
    """
    from msgspec.structs import replace

    from advisor.lint.narrow import with_narrowing
    from advisor.report.json_report import report_of

    verdict = judged(run.sources, in_force(run.settings))
    verdict = with_narrowing(
        verdict,
        lambda files: (source for source in run.sources if source.name in files),
        run.settings,
    )
    return report_of(replace(verdict, incomplete=(*verdict.incomplete, *run.unread)))


def judged(
    sources: "Iterable[Source]", force: InForce, run_options: RunOptions = DEFAULT_RUN
) -> "Verdict":
    """The verdict of a run."""
    from advisor.lint.run import review

    return review(sources, force.rules, force.settings, **run_options.arguments())


def taken(
    sources: "Iterable[Source]", force: InForce, run_options: RunOptions = DEFAULT_RUN
) -> "Taken":
    """The verdict of a run, with the figures of every class: what `diff` compares."""
    from advisor.lint.change.snapshot import take

    return take(sources, force.rules, force.settings, **run_options.arguments())


def planned(
    sources: "Iterable[Source]",
    force: InForce,
    selection: "RemedySelection | None" = None,
    run_options: RunOptions = DEFAULT_RUN,
) -> "Plan":
    """The verdict of a run, with the plans of its devices; without a selection, of all rules."""
    from advisor.lint.plan import all_of, plan_run

    wanted = all_of(force.rules) if selection is None else selection
    return plan_run(sources, force.rules, force.settings, wanted, **run_options.arguments())


def predict(
    run: Run, interface: str | None = None, moved: Mapping[str, str | float] | None = None
) -> "tuple[Prediction, ...]":
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
    >>> [row.mean.value < 50 for row in found if row.class_name == "VOICE"]
    [True]
    """
    from advisor.device.index import read_devices
    from advisor.predict.comparison import sampled, with_compared
    from advisor.predict.what_if import refuse_wrong_statements
    from advisor.predict.what_if.moves import moves_of
    from advisor.predict.what_if.path import with_calls
    from advisor.predict.what_if.predictions import predict_device

    moves = moves_of({key: str(value) for key, value in (moved or {}).items()})
    readings = list(read_devices(run.sources, run.settings))
    if run.settings.traffic:
        refuse_wrong_statements(reading.device for reading in readings)
    found: list[Prediction] = []
    for reading in readings:
        file = reading.coverage[0].file
        device, rates = sampled(reading.device)
        predictions = predict_device(device, file, run.settings, interface, (moves,), narrowed=True)
        if not moved:
            predictions = with_compared(device, run.settings, predictions, rates)
        found += with_calls(device, predictions)
    return tuple(found)


def plan(
    run: Run,
    rules: Iterable[str] = ("all",),
    level: "Level | str | None" = None,
    interface: str | None = None,
) -> "tuple[Snippet, ...]":
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
    from advisor.report.plans import snippets_of

    force = in_force(run.settings)
    selection = remedies_of(force, _several(rules), "rules", level, interface)
    return snippets_of(planned(run.sources, force, selection).devices)


def remedies_of(
    force: InForce,
    rules: Sequence[str],
    place: str,
    level: "Level | str | None" = None,
    interface: str | None = None,
) -> "RemedySelection":
    """The remedies of rules that are named at a place.

    Raises
    ------
    AdvisorError
        If a name of a rule means none, or there is no such level.
    """
    from advisor.lint.plan import RemedySelection
    from advisor.lint.rulebook import matching

    names = matching(force.rules, rules, place)
    return RemedySelection(names, None if level is None else _level(level), interface)


def _level(name: str) -> "Level":
    from advisor.lint.findings import Level
    from advisor.predict.what_if import InputError
    from advisor.settings.document import nearest

    levels = [str(level) for level in Level]
    if name not in levels:
        raise InputError(f"level: unknown {name!r}; {nearest(name, levels)}")
    return Level(name)


def design(requirements: "Requirements", on: Run | None = None) -> "EdgeDesign | RefusedDemand":
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
    >>> from advisor import api
    >>> made = design(api.Requirements(link="512k", calls=2, platform="2811"))
    >>> "priority" in " ".join(made.lines)
    True
    """
    from advisor.predict.what_if import InputError
    from advisor.settings import Flags

    if on is not None and len(on.sources) != 1:
        raise InputError("design: takes one configuration")
    source = None if on is None else on.sources[0]
    settings = settings_of(Flags()) if on is None else on.settings
    return designed(requirements, settings, source)


def designed(
    requirements: "Requirements", settings: "Settings", source: "Source | None" = None
) -> "EdgeDesign | RefusedDemand":
    """The design of an edge, on the configuration that takes the lines if there is one."""
    from advisor.design.edge import design_edge
    from advisor.design.edge_demand import edge_demand

    demand = edge_demand(requirements, is_on_config=source is not None)
    return design_edge(demand, settings, source)


def designed_wred(
    settings: "Settings",
    *,
    basis: str,
    **demand: Any,  # noqa: ANN401 -- as `demand_of` takes them
) -> "WredDesign | Unknown":
    """The settings of a class with WRED for a demand; only lines that are proven are given.

    `demand` is what `design.wred_plan.demand_of` takes.
    """
    from advisor.design.proof import UnprovenDesignError
    from advisor.design.wred import design_wred
    from advisor.design.wred_plan import WredBasis, demand_of
    from advisor.ground.quantity import Unknown
    from advisor.lint.rulebook import rules_of

    wanted = demand_of(basis=WredBasis(basis), **demand)
    try:
        return design_wred(wanted, rules_of(settings), settings)
    except UnprovenDesignError as error:
        return Unknown(str(error))


def to_json(result: object) -> str:
    """Any result as its command prints it."""
    from advisor.report.json_report import encoded

    return encoded(result)
