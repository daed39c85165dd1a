"""The first pass over a run: the inputs of each device, and what devices know of each other.

The index holds names, DLSw+ peers and ends of links, so that a run of many devices holds one of
them at a time.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.devices import PROMPT_CHARACTERS, full_names, rivals_of
from advisor.device.glance import (
    Doubles,
    Outline,
    config_outline,
    doubles_of,
    outline,
    places_with_dlsw,
    places_with_links,
)
from advisor.device.links import LinkEnd, LinkTable, link_ends
from advisor.device.peers import Fleet, PeerEnd, peer_end
from advisor.device.platform_evidence import check_names
from advisor.device.reading import Reading, read_device, read_source
from advisor.device.sources import (
    DeviceInputs,
    Source,
    Sources,
    TaskRunner,
    in_this_process,
    is_config_at_a_glance,
    sources_of,
)
from advisor.ground.faults import Fault, Guard, faults_of, guarded
from advisor.ios.terminal import text_of
from advisor.settings import Settings

_WORD: Final = re.compile(r"[^\s#>()]+")  # a prompt ends a name, too


class DeviceUnit(Struct, frozen=True):
    """Places of the inputs of one device: its configuration or bundle, and loose show outputs."""

    config: int | None
    shows: tuple[int, ...] = ()
    others: tuple[str, ...] = ()  # files with another configuration of the same name
    rivals: tuple[str, ...] = ()  # names that the cut prompt of the shows may be of


class Index(Struct, frozen=True):
    """The devices of a run, those with a configuration first, and what they know of each other."""

    units: tuple[DeviceUnit, ...]
    fleet: Fleet

    def inputs(self, sources: Sources) -> Iterator[DeviceInputs]:
        """Read the inputs of each device anew; an input that no longer exists is left out."""
        for unit in self.units:
            config = None if unit.config is None else sources.load(unit.config)
            shows = tuple(filter(None, map(sources.load, unit.shows)))
            if config is not None or shows:
                yield DeviceInputs(config, shows, unit.others, unit.rivals)


class Contribution(Struct, frozen=True):
    """The name, the DLSw+ end and the ends of links that a configuration contributes to a run."""

    device: str | None = None
    end: PeerEnd | None = None
    links: tuple[LinkEnd, ...] = ()
    faults: tuple[Fault, ...] = ()


class _Placed(Struct, frozen=True):
    """An input with its place among all."""

    place: int
    source: Source

    @property
    def size_bytes(self) -> int:
        return self.source.size_bytes


class _Outlining(Struct, frozen=True):
    """Look at an input that may hold show outputs alone."""

    is_guarded: bool

    def __call__(self, job: _Placed) -> tuple[int, Outline]:
        guard = Guard() if self.is_guarded else None
        known = Outline(job.source.name)
        with guarded(guard, job.source.name):
            known = outline(job.source)
        return job.place, replace(known, faults=faults_of(guard))

    def lost(self, job: _Placed, fault: str) -> tuple[int, Outline]:
        name = job.source.name
        return job.place, Outline(name, faults=(Fault(name, None, fault),))


class _Contributing(Struct, frozen=True):
    """Read the name of a configuration, its end of DLSw+ peers, and its ends of links."""

    settings: Settings
    is_guarded: bool

    def __call__(self, job: _Placed) -> tuple[int, Contribution]:
        guard = Guard() if self.is_guarded else None
        contribution = Contribution()
        with guarded(guard, job.source.name):
            device = read_source(job.source, self.settings).device
            end = peer_end(device.facts, device.name, device.seen)
            links = link_ends(device.facts, device.name, device.seen, device.platform)
            contribution = Contribution(device.name, end, links)
        return job.place, replace(contribution, faults=faults_of(guard))

    def lost(self, job: _Placed, fault: str) -> tuple[int, Contribution]:
        return job.place, Contribution(faults=(Fault(job.source.name, None, fault),))


def index_of(
    sources: Sources,
    settings: Settings,
    guard: Guard | None = None,
    run: TaskRunner = in_this_process,
) -> Index:
    """Go through all inputs of a run before any device is judged.

    Show outputs without a configuration join the one of their host, of several the nearest by its
    folder, or, without a host, the only configuration of their folder.
    This pass reads a configuration if loose show outputs may be of it, or if it may hold one end of
    a link of the run. It also reads all that speak of DLSw+ if there is more than one or the
    settings pair devices by their names.

    Parameters
    ----------
    sources
        All inputs.
    settings
        `dlsw` is kept with the peers.
    guard
        Keeps defects; an input that shows one belongs to no device. Without it they are raised.
    run
        Does what costs time.

    Raises
    ------
    PlatformNameError
        If a setting states a platform that is not known.
    """
    check_names(settings.platforms)
    outlines = _outlines(sources, run, is_guarded=guard is not None)
    speaking, linked = _speaking(outlines, settings), places_with_links(outlines)
    contributing = _Contributing(settings, guard is not None)
    asked = _that_contribute(sources, outlines, {*speaking, *linked})
    contributions = dict(run(contributing, asked))
    if guard is not None:
        guard.take(fault for known in outlines.values() for fault in known.faults)
        guard.take(
            fault for contribution in contributions.values() for fault in contribution.faults
        )
    ends: dict[str, PeerEnd] = {}
    for place, contribution in contributions.items():
        end = contribution.end if place in speaking else None
        if end is not None:
            ends.setdefault(end.peer_id, end)
    doubles = doubles_of(sources, _configs_of_each(outlines))
    units = _units(outlines, contributions, doubles)
    table = _link_table(contributions, linked - doubles.newer.keys())
    return Index(units, Fleet(tuple(ends.values()), settings.dlsw, table))


def _link_table(contributions: Mapping[int, Contribution], linked: Collection[int]) -> LinkTable:
    """Ends of the links of a run, each device once: of several configurations the first counts."""
    ends: dict[str, tuple[LinkEnd, ...]] = {}
    for place in sorted(linked):
        contribution = contributions.get(place, Contribution())
        if contribution.device is not None:
            ends.setdefault(contribution.device, contribution.links)
    return LinkTable(tuple(end for of_device in ends.values() for end in of_device))


def _outlines(sources: Sources, run: TaskRunner, *, is_guarded: bool) -> dict[int, Outline]:
    outlines: dict[int, Outline] = {}

    def unclear() -> Iterator[_Placed]:
        for place, source in enumerate(sources):
            if is_config_at_a_glance(source):
                outlines[place] = config_outline(source)
            else:
                yield _Placed(place, source)

    read_outlines = dict(run(_Outlining(is_guarded), unclear()))
    return dict(sorted((outlines | read_outlines).items()))


def _speaking(outlines: Mapping[int, Outline], settings: Settings) -> Collection[int]:
    """Places of configurations whose DLSw+ peers matter to others."""
    speaking = tuple(places_with_dlsw(outlines))
    is_needed = len(speaking) > 1 or settings.dlsw.redundant_peers
    return frozenset(speaking if is_needed else ())


def _that_contribute(
    sources: Sources, outlines: Mapping[int, Outline], speaking: Collection[int]
) -> Iterator[_Placed]:
    """Configurations that other devices ask for, and those that loose show outputs may be of."""
    hosts = {known.host for known in outlines.values() if known.is_shows and known.host}
    first_words = {word.group() for host in hosts if (word := _WORD.search(host))}
    for place, known in outlines.items():
        if known.is_shows or known.faults or not (first_words or place in speaking):
            continue
        source = sources.load(place)
        if source is not None and (place in speaking or _mentions(source, first_words)):
            yield _Placed(place, source)


def _mentions(source: Source, words: Collection[str]) -> bool:
    """Whether a configuration may be of a device that one of the words names."""
    if source.capture is not None:
        return True
    cut = tuple(word for word in words if len(word) >= PROMPT_CHARACTERS)
    return any(
        word.group() in words or word.group().startswith(cut)
        for word in _WORD.finditer(text_of(source.payload))
    )


def _configs_of_each(outlines: Mapping[int, Outline]) -> Iterator[dict[int, str]]:
    """Places and files of the configurations of each device that has several."""
    named: dict[tuple[str, str | None], dict[int, str]] = {}
    for place, known in outlines.items():
        if known.host is not None and not (known.is_shows or known.faults):
            named.setdefault((known.host, known.session), {})[place] = known.name
    return (files for files in named.values() if len(files) > 1)


def _units(
    outlines: Mapping[int, Outline], contributions: Mapping[int, Contribution], doubles: Doubles
) -> tuple[DeviceUnit, ...]:
    waiting: dict[str, list[int]] = {}
    named: dict[str, list[int]] = {}
    configs_in: dict[str, int] = {}
    hosts = {known.host for known in outlines.values() if known.host is not None}
    names = {known.device for known in contributions.values() if known.device is not None}
    names |= {host for host in hosts if len(host) > PROMPT_CHARACTERS}
    full_host = full_names(hosts, names)
    for place, known in outlines.items():
        folder = _folder(known.name)
        if known.is_shows:
            host = full_host.get(known.host or "", folder)
            waiting.setdefault(host, []).append(place)
        elif place not in doubles.newer:
            configs_in[folder] = configs_in.get(folder, 0) + 1
            device = contributions.get(place, Contribution()).device
            named.setdefault(device or "", []).append(place)
    of_config, homeless = _by_folder(waiting, named, outlines)
    older: dict[int, list[int]] = {}
    for place, newer in doubles.newer.items():
        older.setdefault(newer, []).append(place)
    units: list[DeviceUnit] = []
    for place, known in outlines.items():
        contribution = contributions.get(place, Contribution())
        if known.is_shows or known.faults or contribution.faults or place in doubles.newer:
            continue
        shows = [*older.get(place, ()), *of_config.get(place, ())]
        if configs_in[_folder(known.name)] == 1:
            shows += waiting.pop(_folder(known.name), [])
        units.append(DeviceUnit(place, tuple(shows), doubles.others.get(place, ())))
    units += (
        DeviceUnit(None, tuple(places), rivals=rivals_of(host, names))
        for host, places in waiting.items()
    )
    return (*units, *homeless)


def _by_folder(
    waiting: dict[str, list[int]],
    named: Mapping[str, Sequence[int]],
    outlines: Mapping[int, Outline],
) -> tuple[Mapping[int, Sequence[int]], Sequence[DeviceUnit]]:
    """Take the show outputs of each name to its configuration, of several to the nearest one.

    Those that have several nearest ones are of none: each name is a unit of its own.
    """
    of_config: dict[int, list[int]] = {}
    homeless: list[DeviceUnit] = []
    for device, configs in named.items():
        left: list[int] = []
        for show in waiting.pop(device, ()):
            away = {at: _steps(outlines[show].name, outlines[at].name) for at in configs}
            nearest = [at for at, steps in away.items() if steps == min(away.values())]
            (of_config.setdefault(nearest[0], []) if len(nearest) == 1 else left).append(show)
        if left:
            files = tuple(outlines[at].name for at in configs)
            homeless.append(DeviceUnit(None, tuple(left), others=files))
    return of_config, homeless


def _steps(name: str, other: str) -> int:
    """Steps from the folder of one file to that of another."""
    one, two = PurePath(name).parent.parts, PurePath(other).parent.parts
    common = next(
        (at for at, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(two)),
    )
    return len(one) + len(two) - 2 * common


def _folder(name: str) -> str:
    """Key of a folder; never equal to a host name."""
    return f"{PurePath(name).parent}/"


def read_devices(
    sources: Iterable[Source], settings: Settings, guard: Guard | None = None
) -> Iterator[Reading]:
    """Read the devices of a run; one is held at a time.

    With a guard a device whose reading fails by a defect is left out.
    """
    repeatable = sources_of(sources)
    index = index_of(repeatable, settings, guard)
    for inputs in index.inputs(repeatable):
        reading = None
        with guarded(guard, inputs.name):
            reading = read_device(inputs, settings, index.fleet)
        if reading is not None:
            yield reading
