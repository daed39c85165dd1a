"""Sections of one device that tell the same of different times: the newest one counts."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import combinations
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from advisor.capture.clock import CaptureTime, TimeSource, can_be_ordered, changed_time
from advisor.capture.devices import configured_name, is_of_factory
from advisor.capture.masking import mask_captured
from advisor.capture.pages import is_command
from advisor.capture.sections import Section, SectionKind
from advisor.device.config_parts import is_behind, is_part, is_running, joined
from advisor.ground.questions import derived
from advisor.ios.syntax import Location, TextLines

if TYPE_CHECKING:
    from advisor.shows.version import Version

_OF_FILES: Final = ("more ", "copy ", "show file ")
_SAVED: Final = ("show startup-config", "more ", "copy ", "show file ", "show configuration")
_NAMING: Final = ("service-policy", "class")
_END: Final = re.compile(r"end\b")
_ADDRESS: Final = re.compile(r"[ \t]++ip address (\d++\.\d++\.\d++\.\d++) ")


def newest_last(sections: Sequence[Section]) -> tuple[Section, ...]:
    """Order the outputs of each command by their time; what is looked up by name is the last.

    Where a command has an output without a time, or of another clock, they stay as they stand.
    """
    ordered = list(sections)
    for places in _of_each_command(sections):
        if can_be_ordered(sections[place].order_time for place in places):
            by_time = sorted((sections[place] for place in places), key=_time)
            for place, section in zip(places, by_time, strict=True):
                ordered[place] = section
    return tuple(ordered)


def said_of_repeated(sections: Sequence[Section]) -> Iterator[str]:
    """Say which output counts, of each command that was taken more than once.

    `sections` as they come: it is the last of a command that counts.
    """
    for places in _of_each_command(sections):
        taken = [sections[place] for place in places]
        last = taken[-1]
        if len(taken) > 1:
            others = ", ".join(f"{section.file}:{section.first_line}" for section in taken[:-1])
            known = can_be_ordered(section.order_time for section in taken)
            order = "is older" if known else "stands ahead of it, and no time tells which is newer"
            yield (
                f"{mask_captured(last.command or 'show output')} of "
                f"{last.file}:{last.first_line} counts; {others} {order}"
            )


def main_config(configs: Sequence[Section]) -> Section | None:
    """The configuration of a device: of whole running ones the newest, else the longest.

    One that was cut, and a few lines typed in config mode, are no whole configuration. Parts of one
    that stand in a file are read together.
    """
    named = running_configs(configs)
    whole = [config for config in named if _is_ended(config)]
    if named:
        return _newest(whole or named)
    longest = max(configs, key=_rank, default=None)
    return joined(longest, configs) if longest is not None else None


def _is_ended(config: Section) -> bool:
    rows = config.lines.starting_so(lambda word: word.startswith("end"))
    return any(row >= config.prompt_lines and _END.match(config.lines.lines[row]) for row in rows)


class ConfigOrder(Struct, frozen=True):
    """Times that order configurations of one device, one for each of them."""

    times: tuple[CaptureTime, ...]

    @property
    def older(self) -> str:
        """Describe the older one in words."""
        is_change = self.times[0].source is TimeSource.CHANGE
        return "is older by its last configuration change" if is_change else "is older"


def order_of_configs(configs: Sequence[Section]) -> ConfigOrder | None:
    """Times when configurations were taken, else when they were changed last; None if unknown.

    Times that are all the same order nothing. The last change orders states of one device only:
    of two devices it would take a configuration away from the outputs that stand with it.
    """
    if len(configs) < 2:  # noqa: PLR2004 -- nothing to order
        return None
    taken = [config.order_time for config in configs]
    changed = [_changed(config.lines) for config in configs]
    # A file may repeat one configuration a thousand times: each set of addresses counts once.
    stated = {found for config in configs if (found := _addresses(config.lines))}
    are_states = all(first & second for first, second in combinations(stated, 2))
    for times in (taken, changed) if are_states else (taken,):
        known = tuple(time for time in times if time is not None)
        if can_be_ordered(times) and len({time.local for time in known}) > 1:
            return ConfigOrder(known)
    return None


def _changed(text: TextLines) -> CaptureTime | None:
    return changed_time(text.lines[row] for row in text.rows_of.get("!", ()))


def _newest(configs: Sequence[Section]) -> Section:
    """The configuration with the last time, the last one of those where times do not tell."""
    order = order_of_configs(configs)
    if order is None:
        return configs[-1]
    last = max(range(len(configs)), key=lambda place: (order.times[place].local, place))
    return configs[last]


def said_of_rivals(configs: Sequence[Section], main: Section | None) -> Iterator[str]:
    """Say which configurations may be of another device: of the same name, or without one."""
    ended = [config for config in configs if _is_whole_without_name(config)]
    ended = ended if main in ended else []
    for config in ended[1:]:
        yield (
            f"{config.file}:{config.first_line}: this configuration ends with `end` and has no "
            f"`hostname`, as that of {ended[0].file}:{ended[0].first_line}: both are read as one; "
            "put each into a file of its own"
        )
    for config in configs:
        is_main = main is not None and config.first_line == main.first_line
        if not is_main and config not in ended and _is_without_device(config):
            yield (
                f"{config.file}:{config.first_line}: this configuration has no `hostname`, and "
                "nothing tells whose it is: it is not judged; put it into a file of its own"
            )
    for config in _others(configs, main):
        if main is not None and _may_be_rival(config, main):
            yield (
                f"{config.file}:{config.first_line}: this configuration bears the name of that of "
                f"{main.file}:{main.first_line}, and nothing tells which is newer or whether both "
                "are of one device: it is not judged; put each into a file of its own"
            )


def said_of_cut(configs: Sequence[Section], main: Section | None) -> Iterator[str]:
    """Say which configuration is newer than the one that counts, and was cut."""
    for config in _others(configs, main):
        if main is None or _is_ended(config):
            continue
        order = order_of_configs((main, config))
        is_newer = order.times[0].local < order.times[1].local if order else is_behind(config, main)
        if is_newer and _is_ended(main):
            yield (
                f"{config.file}:{config.first_line}: this configuration is newer than that of "
                f"{main.file}:{main.first_line} and has no `end`: it is not judged; show it again"
            )


def _is_whole_without_name(config: Section) -> bool:
    is_typed = config.command is not None and not config.command.startswith("show running-config")
    is_named = configured_name(config) is not None
    return not (is_typed or is_named or is_part(config)) and _is_ended(config)


def _is_without_device(config: Section) -> bool:
    """Whether lines that are judged stand behind no prompt, heading or name."""
    is_untold = config.command is None and config.host is None and configured_name(config) is None
    return is_untold and any(map(is_command, config.output.splitlines()))


def _may_be_rival(config: Section, main: Section) -> bool:
    """Whether two configurations of a name that many routers bear may be of two of them."""
    name = configured_name(main)
    is_one_log = config.host is not None and main.host is not None
    are_apart = not is_one_log or _addresses(config.lines) != _addresses(main.lines)
    return (
        are_apart
        and name is not None
        and is_of_factory(name)
        and may_be_one_device(config, main)
        and config.output != main.output
        and order_of_configs((config, main)) is None
    )


def _others(configs: Sequence[Section], main: Section | None) -> list[Section]:
    if len(configs) < 2:  # noqa: PLR2004 -- there is no other
        return []
    named = running_configs(configs)
    return [config for config in named if config is not main] if main in named else []


def unjudged_users(configs: Sequence[Section], main: Section) -> Iterator[tuple[Location, str]]:
    """Lines that name a policy or a class in configurations beside the one that counts.

    Of an older state of the device they do not count.
    """
    for config in configs:
        is_saved = (config.command or "").startswith(_SAVED)
        is_main = config.first_line == main.first_line and config.file == main.file
        if is_main or is_saved or order_of_configs((config, main)) is not None:
            continue
        for row in config.lines.starting(_NAMING):
            yield Location(config.file, config.first_line + row), config.lines.bodies[row]


def said_of_configs(configs: Sequence[Section], main: Section | None) -> Iterator[str]:
    """Say which running configurations of a device do not count, and that one was saved."""
    if main is not None and (main.command or "").startswith(_OF_FILES) and not is_running(main):
        yield (
            f"the configuration of {main.file}:{main.first_line} is that of a file, and the one "
            "that runs may differ: take `show running-config`"
        )
    for config in _others(configs, main):
        if main is not None:
            order = order_of_configs((config, main))
            yield (
                f"the configuration of {main.file}:{main.first_line} counts; "
                f"that of {config.file}:{config.first_line} {_standing(order)}"
            )


def _standing(order: ConfigOrder | None) -> str:
    """Describe the first of two configurations beside the second, which counts."""
    if order is None:
        return "is another one, and no time tells which is newer"
    first, second = order.times
    return order.older if first.local < second.local else "is newer and has no `end`"


def running_configs(configs: Iterable[Section]) -> list[Section]:
    """The running configurations that name their device."""
    return [config for config in configs if _is_running(config)]


def _is_running(config: Section) -> bool:
    """Whether it is a running-config that names its device, not a part of one."""
    may_run = is_running(config) or config.command is None
    return may_run and not is_part(config) and configured_name(config) is not None


def _rank(section: Section) -> tuple[bool, int]:
    return is_running(section), len(section.text)


def _of_each_command(sections: Iterable[Section]) -> Iterator[list[int]]:
    places_of: dict[str, list[int]] = {}
    for place, section in enumerate(sections):
        if section.kind is SectionKind.SHOW and section.command is not None:
            places_of.setdefault(section.command, []).append(place)
    yield from places_of.values()


def _time(section: Section) -> datetime:
    time = section.order_time
    return time.local if time is not None else datetime.min  # noqa: DTZ901 -- as the router prints it


def may_be_one_device(config: Section, other: Section) -> bool:
    """Whether two configurations share an address; also where one of them has none."""
    first, second = _addresses(config.lines), _addresses(other.lines)
    return not (first and second) or bool(first & second)


@derived
def _addresses(text: TextLines) -> frozenset[str]:
    found = (_ADDRESS.match(text.lines[row]) for row in text.rows_of.get("ip", ()))
    return frozenset(match[1] for match in found if match is not None)


def said_of_addresses(main: Section, others: Sequence[Section]) -> Iterator[str]:
    """Say which configurations of one name have none of the addresses of the one that counts."""
    for config in others:
        if config is not main and not may_be_one_device(main, config):
            yield (
                f"{config.file}:{config.first_line}: this configuration has no address of the one "
                f"of {main.file}:{main.first_line}, which bears the same name: it is taken for "
                "that of another device and not judged; put each device into a file of its own"
            )


def said_of_hardware(versions: Sequence["Version"]) -> Iterator[str]:
    """Say which outputs of `show version` name other hardware than the last one, which counts."""
    for version in versions[:-1]:
        last = versions[-1]
        what = _other_hardware(version, last)
        if what is not None:
            yield (
                f"{version.at}: show version names another {what} than that of {last.at}, which "
                "counts: the outputs are of two devices of one name, or of the time before an "
                "exchange; put each device into a file of its own"
            )


def _other_hardware(version: "Version", last: "Version") -> str | None:
    for what, one, other in (
        ("model", version.platform, last.platform),
        ("processor board ID", version.board_id, last.board_id),
    ):
        if one is not None and other is not None and one != other:
            return what
    return None
