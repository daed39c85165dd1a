"""A check: a pure function from a device to hits and skips, with typed evidence."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import (
    Any,
    Generic,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec import Struct

from advisor.device.device import Device
from advisor.ground.assets import headed_rows
from advisor.ground.quantity import Figure
from advisor.ios.syntax import Location
from advisor.lint.findings import Confidence, Forecast, Level, Severity

E = TypeVar("E")
E_co = TypeVar("E_co", covariant=True)
P = TypeVar("P")


class Hit(Struct, Generic[E_co], frozen=True):
    """One place where the rule is broken, with the numbers that show it.

    `at` names the lines, the one to mark first. `severity` lowers the card's where one place is
    milder than the rule.
    `level` overrides the card's remedy level, always to a more cautious one. `curable` is false
    where this one place has no lines to paste: then `advice` says what to do. `link_of` is the
    interface whose link is cut until both of its ends have changed, `bundle` the new interface to
    which its policy moves, if it does. `refused` are the lines that IOS does not take because of
    the hit; `advisor/lint/void.py` finds what depends on them. `idle` are policy-maps that
    queue nothing until the hit is cured. `meant` is the first line of `at` as it was meant;
    `advisor/lint/void.py` judges the device with it.
    """

    object: str
    at: tuple[Location, ...]
    evidence: E_co
    confidence: Confidence
    forecast: Forecast | None = None
    severity: Severity | None = None
    level: Level | None = None
    curable: bool = True
    advice: str | None = None
    link_of: str | None = None
    bundle: str | None = None
    refused: tuple[Location, ...] = ()
    idle: tuple[str, ...] = ()
    meant: str | None = None


class Skip(Struct, frozen=True):
    """One place where the rule applies and too little is known to judge it."""

    object: str
    reason: str


Found: TypeAlias = Iterator[Hit[E] | Skip]  # what a check yields
Measure: TypeAlias = Callable[[Device, str], Figure | None]


class Check(Struct, Generic[P, E_co], frozen=True):
    """Logic of a rule; the words, severity and examples are the card's.

    `params` and `evidence` are frozen Structs: the values that a card may tune, and the values
    that its message and its remedy template may use. `measure` predicts the figure of an object
    anew, for the proof that a remedy moves it as the forecast says. `wants` are the show commands
    that a check of the user needs to judge; those of ours stand in their cards.
    """

    params: type[P]
    evidence: type[E_co]
    find: Callable[[Device, P], Found[E_co]]
    measure: Measure | None = None
    wants: tuple[str, ...] = ()


AnyCheck = Check[Any, Any]


# Commands that checks look for in a configuration: `commands.txt` lists them.


@cache
def _commands() -> Mapping[str, Sequence[str]]:
    return headed_rows(Path(__file__).with_name("commands.txt"))


def rows_of(heading: str) -> Sequence[str]:
    """The rows under a heading."""
    return _commands()[heading]


def words_of(heading: str) -> frozenset[str]:
    """The words under a heading."""
    return frozenset(" ".join(_commands()[heading]).split())


def begins_as(heading: str, text: str) -> bool:
    """Whether a command begins with the words of a row under a heading."""
    return f"{text} ".startswith(_heads(heading))


@cache
def _heads(heading: str) -> tuple[str, ...]:
    return tuple(f"{row} " for row in _commands()[heading])


class NoParams(Struct, frozen=True):
    """For checks that have nothing to tune."""


class LoadParams(Struct, frozen=True):
    """Load of the link, in percent, at which it counts as congested."""

    load_percent: float


class RoundTripParams(Struct, frozen=True):
    """Round trip of the profile in ms: for flows without a stated one, and for bursts."""

    rtt_ms: float


def check_of(find: Callable[..., Found[Any]], measure: Measure | None) -> AnyCheck:
    """The check of a function: its parameters and its evidence are of the types that it names."""
    types = get_type_hints(find)
    (outcome,) = get_args(types["return"])
    evidence = next(get_args(kind)[0] for kind in get_args(outcome) if get_origin(kind) is Hit)
    if "params" in types:
        return Check(types["params"], evidence, find, measure)
    return Check(NoParams, evidence, _WithoutParams(find), measure)


class _WithoutParams(Struct, frozen=True):
    """A function that takes no parameters; no closure, as a rule may travel to another process."""

    find: Callable[[Device], Found[Any]]

    def __call__(self, device: Device, params: NoParams) -> Found[Any]:
        del params
        return self.find(device)
