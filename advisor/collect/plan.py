"""Which commands are asked of a device, in which order: only what the rules need."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from advisor.capture.outputs import CPU, PRIVILEGE, RUNNING_CONFIG, RUNNING_CONFIG_OF_VIEWS, VERSION
from advisor.collect.allow_list import ALLOWED, Allowed, allowed
from advisor.lint.cards import Rule

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


def plan_of(rules: Iterable[Rule], interval_s: float | None = None) -> Plan:
    """Derive the commands from what the selected rules judge by.

    Parameters
    ----------
    rules
        The rules in force.
    interval_s
        Seconds between two samples of counters; None takes one sample.

    Raises
    ------
    NotAllowedError
        If a rule wants a command that is not on the list.
    """
    commands = {command for rule in rules for command in rule.check.wants}
    commands |= {name for command in commands for name in allowed(command).beside}
    middle = tuple(
        entry
        for entry in ALLOWED
        if entry.command in commands and entry.command not in (*_FIRST, *_LAST)
    )
    first = tuple(allowed(command) for command in _FIRST)
    last = tuple(allowed(command) for command in _LAST)
    # Stable: within the light and the heavy ones the order of the list stays.
    return Plan(
        (*first, *sorted(middle, key=lambda entry: entry.is_heavy), *last),
        interval_s,
    )
