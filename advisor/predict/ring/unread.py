"""Says where a class of the counted policy is not understood: its measurements are not used."""

from advisor.outlet.outlet import Outlet
from advisor.quantity import Basis, Input, exact


def unread_inputs(outlet: Outlet) -> tuple[Input, ...]:
    """Say that the counted policy is not used, and for which classes."""
    names = outlet.unread_classes
    if not names:
        return ()
    source = (
        f"not understood in show policy-map interface: {', '.join(names)}; no measured rate or "
        f"packet size of policy {outlet.queueing.name} is used"
    )
    return (exact("unread_classes", float(len(names)), Basis.MEASURED, source),)
