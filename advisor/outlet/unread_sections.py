"""Lines that are not understood, of the sections that an output depends on."""

import re
from collections.abc import Iterator
from typing import Final

from advisor.facts.attachments import Attached, interface_line
from advisor.facts.config import Facts, Unread
from advisor.facts.interface import Interface
from advisor.outlet.carriers import Carrier, channel_members
from advisor.outlet.parts import is_frame_relay_shaped

_VC_CLASS: Final = "vc-class atm "
_VC_RATES: Final = frozenset(("abr", "cbr", "ubr", "ubr+", "vbr-nrt", "vbr-rt"))
_FRAGMENT: Final = re.compile(r"(?i)(?:frame-relay|ppp\s+multilink)\s+fragment")
_CIR: Final = frozenset(("cir", "traffic-rate"))


def has_unread_section(facts: Facts, attached: Attached, carrier: Carrier) -> bool:
    """Whether a line of a section that the output depends on is not understood.

    These are the interfaces that carry its packets, with their main interfaces and bundle, its
    circuit and the map-class. Which vc-class a circuit has is not kept: a line of any counts.
    """
    return bool(facts.unread) and any(_of_output(facts, attached, carrier))


def why_shaper_unread(facts: Facts, attached: Attached, carrier: Carrier) -> str | None:
    """Why the CIR of a circuit under Frame Relay traffic shaping is not known; None where it is."""
    circuit = attached.circuit
    main = facts.interface(carrier.interface.parent or "") or carrier.interface
    if circuit is None or circuit.cir_bps is not None or not is_frame_relay_shaped(attached, main):
        return None
    for line in _of_output(facts, attached, carrier):
        if len(words := line.text.lower().split()) > 1 and words[1] in _CIR:
            return f"the shaper is not known: {line.at} is not understood"
    return None


def why_fragment_unread(facts: Facts, attached: Attached, carrier: Carrier) -> str | None:
    """Why the fragments of an output are not known; None where a line that is understood says."""
    main = facts.interface(carrier.interface.parent or "") or carrier.interface
    circuit, multilink = attached.circuit, attached.interface.multilink
    stated = (
        circuit.fragment_bytes if circuit is not None else None,
        attached.interface.frame_relay_fragment_bytes,
        main.frame_relay_fragment_bytes,
        multilink.fragment_bytes,
        multilink.fragment_delay_ms,
    )
    if any(each is not None for each in stated):
        return None
    for line in _of_output(facts, attached, carrier):
        if _FRAGMENT.match(line.text):
            return f"the fragments are not known: {line.at} is not understood"
    return None


def is_rate_unread(facts: Facts, attached: Attached, carrier: Carrier) -> bool:
    """Whether the rate of an ATM circuit stands in a line that is not understood."""
    if carrier.pvc is None or carrier.pvc.rate is not None:
        return False
    lines = _of_output(facts, attached, carrier)
    return any(line.text.lower().split(None, 1)[0] in _VC_RATES for line in lines)


def _of_output(facts: Facts, attached: Attached, carrier: Carrier) -> Iterator[Unread]:
    if not facts.unread:
        return
    heads = set(_heads(facts, attached, carrier))
    for line in facts.unread:
        is_of_vc = carrier.pvc is not None and line.under.startswith(_VC_CLASS)
        if line.under in heads or is_of_vc:
            yield line


def _heads(facts: Facts, attached: Attached, carrier: Carrier) -> Iterator[str]:
    """The sections of an output, as a line that is not understood names its own."""
    yield from (" > ".join(attached.section), " > ".join(carrier.section))
    main = facts.interface(carrier.interface.parent or "") or carrier.interface
    interfaces: list[Interface] = [attached.interface, carrier.interface, main, *carrier.members]
    interfaces += channel_members(facts, main)
    if carrier.session is not None:
        interfaces.append(carrier.session)
    yield from map(interface_line, interfaces)
    circuit = attached.circuit
    if circuit is not None:
        yield f"{interface_line(attached.interface)} > frame-relay interface-dlci {circuit.dlci}"
        if circuit.map_class is not None:
            yield f"map-class frame-relay {circuit.map_class.value}"
