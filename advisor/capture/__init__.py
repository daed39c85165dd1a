"""Cuts the capture of a device into one section for each command."""

from advisor.capture.clock import CaptureTime, TimeSource, can_be_ordered, changed_time
from advisor.capture.cuts import read_answer, read_capture
from advisor.capture.devices import (
    PROMPT_CHARACTERS,
    by_device,
    configured_name,
    full_names,
    rivals_of,
    version_name,
)
from advisor.capture.outputs import OUTPUTS
from advisor.capture.recognise import command_of_file
from advisor.capture.sections import (
    Capture,
    Gap,
    GapCause,
    GapKind,
    Origin,
    Section,
    SectionKind,
    answer,
    is_refusal,
)
from advisor.capture.show_output import ShowOutput
from advisor.capture.unread import (
    FULL_PRIVILEGE,
    is_in_view,
    lacks_of_a_device,
    partial_configs,
    privilege_of,
    why_partial,
)

__all__ = [
    "FULL_PRIVILEGE",
    "OUTPUTS",
    "PROMPT_CHARACTERS",
    "Capture",
    "CaptureTime",
    "Gap",
    "GapCause",
    "GapKind",
    "Origin",
    "Section",
    "SectionKind",
    "ShowOutput",
    "TimeSource",
    "answer",
    "by_device",
    "can_be_ordered",
    "changed_time",
    "command_of_file",
    "configured_name",
    "full_names",
    "is_in_view",
    "is_refusal",
    "lacks_of_a_device",
    "partial_configs",
    "privilege_of",
    "read_answer",
    "read_capture",
    "rivals_of",
    "version_name",
    "why_partial",
]
