"""A policy of `show policy-map interface` while its classes are read."""

from typing import Final

from msgspec import Struct, field

from advisor.ios.syntax.tree import Location
from advisor.shows.policy_map.draft import Draft, observed_class, priority_queue
from advisor.shows.policy_map.records import (
    ChildPolicy,
    Circuit,
    Direction,
    ObservedClass,
    ObservedPolicy,
    PriorityQueue,
)

CLASS_DEFAULT: Final = "class-default"
NO_COLUMN: Final = -1


class OpenPolicy(Struct):
    """The classes of a policy so far, and the one that is being read.

    `column` is the column of its first line, `class_column` that of its classes. `is_flat` of a
    nested policy whose indentation is lost: its lines start where those of its parent start.
    `unread` are the names of classes that are not understood. `has_default` from class-default on,
    which IOS prints last.
    """

    name: str
    column: int
    at: Location
    direction: Direction = "output"
    is_flat: bool = False
    had_flat_child: bool = False
    class_column: int = NO_COLUMN
    classes: list[ObservedClass] = field(default_factory=list)
    queues: list[PriorityQueue] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    draft: Draft | None = None
    has_default: bool = False
    in_hardware: bool | None = None

    def begin(self, draft: Draft, column: int) -> None:
        """Begin a class, or a priority queue, which has no name."""
        self.settle()
        if draft.name:
            self.class_column = column
            self.has_default = self.has_default or draft.name == CLASS_DEFAULT
        draft.in_hardware = self.in_hardware
        self.draft = draft

    def settle(self) -> None:
        """Finish the class or priority queue that is being read."""
        if self.draft is not None:
            if self.draft.name:
                self.classes.append(observed_class(self.draft))
            else:
                self.queues.append(priority_queue(self.draft))
            self.draft = None

    def lose(self, names: tuple[str, ...]) -> None:
        """Drop the class that is being read, and note the names that are not known."""
        self.unread += names
        self.draft = None

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of all classes so far, also of those that are not understood."""
        draft = () if self.draft is None else (self.draft.name,)
        return (*(observed.name for observed in self.classes), *self.unread, *draft)

    def child(self) -> ChildPolicy:
        """The finished policy, nested in a class."""
        self.settle()
        return ChildPolicy(
            self.name, tuple(self.classes), tuple(self.queues), self.at, tuple(self.unread)
        )

    def attached(self, interface: str, circuit: Circuit | None) -> ObservedPolicy:
        """The finished policy, attached to an interface."""
        self.settle()
        return ObservedPolicy(
            interface=interface,
            circuit=circuit,
            direction=self.direction,
            policy=self.name,
            classes=tuple(self.classes),
            priority_queues=tuple(self.queues),
            at=self.at,
            unread=tuple(self.unread),
        )
