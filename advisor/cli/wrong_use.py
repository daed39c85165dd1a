"""Flags, paths and files that cannot be used: raised by a job, said at the border."""

from advisor.faults import AdvisorError


class WrongUseError(AdvisorError):
    """A flag, path or file that cannot be used; the message says which and why."""
