"""LLQ004 beside WRED: IOS takes no `priority` next to it, so the act by hand removes it first."""

from advisor.api import lint, of_texts
from advisor.report.first_steps import first_steps

CONFIG = """Building configuration...

Current configuration : 400 bytes
!
version 12.4
hostname r1
class-map match-any VOICE
 match ip dscp ef
class-map match-any GOLD
 match ip dscp af21 af22
policy-map WAN
 class VOICE
  priority 1000 100
  random-detect
 class GOLD
  bandwidth 600
  random-detect
interface Serial0/0/0
 bandwidth 4000
 clock rate 4000000
 encapsulation ppp
 service-policy output WAN
end
"""


def test_the_act_that_saves_voice_comes_ahead_of_the_check_and_of_data() -> None:
    findings = lint(of_texts({"r1.cfg": CONFIG})).findings
    burst = next(item for item in findings if item.rule == "LLQ004")
    assert burst.prediction is not None
    assert burst.prediction.gain == 100
    assert not burst.lines
    assert burst.remedy is not None
    assert "first `no random-detect`" in (burst.remedy.advice or "")
    assert "then `priority 1000`" in (burst.remedy.advice or "")
    steps = first_steps(findings, {"r1": "r1.cfg"})
    assert [step.split()[0] for step in steps] == ["LLQ004", "WRD001", "WRD008"]
