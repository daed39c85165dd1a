"""Refuses statements of the user that name nothing that their device has."""

from collections.abc import Iterable

from advisor.device.device import Device
from advisor.outlet.statements import wrong_statements
from advisor.predict.what_if.errors import InputError


def refuse_wrong_statements(devices: Iterable[Device]) -> None:
    """Check the statements about the devices of a run.

    Raises
    ------
    InputError
        With the file, the line and the nearest name of each statement whose class or interface
        none of its devices has.
    """
    wrong = wrong_statements(devices)
    if wrong:
        raise InputError("; ".join(statement.said for statement in wrong))
