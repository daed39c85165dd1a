"""What is typed at a device's own prompt ends the output ahead of it, whatever it is."""

import pytest

from advisor.capture.cuts import read_capture
from advisor.capture.sections import SectionKind
from tests.support.devices import device_read

# Layout of a terminal log of a 2800 with 15.1(4)M and HQF.
_LOG = """edge-1#show policy-map interface
 Serial0/0

  Service-policy output: WAN

    Class-map: class-default (match-any)
      7000 packets, 4200000 bytes
      5 minute offered rate 200000 bps, drop rate 0 bps
      Match: any
edge-1{typed}
Trying 10.9.9.9 ...
% Connection timed out; remote host not responding

edge-1#
"""


@pytest.mark.parametrize(
    "typed",
    ["#10.9.9.9", "#edge-2", "#1", "#foo", "#! note", "#service-module gi1/0 session", ">foo bar"],
)
def test_unknown_command_at_the_own_prompt_ends_the_output(typed: str) -> None:
    log = _LOG.format(typed=typed)
    kinds = [section.kind for section in read_capture(log, "r1.log").sections]
    assert kinds == [SectionKind.SHOW, SectionKind.UNKNOWN]
    policy = device_read(log).seen.policies[0]
    assert ([seen.name for seen in policy.classes], policy.unread) == (["class-default"], ())


@pytest.mark.parametrize("row", ["Device#   PID", "edge-2#10.9.9.9", "edge-1#   foo"])
def test_row_of_an_output_that_has_the_form_of_a_prompt_stays_in_it(row: str) -> None:
    log = f"edge-1#show inventory\nNAME: x\n{row}\nedge-1#\n"
    sections = read_capture(log, "r1.log").sections
    assert [section.command for section in sections] == ["show inventory"]
