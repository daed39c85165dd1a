"""The values of one decision on WRED of a queue: what its template turns into commands."""

from msgspec import Struct

from advisor.facts.policy import Unit
from advisor.outlet.wred_rows import WredRow
from advisor.quantity import plain


class QueuePlace(Struct, frozen=True):
    """Where a queue is: a class of a policy-map, or an interface with WRED of its own."""

    interface: str = ""
    policy_map: str = ""
    class_name: str = ""


class RowSetting(Struct, frozen=True):
    """Values of one row. `unit` is "" for packets; `denominator` is "" where IOS chooses it."""

    label: str
    low: str
    high: str
    unit: str
    denominator: str

    def __str__(self) -> str:
        words = (self.label, f"{self.low}{self.unit}", f"{self.high}{self.unit}", self.denominator)
        return " ".join(filter(None, words))


class WredSetting(Struct, frozen=True):
    """All that changes in a queue with WRED; empty fields stay as they are.

    `removes`: the queue is better without WRED. `basis` is the word after `random-detect` where
    the queue starts anew by DSCP; `ecn` and `exponent` are then entered again.
    """

    place: QueuePlace
    removes: bool = False
    basis: str = ""
    ecn: bool = False
    queue_limit: str = ""
    rows: tuple[RowSetting, ...] = ()
    exponent: str = ""

    @property
    def changes(self) -> bool:
        """Whether there is anything to enter."""
        return bool(self.removes or self.basis or self.queue_limit or self.rows or self.exponent)


def row_setting(row: WredRow) -> RowSetting:
    """Values of a row in its own unit."""
    return RowSetting(
        row.label,
        plain(row.min_threshold),
        plain(row.max_threshold),
        "" if row.unit is Unit.PACKETS else f" {row.unit}",
        "" if row.denominator is None else str(row.denominator),
    )
