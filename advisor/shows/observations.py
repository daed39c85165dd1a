"""Everything that the show outputs of one device say, joined by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.ios.syntax import Location
from advisor.ios.syntax.names import interface_name
from advisor.shows.output import Declined

if TYPE_CHECKING:
    from advisor.facts.policy import ClassMap
    from advisor.shows.atm import AtmCircuit
    from advisor.shows.buffers import BufferPool, SwitchPort
    from advisor.shows.bundles import CompressedLink, FragmentedCircuit, MultilinkBundle
    from advisor.shows.calls import CallLeg
    from advisor.shows.controllers import Controller
    from advisor.shows.cpu import ControlProcessor, CpuLoad, CpuTable, PlatformCpu
    from advisor.shows.crypto import ProtectedInterface, ReplayMessages
    from advisor.shows.dlsw import DlswCircuits, DlswPeers, DlswStatistics
    from advisor.shows.interfaces.reader import ObservedInterface
    from advisor.shows.interfaces.tables import InterfaceProtocols, InterfaceSummary, RateLimit
    from advisor.shows.neighbors import CdpNeighbor, TunnelPeer
    from advisor.shows.policy_map import ObservedPolicy, ShownPolicy
    from advisor.shows.qfp import DatapathLoad, HardwareQueue
    from advisor.shows.queueing import FairQueueing, InterfaceQueueing, RandomDetect
    from advisor.shows.queueing.show_queue import QueueContents
    from advisor.shows.shaping import SeenShaper, ShapedTraffic
    from advisor.shows.sla import SlaResult
    from advisor.shows.version import InventoryItem, Version


class TakenOutput(Struct, frozen=True):
    """One output of a capture, what it was taken for and when.

    `understood` is false where it is not understood as a whole: then `declined` are its parts that
    are not understood and the others were read, or none of it was read and `said` is the reason.
    `is_read` is false of an output that is kept and has no reader; `counts` where a filter left
    figures of an output that is read as a whole.
    """

    command: str
    said: str
    time: str | None
    understood: bool
    at: Location
    is_read: bool = True
    counts: bool = False
    declined: tuple[Declined, ...] = ()

    @property
    def not_understood(self) -> tuple[str, ...]:
        """Parts that are not understood, in words with their lines: none, some, or all."""
        if self.understood:
            return ()
        return tuple(map(str, self.declined)) or (self.said,)


# With a dict: the look-ups by name are made once and kept.
class Observations(Struct, frozen=True, dict=True):
    """Observations of a device, in the order of its captures. Every field is a tuple."""

    policies: tuple[ObservedPolicy, ...] = ()
    shown_policies: tuple[ShownPolicy, ...] = ()
    interfaces: tuple[ObservedInterface, ...] = ()
    controllers: tuple[Controller, ...] = ()
    queueing: tuple[InterfaceQueueing, ...] = ()
    random_detect: tuple[RandomDetect, ...] = ()
    fair_queueing: tuple[FairQueueing, ...] = ()
    queues: tuple[QueueContents, ...] = ()
    atm_circuits: tuple[AtmCircuit, ...] = ()
    cpu: tuple[CpuLoad, ...] = ()
    cpu_tables: tuple[CpuTable, ...] = ()
    sla: tuple[SlaResult, ...] = ()
    dlsw_peers: tuple[DlswPeers, ...] = ()
    dlsw_circuits: tuple[DlswCircuits, ...] = ()
    dlsw_statistics: tuple[DlswStatistics, ...] = ()
    versions: tuple[Version, ...] = ()
    neighbors: tuple[CdpNeighbor, ...] = ()
    inventory: tuple[InventoryItem, ...] = ()
    bundles: tuple[MultilinkBundle, ...] = ()
    fragmentation: tuple[FragmentedCircuit, ...] = ()
    compressed: tuple[CompressedLink, ...] = ()
    protected: tuple[ProtectedInterface, ...] = ()
    shapers: tuple[SeenShaper, ...] = ()
    shaped: tuple[ShapedTraffic, ...] = ()
    class_maps: tuple[ClassMap, ...] = ()
    replay_messages: tuple[ReplayMessages, ...] = ()
    tunnel_peers: tuple[TunnelPeer, ...] = ()
    calls: tuple[CallLeg, ...] = ()
    datapath: tuple[DatapathLoad, ...] = ()
    hardware_queues: tuple[HardwareQueue, ...] = ()
    summaries: tuple[InterfaceSummary, ...] = ()
    rate_limits: tuple[RateLimit, ...] = ()
    protocols: tuple[InterfaceProtocols, ...] = ()
    buffers: tuple[BufferPool, ...] = ()
    switch_ports: tuple[SwitchPort, ...] = ()
    control_processors: tuple[ControlProcessor, ...] = ()
    platform_cpu: tuple[PlatformCpu, ...] = ()
    taken: tuple[TakenOutput, ...] = ()

    def interface(self, name: str) -> ObservedInterface | None:
        """The interface of that name, abbreviated or not; the latest capture wins."""
        return self._interfaces.get(interface_name(name))

    def summary(self, name: str) -> InterfaceSummary | None:
        """The row of that interface in a summary of all; the latest capture wins."""
        return self._summaries.get(interface_name(name))

    def controller(self, name: str) -> Controller | None:
        """The controller of that interface."""
        return self._controllers.get(interface_name(name))

    def shaper(self, name: str, circuit: str | None) -> SeenShaper | None:
        """The shaper in force of all packets of an interface, or of its circuit (a DLCI)."""
        return self._shapers.get(_shaped_place(name, circuit))

    def shaped_at(self, name: str, circuit: str | None) -> Sequence[ShapedTraffic]:
        """Counters of shapers of all packets of an interface, or of its circuit."""
        return self._shaped.get(_shaped_place(name, circuit), ())

    def policy(self, name: str, direction: str, circuit: str | None) -> ObservedPolicy | None:
        """The policy attached to an interface, or to its circuit (`0/100` of a VC, a DLCI)."""
        return self._policies.get((interface_name(name), direction, circuit))

    @cached_property
    def _interfaces(self) -> dict[str, ObservedInterface]:
        return {interface_name(interface.name): interface for interface in self.interfaces}

    @cached_property
    def _summaries(self) -> dict[str, InterfaceSummary]:
        return {interface_name(row.interface): row for row in self.summaries}

    @cached_property
    def _controllers(self) -> dict[str, Controller]:
        named = (controller for controller in self.controllers if controller.interface is not None)
        return {interface_name(item.interface or ""): item for item in named}

    @cached_property
    def _shapers(self) -> dict[tuple[str, str | None], SeenShaper]:
        of_all = (item for item in self.shapers if item.access_list is None)
        return {_shaped_place(item.interface, item.circuit): item for item in of_all}

    @cached_property
    def _shaped(self) -> dict[tuple[str, str | None], list[ShapedTraffic]]:
        found: dict[tuple[str, str | None], list[ShapedTraffic]] = {}
        for item in (item for item in self.shaped if item.access_list is None):
            found.setdefault(_shaped_place(item.interface, item.circuit), []).append(item)
        return found

    @cached_property
    def _policies(self) -> dict[tuple[str, str, str | None], ObservedPolicy]:
        return {
            (
                interface_name(policy.interface),
                policy.direction,
                policy.circuit.number if policy.circuit is not None else None,
            ): policy
            for policy in self.policies
        }


def _shaped_place(name: str, circuit: str | None) -> tuple[str, str | None]:
    """The key of a place: a DLCI is one of its port, whichever subinterface an output names."""
    full = interface_name(name)
    return (full if circuit is None else full.partition(".")[0], circuit)
