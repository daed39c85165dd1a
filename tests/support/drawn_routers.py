"""Made-up routers over platforms, encapsulations and faults, for the laws of remedies."""

from hypothesis import strategies as st

CLASSIC = (
    "!Chassis type: 2611XM - a 2600 router\nversion 12.3\n",
    "!Chassis type: 7206VXR - a 7206VXR router\n!CPU: NPE300, R7000 CPU at 262MHz\nversion 12.3\n",
    "!Chassis type: 1841 - a 1841 router\nversion 12.4\n",
    "version 12.4\n",
)
IMAGE_WITH_HQF = "!Image: Software: C2800NM-ADVIPSERVICESK9-M, 12.4(24)T8, RELEASE SOFTWARE (fc1)"
HQF = (
    f"!Chassis type: 2811 - a 2811 router\n{IMAGE_WITH_HQF}\nversion 12.4\n",
    "version 15.1\nlicense udi pid CISCO2911/K9 sn FCZ0000A0AA\n",
)
XE = (
    "version 16.9\nlicense udi pid ISR4331/K9 sn FDO0000A0AA\n",
    "version 15.5\nlicense udi pid ASR1001-X sn JAE0000A0AA\n",
)
RINGS = ("", "tx-ring-limit 1", "tx-ring-limit 3", "tx-ring-limit 40")
MASK = "<removed>"  # what redaction leaves of a secret


@st.composite
def wred_rows(draw: st.DrawFn) -> str:
    """Lines of a class with WRED: rows in any order, thresholds that may be wrong."""
    rows = []
    for drop in draw(st.lists(st.sampled_from((1, 2, 3)), unique=True, max_size=3)):
        low, more = draw(st.integers(1, 90)), draw(st.integers(-5, 90))
        high = max(1, low + more)
        denominator = draw(st.sampled_from((2, 5, 10)))
        rows.append(f"  random-detect dscp af2{drop} {low} {high} {denominator}\n")
    weight = draw(st.sampled_from((None, 1, 9)))
    if weight is not None:
        rows.insert(0, f"  random-detect exponential-weighting-constant {weight}\n")
    return "  random-detect dscp-based\n" + "".join(rows)


CLASS_MAPS = (
    "class-map match-any VOICE\n match ip dscp ef\n"
    "class-map match-any DATA\n match ip dscp af21 af22 af23\n"
)


@st.composite
def policy(draw: st.DrawFn, name: str, *, is_xe: bool) -> str:
    """A policy with an LLQ, a class with WRED or a queue-limit, and class-default."""
    if is_xe:
        voice = draw(st.sampled_from(("  priority percent 15\n", "  priority\n  police 200000\n")))
        share = draw(st.sampled_from((10, 40, 80)))
        data = draw(
            st.sampled_from(
                (f"  bandwidth remaining percent {share}\n", "  bandwidth remaining ratio 5\n")
            )
        )
    else:
        voice = draw(
            st.sampled_from(("  priority percent 15\n", "  priority 48\n", "  priority\n"))
        )
        data = f"  bandwidth percent {draw(st.sampled_from((10, 40, 74, 80)))}\n"
    queue = draw(st.one_of(wred_rows(), st.sampled_from(("", "  queue-limit 512\n"))))
    default = draw(st.sampled_from(("", "  fair-queue\n", "  bandwidth percent 5\n")))
    if is_xe:
        default = draw(st.sampled_from(("", "  fair-queue\n")))
    return (
        f"policy-map {name}\n class VOICE\n{voice} class DATA\n{data}{queue}"
        f" class class-default\n{default}"
    )


def body(lines: list[str]) -> str:
    """Lines of an interface, without those that are empty."""
    return "".join(f" {line}\n" for line in lines if line)


@st.composite
def serial_outputs(draw: st.DrawFn, *, is_masked: bool = False) -> str:
    """PPP or HDLC serial interfaces that share a policy, some with a label that is wrong."""
    kbps = draw(st.sampled_from((64, 128, 512, 2000, 45_000)))
    label = draw(st.sampled_from((kbps, kbps, 1544)))
    framing = draw(st.sampled_from(("encapsulation ppp", "")))
    secret = f"ppp chap password {MASK}" if is_masked and framing else ""
    return "".join(
        f"interface Serial0/{port}\n"
        + body(
            [
                f"bandwidth {label}",
                f"ip address 192.0.2.{4 * port + 1} 255.255.255.252",
                framing,
                secret,
                f"clock rate {kbps}000",
                draw(st.sampled_from(RINGS)),
                "service-policy output EDGE",
            ]
        )
        for port in range(draw(st.integers(1, 3)))
    )


@st.composite
def bundle_outputs(draw: st.DrawFn) -> str:
    """A Multilink PPP bundle of one or two serial members."""
    kbps = draw(st.sampled_from((64, 256, 512)))
    members = draw(st.integers(1, 2))
    delay = draw(st.sampled_from(("", "ppp multilink fragment delay 10")))
    interleave = draw(st.sampled_from(("", "ppp multilink interleave")))
    bundle = body(
        [
            "ip address 192.0.2.1 255.255.255.252",
            "ppp multilink",
            "ppp multilink group 1",
            delay,
            interleave,
            "service-policy output EDGE",
        ]
    )
    return f"interface Multilink1\n{bundle}" + "".join(
        f"interface Serial0/{port}\n"
        + body(
            [
                f"bandwidth {kbps}",
                "no ip address",
                "encapsulation ppp",
                f"clock rate {kbps}000",
                draw(st.sampled_from(RINGS)),
                "ppp multilink",
                "ppp multilink group 1",
            ]
        )
        for port in range(members)
    )


@st.composite
def frame_relay_outputs(draw: st.DrawFn) -> str:
    """Frame Relay traffic shaping: a map-class with or without fragments, one or two PVCs."""
    cir = draw(st.sampled_from((64_000, 128_000, 256_000)))
    fragment = draw(
        st.sampled_from(("", f"frame-relay fragment {cir // 800}", "frame-relay fragment 1500"))
    )
    interval = draw(st.sampled_from((100, 8)))
    map_class = body(
        [
            f"frame-relay cir {cir}",
            f"frame-relay bc {cir // interval}",
            "frame-relay be 0",
            f"frame-relay mincir {cir}",
            fragment,
            "service-policy output EDGE",
        ]
    )
    pvcs = "".join(
        f"interface Serial0/0.{dlci} point-to-point\n"
        f" ip address 192.0.2.{dlci * 4 % 250 + 1} 255.255.255.252\n"
        f" frame-relay interface-dlci {dlci}\n  class WAN\n"
        for dlci in range(100, 100 + draw(st.integers(1, 2)))
    )
    port = body(
        [
            "no ip address",
            "encapsulation frame-relay",
            "clock rate 512000",
            "frame-relay traffic-shaping",
            draw(st.sampled_from(RINGS)),
        ]
    )
    return f"map-class frame-relay WAN\n{map_class}interface Serial0/0\n{port}{pvcs}"


@st.composite
def atm_outputs(draw: st.DrawFn) -> str:
    """ATM PVCs of one rate with the shared policy and a ring of any depth."""
    kbps = draw(st.sampled_from((256, 640, 2000)))
    return "interface ATM0/0\n no ip address\n" + "".join(
        f"interface ATM0/0.{vci} point-to-point\n ip address 192.0.2.{4 * vci - 127} 255.255.255.252\n"
        f" pvc 0/{vci}\n"
        + "".join(
            f"  {line}\n"
            for line in (
                f"vbr-nrt {kbps} {kbps}",
                "encapsulation aal5snap",
                draw(st.sampled_from(RINGS)),
                "service-policy output EDGE",
            )
            if line
        )
        for vci in range(32, 32 + draw(st.integers(1, 2)))
    )


@st.composite
def ethernet_outputs(draw: st.DrawFn) -> str:
    """Gigabit Ethernet: the policy under a shaper of its own, or straight on the port."""
    rate = draw(st.sampled_from((2_000_000, 10_000_000, 50_000_000)))
    shape = draw(
        st.sampled_from((f"shape average {rate}", f"shape average {rate} {rate // 8} {rate // 8}"))
    )
    parent = f"policy-map OUT\n class class-default\n  {shape}\n  service-policy EDGE\n"
    attached = draw(st.sampled_from(("OUT", "OUT", "EDGE")))
    port = body(
        [
            draw(st.sampled_from(("", f"bandwidth {rate // 1000}"))),
            "ip address 192.0.2.1 255.255.255.252",
            f"service-policy output {attached}",
        ]
    )
    return f"{parent}interface GigabitEthernet0/0/0\n{port}"


@st.composite
def routers(draw: st.DrawFn, *, is_masked: bool = False) -> str:
    """The running-config of one router that IOS may have taken, with faults that rules look for."""
    is_xe = draw(st.integers(0, 3)) == 0
    platform = draw(st.sampled_from(XE if is_xe else CLASSIC + HQF))
    outputs = (
        ethernet_outputs()
        if is_xe
        else st.one_of(
            serial_outputs(is_masked=is_masked),
            bundle_outputs(),
            frame_relay_outputs(),
            atm_outputs(),
            ethernet_outputs(),
        )
    )
    edge = draw(policy("EDGE", is_xe=is_xe))
    return f"{platform}hostname R1\n{CLASS_MAPS}{edge}{draw(outputs)}end\n"
