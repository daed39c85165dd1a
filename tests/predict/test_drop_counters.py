"""WRED as a router shows it beside a prediction: what it prints as 0 gives no curve."""

import pytest

from advisor.device.reading import Source, read_source
from advisor.outlet.outlets import outlets
from advisor.predict.wred.drop_counters import wred_seen
from advisor.settings import Settings

SESSION = """\
R1#show running-config
version 12.2
hostname R1
policy-map WRED
 class class-default
  random-detect
interface Serial0/0
 bandwidth 512
 service-policy output WRED
end
R1#show queueing random-detect
Current random-detect configuration:
  Serial0/0
    Queueing strategy:random early detection (WRED)
    Exp-weight-constant:9 (1/512)
    Mean queue depth:30
  Class   Random       Tail    Minimum    Maximum       Mark       Output
           drop       drop   threshold  threshold  probability    packets
    0          7          2         20         40         1/{denominator}       4410
    1          0          0         60         109         1/10          0
R1#
"""


@pytest.mark.parametrize(
    ("denominator", "has_curve"),
    [
        pytest.param("10", True, id="a denominator"),
        pytest.param("0", False, id="0, which divides nothing"),
    ],
)
def test_curve_of_a_shown_row(denominator: str, has_curve: bool) -> None:
    text = SESSION.format(denominator=denominator)
    device = read_source(Source("r1.log", text.encode()), Settings()).device
    (outlet,) = outlets(device)
    seen = wred_seen(device, outlet, "class-default")
    assert seen is not None
    (row,) = seen.rows
    assert (row.curve_percent is not None) == has_curve
