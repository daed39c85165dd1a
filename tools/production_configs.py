"""Composes configurations of branch and hub routers, as they stand in production, with faults.

    python -m tools.production_configs FOLDER [SEED]

Sixty of them: twelve kinds of WAN access, five of each, with routing, NAT, IPsec, HSRP, VRF, access
lists and SNMP that name the interfaces, and one to four faults of QoS. The same seed composes the
same text. `python -m tools.remedy_share --composed` counts the remedies over them.
"""

import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

EACH: Final = 5  # configurations of a kind
SEED: Final = 35


class Access(Struct, frozen=True):
    """A WAN access: the router, the rate, what the policy stands on, and the lines around it."""

    platform: str
    version: str
    kbps: int
    wan: str  # the interface that routing, NAT and crypto name
    lan: str
    before: str = ""  # sections before the interface, and the head of its section
    body: str = ""  # the section of the WAN interface; {policy} is its output policy
    after: str = ""  # members, circuits
    shaped: bool = False  # {policy} is a parent shaper
    faults: tuple[str, ...] = ()  # what can be wrong with this access beside the policy


_SERIAL = "bandwidth {label}\nip address {address} 255.255.255.252\n{encap}{clock}{ring}{policy}"
_RINGS = ("default ring", "deep ring")
_SLOW = (*_RINGS, "wrong bandwidth", "hold queue")


def _serial(rng: random.Random) -> Access:
    kbps = rng.choice((256, 384, 512, 768))
    encap = rng.choice(("encapsulation ppp\n", ""))
    return Access(
        *rng.choice((("1841", "12.4"), ("2811", "12.4"), ("2611XM", "12.3"), ("2911", "15.2"))),
        kbps,
        "Serial0/0/0",
        "FastEthernet0/0",
        body=_SERIAL.replace("{encap}", encap).replace("{clock}", f"clock rate {kbps}000\n"),
        faults=_SLOW,
    )


def _t1(rng: random.Random) -> Access:
    return Access(
        *rng.choice((("2811", "12.4"), ("7206VXR", "12.4"), ("2921", "15.1"))),
        1536,
        "Serial1/0:0",
        "FastEthernet0/0",
        before="controller T1 1/0\n framing esf\n linecode b8zs\n channel-group 0 timeslots 1-24\n",
        body=_SERIAL.replace("{encap}", rng.choice(("encapsulation ppp\n", ""))).replace(
            "{clock}", ""
        ),
        faults=_SLOW,
    )


def _mlppp(rng: random.Random) -> Access:
    links, kbps = rng.choice((1, 2, 3)), rng.choice((384, 512, 1536))
    members = "".join(
        f"interface Serial0/{number}/0\n {{member_label}}no ip address\n encapsulation ppp\n"
        f" clock rate {kbps}000\n no fair-queue\n ppp multilink\n ppp multilink group 1\n"
        " {ring}!\n"
        for number in range(links)
    ).replace("{member_label}", f"bandwidth {kbps}\n ")
    return Access(
        *rng.choice((("1841", "12.4"), ("3745", "12.4"), ("2921", "15.1"))),
        kbps * links,
        "Multilink1",
        "FastEthernet0/1",
        body="bandwidth {label}\nip address {address} 255.255.255.252\n{policy}ppp multilink\n"
        "{fragment}{interleave}ppp multilink group 1",
        after=members,
        faults=(*_RINGS, "no interleave", "no fragment"),
    )


def _frame_relay(rng: random.Random) -> Access:
    cir = rng.choice((128, 256, 512))
    return Access(
        *rng.choice((("2611XM", "12.3"), ("3745", "12.4"))),
        cir,
        "Serial0/0.101",
        "FastEthernet0/0",
        before=f"map-class frame-relay VOIP\n frame-relay cir {cir}000\n frame-relay bc {{bc}}\n"
        f" frame-relay be {{be}}\n frame-relay mincir {cir}000\n {{policy}}"
        " {fr_fragment}!\ninterface Serial0/0\n"
        " bandwidth 1536\n no ip address\n encapsulation frame-relay\n clock rate 1536000\n"
        " frame-relay traffic-shaping\n!\n",
        body=f"bandwidth {cir}\nip address {{address}} 255.255.255.252\n"
        "frame-relay interface-dlci 101\n class VOIP",
        faults=("long interval", "burst excess", "no fragment", "wrong fragment"),
    )


def _frame_relay_mqc(rng: random.Random) -> Access:
    cir = rng.choice((256, 512, 768))
    return Access(
        *rng.choice((("2811", "12.4"), ("2921", "15.1"))),
        cir,
        "Serial0/0/0.102",
        "GigabitEthernet0/0",
        before="map-class frame-relay VOIP\n {policy} {fr_fragment}!\ninterface Serial0/0/0\n"
        " bandwidth 1536\n no ip address\n encapsulation frame-relay\n clock rate 1536000\n!\n",
        body=f"bandwidth {cir}\nip address {{address}} 255.255.255.252\n"
        "frame-relay interface-dlci 102\n class VOIP",
        shaped=True,
        faults=("long interval", "burst excess", "no fragment", "wrong fragment"),
    )


def _atm(rng: random.Random) -> Access:
    kbps = rng.choice((512, 768, 1024, 2048))
    return Access(
        *rng.choice((("1841", "12.4"), ("2811", "12.4"), ("7206VXR", "12.4"))),
        kbps,
        "ATM0/1/0.35",
        "FastEthernet0/0",
        before="interface ATM0/1/0\n no ip address\n no atm ilmi-keepalive\n!\n",
        body=f"ip address {{address}} 255.255.255.252\npvc 8/35\n vbr-nrt {kbps} {kbps}\n"
        " encapsulation aal5snap\n {policy} {ring}",
        faults=_RINGS,
    )


def _pppoe(rng: random.Random) -> Access:
    kbps = rng.choice((2000, 5000, 10000))
    return Access(
        *rng.choice((("1841", "12.4"), ("1941", "15.2"), ("881", "15.2"))),
        kbps,
        "Dialer1",
        "FastEthernet0",
        before="interface FastEthernet4\n description PPPoE access\n no ip address\n"
        " pppoe enable group global\n pppoe-client dial-pool-number 1\n {policy}!\n",
        body="mtu 1492\nip address negotiated\nip tcp adjust-mss 1452\nencapsulation ppp\n"
        "dialer pool 1\nno cdp enable",
        shaped=True,
        faults=("long interval", "burst excess"),
    )


def _ethernet(rng: random.Random) -> Access:
    kbps = rng.choice((5000, 10000, 20000, 50000))
    router = rng.choice(
        (("2911", "15.2"), ("ISR4331/K9", "16.9"), ("ISR4451-X/K9", "16.12"), ("1941", "15.3"))
    )
    return Access(
        *router,
        kbps,
        "GigabitEthernet0/0/0" if "ISR" in router[0] else "GigabitEthernet0/0",
        "GigabitEthernet0/0/1" if "ISR" in router[0] else "GigabitEthernet0/1",
        body="description Metro Ethernet {rate}\nbandwidth {kbps}\n"
        "ip address {address} 255.255.255.252\n{policy}",
        shaped=True,
        faults=("long interval", "burst excess", "no shaper", "shaper above line"),
    )


def _vlans(rng: random.Random) -> Access:
    kbps = rng.choice((4000, 10000, 20000))
    return Access(
        *rng.choice((("ISR4431/K9", "16.9"), ("2951", "15.4"))),
        kbps,
        "GigabitEthernet0/0/0.120",
        "GigabitEthernet0/0/1",
        before="interface GigabitEthernet0/0/0\n no ip address\n!\n",
        body="description MPLS {rate}\nencapsulation dot1Q 120\n"
        "ip address {address} 255.255.255.252\n{policy}",
        shaped=True,
        faults=("long interval", "no shaper"),
    )


def _dmvpn(rng: random.Random) -> Access:
    kbps = rng.choice((5000, 10000, 20000))
    return Access(
        *rng.choice((("1941", "15.3"), ("2911", "15.2"), ("ISR4331/K9", "16.9"))),
        kbps,
        "GigabitEthernet0/0/0",
        "GigabitEthernet0/0/1",
        before="crypto isakmp policy 10\n encr aes 256\n group 14\n!\n"
        "crypto ipsec transform-set TS esp-aes 256 esp-sha256-hmac\n mode transport\n!\n"
        "crypto ipsec profile DMVPN\n set transform-set TS\n!\n"
        "interface Tunnel0\n ip address 10.255.0.29 255.255.255.0\n ip mtu 1400\n"
        " ip nhrp network-id 1\n ip nhrp nhs 10.255.0.1\n {preclassify}"
        "tunnel source GigabitEthernet0/0/0\n tunnel mode gre multipoint\n"
        " tunnel protection ipsec profile DMVPN\n!\n",
        body="description Internet {rate}\nbandwidth {kbps}\n"
        "ip address {address} 255.255.255.252\n{policy}",
        shaped=True,
        faults=("long interval", "burst excess", "no pre-classify"),
    )


def _hub(rng: random.Random) -> Access:
    kbps = rng.choice((512, 1024, 2048))
    return Access(
        "7206VXR",
        rng.choice(("12.4", "15.1")),
        kbps,
        "Serial1/0",
        "GigabitEthernet0/1",
        body=_SERIAL.replace("{encap}", "encapsulation ppp\n").replace("{clock}", ""),
        after="".join(
            f"interface Serial1/{port}\n bandwidth {kbps}\n"
            f" ip address 172.20.{port}.1 255.255.255.252\n encapsulation ppp\n {{policy}}"
            " {ring}!\n"
            for port in range(1, 4)
        ),
        faults=_RINGS,
    )


def _wred(rng: random.Random) -> Access:
    kbps = rng.choice((1984, 4000, 8000))
    return Access(
        *rng.choice((("2821", "12.4"), ("3845", "15.1"), ("7206VXR", "12.4"))),
        kbps,
        "Serial0/1/0",
        "GigabitEthernet0/0",
        body=_SERIAL.replace("{encap}", "").replace("{clock}", f"clock rate {kbps}000\n"),
        faults=(*_RINGS, "wred thresholds", "wred order", "wred precedence"),
    )


KINDS: Final[tuple[Callable[[random.Random], Access], ...]] = (
    *(_serial, _t1, _mlppp, _frame_relay, _frame_relay_mqc, _atm),
    *(_pppoe, _ethernet, _vlans, _dmvpn, _hub, _wred),
)

_OF_POLICY: Final = (
    *("large llq", "open llq", "small burst", "empty default", "mixed units", "deep queue"),
    *("misspelt policy", "misspelt class", "undefined list", "wred thresholds", "wred order"),
    *("wred precedence", "unused names", "bulk in llq", "voice elsewhere", "shallow queue"),
    *("wred in llq", "overbooked", "repeated class"),
)

# Lines that stand in the section of the WAN interface, or that name it elsewhere.
_SURROUNDINGS: Final = {
    "nat": (
        "ip nat outside\n",
        (
            "ip nat inside source list NAT interface {wan} overload\n"
            "ip access-list standard NAT\n permit 10.1.1.0 0.0.0.255\n"
        ),
    ),
    "crypto": (
        "crypto map VPN\n",
        (
            "crypto map VPN 10 ipsec-isakmp\n set peer 192.0.2.9\n set transform-set ESP\n"
            " match address SITES\ncrypto map VPN local-address Loopback0\n"
            "ip access-list extended SITES\n permit ip 10.1.1.0 0.0.0.255 10.2.0.0 0.0.255.255\n"
        ),
    ),
    "acl": (
        "ip access-group FROM-WAN in\nno ip redirects\nno ip proxy-arp\n",
        (
            "ip access-list extended FROM-WAN\n permit tcp any any established\n"
            " permit udp any any\n permit ospf any any\n permit eigrp any any\n"
        ),
    ),
    "ospf": (
        "ip ospf cost 100\nip ospf hello-interval 5\n",
        (
            "router ospf 1\n passive-interface default\n no passive-interface {wan}\n"
            " network 10.1.1.0 0.0.0.255 area 0\n network {address} 0.0.0.3 area 0\n"
        ),
    ),
    "eigrp": (
        "ip summary-address eigrp 100 10.1.0.0 255.255.0.0\n",
        "router eigrp 100\n network 10.0.0.0\n network {address} 0.0.0.3\n",
    ),
    "bgp": ("", "router bgp 65010\n neighbor 172.31.9.1 remote-as 65000\n"),
    "static": ("", "ip route 0.0.0.0 0.0.0.0 {wan}\nip route 10.9.0.0 255.255.0.0 {wan} 200\n"),
    "vrf": ("", "ip vrf GUEST\n rd 65010:9\n"),
    "hsrp": ("", ""),
    "snmp": ("", "snmp-server trap-source {wan}\nlogging source-interface {wan}\n"),
    "pim": ("ip pim sparse-mode\n", "ip multicast-routing\n"),
    "netflow": ("ip flow ingress\nip virtual-reassembly\n", "ip flow-export source {wan}\n"),
}


_HEAD: Final = (
    "!Chassis type: {}\nversion {}\nservice timestamps log datetime msec\nhostname {}\nip cef\n"
    "snmp-server community redacted RO\n"
)


def composed(kind: Callable[[random.Random], Access], rng: random.Random, number: int) -> str:
    """One configuration: an access, what stands around it, and one to four faults."""
    access = kind(rng)
    choice = sorted({*access.faults, *_OF_POLICY})
    own = rng.sample(sorted(access.faults), min(rng.choice((1, 1, 2)), len(access.faults)))
    faults = {*own, *rng.sample(choice, rng.choice((0, 1, 2)))}
    around = rng.sample(sorted(_SURROUNDINGS), rng.choice((2, 3, 4, 5)))
    if access.wan.startswith("Dialer"):
        around = [name for name in around if name not in ("ospf", "eigrp")]
    return _text(access, faults, around, rng, number)


def _text(
    access: Access, faults: set[str], around: Sequence[str], rng: random.Random, number: int
) -> str:
    wan = {"wan": access.wan, "address": "172.31.9.2"}
    values = {**wan, **_values(access, faults)}
    own = "".join(_SURROUNDINGS[name][0] for name in around)
    section = f"{access.body}\n{own}".format(**values)
    hsrp = " standby 1 ip 10.1.1.1\n standby 1 track {wan} 20\n" if "hsrp" in around else ""
    parts = [
        _HEAD.format(access.platform, access.version, _name(access, number)),
        _policies(access, faults, rng),
        access.before.format(**values),
        f"interface {access.wan}{' point-to-point' if '.' in access.wan else ''}\n"
        + "".join(f" {line}\n" for line in section.split("\n") if line),
        access.after.format(**values),
        f"interface {access.lan}\n description LAN\n ip address 10.1.1.2 255.255.255.0\n"
        + hsrp.format(**wan)
        + (" ip nat inside\n" if "nat" in around else ""),
        *("".join(_SURROUNDINGS[name][1]).format(**wan) for name in around),
        "line vty 0 4\n login local\nend\n",
    ]
    return "!\n".join(part for part in parts if part)


def _name(access: Access, number: int) -> str:
    return f"r{number:02}-{access.platform.split('/')[0].lower()}"


def _values(access: Access, faults: set[str]) -> dict[str, str | int]:
    """Values in the lines of an access: right, or wrong on purpose."""
    kbps = access.kbps
    name = "WAN-EGDE" if "misspelt policy" in faults else "WAN-EDGE"
    ring = {"deep ring": "tx-ring-limit 64\n", "default ring": ""}
    chosen = next((words for fault, words in ring.items() if fault in faults), "tx-ring-limit 2\n")
    hold = "hold-queue 1000 out\n" if "hold queue" in faults else ""
    right_fragment = kbps * 10 // 8
    fragment = right_fragment * 4 if "wrong fragment" in faults else right_fragment
    return {
        "kbps": kbps,
        "label": 1544 if "wrong bandwidth" in faults else kbps,
        "rate": f"{kbps / 1000:g} Mb/s",
        "ring": chosen,
        "policy": f"{hold}service-policy output {name}\n",
        "fragment": "" if "no fragment" in faults else "ppp multilink fragment delay 10\n",
        "interleave": ""
        if faults & {"no interleave", "no fragment"}
        else "ppp multilink interleave\n",
        "bc": kbps * 125 if "long interval" in faults else kbps * 10,
        "be": kbps * 10 if "burst excess" in faults else 0,
        "fr_fragment": "" if "no fragment" in faults else f"frame-relay fragment {fragment}\n",
        "preclassify": "" if "no pre-classify" in faults else "qos pre-classify\n ",
    }


def _policies(access: Access, faults: set[str], rng: random.Random) -> str:
    """Class-maps and policy-maps: the queues, and the shaper around them."""
    kbps, new = access.kbps, access.version.startswith(("15", "16"))
    shaped = access.shaped and "no shaper" not in faults
    queues = "QUEUES" if shaped else "WAN-EDGE"
    lists = "ip access-list extended ERP\n permit tcp any any range 3200 3299\n"
    erp = "ERP-LIST" if "undefined list" in faults else "ERP"
    voice = "VOICE" if "misspelt class" not in faults else "VIOCE"
    maps = (
        "class-map match-any VOICE\n match ip dscp ef\n"
        + (" match access-group name ERP\n" if "bulk in llq" in faults else "")
        + "class-map match-any SIGNALLING\n match ip dscp cs3\n match ip dscp af31\n"
        "class-map match-any ROUTING\n match ip dscp cs6\n"
        f"class-map match-any BUSINESS\n match ip dscp af21\n match ip dscp af22\n"
        f"class-map match-all ERP\n match access-group name {erp}\n"
    )
    if "voice elsewhere" in faults:
        maps += "class-map match-any VIDEO\n match ip dscp ef\n match ip dscp af41\n"
    if "repeated class" in faults:
        maps += "class-map match-any GOLD\n match ip dscp af21\n"
    if "unused names" in faults:
        maps += "class-map match-any OLD-DATA\n match ip dscp af11\npolicy-map OLD-POLICY\n"
        maps += " class OLD-DATA\n  bandwidth percent 10\n"
    return (
        lists
        + maps
        + _queues(queues, voice, (access, faults, new), rng)
        + (_parent(kbps, queues, faults, new) if shaped else "")
    )


def _queues(queues: str, voice: str, of: tuple[Access, set[str], bool], rng: random.Random) -> str:
    access, faults, new = of
    percent = 45 if "large llq" in faults else rng.choice((20, 25, 30))
    kbps = max(access.kbps * percent // 100, 24)
    burst = " 100" if "small burst" in faults else ""
    unit = rng.choice(("kbps", "percent"))
    priority = f"{kbps}{burst}" if unit == "kbps" else f"percent {percent}{burst}"
    share = 45 if "overbooked" in faults else 15
    default = access.kbps * share // 100 if unit == "kbps" else f"percent {share}"
    other = f"percent {share}" if "mixed units" in faults and unit == "kbps" else default
    lines = [
        f"policy-map {queues}",
        f" class {voice}",
        "  priority" if "open llq" in faults else f"  priority {priority}",
        *(["  random-detect"] if "wred in llq" in faults else []),
        " class SIGNALLING",
        f"  bandwidth {access.kbps * 5 // 100 if unit == 'kbps' else 'percent 5'}",
        " class BUSINESS",
        f"  bandwidth {default}",
        *_wred_rows(faults),
        *(["  queue-limit 512"] if "deep queue" in faults else []),
        *([" class GOLD", f"  bandwidth {default}"] if "repeated class" in faults else []),
        " class ERP",
        f"  bandwidth {other}",
        *(["  queue-limit 4"] if "shallow queue" in faults else []),
        *([" class VIDEO", f"  bandwidth {default}"] if "voice elsewhere" in faults else []),
        " class class-default",
        *([] if "empty default" in faults else ["  fair-queue"]),
    ]
    del new
    return "".join(f"{line}\n" for line in lines)


def _wred_rows(faults: set[str]) -> list[str]:
    if "wred thresholds" in faults:
        return [
            "  random-detect dscp-based",
            "  random-detect dscp af21 400 500 10",
            "  random-detect dscp af22 350 500 10",
        ]
    if "wred order" in faults:
        return [
            "  random-detect dscp-based",
            "  random-detect dscp af21 10 40 10",
            "  random-detect dscp af22 20 40 10",
        ]
    return ["  random-detect"] if "wred precedence" in faults else []


def _parent(kbps: int, queues: str, faults: set[str], new: bool) -> str:
    bps = kbps * (120 if "shaper above line" in faults else 95) // 100 * 1000
    bc = f" {bps // 8}" if "long interval" in faults else f" {bps // 100}"
    be = f" {bps // 50}" if "burst excess" in faults else " 0"
    del new
    return (
        f"policy-map WAN-EDGE\n class class-default\n  shape average {bps}{bc}{be}\n"
        f"  service-policy {queues}\n"
    )


def all_composed(seed: int = SEED, each: int = EACH) -> dict[str, str]:
    """The configurations by the name of their file."""
    found = {}
    for number in range(len(KINDS) * each):
        kind = KINDS[number % len(KINDS)]
        rng = random.Random(f"{seed} {number}")  # noqa: S311 -- composed text, no secret
        label = kind.__name__.strip("_").replace("_", "-")
        found[f"{number:02}-{label}.ios"] = composed(kind, rng, number)
    return found


def main(arguments: list[str]) -> None:
    """Write them into a folder."""
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in all_composed(int(arguments[1]) if arguments[1:] else SEED).items():
        (folder / name).write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
