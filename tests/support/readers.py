"""Readers of show outputs as tests call them: all of an output is read, or the reading fails.

Outputs of tests are often excerpts: that one ends early is no failure where its records are there.
"""

from collections.abc import Callable
from typing import TypeVar

from advisor.shows import atm as atm_vc
from advisor.shows import controllers as controllers_ring
from advisor.shows import cpu as cpu_processes
from advisor.shows import queueing as queueing_reader
from advisor.shows import version as version_reader
from advisor.shows.dlsw import reader as dlsw_reader
from advisor.shows.interfaces import reader as interfaces_reader
from advisor.shows.output import Declined, LayoutError, OutputReading
from advisor.shows.policy_map import counted as policy_map_counted
from advisor.shows.policy_map import shown_lines as policy_map_configured
from advisor.shows.sla import reader as sla_reader

Record = TypeVar("Record")


class DeclinedError(LayoutError):
    """A part of an output is not understood, where a test wants all of it."""

    def __init__(self, part: Declined) -> None:
        super().__init__(part.at, part.said, "")
        self.args = (part.said,)


def whole(
    read: Callable[[str, str, int], OutputReading[Record]],
) -> Callable[..., tuple[Record, ...]]:
    """The records that a reader makes. A declined part is the error that it stands for."""

    def read_whole(text: str, file: str, first_line: int = 1) -> tuple[Record, ...]:
        reading = read(text, file, first_line)
        parts = [part for part in reading.declined if not part.is_cut or not reading.records]
        if parts:
            raise DeclinedError(parts[0])
        return reading.records

    return read_whole


def only(read: Callable[[str, str, int], OutputReading[Record]]) -> Callable[..., Record]:
    """The one record that a reader makes of an output."""

    def read_only(text: str, file: str, first_line: int = 1) -> Record:
        (record,) = whole(read)(text, file, first_line)
        return record

    return read_only


read_interfaces = whole(interfaces_reader.read_interfaces)
read_controllers = whole(controllers_ring.read_controllers)
read_sla = whole(sla_reader.read_sla)
read_queueing_interface = whole(queueing_reader.read_queueing_interface)
read_random_detect = whole(queueing_reader.read_random_detect)
read_fair_queueing = whole(queueing_reader.read_fair_queueing)
read_atm_circuits = whole(atm_vc.read_atm_circuits)
read_policy_map = whole(policy_map_configured.read_policy_map)
read_policy_map_interface = whole(policy_map_counted.read_policy_map_interface)
read_cpu_processes = only(cpu_processes.read_cpu_processes)
read_dlsw_circuits = only(dlsw_reader.read_dlsw_circuits)
read_dlsw_peers = only(dlsw_reader.read_dlsw_peers)
read_version = only(version_reader.read_version)
