"""Work on both ends of a link: which end is changed first, and what has no lines yet."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from advisor.device.links import LinkTable
from advisor.lint.device_plan import PlanStep


class LinkWork(Struct, frozen=True):
    """The order of work on a link that is cut until both ends have changed.

    `device` and `interface` are this end. Without `far_device` the other end is not in the run.
    `is_first` says that this end is changed first: the far one, with fewer links of its own, so
    that whoever works from the middle of the network can still reach it. `far_has_lines` says that
    the plan of the other device has lines for it, `far_fragments` that the other end has fragments
    already, which this end is to get.
    """

    device: str
    interface: str
    far_device: str | None = None
    far_interface: str | None = None
    is_first: bool = False
    far_has_lines: bool = False
    far_fragments: bool = False


Place = tuple[str, str | None]  # device and interface


def link_works(
    steps_by_device: Sequence[tuple[str, Sequence[PlanStep]]], table: LinkTable
) -> tuple[tuple[LinkWork, ...], ...]:
    """Works of each device, in their order: one for each link that its steps cut."""
    links = Counter(end.device for link in table.links.found for end in link.ends)
    order = {device: place for place, (device, _) in enumerate(steps_by_device)}
    cut = [tuple(_cut(device, steps)) for device, steps in steps_by_device]
    with_lines: set[Place] = {(work.device, work.interface) for works in cut for work in works}

    def rank(device: str | None) -> tuple[int, int]:
        """How far out: fewer links first; of two alike the later one of the run."""
        return links[device or ""], -order.get(device or "", 0)

    return tuple(
        tuple(
            LinkWork(
                work.device,
                work.interface,
                work.far_device,
                work.far_interface,
                is_first=work.far_device is not None and rank(work.device) < rank(work.far_device),
                far_has_lines=(work.far_device or "", work.far_interface) in with_lines,
                far_fragments=_far_fragments(table, work),
            )
            for work in works
        )
        for works in cut
    )


def _far_fragments(table: LinkTable, work: LinkWork) -> bool:
    link = table.link(work.device, work.interface)
    if link is None:
        return False
    far = link.far_end(work.device)
    return far.cuts and not any(end.cuts for end in link.ends if end is not far)


def _cut(device: str, steps: Iterable[PlanStep]) -> Iterable[LinkWork]:
    found: dict[str, LinkWork] = {}
    for step in steps:
        for finding in step.cures:
            link = finding.remedy.two_ended if finding.remedy is not None else None
            if link is not None:
                work = LinkWork(device, link.interface, link.far_device, link.far_interface)
                found[link.interface] = work
    return found.values()
