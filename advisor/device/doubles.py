"""Several configurations of one name in a run: which one is the newest, if any clock tells."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from advisor.capture import can_be_ordered
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
        last = _newest(sources, tuple(files))
        for place in files:
            if last is None:
                others[place] = tuple(name for rival, name in files.items() if rival != place)
            elif place != last:
                newer[place] = last
    return Doubles(newer, others)


def _newest(sources: Sources, places: Sequence[int]) -> int | None:
    """The place of the configuration with the last time; None where the times do not tell."""
    loaded = [sources.load(place) for place in places]
    configs = [config_of(source) if source is not None else None for source in loaded]
    times = [config.time if config is not None else None for config in configs]
    if not can_be_ordered(times):
        return None
    local = [time.local for time in times if time is not None]
    last = max(local)
    return places[local.index(last)] if local.count(last) == 1 else None
