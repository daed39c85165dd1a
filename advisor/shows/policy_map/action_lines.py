"""Lines of `show policy-map interface` on shaping, marking and header compression."""

import re
from typing import Final

from msgspec.structs import replace

from advisor.shows.policy_map.draft import NUMBER, Draft, Part, Rule, number, rule, skip
from advisor.shows.policy_map.records import Count, Mark, Shaper


def _shape(draft: Draft, match: re.Match[str]) -> None:
    draft.shaper = Shaper(
        kind="peak" if match[1].lower() == "peak" else "average",
        cir_bps=number(match[2]),
        bc_bits=number(match[3]),
        be_bits=number(match[4]),
    )


def _target(draft: Draft, match: re.Match[str]) -> None:
    draft.shaper = replace(draft.shaper or Shaper(), target_rate_bps=number(match[1]))


def _lower_bound(draft: Draft, match: re.Match[str]) -> None:
    draft.shaper = replace(draft.shaper or Shaper(), lower_bound_bps=number(match[1]))


def _old_shaping(draft: Draft, _match: re.Match[str]) -> None:
    draft.part = Part.SHAPING
    draft.shaper = draft.shaper or Shaper()


def _old_shape_rates(draft: Draft, match: re.Match[str]) -> None:
    target, average, limit, sustain, excess, interval, increment = match.groups()[:7]
    draft.shaper = replace(
        draft.shaper or Shaper(),
        target_rate_bps=number(target),
        cir_bps=number(average),
        byte_limit_bytes=number(limit),
        bc_bits=number(sustain),
        be_bits=number(excess),
        interval_ms=number(interval),
        increment_bytes=number(increment),
    )


def _old_shape_queue(draft: Draft, match: re.Match[str]) -> None:
    draft.shaper = replace(
        draft.shaper or Shaper(),
        queue_depth_packets=number(match[1]),
        sent=Count(number(match[2]), number(match[3])),
        delayed=Count(number(match[4]), number(match[5])),
        active=match[6].lower() == "yes",
    )


def _qos_set(draft: Draft, _match: re.Match[str]) -> None:
    draft.part = Part.SET


def _mark(draft: Draft, match: re.Match[str]) -> None:
    draft.marks.append(Mark(" ".join(match[1].split()), match[2]))


def _marked(draft: Draft, match: re.Match[str]) -> None:
    if draft.marks:
        draft.marks[-1] = replace(draft.marks[-1], marked_packets=number(match[1]))


def _drop(draft: Draft, _match: re.Match[str]) -> None:
    draft.drops_all = True


def _compress(draft: Draft, _match: re.Match[str]) -> None:
    draft.part = Part.COMPRESS


_N: Final = f"({NUMBER})"
_MARK_FIELD: Final = (
    r"((?:ip |ipv6 )?(?:dscp|precedence)|ip tos|cos(?: inner)?|qos-group|discard-class"
    r"|traffic-class|mpls experimental(?: imposition| topmost)?|atm-clp|fr-de|srp-priority)"
)

ACTION_RULES: Final[tuple[Rule, ...]] = (
    rule("shape", rf"shape \((average|peak)\) cir {_N},?\s*bc {_N},?\s*be {_N}", _shape),
    rule("target", rf"target shape rate {_N}", _target),
    rule("lower", rf"lower bound cir {_N},\s*adapt to \w+ \w+", _lower_bound),
    rule("traffic", r"Traffic Shaping", _old_shaping),
    rule("target", r"Target(?:/Average)?\s+Byte\s+Sustain\s+Excess\s+Interval.*", skip),
    rule("rate", r"Rate\s+Limit\s+bits/int\s+bits/int\s+\(ms\).*", skip),
    rule("adapt queue", r"(?:Adapt\s+)?Queue\s+Packets\s+Bytes\s+Packets\s+Bytes\s+Shaping", skip),
    rule("active depth", r"(?:Active\s+)?Depth\s+Delayed\s+Delayed\s+Active", skip),
    rule("-", r"-{5,}", skip, Part.SHAPING),
    rule("0", rf"{_N}/{_N}" + rf"\s+{_N}" * 5, _old_shape_rates, Part.SHAPING),
    rule(
        "0",
        rf"(?=(\S+))\s*{_N}" + rf"\s+{_N}" * 5 + r"\s+(?:-|BECN|FECN|FSA|IF_CONG)",
        _old_shape_rates,
        Part.SHAPING,
    ),
    rule(
        "0 - becn fecn fsa if",
        rf"(?:(?:-|BECN|FECN|FSA|IF_CONG)\s+)?{_N}" + rf"\s+{_N}" * 4 + r"\s+(yes|no)",
        _old_shape_queue,
        Part.SHAPING,
    ),
    rule("voice", r"Voice Adaptive Shaping (?:in)?active.*", skip),
    rule("qos", r"QoS Set", _qos_set),
    rule(
        "ip ipv dscp precedence cos qos-group discard-class traffic-class mpls atm-clp fr-de"
        " srp-priority",
        rf"{_MARK_FIELD}\s+(\S.*)",
        _mark,
        Part.SET,
    ),
    rule("atm-clp fr-de", r"(atm-clp|fr-de)()", _mark, Part.SET),
    rule("packets", rf"Packets marked {_N}", _marked),
    rule("marker", r"Marker statistics: Disabled", skip),
    rule("drop", r"drop", _drop, Part.HEAD),
    rule("compress", r"compress:", _compress),
    rule("header", r"header ip(?: rtp| tcp)?", skip, Part.COMPRESS),
    rule("udp tcp", r"(?:UDP/RTP|TCP)\s*\(?compression.*", skip, Part.COMPRESS),
    rule("sent", rf"Sent:\s*{_N} total, {_N} compressed,?", skip, Part.COMPRESS),
    rule("0", rf"{_N} bytes saved, {_N} bytes sent", skip, Part.COMPRESS),
    rule("0", r"[\d.]{1,20} efficiency improvement factor", skip, Part.COMPRESS),
    rule("0", r"\d{1,3}% hit ratio, .*", skip, Part.COMPRESS),
    rule("rate", rf"rate {_N} bps", skip, Part.COMPRESS),
)
