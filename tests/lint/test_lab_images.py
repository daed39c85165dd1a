"""No setting is compared with the port of a lab image: it runs at the rate of its host."""

import pytest

from advisor import api

CONFIG = """
version 15.2
hostname r1
class-map match-any VOICE
 match dscp ef
policy-map SHAPE
 class class-default
  shape average 20000000
policy-map SHARES
 class VOICE
  priority 15000
 class class-default
  bandwidth 5000
interface Ethernet0/0
 bandwidth 100000
 service-policy output SHAPE
interface Ethernet0/1
 bandwidth 100000
 service-policy output SHARES
interface Ethernet0/2
 bandwidth 5000
 service-policy output SHARES
end
"""
RULES = ("CBW004", "LLQ001", "LLQ008", "SHP002", "SHP003")


@pytest.mark.parametrize(
    ("platform", "config", "is_judged"),
    [
        pytest.param("2811", CONFIG, True, id="a router"),
        pytest.param("iol", CONFIG, False, id="a lab image"),
        pytest.param("iol", CONFIG.replace(" bandwidth 100000\n", " bandwidth 100000\n speed 10\n"),
                     True, id="a lab image with a rate in its lines"),
    ],
)  # fmt: skip
def test_rules_that_compare_with_the_port(platform: str, config: str, *, is_judged: bool) -> None:
    report = api.lint(api.of_texts({"r1": config}, platform=platform, select=RULES))
    assert bool(report.findings) is is_judged
    if not is_judged:
        reasons = {each.reason for each in report.skipped}
        assert reasons == {"the port of a lab image runs at the rate of its host"}
