"""`dlsw` lines: kept as text; the grammar knows which commands there are, not their arguments."""

from typing import Final

from advisor.facts.read_words import GrammarError, Words

_TRANSPORTS: Final = ("tcp", "fst", "interface", "frame-relay", "dynamic")
# Command lists of IOS 11.2-12.4 (Cisco IOS Bridging and IBM Networking Command Reference).
_COMMAND_NAMES: Final = """
    allroute-netbios allroute-sna bgroup-list bridge-group cache-ignore-netbios-datagram
    disable duplicate-path-bias explorerq-depth group-cache group-max-entries history-log
    icannotreach icanreach llc2 load-balance local-peer mac-addr max-slots multicast netbios-cache
    netbios-keepalive-filter netbios-name peer-on-demand-defaults port-list prom-peer-defaults
    redundant-rings remote-peer ring-list rsvp timer tos touch-timer transparent udp-disable
"""
_COMMANDS: Final = frozenset(_COMMAND_NAMES.split())


def read_dlsw(words: Words) -> str:
    """Check a `dlsw` line and return its text.

    Raises
    ------
    GrammarError
        If its command, or the transport of a `remote-peer`, is not known.
    """
    words.expect("dlsw")
    command = words.take().lower()
    if command not in _COMMANDS:
        raise GrammarError(command)
    if command == "remote-peer":
        words.take()
        words.expect(*_TRANSPORTS)
    words.rest()
    return words.line.text
