"""Where policies are attached, and encapsulations that hide a packet before it is queued."""

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address
from math import ceil
from typing import Final

from msgspec import Struct

from advisor.facts.config import Facts
from advisor.facts.interface import (
    Attachment,
    FrameRelayCircuit,
    Interface,
    PlaceKind,
    PlacePolicy,
    Pvc,
    Side,
)
from advisor.facts.policy import PolicyMap
from advisor.ground.questions import derived
from advisor.ios.syntax import Line, Location
from advisor.ios.syntax.names import interface_name

_NO_UDP: Final = "no crypto ipsec nat-transparency udp-encapsulation"

# Every place where a policy is attached, with the lines that enter its mode.


class Attached(Struct, frozen=True):
    """A `service-policy` on an interface, PVC, Frame Relay circuit or another place of it.

    `place` is an NHRP group or a service instance. `section` are the commands that enter
    its mode; `label` is the object path that findings use: "interface ATM1/0.1 > pvc 0/100".
    """

    label: str
    section: tuple[str, ...]
    interface: Interface
    pvc: Pvc | None
    circuit: FrameRelayCircuit | None
    attachment: Attachment
    place: PlacePolicy | None = None

    @property
    def is_of_circuit(self) -> bool:
        """Whether it stands on a PVC or a Frame Relay circuit, which have a rate."""
        return self.pvc is not None or self.circuit is not None

    @property
    def is_of_instance(self) -> bool:
        """Whether it stands on a service instance of a port."""
        return self.place is not None and self.place.kind is PlaceKind.SERVICE_INSTANCE


def interface_line(interface: Interface) -> str:
    """The command that enters the interface, with the type word of a subinterface."""
    return f"interface {interface.name}"


def interface_sections(facts: Facts) -> Iterator[tuple[str, Line]]:
    """The sections of interfaces in the text, each with the full name of its interface.

    Those ahead of a `default interface` of the name are left out: it empties them.
    """
    found: list[tuple[str, Line]] = []
    emptied_at: dict[str, int] = {}
    for line in facts.tree.starting("interface", "default"):
        if _opens(line, "interface"):
            found.append((interface_name(" ".join(line.words[1:])), line))
        elif _opens(line, "default", "interface"):
            emptied_at[interface_name(" ".join(line.words[2:]))] = len(found)
    for place, (name, line) in enumerate(found):
        if place >= emptied_at.get(name, 0):
            yield name, line


@derived
def attachments(facts: Facts) -> tuple[Attached, ...]:
    """All attachments of a config, interfaces in document order."""
    return tuple(_found(facts))


def _found(facts: Facts) -> Iterator[Attached]:
    for interface in facts.interfaces:
        enter = interface_line(interface)
        for policy in interface.policies:
            yield Attached(enter, (enter,), interface, None, None, policy)
        for place in interface.place_policies:
            section: tuple[str, ...] = (enter,)
            if place.opener is not None:
                section = (enter, place.opener)
            label = f"{enter} > {place.label}"
            yield Attached(label, section, interface, None, None, place.policy, place)
        for pvc in interface.pvcs:
            for policy in pvc.policies:
                label = f"{enter} > {pvc.label}"
                yield Attached(label, (enter, pvc.label), interface, pvc, None, policy)
        for circuit in interface.circuits:
            for policy in circuit.policies:
                label = f"{enter} > dlci {circuit.dlci}"
                section = (enter, f"frame-relay interface-dlci {circuit.dlci}")
                if circuit.map_class is not None and policy.at != circuit.at:
                    section = (f"map-class frame-relay {circuit.map_class.value}",)
                yield Attached(label, section, interface, None, circuit, policy)


def attached_policies(facts: Facts, direction: Side | None = None) -> Iterator[PolicyMap]:
    """The policy-maps that are attached, and those nested in them, each once.

    With a direction, only of those that are attached there.
    """
    roots = (
        attached.attachment.policy
        for attached in attachments(facts)
        if direction in (None, attached.attachment.direction)
    )
    return facts.nested_policies(*dict.fromkeys(roots))


def may_queue(facts: Facts, main: Interface, circuit: FrameRelayCircuit) -> bool:
    """Whether a circuit may have a queue of its own, and fragments of its map-class.

    It has under `frame-relay traffic-shaping` of its main interface, or before a shaper of its
    policy; the text may be a part that lacks the line, or not be understood.
    """
    stated, shaping = main.encapsulation, main.frame_relay_traffic_shaping
    if stated is None or stated.value.split()[0] != "frame-relay":
        return True
    if facts.unread_line(f"interface {main.name}", "frame-relay", "no") is not None:
        return True
    if shaping is not None and shaping.value:
        return True
    return any(shapes(facts, attached.policy) for attached in circuit.policies)


def shapes(facts: Facts, name: str) -> bool:
    """Whether a class of a policy shapes, or of one nested in it, or a line of it is open."""
    nested = facts.nested_policies(name)
    is_shaped = any(
        queue_class.shape is not None for policy in nested for queue_class in policy.classes
    )
    return is_shaped or facts.unread_in_policy(name, "shape") is not None


# Encapsulations that hide a packet before it is queued: crypto maps and tunnels.

_CRYPTO_MAP = ("crypto", "map")
_DYNAMIC_MAP: Final = ("crypto", "dynamic-map")
_HIDING: Final = ("crypto", "tunnel")  # how the lines of an interface that hide packets begin
_PRE_CLASSIFY = "qos pre-classify"
_TRANSFORM_SET = ("crypto", "ipsec", "transform-set")
_PROFILE = ("crypto", "ipsec", "profile")
_SET_TRANSFORM_SET = ("set", "transform-set")
_IP_BYTES: Final = 20
_ESP_BYTES: Final = 8  # SPI and sequence number
_TRAILER_BYTES: Final = 2  # length of the padding, next header
# Bytes of block, initialization vector and, of GCM, the check value.
_CIPHERS: Final = {
    "esp-des": (8, 8, 0),
    "esp-3des": (8, 8, 0),
    "esp-aes": (16, 16, 0),
    "esp-gcm": (4, 8, 16),
}
_CHECKS: Final = {
    "esp-md5-hmac": 12,
    "esp-sha-hmac": 12,
    "esp-sha256-hmac": 16,
    "esp-sha384-hmac": 24,
    "esp-sha512-hmac": 32,
}


class Esp(Struct, frozen=True):
    """Bytes that ESP puts around a packet (RFC 4303, 2451, 3602, 2404, 4868, 4106).

    The new header of tunnel mode is IPv4. `udp_bytes` are those of NAT traversal.
    """

    block_bytes: int
    vector_bytes: int
    check_bytes: int
    is_transport: bool
    udp_bytes: int = 0

    def around(self, ip_bytes: int) -> int:
        """Bytes of the packet outside, around an IP packet of this size."""
        inner = ip_bytes - _IP_BYTES if self.is_transport else ip_bytes
        padded = ceil((inner + _TRAILER_BYTES) / self.block_bytes) * self.block_bytes
        outside = _IP_BYTES + self.udp_bytes + _ESP_BYTES + self.vector_bytes
        return outside + padded + self.check_bytes


class CryptoEntry(Struct, frozen=True):
    """A numbered entry of a crypto map or of a dynamic map of it; `head` opens its mode.

    `crypto map VPN 20 ipsec-isakmp dynamic DYN` opens none: its peers are those of the dynamic map.
    """

    name: str
    head: str
    is_pre_classified: bool
    at: Location
    transform_sets: tuple[str, ...] = ()
    access_list: str | None = None


class Tunnel(Struct, frozen=True):
    """A tunnel and the interface that its packets leave from, where its source names one.

    `mode` is `gre ip` by default; `profile` is the IPsec profile that protects it.
    """

    interface: Interface
    source: Interface
    is_pre_classified: bool
    mode: str = "gre ip"
    has_key: bool = False
    profile: str | None = None


class Hiding(Struct, frozen=True):
    """Tunnels whose source is an interface of the device, crypto maps, and where these stand."""

    tunnels: tuple[Tunnel, ...]
    entries: tuple[CryptoEntry, ...]
    crypto_map_by_interface: dict[str, str]
    esp_by_transform_set: dict[str, Esp | None]  # None where its words are not known
    transform_sets_by_profile: dict[str, tuple[str, ...]]


@derived
def is_without_nat_transparency(facts: Facts) -> bool:
    """Whether IPsec of the device never puts UDP around ESP."""
    return any(line.text == _NO_UDP for line in facts.tree.commands())


@derived
def hiding(facts: Facts) -> Hiding:
    """All that puts a new header around packets; tunnels that are shut down are left out."""
    lines = tuple(
        (name, line)
        for name, section in interface_sections(facts)
        for line in section.commands()
        if line.text.startswith(_HIDING)
    )
    maps = {
        name: line.words[2]
        for name, line in lines
        if _opens(line, *_CRYPTO_MAP) and len(line.words) > 2  # noqa: PLR2004 - crypto map NAME
    }
    sets, profiles = _transform_sets(facts), _profiles(facts)
    return Hiding(tuple(_tunnels(facts, lines)), tuple(_entries(facts)), maps, sets, profiles)


def _transform_sets(facts: Facts) -> dict[str, Esp | None]:
    start = len(_TRANSFORM_SET)
    return {
        line.words[start]: _esp(line)
        for line in facts.tree.starting(_CRYPTO_MAP[0])
        if _opens(line, *_TRANSFORM_SET) and len(line.words) > start
    }


def _esp(line: Line) -> Esp | None:
    is_transport = any(child.text == "mode transport" for child in line.commands())
    return esp_of(line.words[len(_TRANSFORM_SET) + 1 :], is_transport=is_transport)


def esp_of(words: Sequence[str], *, is_transport: bool) -> Esp | None:
    """Return the header that a transform set puts around a packet; None where it is not known."""
    ciphers = [_CIPHERS[word] for word in words if word in _CIPHERS]
    checks = [_CHECKS[word] for word in words if word in _CHECKS]
    others = [item for item in words if not item.isdecimal() and item not in {*_CIPHERS, *_CHECKS}]
    if others or len(ciphers) != 1 or len(checks) > 1:
        return None  # AH, `esp-null`, compression
    block_bytes, vector_bytes, own_check_bytes = ciphers[0]
    return Esp(block_bytes, vector_bytes, own_check_bytes + sum(checks), is_transport)


def _profiles(facts: Facts) -> dict[str, tuple[str, ...]]:
    start = len(_PROFILE)
    return {
        line.words[start]: _stated_words(line, *_SET_TRANSFORM_SET)
        for line in facts.tree.starting(_CRYPTO_MAP[0])
        if _opens(line, *_PROFILE) and len(line.words) > start
    }


def _stated_words(line: Line, *words: str) -> tuple[str, ...]:
    """The words behind these in the last line of a section that has them."""
    found = [child.words[len(words) :] for child in line.commands() if _opens(child, *words)]
    return tuple(found[-1]) if found else ()


def _opens(line: Line, *words: str) -> bool:
    return line.text.startswith(words[0]) and line.words[: len(words)] == [*words]


def _entries(facts: Facts) -> Iterator[CryptoEntry]:
    """Entries of crypto maps; one that names a dynamic map has the entries of that map."""
    dynamic: dict[str, list[Line]] = {}
    for line in facts.tree.starting(_CRYPTO_MAP[0]):
        if _opens(line, *_DYNAMIC_MAP) and len(line.words) > 2:  # noqa: PLR2004 - dynamic-map NAME
            dynamic.setdefault(line.words[2], []).append(line)
    for line in facts.tree.starting(_CRYPTO_MAP[0]):
        if not _opens(line, *_CRYPTO_MAP):
            continue
        words = line.words
        if len(words) > 3 and words[3].isdecimal():  # noqa: PLR2004 - crypto map NAME N
            named = words[words.index("dynamic") + 1 :][:1] if "dynamic" in words else None
            for entry in (line,) if named is None else dynamic.get("".join(named), ()):
                yield _entry(facts, words[2], entry)


def _entry(facts: Facts, name: str, line: Line) -> CryptoEntry:
    matched = _stated_words(line, "match", "address")
    return CryptoEntry(
        name,
        " ".join(line.words),
        any(child.text == _PRE_CLASSIFY for child in line.commands()),
        facts.tree.at(line),
        _stated_words(line, *_SET_TRANSFORM_SET),
        matched[0] if matched else None,
    )


def _tunnels(facts: Facts, lines: tuple[tuple[str, Line], ...]) -> Iterator[Tunnel]:
    stated: dict[str, dict[str, list[str]]] = {}
    for name, line in lines:
        if line.words[0] == "tunnel" and len(line.words) > 2:  # noqa: PLR2004 - tunnel KEY VALUE
            stated.setdefault(name, {})[line.words[1]] = line.words[2:]
    for name, said in stated.items():
        tunnel, source = facts.interface(name), _source(facts, said.get("source", []))
        if tunnel is not None and source is not None and not tunnel.shutdown:
            prepared = tunnel.qos_pre_classify
            protection = said.get("protection", [])
            yield Tunnel(
                tunnel,
                source,
                prepared is not None and prepared.value,
                " ".join(said.get("mode", ["gre", "ip"])),
                "key" in said,
                protection[2]
                if protection[:2] == ["ipsec", "profile"] and protection[2:]
                else None,
            )


def _source(facts: Facts, words: list[str]) -> Interface | None:
    text = " ".join(words)
    try:
        address = IPv4Address(text)
    except ValueError:
        return facts.interface(interface_name(text))
    return next(
        (
            interface
            for interface in facts.interfaces
            if interface.address and interface.address.ip == address
        ),
        None,
    )
