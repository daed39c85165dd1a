"""Values of a WRED design for its templates, and a config in which the lines can be tried."""

from math import ceil
from typing import Final

from msgspec import Struct

from advisor.design.wred_demand import WredBasis, WredDemand
from advisor.design.wred_plan import Plan
from advisor.device.platform import Decision
from advisor.ios.syntax.names import dscp_name
from advisor.lint.remedies import commands
from advisor.units import kbps_from_bps, ratio_from_percent

CLASS, POLICY, INTERFACE = "WRED-DATA", "WRED-EDGE", "Serial0/0"
_RESERVABLE_PERCENT: Final = 75.0  # of the link, before HQF
_LEAST_KBPS: Final = 1


class RowValues(Struct, frozen=True):
    """A row: the name or number of its packets, its thresholds in packets, 1 in `denominator`."""

    code: str
    low: int
    high: int
    denominator: int


class ClassValues(Struct, frozen=True):
    """The class and its policy. `matches_ip`: with the word `ip`, for IPv4 only."""

    class_name: str
    policy_map: str
    matches_ip: bool
    basis: WredBasis
    kbps: int
    exponent: int
    rows: tuple[RowValues, ...]
    queue_limit_packets: int | None


class Attachment(Struct, frozen=True):
    """Where the policy is tried."""

    interface: str
    policy_map: str


class Trial(Struct, frozen=True):
    """A router with one serial link."""

    release: str
    interface: str
    link_kbps: int


def class_kbps(demand: WredDemand) -> int:
    """`bandwidth` of the class, in whole kbit/s."""
    return max(_LEAST_KBPS, int(kbps_from_bps(demand.rate_bps)))


def lines_of(demand: WredDemand, plan: Plan, platform: Decision) -> tuple[str, ...]:
    """Class-map and policy-map, ready to paste."""
    by_dscp = demand.basis is WredBasis.DSCP
    values = ClassValues(
        CLASS,
        POLICY,
        # 12.0 to 12.2 know only `match ip dscp`; from HQF on `match dscp` takes IPv6 too.
        matches_ip=platform.is_pre_hqf or not by_dscp,
        basis=demand.basis,
        kbps=class_kbps(demand),
        exponent=plan.exponent,
        rows=tuple(
            RowValues(
                dscp_name(row.code) if by_dscp else str(row.code),
                row.min_threshold,
                row.max_threshold,
                row.denominator,
            )
            for row in plan.rows
        ),
        queue_limit_packets=plan.queue_limit_packets,
    )
    return commands("design/wred.j2", values)


def attachment() -> tuple[str, ...]:
    """Lines that put the policy on the link of the trial."""
    return commands("design/wred-attachment.j2", Attachment(INTERFACE, POLICY))


def trial_config(demand: WredDemand) -> str:
    """A router with one serial link on which IOS admits the class, without any policy."""
    link_kbps = ceil(class_kbps(demand) / ratio_from_percent(_RESERVABLE_PERCENT))
    lines = commands("design/wred-trial.j2", Trial(demand.release, INTERFACE, link_kbps))
    return "".join(f"{line}\n" for line in lines)
