"""Pure questions, each answered once: answers are kept by the value of what was asked.

A question is a function of frozen values alone. Lint, its proofs, plans, diff and sweeps ask the
same questions of a device and of its edits; an edit makes new values only of what it touches, so
nothing else is answered anew. `docs/decisions/021-one-engine.md` says what may be a question.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache, wraps
from typing import Any, Final, Generic, Protocol, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Owner = TypeVar("Owner")
F = TypeVar("F", bound=Callable[..., object])


class _Kept(Protocol):
    """Keeps answers: it can say how many it gave, and let them go."""

    def cache_clear(self) -> None: ...


_ALL: Final[list[_Kept]] = []  # every question of this process


def question(most: int) -> Callable[[F], F]:
    """Keep the last `most` answers of a pure function, by the value of its arguments.

    The arguments are hashed: large ones keep their hash (`cache_hash`).
    """

    def kept(function: F) -> F:
        asked: Any = lru_cache(maxsize=most)(function)
        _ALL.append(asked)
        return asked  # type: ignore[no-any-return]  # it is called as the function is

    return kept


def derived(make: Callable[[Owner], V]) -> Callable[[Owner], V]:
    """Keep what a pure function makes of a value as long as the value.

    It is no part of the value: a copy or a pickle of it makes it anew.
    """

    @wraps(make)
    def kept(owner: Owner) -> V:
        made: dict[object, V] = vars(owner).setdefault("_derived", {})
        if make not in made:
            made[make] = make(owner)
        return made[make]

    return kept


class Together(Generic[K, V]):
    """A question that is answered for many values at once, as they share work.

    Parameters
    ----------
    answer
        Answers several questions, in their order.
    most
        Number of answers to keep.
    """

    def __init__(self, answer: Callable[[Sequence[K]], Sequence[V]], most: int) -> None:
        self._answer, self._most = answer, most
        self._kept: OrderedDict[K, V] = OrderedDict()
        _ALL.append(self)

    def of(self, asked: Sequence[K]) -> tuple[V, ...]:
        """Answers in the order of the questions; new ones are answered together."""
        missing = [fromkey for fromkey in dict.fromkeys(asked) if fromkey not in self._kept]
        if missing:
            self._kept.update(zip(missing, self._answer(missing), strict=True))
        for item in asked:
            self._kept.move_to_end(item)
        answers = tuple(self._kept[entry] for entry in asked)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return answers

    def cache_clear(self) -> None:
        """Let all answers go."""
        self._kept.clear()


class Kept(Generic[K, V]):
    """A question whose asker makes the answer: of more than what it is known by.

    Parameters
    ----------
    most
        Number of answers to keep.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[K, V] = OrderedDict()
        _ALL.append(self)

    def of(self, asked: K, make: Callable[[], V]) -> V:
        """Return the kept answer, else make it."""
        if asked not in self._kept:
            self._kept[asked] = make()
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end(asked)
        return self._kept[asked]

    def cache_clear(self) -> None:
        """Let all answers go."""
        self._kept.clear()


def forget() -> None:
    """Let all answers of all questions go."""
    for item in _ALL:
        item.cache_clear()
