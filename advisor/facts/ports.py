"""Names of protocols and ports in access lists, as IOS 12.x-15.x prints them.

Source: Cisco IOS Security Command Reference, `permit (IP)`.
"""

from types import MappingProxyType
from typing import Final

MAX_PORT: Final = 65535

_SHARED = {
    "discard": 9,
    "domain": 53,
    "echo": 7,
    "pim-auto-rp": 496,
    "sunrpc": 111,
    "tacacs": 49,
    "talk": 517,
    "time": 37,
}
TCP_PORTS: Final = MappingProxyType(
    _SHARED
    | {
        "bgp": 179,
        "chargen": 19,
        "cmd": 514,
        "connectedapps-plain": 15001,
        "connectedapps-tls": 15002,
        "daytime": 13,
        "drip": 3949,
        "exec": 512,
        "finger": 79,
        "ftp": 21,
        "ftp-data": 20,
        "gopher": 70,
        "hostname": 101,
        "ident": 113,
        "irc": 194,
        "klogin": 543,
        "kshell": 544,
        "login": 513,
        "lpd": 515,
        "msrpc": 135,
        "nntp": 119,
        "onep-plain": 15001,
        "onep-tls": 15002,
        "pop2": 109,
        "pop3": 110,
        "smtp": 25,
        "syslog": 514,
        "telnet": 23,
        "uucp": 540,
        "whois": 43,
        "www": 80,
    }
)
UDP_PORTS: Final = MappingProxyType(
    _SHARED
    | {
        "biff": 512,
        "bootpc": 68,
        "bootps": 67,
        "dnsix": 195,
        "isakmp": 500,
        "mobile-ip": 434,
        "nameserver": 42,
        "netbios-dgm": 138,
        "netbios-ns": 137,
        "netbios-ss": 139,
        "non500-isakmp": 4500,
        "ntp": 123,
        "rip": 520,
        "ripv6": 521,
        "snmp": 161,
        "snmptrap": 162,
        "syslog": 514,
        "tftp": 69,
        "who": 513,
        "xdmcp": 177,
    }
)
PORTS: Final = MappingProxyType({"tcp": TCP_PORTS, "udp": UDP_PORTS})

# Numbers of IANA; IOS prints a number as its name if it has one.
PROTOCOLS: Final = MappingProxyType(
    {
        "ip": None,
        "icmp": 1,
        "igmp": 2,
        "ipinip": 4,
        "tcp": 6,
        "igrp": 9,
        "udp": 17,
        "gre": 47,
        "esp": 50,
        "ahp": 51,
        "eigrp": 88,
        "ospf": 89,
        "nos": 94,
        "pim": 103,
        "pcp": 108,
        "sctp": 132,
    }
)
PROTOCOL_NAMES: Final = MappingProxyType(
    {number: name for name, number in PROTOCOLS.items() if number is not None}
)
