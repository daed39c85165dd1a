"""When an output was taken, as far as its text says so."""

import pytest

from advisor.capture.clock import TimeSource
from advisor.capture.cuts import read_capture

ROUTER, LOG = TimeSource.ROUTER, TimeSource.LOG


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a1#show clock\n13:15:22.851 UTC Fri Apr 18 2008\n",
                     ("2008-04-18T13:15:22.851000", "UTC", ROUTER, True), id="show clock"),
        pytest.param("a1#show clock\n*00:01:02.003 UTC Mon Mar 1 1993\n",
                     ("1993-03-01T00:01:02.003000", "UTC", ROUTER, False),
                     id="a clock that was never set"),
        pytest.param("a1#sh clock detail\n.13:15:22.851 CEST Fri Apr 18 2008\nTime source is NTP\n",
                     ("2008-04-18T13:15:22.851000", "CEST", ROUTER, False),
                     id="a clock that lost its server"),
        pytest.param("r1#show version\nLoad for five secs: 1%/0%; one minute: 4%; five minutes: 5%\n"
                     "Time source is NTP, 05:29:50.102 UTC Sat Aug 22 2026\nCisco IOS Software\n",
                     ("2026-08-22T05:29:50.102000", "UTC", ROUTER, True), id="IOS XE prints it first"),
        pytest.param("r1#show version\nNo time source, *05:29:50.102 UTC Sat Aug 22 2026\n\nCisco IOS\n",
                     ("2026-08-22T05:29:50.102000", "UTC", ROUTER, False), id="no time source"),
        pytest.param("13:15:22.851 UTC Fri Apr 18 2008\n",
                     ("2008-04-18T13:15:22.851000", "UTC", ROUTER, True), id="show clock without prompt"),
        pytest.param("[2008-04-18 13:15:22] a1#sh ver\nCisco IOS Software\n",
                     ("2008-04-18T13:15:22", None, LOG, None), id="a log that stamps its lines"),
        pytest.param("2008-04-18T13:15:22Z a1#sh ver\nCisco IOS Software\n",
                     ("2008-04-18T13:15:22", "UTC", LOG, None), id="a log in UTC"),
        pytest.param("[13:15:22] a1#sh ver\nCisco IOS Software\n", None, id="a stamp without its day"),
        pytest.param("a1#show clock\n13:15:22.851 UTC Fri Apr 31 2008\n", None, id="no such day"),
        pytest.param("a1#show clock\n25:15:22.851 UTC Fri Apr 18 2008\n", None, id="no such hour"),
        pytest.param("a1#sh ver\nCisco IOS Software\n", None, id="no time"),
        pytest.param("a1#sh ver\n13:15:22.851 UTC Fri Apr 18 2008\n", None,
                     id="a time in another output is not that of the capture"),
        pytest.param("a1#sh run\n! Last configuration change at 09:37:40 CEST Tue Aug 20 2024\nend\n",
                     None, id="a change is no capture"),
    ],
)  # fmt: skip
def test_time_of_a_capture(
    text: str, expected: tuple[str, str | None, TimeSource, bool | None] | None
) -> None:
    time = read_capture(text, "a1.txt").time
    said = time and (time.local.isoformat(), time.zone, time.source, time.is_synchronized)
    assert said == expected


def test_time_of_each_section_is_kept() -> None:
    text = "[2008-04-18 13:15:22] a1#sh ver\nCisco IOS Software\n[2008-04-18 13:16:00] a1#sh ip rou\nx\n"
    capture = read_capture(text, "a1.txt")
    assert [each.time and each.time.local.second for each in capture.sections] == [22, 0]
    assert capture.time == capture.sections[0].time
