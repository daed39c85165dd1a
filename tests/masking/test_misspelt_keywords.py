"""A keyword with one or two wrong letters is shown, with the figure that is due behind it."""

import pytest

from advisor.capture.masking import mask_line


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("tx-ring-limt 10", "tx-ring-limt 10"),
        (" bandwith 512", " bandwith 512"),
        (" prioirty 128 hunter", " prioirty 128 <removed>"),
        (" no tx-ring-limt 64", " no tx-ring-limt 64"),
        (" bandwith 84736251", " bandwith <removed>"),  # no rate has eight digits
        (" bandwith 10.9.8.7", " bandwith <removed>"),
        (" bandwith hunter", " bandwith <removed>"),
        (" servce-policy 512", " servce-policy <removed>"),
        (" service-polcy output hunter", " service-polcy <removed>"),
        ("randm-detect dscp-based", "randm-detect <removed>"),
        ("no tx-ring-limt hunter", "no tx-ring-limt <removed>"),
        ("random-detect dscp-basd hunter", "random-detect dscp-basd <removed>"),
        ("polcy-map hunter", "polcy-map <removed>"),
    ],
)
def test_misspelt_keyword_is_shown_without_what_may_be_a_secret(line: str, shown: str) -> None:
    assert mask_line(line) == shown


@pytest.mark.parametrize(
    "line",
    [
        "S3cr3tWord",
        "hunter2",
        "tx-rng-lmt-x 10",  # three letters from tx-ring-limit
        "tx-ring-l1mit 10",  # a keyword has no digits
        "random-detectSecret dscp-based",
        "xyzzy service-policy output WAN",
        "no hunter",
    ],
)
def test_word_that_is_not_near_a_keyword_stays_hidden(line: str) -> None:
    assert mask_line(line) == "<removed>"
