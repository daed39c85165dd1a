"""Claims of the published test of WRED, and whether the model says the same."""

from collections.abc import Iterator

from advisor.ground.units import kbps_from_bps, percent_from_ratio
from advisor.model import DropProfile
from advisor.theory.wred import EstimateRange
from advisor.theory.wred.view import average_after, average_after_idle, drop_probability
from tools.validation.claims import Claim, OwnWords
from tools.validation.wred_test import (
    BALANCED,
    FLOW_COUNTS,
    MINIMA,
    PVC_BPS,
    TCP_WEIGHT,
    UDP_WEIGHT,
    balanced,
    predicted,
    with_many,
)

_PUBLISHED_UDP_KBPS, _PUBLISHED_TCP_KBPS = 710, 2270
HIGH_MIN = 120.0


def wred_claims() -> Iterator[Claim]:
    """Claims of the test, in the order of their ids."""
    yield from _arithmetic()
    yield from _split()
    yield from _of_thresholds()
    yield from _of_flows()


def _percents(shares: tuple[EstimateRange, ...]) -> str:
    return " / ".join(f"{percent_from_ratio(share.estimate):.1f}" for share in shares)


def _arithmetic() -> Iterator[Claim]:
    profile = DropProfile(15, 30, 5)
    drops = [drop_probability(average, profile) for average in (14.9, 22.5, 30.0)]
    yield Claim(
        "C01",
        "below min nothing is dropped, above it linearly more, above max everything",
        "exact",
        f"15, 30, 20 %: {drops[0]:g} at 14.9, {drops[1]:g} at 22.5, {drops[2]:g} at 30",
        drops == [0.0, 0.1, 1.0],
    )
    next_packets = average_after(10.0, 26.0, exponent=4)
    yield Claim(
        "C04",
        "AQS = (1 - Wq) AQS + Wq Qsize, Wq = 2^-n",
        "1e-9",
        f"10 packets, a queue of 26 and n = 4 give {next_packets:g}",
        abs(next_packets - (15 / 16 * 10 + 26 / 16)) < 1e-9,  # noqa: PLR2004 -- printed above
    )
    slow_average, fast_average = (
        average_after_idle(20.0, 100.0, 6.0, exponent) for exponent in (9, 4)
    )
    yield Claim(
        "C05",
        "a larger weight counts the past more",
        "must not be copied",
        "the other way round by the formula itself: after 100 idle ms an average of 20 is "
        f"{slow_average:.1f} with n = 9, {fast_average:.1f} with the larger weight of n = 4",
        slow_average > fast_average,
    )


def _split() -> Iterator[Claim]:
    parts = [
        percent_from_ratio(weight / (TCP_WEIGHT + UDP_WEIGHT))
        for weight in (TCP_WEIGHT, UDP_WEIGHT)
    ]
    yield Claim(
        "C12",
        "TCP has 75 %, UDP 25 % of the PVC",
        "0.5 points",
        f"{parts[0]:.1f} and {parts[1]:.1f} %",
        abs(parts[0] - 75) <= 0.5,  # noqa: PLR2004 -- printed above
    )
    point = predicted(BALANCED)
    udp, tcp = kbps_from_bps(point.udp_payload_bps), kbps_from_bps(point.tcp_payload_bps)
    share = percent_from_ratio(udp / (udp + tcp))
    total = _PUBLISHED_UDP_KBPS + _PUBLISHED_TCP_KBPS
    published_percent = percent_from_ratio(_PUBLISHED_UDP_KBPS / total)
    yield Claim(
        "C15",
        f"UDP {_PUBLISHED_UDP_KBPS} kb/s, TCP {_PUBLISHED_TCP_KBPS} kb/s at the receiver",
        "UDP share 3 points, sum 5 %",
        f"UDP {udp:.0f}, TCP {tcp:.0f} kb/s of payload: {share:.1f} % for {published_percent:.1f}; "
        f"sum {udp + tcp:.0f} for {total}, of {kbps_from_bps(PVC_BPS):g} kb/s in cells",
        abs(share - published_percent) <= 3 and abs((udp + tcp) / total - 1) <= 0.05,  # noqa: PLR2004
        OwnWords(
            f"{_PUBLISHED_UDP_KBPS} and {_PUBLISHED_TCP_KBPS} kb/s",
            round(udp, -1) == _PUBLISHED_UDP_KBPS and round(tcp, -1) == _PUBLISHED_TCP_KBPS,
        ),
    )
    sums = [
        kbps_from_bps(p.udp_payload_bps + p.tcp_payload_bps) for p in (*balanced(), *with_many(1))
    ]
    yield Claim(
        "C16",
        "the sum of UDP and TCP is nearly constant",
        "5 % over all points",
        f"{min(sums):.0f} to {max(sums):.0f} kb/s",
        max(sums) / min(sums) <= 1.05,  # noqa: PLR2004 -- printed above
    )


def _of_thresholds() -> Iterator[Claim]:
    low = balanced()[0]
    rule = [percent_from_ratio(share) for share in low.by_flows_over_p]
    shares = [percent_from_ratio(share.estimate) for share in low.shares]
    yield Claim(
        "C17",
        "balanced, low thresholds: about flows / p, 58.8 / 29.4 / 11.8 %",
        "10 points",
        f"{_percents(low.shares)} at min {low.min_packets:g}; by flows / p "
        + " / ".join(f"{share:.1f}" for share in rule),
        all(abs(share - expected) <= 10 for share, expected in zip(shares, rule, strict=True)),  # noqa: PLR2004
        OwnWords(
            "directly proportional to flows / p, a good approximation",
            all(
                round(share) == round(expected)
                for share, expected in zip(shares, rule, strict=True)
            ),
        ),
    )
    high = predicted(BALANCED, HIGH_MIN)
    yield Claim(
        "C18",
        "for high minimum thresholds all shares go to 33 %",
        "2 points",
        f"{_percents(high.shares)} at min {HIGH_MIN:g}: the windows of all flows end before the "
        "queue gets there",
        all(abs(percent_from_ratio(s.estimate) - 100 / 3) <= 2 for s in high.shares),  # noqa: PLR2004
        OwnWords(
            "converge to 33 %",
            all(round(percent_from_ratio(s.estimate)) == 33 for s in high.shares),  # noqa: PLR2004
        ),
    )


def of_ring(ring_packets: int) -> tuple[str, ...]:
    """Figures of the claims on shares with a ring of so many packets: C17, C18, C20, C22."""
    points = (
        predicted(BALANCED, MINIMA[0], ring_packets=ring_packets),
        predicted(BALANCED, HIGH_MIN, ring_packets=ring_packets),
        predicted((3, 20, 3), wred=False, ring_packets=ring_packets),
    )
    least = predicted((3, 20, 3), ring_packets=ring_packets).shares[0].estimate
    return (*(_percents(point.shares) for point in points), f"{percent_from_ratio(least):.1f}")


def _of_flows() -> Iterator[Claim]:
    tail_drop = predicted((3, 20, 3), wred=False)
    expected = [flows / 26 for flows in tail_drop.flows]
    yield Claim(
        "C20",
        "without WRED a share goes as the number of flows",
        "1 point",
        f"{_percents(tail_drop.shares)} with 3, 20 and 3 flows; 20 of 26 are 76.9 %",
        all(
            abs(share.estimate - target) <= 0.01  # noqa: PLR2004 -- printed above
            for share, target in zip(tail_drop.shares, expected, strict=True)
        ),
    )
    worst = predicted((3, 20, 3))
    rule, sampled = worst.by_flows_over_p[0], worst.shares[0].estimate
    yield Claim(
        "C21",
        "with WRED a share goes about as flows / p",
        "the formula, exact",
        f"AF11 {percent_from_ratio(rule):.1f} % by the formula at 3, 20 and 3 flows, "
        f"{percent_from_ratio(worst.by_fixed_point[0]):.1f} by the fixed point, "
        f"{percent_from_ratio(sampled):.1f} sampled",
        abs(rule - 30 / (30 + 100 + 6)) < 1e-9,  # noqa: PLR2004 -- rounding
        OwnWords("proportional to flows / p", round(100 * sampled) == round(100 * rule)),
    )
    points = [p for place in (1, 2) for p in with_many(place)]
    least = min(points, key=lambda p: p.shares[0].estimate).shares[0]
    low, high = percent_from_ratio(least.low), percent_from_ratio(least.high)
    yield Claim(
        "C22",
        f"AF11 never has less than 20 %, up to {FLOW_COUNTS[-1]} flows in another class",
        "at least 20 %",
        f"{percent_from_ratio(least.estimate):.1f} % ({low:.1f} to {high:.1f}) at the least, with "
        "20 flows of AF12",
        least.low >= 0.20,  # noqa: PLR2004 -- the published figure
    )


WRED_TOLD = (
    Claim("C06", "the weight must not be too low, or WRED reacts slowly", "-", "the time constant "
          "is 2^n packets of service: 2.6 s in this test with n = 9", None),
    Claim("C10", "all formulas are a starting point", "-", "so is a prediction: intervals stand "
          "beside it", None),
    Claim("C19", "3 to 20 flows in one class, 3 in the others, thresholds 15 and 30", "-", "these "
          "are the points of the second figure", None),
    Claim("C35", "the figures are absent from the text", "-", "their shapes are described in it; "
          "the plots here are the model's", None),
)  # fmt: skip
