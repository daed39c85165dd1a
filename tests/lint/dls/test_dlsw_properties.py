"""Any statements of DLSw+ are judged: none stops a run, and each remedy that is given holds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.settings import DlswDesign, Settings, Transactions

pytestmark = pytest.mark.slow


RULES = load_rules(Settings().budgets)
STATED = Settings(
    transactions=(Transactions("*", 10.0, 2000, 1000, 1024, "t.toml:1"),),
    dlsw=DlswDesign((("10.0.0.1", "10.0.0.2"),), 2, "t.toml:1"),
)
ADDRESSES = st.sampled_from(["10.0.0.1", "10.0.0.2", "10.0.0.3"])
OPTIONS = st.sampled_from(
    ["", " lf 516", " backup-peer 10.0.0.2", " backup-peer", " dynamic", " lsap-output-list 200"]
)
LINES = st.one_of(
    st.builds(
        "dlsw local-peer peer-id {}{}".format,
        ADDRESSES,
        st.sampled_from(["", " promiscuous", " lf 516 promiscuous passive", " group 3 border"]),
    ),
    st.builds(
        "dlsw remote-peer {} tcp {}{}".format, st.sampled_from([0, 3]), ADDRESSES, OPTIONS
    ),
    st.sampled_from(
        [
            "dlsw local-peer", "dlsw disable", "dlsw bridge-group 1", "bridge 1 protocol ieee",
            "dlsw remote-peer 0 interface Serial0", "dlsw remote-peer 0 fst 10.0.0.1",
            "dlsw bgroup-list 3 bgroups 1 2", "dlsw tos map high 5", "dlsw tos disable",
            "interface Serial0\n ip access-group 101 in\n service-policy output EDGE",
            "access-list 101 permit tcp any any eq 2065", "no dlsw local-peer",
            "class-map match-any V\n match ip precedence 5",
            "policy-map EDGE\n class V\n  priority 20\n class class-default\n  fair-queue",
        ]
    ),
)  # fmt: skip
RUNS = st.lists(st.lists(LINES, max_size=8), min_size=1, max_size=3)


@settings(max_examples=60, deadline=None)
@given(RUNS)
def test_any_statements_are_judged(devices: list[list[str]]) -> None:
    sources = [
        Source(f"{number}.cfg", "\n".join((f"hostname r{number}", *lines, "")).encode())
        for number, lines in enumerate(devices)
    ]

    verdict = review(sources, RULES, STATED)

    for finding in verdict.findings:
        assert finding.remedy is not None
        assert not finding.remedy.lines or finding.remedy.proof
