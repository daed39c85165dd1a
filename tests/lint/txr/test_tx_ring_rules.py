"""Rings behind an LLQ: what is found, and what must stay silent."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.findings import Confidence
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

TX_RING_BELOW_PLATFORM_MINIMUM = CHECKS["tx-ring-below-platform-minimum"]
TX_RING_RESIDUAL_OVER_BUDGET = CHECKS["tx-ring-residual-over-budget"]
TX_RING_SMALLER_THAN_PACKET = CHECKS["tx-ring-smaller-than-packet"]
TX_RING_TOO_DEEP_FOR_LLQ = CHECKS["tx-ring-too-deep-for-llq"]
TX_RING_WITHOUT_QUEUEING = CHECKS["tx-ring-without-queueing"]

LLQ = """\
class-map match-all VOICE
 match ip dscp ef
policy-map EDGE
 class VOICE
  priority 64
 class class-default
  fair-queue
"""
ISR = "!RANCID-CONTENT-TYPE: cisco\n!Chassis type: 2811\n"
C7200 = "!RANCID-CONTENT-TYPE: cisco\n!Chassis type: 7206VXR\n"
BUDGET_MS, FRAGMENT_MS = 25.0, 10.0
SILENT, SKIPPED = None, "skipped"


def serial(settings: str, name: str = "Serial0/0") -> str:
    return f"interface {name}\n encapsulation ppp\n{settings} service-policy output EDGE\n"


SITES = (
    "policy-map SITES\n class SITE1\n  shape average {one}\n  service-policy EDGE\n"
    " class class-default\n  shape average {rest}\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(LLQ + serial(" clock rate 512000\n tx-ring-limit 10\n"), 1, id="10 at 512 k"),
        pytest.param(ISR + LLQ + serial(" clock rate 1536000\n"), SILENT, id="a T1's default of 2"),
        pytest.param(LLQ + serial(" clock rate 64000\n"), 1, id="unset at 64 k: 2 by default"),
        pytest.param(
            LLQ + serial(" clock rate 128000\n tx-ring-limit 1\n"), SILENT, id="1 at 128 k"
        ),
        pytest.param(LLQ + serial(""), SKIPPED, id="no rate is known"),
        pytest.param(
            LLQ + serial(" clock rate 64000\n tx-ring-limit <removed>\n"), SKIPPED, id="masked ring"
        ),
        pytest.param(
            LLQ + serial(" clock rate 64000\n tx-limit {{ ring }}\n"),
            SKIPPED,
            id="ring of a template",
        ),
        pytest.param(
            LLQ + serial(" clock rate 512000\n tx-ring-limit 10\n tx-ring-limit abc\n"),
            1,
            id="a ring that was read stands before a line that IOS refuses",
        ),
        pytest.param(
            LLQ + serial(" shutdown\n clock rate 512000\n tx-ring-limit 10\n"),
            SILENT,
            id="an interface that is shut down",
        ),
        pytest.param(
            LLQ
            + "policy-map PARENT\n class class-default\n  service-policy EDGE\n"
            + "interface Serial0/0\n encapsulation ppp\n clock rate 512000\n tx-ring-limit 10\n"
            + " service-policy output PARENT\n",
            1,
            id="an LLQ nested without a shaper",
        ),
        pytest.param(
            LLQ
            + SITES.format(one=1000000, rest=2000000)
            + "interface Serial0/0\n encapsulation ppp\n clock rate 2000000\n tx-ring-limit 20\n"
            + " service-policy output SITES\n",
            3,
            id="shapers of classes that sum to more than the wire",
        ),
        pytest.param(
            LLQ
            + SITES.format(one=500000, rest=500000)
            + "interface Serial0/0\n encapsulation ppp\n clock rate 2000000\n tx-ring-limit 20\n"
            + " service-policy output SITES\n",
            SILENT,
            id="shapers of classes that sum to less",
        ),
        pytest.param(
            LLQ
            + "policy-map SHAPE\n class class-default\n  shape average 9000000\n"
            + "  service-policy EDGE\n"
            + "interface FastEthernet0/0\n speed 10\n tx-ring-limit 128\n"
            + "".join(
                f"interface FastEthernet0/0.{n}\n encapsulation dot1Q {n}\n"
                " service-policy output SHAPE\n"
                for n in (1, 2, 3)
            ),
            19,
            id="three shapers of 9 Mb/s on one port of 10",
        ),
        pytest.param(
            LLQ
            + "interface Multilink1\n ppp multilink\n ppp multilink group 1\n"
            + " service-policy output EDGE\n"
            + "interface Serial0/0\n clock rate 512000\n encapsulation ppp\n ppp multilink\n"
            + " ppp multilink group 1\n",
            SILENT,
            id="the unset ring of a bundle's member is LFI007's",
        ),
    ],
)
def test_ring_too_deep_for_llq(text: str, expected: int | str | None) -> None:
    check = TX_RING_TOO_DEEP_FOR_LLQ
    said = list(check.find(device_of(text), check.params(BUDGET_MS)))
    words = {each.evidence.advised if isinstance(each, Hit) else SKIPPED for each in said}
    assert words == (set() if expected is SILENT else {expected})


def test_a_default_that_the_advised_limit_could_lengthen_is_not_judged() -> None:
    check = TX_RING_TOO_DEEP_FOR_LLQ
    text = LLQ + "interface FastEthernet0/0\n service-policy output EDGE\n"
    skip = skip_of(check.find(device_of(text), check.params(BUDGET_MS)))
    assert skip.reason == (
        "the default ring is not known, 64-256 packets: up to 202 meet the budget; "
        "`show controllers` shows the ring"
    )


def test_an_isr_holds_a_packet_beside_the_wire_at_any_rate() -> None:
    check = TX_RING_RESIDUAL_OVER_BUDGET
    text = ISR + LLQ + serial(" clock rate 2048000\n mtu 4470\n tx-ring-limit 1\n")
    hit = hit_of(check.find(device_of(text), check.params(BUDGET_MS, FRAGMENT_MS)))
    assert hit.evidence.bound_ms == "35"


BUNDLE = (
    "interface Multilink1\n ppp multilink\n ppp multilink group 1\n"
    " ppp multilink fragment delay 20\n ppp multilink interleave\n service-policy output EDGE\n"
    "interface Serial0/0\n clock rate 384000\n bandwidth 384\n encapsulation ppp\n tx-ring-limit 1\n"
    " ppp multilink\n ppp multilink group 1\n"
)
PVC = (
    "interface Serial0/1\n clock rate 256000\n encapsulation frame-relay\n"
    " frame-relay traffic-shaping\n frame-relay interface-dlci 99\n  class C\n"
    "map-class frame-relay C\n frame-relay cir 256000\n frame-relay mincir 256000\n"
    " frame-relay fragment 400\n service-policy output EDGE\n"
)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        pytest.param(BUNDLE, "fragments of 960 bytes are too large: `ppp multilink fragment delay "
                     "10` on interface Multilink1", id="a bundle that cuts 20 ms"),
        pytest.param(PVC, "fragments of 400 bytes are too large: FRF.12 on both ends: `frame-relay "
                     "fragment 312` in map-class frame-relay C", id="a map-class"),
    ],
)  # fmt: skip
def test_fragments_that_are_too_large_are_told_the_size_to_set(text: str, advice: str) -> None:
    check = TX_RING_RESIDUAL_OVER_BUDGET
    hit = hit_of(check.find(device_of(LLQ + text), check.params(BUDGET_MS, FRAGMENT_MS)))
    assert (hit.advice or "").startswith(advice)


def test_a_bundle_that_cuts_and_does_not_interleave_is_sent_to_its_rule() -> None:
    check = TX_RING_RESIDUAL_OVER_BUDGET
    text = LLQ + BUNDLE.replace(" ppp multilink interleave\n", "")
    hit = hit_of(check.find(device_of(text), check.params(BUDGET_MS, FRAGMENT_MS)))

    assert (hit.advice or "").startswith("interleave on interface Multilink1 as LFI005 says")


@pytest.mark.parametrize(
    ("ring", "is_told"),
    [
        pytest.param(4, True, id="another ring is in force"),
        pytest.param(1, False, id="the ring in force"),
    ],
)
def test_a_figure_of_another_ring_has_a_name_of_its_own(ring: int, *, is_told: bool) -> None:
    check = TX_RING_RESIDUAL_OVER_BUDGET
    text = LLQ + serial(f" clock rate 256000\n tx-ring-limit {ring}\n")
    hit = hit_of(check.find(device_of(text), check.params(BUDGET_MS, FRAGMENT_MS)))

    assert hit.forecast is not None
    assert hit.forecast.metric.endswith(", with tx-ring-limit 1") is is_told


def sessions_of_ppp(delay_ms: int) -> str:
    return (
        f"{LLQ}interface Virtual-Template1\n ppp multilink\n"
        f" ppp multilink fragment delay {delay_ms}\n ppp multilink interleave\n"
        " service-policy output EDGE\ninterface ATM0/2/0.1 point-to-point\n pvc 8/48\n"
        "  cbr 384\n  encapsulation aal5mux ppp Virtual-Template1\n"
    )


def test_the_delay_to_set_counts_the_cells_and_the_whole_of_the_best_ring() -> None:
    check, params = (
        TX_RING_RESIDUAL_OVER_BUDGET,
        TX_RING_RESIDUAL_OVER_BUDGET.params(BUDGET_MS, FRAGMENT_MS),
    )
    hit = hit_of(check.find(device_of(sessions_of_ppp(10)), params))

    assert "`ppp multilink fragment delay 4` " in (hit.advice or "")
    assert "(fragments of 192 bytes)" in (hit.advice or "")
    assert hits_of(check.find(device_of(sessions_of_ppp(4)), params)) == []


def test_a_link_without_fragments_is_left_to_the_rule_that_begins_lfi() -> None:
    check = TX_RING_RESIDUAL_OVER_BUDGET
    text = LLQ + serial(" clock rate 256000\n tx-ring-limit 1\n")
    hit = hit_of(check.find(device_of(text), check.params(BUDGET_MS, FRAGMENT_MS)))
    assert hit.advice is None


@pytest.mark.parametrize(
    ("rate_kbps", "advised"),
    [
        pytest.param(1536, True, id="1500 bytes in cells: 8.83 ms"),
        pytest.param(1300, False, id="10.4 ms: LFI001 begins"),
    ],
)
def test_where_no_fragments_are_advised_only_a_higher_rate_helps(
    rate_kbps: int, *, advised: bool
) -> None:
    check = TX_RING_RESIDUAL_OVER_BUDGET
    text = (
        f"{LLQ}interface ATM1/0.1 point-to-point\n mtu 1500\n pvc 0/100\n"
        f"  vbr-nrt {rate_kbps} {rate_kbps}\n  tx-ring-limit 6\n  service-policy output EDGE\n"
    )
    hit = hit_of(check.find(device_of(text), check.params(BUDGET_MS, FRAGMENT_MS)))

    assert ("no fragments are advised" in (hit.advice or "")) is advised


def test_the_default_of_a_fast_circuit_of_a_7200_is_an_interval() -> None:
    check = TX_RING_TOO_DEEP_FOR_LLQ
    text = (
        C7200 + LLQ + "interface ATM1/0.1 point-to-point\n mtu 1500\n pvc 0/100\n"
        "  vbr-nrt 2000 2000\n  service-policy output EDGE\n"
    )
    hit = hit_of(check.find(device_of(text), check.params(BUDGET_MS)))
    assert hit.evidence.ring == "40-79"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("interface FastEthernet0/1\n tx-ring-limit 4\n", True, id="FIFO before it"),
        pytest.param(
            "interface Serial0/0\n bandwidth 512\n tx-ring-limit 4\n",
            False,
            id="WFQ by default on a slow serial",
        ),
        pytest.param(
            "interface Serial0/0\n bandwidth 512\n no fair-queue\n tx-ring-limit 4\n",
            True,
            id="WFQ taken off",
        ),
        pytest.param(
            LLQ + "interface FastEthernet0/1\n tx-ring-limit 4\n service-policy output EDGE\n",
            False,
            id="a policy that queues",
        ),
        pytest.param(
            "policy-map P\n class class-default\n  police 1000000\n"
            "interface FastEthernet0/1\n tx-ring-limit 4\n service-policy output P\n",
            True,
            id="a policy that only polices",
        ),
        pytest.param(
            "interface FastEthernet0/1\n tx-ring-limit 64\n", False, id="not a small ring"
        ),
        pytest.param(
            "policy-map SHAPED\n class class-default\n  shape average 1000000\n"
            "interface FastEthernet0/1\n tx-ring-limit 4\n"
            "interface Tunnel0\n tunnel source FastEthernet0/1\n tunnel destination 192.0.2.1\n"
            " service-policy output SHAPED\n",
            False,
            id="a tunnel with a policy leaves by it",
        ),
        pytest.param(
            LLQ + "interface ATM1/0\n tx-ring-limit 4\n pvc 0/35\n  vbr-nrt 512 512\n"
            "  dialer pool-member 1\ninterface Dialer1\n encapsulation ppp\n dialer pool 1\n"
            " service-policy output EDGE\n",
            False,
            id="a session with a policy runs over a circuit of it",
        ),
        pytest.param(
            LLQ + "interface ATM1/0.1 point-to-point\n pvc 0/35\n  vbr-nrt 512 512\n"
            "  service-policy output EDGE\ninterface ATM1/0.2 point-to-point\n pvc 0/36\n"
            "  vbr-nrt 512 512\n  tx-ring-limit 4\n",
            True,
            id="a policy of another PVC is not in front of its ring",
        ),
    ],
)
def test_ring_without_queueing(text: str, *, found: bool) -> None:
    check = TX_RING_WITHOUT_QUEUEING
    rings = [
        hit.evidence.limit for hit in hits_of(check.find(device_of(text), check.params(10, 500.0)))
    ]
    assert rings == ([4] if found else [])


@pytest.mark.parametrize(
    ("port", "has_lines"),
    [
        pytest.param("FastEthernet0/1\n", True, id="a port that sends its own ring at once"),
        pytest.param(
            "Serial0/0\n clock rate 128000\n no fair-queue\n", False,
            id="a line that its own ring would fill for seconds",
        ),
    ],
)  # fmt: skip
def test_a_short_ring_stays_where_that_of_ios_is_a_longer_wait(
    port: str, *, has_lines: bool
) -> None:
    check = TX_RING_WITHOUT_QUEUEING
    device = device_of(f"version 12.4\ninterface {port} tx-ring-limit 4\n")
    assert hit_of(check.find(device, check.params(10, 500.0))).curable is has_lines


def pvc(ring: int, mtu: str = " mtu 1500\n") -> str:
    return f"interface ATM1/0\n{mtu} pvc 0/100\n  vbr-nrt 2000 2000\n  tx-ring-limit {ring}\n"


@pytest.mark.parametrize(
    ("text", "advised"),
    [
        pytest.param(C7200 + pvc(2), 3, id="1500 bytes take 3 particles"),
        pytest.param(C7200 + pvc(3), None, id="3 is enough"),
        pytest.param(C7200 + pvc(3, " mtu 4470\n"), 9, id="4470 bytes take 9"),
        pytest.param(
            "interface Serial0/0\n clock rate 512000\n tx-ring-limit 1\n",
            None,
            id="a ring of packets is never smaller than one",
        ),
    ],
)
def test_ring_smaller_than_packet(text: str, advised: int | None) -> None:
    check = TX_RING_SMALLER_THAN_PACKET
    hits = hits_of(check.find(device_of(text), check.params()))
    assert [each.evidence.advised for each in hits] == ([] if advised is None else [advised])


@pytest.mark.parametrize(
    ("platform", "ring", "advised"),
    [
        pytest.param("2651XM", 2, 3, id="2600: 3"),
        pytest.param("1841", 1, 2, id="1800: 2"),
        pytest.param("1841", 2, None, id="1800 takes 2"),
        pytest.param(None, 1, 2, id="unknown: only below 2"),
        pytest.param(None, 2, None, id="unknown takes 2"),
        pytest.param("7206VXR", 1, None, id="a 7200 takes 1"),
    ],
)
def test_ring_below_platform_minimum(platform: str | None, ring: int, advised: int | None) -> None:
    check = TX_RING_BELOW_PLATFORM_MINIMUM
    head = f"!RANCID-CONTENT-TYPE: cisco\n!Chassis type: {platform}\n" if platform else ""
    said = check.find(device_of(head + pvc(ring)), check.params(2))
    hits = hits_of(said)
    assert [each.evidence.advised for each in hits] == ([] if advised is None else [advised])


def test_a_recalled_minimum_is_only_possible() -> None:
    check = TX_RING_BELOW_PLATFORM_MINIMUM
    (hit,) = hits_of(
        check.find(
            device_of("!RANCID-CONTENT-TYPE: cisco\n!Chassis type: 1841\n" + pvc(1)),
            check.params(2),
        )
    )
    assert hit.confidence is Confidence.POSSIBLE


def test_a_class_without_a_class_map_gets_no_delay() -> None:
    text = f"hostname r\n{LLQ}".replace("match-all VOICE", "match-all VIOCE")
    device = device_of(text + serial(" bandwidth 512\n tx-ring-limit 64\n"))
    params = TX_RING_TOO_DEEP_FOR_LLQ.params(BUDGET_MS)
    (skip,) = TX_RING_TOO_DEEP_FOR_LLQ.find(device, params)
    assert skip == Skip(
        "interface Serial0/0", "no class-map defines VOICE: no packet is in the LLQ"
    )


def over_pvc(bandwidth: str, ring: int = 40) -> str:
    return (
        f"version 15.2\nhostname r\n{LLQ}interface Virtual-Template1\n{bandwidth}"
        " ppp multilink\n ppp multilink fragment delay 8\n ppp multilink interleave\n"
        " service-policy output EDGE\n"
        "interface ATM0/0/0.36 point-to-point\n pvc 0/36\n  vbr-nrt 512 384 32\n"
        f"  tx-ring-limit {ring}\n  protocol ppp Virtual-Template1\nend\n"
    )


@pytest.mark.parametrize(
    ("bandwidth", "ring", "found"),
    [
        pytest.param(" bandwidth 384\n", 40, Hit, id="template and circuit have one rate"),
        pytest.param("", 40, Hit, id="the template states none"),
        pytest.param(" bandwidth 256\n", 40, Hit, id="over the budget with 256 and 384 bytes"),
        pytest.param(" bandwidth 64\n", 5, Skip, id="over it with 384 bytes, not with 64"),
    ],
)
def test_a_fragment_of_one_of_two_sizes_is_judged_where_both_lead_to_one_verdict(
    bandwidth: str, ring: int, found: type
) -> None:
    params = TX_RING_TOO_DEEP_FOR_LLQ.params(BUDGET_MS)
    (result,) = TX_RING_TOO_DEEP_FOR_LLQ.find(device_of(over_pvc(bandwidth, ring)), params)
    assert isinstance(result, found)
    if isinstance(result, Skip):
        assert "the fragments are 64 or 384 bytes" in result.reason


def test_the_wait_behind_fragments_of_one_of_two_sizes_spans_both() -> None:
    params = TX_RING_TOO_DEEP_FOR_LLQ.params(BUDGET_MS)
    said = [
        hit_of(TX_RING_TOO_DEEP_FOR_LLQ.find(device_of(over_pvc(f" bandwidth {kbps}\n")), params))
        for kbps in (192, 384)
    ]
    both, largest = (hit.evidence.bound_ms.split("-") for hit in said)
    assert float(both[0]) < float(largest[0])
    assert both[-1] == largest[-1]


@pytest.mark.parametrize(
    ("head", "is_told"),
    [
        pytest.param("version 12.4\nhostname r\n", True, id="the unit is open"),
        pytest.param("!Chassis type: 7206VXR\nversion 12.4\nhostname r\n", False, id="particles"),
    ],
)
def test_a_ring_of_an_open_unit_names_the_one_of_packets(head: str, *, is_told: bool) -> None:
    text = (
        f"{head}{LLQ}interface ATM0/1/0.35 point-to-point\n pvc 8/35\n  vbr-nrt 2048 2048\n"
        "  tx-ring-limit 64\n  service-policy output EDGE\nend\n"
    )
    params = TX_RING_TOO_DEEP_FOR_LLQ.params(BUDGET_MS)
    advice = hit_of(TX_RING_TOO_DEEP_FOR_LLQ.find(device_of(text), params)).advice or ""
    assert ("if packets, `tx-ring-limit 2`" in advice) is is_told


@pytest.mark.parametrize(("ring", "words"), [(1, "1 particle"), (2, "2 particles")])
def test_a_small_ring_is_counted_in_words(ring: int, words: str) -> None:
    check = TX_RING_SMALLER_THAN_PACKET
    hit = hit_of(hits_of(check.find(device_of(C7200 + pvc(ring)), check.params())))
    assert hit.evidence.ring == words


@pytest.mark.parametrize(("ring", "judged"), [(3, 3), (4, 4), (40, 4)])
def test_a_ring_below_the_best_one_is_judged_as_it_is(ring: int, judged: int) -> None:
    """The best is 4: of particles, two for each fragment of 640 bytes, if the ring has them."""
    check = TX_RING_RESIDUAL_OVER_BUDGET
    text = over_pvc("").replace("512 384 32", "512 512").replace("delay 8", "delay 10")
    said = check.find(
        device_of(text.replace("ring-limit 40", f"ring-limit {ring}")), check.params(25.0, 10.0)
    )
    assert hit_of(hits_of(said)).evidence.limit == judged
