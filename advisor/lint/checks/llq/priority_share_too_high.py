"""A priority queue that takes too much of the link starves and delays all else."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.base_rate import at_link_rate
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.quantity import Basis, Figure, Input, exact, plain, rate_text
from advisor.units import kbps_from_bps, percent_from_ratio


class Params(Struct, frozen=True):
    """Largest share of the link rate that priority may reserve, in percent."""

    priority_share_percent: float


class Evidence(Struct, frozen=True):
    """The part of the link that priority reserves."""

    policy_map: str
    priority_kbps: str
    link_kbps: str
    share_percent: float
    limit_percent: float


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each output whose rated priority is over the share.

    A rate is that of `priority`, or of the class's `police` where `priority` has none. A percentage
    is of the link where the interface `bandwidth` is not its rate: LLQ008 says that.
    """
    for outlet in map(at_link_rate, policies_out(device)):
        if not outlet.llq_classes:
            continue
        link = outlet.link
        if link is None:
            yield Skip(outlet.policy_label, "the rate of the link is not known")
            continue
        rates = [outlet.llq_rate_bps(llq_class) for llq_class in outlet.llq_classes]
        rated_bps = sum(rate for rate in rates if rate is not None)
        share_percent = percent_from_ratio(rated_bps / link.value)
        if _is_over(share_percent, params.priority_share_percent):
            yield _hit(outlet, link, rated_bps, params.priority_share_percent)


def _is_over(share_percent: float, limit_percent: float) -> bool:
    """Whether a share is over a limit, compared with as many decimals as the limit has.

    33 % is the design rule of a third of the link: 256 of 768 kb/s keep it.
    """
    decimals = len(plain(limit_percent).partition(".")[2])
    return round(share_percent, decimals) > limit_percent


def _hit(outlet: Outlet, link: Input, rated_bps: float, limit: float) -> Hit[Evidence]:
    share = percent_from_ratio(rated_bps / link.value)
    evidence = Evidence(
        policy_map=outlet.queueing.name,
        priority_kbps=rate_text(kbps_from_bps(rated_bps)),
        link_kbps=rate_text(kbps_from_bps(link.value)),
        share_percent=share,
        limit_percent=limit,
    )
    priorities = [
        llq_class.priority.at for llq_class in outlet.llq_classes if llq_class.priority is not None
    ]
    inputs = (link, exact("priority_bps", rated_bps, Basis.CONFIGURED, "priority statements"))
    figure = Figure(share, share, share, "%")
    return Hit(
        outlet.policy_label,
        (*priorities, outlet.at),
        evidence,
        Confidence.LIKELY if link.is_label else Confidence.CERTAIN,
        Forecast("priority share of the link", figure, None, inputs),
    )


CHECK = Check(Params, Evidence, find)
