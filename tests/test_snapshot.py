"""Which queueing implementation a config speaks of, and how sure that is."""

import pytest

from advisor.device.platform_evidence import platform_of
from advisor.device.platforms import Generation
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.shows.observations import Observations


@pytest.mark.parametrize(
    ("text", "generation", "assumed"),
    [
        pytest.param("hostname r1\n", Generation.PRE_HQF, True, id="no version line"),
        pytest.param("version 12.0\n", Generation.PRE_HQF, False, id="12.0"),
        pytest.param("version 12.4\n", Generation.PRE_HQF, True, id="12.4 may be 12.4(20)T"),
        pytest.param("version 15.1\n", Generation.HQF, False, id="15.x"),
        pytest.param("version 16.9\n", Generation.XE, False, id="16.x is IOS XE"),
        pytest.param(
            "version 12.4\nboot system flash:c2800nm-advipservicesk9-mz.124-24.T5.bin\n",
            Generation.HQF,
            False,
            id="a boot image of 12.4(24)T tells more than the version line",
        ),
        pytest.param(
            "version 12.4\nboot system flash:c2800nm-advipservicesk9-mz.124-15.T9.bin\n",
            Generation.PRE_HQF,
            False,
            id="12.4(15)T is before HQF",
        ),
    ],
)
def test_the_generation_of_a_config(text: str, generation: Generation, assumed: bool) -> None:
    facts = read_facts(parse_config(text, "r1.ios"))
    platform = platform_of(facts, Observations(), "r1")
    assert (platform.generation, platform.assumed) == (generation, assumed)
