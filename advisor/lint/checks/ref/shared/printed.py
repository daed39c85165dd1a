"""What a capture proves against a rule that says that IOS refuses a line."""

from advisor.device.device import Device


def printed_doubt(device: Device) -> str:
    """Words that a device printed the line and its generation may be another; empty of a draft."""
    if not device.facts.tree.is_capture:
        return ""
    return (
        f", yet the device printed this line: the generation taken for it"
        f" ({device.platform.generation}, {device.platform.because}) may be wrong"
    )
