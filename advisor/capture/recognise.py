"""What an output without its prompt is, by the name of its file and by its first lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from advisor.capture.outputs import Output, asked
from advisor.capture.sections import Origin, SectionKind, kind_of
from advisor.ios.detect import Dialect, identify
from advisor.ios.exec_command import spell_out


@dataclass(frozen=True, slots=True)
class Recognised:
    """A command, how it is known, and what its output is."""

    command: str | None
    origin: Origin
    kind: SectionKind


_SLA: Final = (
    *(Output.SLA_STATISTICS, Output.SLA_AGGREGATED, Output.SLA_MONITOR_STATISTICS),
    *(Output.SLA_MONITOR_AGGREGATED, Output.SLA_MONITOR_COLLECTION),
    *(Output.RTR_OPERATIONAL_STATE, Output.RTR_COLLECTION),
)
_QUEUEING: Final = (
    *(Output.QUEUEING, Output.QUEUEING_FAIR, Output.QUEUEING_PRIORITY, Output.QUEUEING_CUSTOM),
    Output.QUEUEING_INTERFACE,
)

# How outputs begin: the command meant where nothing else tells, and those that begin so too.
_OPENINGS: Final = tuple(
    (re.compile(opening), command, also)
    for opening, command, also in (
        (r"CPU utilization for five seconds:[^,]*;", Output.CPU, (Output.CPU_HISTORY,)),
        (r"CPU% per (?:second|minute|hour)", Output.CPU_HISTORY, ()),
        (r"Device ID:", "show cdp neighbors detail", ()),
        (
            r"Cisco (?:IOS(?! XR)|Internetwork Operating System)|IOS \(tm\) ",
            Output.VERSION,
            (),
        ),
        (r"Zone-pair(?:: | name)", "show policy-map type inspect zone-pair", ()),
        (r"Control Plane$", Output.POLICY_MAP_CONTROL_PLANE, (Output.POLICY_MAP_INTERFACE,)),
        (
            r"Service-policy (?:\(?\w+\)? )?(?:input|output) ?:",
            Output.POLICY_MAP_INTERFACE,
            (Output.POLICY_MAP_CONTROL_PLANE,),
        ),
        (
            r"Class-map ?: ?\S+ \(match-",
            Output.POLICY_MAP_INTERFACE,
            (Output.POLICY_MAP_CONTROL_PLANE,),
        ),
        (r"Policy Map type \S+", "show policy-map type", ()),
        (r"Policy Map \S+", Output.POLICY_MAP, ()),
        (r"Class Map match-", Output.CLASS_MAP, ()),
        (r"Interface \S+ queueing strategy:", Output.QUEUEING_INTERFACE, _QUEUEING),
        (r"Current random-detect configuration", Output.QUEUEING_RANDOM_DETECT, _QUEUEING),
        (r"Current fair queue configuration", Output.QUEUEING_FAIR, _QUEUEING),
        (r"Current (?:priority|DLCI priority) queue", Output.QUEUEING_PRIORITY, _QUEUEING),
        (r"Current custom queue configuration", Output.QUEUEING_CUSTOM, _QUEUEING),
        (r"Broadcast address is |Internet protocol processing", "show ip interface", ()),
        (r"\S.{0,60}? is .*, line protocol is ", Output.INTERFACES, ()),
        (r"Input queue: \d+/\d+/\d+", Output.QUEUE, ()),
        (r"Interface \S+$|Hardware is \S", Output.CONTROLLERS, ()),
        (
            r"Interface\s+(?:VCD|Name)\s+VPI\s+VCI\b|VCD /\s|\S+: VCD: \d+",
            Output.ATM_VC,
            (Output.ATM_PVC,),
        ),
        (r"Current Operational State", Output.RTR_OPERATIONAL_STATE, _SLA),
        (r"Collected Statistics", Output.RTR_COLLECTION, _SLA),
        (r"IPSLAs? [Aa]ggregated|Start Time Index:", Output.SLA_AGGREGATED, _SLA),
        (r"Round [Tt]rip [Tt]ime \(RTT\)(?: for)?\s+Index", Output.SLA_STATISTICS, _SLA),
        (r"IPSLAs? (?:Latest|operation|Infrastructure)", Output.SLA_STATISTICS, _SLA),
        (r"Entry [Nn]umber: \d+", Output.SLA_MONITOR_STATISTICS, _SLA),
        (r"Peers:\s+state", Output.DLSW_PEERS, ()),
        (r"Index\s+local addr\(lsap\)", Output.DLSW_CIRCUITS, ()),
        (r"\d+\s+frames processed via \w+ cache", Output.DLSW_STATISTICS, ()),
        (r"DLSw: Capabilities for", Output.DLSW_CAPABILITIES, ()),
        (r"DLSw (?:Local|Remote) \w+ \w+ reachability", Output.DLSW_REACHABILITY, ()),
        (r"[*.]?\d\d:\d\d:\d\d\.\d{3} \S+ \w{3} \w{3} \d+ \d{4}$", Output.CLOCK, ()),
        (r"Current privilege level is \d+", Output.PRIVILEGE, ()),
    )
)
_OPENING_LINES: Final = 8
_LINES_LOOKED_AT: Final = 4 * _OPENING_LINES

_SLUGS: Final = tuple(
    (re.sub(r"[^a-z0-9]+", "-", output), output) for output in sorted(Output, key=len, reverse=True)
)
_NAME_START: Final = re.compile(r"(?:^|[^A-Za-z0-9])(?=sho?w?[^A-Za-z0-9])", re.IGNORECASE)
_ENDING: Final = re.compile(r"\.[a-z]{2,4}$", re.IGNORECASE)


def command_of_file(file: str) -> Output | None:
    """Read the command that a file is named after.

    Parameters
    ----------
    file
        Its name, with any folders: `backups/r1_show_processes_cpu.txt`.

    Returns
    -------
    Output | None
        None where the name is not that of a command whose output is read.

    Examples
    --------
    >>> command_of_file("r1/show_ip_sla_statistics_aggregated.txt")
    <Output.SLA_AGGREGATED: 'show ip sla statistics aggregated'>
    >>> command_of_file("r1.sh-pol-int.log")
    <Output.POLICY_MAP_INTERFACE: 'show policy-map interface'>
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
    if begun is not None:
        return begun
    if named is not None:
        return Recognised(str(named), Origin.FILE_NAME, kind_of(named, lines))
    if identify(text).dialect not in (Dialect.NOT_A_CONFIG, Dialect.EMPTY):
        return Recognised(None, Origin.CONTENT, SectionKind.CONFIG)
    words = _words_of_file(file) or ""
    return Recognised(words or None, Origin.FILE_NAME, kind_of(words, lines))


def _by_opening(opening: Sequence[str], named: Output | None) -> Recognised | None:
    for start, command, also in _OPENINGS:
        if any(start.match(line) for line in opening):
            if named is not None and named in also:
                return Recognised(str(named), Origin.FILE_NAME, SectionKind.SHOW)
            return Recognised(str(command), Origin.CONTENT, SectionKind.SHOW)
    return None
