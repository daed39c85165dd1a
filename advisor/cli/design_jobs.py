"""Jobs of the commands `design …`."""

from msgspec.structs import replace

from advisor import api
from advisor.cli.design_options import Edge, Lfi, Llq, Shape, Wred
from advisor.cli.options import manner_of, picked, show, view_of
from advisor.cli.process import Code, say
from advisor.data import read_text
from advisor.design.edge import RefusedDemand
from advisor.design.edge_demand import EdgeFlags
from advisor.design.proof import UnprovenDesignError
from advisor.design.wred import design_wred
from advisor.design.wred_demand import WredBasis, demand_of
from advisor.device.sources import source_of
from advisor.lint.rulebook import rules_of
from advisor.predict.what_if.subject import rate_bps
from advisor.report.formats import EDGE_DESIGNS, WRED_DESIGNS
from advisor.settings.values import Flags, Settings


def wred(options: Wred) -> Code:
    """Print the settings of a class with WRED; exit code 1 where it is poor or a demand unmet."""
    demand = demand_of(
        rate_bps=rate_bps(options.rate, "--rate"),
        target_ms=options.target_ms,
        packet_bytes=options.packet_bytes,
        dscps=options.dscps,
        flows=options.flows,
        shares=options.shares,
        rtt_ms=options.rtt_ms,
        release=options.release,
        basis=WredBasis(options.basis),
    )
    settings = _settings(options)
    try:
        design = design_wred(demand, rules_of(settings), settings)
    except UnprovenDesignError as error:
        # only proven lines are printed
        say(f"no lines to paste: {error}")
        return Code.FINDINGS
    view = view_of(options)
    show(WRED_DESIGNS.render(design, view.form, manner_of(view)), view)
    return Code.FINDINGS if design.unmet or design.poor else Code.CLEAN


def edge(options: Llq | Lfi | Shape | Edge) -> Code:
    """Print a designed edge; exit code 1 where no design meets the requirements."""
    requirements = picked(EdgeFlags, options)
    if isinstance(options, Lfi):
        requirements = replace(requirements, must_fragment=True)
    on = options.on if isinstance(options, Edge) else None
    source = source_of(str(on), read_text(on).encode()) if on is not None else None
    design = api.designed(requirements, _settings(options), source)
    view = view_of(options)
    show(EDGE_DESIGNS.render(design, view.form, manner_of(view)), view)
    return Code.FINDINGS if isinstance(design, RefusedDemand) else Code.CLEAN


def _settings(options: Wred | Llq | Lfi | Shape | Edge) -> Settings:
    """The settings of a design: the platform that it names is that of the design alone."""
    return api.settings_of(Flags(config=options.config, profile=options.profile))
