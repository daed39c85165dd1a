"""Round-trip time of the traffic of a class: measured by IP SLA probes through it, or stated."""

from math import sqrt

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass
from advisor.outlet.class_service import ClassService
from advisor.outlet.offer import speaks_of
from advisor.outlet.probe import probe_path
from advisor.quantity import Basis, Input, Unknown, exact


def measured_rtt_ms(device: Device, service: ClassService, each: PolicyClass) -> Input | None:
    """Mean RTT in ms of probes in this class of this output; None where none was measured.

    It holds the queueing of the class. What is behind the neighbour that answers is not in it, so
    that the RTT of the traffic is at least this.
    """
    outlet = service.outlet
    if outlet is None or not device.seen.sla:
        return None
    probes = {probe.number: probe for probe in device.facts.probes}
    for result in device.seen.sla:
        probe = probes.get(result.number)
        if probe is None or result.rtt is None:
            continue
        path = probe_path(device, probe)
        if isinstance(path, Unknown) or path.class_name != each.name:
            continue
        if any(one.policy_label == outlet.policy_label for one in path.outlets):
            source = f"ip sla {result.number}, {result.at}"
            return exact("rtt_ms", result.rtt.mean_ms, Basis.MEASURED, source)
    return None


def stated_rtt_ms(device: Device, service: ClassService, each: PolicyClass) -> Input | None:
    """RTT in ms that the user states for TCP flows of this class; None where none is stated.

    It is without the queueing of the class, so that the RTT of the traffic is at least this. Of
    several statements from the least to the most.
    """
    outlet = service.outlet
    if outlet is None:
        return None
    stated = [
        (said.tcp.rtt_low_ms, said.tcp.rtt_high_ms, said.source)
        for said in device.traffic
        if said.tcp is not None and said.class_name == each.name and speaks_of(said, outlet)
    ]
    lows = [low for low, _, _ in stated if low is not None]
    highs = [high for _, high, _ in stated if high is not None]
    if not lows or not highs or len(lows) < len(stated):
        return None
    low, high = min(lows), max(highs)
    return Input("rtt_ms", sqrt(low * high), low, high, Basis.CONFIGURED, stated[0][2])
