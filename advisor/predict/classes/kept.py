"""Answers that are kept: lint, its proofs and predict ask the same questions again."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """Answers of one function by their questions; the last `most` are kept.

    Parameters
    ----------
    answer
        Answers several questions together, in their order.
    most
        Number of answers to keep.
    """

    def __init__(self, answer: Callable[[Sequence[K]], Sequence[V]], most: int) -> None:
        self._answer, self._most = answer, most
        self._kept: OrderedDict[K, V] = OrderedDict()

    def of(self, questions: Sequence[K]) -> tuple[V, ...]:
        """Answers in the order of the questions; new ones are answered together."""
        known = {question: self._kept[question] for question in questions if question in self._kept}
        missing = [question for question in dict.fromkeys(questions) if question not in known]
        if missing:
            known.update(zip(missing, self._answer(missing), strict=True))
        for question, answer in known.items():
            self._kept[question] = answer
            self._kept.move_to_end(question)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return tuple(known[question] for question in questions)
