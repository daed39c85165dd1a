"""`show policy-map` behind a part of a configuration that names the policy and does not hold it."""

import pytest

from advisor.device.reading import Source, read_source
from advisor.settings import Settings

PART = "r1#show running-config interface Serial0/0\n{}end\n\nr1#show policy-map {}\n{}r1#\n"
PORT = "interface Serial0/0\n bandwidth 512\n service-policy output WAN\n"
WAN = "  Policy Map WAN\n{}"


def policy_of(shown: str, port: str = PORT, argument: str = "WAN") -> dict[str, list[str]] | None:
    """The lines of each class of WAN as they are read; None where WAN is not known."""
    text = PART.format(port, argument, shown)
    reading = read_source(Source("r1.log", text.encode()), Settings())
    tree = reading.device.facts.tree
    found = [line for line in tree.commands() if line.text == "policy-map WAN"]
    assert all(
        tree.at(line).line == text.splitlines().index("  Policy Map WAN") + 1 for line in found
    )
    if not found:
        assert any("policy-map WAN" in said for said in reading.incomplete)
        return None
    assert not reading.incomplete
    assert any("`show policy-map` prints it" in said for said in reading.coverage[0].assumed)
    return {
        child.words[1]: [line.text for line in child.commands()] for child in found[0].commands()
    }


@pytest.mark.parametrize(
    ("shown", "lines"),
    [
        pytest.param(
            "      Strict Priority\n      Bandwidth 128 (kbps) Burst 3200 (Bytes)\n",
            ["priority 128 3200"], id="a priority of 12.x",
        ),
        pytest.param("      priority 33 (%)\n", ["priority percent 33"], id="a priority of 15.x"),
        pytest.param(
            "      priority level 2 2000 (kb/s)\n      queue-limit 50 ms\n",
            ["priority level 2 2000", "queue-limit 50 ms"], id="a level, and a limit in time",
        ),
        pytest.param(
            "      Bandwidth 256 (kbps) Max Threshold 64 (packets)\n", ["bandwidth 256"],
            id="the limit that IOS takes is no statement",
        ),
        pytest.param(
            "      bandwidth remaining 20 (%)\n", ["bandwidth remaining percent 20"], id="a part of the rest"
        ),
        pytest.param(
            "      Average Rate Traffic Shaping\n      cir 512000 (bps) bc 2048 (bits) be 2048 (bits)\n",
            ["shape average 512000 2048"],
            id="a shaper whose Be is that of IOS",
        ),
        pytest.param(
            "      cir 30% bc 10 (msec) be 20 (msec)\n", None, id="a rate without a shaper is no line"
        ),
        pytest.param(
            "      Average Rate Traffic Shaping\n      cir 30% bc 10 (msec) be 20 (msec)\n",
            ["shape average percent 30 10 ms 20 ms"], id="a shaper in percent",
        ),
        pytest.param(
            "      packet-based wred, exponential weight 6\n\n"
            "      dscp    min-threshold    max-threshold    mark-probablity\n"
            "      ----------------------------------------------------------\n"
            "      af21    32               40               1/10\n"
            "      default (0)    -         -                1/10\n",
            [
                "random-detect dscp-based", "random-detect exponential-weighting-constant 6",
                "random-detect dscp af21 32 40 10",
            ],
            id="rows of WRED",
        ),
        pytest.param(
            "      police 8000 1500 2000 conform-action transmit exceed-action drop\n"
            "      set ip dscp ef\n",
            ["police 8000 1500 2000 conform-action transmit exceed-action drop", "set ip dscp ef"],
            id="a policer and a mark",
        ),
        pytest.param("      police cir percent 20 bc 300 ms\n", None, id="a policer in percent"),
        pytest.param("      compress header ip rtp\n", None, id="what the records do not hold"),
        pytest.param("      a line of a later release\n", None, id="a line that is not understood"),
    ],
)  # fmt: skip
def test_the_lines_of_a_class_are_those_that_print_it(shown: str, lines: list[str] | None) -> None:
    found = policy_of(WAN.format(f"    Class C\n{shown}    Class class-default\n"))

    assert found == (None if lines is None else {"C": lines, "class-default": []})


@pytest.mark.parametrize(
    ("shown", "port", "is_known"),
    [
        pytest.param("  Policy Map LAN\n    Class class-default\n", PORT, False, id="another one"),
        pytest.param(WAN.format(""), PORT, False, id="a policy without a class"),
        pytest.param(
            WAN.format("    Class class-default\n      fair-queue\n"),
            "hostname r1\nversion 15.1\n" + PORT, True, id="a part that holds more than an interface",
        ),
    ],
)  # fmt: skip
def test_only_what_is_named_and_shown_is_taken(shown: str, port: str, *, is_known: bool) -> None:
    assert (policy_of(shown, port) is not None) is is_known


def test_a_whole_configuration_is_not_added_to() -> None:
    text = PART.format(
        "version 15.1\nhostname r1\n" + PORT, "WAN", WAN.format("    Class class-default\n")
    )
    whole = text.replace(" interface Serial0/0\n", "\n", 1)
    reading = read_source(Source("r1.log", whole.encode()), Settings())

    assert reading.device.facts.policy_maps == ()


def test_a_nested_policy_comes_with_the_one_that_names_it() -> None:
    shaper = "    Class class-default\n      Average Rate Traffic Shaping\n      cir 512000 (bps)\n"
    shown = (
        f"{WAN.format(shaper)}      service-policy KID\n\n"
        "  Policy Map KID\n    Class V\n      priority 128 (kb/s)\n"
        "  Policy Map OTHER\n    Class V\n      priority 64 (kb/s)\n"
    )
    text = PART.format(PORT, "", shown).replace("policy-map \n", "policy-map\n")
    reading = read_source(Source("r1.log", text.encode()), Settings())

    assert [policy.name for policy in reading.device.facts.policy_maps] == ["WAN", "KID"]
