"""CLS002: a class that reserves bandwidth and whose class-map has no criterion."""

import pytest

from advisor.lint.checks.cls import find_class_without_match
from tests.support.devices import device_of
from tests.support.verdicts import hits_of

POLICY = "policy-map WAN\n class VOICE\n  {action}\n class class-default\n  fair-queue\n"
EMPTY = "class-map match-any VOICE\n"
LISTS = (
    "ip access-list extended X\n remark calls\n"
    "ip access-list extended Y\n permit udp any any range 16384 32767\n"
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(EMPTY + POLICY.format(action="priority 128"), 1, id="a priority class"),
        pytest.param(EMPTY + POLICY.format(action="bandwidth 64"), 1, id="a guarantee"),
        pytest.param(
            "class-map VOICE\n description calls\n" + POLICY.format(action="priority 128"),
            1,
            id="a match-all with a description",
        ),
        pytest.param(
            EMPTY + " match dscp ef\n no match dscp ef\n" + POLICY.format(action="priority 128"),
            1,
            id="a criterion that a later line removes",
        ),
        pytest.param(
            EMPTY + POLICY.format(action="set dscp ef"), 0, id="nothing is reserved for the class"
        ),
        pytest.param(
            EMPTY + " matchdscp ef\n" + POLICY.format(action="priority 128"),
            0,
            id="a line that is not understood may be the criterion",
        ),
        pytest.param(
            EMPTY + "<output omitted>\n" + POLICY.format(action="priority 128"),
            0,
            id="a part is left out",
        ),
        pytest.param(
            EMPTY + POLICY.format(action="priority 128") + EMPTY + " match dscp ef\n",
            0,
            id="a later section of the name has the criterion",
        ),
        pytest.param(
            LISTS + EMPTY + " match access-group name X\n" + POLICY.format(action="priority 128"),
            1,
            id="a list without entries",
        ),
        pytest.param(
            LISTS
            + EMPTY
            + " match access-group name X\n match dscp ef\n"
            + POLICY.format(action="priority 128"),
            0,
            id="another criterion takes packets",
        ),
        pytest.param(
            LISTS
            + "class-map match-all VOICE\n match access-group name X\n match dscp ef\n"
            + POLICY.format(action="priority 128"),
            1,
            id="both criteria have to hold",
        ),
        pytest.param(
            LISTS + EMPTY + " match access-group name Y\n" + POLICY.format(action="priority 128"),
            0,
            id="a list with an entry",
        ),
        pytest.param(
            LISTS + EMPTY + " match access-group name Z\n" + POLICY.format(action="priority 128"),
            0,
            id="a list that is not defined is REF003's",
        ),
        pytest.param(
            (EMPTY + POLICY.format(action="bandwidth remaining ratio 10")).replace(
                "VOICE", "non-client-nrt-class"
            ),
            0,
            id="a class that IOS XE writes for itself",
        ),
    ],
)
def test_a_class_without_match(text: str, found: int) -> None:
    assert len(hits_of(find_class_without_match(device_of(text)))) == found
