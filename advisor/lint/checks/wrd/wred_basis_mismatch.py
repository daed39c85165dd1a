"""WRED by precedence in a class of DSCPs: AF11, AF12 and AF13 are all precedence 1."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.selectable import selectable_by_class
from advisor.ios.syntax.names import dscp_name
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.wrd.shared.basis import CODES_PER_PRECEDENCE, mismatch_of
from advisor.lint.checks.wrd.shared.cure import Stage
from advisor.lint.checks.wrd.shared.decision import cure_of
from advisor.lint.checks.wrd.shared.rows import wred_classes
from advisor.lint.checks.wrd.shared.setting import WredSetting
from advisor.lint.findings import Confidence, Severity


class Evidence(Struct, frozen=True):
    """The DSCPs of the class, their precedences, and the setting by DSCP."""

    dscps: str
    precedences: str
    how: str  # "matched" or "marked"
    wred: WredSetting


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class with WRED by precedence whose packets differ by DSCP.

    Where each DSCP has a precedence of its own, no order of drop is lost: `info`.
    """
    del params
    selectable = selectable_by_class(device.facts)
    for wred_class in wred_classes(device):
        mismatch = mismatch_of(wred_class, selectable(wred_class.policy_class.name))
        if mismatch is None:
            continue
        cure = cure_of(device, wred_class)
        precedences = sorted({code // CODES_PER_PRECEDENCE for code in mismatch.codes})
        yield Hit(
            wred_class.label,
            (wred_class.wred.at,),
            Evidence(
                dscps=", ".join(dscp_name(code) for code in mismatch.codes),
                precedences=", ".join(map(str, precedences)),
                how=mismatch.how,
                wred=cure.setting,
            ),
            Confidence.CERTAIN,
            severity=None if mismatch.merges else Severity.INFO,
            level=cure.level,
            curable=cure.why_not(Stage.BASIS) is None,
            advice=cure.why_not(Stage.BASIS),
        )


CHECK = Check(NoParams, Evidence, find)
