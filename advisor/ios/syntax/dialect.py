"""The systems whose configurations are told from one another."""

from enum import StrEnum
from typing import Final


class Dialect(StrEnum):
    """The system that a text configures, by the name that a user knows."""

    IOS = "Cisco IOS / IOS XE"
    NXOS = "Cisco NX-OS"
    ASA = "Cisco ASA"
    IOS_XR = "Cisco IOS XR"
    CATOS = "Cisco CatOS"
    AIREOS = "Cisco AireOS"
    SMALL_BUSINESS = "Cisco Small Business switch"
    EOS = "Arista EOS"
    JUNOS = "Juniper JunOS"
    AOS_CX = "Aruba AOS-CX"
    ARUBA_OS = "ArubaOS"
    PROCURVE = "HP ProCurve / ArubaOS-Switch"
    COMWARE = "HPE Comware / Huawei VRP"
    FASTPATH = "EFOS / FASTPATH"
    FASTIRON = "Ruckus FastIron / NetIron"
    DELL = "Dell OS9 / OS10"
    EXOS = "Extreme EXOS"
    ADTRAN = "Adtran AOS"
    ZYXEL = "Zyxel ZLD"
    TELDAT = "Teldat CIT"
    ALLIEDWARE = "AlliedWare Plus"
    SROS = "Nokia SR OS"
    V_SOL = "V-SOL OLT"
    A10 = "A10 ACOS"
    F5 = "F5 BIG-IP"
    FORTIOS = "FortiOS"
    PANOS = "Palo Alto PAN-OS"
    GAIA = "Check Point Gaia"
    TNSR = "Netgate TNSR"
    VYOS = "VyOS"
    ROUTEROS = "MikroTik RouterOS"
    FRR = "FRRouting"
    DEBIAN = "Linux /etc/network/interfaces"
    OTHER = "configuration of another system"
    NOT_A_CONFIG = "no configuration"
    EMPTY = "empty"


# How strong a sign is.
DECISIVE: Final = 10  # no other system prints this line
STRONG: Final = 5  # enough alone if there is no sign of IOS
SUGGESTIVE: Final = 4
WEAK: Final = 2
