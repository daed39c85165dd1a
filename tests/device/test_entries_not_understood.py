"""An entry of an access list that a class matches, and that is not understood, is said."""

import pytest

from advisor.device.reading import Source, read_source
from advisor.settings import Settings

CONFIG = """version 12.4
hostname r1
!
class-map match-any BULK
 match access-group {named}
!
policy-map EDGE
 class BULK
  bandwidth 64
!
interface Serial0/0
 service-policy output EDGE
!
{list}
!
end
"""


def incomplete(named: str, access_list: str) -> list[str]:
    text = CONFIG.format(named=named, list=access_list)
    reading = read_source(Source("r1.cfg", text.encode()), Settings())
    return [reason for reason in reading.incomplete if "is not understood" in reason]


@pytest.mark.parametrize(
    ("named", "access_list"),
    [
        pytest.param("101", "access-list 101 permit tcp any any range 2000", id="a range without its end"),
        pytest.param("101", "access-list 101 permit tcp any any eq", id="a port that is cut off"),
        pytest.param("101", "access-list 101 permit tcp any host", id="an address that is cut off"),
        pytest.param("7", "access-list 7 permit 10.0.0.0 0.0", id="a mask that is cut off"),
        pytest.param("name B", "ip access-list extended B\n permit tcp any", id="a named list"),
        pytest.param(
            "name B", "ip access-list extended B\n permit tcp any any eq 20\n permit tcp any any gt",
            id="one of two entries",
        ),
    ],
)  # fmt: skip
def test_entry_that_ends_early_makes_the_verdict_incomplete(named: str, access_list: str) -> None:
    (reason,) = incomplete(named, access_list)

    assert reason.endswith("is not understood: what the classes of its list match is not judged")
    assert access_list.rpartition("\n")[2].strip() in reason


@pytest.mark.parametrize(
    ("named", "access_list"),
    [
        pytest.param("101", "access-list 101 permit tcp any any range 2000 2009", id="an entry"),
        pytest.param("102", "access-list 101 permit tcp any any range 2000", id="a list that no class has"),
        pytest.param(
            "name B", "ip access-list extended B\n permit tcp any any time-range NIGHT",
            id="a time, which IOS knows",
        ),
        pytest.param(
            "name B", "ip access-list extended B\n permit object-group WEB any any",
            id="a group of objects, which IOS knows",
        ),
        pytest.param("name B", "ipv6 access-list B\n permit ipv6 2001:db8::/32 any", id="a list of IPv6"),
        pytest.param("701", "access-list 701 permit 0000.0c00.0111 0000.0000.0000", id="a list of stations"),
    ],
)  # fmt: skip
def test_entry_that_ios_knows_costs_no_completeness(named: str, access_list: str) -> None:
    assert incomplete(named, access_list) == []
