"""The section of docs/validation.md on WRED."""

from collections.abc import Sequence

from msgspec import Struct

from advisor.ground.units import percent_from_ratio
from tools.validation import wred_scores
from tools.validation.claims import Claim
from tools.validation.kept import Model, computed, kept
from tools.validation.markdown import share_text, signed, table
from tools.validation.wred_claims import HIGH_MIN
from tools.validation.wred_errors import WredCompared
from tools.validation.wred_test import MINIMA, RING_PACKETS, Shares

TUNING = "WRED tuning"
_RING_HEAD = (
    *("ring, packets", f"C17: min {MINIMA[0]}, 3 3 3", f"C18: min {HIGH_MIN:g}, 3 3 3"),
    *("C20: tail drop, 3 20 3", "C21, C22: AF11 of 3 20 3"),
)
_SHARES = ("AF11 %", "AF12 %", "AF13 %", "by flows/p", "by the fixed point")


class WredEvidence(Struct, frozen=True):
    """Content of the section; `tuning` None: those scenarios are not here."""

    balanced: Sequence[Shares]
    unbalanced: Sequence[tuple[str, Sequence[Shares], int]]
    claims: Sequence[Claim]
    rings: Sequence[tuple[str, ...]]
    reference: Sequence[WredCompared]
    tuning: Sequence[WredCompared] | None


def wred_section(evidence: WredEvidence, model: Model, old_page: str) -> str:
    """The section as Markdown; what it says about absent scenarios is taken from the old page."""
    scenarios = len({row.scenario for row in evidence.reference})
    return f"""\
## Published test: WRED on an ATM PVC

Three precedences of TCP (called AF11, AF12, AF13; denominators 10, 5, 2) in a class of 2000 kb/s
beside UDP of 1.5 Mb/s in one of 666, on a PVC of 3560 kb/s with a 7500 (CSELT and INFN/CNAF, 2000);
files of 100,000 bytes, a round trip of 8 ms. The test does not print packet sizes, windows or the
ring: assumed are TCP packets of 1500 bytes, windows of 32,768, a ring of 40 particles (14 packets),
the default weight (n = 9) and no queue-limit with WRED. The test's figures are not in its text: the
plots are the model's, for the same points.

![share over the minimum threshold](validation/wred_balanced.svg)

{table(("min", *_SHARES), [_line(point) for point in evidence.balanced])}
![share of AF11 over the flows of one class](validation/wred_unbalanced.svg)

{table(("flows", *_SHARES), _unbalanced(evidence))}
**The ring was assumed** ({RING_PACKETS} packets), and WRED does not count what stands in it: it
takes packets out of the average and adds to every round trip. C17 to C22 with other rings, shares
in percent. A claim that holds with one ring and not with another holds by the assumption: C17 is
one, and how far AF11 stays above the 20 % of C22 is another.

{table(_RING_HEAD, evidence.rings)}
## WRED and TCP against simulation

Scenarios of our own, `fixtures/scenarios/wred_reference.json`, simulated packet by packet with
NewReno flows ({scenarios} scenarios, {len(evidence.reference)} TCP
groups). Delay and loss are relative errors; a share is of the bytes of all TCP groups, its error in
parts of one. Where a collapse is near only the interval is judged.

{wred_scores.goals(evidence.reference, wide=False)}
{_groups(evidence.reference)}
Bad cases: {_misses(evidence.reference)}

The tuning scenarios, which the model was developed with in view, are not part of this repository.
{_tuning(evidence, model, old_page)}
"""


def _tuning(evidence: WredEvidence, model: Model, old_page: str) -> str:
    if evidence.tuning is None:
        return kept(TUNING, old_page, model)
    return computed(
        TUNING,
        f"{wred_scores.goals(evidence.tuning, wide=False)}\n{_groups(evidence.tuning)}",
        model,
    )


def _line(shares: Shares) -> tuple[str, ...]:
    beside = (
        " / ".join(f"{percent_from_ratio(share):.1f}" for share in ratios)
        for ratios in (shares.by_flows_over_p, shares.by_fixed_point)
    )
    return (f"{shares.min_packets:g}", *map(share_text, shares.shares), *beside)


def _unbalanced(evidence: WredEvidence) -> list[tuple[str, ...]]:
    rows = []
    for _, points, _ in evidence.unbalanced:
        for point in points:
            flows = " ".join(str(count) for count in point.flows)
            rows.append((flows, *_line(point)[1:]))
    return list(dict.fromkeys(rows))


def _groups(rows: Sequence[WredCompared]) -> str:
    head = ("scenario, group", "true share %", "predicted", "flows/p", "delay", "loss", "regime")
    return table(head, [_group(row) for row in rows])


def _group(row: WredCompared) -> tuple[str, ...]:
    missed = "" if row.inside else " (missed)"
    rule = row.predicted.share_by_flows_over_p
    return (
        row.name,
        f"{percent_from_ratio(row.truth.share):.1f}",
        share_text(row.share) + missed,
        "none" if rule is None else f"{percent_from_ratio(rule):.1f}",
        signed(row.delay_error),
        signed(row.loss_error) if row.truth.loss_ratio > 0 else "none lost",
        "; ".join(row.regimes),
    )


def _misses(rows: Sequence[WredCompared]) -> str:
    bad = [
        f"{row.name} (share {percent_from_ratio(row.share_error):+.1f} points, delay "
        f"{signed(row.delay_error)}, loss {signed(row.loss_error)})"
        for row in rows
        if not row.inside or abs(row.share_error) > 0.05 or abs(row.delay_error) > 0.3  # noqa: PLR2004
    ]
    return "; ".join(bad) + "." if bad else "none."
