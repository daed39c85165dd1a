"""What `design` does."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from advisor.cli.errors import Code, say
from advisor.cli.manner import manner_of
from advisor.cli.output import show
from advisor.cli.view import View
from advisor.design.proof import UnprovenDesignError
from advisor.design.wred import design_wred
from advisor.design.wred_demand import WredBasis, demand_of
from advisor.lint.rulebook import rules_of
from advisor.predict.what_if.stated_link import rate_bps
from advisor.report.formats import WRED_DESIGNS
from advisor.settings.load import load_settings
from advisor.settings.values import Flags


class WredOptions(Struct, frozen=True):
    """The flags of `design wred` as they are written."""

    rate: str
    target_delay_ms: float | None
    packet_bytes: int | None
    dscps: Sequence[str]
    flows: Sequence[str]
    shares: Sequence[str]
    rtt_ms: float | None
    release: str
    basis: str


def wred(options: WredOptions, flags: Flags, view: View) -> Code:
    """Print the settings of a class with WRED; exit code 1 where it is poor or a demand unmet."""
    demand = demand_of(
        rate_bps=rate_bps(options.rate, "--rate"),
        target_ms=options.target_delay_ms,
        packet_bytes=options.packet_bytes,
        dscps=options.dscps,
        flows=options.flows,
        shares=options.shares,
        rtt_ms=options.rtt_ms,
        release=options.release,
        basis=WredBasis(options.basis),
    )
    settings = load_settings(Path.cwd(), flags)
    try:
        design = design_wred(demand, rules_of(settings), settings)
    except UnprovenDesignError as error:
        # only proven lines are printed
        say(f"no lines to paste: {error}")
        return Code.FINDINGS
    show(WRED_DESIGNS.render(design, view.form, manner_of(view)), view)
    return Code.FINDINGS if design.unmet or design.poor else Code.CLEAN
