"""An output with another ring limit."""

from msgspec.structs import replace

from advisor.outlet.outlet import Outlet
from advisor.quantity import Basis


def at_ring(outlet: Outlet, limit: int, source: str) -> Outlet:
    """The output with a ring of that limit; the unit of the ring does not change."""
    if outlet.ring is None:
        return outlet
    ring = replace(
        outlet.ring, limit_low=limit, limit_high=limit, basis=Basis.CONFIGURED, source=source
    )
    return replace(outlet, ring=ring)
