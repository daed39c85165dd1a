"""Members of multilink bundles, fragment sizes of circuits, and packets that links compress."""

import re
from typing import Final

from msgspec import Struct

from advisor.ground.units import NumeralError, bps_from_kbps, whole
from advisor.ios.grammar import layout
from advisor.ios.syntax import Location
from advisor.shows.output import (
    Block,
    LayoutError,
    Output,
    OutputPart,
    OutputReading,
    ShownLine,
    age_s,
    blocks_of,
    count,
    declined,
    present,
    read_blocks,
    record_of,
    take_facts,
)

# `show frame-relay fragment`: the fragment size of each circuit.

_LAYOUT: Final = layout("shows/bundles.txt")
_EXPECTED_FRAGMENTS: Final = "show frame-relay fragment"


class FragmentedCircuit(Struct, frozen=True):
    """One DLCI with fragmentation; `kind` is as printed: `end-to-end`, `VoFR`, `VoFR-cisco`.

    `fragment_bytes` is the largest fragment as configured. Counters are None if they wrapped.
    """

    interface: str
    dlci: int
    kind: str
    fragment_bytes: int
    input_fragments: int | None
    output_fragments: int | None
    dropped_fragments: int | None
    at: Location


_HEAD: Final = _LAYOUT.part("TABLE")
_ROW: Final = _LAYOUT.part("ROW")


def read_fragments(text: str, file: str, first_line: int = 1) -> OutputReading[FragmentedCircuit]:
    """Circuits of a `show frame-relay fragment` output without arguments, in order.

    An unknown row is declined. Without records only if IOS prints its head alone: no circuit
    fragments.

    Raises
    ------
    LayoutError
        If the head is missing: with an interface and a DLCI IOS prints another layout.
    """
    output = Output(text, file, first_line, _EXPECTED_FRAGMENTS)
    circuits: list[FragmentedCircuit] = []
    errors: list[LayoutError] = []
    has_head = False
    for line in output.lines():
        if _HEAD.fullmatch(line.text):
            has_head = True
            continue
        try:
            circuits.append(_circuit(line, output))
        except LayoutError as error:
            errors.append(error)
        except NumeralError as error:
            errors.append(output.beyond((line,), error))
    if not has_head:
        raise errors[0] if errors else output.nothing()
    parts = (declined(OutputPart.ROW, "", error.at, error) for error in errors)
    return OutputReading(tuple(circuits), tuple(parts))


def _circuit(line: ShownLine, output: Output) -> FragmentedCircuit:
    row = _ROW.fullmatch(line.text)
    if row is None:
        raise output.unknown(line)
    return record_of(FragmentedCircuit, present(row), at=output.at(line))


# `show ppp multilink`: the bundles, their members and the fragment size of each.

_EXPECTED_BUNDLE: Final = "show ppp multilink"


class BundleMember(Struct, frozen=True):
    """A link of a bundle; `interface` is the name as IOS abbreviates it.

    `fragment_bytes` is the largest fragment on the link, None where IOS prints none.
    """

    interface: str
    is_active: bool
    age_s: int | None
    weight: int | None
    fragment_bytes: int | None
    at: Location


class MultilinkBundle(Struct, frozen=True):
    """A bundle of PPP links. Figures are None where IOS prints none."""

    interface: str
    name: str | None
    bandwidth_bps: float | None
    lost_fragments: int | None
    reordered_packets: int | None
    discarded_fragments: int | None
    has_interleaving: bool | None
    members: tuple[BundleMember, ...]
    at: Location


_BUNDLE_HEAD: Final = _LAYOUT.part("BUNDLE")
_FACTS: Final = _LAYOUT.patterns("facts").values()
_MEMBERS: Final = re.compile(r"Member links: (\d+)(?: active, (\d+) inactive)?.*")
_INACTIVE: Final = re.compile(r"(No )?[Ii]nactive multilink interfaces:?")
_MEMBER: Final = _LAYOUT.part("MEMBER")
_UNUSED: Final = _LAYOUT.any_of("unused")


def read_multilink(text: str, file: str, first_line: int = 1) -> OutputReading[MultilinkBundle]:
    """Bundles of a `show ppp multilink` output, in order.

    A bundle with an unknown line, or without a line for each member, is declined. Without records
    only if IOS says that there is no bundle.

    Raises
    ------
    LayoutError
        If no bundle begins.
    """
    output = Output(text, file, first_line, _EXPECTED_BUNDLE)
    lines = tuple(output.lines())
    blocks = blocks_of((line for line in lines if not _INACTIVE.fullmatch(line.text)), _BUNDLE_HEAD)
    if lines and not blocks.blocks and not blocks.before:
        return OutputReading(())

    def read(block: Block) -> MultilinkBundle:
        fields = present(block.match)
        members: list[BundleMember] = []
        counted: int | None = None
        for line in block.lines:
            head_of_members = _MEMBERS.fullmatch(line.text)
            if head_of_members is not None:
                counted = sum(whole(links) for links in head_of_members.groups() if links)
            elif not take_facts(line.text, fields, _FACTS, _UNUSED):
                member = _MEMBER.fullmatch(line.text)
                if counted is None or member is None:
                    raise output.unknown(line)
                members.append(_member(member, output.at(line)))
        if counted is None or len(members) < counted:
            raise output.ends((block.head, *block.lines)[-1], "its members")
        return _bundle(fields, tuple(members), output.at(block.head))

    return read_blocks(output, OutputPart.BUNDLE, blocks, read)


def _member(match: re.Match[str], at: Location) -> BundleMember:
    return record_of(
        BundleMember,
        present(match),
        is_active=match["inactive"] is None,
        age_s=age_s(match["since"]),
        at=at,
    )


def _bundle(
    fields: dict[str, str], members: tuple[BundleMember, ...], at: Location
) -> MultilinkBundle:
    bandwidth_kbps = count(fields.get("bandwidth_kbps"))
    return record_of(
        MultilinkBundle,
        fields,
        bandwidth_bps=None if bandwidth_kbps is None else bps_from_kbps(bandwidth_kbps),
        has_interleaving=True if "interleaving" in fields else None,
        members=members,
        at=at,
    )


# `show ip rtp header-compression`: what cRTP did on each link and circuit.

_EXPECTED_COMPRESSION: Final = "show ip rtp header-compression"
_COMPRESSED: Final = _LAYOUT.part("COMPRESSED")
_OF_COMPRESSION: Final = tuple(_LAYOUT.patterns("compression").values())
_UNUSED_OF_COMPRESSION: Final = _LAYOUT.any_of("unused-of-compression")
_LAST_OF_LINK: Final = "Connect:"


class CompressedLink(Struct, frozen=True):
    """Packets that a link was to send with compressed headers, and those that it compressed."""

    interface: str
    dlci: int | None
    sent_packets: int | None
    compressed_packets: int | None
    received_packets: int | None
    received_compressed_packets: int | None
    receive_errors: int | None
    saved_bytes: int | None
    sent_bytes: int | None
    at: Location


def read_compression(text: str, file: str, first_line: int = 1) -> OutputReading[CompressedLink]:
    """Links of a `show ip rtp header-compression` output; none where none compresses.

    Raises
    ------
    LayoutError
        If there is neither its title nor a link.
    """
    output = Output(text, file, first_line, _EXPECTED_COMPRESSION)
    lines = tuple(output.lines())
    own = [line for line in lines if not _UNUSED_OF_COMPRESSION.fullmatch(line.text)]
    if lines and not own:
        return OutputReading(())

    def read(block: Block) -> CompressedLink:
        fields = present(block.match)
        has_end = output.is_filtered
        for line in block.lines:
            is_last = line.text.startswith(_LAST_OF_LINK)
            if not is_last and not take_facts(line.text, fields, _OF_COMPRESSION):
                raise output.unknown(line)
            has_end = has_end or is_last
        if not has_end:
            raise output.ends((block.head, *block.lines)[-1], "its slots")
        return record_of(CompressedLink, fields, at=output.at(block.head))

    return read_blocks(output, OutputPart.CIRCUIT, blocks_of(own, _COMPRESSED), read)
