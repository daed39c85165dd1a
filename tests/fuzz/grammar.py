"""Configurations made of the grammar that the product reads, with values from sane to absurd."""

from random import Random
from typing import Final

from tests.fuzz import absurd

_SANE_SHARE: Final = 0.93
_MARKINGS: Final = ("dscp ef", "ip dscp af11 af12", "ip precedence 5", "dscp cs3", "any", "cos 5")
_ACTIONS: Final = (
    *("priority {kbps}", "priority {kbps} {bytes}", "priority percent {percent}", "priority"),
    *("priority level {small}", "bandwidth {kbps}", "bandwidth percent {percent}"),
    *("bandwidth remaining percent {percent}", "bandwidth remaining ratio {small}", "fair-queue"),
    *("fair-queue {small}", "queue-limit {packets}", "queue-limit {packets} bytes"),
    *("queue-limit {small} ms", "random-detect", "random-detect dscp-based"),
    *("random-detect exponential-weighting-constant {small}", "random-detect ecn"),
    *("random-detect dscp {small} {packets} {packets} {small}", "random-detect precedence-based"),
    *("random-detect precedence {digit} {packets} {packets}", "shape average {bps}"),
    *("random-detect dscp af11 {packets} {packets} {small}", "shape average percent {percent}"),
    *("shape average {bps} {bps} {bps}", "shape peak {bps}", "shape adaptive {bps}"),
    *("police {bps} {bytes} {bytes} conform-action transmit exceed-action drop", "police {bps}"),
    *("police cir {bps} bc {bytes} pir {bps} be {bytes}", "police cir percent {percent}"),
    *(
        "police rate {bps} pps",
        "set dscp ef",
        "set precedence {digit}",
        "compression header ip rtp",
    ),
    *("service-policy {policy}", "drop", "netflow-sampler x", "max-reserved-bandwidth {percent}"),
)
_OF_INTERFACES: Final = (
    *("bandwidth {kbps}", "clock rate {bps}", "tx-ring-limit {packets}", "mtu {bytes}"),
    *("ip mtu {bytes}", "encapsulation ppp", "encapsulation frame-relay", "encapsulation hdlc"),
    *("encapsulation dot1Q {small}", "ip address 10.0.{digit}.{small} 255.255.255.252"),
    *("service-policy output {policy}", "service-policy input {policy}", "fair-queue"),
    *("fair-queue {packets} {packets} {small}", "random-detect", "hold-queue {packets} out"),
    *("max-reserved-bandwidth {percent}", "load-interval {small}", "ppp multilink"),
    *("ppp multilink interleave", "ppp multilink fragment delay {small}", "multilink-group 1"),
    *(
        "ppp multilink group 1",
        "ppp multilink fragment-delay {small}",
        "frame-relay traffic-shaping",
    ),
    *("frame-relay interface-dlci {small}\n  class FR", "frame-relay fragment {bytes} end-to-end"),
    *("frame-relay class FR", "pvc {digit}/{small}", "no fair-queue", "priority-group {digit}"),
    *("pvc {digit}/{small}\n  vbr-nrt {kbps} {kbps} {small}\n  tx-ring-limit {packets}"),
    *("  encapsulation aal5snap\n  service-policy output {policy}", "custom-queue-list {digit}"),
    *(
        "traffic-shape rate {bps} {bits} {bits} {packets}",
        "rate-limit output {bps} {bytes} {bytes}",
    ),
    *("ip tcp header-compression", "ip rtp priority 16384 16383 {kbps}", "tunnel source 10.0.0.1"),
    *("delay {packets}", "speed {small}", "duplex half", "shutdown", "ip access-group {small} out"),
    *("tx-queue-limit {packets}", "transmit-interface Serial0/0", "atm pvp {digit} {kbps}"),
)
_INTERFACES: Final = (
    *("Serial0/0", "Serial0/1", "Serial1/0:0", "ATM1/0", "ATM1/0.1 point-to-point", "Multilink1"),
    *(
        "FastEthernet0/0",
        "GigabitEthernet0/0.10",
        "Tunnel0",
        "Dialer1",
        "Loopback0",
        "Vlan1",
        "Async1",
    ),
    *(
        "Virtual-Template1",
        "Serial0/0.16 point-to-point",
        "TokenRing0",
        "Serial",
        "Hssi2/0",
        "POS3/0",
    ),
)
_GLOBALS: Final = (
    *("ip cef", "no ip cef", "dlsw local-peer peer-id 10.0.0.1 lf {bytes}", "dlsw timer x {small}"),
    *("dlsw remote-peer 0 tcp 10.0.0.{small} lf {bytes} keepalive {small} priority"),
    *(
        "dlsw remote-peer 0 tcp 10.0.0.2 backup-peer 10.0.0.3 linger {packets}",
        "access-list {small}",
    ),
    *("dlsw local-peer peer-id 10.0.0.9 promiscuous", "dlsw bridge-group {small}", "boot system x"),
    *(
        "dlsw remote-peer {digit} frame-relay interface Serial0/0 {small}",
        "map-class frame-relay FR",
    ),
    *("dlsw transparent switch-support", "source-bridge ring-group {small}", "dlsw udp-disable"),
    *("access-list {small} permit udp any any range {packets} {packets}", "controller E1 0/0"),
    *(
        "access-list 101 permit ip any any dscp ef",
        "ip access-list extended {name}\n permit ip any any",
    ),
    *("ip access-list extended V\n permit udp any range 16384 32767 any\n {small} deny ip any any"),
    *("ip sla {small}\n udp-jitter 10.0.0.1 {packets} num-packets {packets} interval {small}"),
    *(
        "ip sla schedule {small} life forever start-time now",
        "rtr {small}\n type jitter dest-ipaddr",
    ),
    *("ip sla monitor {small}\n type echo protocol ipIcmpEcho 10.0.0.1\n frequency {packets}"),
    *(
        "ip sla {small}\n icmp-echo 10.0.0.1\n request-data-size {bytes}\n tos {small}",
        "priority-list",
    ),
    *(
        "map-class frame-relay FR\n frame-relay cir {bps}\n frame-relay bc {bits}\n frame-relay mincir"
    ),
    *(
        " {bps}",
        "control-plane\n service-policy input {policy}",
        "queue-list 1 protocol ip {digit}",
    ),
    *("controller T1 0/1\n channel-group {small} timeslots 1-{small}", "boot-start-marker", "end"),
    *(
        "class-map type inspect match-any X\n match protocol tcp",
        "policy-map type inspect P\n class X",
    ),
)
_VALUES: Final = {
    "kbps": (8, 64, 128, 256, 512, 768, 1000, 1544, 2048, 10000, 100000),
    "bps": (8000, 64000, 128000, 512000, 1544000, 2048000, 10000000, 1000000000),
    "percent": (1, 5, 10, 25, 30, 50, 70, 75, 90, 100),
    "bytes": (46, 64, 80, 256, 512, 576, 1470, 1500, 4096, 4470, 8000, 17800),
    "bits": (640, 1280, 5120, 8000, 64000),
    "packets": (1, 2, 3, 5, 10, 16, 20, 26, 40, 64, 128, 512, 1000, 4096, 16384, 32767),
    "small": (1, 2, 3, 5, 8, 9, 10, 16, 18, 20, 30, 46, 60, 100, 101, 102, 199),
    "digit": (0, 1, 2, 3, 4, 5, 6, 7),
}
_VERSIONS: Final = ("11.2", "12.0", "12.2", "12.4", "15.1", "15.7", "16.9", "17.3", "9", "")
_PLATFORMS: Final = ("2811", "7206VXR", "3640", "ISR4331/K9", "2651XM", "RSP4", "CISCO2901/K9", "x")


class Writer:
    """Writes one configuration."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.policies = [self._name("WAN") for _ in range(random.randrange(1, 4))]
        self.classes = [self._name("C") for _ in range(random.randrange(1, 5))]

    def config(self) -> str:
        """The text of a configuration."""
        parts = [f"!Chassis type: {self._one(_PLATFORMS)}", f"version {self._one(_VERSIONS)}"]
        parts += [f"hostname {self._name('r')}"]
        sections = [self._class_map(name) for name in self.classes]
        sections += [self._policy_map(name) for name in self.policies]
        for _ in range(self.random.randrange(1, 6)):
            sections.append(self._section(f"interface {self._one(_INTERFACES)}", _OF_INTERFACES))
        sections += [self._filled(self._one(_GLOBALS)) for _ in range(self.random.randrange(5))]
        if self.random.random() < 0.2:
            self.random.shuffle(sections)
        return "\n".join([*parts, *sections, "end", ""])

    def _one(self, words: tuple[str, ...] | list[str]) -> str:
        return self.random.choice(words)

    def _name(self, stem: str) -> str:
        if self.random.random() > _SANE_SHARE:
            return absurd.name(self.random)
        return f"{stem}{self.random.randrange(4)}"

    def _filled(self, line: str) -> str:
        while (start := line.find("{")) >= 0 and (end := line.find("}", start)) >= 0:
            line = (
                line[:start]
                + self._value(line[start + 1 : end]).replace("{", "(")
                + line[end + 1 :]
            )
        return line

    def _value(self, kind: str) -> str:
        if kind in ("policy", "name"):
            return self._one(self.policies)
        if self.random.random() > _SANE_SHARE:
            return absurd.number(self.random)
        return str(self.random.choice(_VALUES[kind]))

    def _section(self, head: str, words: tuple[str, ...], most: int = 8) -> str:
        lines = [self._filled(self._one(words)) for _ in range(self.random.randrange(most))]
        return "\n".join([head, *(f" {line}" for line in lines)])

    def _class_map(self, name: str) -> str:
        kind = self._one(("match-any", "match-all", ""))
        words = (*(f"match {marking}" for marking in _MARKINGS), "match access-group {small}")
        words += ("match class-map C1", "match not dscp ef", "match packet length max {bytes}")
        return self._section(f"class-map {kind} {name}", words, 4)

    def _policy_map(self, name: str) -> str:
        lines = [f"policy-map {name}"]
        for class_name in (*self.classes, "class-default"):
            if self.random.random() < 0.8:
                lines.append(f" class {class_name}")
                actions = self.random.randrange(1, 5)
                lines += [f"  {self._filled(self._one(_ACTIONS))}" for _ in range(actions)]
        return "\n".join(lines)


def config(random: Random) -> str:
    """A configuration."""
    return Writer(random).config()
