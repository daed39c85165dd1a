"""What an output without its prompt is, by the name of its file and by its first lines."""

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from msgspec import Struct

from advisor.capture.commands import ShowCommand, asked
from advisor.capture.sections import Origin, SectionKind, kind_of
from advisor.ios.exec.commands import spell_out
from advisor.ios.syntax.detect import Dialect, Identity, identify


class Recognised(Struct, frozen=True):
    """A command, how it is known, and what its output is."""

    command: str | None
    origin: Origin
    kind: SectionKind
    identity: Identity | None = None  # of a text that its content says to be a configuration


_SLA: Final = (
    *(ShowCommand.SLA_STATISTICS, ShowCommand.SLA_AGGREGATED, ShowCommand.SLA_MONITOR_STATISTICS),
    *(ShowCommand.SLA_MONITOR_AGGREGATED, ShowCommand.SLA_MONITOR_COLLECTION),
    *(ShowCommand.RTR_OPERATIONAL_STATE, ShowCommand.RTR_COLLECTION),
)
_QUEUEING: Final = (
    *(
        ShowCommand.QUEUEING,
        ShowCommand.QUEUEING_FAIR,
        ShowCommand.QUEUEING_PRIORITY,
        ShowCommand.QUEUEING_CUSTOM,
    ),
    ShowCommand.QUEUEING_INTERFACE,
)

# How outputs begin: the command meant where nothing else tells, and those that begin so too.
_OPENINGS: Final = tuple(
    (re.compile(opening), command, also)
    for opening, command, also in (
        (r"CPU utilization for five seconds:[^,]*;", ShowCommand.CPU, (ShowCommand.CPU_HISTORY,)),
        (r"\S+ +\d+:\d\d:\d\d [AP]M \w+ \w{3} \d+ \d{4}", ShowCommand.CPU_HISTORY, ()),
        (r"CPU% per (?:second|minute|hour)", ShowCommand.CPU_HISTORY, ()),
        (r"DLSw: Capabilities for", ShowCommand.DLSW_CAPABILITIES, ()),
        (r"Device ID:", "show cdp neighbors detail", ()),
        (
            r"Cisco (?:IOS(?! XR)|Internetwork Operating System)|IOS \(tm\) ",
            ShowCommand.VERSION,
            (),
        ),
        (r"Zone-pair(?:: | name)", "show policy-map type inspect zone-pair", ()),
        (
            r"Control Plane$",
            ShowCommand.POLICY_MAP_CONTROL_PLANE,
            (ShowCommand.POLICY_MAP_INTERFACE,),
        ),
        (
            r"[Ss]ervice-policy (?:\(?\w+\)? )?(?:input|output) ?:",
            ShowCommand.POLICY_MAP_INTERFACE,
            (ShowCommand.POLICY_MAP_CONTROL_PLANE,),
        ),
        (
            r"[Cc]lass-map ?: ?\S+ \(match-",
            ShowCommand.POLICY_MAP_INTERFACE,
            (ShowCommand.POLICY_MAP_CONTROL_PLANE,),
        ),
        (r"Policy Map type \S+", "show policy-map type", ()),
        (r"Policy Map \S+", ShowCommand.POLICY_MAP, ()),
        (r"Class Map match-", ShowCommand.CLASS_MAP, ()),
        (r"Interface \S+ queueing strategy:", ShowCommand.QUEUEING_INTERFACE, _QUEUEING),
        (r"Current random-detect configuration", ShowCommand.QUEUEING_RANDOM_DETECT, _QUEUEING),
        (r"Current [\w ]*queue configuration", ShowCommand.QUEUEING, _QUEUEING),
        (r"Broadcast address is |Internet protocol processing", "show ip interface", ()),
        (r"\S.{0,60}? is .*, line protocol is ", ShowCommand.INTERFACES, ()),
        (
            r"Interface \S+ VC \d+/\d+",
            ShowCommand.QUEUEING_INTERFACE,
            (*_QUEUEING, ShowCommand.QUEUE),
        ),
        (
            r"Input queue: \d+/\d+/\d+|Output queue for |Packet \d+, linktype|'Show queue' not",
            ShowCommand.QUEUE,
            (),
        ),
        (r"\S+ Slot \d+, Port \d+, Controller|tx_limited ?= ?\d", ShowCommand.CONTROLLERS, ()),
        (r"Interface \S+$|Hardware is \S", ShowCommand.CONTROLLERS, ()),
        (
            r"Interface\s+(?:VCD|Name)\s+VPI\s+VCI\b|VCD /\s|\S+: VCD: \d+",
            ShowCommand.ATM_VC,
            (ShowCommand.ATM_PVC,),
        ),
        (r"Current Operational State", ShowCommand.RTR_OPERATIONAL_STATE, _SLA),
        (r"Collected Statistics", ShowCommand.RTR_COLLECTION, _SLA),
        (r"IPSLAs? [Aa]ggregated|Start Time Index:", ShowCommand.SLA_AGGREGATED, _SLA),
        (r"Round [Tt]rip [Tt]ime \(RTT\)(?: for)?\s+Index", ShowCommand.SLA_STATISTICS, _SLA),
        (r"IPSLAs? (?:Latest|operation|Infrastructure)", ShowCommand.SLA_STATISTICS, _SLA),
        (r"Entry [Nn]umber: \d+", ShowCommand.SLA_MONITOR_STATISTICS, _SLA),
        (r"Peers:\s+state", ShowCommand.DLSW_PEERS, ()),
        (r"Index\s+local addr\(lsap\)", ShowCommand.DLSW_CIRCUITS, ()),
        (r"\d+\s+frames processed via \w+ cache", ShowCommand.DLSW_STATISTICS, ()),
        (r"DLSw (?:Local|Remote) \w+ \w+ reachability", ShowCommand.DLSW_REACHABILITY, ()),
        (r"[*.]?\d\d:\d\d:\d\d\.\d{3} \S+ \w{3} \w{3} \d+ \d{4}$", ShowCommand.CLOCK, ()),
        (r"Current privilege level is \d+", ShowCommand.PRIVILEGE, ()),
    )
)
_OPENING_LINES: Final = 8
_LINES_LOOKED_AT: Final = 4 * _OPENING_LINES

_SLUGS: Final = tuple(
    (re.sub(r"[^a-z0-9]+", "-", output), output)
    for output in sorted(ShowCommand, key=len, reverse=True)
)
_NAME_START: Final = re.compile(r"(?:^|[^A-Za-z0-9])(?=sho?w?[^A-Za-z0-9])", re.IGNORECASE)
_ENDING: Final = re.compile(r"\.[a-z]{2,4}$", re.IGNORECASE)


def command_of_file(file: str) -> ShowCommand | None:
    """Read the command that a file is named after.

    Parameters
    ----------
    file
        Its name, with any folders: `backups/r1_show_processes_cpu.txt`.

    Returns
    -------
    ShowCommand | None
        None where the name is not that of a command whose output is read.

    Examples
    --------
    >>> command_of_file("r1/show_ip_sla_statistics_aggregated.txt")
    <ShowCommand.SLA_AGGREGATED: 'show ip sla statistics aggregated'>
    >>> command_of_file("r1.sh-pol-int.log")
    <ShowCommand.POLICY_MAP_INTERFACE: 'show policy-map interface'>
    """
    words = _words_of_file(file)
    return asked(words).output if words is not None else None


def _words_of_file(file: str) -> str | None:
    """Spell out the command in the name of a file."""
    name = _ENDING.sub("", PurePath(file.replace("\\", "/")).name)
    start = _NAME_START.search(name)
    if start is None:
        return None
    slug = re.sub(r"[^a-z0-9]+", "-", name[start.end() :].lower()).strip("-")
    for whole, output in _SLUGS:
        if slug == whole or slug.startswith(f"{whole}-"):
            return f"{output} {slug[len(whole) :].replace('-', ' ')}".strip()
    return spell_out(slug.replace("-", " "))


def recognise(text: str, lines: Sequence[str], file: str) -> Recognised:
    """Tell what a text without prompt is.

    The name of the file decides between outputs that begin alike, and where the first lines
    say nothing; else they decide.
    """
    opening = [line for each in lines[:_LINES_LOOKED_AT] if (line := each.strip())]
    if opening and opening[0].startswith("show ") and " is " not in opening[0]:
        command = spell_out(opening[0])
        return Recognised(command, Origin.FIRST_LINE, kind_of(command, opening[1:]))
    named = command_of_file(file)
    begun = _by_opening(opening[:_OPENING_LINES], named)
    return _by_content(text, lines, file, named) if begun is None else begun


def _by_content(
    text: str, lines: Sequence[str], file: str, named: ShowCommand | None
) -> Recognised:
    if named is not None:
        return Recognised(str(named), Origin.FILE_NAME, kind_of(named, lines))
    identity = identify(text)
    if identity.dialect not in (Dialect.NOT_A_CONFIG, Dialect.EMPTY):
        return Recognised(None, Origin.CONTENT, SectionKind.CONFIG, identity)
    words = _words_of_file(file)
    if words is None:
        return Recognised(None, Origin.CONTENT, SectionKind.UNKNOWN)
    return Recognised(words, Origin.FILE_NAME, kind_of(words, lines))


_ANY_OPENING: Final = re.compile("|".join(f"(?:{each.pattern})" for each, _, _ in _OPENINGS))


def _by_opening(opening: Sequence[str], named: ShowCommand | None) -> Recognised | None:
    if not any(_ANY_OPENING.match(line) for line in opening):
        return None
    for start, command, also in _OPENINGS:
        if any(start.match(line) for line in opening):
            if named is not None and named in also:
                return Recognised(str(named), Origin.FILE_NAME, SectionKind.SHOW)
            return Recognised(str(command), Origin.CONTENT, SectionKind.SHOW)
    return None
