"""Parts of a capture that nothing reads, and that hold a configuration or counters."""

import re
from typing import Final

from advisor.capture.outputs import outputs
from advisor.capture.sections import Gap, GapKind, Section, SectionKind
from advisor.ios.syntax.scan import physical_lines

_CONFIG: Final = re.compile(
    r"""\s*(?:interface[ ][A-Z][A-Za-z-]*[ ]?\d | policy-map[ ]\S+\s*$ | class-map[ ]match
      | service-policy[ ](?:input|output)[ ]\S | tx-ring-limit[ ]\d | hostname[ ]\S+\s*$
      | dlsw[ ](?:local|remote)-peer[ ] )""",
    re.VERBOSE,
)
_COUNTERS: Final = re.compile(
    r"""\s*+(?:Service-policy[ ](?:\(?\w+\)?[ ])?(?:input|output)[ ]?: | Class-map:[ ]\S+[ ]\(match
      | \(total[ ]drops | \(pkts[ ]matched | DLCI[ ]=[ ]\d | conformed[ ]\d+[ ]packets
      | .*\bTarget[ ]+Byte[ ]+Sustain | .*\d[ ]packets[ ]output,[ ]\d )""",
    re.VERBOSE,
)
_PROMPT: Final = re.compile(r"\S{1,60}[#>\]$%:][ ]?sho?w?[ ][a-z]{2}")
_MARKS: Final = (
    *(
        "nterface ",
        "olicy",
        "lass-map",
        "tx-ring-limit",
        "hostname ",
        "total drops",
        "pkts matched",
    ),
    *(
        "DLCI = ",
        "conformed ",
        "Sustain",
        "packets output",
        "dlsw ",
        "#sh",
        ">sh",
        " sh",
        ":sh",
        "]sh",
    ),
)
_PRINT_OTHERS: Final = (
    "more ",
    "copy ",
    "show archive",
    "show file",
    "show history",
    "show logging",
)
_OTHER_POLICIES: Final = ("show policy-map type", "show policy-firewall", "show class-map type")


def unread_gap(section: Section) -> Gap | None:
    """What a section that nothing reads holds all the same; None where nothing of it is missed.

    An output with the counters of a policy or a circuit counts, whatever the command; so does text
    that is neither a configuration nor an output and has lines of one.
    """
    if section.kind is SectionKind.CONFIG or _is_read(section):
        return None
    command = section.command or ""
    if command.startswith(_PRINT_OTHERS + _OTHER_POLICIES) or section.refusal is not None:
        return None
    if not any(mark in section.text for mark in _MARKS) or section.other_system is not None:
        return None
    signs = (_COUNTERS,) if section.kind is SectionKind.SHOW else (_CONFIG, _COUNTERS, _PROMPT)
    rows = [
        row
        for row, line in enumerate(physical_lines(section.output))
        if any(sign.match(line) for sign in signs)
    ]
    if not rows:
        return None
    first = section.first_line + section.prompt_lines + rows[0]
    last = section.first_line + section.prompt_lines + rows[-1]
    where = f"line {first}" if first == last else f"lines {first} to {last}"
    return Gap(section.command or "text", GapKind.UNREADABLE, f"{where}: {_WHAT[section.kind]}")


_WHAT: Final = {
    SectionKind.SHOW: "counters of a policy or a circuit in an output that is not read",
    SectionKind.UNKNOWN: "looks like a configuration or an output, and is not told apart",
}


def _is_read(section: Section) -> bool:
    output = outputs().get(section.taken_for or "")
    return output is not None and bool(output.reads)
