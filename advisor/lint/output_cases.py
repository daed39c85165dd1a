"""Outputs solved in the cases that figures are compared in, with goodput at the rate that is sold.

What a port sends beyond the rate that the provider sells on it is dropped behind it: no class loses
it where a shaper then holds the rate.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.output_figures import OutputFigures, class_figures_of
from advisor.outlet.link_rates import unheld_rate
from advisor.outlet.offer import offers_of
from advisor.outlet.operations import stated_traffic
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import at_rate, policies_out
from advisor.outlet.plain import plain_outlets
from advisor.predict.classes.congested import congested
from advisor.predict.classes.demand import Question
from advisor.predict.classes.solved import SolvedOutlet, solved_all
from advisor.quantity import Unknown
from advisor.settings.values import Budgets

Answer = SolvedOutlet | Unknown


class SolvedCase(Struct, frozen=True):
    """One case of an output; `sold` is the same on a line of the rate that is sold.

    None where none is known below the port, or a shaper holds it.
    """

    answer: Answer
    sold: Answer | None = None

    def figures(self, budgets: Budgets) -> OutputFigures:
        """The figures of each class, its goodput at the rate that is sold."""
        own = class_figures_of(self.answer, budgets)
        if self.sold is None:
            return own
        return own.with_goodput_of(class_figures_of(self.sold, budgets))

    def is_same(self, other: "SolvedCase") -> bool:
        """Whether two cases depend on the same numbers: then no figure moves."""
        return _is_same(self.answer, other.answer) and (
            self.sold is other.sold is None or _is_same(self.sold, other.sold)
        )


def _is_same(old: Answer | None, new: Answer | None) -> bool:
    if not isinstance(old, SolvedOutlet) or not isinstance(new, SolvedOutlet):
        return False
    return old.corners == new.corners


def outputs_of(device: Device) -> dict[str, Outlet]:
    """Outputs whose classes are predicted, by the object path of what queues there."""
    return {
        outlet.policy_label: outlet for outlet in (*plain_outlets(device), *policies_out(device))
    }


def solved_cases(outputs: Sequence[tuple[Device, Outlet]]) -> list[tuple[SolvedCase, SolvedCase]]:
    """Each output with its traffic as stated or measured, and in the congested case of lint."""
    asked = [tuple(_questions(device, outlet)) for device, outlet in outputs]
    answers = iter(solved_all([question for own in asked for question in own]))
    return [_cases([next(answers) for _ in own]) for own in asked]


def _questions(device: Device, outlet: Outlet) -> Iterator[Question]:
    yield from _cases_of(device, outlet)
    sold = unheld_rate(device, outlet)
    if sold is not None:
        yield from _cases_of(device, at_rate(device, outlet, sold))


def _cases_of(device: Device, outlet: Outlet) -> tuple[Question, Question]:
    known = Question(outlet, offers_of(outlet, stated_traffic(device)), device.platform)
    return known, congested(device, outlet)


def _cases(answers: Sequence[Answer]) -> tuple[SolvedCase, SolvedCase]:
    known, saturated, *sold = answers
    if not sold:
        return SolvedCase(known), SolvedCase(saturated)
    return SolvedCase(known, sold[0]), SolvedCase(saturated, sold[1])
