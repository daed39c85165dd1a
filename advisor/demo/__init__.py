"""Routers that are none: IOS-like SSH servers on the loopback address, to try things on.

They answer from the files of a bundle and show, where told, the faults of real devices. Importing
`advisor.demo.routers` needs asyncssh, the extra `demo`; what a router is told to be does not.
"""

from advisor.demo.answers import DemoBundleError, renamed, script_of
from advisor.demo.script import WHAT_GOES_WRONG, Fault, Script, View

__all__ = ["WHAT_GOES_WRONG", "DemoBundleError", "Fault", "Script", "View", "renamed", "script_of"]
