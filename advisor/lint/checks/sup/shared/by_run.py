"""What no device shows by itself."""

from collections.abc import Iterator
from typing import Never

from advisor.device.device import Device
from advisor.lint.checks.base import NoParams


def shown_by_the_run(device: Device, params: NoParams) -> Iterator[Never]:
    """Yield nothing: the findings of all devices show it, see `advisor.lint.suppressions`."""
    del device, params
    return iter(())
