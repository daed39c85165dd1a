"""Writes the bundle of one device, without secrets: nothing else ever reaches the disk."""

from pathlib import Path
from time import monotonic

from advisor.capture import Capture
from advisor.capture.bundle import BundleError, write_bundle
from advisor.capture.masking import redact_capture
from advisor.collect.faults import DeviceError, Fault, Limits
from advisor.collect.stop import Stop


def write_masked(
    capture: Capture, secrets: tuple[str, ...], folder: Path, limits: Limits, stop: Stop
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
            raise DeviceError(Fault.INTERRUPTED)
        if monotonic() > deadline_s:
            raise DeviceError(Fault.NOT_REDACTED, f"over {limits.redact_s:g} s")

    masked = redact_capture(capture, secrets, in_time)
    try:
        write_bundle(masked, folder)
    except BundleError as error:
        raise DeviceError(Fault.NOT_WRITTEN, str(error)) from None
    return masked
