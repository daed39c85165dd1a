"""ATM PVCs with their vc-classes, and `service-policy` wherever it stands."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from msgspec import Struct, field

from advisor.facts import Stated
from advisor.facts.interface import Attachment, Pvc, PvcRate, Side, VcLines
from advisor.facts.ranges import ATM_KBPS
from advisor.facts.read_words import GrammarError, Ledger, Words, readers_of, whole_number
from advisor.ground.records import picked
from advisor.ground.units import bps_from_kbps
from advisor.ios.syntax import Line, Location
from advisor.ios.syntax.names import interface_name

_MAX_VPI, _MAX_VCI = 4095, 65535
MAX_POOL: Final = 255  # dialer pool
_TEMPLATE: Final = "Virtual-Template"

Policies = dict[Side, Attachment]


def read_attachment(policies: Policies, words: Words) -> None:
    """Read `input NAME` or `output NAME`: the words after `service-policy`."""
    direction = Side(words.expect("input", "output"))
    name = (
        None if words.negated and words.peek() is None else " ".join((words.take(), *words.rest()))
    )
    if not words.negated:
        policies[direction] = Attachment(name or "", direction, words.at)
    elif name is None or (direction in policies and policies[direction].policy == name):
        policies.pop(direction, None)


class VcDraft(VcLines):
    """Settings of a PVC or of a `vc-class atm`."""

    policies: Policies = field(default_factory=dict)
    vc_class: Stated[str] | None = None


class PvcDraft(Struct):
    """A `pvc` while its lines are read."""

    name: str | None
    vpi: int
    vci: int
    at: Location
    own: VcDraft = field(default_factory=VcDraft)

    def freeze(
        self, classes: Mapping[str, VcDraft], inherited: tuple[Stated[str] | None, ...]
    ) -> Pvc:
        """Join own settings with those of the vc-class, then of the interface; the nearest wins."""
        layers = [self.own]
        names = [name.value for name in (self.own.vc_class, *inherited) if name is not None]
        layers += [classes[name] for name in names if name in classes]
        policies: Policies = {}
        for layer in reversed(layers):
            policies |= layer.policies
        stated = {
            name: next((known for layer in layers if (known := getattr(layer, name))), None)
            for name in VcLines.__struct_fields__
        }
        return picked(Pvc, self, policies=tuple(policies.values()), **stated)


def read_pvc_head(pvcs: dict[tuple[int, int], PvcDraft], words: Words) -> PvcDraft | None:
    """Open `[name] [vpi/]vci`, or the PVC of that name; None where `no` removes it."""
    first, name = words.take(), None
    if not first[0].isdecimal():
        name, identity_word = first, words.peek() or ""
        first = words.take() if identity_word[:1].isdecimal() else ""
    words.rest()  # ilmi, qsaal, l2transport: the use of the circuit
    identity = _identity(first) if first else _named(pvcs, name)
    if words.negated:
        pvcs.pop(identity, None)
        return None
    if identity not in pvcs:
        pvcs[identity] = PvcDraft(name, *identity, words.at)
    return pvcs[identity]


def _identity(number: str) -> tuple[int, int]:
    """VPI and VCI; `pvc 100` is on VPI 0."""
    vpi, slash, vci = number.partition("/")
    if not slash:
        return 0, whole_number(vpi, 0, _MAX_VCI)
    return whole_number(vpi, 0, _MAX_VPI), whole_number(vci, 0, _MAX_VCI)


def _named(pvcs: dict[tuple[int, int], PvcDraft], name: str | None) -> tuple[int, int]:
    for identity, pvc in pvcs.items():
        if pvc.name == name:
            return identity
    raise GrammarError(f"pvc {name} has no number")


def read_vc_lines(draft: VcDraft, line: Line, under: str, ledger: Ledger) -> None:
    """Read the lines of a PVC or vc-class that set queueing or the rate."""
    for child in line.commands():
        words = child.words
        key = words[1] if words[0] in ("no", "default") and len(words) > 1 else words[0]
        read = _VC_COMMANDS.get(key)
        if read is not None and not child.text.startswith("service-policy type"):
            ledger.read(child, under, partial(_read_vc_line, draft, read))


def _read_vc_line(draft: VcDraft, read: Callable[[VcDraft, Words], None], words: Words) -> None:
    words.take()
    read(draft, words)


def vc_rate(draft: VcDraft, words: Words) -> None:
    service = words.words[words.position - 1]
    if words.negated:
        draft.rate = None
        return
    peak = words.maybe_whole(1, ATM_KBPS.high)
    sustained_kbps = words.maybe_within(ATM_KBPS)
    words.rest()  # burst in cells, input rates
    if peak is None and not service.startswith("ubr"):
        raise GrammarError(f"{service} without a rate")
    peak_bps = None if peak is None else bps_from_kbps(peak)
    sustained_bps = peak_bps
    if sustained_kbps and service.startswith("vbr"):
        sustained_bps = bps_from_kbps(sustained_kbps)
    draft.rate = PvcRate(service, peak_bps, sustained_bps, words.at)


def vc_encapsulation(draft: VcDraft, words: Words) -> None:
    stated_words = words.rest()
    text = " ".join(stated_words)
    draft.ppp_interface = ppp_interface(stated_words, words) or draft.ppp_interface
    draft.encapsulation = None if words.negated else Stated(text, words.at)


def vc_policy(draft: VcDraft, words: Words) -> None:
    read_attachment(draft.policies, words)


def ppp_interface(stated_words: tuple[str, ...], words: Words) -> Stated[str] | None:
    """The interface of `protocol ppp Virtual-Template 1`, `aal5mux ppp Virtual-Template1`."""
    name = interface_name("".join(stated_words[-2:]))
    if not name.startswith(_TEMPLATE):
        name = interface_name(" ".join(stated_words[-1:]))
    return Stated(name, words.at) if name.startswith(_TEMPLATE) and not words.negated else None


def vc_session(draft: VcDraft, words: Words) -> None:
    command = words.words[words.position - 1]
    stated_words = words.rest()
    draft.session = None
    if not words.negated:
        draft.session = Stated(" ".join((command, *stated_words)), words.at)
    if command == "protocol":
        draft.ppp_interface = ppp_interface(stated_words, words)
    elif stated_words[:1] in (("pool-member",), ("dial-pool-number",)):
        draft.dial_pool = pool_of(stated_words, words)


def pool_of(stated_words: tuple[str, ...], words: Words) -> Stated[int] | None:
    """The pool of `dialer pool-member 1` or `pppoe-client dial-pool-number 1`."""
    if words.negated:
        return None
    return Stated(whole_number("".join(stated_words[1:2]), 0, MAX_POOL), words.at)


def vc_protocol(draft: VcDraft, words: Words) -> None:
    if words.words[words.position : words.position + 1] in (["ppp"], ["pppoe"]):
        vc_session(draft, words)
    else:
        words.rest()  # an address mapping: protocol ip 10.0.0.1 broadcast


_VC_COMMANDS: Final = readers_of("pvc")
