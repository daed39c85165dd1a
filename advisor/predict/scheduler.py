"""The software queues of an output: weights, limits, policers and the interval of its shaper."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from advisor.facts.policy import PolicyClass, QueueLimit, Unit
from advisor.model.interface import Policer, Queue, QueueKind
from advisor.model.wire import Framing
from advisor.predict.class_service import class_rate
from advisor.predict.measured import counted_bytes
from advisor.predict.outlet import Outlet
from advisor.predict.quantity import Basis
from advisor.snapshot import Generation, Train
from advisor.units import bps_from_kbps, bytes_in_ms, ms_from_s, ratio_from_percent

DEFAULT_LIMIT_PACKETS = 64  # per class, all trains (printouts); of IOS XE not known
MOST_LIMIT_PACKETS = 512  # a longer queue is solved as this one, and has no bound
_DEFAULT_BURST_MS = 200.0
_LEAST_PERCENT = 1.0  # what HQF keeps for a class-default without bandwidth
_PRE_HQF_FLOW_PACKETS = 64  # congestive discard threshold of WFQ
_HQF_FLOW_SHARE = 0.25  # of the queue-limit: 16 of 64 in printouts
_HQF_TC_MS, _PRE_HQF_TC_MS, _FRTS_TC_MS = 4.0, 25.0, 125.0
_PRE_HQF_SLOW_BPS, _PRE_HQF_SLOW_BITS = 320_000.0, 8000.0


class Scheduler(Struct, frozen=True):
    """The queues of an output under one rule for what guarantees leave over."""

    outlet: Outlet
    generation: Generation
    equal_excess: bool

    def queues(
        self,
        names: Sequence[str],
        framing: Framing,
        mean_llq_bytes: float,
        mean_bytes: Mapping[str, float] = MappingProxyType({}),
    ) -> tuple[Queue, ...]:
        """Queue of each class.

        `mean_llq_bytes` are IP bytes, for what the policer counts; `mean_bytes` of a class for a
        queue-limit that is not of packets.
        """
        shares = self._shares()
        return tuple(
            self._queue(
                name,
                framing,
                mean_llq_bytes,
                shares.get(name, 0.0),
                self.limit_packets(name, mean_bytes.get(name)),
            )
            for name in names
        )

    def limit_packets(self, name: str, mean_bytes: float | None) -> int:
        """Queue-limit of a class in packets, cut to what is solved."""
        return min(self._stated_limit(name, mean_bytes), MOST_LIMIT_PACKETS)

    def is_cut(self, name: str, mean_bytes: float | None) -> bool:
        """Whether the queue of a class is longer than what is solved."""
        return self._stated_limit(name, mean_bytes) > MOST_LIMIT_PACKETS

    def _stated_limit(self, name: str, mean_bytes: float | None) -> int:
        """Packets of a queue-limit: of bytes and ms those that the mean packet makes of them.

        Milliseconds are of the rate that the class can count on. Cisco IOS QoS Command Reference,
        queue-limit.
        """
        found = self._class(name)
        stated = found.queue_limit if found is not None else None
        if found is None or stated is None or stated.amount < 1:
            return DEFAULT_LIMIT_PACKETS
        if stated.unit is Unit.PACKETS:
            return int(stated.amount)
        limit_bytes = self._limit_bytes(found, stated)
        if limit_bytes is None or mean_bytes is None:
            return DEFAULT_LIMIT_PACKETS
        return max(1, int(limit_bytes / mean_bytes))

    def _limit_bytes(self, found: PolicyClass, stated: QueueLimit) -> float | None:
        """Queue-limit in bytes; None where it is of time and the rate of the class not known."""
        if stated.unit is Unit.BYTES:
            return stated.amount
        rate = class_rate(self.outlet, found)
        return None if rate is None else bytes_in_ms(rate.value, stated.amount)

    def tc_ms(self, shaper_bps: float) -> float:
        """Interval of the shaper: Bc / rate, else the default of the generation.

        Source: 25 ms (8000 bits below 320 kb/s) before HQF, 4 ms with it, 125 ms of Frame Relay
        traffic shaping. An unknown generation is taken for the oldest: the longer interval.
        """
        shape = next((each.shape for each in self.outlet.policy.classes if each.shape), None)
        if shape is None:
            bc_bits = self.outlet.circuit_bc_bits
            return _FRTS_TC_MS if bc_bits is None else ms_from_s(bc_bits.value / shaper_bps)
        if shape.bc_ms is not None:
            return shape.bc_ms
        if shape.bc_bits is not None:
            return ms_from_s(shape.bc_bits / shaper_bps)
        if self.generation is not Generation.PRE_HQF:
            return _HQF_TC_MS
        if shaper_bps < _PRE_HQF_SLOW_BPS:
            return ms_from_s(_PRE_HQF_SLOW_BITS / shaper_bps)
        return _PRE_HQF_TC_MS

    @property
    def tc_basis(self) -> tuple[Basis, str]:
        """Where `tc_ms` is known from."""
        shape = next((each.shape for each in self.outlet.policy.classes if each.shape), None)
        if shape is not None and (shape.bc_ms is not None or shape.bc_bits is not None):
            return Basis.CONFIGURED, f"shape, {shape.at}"
        bc_bits = self.outlet.circuit_bc_bits
        if shape is None and bc_bits is not None:
            return Basis.CONFIGURED, f"frame-relay bc, {bc_bits.at}"
        if shape is None:
            return Basis.DEFAULT, "Frame Relay traffic shaping: Bc by default"
        return Basis.DEFAULT, f"{self.generation.value}: Bc by default"

    def limit_basis(self, name: str) -> tuple[Basis, str]:
        """Where `limit_packets` is known from."""
        found = self._class(name)
        stated = found.queue_limit if found is not None else None
        if stated is None:
            basis = Basis.ASSUMED if self.generation is Generation.XE else Basis.DEFAULT
            return basis, "64 packets in printouts of IOS 12 and 15"
        if stated.unit is Unit.PACKETS:
            return Basis.CONFIGURED, f"queue-limit, {stated.at}"
        said = f"queue-limit {stated.amount:g} {stated.unit.value}, {stated.at}"
        if found is not None and self._limit_bytes(found, stated) is None:
            return Basis.ASSUMED, f"{said}, is not converted: the rate of the class is not known"
        return Basis.CONFIGURED, f"{said}, in mean packets"

    def _class(self, name: str) -> PolicyClass | None:
        classes = self.outlet.queueing.classes
        return next((each for each in classes if each.name == name), None)

    def _queue(
        self, name: str, framing: Framing, mean_llq_bytes: float, share: float, limit: int
    ) -> Queue:
        found = self._class(name)
        if found is not None and found.priority is not None:
            policer = self._policer(found, framing, mean_llq_bytes)
            return Queue(name, QueueKind.PRIORITY, limit_packets=limit, policer=policer)
        is_default = found is None or found.is_default
        fair = found is not None and found.fair_queue is not None and found.fair_queue.value
        return Queue(
            name,
            QueueKind.CLASS_DEFAULT if is_default else QueueKind.BANDWIDTH,
            share_percent=share,
            limit_packets=limit,
            flow_limit_packets=self._flow_limit(limit) if fair else None,
        )

    def _flow_limit(self, limit: int) -> int:
        if self.generation is Generation.PRE_HQF:
            return min(_PRE_HQF_FLOW_PACKETS, limit)
        return max(1, int(limit * _HQF_FLOW_SHARE))

    def _policer(
        self, each: PolicyClass, framing: Framing, mean_llq_bytes: float
    ) -> Policer | None:
        """Policer of a priority class in the model's bytes: IOS counts fewer of layer 2."""
        rate_bps = self.outlet.llq_rate_bps(each)
        burst = each.priority.burst_bytes if each.priority is not None else None
        if self.outlet.priority_bps(each) is None and each.police is not None:
            burst = each.police.burst_bytes
        if rate_bps is None:
            return None
        counted = counted_bytes(self.outlet.encapsulation)
        header = framing.overhead_bytes if counted is None else counted
        modelled = mean_llq_bytes + framing.overhead_bytes
        factor = max(1.0, modelled / (mean_llq_bytes + header))
        burst_bytes = burst if burst is not None else bytes_in_ms(rate_bps, _DEFAULT_BURST_MS)
        return Policer(rate_bps * factor, max(burst_bytes * factor, modelled))

    def _shares(self) -> dict[str, float]:
        """Weights of the lower classes: their guarantees, and parts of what these leave."""
        base_bps = self._base_bps()
        lower = [each for each in self.outlet.queueing.classes if each.priority is None]
        llq_bps = sum(self.outlet.llq_rate_bps(each) or 0.0 for each in self.outlet.llq_classes)
        room_bps = max(base_bps - llq_bps, base_bps * ratio_from_percent(_LEAST_PERCENT))
        guaranteed = dict(_guaranteed(lower, base_bps, room_bps))
        guaranteed.setdefault("class-default", 0.0)
        left_bps = max(
            room_bps - sum(guaranteed.values()), base_bps * ratio_from_percent(_LEAST_PERCENT)
        )
        open_ = [name for name, rate in guaranteed.items() if rate == 0]
        takers = list(guaranteed) if self.equal_excess else open_
        return {
            name: max(rate + (left_bps / len(takers) if name in takers else 0.0), 1.0)
            for name, rate in guaranteed.items()
        }

    def _base_bps(self) -> float:
        wire = self.outlet.wire
        return self.outlet.admission_bps or (wire.value if wire is not None else 1.0)


def _guaranteed(
    lower: Sequence[PolicyClass], base_bps: float, room_bps: float
) -> Iterator[tuple[str, float]]:
    ratios = sum(
        each.bandwidth.amount
        for each in lower
        if each.bandwidth is not None and each.bandwidth.unit is Unit.REMAINING_RATIO
    )
    for each in lower:
        stated = each.bandwidth
        if stated is None:
            yield each.name, 0.0
        elif stated.unit is Unit.KBPS:
            yield each.name, bps_from_kbps(stated.amount)
        elif stated.unit is Unit.PERCENT:
            yield each.name, base_bps * ratio_from_percent(stated.amount)
        elif stated.unit is Unit.REMAINING_PERCENT:
            yield each.name, room_bps * ratio_from_percent(stated.amount)
        else:
            # a class without a ratio has 1
            yield each.name, room_bps * stated.amount / (ratios + 1)


def scheduler_of(outlet: Outlet, train: Train) -> tuple[Scheduler, ...]:
    """Schedulers that the output may have: two where no release is known.

    Up to IOS 15 weights divide, and what is not guaranteed goes to classes without a guarantee
    (measured: of 2 Mb/s classes of 20 and 30 % got 418 and 613 kb/s, class-default 997). IOS XE
    adds equal parts (recalled).
    """
    rules: tuple[bool, ...] = (train.generation is Generation.XE,)
    if train.assumed and not train.because.startswith("version 12"):
        rules = (False, True)
    return tuple(Scheduler(outlet, train.generation, equal) for equal in rules)
