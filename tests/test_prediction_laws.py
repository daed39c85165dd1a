"""Laws of `predict`: of configs with traffic made up at random, as a user would ask."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.device.reading import Source
from advisor.predict.what_if.path import predict_path
from advisor.predict.what_if.path_hops import Hop, PathOfHops
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.predict.what_if.predictions import predict_sources
from advisor.predict.what_if.subject import StatedLink
from advisor.settings import PacketShare, Settings, Traffic

pytestmark = pytest.mark.slow


SAMPLED = 0.2  # below saturation two means are of different draws: their intervals say so
COSTLY = settings(max_examples=20, deadline=None)
CONFIG = """\
hostname R
version 12.4(25)
policy-map WAN
 class VOICE
  priority 96
 class class-default
interface Serial0/0
 clock rate {bps}
 bandwidth {kbps}
 encapsulation ppp
 tx-ring-limit {ring}
 service-policy output WAN
"""
KBPS = st.sampled_from([256, 512, 1024])
RING = st.integers(1, 12)
BYTES = st.integers(200, 1500)
LOAD = st.floats(0.2, 1.5)


def offered(class_name: str, ip_bytes: int, per_s: float, arrivals: str = "poisson") -> Traffic:
    sizes = (PacketShare(ip_bytes, 1.0),)
    return Traffic("*", "*", class_name, sizes, per_s, 1, arrivals, "test")


def voice(
    kbps: int, ring: int, *traffic: Traffic, moved: dict[str, str] | None = None
) -> ClassPrediction:
    config = CONFIG.format(bps=kbps * 1000, kbps=kbps, ring=ring)
    source, of = Source("r.cfg", config.encode()), Settings(traffic=traffic)
    first = predict_sources(source, of, None, moved or {})[0]
    assert isinstance(first, ClassPrediction)
    return first


def background(kbps: int, ip_bytes: int, load: float) -> Traffic:
    return offered("class-default", ip_bytes, load * kbps * 1000 / 8 / (ip_bytes + 8))


@COSTLY
@given(KBPS, RING, st.integers(1, 12), BYTES, LOAD)
def test_more_ring_is_never_less_delay(
    kbps: int, ring: int, more: int, ip_bytes: int, load: float
) -> None:
    traffic = (offered("VOICE", 60, 50, "periodic"), background(kbps, ip_bytes, load))
    short = voice(kbps, ring, *traffic)
    long = voice(kbps, ring, *traffic, moved={"tx-ring-limit": str(ring + more)})

    assert short.mean.value <= long.mean.value * (1 + SAMPLED)
    assert short.mean.low <= long.mean.high
    assert (short.bound_ms or math.nan) <= (long.bound_ms or math.nan)


@COSTLY
@given(KBPS, RING, RING)
def test_without_background_the_ring_is_irrelevant(kbps: int, one: int, other: int) -> None:
    alone = (offered("VOICE", 60, 50, "periodic"), offered("class-default", 1500, 0))

    assert voice(kbps, one, *alone).mean == voice(kbps, other, *alone).mean


@COSTLY
@given(KBPS, RING, BYTES, LOAD)
def test_mean_p95_p99_and_bound_are_in_order(
    kbps: int, ring: int, ip_bytes: int, load: float
) -> None:
    said = voice(kbps, ring, background(kbps, ip_bytes, load))

    assert said.p50.value <= said.p95.value <= said.p99.value <= (said.bound_ms or math.nan)
    assert said.mean.value <= said.p95.value * (1 + SAMPLED)
    assert said.mean.low <= said.mean.value <= said.mean.high


@COSTLY
@given(KBPS, RING, BYTES, LOAD)
def test_twice_as_fast_a_link_and_its_traffic_halve_every_time(
    kbps: int, ring: int, ip_bytes: int, load: float
) -> None:
    def at(times: int) -> ClassPrediction:
        rate = kbps * times
        call = offered("VOICE", 60, 40 * times)
        return voice(rate, ring, call, background(rate, ip_bytes, load))

    slow, fast = at(1), at(2)

    assert slow.mean.value == pytest.approx(2 * fast.mean.value, rel=SAMPLED)
    assert slow.bound_ms == pytest.approx(2 * (fast.bound_ms or math.nan), rel=0.02)


def no_config(path: str) -> Source:
    raise AssertionError(path)


@settings(max_examples=10, deadline=None)
@given(KBPS, RING, st.integers(1, 3), st.floats(0, 200))
def test_hops_of_a_path_add(kbps: int, ring: int, hops: int, fixed_ms: float) -> None:
    link = StatedLink(f"{kbps}k", llq="96k", tx_ring_limit=ring, calls=2, background=1000)

    def path(*of: Hop) -> PathOfHops:
        return PathOfHops(of, ("g729",), None, None)

    hop = Hop("hop", 0.0, None, None, None, link, "hops.toml:1")
    whole = Hop("core", fixed_ms, None, None, None, None, "hops.toml:9")
    half = Hop("half", fixed_ms / 2, None, None, None, None, "hops.toml:12")
    open_config: Callable[[str], Source] = no_config
    one = predict_path(path(hop), Settings(), open_config)
    many = predict_path(path(*[hop] * hops, whole), Settings(), open_config)
    split = predict_path(path(*[hop] * hops, half, half), Settings(), open_config)

    assert many.mean.value == pytest.approx(hops * one.mean.value + fixed_ms)
    assert many.bound_ms == pytest.approx(hops * (one.bound_ms or math.nan) + fixed_ms)
    assert split.mean.value == pytest.approx(many.mean.value)
    assert split.p99.value == pytest.approx(many.p99.value, abs=1.0)
