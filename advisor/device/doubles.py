"""Several configurations of one name in a run: which one is the newest, if any clock tells."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from advisor.capture import Section, configured_name
from advisor.device.repeated import may_be_one_device, order_of_configs
from advisor.device.source import config_of
from advisor.device.sources import Sources


class Doubles(Struct, frozen=True):
    """Of each older configuration the place of the newest, else the files of the others."""

    newer: Mapping[int, int]
    others: Mapping[int, tuple[str, ...]]


def doubles_of(sources: Sources, configs_of_each: Iterable[Mapping[int, str]]) -> Doubles:
    """Compare the times of configurations of one name.

    Parameters
    ----------
    sources
        All inputs.
    configs_of_each
        For each name the places of its configurations, and their files.
    """
    newer: dict[int, int] = {}
    others: dict[int, tuple[str, ...]] = {}
    for files in configs_of_each:
        for rivals in _of_one_name(sources, files):
            last = _newest(rivals)
            for rival in rivals:
                if last is None:
                    others[rival.place] = tuple(
                        files[other.place] for other in rivals if other is not rival
                    )
                elif rival is not last:
                    newer[rival.place] = last.place
    return Doubles(newer, others)


class _Rival(Struct, frozen=True):
    """A configuration of a name that others have, too."""

    place: int
    config: Section


def _of_one_name(sources: Sources, files: Mapping[int, str]) -> Iterator[list[_Rival]]:
    """Configurations that are of one name when they are read, not at a glance alone."""
    named: dict[str, list[_Rival]] = {}
    for place in files:
        source = sources.load(place)
        config = config_of(source) if source is not None else None
        name = configured_name(config) if config is not None else None
        if config is not None and name is not None:
            named.setdefault(name, []).append(_Rival(place, config))
    return (rivals for rivals in named.values() if len(rivals) > 1)


def _newest(rivals: Sequence[_Rival]) -> _Rival | None:
    """The configuration with the last time; None where nothing tells."""
    configs = [rival.config for rival in rivals]
    order = order_of_configs(configs)
    pairs = combinations(configs, 2)
    if order is None or not all(may_be_one_device(*pair) for pair in pairs):
        return None
    local = [time.local for time in order.times]
    last = max(local)
    return rivals[local.index(last)] if local.count(last) == 1 else None
