"""Bursts of a map-class that states them by direction: output alone is changed, and restored."""

import pytest

from advisor import api

CONFIG = """\
version 12.4
hostname r1
class-map match-all VOICE
 match ip dscp ef
policy-map LLQ
 class VOICE
  priority 64
interface Serial1/0
 encapsulation frame-relay
 frame-relay traffic-shaping
 clock rate 1536000
 tx-ring-limit 2
interface Serial1/0.1 point-to-point
 ip address 10.0.1.1 255.255.255.252
 frame-relay interface-dlci 201
  class MC
map-class frame-relay MC
 frame-relay cir out 512000
 frame-relay bc in 16000
{bursts} service-policy output LLQ
end
"""


@pytest.mark.parametrize(
    ("bursts", "lines"),
    [
        pytest.param(
            " frame-relay bc out 64000\n frame-relay be out 32000\n",
            {" frame-relay bc out 5120", " frame-relay be out 0"},
            id="both stated for output",
        ),
        pytest.param(
            " frame-relay bc out 64000\n", {" frame-relay bc out 5120"}, id="Bc for each direction"
        ),
    ],
)
def test_lines_change_the_output_of_a_map_class_alone(bursts: str, lines: set[str]) -> None:
    (plan,) = api.plan(api.of_texts({"r1": CONFIG.format(bursts=bursts)}))

    assert lines <= {line for step in plan.steps for line in step.lines}
    assert set(bursts.splitlines()) <= set(plan.rollback)
