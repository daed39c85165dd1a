"""A hold-queue of a slow FIFO that lets packets wait longer than the budget."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import CLASS_DEFAULT, Unit
from advisor.facts.stated import Stated
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.qlm.shared.limits import range_words
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.class_service import LEAST_TCP_PACKETS, ClassService, class_packet
from advisor.outlet.offer import offers_of
from advisor.outlet.operations import stated_traffic
from advisor.outlet.outlet import Outlet, Queueing
from advisor.outlet.plain import E1_BPS, plain_outlets
from advisor.quantity import Basis, Input, exact, rate_text
from advisor.units import kbps_from_bps


class Params(Struct, frozen=True):
    """Budget of the profile for the queue of all traffic; None where it does not judge it."""

    default_queue_ms: float | None


class Evidence(Struct, frozen=True):
    """The queue, its time, and the limit that the budget allows."""

    interface: str
    packets: str
    delay_ms: str
    rate_kbps: str
    budget_ms: float
    limit: int


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each slow interface with a FIFO whose stated hold-queue is too long."""
    budget_ms = params.default_queue_ms
    for outlet in plain_outlets(device) if budget_ms is not None else ():
        stated = outlet.interface.hold_queue_out_packets
        if outlet.kind is not Queueing.FIFO or outlet.circuit is not None or stated is None:
            continue
        link = outlet.link
        if link is None:
            yield Skip(outlet.policy_label, "the rate of the link is not known")
        elif link.value <= E1_BPS:
            yield from _judged(device, outlet, link, stated, budget_ms or 0.0)


def _judged(
    device: Device, outlet: Outlet, link: Input, stated: Stated[int], budget_ms: float
) -> Iterator[Hit[Evidence]]:
    offers = offers_of(outlet, stated_traffic(device))
    service = ClassService(link, class_packet(outlet, offers, CLASS_DEFAULT), outlet)
    delay = service.queue_ms(stated.value, Unit.PACKETS)
    if delay.low <= budget_ms or stated.value <= LEAST_TCP_PACKETS:
        return
    limit = service.packets_within(budget_ms)
    evidence = Evidence(
        outlet.interface.name,
        str(stated.value),
        range_words(delay),
        rate_text(kbps_from_bps(link.value)),
        budget_ms,
        limit,
    )
    packets = exact("hold_queue_out_packets", stated.value, Basis.CONFIGURED, str(stated.at))
    yield Hit(
        outlet.policy_label,
        (stated.at,),
        evidence,
        Confidence.LIKELY,
        Forecast(
            "longest queue of the interface",
            delay,
            service.queue_ms(limit, Unit.PACKETS),
            (packets, link, service.mean_packet),
        ),
    )


CHECK = Check(Params, Evidence, find)
