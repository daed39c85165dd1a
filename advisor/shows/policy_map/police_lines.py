"""Lines of a policer in `show policy-map interface`."""

import re
from typing import Final

from msgspec.structs import replace

from advisor.shows.policy_map import PolicerOutcome, ShownPolicer
from advisor.shows.policy_map.draft import ClassPart, Draft, count, number
from advisor.units import whole

_TERM: Final = re.compile(
    r"(cir|pir|rate|peak-rate|bc|be|burst|conform-burst|peak-burst)\s+(percent\s+)?(-?\d{1,20})"
    r"\s*(bps|pps|bytes|packets|%|ms)?",
    re.IGNORECASE,
)
_SYNONYMS: Final = {
    "rate": "cir",
    "peak-rate": "pir",
    "burst": "bc",
    "conform-burst": "bc",
    "peak-burst": "be",
}
_RATES: Final = ("cir", "pir")


def with_terms(policer: ShownPolicer, line: str) -> ShownPolicer:
    """Add the rates and bursts of one line, `cir 8000 bps, bc 1500 bytes`, to a policer."""
    terms: dict[tuple[str, str], int | None] = {}
    for printed, percent, amount, printed_unit in _TERM.findall(line):
        word = _SYNONYMS.get(printed.lower(), printed.lower())
        unit = "%" if percent else printed_unit.lower()
        terms[word, unit or ("bps" if word in _RATES else "bytes")] = number(amount)
    return replace(
        policer,
        cir_bps=terms.get(("cir", "bps"), policer.cir_bps),
        cir_percent=terms.get(("cir", "%"), policer.cir_percent),
        bc_bytes=terms.get(("bc", "bytes"), policer.bc_bytes),
        bc_ms=terms.get(("bc", "ms"), policer.bc_ms),
        pir_bps=terms.get(("pir", "bps"), policer.pir_bps),
        pir_percent=terms.get(("pir", "%"), policer.pir_percent),
        be_bytes=terms.get(("be", "bytes"), policer.be_bytes),
        be_ms=terms.get(("be", "ms"), policer.be_ms),
        rate_pps=terms.get(("cir", "pps"), policer.rate_pps),
        burst_packets=terms.get(("bc", "packets"), policer.burst_packets),
    )


def with_outcome(policer: ShownPolicer, name: str, outcome: PolicerOutcome) -> ShownPolicer:
    """The policer with one outcome: for packets that conformed, exceeded or violated."""
    if name == "conformed":
        return replace(policer, conformed=outcome)
    if name == "exceeded":
        return replace(policer, exceeded=outcome)
    return replace(policer, violated=outcome)


def outcome_of(policer: ShownPolicer, name: str) -> PolicerOutcome:
    """The outcome with this name, as far as it has been read."""
    outcomes = {
        "conformed": policer.conformed,
        "exceeded": policer.exceeded,
        "violated": policer.violated,
    }
    return outcomes[name] or PolicerOutcome()


def police(draft: Draft, match: re.Match[str]) -> None:
    draft.part = ClassPart.POLICE
    draft.policers.append(with_terms(ShownPolicer(), match[1] or ""))


def terms(draft: Draft, match: re.Match[str]) -> None:
    draft.policers[-1] = with_terms(draft.policers[-1], match[0])


def old_terms(draft: Draft, match: re.Match[str]) -> None:
    """Read the form of 12.2: `8000 bps, 1500 limit, 1500 extended limit`."""
    draft.policers[-1] = replace(
        draft.policers[-1],
        cir_bps=number(match[1]),
        bc_bytes=number(match[2]),
        be_bytes=number(match[3]),
    )


def slot(draft: Draft, match: re.Match[str]) -> None:
    policer = draft.policers[-1]
    if policer.slot is not None:
        policer = replace(policer, conformed=None, exceeded=None, violated=None)
        draft.policers.append(policer)
    draft.policers[-1] = replace(policer, slot=whole(match[1]))


_OUTCOMES: Final = {"c": "conformed", "a": "conformed", "e": "exceeded", "v": "violated"}


def outcome(draft: Draft, match: re.Match[str]) -> None:
    name = _OUTCOMES[match["outcome"][0].lower()]
    policer = draft.policers[-1]
    action = match["action"].strip()
    outcome = replace(
        outcome_of(policer, name),
        seen=count(match["packets"], match["bytes"]),
        actions=(action,) if action else (),
    )
    draft.policers[-1] = with_outcome(policer, name, outcome)
    draft.outcome = name
    if name != "conformed" and outcome.seen is not None:
        draft.note_drops(outcome.seen.packets)


def action(draft: Draft, match: re.Match[str]) -> None:
    if not draft.outcome:
        draft.drops_all = draft.drops_all or match[0].lower() == "drop"
        return
    policer = draft.policers[-1]
    outcome = outcome_of(policer, draft.outcome)
    outcome = replace(outcome, actions=(*outcome.actions, match[0]))
    draft.policers[-1] = with_outcome(policer, draft.outcome, outcome)


def rates(draft: Draft, match: re.Match[str]) -> None:
    packets = match["unit"].lower() == "pps"
    for name in ("conformed", "exceeded", "violated"):
        digits = match[name]
        if digits is not None:
            policer = draft.policers[-1]
            rate = number(digits)
            outcome = outcome_of(policer, name)
            outcome = (
                replace(outcome, rate_pps=rate) if packets else replace(outcome, rate_bps=rate)
            )
            draft.policers[-1] = with_outcome(policer, name, outcome)
    draft.outcome = ""
