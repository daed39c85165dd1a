"""Which commands are sent to a device, in which order."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from advisor.capture.outputs import CPU, PRIVILEGE, RUNNING_CONFIG, RUNNING_CONFIG_OF_VIEWS, VERSION
from advisor.collect.allow_list import ALLOWED, Allowed, allowed

_FIRST: Final = (PRIVILEGE, VERSION, CPU)  # before anything that costs the router time
_LAST: Final = (RUNNING_CONFIG,)


class Plan(Struct, frozen=True):
    """What is asked of each device.

    `steps` are in order: privilege, version and CPU first, the running-config last. Those that
    count are asked twice, `interval_s` apart, where that is set.
    """

    steps: tuple[Allowed, ...]
    interval_s: float | None = None

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands in order, each once."""
        return tuple(step.command for step in self.steps)

    @property
    def may_send(self) -> tuple[str, ...]:
        """All that may be sent: with what older trains and privilege views call the same."""
        sent: dict[str, None] = {}
        for step in self.steps:
            sent.update(dict.fromkeys((step.command, *step.older)))
        if RUNNING_CONFIG in sent:
            sent[RUNNING_CONFIG_OF_VIEWS] = None
        return tuple(sent)

    def is_sampled_twice(self, step: Allowed) -> bool:
        """Whether rates are made of two samples of this command."""
        return self.interval_s is not None and step.counts


def plan_of(wanted: Iterable[str], interval_s: float | None = None) -> Plan:
    """Put the wanted commands in order, with those that every collection needs.

    Parameters
    ----------
    wanted
        Commands whose output the selected rules read, in any order.
    interval_s
        Seconds between two samples of counters; None takes one sample.

    Raises
    ------
    NotAllowedError
        If a wanted command is not on the list.
    """
    commands = set(wanted)
    commands |= {other for command in commands for other in allowed(command).beside}
    between = tuple(
        step
        for step in ALLOWED
        if step.command in commands and step.command not in (*_FIRST, *_LAST)
    )
    first = tuple(allowed(command) for command in _FIRST)
    last = tuple(allowed(command) for command in _LAST)
    # Stable: within the light and the heavy ones the order of the list stays.
    return Plan((*first, *sorted(between, key=lambda step: step.is_heavy), *last), interval_s)
