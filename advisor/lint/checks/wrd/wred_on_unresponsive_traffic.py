"""WRED on traffic that does not slow down when it loses packets: it only loses them."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.config import Facts
from advisor.facts.matched_packets import packets_of_classes
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.wrd.shared.rows import wred_classes
from advisor.lint.checks.wrd.shared.setting import WredSetting
from advisor.lint.checks.wrd.shared.unresponsive import kinds_of
from advisor.lint.findings import Confidence


class Evidence(Struct, frozen=True):
    """The matches of the class, and the kind of traffic that they select."""

    class_name: str
    traffic: str  # "UDP", "voice", "UDP and voice"
    matches: str
    wred: WredSetting


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each WRED class whose packets are all UDP or marked EF."""
    del params
    packets = packets_of_classes(device.facts)
    for wred_class in wred_classes(device):
        policy_class = wred_class.policy_class
        if policy_class.is_default:
            continue
        matched = packets.of(policy_class.name)
        if matched.most is None:
            if not matched.broken:
                yield Skip(wred_class.label, "what its class-map matches is not read in full")
            continue
        kinds = kinds_of(matched)
        if not kinds:
            continue
        yield Hit(
            wred_class.label,
            (wred_class.wred.at, policy_class.at),
            Evidence(
                class_name=policy_class.name,
                traffic=" and ".join(kinds),
                matches=_matches(device.facts, policy_class.name),
                wred=WredSetting(wred_class.place, removes=True),
            ),
            Confidence.LIKELY,  # some applications over UDP do slow down
        )


def _matches(facts: Facts, name: str) -> str:
    class_map = facts.class_map(name)
    return ", ".join(match.text for match in class_map.matches) if class_map is not None else ""


CHECK = Check(NoParams, Evidence, find)
