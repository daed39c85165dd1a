"""Policies that `show policy-map` prints, as lines of a configuration in the same log.

Whoever asks about an interface pastes its lines and the policy that they name, each after its
prompt. What the output says stands as lines of the configuration, at the numbers that it has there.
A policy with a class that is not understood, or with what its records do not hold, stays unknown.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from advisor.capture.sections import Section, SectionKind
from advisor.device.config_parts import is_behind
from advisor.ground.units import NumeralError
from advisor.ios.syntax import physical_lines

if TYPE_CHECKING:
    from advisor.shows.policy_map import (
        QueueSize,
        ShownBandwidth,
        ShownClass,
        ShownPolicer,
        ShownPolicy,
        ShownPriority,
        ShownShaper,
        ShownWred,
    )

_OUTPUT: Final = "show policy-map"
_NAMED: Final = re.compile(
    r"^[ \t]+service-policy (?:(?:input|output) )?(\S+)[ \t\r]*$", re.MULTILINE
)
_DEFINED: Final = re.compile(r"^policy-map (\S+)[ \t\r]*$", re.MULTILINE)
_NOT_KEPT: Final = re.compile(r"^[ \t]+(?:account|compress|header)\b", re.MULTILINE)
_DEFAULT_LIMIT_PACKETS: Final = 64  # printed where no line states one
_DEFAULT_EXPONENT: Final = 9
_WRED_BY: Final = {"dscp": "dscp", "class": "precedence", "prec": "precedence", None: "precedence"}
_SIDES: Final = ("conform", "exceed", "violate")


class _UnsaidError(Exception):
    """A class holds what no line here would say."""


def with_shown_policies(
    main: Section, sections: Iterable[Section]
) -> tuple[Section, tuple[str, ...]]:
    """Add the policies that a part of a configuration names and lacks, and say which they are."""
    outputs = [
        section
        for section in sections
        if section.taken_for == _OUTPUT
        and section.kind is SectionKind.SHOW
        and is_behind(section, main)
    ]
    if not outputs:
        return main, ()
    text, said = main.shown, []
    policies = {policy.policy: policy for output in outputs for policy in _whole_policies(output)}
    lines = list(physical_lines(text))
    while wanted := _wanted(text, policies):
        for name in wanted:
            policy = policies.pop(name)
            try:
                shown = dict(_policy_lines(policy))
            except _UnsaidError:
                continue
            last = max(shown) - main.first_line
            lines += ["\n"] * (last + 1 - len(lines))
            for number, line in shown.items():
                lines[number - main.first_line] = f"{line}\n"
            said.append(f"policy-map {name} is as `{_OUTPUT}` prints it ({policy.at})")
        text = "".join(lines)
    if not said:
        return main, ()
    return replace(main, text=text, identity=None, columns=0), tuple(said)


def _wanted(text: str, known: Mapping[str, object]) -> list[str]:
    """The known policies that lines name, and no line defines."""
    defined = set(_DEFINED.findall(text))
    named = dict.fromkeys(_NAMED.findall(text))
    return [name for name in named if name in known and name not in defined]


def _whole_policies(output: Section) -> Iterator["ShownPolicy"]:
    from advisor.shows.output import LayoutError  # noqa: PLC0415 -- most files have no such output
    from advisor.shows.policy_map.shown_lines import read_policy_map  # noqa: PLC0415

    if output.gap is not None or output.line_filter is not None or _NOT_KEPT.search(output.output):
        return
    try:
        read = read_policy_map(output.shown, output.file, output.first_line)
    except LayoutError:
        return  # the observations say so
    except NumeralError:
        return  # the same
    yield from (policy for policy in read.records if policy.classes and not policy.unread)


def _policy_lines(policy: "ShownPolicy") -> Iterator[tuple[int, str]]:
    """The lines of a policy, each at the number of a line of its class."""
    yield policy.at.line, f"policy-map {policy.policy}"
    heads = [item.at.line for item in policy.classes]
    room = [after - before for before, after in pairwise(heads)]
    for item, most in zip(policy.classes, (*room, None), strict=True):
        lines = (f" class {item.name}", *(f"  {line}" for line in _actions(item)))
        if most is not None and len(lines) > most:
            raise _UnsaidError
        yield from enumerate(lines, item.at.line)


def _actions(item: "ShownClass") -> Iterator[str]:
    if item.priority is not None:
        yield _priority(item.priority)
    if item.bandwidth is not None:
        yield from _bandwidth(item.bandwidth)
    if item.shaper is not None:
        yield from _shape(item.shaper)
    if item.policer is not None:
        yield _police(item.policer)
    if item.fair_queue is not None:
        queues = item.fair_queue.hashed_queues
        yield f"fair-queue {queues}" if queues else "fair-queue"
    if item.queue_limit is not None and item.queue_limit.packets != _DEFAULT_LIMIT_PACKETS:
        yield f"queue-limit {_size(item.queue_limit)}"
    if item.wred is not None:
        yield from _wred(item.wred)
    yield from (f"set {mark.field} {mark.value}" for mark in item.marks)
    if item.drops_all:
        yield "drop"
    if item.child_policy is not None:
        yield f"service-policy {item.child_policy}"


def _joined(*words: object) -> str:
    return " ".join(str(word) for word in words if word is not None)


def _priority(shown: "ShownPriority") -> str:
    level = None if shown.level is None else f"level {shown.level}"
    percent = None if shown.rate_percent is None else f"percent {shown.rate_percent}"
    rate = percent or shown.rate_kbps
    return _joined("priority", level, rate, None if rate is None else shown.burst_bytes)


def _bandwidth(shown: "ShownBandwidth") -> Iterator[str]:
    rates = {
        "": shown.rate_kbps,
        "percent ": shown.rate_percent,
        "remaining percent ": shown.remaining_percent,
        "remaining ratio ": shown.remaining_ratio,
    }
    if shown.weight is not None:
        raise _UnsaidError
    yield from (f"bandwidth {unit}{rate}" for unit, rate in rates.items() if rate)


def _shape(shown: "ShownShaper") -> Iterator[str]:
    """The shaper; a Be that equals Bc is what IOS takes by itself."""
    kind = shown.kind or "average"
    if shown.cir_bps is not None:
        be_bits = None if shown.be_bits == shown.bc_bits else shown.be_bits
        yield _joined("shape", kind, shown.cir_bps, shown.bc_bits, be_bits)
    elif shown.cir_percent is not None:
        times = [f"{ms} ms" for ms in (shown.bc_ms, shown.be_ms) if ms is not None]
        yield _joined("shape", kind, "percent", shown.cir_percent, *times)
    else:
        raise _UnsaidError
    if shown.lower_bound_bps is not None:
        yield f"shape adaptive {shown.lower_bound_bps}"


def _police(shown: "ShownPolicer") -> str:
    if shown.cir_bps is None or shown.pir_bps is not None:
        raise _UnsaidError
    outcomes = (shown.conformed, shown.exceeded, shown.violated)
    actions = []
    for side, outcome in zip(_SIDES, outcomes, strict=True):
        said = outcome.actions if outcome is not None else ()
        if len(said) > 1:
            raise _UnsaidError
        actions += [f"{side}-action {action}" for action in said]
    return _joined("police", shown.cir_bps, shown.bc_bytes, shown.be_bytes, *actions)


def _wred(shown: "ShownWred") -> Iterator[str]:
    scheme = _WRED_BY.get(shown.by)
    if scheme is None:
        raise _UnsaidError
    yield "random-detect dscp-based" if scheme == "dscp" else "random-detect"
    if shown.ecn:
        yield "random-detect ecn"
    if shown.exponent not in (None, _DEFAULT_EXPONENT):
        yield f"random-detect exponential-weighting-constant {shown.exponent}"
    for row in shown.rows:
        if row.min_threshold is not None and row.max_threshold is not None:
            sizes = (_size(row.min_threshold), _size(row.max_threshold))
            yield _joined(
                "random-detect", scheme, row.name, *sizes, row.mark_probability_denominator
            )


def _size(shown: "QueueSize") -> str:
    stated: Sequence[tuple[int | None, str]] = (
        (shown.packets, ""),
        (shown.bytes, " bytes"),
        (shown.ms, " ms"),
    )
    known = [f"{amount}{unit}" for amount, unit in stated if amount is not None]
    if len(known) != 1 or shown.us is not None or shown.percent is not None:
        raise _UnsaidError
    return known[0]
