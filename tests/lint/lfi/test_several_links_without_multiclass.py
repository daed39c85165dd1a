"""LFI008: interleaving over several links."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from tests.support.devices import device_of
from tests.support.verdicts import hits_of

SEVERAL_LINKS_WITHOUT_MULTICLASS = CHECKS["several-links-without-multiclass"]

BUNDLE = "interface Multilink1\n ppp multilink\n ppp multilink group 1\n{0}"
LINK = "interface Serial0/{0}\n encapsulation ppp\n ppp multilink group 1\n{1}"
INTERLEAVE = " ppp multilink interleave\n"
MULTICLASS = " ppp multilink multiclass\n"


@pytest.mark.parametrize(
    ("lines", "links", "found"),
    [
        pytest.param(INTERLEAVE, ("", ""), 1, id="two links"),
        pytest.param(INTERLEAVE, ("",), 0, id="one link"),
        pytest.param(INTERLEAVE, ("", " shutdown\n"), 0, id="one link of two"),
        pytest.param("", ("", ""), 0, id="nothing interleaves"),
        pytest.param(INTERLEAVE + MULTICLASS, ("", ""), 0, id="with multiclass"),
        pytest.param(INTERLEAVE, (MULTICLASS, ""), 0, id="a link has it"),
        pytest.param(INTERLEAVE + " shutdown\n", ("", ""), 0, id="the bundle is off"),
    ],
)
def test_interleaving_over_several_links(lines: str, links: tuple[str, ...], found: int) -> None:
    text = BUNDLE.format(lines) + "".join(LINK.format(n, own) for n, own in enumerate(links))
    hits = hits_of(SEVERAL_LINKS_WITHOUT_MULTICLASS.find(device_of(text), NoParams()))

    assert len(hits) == found
