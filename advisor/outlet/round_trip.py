"""Round-trip time of the traffic of a class: measured by IP SLA probes through it, or stated."""

from math import sqrt

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass
from advisor.outlet.class_service import ClassService
from advisor.outlet.offer import speaks_of
from advisor.outlet.probe import probe_path
from advisor.quantity import Basis, Input, Unknown, exact


def measured_rtt_ms(
    device: Device, service: ClassService, policy_class: PolicyClass
) -> Input | None:
    """Mean RTT in ms of probes in this class of this output; None where none was measured.

    It includes the queueing of the class. It does not include the path behind the neighbour that
    answers, so the RTT of the traffic is at least this.
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
        if isinstance(path, Unknown) or path.class_name != policy_class.name:
            continue
        if any(leaving.policy_label == outlet.policy_label for leaving in path.outlets):
            source = f"ip sla {result.number}, {result.at}"
            return exact("rtt_ms", result.rtt.mean_ms, Basis.MEASURED, source)
    return None


def stated_rtt_ms(device: Device, service: ClassService, policy_class: PolicyClass) -> Input | None:
    """RTT in ms that the user states for TCP flows of this class; None where none is stated.

    It does not include the queueing of the class, so the RTT of the traffic is at least this.
    Several statements give the interval from the lowest to the highest.
    """
    outlet = service.outlet
    if outlet is None:
        return None
    stated = [
        (statement.tcp.rtt_low_ms, statement.tcp.rtt_high_ms, statement.source)
        for statement in device.traffic
        if statement.tcp is not None
        and statement.class_name == policy_class.name
        and speaks_of(statement, outlet)
    ]
    lows = [low for low, _, _ in stated if low is not None]
    highs = [high for _, high, _ in stated if high is not None]
    if not lows or not highs or len(lows) < len(stated):
        return None
    low, high = min(lows), max(highs)
    return Input("rtt_ms", sqrt(low * high), low, high, Basis.CONFIGURED, stated[0][2])
