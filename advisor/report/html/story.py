"""What a report tells of a run beside its verdict: figures of outputs, now and with the plans."""

from msgspec import Struct

from advisor.lint.plan import DevicePlan
from advisor.lint.site import Site
from advisor.predict.what_if.prediction import Prediction
from advisor.predict.what_if.ring_sweep import RingSweep
from advisor.report.cpu_plot import CpuCurve


class OutputStory(Struct, frozen=True):
    """An output: its classes now, and with the plan of the device where there is one.

    `now` is empty of an output that the plan makes, `planned` of one whose classes queue elsewhere
    with it. Without `has_plan`, nothing changes.
    """

    object: str
    now: tuple[Prediction, ...]
    planned: tuple[Prediction, ...]
    ring: RingSweep | None = None
    has_plan: bool = False


class DeviceStory(Struct, frozen=True):
    """A device: its outputs, its plan, and the CPU of its DLSw+ where a load is known.

    `file` is that of its configuration: two devices may have one name. The header of a `site`
    stands before the lines of its plan.
    """

    device: str
    outputs: tuple[OutputStory, ...]
    file: str = ""
    plan: DevicePlan | None = None
    cpu: CpuCurve | None = None
    site: Site | None = None
