"""Plans of several devices proven together: what one does to DLSw+ peers, another one answers to.

Each plan is proven on its own device, with the peers of the others as they were captured. Here all
plans stand at once, and every device with peers is judged again.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import with_tree
from advisor.device.glance import config_outline
from advisor.device.peers import Fleet, PeerEnd, peer_end
from advisor.device.reading import DeviceInputs, read_device
from advisor.device.sources import TaskRunner
from advisor.facts.read_config import read_facts
from advisor.faults import Guard, guarded
from advisor.ios.syntax.reader import parse_config
from advisor.lint.cards import Rule
from advisor.lint.findings import Appearing
from advisor.lint.judge import judge, keys_of
from advisor.lint.rulebook import of_device
from advisor.lint.trial import appearing
from advisor.settings import Settings
from advisor.shows.observations import Observations

Place = tuple[str, str]  # a device, and the file of its configuration


class JointFinding(Struct, frozen=True):
    """A finding that appears on a device only when the plans of all devices stand."""

    device: str
    peer_id: str
    finding: Appearing


class Joint(Struct, frozen=True):
    """The task of judging a device before the plans of a run, and with all of them.

    `edited` are configurations after their plans, by device. A defect was told by the plan of the
    device already: guarded, it leaves the device without an answer.
    """

    before: Fleet
    after: Fleet
    rules: tuple[Rule, ...]
    settings: Settings
    edited: Mapping[Place, str]
    is_guarded: bool

    def __call__(self, inputs: DeviceInputs) -> tuple[JointFinding, ...]:
        guard = Guard() if self.is_guarded else None
        answers: list[JointFinding] = []
        with guarded(guard, inputs.name):
            answers += self._answers(inputs, guard)
        return tuple(answers)

    def _answers(self, inputs: DeviceInputs, guard: Guard | None) -> tuple[JointFinding, ...]:
        device = read_device(inputs, self.settings, self.before).device
        end = peer_end(device.facts, device.name, device.seen)
        if end is None:
            return ()
        rules, _ = of_device(self.rules, self.settings, device.name)
        known = keys_of(judge(device, rules, guard).pairs)
        file = device.facts.tree.file
        text = self.edited.get((device.name, file))
        tree = device.facts.tree if text is None else parse_config(text, file)
        planned = with_tree(replace(device, fleet=self.after), tree)
        new = appearing(judge(planned, rules, guard), known)
        return tuple(JointFinding(device.name, end.peer_id, item) for item in new)

    def lost(self, inputs: DeviceInputs, fault: str) -> tuple[JointFinding, ...]:
        del inputs, fault
        return ()


def ends_after(fleet: Fleet, edited: Mapping[Place, str]) -> Fleet:
    """The peers of a run when the configurations of some devices are edited."""
    return replace(
        fleet, ends=tuple(_after(end, edited.get((end.device, end.at.file))) for end in fleet.ends)
    )


def _after(end: PeerEnd, text: str | None) -> PeerEnd:
    if text is None or "dlsw" not in text:
        return end
    facts = read_facts(parse_config(text, end.at.file))
    edited = peer_end(facts, end.device, Observations())
    if edited is None:
        return end
    return replace(edited, seen=end.seen, cpu=end.cpu, hardware=end.hardware)


def answers_of(
    inputs: Iterable[DeviceInputs], joint: Joint, run: TaskRunner
) -> tuple[JointFinding, ...]:
    """List findings that appear on any device when all plans stand; () if none touches a peer."""
    if _peers(joint.after) == _peers(joint.before):
        return ()
    return tuple(item for found in run(joint, _with_peers(inputs)) for item in found)


def _peers(fleet: Fleet) -> tuple[tuple[str, bool, tuple[tuple[str, str | None], ...]], ...]:
    """Return the ends as other devices see them: without line numbers."""
    return tuple(
        (
            end.peer_id,
            end.is_promiscuous,
            tuple((item.address, item.backup_of) for item in end.named),
        )
        for end in fleet.ends
    )


def _with_peers(inputs: Iterable[DeviceInputs]) -> Iterator[DeviceInputs]:
    for an_input in inputs:
        if an_input.config is not None and config_outline(an_input.config).speaks_of_dlsw:
            yield an_input
