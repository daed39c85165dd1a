"""A decision on the WRED of a queue, and what a finding needs of it."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from advisor.lint.checks.wrd.shared.setting import WredSetting
from advisor.lint.findings import Level
from advisor.outlet.wred_rows import WredRow


class Stage(StrEnum):
    """A part of the decision, and so what a finding needs of it."""

    BASIS = "basis"
    ORDER = "order"
    HALVES = "halves"
    TARGET = "target"
    SPREAD = "spread"
    WEIGHT = "weight"
    LIMIT = "limit"


class Cure(Struct, frozen=True):
    """A decision: the setting, the rows after it, and the stages that could not be done."""

    setting: WredSetting
    rows: tuple[WredRow, ...]
    failed: Mapping[Stage, str]
    level: Level | None = None

    def why_not(self, stage: Stage) -> str | None:
        """Why a finding that needs this stage has no lines; None where it has."""
        if self.setting.removes:
            return None
        if stage in self.failed:
            return self.failed[stage]
        return None if self.setting.changes else "the rows are right: see advisor explain"
