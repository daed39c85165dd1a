"""The software queues of an output: weights, limits, policers and the interval of its shaper."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from advisor.device.platform import Decision
from advisor.facts.policy import PolicyClass, Unit
from advisor.ground.quantity import Input, Unknown
from advisor.model import Excess, Framing, Queue, QueueKind
from advisor.outlet.excess import NO_PART, LineShare, class_parts, excess_rules
from advisor.outlet.outlet import Outlet, Queueing
from advisor.outlet.queue_limit import LimitKind, QueueLimit, queue_limit
from advisor.outlet.shaper import TokenBuckets
from advisor.outlet.wred_rows import DEFAULT_MAX_PACKETS, exponent_of

MOST_LIMIT_PACKETS = 2048  # a longer queue is solved as this one, and has no bound
_FULL_OF_WRED = "the highest maximum threshold: WRED drops every packet there"
_LONGEST_SOLVED = f"a longer queue is solved as one of {MOST_LIMIT_PACKETS}"
_FULL_BYTES = 1500
_PRE_HQF_FLOW_PACKETS = 64  # congestive discard threshold of WFQ
HQF_FLOW_SHARE = 0.25  # of the queue-limit: 16 of 64 in printouts


class OutputScheduler(Struct, frozen=True):
    """The queues of an output under one rule for the rate that no class reserves."""

    outlet: Outlet
    platform: Decision
    excess: Excess

    def queues(
        self,
        names: Sequence[str],
        framing: Framing,
        mean_bytes: Mapping[str, float] = MappingProxyType({}),
    ) -> tuple[Queue, ...]:
        """Queue of each class.

        `mean_bytes` has the mean IP packet of a class. It converts a queue-limit that is not in
        packets, and gives the bytes that the policer of a priority class counts: without it, those
        on the wire.
        """
        parts = self.parts
        return tuple(
            self._queue(
                name,
                framing,
                mean_bytes.get(name),
                parts.get(name),
                self.limit_packets(name, mean_bytes.get(name)),
            )
            for name in names
        )

    def limit_packets(self, name: str, mean_bytes: float | None) -> int:
        """Queue-limit of a class as the model solves it: at most `MOST_LIMIT_PACKETS`.

        Where WRED limits the queue before, it is the highest maximum threshold: no average queue
        is above it.
        """
        limit, policy_class = self.limit(name), self.outlet.class_named(name)
        packets = self._stated_packets(limit, mean_bytes)
        most = self.highest_maximum_packets(policy_class)
        return min(packets, MOST_LIMIT_PACKETS, packets if most is None else most)

    def limit_inputs(self, name: str, packet: Input) -> tuple[Input, ...]:
        """The limit in force, over the range of the mean packet, and the one solved if another."""
        limit = self.limit(name)
        stated = limit.as_input(name, packet)
        sizes = (packet.value, packet.high, packet.low)
        value, low, high = (float(self.limit_packets(name, size)) for size in sizes)
        if (value, low, high) == (stated.value, stated.low, stated.high):
            return (stated,)
        most = self.highest_maximum_packets(self.outlet.class_named(name))
        of_wred = most is not None and high < MOST_LIMIT_PACKETS
        why = _FULL_OF_WRED if of_wred else _LONGEST_SOLVED
        label = f"solved_limit_packets of {name}"
        return (stated, Input(label, value, low, high, stated.basis, why))

    def highest_maximum_packets(self, policy_class: PolicyClass | None) -> int | None:
        """Average queue in packets at which WRED of a class drops every packet.

        The default of classic IOS where no row states it; None without WRED, and where a row is not
        in packets or the default of the platform is another.
        """
        if policy_class is None or policy_class.queue_wred is None:
            return None
        rows = policy_class.queue_wred.profiles
        if any(row.unit is not Unit.PACKETS for row in rows):
            return None
        if not rows and not self.platform.has_classic_defaults:
            return None
        return max(1, int(max((row.max_threshold for row in rows), default=DEFAULT_MAX_PACKETS)))

    def is_cut(self, name: str, mean_bytes: float | None) -> bool:
        """Whether the queue of a class is longer than the model solves."""
        limit = self.limit(name)
        return self._stated_packets(limit, mean_bytes) > self.limit_packets(name, mean_bytes)

    def limit(self, name: str) -> QueueLimit:
        """Queue-limit in force in a class."""
        return queue_limit(self.outlet, self.outlet.class_named(name), self.platform)

    def unknown_default(self, names: Sequence[str]) -> Unknown | None:
        """A default of these classes that is needed and not known for the platform."""
        reasons = filter(None, map(self._unknown_of_class, names))
        reason = next(reasons, None)
        if reason is not None:
            return Unknown(reason)
        shape = self.outlet.shape
        has_bc = shape is not None and (shape.bc_ms is not None or shape.bc_bits is not None)
        if shape is None or has_bc or self._knows_defaults:
            return None
        return Unknown(f"the default Bc of a shaper of {self.platform.title} is not known")

    def _unknown_of_class(self, name: str) -> str | None:
        limit, policy_class = self.limit(name), self.outlet.class_named(name)
        title = self.platform.title
        if policy_class is not None and policy_class.priority is not None:
            is_known = self._knows_defaults or _states_burst(policy_class)
            return None if is_known else f"class {name}: the default burst of {title} is not known"
        if limit.kind is LimitKind.UNKNOWN:
            return f"class {name}: {limit.source}; state `queue-limit`"
        wred = policy_class.queue_wred if policy_class is not None else None
        if wred is not None and exponent_of(wred, self.platform) is None:
            return f"class {name}: the default weight of {title} is not known"
        return None

    def unknown_flow_limit(self, name: str) -> str | None:
        """Why a class with `fair-queue` has no figures of its own; None where it has."""
        policy_class = self.outlet.class_named(name)
        fair = policy_class.fair_queue if policy_class is not None else None
        if fair is None or not fair.value or self.platform.has_classic_defaults:
            return None
        return f"the limit of a flow under fair-queue is not known for {self.platform.title}"

    @property
    def _knows_defaults(self) -> bool:
        return self.platform.is_qfp or self.platform.has_classic_defaults

    @staticmethod
    def _stated_packets(limit: QueueLimit, mean_bytes: float | None) -> int:
        return limit.in_packets(mean_bytes or float(_FULL_BYTES))

    def _queue(
        self,
        name: str,
        framing: Framing,
        mean_bytes: float | None,
        part: LineShare | None,
        limit: int,
    ) -> Queue:
        policy_class = self.outlet.class_named(name)
        if policy_class is None or policy_class.priority is None:
            return self._lower_queue(name, framing, part or NO_PART, limit)
        buckets = self.buckets
        return Queue(
            name,
            QueueKind.PRIORITY,
            limit_packets=limit,
            priority_policer=buckets.policer(policy_class, framing, mean_bytes or 0.0),
            level=policy_class.priority.level or 1,
            class_policer=buckets.police(policy_class, framing),
        )

    def _lower_queue(self, name: str, framing: Framing, part: LineShare, limit: int) -> Queue:
        if self.outlet.kind is Queueing.FIFO:
            return Queue(name, QueueKind.FIFO, limit_packets=limit)
        if self.outlet.kind is Queueing.FAIR_QUEUE:
            flow_limit = min(_PRE_HQF_FLOW_PACKETS, limit)
            return Queue(
                name,
                QueueKind.FAIR,
                limit_packets=limit,
                flow_limit_packets=flow_limit,
                by_precedence=self.platform.is_pre_hqf,
            )
        policy_class = self.outlet.class_named(name)
        is_default = policy_class is None or policy_class.is_default
        fair = policy_class.fair_queue if policy_class is not None else None
        return Queue(
            name,
            QueueKind.CLASS_DEFAULT if is_default else QueueKind.BANDWIDTH,
            share_percent=part.weight,
            limit_packets=limit,
            flow_limit_packets=self._flow_limit(limit) if fair and fair.value else None,
            class_policer=self.buckets.police(policy_class, framing),
            shaper=self.buckets.class_shaper(policy_class, framing),
            guarantee_bps=part.guarantee_bps,
        )

    @property
    def buckets(self) -> TokenBuckets:
        """Policers and shapers of the output."""
        return TokenBuckets(self.outlet, self.platform)

    def _flow_limit(self, limit: int) -> int:
        if self.platform.is_pre_hqf:
            return min(_PRE_HQF_FLOW_PACKETS, limit)
        return max(1, int(limit * HQF_FLOW_SHARE))

    @property
    def parts(self) -> dict[str, LineShare]:
        """Share the line among the classes below the LLQ."""
        return class_parts(self.outlet, self.excess)


def _states_burst(policy_class: PolicyClass) -> bool:
    """Whether `priority`, or the `police` that states its rate, has a burst."""
    priority, police = policy_class.priority, policy_class.police
    by_police = police is not None and police.burst_bytes is not None
    return by_police or (priority is not None and priority.burst_bytes is not None)


def scheduler_of(outlet: Outlet, platform: Decision) -> tuple[OutputScheduler, ...]:
    """Schedulers that the output may have: several where the generation is not known."""
    return tuple(OutputScheduler(outlet, platform, rule) for rule in excess_rules(outlet, platform))
