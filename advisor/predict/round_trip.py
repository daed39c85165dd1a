"""Round-trip time of the traffic of a class, as far as IP SLA probes through it measured it."""

from advisor.facts.policy import PolicyClass
from advisor.predict.class_service import ClassService
from advisor.predict.probe import probe_path
from advisor.predict.quantity import Basis, Input, exact
from advisor.snapshot import Device


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
        if isinstance(path, str) or path.class_name != each.name:
            continue
        if any(one.policy_label == outlet.policy_label for one in path.outlets):
            source = f"ip sla {result.number}, {result.at}"
            return exact("rtt_ms", result.rtt.mean_ms, Basis.MEASURED, source)
    return None
