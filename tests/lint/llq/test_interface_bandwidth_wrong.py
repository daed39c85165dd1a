"""LLQ008 and CBW004: an interface `bandwidth` that is not the rate of the line."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, NoParams
from advisor.lint.findings import Confidence, Severity
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

INTERFACE_BANDWIDTH_WRONG = CHECKS["interface-bandwidth-wrong"]
PERCENT_OF_WRONG_RATE = CHECKS["percent-of-wrong-rate"]
PRIORITY_SHARE_TOO_HIGH = CHECKS["priority-share-too-high"]
RESERVATION_EXCEEDS_LINK = CHECKS["reservation-exceeds-link"]


def policy(voice: str, data: str = "") -> str:
    return (
        "class-map match-all VOICE\n match ip dscp ef\nclass-map match-all DATA\n"
        f" match ip dscp af21\npolicy-map EDGE\n class VOICE\n  {voice}\n"
        + (f" class DATA\n  {data}\n" if data else "")
        + " class class-default\n  fair-queue\n"
    )


def serial(lines: str, name: str = "Serial0/0") -> str:
    return f"interface {name}\n encapsulation ppp\n{lines} service-policy output EDGE\n"


PERCENT = policy("priority percent 20")
CHANNEL_GROUP = "controller E1 0/0\n channel-group 0 timeslots 1-8\n"
SHAPER = (
    "policy-map SHAPE\n class class-default\n  shape average {0}\n  service-policy EDGE\n"
    "interface FastEthernet0/0\n speed 10\n service-policy output SHAPE\n"
)
BUNDLE = (
    "interface Multilink1\n ppp multilink\n ppp multilink group 1\n{0} service-policy output EDGE\n"
    "interface Serial0/0\n clock rate 512000\n encapsulation ppp\n ppp multilink\n"
    " ppp multilink group 1\n"
)
PPPOA = (
    "interface ATM0\n pvc 8/35\n  vbr-nrt 2048 2048\n  encapsulation aal5mux ppp dialer\n  dialer pool-member 1\n"
    "interface Dialer1\n encapsulation ppp\n{0} dialer pool 1\n service-policy output EDGE\n"
)
PPPOE = (
    "interface FastEthernet4\n pppoe-client dial-pool-number 1\ninterface Dialer1\n mtu 1492\n"
    " encapsulation ppp\n dialer pool 1\n service-policy output EDGE\n"
)


def wrong_rates(text: str) -> list[tuple[str, str]]:
    """`bandwidth` and rate of the line, of each finding of LLQ008."""
    said = hits_of(INTERFACE_BANDWIDTH_WRONG.find(device_of(text), NoParams()))
    return [(hit.evidence.base_kbps, hit.evidence.link_kbps) for hit in said]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(PERCENT + serial(" clock rate 512000\n"), [("1544", "512")], id="none: 1544"),
        pytest.param(
            PERCENT + serial(" bandwidth 256\n clock rate 512000\n"), [("256", "512")], id="below"
        ),
        pytest.param(PERCENT + serial(" bandwidth 512\n clock rate 512000\n"), [], id="equal"),
        pytest.param(
            PERCENT + serial(" bandwidth 537\n clock rate 512000\n"), [], id="4.9 % above"
        ),
        pytest.param(
            PERCENT + serial(" bandwidth 538\n clock rate 512000\n"), [("538", "512")], id="5.1 %"
        ),
        pytest.param(
            CHANNEL_GROUP + PERCENT + serial("", "Serial0/0:0"),
            [],
            id="a channel-group has the bandwidth of its timeslots",
        ),
        pytest.param(
            CHANNEL_GROUP + PERCENT + serial(" bandwidth 2048\n", "Serial0/0:0"),
            [("2048", "512")],
            id="a channel-group of 8 labelled as an E1",
        ),
        pytest.param(PERCENT + serial(" bandwidth 768\n"), [], id="nothing contradicts the label"),
        pytest.param(
            PERCENT + "interface FastEthernet0/0\n bandwidth 200000\n service-policy output EDGE\n",
            [("200000", "100000")],
            id="above a port",
        ),
        pytest.param(
            PERCENT + "interface FastEthernet0/0\n bandwidth 10000\n service-policy output EDGE\n",
            [],
            id="below a port is what a provider sells",
        ),
        pytest.param(PERCENT + BUNDLE.format(""), [("1544", "512")], id="a bundle"),
        pytest.param(PERCENT + BUNDLE.format(" bandwidth 512\n"), [], id="a bundle that states it"),
        pytest.param(PERCENT + SHAPER.format(8000000), [], id="the base is the shaper"),
        pytest.param(
            policy("priority") + serial(" clock rate 512000\n"), [], id="nothing is reserved"
        ),
        pytest.param(
            PERCENT + "interface ATM1/0.1 point-to-point\n bandwidth 64\n pvc 0/100\n"
            "  vbr-nrt 512 512\n  service-policy output EDGE\n",
            [],
            id="the base is the PVC",
        ),
        pytest.param(PERCENT + PPPOA.format(""), [("56", "2048")], id="a Dialer over a circuit"),
        pytest.param(PERCENT + PPPOA.format(" bandwidth 2048\n"), [], id="which states its rate"),
        pytest.param(PERCENT + PPPOE, [("56", "100000")], id="a Dialer of PPPoE"),
        pytest.param(
            PERCENT + PPPOE.replace("mtu 1492", "bandwidth 800"), [], id="which states what is sold"
        ),
    ],
)
def test_the_rates_that_contradict(text: str, expected: list[tuple[str, str]]) -> None:
    assert wrong_rates(text) == expected


def test_a_line_without_a_known_rate_is_not_judged() -> None:
    said = skip_of(INTERFACE_BANDWIDTH_WRONG.find(device_of(PERCENT + serial("")), NoParams()))
    assert said.reason.startswith("the rate of the link is not known (no clock rate")


@pytest.mark.parametrize(
    ("text", "severity", "yields"),
    [
        pytest.param(PERCENT, None, "20 % of class VOICE is 308.8 kb/s in place of 102.4",
                     id="a percentage of the wrong rate"),
        pytest.param(policy("priority 64"), Severity.INFO,
                     "IOS admits the classes against 1544 kb/s", id="rates are only admitted"),
        pytest.param(policy("priority\n  police cir percent 10"), None,
                     "10 % of class VOICE is 154.4 kb/s in place of 51.2", id="a policer"),
    ],
)  # fmt: skip
def test_a_percentage_costs_more_than_admission(
    text: str, severity: Severity | None, yields: str
) -> None:
    device = device_of(text + serial(" clock rate 512000\n"))
    hit = hit_of(INTERFACE_BANDWIDTH_WRONG.find(device, NoParams()))
    assert (hit.severity, hit.evidence.yields) == (severity, yields)


def test_a_policy_that_fits_the_line_and_not_the_label_is_refused() -> None:
    text = "version 12.3\n" + policy("priority 128") + serial(" bandwidth 64\n clock rate 512000\n")
    hit = hit_of(INTERFACE_BANDWIDTH_WRONG.find(device_of(text), NoParams()))
    assert hit.severity is None
    assert "IOS admits 48 kb/s and refuses the classes' 128" in hit.evidence.yields


def test_a_dialer_that_is_never_full_gets_no_bandwidth_line() -> None:
    sold = PPPOE.replace("mtu 1492", "description DSL 2 Mb/s up")
    hit = hit_of(INTERFACE_BANDWIDTH_WRONG.find(device_of(PERCENT + sold), NoParams()))
    assert hit.evidence.yields == "20 % of class VOICE is 11.2 kb/s in place of 400"
    assert (hit.evidence.against, hit.curable, hit.confidence) == ("", False, Confidence.LIKELY)


@pytest.mark.parametrize(
    ("rate_bps", "confidence"),
    [(2_000_000, Confidence.POSSIBLE), (1_920_000, Confidence.CERTAIN)],
    ids=["a WIC-2T prints 2000000 unasked", "another rate was typed"],
)
def test_a_clock_rate_that_may_be_a_default_is_only_possible(
    rate_bps: int, confidence: Confidence
) -> None:
    text = PERCENT + serial(f" bandwidth 512\n clock rate {rate_bps}\n")
    hit = hit_of(INTERFACE_BANDWIDTH_WRONG.find(device_of(text), NoParams()))
    assert (hit.confidence, hit.curable) == (confidence, confidence is Confidence.CERTAIN)


HALF = policy("priority percent 20", "bandwidth percent 50")


@pytest.mark.parametrize(
    ("text", "reserved_and_link_kbps"),
    [
        pytest.param(HALF + serial(" clock rate 512000\n"), ("1080.8", "512"), id="of the default"),
        pytest.param(HALF + serial(" bandwidth 512\n clock rate 512000\n"), None, id="of the line"),
        pytest.param(
            policy("priority 128", "bandwidth 384") + serial(" clock rate 512000\n"),
            None,
            id="exactly the line",
        ),
        pytest.param(
            policy("priority 128", "bandwidth 392") + serial(" clock rate 512000\n"),
            ("520", "512"),
            id="more than the line, which 1544 kb/s admits",
        ),
        pytest.param(
            policy("priority 512", "bandwidth 1024") + serial(" clock rate 512000\n"),
            None,
            id="IOS refuses the sum: that is LLQ002",
        ),
        pytest.param(
            policy("priority percent 20", "bandwidth percent 60") + SHAPER.format(20000000),
            ("16000", "10000"),
            id="a shaper above the port",
        ),
        pytest.param(
            policy("priority percent 20", "bandwidth percent 60") + SHAPER.format(8000000),
            None,
            id="a shaper below the port",
        ),
        pytest.param(
            PERCENT
            + PPPOA.format("")
            .replace("Dialer", "Virtual-Template")
            .replace("  dialer pool-member 1", "  protocol ppp Virtual-Template1"),
            ("20000", "2048"),
            id="a template, of 100 Mb/s by default",
        ),
    ],
)
def test_the_classes_promise_more_than_the_line(
    text: str, reserved_and_link_kbps: tuple[str, str] | None
) -> None:
    device = device_of("version 12.4\n" + text)
    said = hits_of(PERCENT_OF_WRONG_RATE.find(device, NoParams()))
    shown = [(hit.evidence.reserved_kbps, hit.evidence.link_kbps) for hit in said]
    assert shown == ([] if reserved_and_link_kbps is None else [reserved_and_link_kbps])


def test_a_line_without_a_known_rate_promises_nothing_known() -> None:
    said = skip_of(PERCENT_OF_WRONG_RATE.find(device_of(HALF + serial("")), NoParams()))
    assert said.reason.startswith("the rate of the link is not known (no clock rate")


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        pytest.param(HALF + serial(" clock rate 512000\n"), ["CBW004", "LLQ001"], id="promised too much"),
        pytest.param(PERCENT + serial(" clock rate 512000\n"), ["LLQ001", "LLQ008"], id="a wrong percentage"),
        pytest.param(
            "version 12.3\n" + policy("priority 128") + serial(" bandwidth 64\n clock rate 512000\n"),
            ["LLQ008"],
            id="refused by the label alone",
        ),
        pytest.param(
            "version 12.3\n" + policy("priority 512", "bandwidth 1024")
            + serial(" bandwidth 512\n clock rate 512000\n"),
            ["LLQ001", "LLQ002"],
            id="refused by the line",
        ),
    ],
)  # fmt: skip
def test_who_judges_the_label_the_sum_and_the_share(text: str, rules: list[str]) -> None:
    device = device_of(text)
    said = {
        "CBW004": PERCENT_OF_WRONG_RATE.find(device, NoParams()),
        "LLQ001": PRIORITY_SHARE_TOO_HIGH.find(device, PRIORITY_SHARE_TOO_HIGH.params(33)),
        "LLQ002": RESERVATION_EXCEEDS_LINK.find(device, NoParams()),
        "LLQ008": INTERFACE_BANDWIDTH_WRONG.find(device, NoParams()),
    }
    found = {
        rule: [each for each in results if isinstance(each, Hit)] for rule, results in said.items()
    }
    assert [rule for rule, hits in found.items() if hits] == rules


@pytest.mark.parametrize(
    ("voice", "data", "word"),
    [
        pytest.param("priority percent 30", "bandwidth percent 50", "shaper", id="percentages"),
        pytest.param("priority 300", "bandwidth 400", "reduce the classes", id="rates in kb/s"),
    ],
)
def test_classes_in_a_shaper_above_the_line_are_told_what_fits_them(
    voice: str, data: str, word: str
) -> None:
    text = (
        "version 15.2\nclass-map match-all VOICE\n match dscp ef\n"
        "class-map match-all DATA\n match dscp af21\n"
        f"policy-map CHILD\n class VOICE\n  {voice}\n class DATA\n  {data}\n"
        "policy-map PARENT\n class class-default\n  shape average 1000000\n"
        "  service-policy CHILD\n"
        "interface Serial0/0\n clock rate 512000\n encapsulation ppp\n"
        " service-policy output PARENT\n"
    )
    hit = hit_of(PERCENT_OF_WRONG_RATE.find(device_of(text), NoParams()))
    assert word in (hit.advice or "")


def test_the_share_in_force_names_its_cause_and_the_calls_have_a_price() -> None:
    device = device_of(HALF + serial(" clock rate 512000\n"))
    share = hits_of(PRIORITY_SHARE_TOO_HIGH.find(device, PRIORITY_SHARE_TOO_HIGH.params(33)))
    (sum_of_classes,) = hits_of(PERCENT_OF_WRONG_RATE.find(device, NoParams()))

    assert all("CBW004 or LLQ008" in (hit.advice or "") for hit in share)
    assert "calls of G.729 today" in (sum_of_classes.advice or "")
