"""Remedies where the text is a part of a configuration: what they define may be there already."""

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Level, Remedy
from advisor.lint.run import review
from advisor.settings.values import Settings

SETTINGS = Settings()
RULES = load_rules(SETTINGS.budgets)
PROMPTS = """\
r1#show running-config interface Serial0/0
interface Serial0/0
 bandwidth 512
 ip address 10.0.0.1 255.255.255.252
 tx-ring-limit 1
 service-policy output WAN
r1#show running-config | section policy-map
policy-map WAN
 class V
  priority 64
 class D
  bandwidth 30
  queue-limit 2000
r1#show running-config | section class-map
class-map match-all V
 match ip dscp ef
class-map match-all D
 match ip dscp af31
"""
WHOLE = "hostname r1\n" + "".join(
    f"{line}\n" for line in PROMPTS.splitlines() if not line.startswith("r1#")
)


def remedies(text: str) -> dict[str, Remedy]:
    verdict = review([Source("r1.log", text.encode())], RULES, SETTINGS)
    return {each.rule: each.remedy for each in verdict.findings if each.remedy is not None}


def test_a_bundle_is_made_only_where_its_number_is_known_to_be_free() -> None:
    assert remedies(WHOLE)["LFI001"].lines[0] == "interface Multilink1"

    part = remedies(PROMPTS)["LFI001"]
    assert (part.level, part.lines) == (Level.MANUAL, ())
    assert "the device may have `interface Multilink1` already" in (part.advice or "")


def test_an_edit_of_a_policy_says_that_others_may_use_it() -> None:
    said = "outputs that are not in this text may use WAN too"

    part, whole = remedies(PROMPTS)["QLM001"], remedies(WHOLE)["QLM001"]

    assert part.lines == whole.lines
    assert said in (part.advice or "")
    assert said not in (whole.advice or "")
    assert part.level is Level.NEEDS_WINDOW
