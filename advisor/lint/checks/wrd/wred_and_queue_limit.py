"""WRED and `queue-limit` in one class before HQF: one of the two is not in force."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.wrd.shared.rows import wred_classes
from advisor.lint.findings import Confidence
from advisor.quantity import plain


class Evidence(Struct, frozen=True):
    """The two commands in the order of the text, and a reason to doubt the finding."""

    earlier: str
    later: str
    doubt: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class with both, where the generation takes only one."""
    del params
    if not device.platform.is_pre_hqf:
        return
    captured = device.facts.tree.is_capture
    for wred_class in wred_classes(device):
        limit = wred_class.policy_class.queue_limit
        if limit is None:
            continue
        commands = [
            (wred_class.wred.at, "random-detect"),
            (limit.at, f"queue-limit {plain(limit.amount)}"),
        ]
        (_, earlier), (_, later) = sorted(commands, key=lambda command: command[0].line)
        doubt = ""
        if captured:
            because = device.platform.because
            doubt = f"; the device printed both: the generation ({because}) may be wrong"
        yield Hit(
            wred_class.label,
            (limit.at, wred_class.wred.at),
            Evidence(earlier, later, doubt),
            Confidence.POSSIBLE if captured or device.platform.assumed else Confidence.LIKELY,
        )


CHECK = Check(NoParams, Evidence, find)
