"""Evidence for the platform of a device, from its configuration and show outputs."""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from advisor.device.platform import Decision, Evidence, decide
from advisor.device.platforms import (
    SERIES_7500,
    Family,
    Generation,
    Grade,
    Strength,
    Trait,
    nearest_names,
    trait_of_line,
    trait_of_name,
    trait_of_release,
    trait_stated,
)
from advisor.facts.config import Facts
from advisor.facts.interface import Interface
from advisor.facts.policy import PolicyClass, Unit
from advisor.facts.read_platform import PlatformWord, PlatformWords, model_of, model_of_image
from advisor.ground.faults import AdvisorError
from advisor.ios.syntax import Location
from advisor.settings import StatedPlatform
from advisor.shows.observations import Observations

_IOL_PORT: Final = re.compile(r"Ethernet[0-3]/[0-3]", re.ASCII)
_FEWEST_IOL_PORTS: Final = 4  # IOL makes ports in groups of four
_IOL_RELEASE: Final = re.compile(r"15\.[2-7]\b", re.ASCII)
_VIRTUAL: Final = frozenset(
    ("Loopback", "Tunnel", "Vlan", "Null", "Multilink", "Dialer", "BVI", "Port-channel")
)
_PORT_SHAPES: Final = (
    (re.compile(r"(?:Ten)?GigabitEthernet[1-9]\d?", re.ASCII), "port 1"),
    (re.compile(r"(?:Ten)?GigabitEthernet0/\d/\d", re.ASCII), "port 0/0/0"),
    (re.compile(r"(?:Ten)?GigabitEthernet[1-9]/0/\d{1,2}", re.ASCII), "port 1/0/1"),
)

if TYPE_CHECKING:
    from advisor.shows.version import Version
_PORT_QUEUES: Final = ("srr-queue", "wrr-queue", "priority-queue out", "tx-queue", "port-type")
_OTHER: Final = Trait((Family.OTHER,), grade=Grade.DERIVED)  # of a name that no table has
_NAMES: Final = (
    *(PlatformWord.CHASSIS, PlatformWord.PRODUCT_ID, PlatformWord.LICENCE),
    *(PlatformWord.BOOT_IMAGE, PlatformWord.STACK_MEMBER),
)
_STRENGTHS: Final = {
    PlatformWord.CHASSIS: Strength.BACKUP_HEADER,
    PlatformWord.PRODUCT_ID: Strength.BACKUP_HEADER,
    PlatformWord.CPU: Strength.BACKUP_HEADER,
    PlatformWord.SLOT: Strength.BACKUP_HEADER,
    PlatformWord.SOFTWARE: Strength.BACKUP_HEADER,
    PlatformWord.RELEASE: Strength.BACKUP_HEADER,
    PlatformWord.LICENCE: Strength.LICENCE,
    PlatformWord.SERIAL_NUMBER: Strength.LICENCE,
    PlatformWord.VERSION: Strength.VERSION_LINE,
    PlatformWord.STACK_MEMBER: Strength.LICENCE,
    PlatformWord.COMMAND: Strength.CONFIG_LINE,
    PlatformWord.BOOT_IMAGE: Strength.BOOT_IMAGE,
    PlatformWord.BOOT_RELEASE: Strength.BOOT_IMAGE,
}
_ONLY_FIRST: Final = (PlatformWord.BOOT_IMAGE, PlatformWord.BOOT_RELEASE)  # others are fallbacks


class PlatformNameError(AdvisorError):
    """A setting states a platform that is not known; the text names it and the nearest one."""


def check_names(stated: Sequence[StatedPlatform]) -> None:
    """Raise `PlatformNameError` if a stated platform is neither a known model nor a family."""
    for statement in stated:
        if trait_stated(statement.platform) is None:
            nearest = nearest_names(statement.platform)
            raise PlatformNameError(
                f"{statement.source}: unknown platform {statement.platform!r}; {nearest}"
            )


def platform_of(
    facts: Facts, seen: Observations, name: str, stated: Sequence[StatedPlatform] = ()
) -> Decision:
    """Decide which platform a device is.

    Parameters
    ----------
    facts, seen
        Its configuration and its show outputs.
    name
        Its name, which selects among the statements.
    stated
        What the user states; the first that fits the name counts.

    Raises
    ------
    PlatformNameError
        If the statement that counts names no known platform.
    """
    shown = (*_shown(seen), *_inventoried(seen))
    evidence = (*shown, *_configured(facts), *_stated(name, stated))
    return decide(_with_line_cards(evidence, facts.interfaces))


def _with_line_cards(
    evidence: Sequence[Evidence], interfaces: Sequence[Interface]
) -> Iterator[Evidence]:
    """The evidence; `ip cef distributed` counts where another line names a 7500, or a port has it.

    On a router it makes the line cards forward (recalled). Switches have the line too: alone it is
    a hint. On a WAN port `ip route-cache distributed` is decisive; those of three numbers are of
    the port adapters of a VIP.
    """
    is_7500 = any(piece.trait.families == SERIES_7500 for piece in evidence)
    wan = [interface.name for interface in interfaces if interface.type in _WAN_PORTS]
    has_vip = any(map(_VIP_PORT.match, wan))
    for piece in evidence:
        if piece.text in _DISTRIBUTED and (is_7500 or (wan and piece.text == _DISTRIBUTED[1])):
            trait = trait_of_line(_ON_VIP) if has_vip else piece.trait
            yield replace(piece, strength=Strength.CONFIG_LINE, trait=trait)
        else:
            yield piece


def _stated(name: str, stated: Sequence[StatedPlatform]) -> Iterator[Evidence]:
    statement = next((entry for entry in stated if fnmatchcase(name, entry.device)), None)
    if statement is not None:
        check_names((statement,))
        trait = trait_stated(statement.platform) or Trait()
        words = f"{statement.source}: platform {statement.platform}"
        yield Evidence(words, Strength.STATED, trait)


def _shown(seen: Observations) -> Iterator[Evidence]:
    for version in reversed(seen.versions):  # the last one counts, and comes first among equals
        at = version.at
        yield from _release(version)
        box = version.family or ""
        family = box.removesuffix(" Software").removesuffix(" software").strip()
        image = _image_series(version.image_file or "")
        for words in filter(None, (version.platform, version.image_name, family, image)):
            is_model = words == version.platform
            trait = trait_of_name(words)
            if trait is not None or is_model:
                named = replace(trait or Trait(), model=words if is_model else None)
                shown = f"show version: {words}"
                yield Evidence(shown, Strength.SHOW_VERSION, named, at)
            if trait is None and is_model:
                yield Evidence(f"show version: {words}", Strength.UNKNOWN_NAME, _OTHER, at)


def _release(version: "Version") -> Iterator[Evidence]:
    """The release and the processor: a filter may have left one of them."""
    number = version.version_text or version.xe_version_text
    trait = Trait()
    if number is not None or version.is_xe:
        trait = trait_of_release(number or "", is_xe=version.is_xe)
    trait = replace(trait, processor=version.processor)
    if trait != Trait():
        name = number or (Generation.XE if version.is_xe else version.processor)
        yield Evidence(f"show version: {name}", Strength.SHOW_VERSION, trait, version.at)


def _inventoried(seen: Observations) -> Iterator[Evidence]:
    """The chassis: the first part of `show inventory`. Where that is declined it is not known."""
    chassis = next(iter(seen.inventory), None)
    if chassis is None or chassis.product_id is None or _is_after_declined(chassis.at, seen):
        return
    named = replace(
        trait_of_name(chassis.product_id) or Trait(), model=model_of(chassis.product_id)
    )
    text = f"show inventory: {chassis.product_id}"
    yield Evidence(text, Strength.INVENTORY, named, chassis.at)
    if trait_of_name(chassis.product_id) is None:
        yield Evidence(text, Strength.UNKNOWN_NAME, _OTHER, chassis.at)


def _is_after_declined(at: Location, seen: Observations) -> bool:
    """Whether a part of the same output that is not understood stands before this line."""
    outputs = [taken for taken in seen.taken if taken.at.file == at.file]
    before = [taken for taken in outputs if taken.at.line <= at.line]
    output = max(before, key=lambda taken: taken.at.line, default=None)
    return output is not None and any(part.start.line < at.line for part in output.declined)


def _image_series(path: str) -> str:
    """First word of the name of an image: a path may hold a password.

    >>> _image_series("tftp://u:p@192.0.2.1/c2800nm-ipbase-mz.124-3.bin")
    'c2800nm'
    """
    return re.split(r"[-.]", re.split(r"[/:]", path)[-1])[0]


def _configured(facts: Facts) -> Iterator[Evidence]:
    met: set[PlatformWord] = set()
    for line in facts.platform_lines:
        if line.kind in _ONLY_FIRST and line.kind in met:
            continue
        met.add(line.kind)
        trait = _trait(line)
        if trait is not None:
            text = _text(line)
            yield Evidence(text, _strength(line), trait, line.at)
        if line.kind in _NAMES and trait_of_name(line.words) is None:
            yield Evidence(_text(line), Strength.UNKNOWN_NAME, _OTHER, line.at)
    yield from _distributed_ports(facts)
    yield from _port_queues(facts.interfaces)
    yield from _port_names(facts.interfaces)
    yield from _syntax(facts)
    yield from _lab(facts, met)


def _text(line: PlatformWords) -> str:
    """Words of a report; a line may hold a password, its words cannot."""
    if line.kind is PlatformWord.COMMAND:
        return line.words
    return f"version {line.words}" if line.kind in _RELEASES else f"{line.kind} {line.words}"


def _strength(line: PlatformWords) -> Strength:
    return Strength.HINT if line.words in _DISTRIBUTED else _STRENGTHS[line.kind]


_WAN_PORTS: Final = ("Serial", "POS", "Hssi", "ATM")
_VIP_PORT: Final = re.compile(r"[A-Za-z]+\d+/\d+/\d", re.ASCII)
_ON_VIP: Final = "ip cef distributed, port 1/0/0"
_DISTRIBUTED: Final = ("ip cef distributed", "ip route-cache distributed")  # switches have these
_RELEASES: Final = (PlatformWord.VERSION, PlatformWord.RELEASE, PlatformWord.BOOT_RELEASE)
_SERIAL_NUMBER_TRAIT: Final = "serial number of Packet Tracer"


def _trait(line: PlatformWords) -> Trait | None:
    if line.kind in _RELEASES:
        return trait_of_release(line.words)
    if line.kind in (PlatformWord.COMMAND, PlatformWord.SERIAL_NUMBER):
        is_command = line.kind is PlatformWord.COMMAND
        return trait_of_line(line.words if is_command else _SERIAL_NUMBER_TRAIT)
    trait = trait_of_name(line.words)
    if line.kind in (PlatformWord.SOFTWARE, PlatformWord.SLOT, PlatformWord.CPU):
        if trait is None and "LINUX_IOSD" in line.words.upper():
            return trait_of_release("", is_xe=True)
        is_cpu = trait is not None and line.kind is PlatformWord.CPU
        return replace(trait, processor=line.words) if is_cpu and trait is not None else trait
    is_image = line.kind is PlatformWord.BOOT_IMAGE
    model = model_of_image(line.words) if is_image else model_of(line.words)
    return replace(trait or Trait(), model=model)


def _distributed_ports(facts: Facts) -> Iterator[Evidence]:
    """The first interface whose line card forwards."""
    for line in facts.tree.commands() if facts.tree.may_hold("distributed") else ():
        if line.words[0].lower() != "interface":
            continue
        for own in line.commands():
            if own.words == list(_DISTRIBUTED[1].split()):
                trait = trait_of_line(_DISTRIBUTED[0])
                yield Evidence(_DISTRIBUTED[1], Strength.HINT, trait, facts.tree.at(own))
                return


def _port_queues(interfaces: Sequence[Interface]) -> Iterator[Evidence]:
    """The first line of each kind of port queue of a switch."""
    met: set[str] = set()
    for interface in interfaces:
        for line in interface.port_queues:
            kind = next((kind for kind in _PORT_QUEUES if line.value.startswith(kind)), None)
            if kind is not None and kind not in met:
                met.add(kind)
                trait = trait_of_line(kind)
                at = line.at
                yield Evidence(kind, Strength.CONFIG_LINE, trait, at)


def _port_names(interfaces: Sequence[Interface]) -> Iterator[Evidence]:
    """A hint: the first Ethernet port with a name that is usual on some families."""
    for interface in interfaces:
        for pattern, shape in _PORT_SHAPES if "GigabitEthernet" in interface.name else ():
            if pattern.fullmatch(interface.name):
                trait = trait_of_line(shape)
                yield Evidence(f"port {interface.name}", Strength.HINT, trait, interface.at)
                return


def _syntax(facts: Facts) -> Iterator[Evidence]:
    """The first line of a policy that no release before HQF takes."""
    for policy_class in (item for _, item in facts.policy_classes):
        for line, at in _since_hqf(policy_class):
            yield Evidence(line, Strength.SYNTAX, trait_of_line(line), at)
            return


def _since_hqf(policy_class: PolicyClass) -> Iterator[tuple[str, Location]]:
    fair, priority = policy_class.fair_queue, policy_class.priority
    stated, limit = policy_class.bandwidth, policy_class.queue_limit
    is_queue = stated is not None or policy_class.shape is not None
    if fair is not None and fair.value and is_queue and not policy_class.is_default:
        yield "fair-queue in a class", fair.at
    if priority is not None and priority.level is not None:
        yield "priority level", priority.at
    if stated is not None and stated.unit is Unit.REMAINING_RATIO:
        yield "bandwidth remaining ratio", stated.at
    if limit is not None and limit.has_unit:
        yield "queue-limit with its unit", limit.at


def _lab(facts: Facts, met: set[PlatformWord]) -> Iterator[Evidence]:
    """IOL: ports Ethernet0/0 to 3/3 alone, release 15.2 to 15.7, no licence."""
    version = facts.version
    ports = [
        interface.name
        for interface in facts.interfaces
        if not interface.is_subinterface and interface.type not in _VIRTUAL
    ]
    is_iol = len(ports) >= _FEWEST_IOL_PORTS and all(map(_IOL_PORT.fullmatch, ports))
    is_release = version is not None and _IOL_RELEASE.match(version.value)
    if is_iol and is_release and version is not None and PlatformWord.LICENCE not in met:
        text = f"ports {ports[0]} to {ports[-1]} alone, version {version.value}, no licence"
        trait = trait_of_line("ports of IOL")
        yield Evidence(text, Strength.CONFIG_LINE, trait, version.at)
