"""Which command opens which configuration mode, and which words a mode knows.

IOS ignores indentation: what a line means hangs on the mode that the lines before it opened. The
openers stand here, the words of each mode in `advisor.ios.words`. The table is no grammar: it
says where a line belongs, not whether it is right.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from advisor.ios.global_words import GLOBAL_PHRASES
from advisor.ios.words import SUBCOMMANDS

__all__ = ["GLOBAL", "SUBCOMMANDS", "belongs", "is_global_word", "opens_mode"]

GLOBAL: Final = "global"

# mode -> lines of "opening words > mode that they open". `*` is any one word, `#` a word that
# starts with a digit, `a|b` either word; more words may follow. The most specific line decides;
# `-` says that these words open nothing.
_OPENERS: Final[Mapping[str, str]] = {
    GLOBAL: """
        aaa attribute list * > aaa-group
        aaa group server * * > aaa-group
        aaa server radius dynamic-author > aaa-group
        application > application
        archive > archive
        arp access-list * > access-list
        bfd-template * * > template
        bridge-domain # > bridge-domain
        call-home > call-home
        call-manager-fallback > telephony-service
        class-map * > class-map
        control-plane > control-plane
        controller * * > controller
        crypto ca|pki authenticate|enroll|export|import|certificate * > -
        crypto ca|pki certificate chain * > certificate-chain
        crypto ca|pki certificate map * # > crypto
        crypto ca|pki trustpoint|profile|server|token|identity * > crypto
        crypto dynamic-map * # > crypto
        crypto gdoi group * > crypto
        crypto ikev2 authorization|client|keyring|policy|profile|proposal * > crypto
        crypto ipsec client ezvpn * > crypto
        crypto ipsec profile|transform-set * > crypto
        crypto isakmp client configuration group * > crypto
        crypto isakmp policy|profile * > crypto
        crypto isakmp peer address|hostname * > crypto
        crypto key pubkey-chain rsa > pubkey-chain
        crypto keyring * > crypto
        crypto map * # > crypto
        dial-peer cor custom > dial-peer-cor
        dial-peer cor list * > dial-peer-cor
        dial-peer voice * > dial-peer
        dspfarm profile * > dspfarm
        ephone # > ephone
        ephone-dn # > ephone
        ephone-template # > ephone
        ethernet cfm domain * > ethernet-evc
        ethernet evc * > ethernet-evc
        event manager applet * > applet
        flow exporter|monitor|record * > flow
        flow-sampler-map * > flow
        frame-relay vc-bundle * > pvc-bundle
        gatekeeper > gatekeeper
        gateway > gatekeeper
        interface * > interface
        ip access-list extended|role-based|standard * > access-list
        ip dhcp class|pool * > dhcp-pool
        ip explicit-path identifier|name * > explicit-path
        ip flow-top-talkers > flow
        ip nat pool * prefix-length # > nat-pool
        ip nat pool * netmask # > nat-pool
        ip sla # > ip-sla
        ip sla monitor # > ip-sla
        ip ssh pubkey-chain > pubkey-chain
        ip vrf * > vrf
        ipv6 access-list * > access-list
        ipv6 access-list log-update > -
        ipv6 dhcp pool * > dhcp-pool
        ipv6 router * > router
        key chain * > key-chain
        kron occurrence|policy-list * > kron
        l2 vfi * > vfi
        l2tp-class * > l2tp-class
        ldap server * > aaa-group
        line * > line
        mac access-list extended * > access-list
        map-class * * > map-class
        monitor session # type * > monitor-session
        object-group * * > object-group
        object-group security * > object-group
        parameter-map type * > parameter-map
        policy-map * > policy-map
        pseudowire-class * > l2tp-class
        radius server * > aaa-group
        random-detect-group * > random-detect-group
        redundancy > redundancy
        route-map * > route-map
        router * > router
        rtr # > ip-sla
        sampler * > flow
        sccp ccm group * > dspfarm
        service-template * > template
        sip-ua > sip-ua
        spanning-tree mst configuration > mst
        stcapp port * > application
        table-map * > table-map
        tacacs server * > aaa-group
        telephony-service > telephony-service
        template * > template
        time-range * > time-range
        track # > track
        vc-class atm * > vc-class
        vlan # > vlan
        vlan access-map * > vlan
        vlan configuration * > vlan
        voice class * * > voice-class
        voice hunt-group * > voice-class
        voice register global|dn|pool|template > ephone
        voice service * > voice-service
        voice translation-profile|translation-rule * > voice-translation
        voice-card * > voice-card
        voice-port * > voice-port
        vpdn-group * > vpdn-group
        vrf definition * > vrf
        zone security * > zone
        zone-pair security * > zone
    """,
    "interface": """
        bundle * > pvc-bundle
        cts manual > cts
        frame-relay interface-dlci * > frame-relay-dlci
        frame-relay vc-bundle * > pvc-bundle
        pvc * > pvc
        pvp * > pvp
        range * > pvc-range
        service instance # > service-instance
        svc * > pvc
        tx-queue # > tx-queue
        vrrp # address-family * > vrrp
        xconnect * # > xconnect
    """,
    "address-family": """
        af-interface * > af-interface
        sf-interface * > af-interface
        topology * > topology
    """,
    "application": """
        global > application-service
        package * > application-service
        service * > application-service
    """,
    "archive": "log config > archive-log",
    "call-home": "profile * > call-home-profile",
    "controller": "vdsl # > -",
    "ip-sla": """
        dhcp > ip-sla-operation
        dhcp|dlsw|dns|ethernet|frame-relay|ftp|http * > ip-sla-operation
        icmp-echo|icmp-jitter|mpls|path-echo|path-jitter|tcp-connect|type * > ip-sla-operation
        udp-echo|udp-jitter|voip * > ip-sla-operation
    """,
    "key-chain": "key # > key",
    "policy-map": """
        # class * > policy-map-class
        class * > policy-map-class
        event * > policy-map-event
    """,
    "policy-map-class": "police * > police",
    "policy-map-event": "# class * > policy-map-event",
    "pubkey-chain": """
        addressed-key|named-key|server|username * > pubkey
        key-string > pubkey
    """,
    "pvc-bundle": """
        pvc * > pvc
        pvc-bundle * > pvc
    """,
    "pvc-range": "pvc-in-range * > pvc",
    "redundancy": """
        linecard-group * > redundancy
        main-cpu > redundancy
    """,
    "router": """
        address-family * > address-family
        scope * > address-family
        service-family * > address-family
        template * * > router-template
        topology * > topology
    """,
    "service-instance": "xconnect * # > xconnect",
    "voice-service": """
        h323|sip|stun > voice-service
        ip address trusted list > voice-service
    """,
    "vpdn-group": "accept-dialin|accept-dialout|request-dialin|request-dialout > vpdn-group",
    "vrf": "address-family * > address-family",
}

_Pattern = tuple[tuple[str, ...], str | None]


def _specificity(pattern: _Pattern) -> tuple[int, int]:
    words, _ = pattern
    return len(words), sum(word not in ("*", "#") for word in words)


def _compiled(table: str) -> Mapping[str, tuple[_Pattern, ...]]:
    by_word: dict[str, list[_Pattern]] = {}
    for line in table.strip().splitlines():
        words, _, mode = line.partition(">")
        first, *rest = words.split()
        pattern = (tuple(rest), None if mode.strip() == "-" else mode.strip())
        for word in first.split("|"):
            by_word.setdefault(word, []).append(pattern)
    return {
        word: tuple(sorted(patterns, key=_specificity, reverse=True))
        for word, patterns in by_word.items()
    }


_COMPILED: Final[Mapping[str, Mapping[str, tuple[_Pattern, ...]]]] = MappingProxyType(
    {mode: _compiled(table) for mode, table in _OPENERS.items()}
)


def _fits(pattern: tuple[str, ...], words: list[str]) -> bool:
    if len(words) < len(pattern):
        return False
    return all(
        wanted in ("*", word)
        or (wanted == "#" and word[0].isdigit())
        or ("|" in wanted and word in wanted.split("|"))
        for wanted, word in zip(pattern, words, strict=False)
    )


def opens_mode(mode: str, text: str) -> str | None:
    """Name the mode that a command opens.

    Parameters
    ----------
    mode
        The mode the command is given in; "global" at the top.
    text
        The command, without indentation.

    Returns
    -------
    str | None
        The mode's name, a key of `SUBCOMMANDS`; None where the command opens none, also for
        its `no` and `default` forms.
    """
    words = text.split()
    openers = _COMPILED.get(mode)
    if openers is None or not words:
        return None
    first = words[0]
    patterns = openers.get(first)
    if patterns is None:
        # A numbered class of a control policy starts with its number.
        patterns = openers.get("#") if first[0].isdigit() else None
        if patterns is None:
            return None
    if first == "police" and "-action" in text:
        return None  # the one-line form names its actions itself
    rest = words[1:]
    for pattern, opened in patterns:
        if _fits(pattern, rest):
            return opened
    return None


def is_global_word(text: str) -> bool:
    """Say whether the first word of a command exists in global configuration mode."""
    first, second = _first_words(text)
    return first in SUBCOMMANDS[GLOBAL] or second in GLOBAL_PHRASES.get(first, ())


def belongs(mode: str, text: str) -> bool:
    """Say whether a command given without indentation can be a sub-command of a mode.

    A first word that both the mode and global configuration know (`ip`, `crypto`) is told apart
    by its second word.
    """
    first, second = _first_words(text)
    if first not in SUBCOMMANDS.get(mode, ()):
        return False
    if mode == "interface" and first == "crypto":
        return len(text.split()) <= 3 + text.startswith("no ")  # `crypto map NAME`, no sequence
    return second not in GLOBAL_PHRASES.get(first, ())


def _first_words(text: str) -> tuple[str, str]:
    words = text.split(None, 3)
    if words and words[0] in ("no", "default") and len(words) > 1:
        words = words[1:]
    return (words[0] if words else ""), (words[1] if len(words) > 1 else "")
