"""Sections of a capture to observations: one reader for each command, errors kept beside."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct, field

from advisor.capture import Section, SectionKind, ShowCommand
from advisor.capture.masking import mask_captured
from advisor.ios.syntax.tree import Location
from advisor.shows.atm.vc import read_atm_circuits
from advisor.shows.controllers.ring import read_controllers
from advisor.shows.cpu.history import read_cpu_history
from advisor.shows.cpu.load import read_cpu
from advisor.shows.cpu.processes import read_cpu_processes
from advisor.shows.dlsw.capabilities import read_dlsw_capabilities
from advisor.shows.dlsw.circuits import read_dlsw_circuits
from advisor.shows.dlsw.peers import read_dlsw_peers
from advisor.shows.dlsw.reachability import read_dlsw_reachability
from advisor.shows.dlsw.statistics import read_dlsw_statistics
from advisor.shows.interfaces.reader import read_interfaces
from advisor.shows.layout import LayoutError
from advisor.shows.observations import Observations, Taken
from advisor.shows.policy_map.configured import read_policy_map
from advisor.shows.policy_map.counted import read_policy_map_interface
from advisor.shows.queueing.reader import (
    read_fair_queueing,
    read_queueing,
    read_queueing_interface,
    read_random_detect,
)
from advisor.shows.queueing.show_queue import read_queue
from advisor.shows.sla.reader import read_sla
from advisor.shows.version.reader import read_version
from advisor.units import NumeralError

# What is read of each command: the field of Observations, and the reader of one or of many.
_Reader = Callable[[str, str, int], Any]
_READERS: Final[Mapping[ShowCommand, tuple[str, _Reader]]] = MappingProxyType(
    {
        ShowCommand.POLICY_MAP_INTERFACE: ("policies", read_policy_map_interface),
        ShowCommand.POLICY_MAP: ("shown_policies", read_policy_map),
        ShowCommand.INTERFACES: ("interfaces", read_interfaces),
        ShowCommand.CONTROLLERS: ("controllers", read_controllers),
        ShowCommand.QUEUEING_INTERFACE: ("queueing", read_queueing_interface),
        ShowCommand.QUEUEING_RANDOM_DETECT: ("random_detect", read_random_detect),
        ShowCommand.QUEUEING_FAIR: ("fair_queueing", read_fair_queueing),
        ShowCommand.QUEUE: ("queues", read_queue),
        ShowCommand.ATM_PVC: ("atm_circuits", read_atm_circuits),
        ShowCommand.ATM_VC: ("atm_circuits", read_atm_circuits),
        ShowCommand.CPU_HISTORY: ("cpu_history", read_cpu_history),
        ShowCommand.SLA_AGGREGATED: ("sla", read_sla),
        ShowCommand.SLA_STATISTICS: ("sla", read_sla),
        ShowCommand.SLA_MONITOR_AGGREGATED: ("sla", read_sla),
        ShowCommand.SLA_MONITOR_STATISTICS: ("sla", read_sla),
        ShowCommand.SLA_MONITOR_COLLECTION: ("sla", read_sla),
        ShowCommand.RTR_OPERATIONAL_STATE: ("sla", read_sla),
        ShowCommand.RTR_COLLECTION: ("sla", read_sla),
        ShowCommand.DLSW_PEERS: ("dlsw_peers", read_dlsw_peers),
        ShowCommand.DLSW_CIRCUITS: ("dlsw_circuits", read_dlsw_circuits),
        ShowCommand.DLSW_STATISTICS: ("dlsw_statistics", read_dlsw_statistics),
        ShowCommand.DLSW_CAPABILITIES: ("dlsw_capabilities", read_dlsw_capabilities),
        ShowCommand.DLSW_REACHABILITY: ("dlsw_reachability", read_dlsw_reachability),
        ShowCommand.VERSION: ("versions", read_version),
    }
)


_SHOWN_DIGITS: Final = 30  # of a number that is too long


class _Seen(Struct):
    """Observations while they are gathered."""

    by_field: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, name: str, found: Any) -> None:  # noqa: ANN401 -- each reader has its own type
        many = list(found) if isinstance(found, tuple) else [found]
        self.by_field.setdefault(name, []).extend(many)


def observe(sections: Iterable[Section], file: str) -> Observations:
    """Read the show outputs of a capture.

    A section whose layout is not known gives no observation and a `Taken` that says so, with the
    line; nothing is raised and the others are still read.
    """
    seen = _Seen()
    for section in sections:
        if section.kind is SectionKind.SHOW:
            seen.add("taken", _observe(section, section.file or file, seen))
    return Observations(**{name: tuple(many) for name, many in seen.by_field.items()})


def _observe(section: Section, file: str, seen: _Seen) -> Taken:
    command = section.command or "show output"
    time = str(section.time) if section.time is not None else None
    at = Location(file, section.first_line)
    kind = section.taken_for
    try:
        if kind is ShowCommand.CPU:
            _observe_cpu(section, file, seen)
        elif kind is ShowCommand.QUEUEING:
            both = read_queueing(section.text, file, section.first_line)
            seen.add("fair_queueing", both.fair)
            seen.add("random_detect", both.random_detect)
        elif kind is not None and kind in _READERS:
            name, read = _READERS[kind]
            seen.add(name, read(section.text, file, section.first_line))
        else:
            said = f"{mask_captured(command)}: kept, not read"
            return Taken(command, said, time, understood=True, at=at, is_read=False)
    except NumeralError as error:
        beyond = _beyond(section, file, error)
        return Taken(command, str(beyond), time, understood=False, at=beyond.at)
    except LayoutError as error:
        return Taken(command, str(error), time, understood=False, at=error.at)
    return Taken(command, str(section), time, understood=True, at=at)


def _beyond(section: Section, file: str, error: NumeralError) -> LayoutError:
    """A number that no counter holds, as the line of an unknown layout that it stands in."""
    start = max(section.text.find(error.text), 0)
    line = section.first_line + section.text.count("\n", 0, start)
    said = f"{error.text[:_SHOWN_DIGITS]}…" if len(error.text) > _SHOWN_DIGITS else error.text
    return LayoutError(Location(file, line), said, mask_captured(section.command or "show output"))


def _observe_cpu(section: Section, file: str, seen: _Seen) -> None:
    """Read the head line, and the table under it where the output is not filtered."""
    load = read_cpu(section.text, file, section.first_line)
    if load is not None:
        seen.add("cpu", load)
    if section.line_filter is None and "PID" in section.text:
        seen.add("cpu_tables", read_cpu_processes(section.text, file, section.first_line))
