"""WRED settings as IOS lines, by generation, and a config in which they can be tried."""

from collections.abc import Iterator
from math import ceil

from advisor.design.wred_demand import WredBasis, WredDemand
from advisor.design.wred_plan import Plan
from advisor.device.platform import Decision
from advisor.ios.syntax.names import dscp_name
from advisor.units import kbps_from_bps, ratio_from_percent

CLASS, POLICY, INTERFACE = "WRED-DATA", "WRED-EDGE", "Serial0/0"
_RESERVABLE_PERCENT = 75.0  # of the link, before HQF
_LEAST_KBPS = 1


def class_kbps(demand: WredDemand) -> int:
    """`bandwidth` of the class, in whole kbit/s."""
    return max(_LEAST_KBPS, int(kbps_from_bps(demand.rate_bps)))


def lines_of(demand: WredDemand, plan: Plan, platform: Decision) -> tuple[str, ...]:
    """Class-map and policy-map, ready to paste."""
    return tuple(_lines(demand, plan, platform))


def _lines(demand: WredDemand, plan: Plan, platform: Decision) -> Iterator[str]:
    by_dscp = demand.basis is WredBasis.DSCP
    # 12.0 to 12.2 know only `match ip dscp`; from HQF on `match dscp` takes IPv6 too.
    ip = "ip " if platform.is_pre_hqf or not by_dscp else ""
    yield f"class-map match-any {CLASS}"
    for row in plan.rows:
        yield f" match {ip}{demand.basis} {_key(demand, row.code)}"
    yield f"policy-map {POLICY}"
    yield f" class {CLASS}"
    yield f"  bandwidth {class_kbps(demand)}"
    yield "  random-detect dscp-based" if by_dscp else "  random-detect"
    yield f"  random-detect exponential-weighting-constant {plan.exponent}"
    for row in plan.rows:
        thresholds = f"{row.min_threshold} {row.max_threshold} {row.denominator}"
        yield f"  random-detect {demand.basis} {_key(demand, row.code)} {thresholds}"
    if plan.queue_limit_packets is not None:
        yield f"  queue-limit {plan.queue_limit_packets} packets"
    yield " class class-default"
    yield "  fair-queue"


def _key(demand: WredDemand, code: int) -> str:
    return dscp_name(code) if demand.basis is WredBasis.DSCP else str(code)


def attachment() -> tuple[str, ...]:
    """Lines that put the policy on the link of the trial."""
    return (f"interface {INTERFACE}", f" service-policy output {POLICY}")


def trial_config(demand: WredDemand) -> str:
    """A router with one serial link on which IOS admits the class, without any policy."""
    link_kbps = ceil(class_kbps(demand) / ratio_from_percent(_RESERVABLE_PERCENT))
    lines = (
        f"version {demand.release}",
        "hostname design",
        "ip cef",
        f"interface {INTERFACE}",
        f" bandwidth {link_kbps}",
        " encapsulation ppp",
        "end",
    )
    return "".join(f"{line}\n" for line in lines)
