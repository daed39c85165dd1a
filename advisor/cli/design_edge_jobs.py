"""What `design llq`, `lfi`, `shape` and `edge` do."""

from pathlib import Path

from advisor.cli.errors import Code
from advisor.cli.manner import manner_of
from advisor.cli.output import show
from advisor.cli.view import View
from advisor.data import read_text
from advisor.design.edge import RefusedDemand, design_edge
from advisor.design.edge_demand import EdgeFlags, edge_demand
from advisor.device.source import source_of
from advisor.report.formats import EDGE_DESIGNS
from advisor.settings.load import load_settings
from advisor.settings.values import Flags


def edge(flags: EdgeFlags, stated: Flags, view: View, on: Path | None = None) -> Code:
    """Print a designed edge; exit code 1 where no design meets the requirements."""
    source = source_of(str(on), read_text(on).encode()) if on is not None else None
    demand = edge_demand(flags, is_on_config=source is not None)
    design = design_edge(demand, load_settings(Path.cwd(), stated), source)
    show(EDGE_DESIGNS.render(design, view.form, manner_of(view)), view)
    return Code.FINDINGS if isinstance(design, RefusedDemand) else Code.CLEAN
