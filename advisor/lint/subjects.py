"""What a device has that rules are about: checks of other families are not imported for it.

A family is left out only where none of its checks yields anything: neither a hit nor a skip.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from advisor.device.device import Device
from advisor.facts.dlsw import Dlsw
from advisor.facts.interface import Interface
from advisor.shows.observations import Observations

# Of an interface without queueing: its name, its link and its addresses.
_PLAIN_FIELDS: Final = frozenset((
    "name", "at", "type", "parent", "link_mode", "description", "shutdown", "bandwidth_bps",
    "clock_rate_bps", "timeslots_bps", "speed_bps", "encapsulation", "mtu_bytes", "ip_mtu_bytes",
    "ip_address", "load_interval_s", "access_group_in", "dialer_pool", "channel_group",
    "bridge_group",
))  # fmt: skip
_NOTHING_SEEN: Final = Observations()
_NO_DLSW: Final = Dlsw()


def may_concern(device: Device, file: str, check: str) -> bool:
    """Whether a rule may find something on a device: by the folder of its card, and its check."""
    if not device.is_ios or check in _OF_ANY:
        return True
    answers = device.derived(_answers)
    family = file.partition("/")[0]
    if family not in answers:
        answers[family] = _SUBJECTS.get(family, _always)(device)
    return answers[family]


def _answers(_: Device) -> dict[str, bool]:
    """What was answered of a device, by the family of rules."""
    return {}


def _always(_: Device) -> bool:
    return True


def _never(_: Device) -> bool:
    """The rules on suppressions: a run makes their findings when it is over."""
    return False


def _queues(device: Device) -> bool:
    """Whether anything of a device queues, classifies, or is measured."""
    return device.derived(_has_queueing)


def _has_queueing(device: Device) -> bool:
    facts = device.facts
    stated = (
        facts.class_maps,
        facts.policy_maps,
        facts.other_policies,
        facts.switch_qos,
        facts.sections,
        facts.section_uses,
        facts.dial_peers,
        facts.call_thresholds,
        facts.unread,
        device.traffic,
        device.transactions,
    )
    return (
        any(stated)
        or device.seen != _NOTHING_SEEN
        or not all(map(_is_plain, facts.interfaces))
        or _speaks_dlsw(device)
    )


def _queues_at_an_end(device: Device) -> bool:
    """Whether it queues, or may need what the other end of one of its links has."""
    return _queues(device) or bool(device.fleet.links.links.found)


def _is_plain(interface: Interface) -> bool:
    return all(getattr(interface, name) == default for name, default in _DEFAULTS.items())


def _defaults() -> Mapping[str, object]:
    defaults = Interface.__struct_defaults__
    names = Interface.__struct_fields__[-len(defaults) :]
    stated = zip(names, defaults, strict=True)
    return {name: default for name, default in stated if name not in _PLAIN_FIELDS}


_DEFAULTS: Final = MappingProxyType(_defaults())


def _has_wred(device: Device) -> bool:
    """Whether a class or an interface has WRED, or somebody states or shows what may tell of it."""
    facts = device.facts
    return (
        bool(facts.unread or device.traffic)
        or device.seen != _NOTHING_SEEN
        or any(each.wred is not None or each.random_detect for each in facts.interfaces)
        or any(each.wred is not None for policy in facts.policy_maps for each in policy.classes)
    )


def _speaks_dlsw(device: Device) -> bool:
    seen = device.seen
    return (
        device.facts.dlsw != _NO_DLSW
        or device.transactions is not None
        or any((seen.dlsw_peers, seen.dlsw_circuits, seen.dlsw_statistics))
        or any((seen.dlsw_capabilities, seen.dlsw_reachability))
    )


def _has_cpu_loads(device: Device) -> bool:
    return bool(device.seen.cpu or device.seen.cpu_tables or device.seen.cpu_history)


def _has_probes(device: Device) -> bool:
    return bool(device.facts.probes or device.seen.sla)


def _is_captured(device: Device) -> bool:
    return bool(device.gaps) or device.seen != _NOTHING_SEEN


_SUBJECTS: Final[Mapping[str, Callable[[Device], bool]]] = MappingProxyType({
    "cbw": _queues,
    "col": _is_captured,
    "cpu": _has_cpu_loads,
    "dls": _speaks_dlsw,
    "lfi": _queues_at_an_end,
    "llq": _queues,
    "plc": _queues,
    "plt": _queues,
    "qlm": _queues,
    "ref": _queues,
    "shp": _queues,
    "sla": _has_probes,
    "sup": _never,
    "txr": _queues_at_an_end,
    "wrd": _has_wred,
})  # fmt: skip
_OF_ANY: Final = frozenset(("undefined-settings",))  # it reads lines that are no QoS
