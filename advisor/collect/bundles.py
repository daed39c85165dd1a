"""Whether an answer is whole, whether an earlier bundle holds it, and how it is written."""

import re
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Final

from msgspec import Struct

from advisor.capture.outputs import CPU, PRIVILEGE, RUNNING_CONFIG, RUNNING_CONFIG_OF_VIEWS, VERSION
from advisor.capture.sections import Capture, Gap, GapCause, GapKind, Origin, Section
from advisor.capture.write_bundle import BundleError, write_bundle
from advisor.collect import DeviceError, Failure, ReadLimits, Stop
from advisor.collect.hosts import Target
from advisor.collect.plan import Allowed, CollectPlan
from advisor.collect.question import TerminalAnswer
from advisor.ground.units import whole
from advisor.shows.redact import redact_capture

# Is an answer whole? What IOS itself says of it decides, not that it ended.

# Saved text never matches exactly: IOS counts what it would write to NVRAM.
_SIZE_SHARE: Final = 0.05
_SIZE_BYTES: Final = 200
_DECLARED: Final = re.compile(
    r"^Current configuration ?: ([0-9]{1,12}) bytes[^\n]*\n", re.MULTILINE
)
_NO_TEXT: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_UNAUTHORIZED: Final = re.compile(
    r"^(?:% ?)?(?:Command )?authorization failed", re.IGNORECASE | re.MULTILINE
)
_UNKNOWN: Final = re.compile(
    r"^\s*% ?(?:Invalid|Incomplete|Ambiguous|Unrecognized|Unknown|Bad)\b", re.IGNORECASE
)
_NEVER_EMPTY: Final = (PRIVILEGE, VERSION, CPU)
_MOST_LINES_OF_A_REFUSAL: Final = 6
_CAUSES: Final = {
    Failure.TIME: GapCause.TIME,
    Failure.QUESTION: GapCause.QUESTION,
    Failure.PROMPT_CHANGED: GapCause.PROMPT_CHANGED,
    Failure.INTERRUPTED: GapCause.INTERRUPTED,
}


class OutputLack(Struct, frozen=True):
    """Why a command has no output, or not all of it."""

    cause: GapCause
    detail: str = ""

    def gap(self, command: str, kind: GapKind = GapKind.MISSING) -> Gap:
        """Gap of a command that lacks its output."""
        return Gap(command, kind, self.detail, self.cause)


def lack_by(error: DeviceError) -> OutputLack:
    """The lack that an end of a session causes."""
    cause = _CAUSES.get(error.fault)
    return (
        OutputLack(GapCause.OTHER, str(error)) if cause is None else OutputLack(cause, error.detail)
    )


def is_unauthorized(text: str) -> bool:
    """Whether a server for command authorization refused the command."""
    return _UNAUTHORIZED.search(_head(text)) is not None


def is_unknown(text: str) -> bool:
    """Whether the parser refused the command: the image or the privilege lacks it."""
    return any(_UNKNOWN.match(line) for line in _head(text).split("\n"))


def _head(text: str) -> str:
    lines = [line for line in text.split("\n") if line.strip()]
    return "\n".join(lines) if len(lines) <= _MOST_LINES_OF_A_REFUSAL else ""


def lack_of(answer: TerminalAnswer) -> OutputLack | None:
    """The lack of an answer that is not whole; None for a whole one."""
    if answer.cut is not None:
        return lack_by(answer.cut)
    if answer.lost_lines:
        return OutputLack(
            GapCause.TOO_LARGE, f"{answer.lost_lines} lines left out: too long for IOS output"
        )
    if answer.command in _NEVER_EMPTY and not answer.text.strip():
        return OutputLack(GapCause.OTHER, "nothing was printed")
    control_characters = len(_NO_TEXT.findall(answer.text))
    return (
        OutputLack(GapCause.OTHER, f"{control_characters} characters that are not text")
        if control_characters
        else None
    )


def lack_of_config(answer: TerminalAnswer) -> OutputLack | None:
    """Find the lack of a running-config that was not printed to its end: its size, `end`."""
    lack = lack_of(answer)
    if lack is not None:
        return lack
    declared = _DECLARED.search(answer.text)
    if declared is not None:
        stated = whole(declared[1])
        printed_bytes = len(answer.text[declared.end() :].encode("utf-8", "replace"))
        if abs(stated - printed_bytes) > max(_SIZE_BYTES, _SIZE_SHARE * stated):
            detail = f"{stated} bytes declared, {printed_bytes} bytes printed"
            return OutputLack(GapCause.OTHER, detail)
    if not any(line.strip() == "end" for line in answer.text.rstrip().split("\n")[-3:]):
        return OutputLack(GapCause.OTHER, "the text has no `end`")
    return None


# Does a bundle of an earlier run hold what this run asks? Then its device is not asked again.


def holds(capture: Capture, plan: CollectPlan, target: Target) -> bool:
    """Whether a bundle is of this device, whole, and answers each step of a plan.

    Where rates are made of two samples, both must be there.
    """
    if capture.gaps or capture.address != target.endpoint:
        return False
    newest, oldest = _listed(capture.sections), _listed(capture.earlier)

    def is_answered(step: Allowed) -> bool:
        if step.command in capture.unsupported:
            return True
        names = {step.command, *step.older}
        if step.command == RUNNING_CONFIG:
            names.add(RUNNING_CONFIG_OF_VIEWS)
        answered = names & newest
        return bool(answered) and (not plan.is_sampled_twice(step) or bool(answered & oldest))

    return all(map(is_answered, plan.steps))


def _listed(sections: Sequence[Section]) -> set[str | None]:
    """Commands whose outputs the manifest vouches for; a file beside it may be anything."""
    return {section.command for section in sections if section.origin is Origin.MANIFEST}


# Writes the bundle of one device, without secrets: nothing else ever reaches the disk.


def write_masked(
    capture: Capture, secrets: tuple[str, ...], folder: Path, limits: ReadLimits, stop: Stop
) -> Capture:
    """Mask the secrets of a capture, write it, and return it as it was written.

    Raises
    ------
    DeviceError
        If the run was stopped, masking takes longer than `limits.redact_s`, or the folder cannot
        be written.
    """
    deadline_s = monotonic() + limits.redact_s

    def in_time() -> None:
        if stop.is_set():
            raise DeviceError(Failure.INTERRUPTED)
        if monotonic() > deadline_s:
            raise DeviceError(Failure.NOT_REDACTED, f"over {limits.redact_s:g} s")

    masked = redact_capture(capture, secrets, in_time)
    try:
        write_bundle(masked, folder)
    except BundleError as error:
        raise DeviceError(Failure.NOT_WRITTEN, str(error)) from None
    return masked
