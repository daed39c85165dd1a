"""WRED where IOS does not take it: the line is refused, and the queue is not what the text says."""

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.checks.base import Check, Hit, NoParams, Skip
from advisor.facts.attachments import attachments
from advisor.facts.interface import Direction
from advisor.facts.policy import PolicyClass, Wred
from advisor.findings import Confidence
from advisor.ios.tree import Location
from advisor.predict.outlet import policy_queues
from advisor.snapshot import Device, Generation

_OF_CODES = ("precedence", "dscp")
_GIVE_RATE = "give the class `bandwidth` (or `fair-queue`), or take `random-detect` out of it"
_ONE_SCHEME = "enter `no random-detect`, then `random-detect` with rows of one scheme"
_CAPTURED = (
    "the device printed this line: see with `show version` which release it runs, and with "
    "`show policy-map interface` whether WRED is in force"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The combination that is refused, by which IOS, and what speaks against the finding."""

    combination: str
    generation: str
    doubt: str


@dataclass(frozen=True, slots=True)
class _Refused:
    """A combination; `always`: in every generation. `advice` replaces the card's."""

    combination: str
    at: tuple[Location, ...]
    always: bool
    advice: str | None = None


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class or interface with WRED that its generation of IOS refuses.

    A capture proves that IOS took the line: there the hit is `possible`.
    """
    del params
    for policy in device.facts.policy_maps:
        for each in policy.classes:
            refused = _refused(device, each)
            if refused is not None:
                yield _hit(device, f"policy-map {policy.name} > class {each.name}", refused)
    yield from _on_interfaces(device)


def _refused(device: Device, each: PolicyClass) -> _Refused | None:
    """The first combination of the class that IOS refuses."""
    wred = each.wred
    if wred is None:
        return None
    if each.priority is not None:
        return _Refused("`priority` in the same class", (wred.at, each.priority.at), always=True)
    if _mixed(wred):
        lines = tuple(dict.fromkeys(row.at for row in wred.profiles))
        return _Refused(
            "rows of precedence and of DSCP in one class", lines, always=True, advice=_ONE_SCHEME
        )
    rated = each.bandwidth or each.shape or (each.fair_queue and each.fair_queue.value)
    before_hqf = device.train.generation is Generation.PRE_HQF
    if before_hqf and not rated and not each.is_default:
        return _Refused(
            "neither `bandwidth` nor `fair-queue` in the class",
            (wred.at,),
            always=False,
            advice=_GIVE_RATE,
        )
    return None


def _mixed(wred: Wred) -> bool:
    """Whether rows are of another scheme than the class, or of both."""
    schemes = {row.scheme for row in wred.profiles} | {wred.scheme}
    return schemes.issuperset(_OF_CODES)


def _on_interfaces(device: Device) -> Iterator[Hit[Evidence]]:
    """WRED of an interface beside a policy that queues there; of later trains it is not known."""
    if device.train.generation is not Generation.PRE_HQF:
        return
    for attached in attachments(device.facts):
        on = attached.interface.random_detect
        policy = device.facts.policy_map(attached.attachment.policy)
        section = (f"interface {attached.interface.name}",)
        whole = attached.section == section
        if attached.attachment.direction is not Direction.OUTPUT or policy is None or not whole:
            continue
        if on is not None and on.value and policy_queues(device, policy):
            combination = f"policy-map {policy.name}, which queues, on the same interface"
            refused = _Refused(combination, (on.at, attached.attachment.at), always=False)
            yield _hit(device, attached.label, refused)


def _hit(device: Device, label: str, refused: _Refused) -> Hit[Evidence]:
    captured, train = device.facts.tree.is_capture, device.train
    unsure = captured or (train.assumed and not refused.always)
    generation = "every generation" if refused.always else f"{train.generation} ({train.because})"
    doubt = ""
    if captured:
        doubt = ", yet the device printed this line: the generation assumed may be wrong"
    advice = _CAPTURED if captured else refused.advice
    return Hit(
        label,
        refused.at,
        Evidence(refused.combination, generation, doubt),
        Confidence.POSSIBLE if unsure else Confidence.CERTAIN,
        curable=False,
        advice=advice,
    )


CHECK = Check("wred-refused-combination", NoParams, Evidence, find)
