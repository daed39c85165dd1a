"""A line outside of its section is named, and the verdict is not complete."""

import pytest

from advisor.device.reading import Source, read_source
from advisor.settings import Settings

MISPLACED = "stands outside of its section (interface, class) and is not judged"
CONFLICT = "marks a merge that is not resolved: the lines around it are not judged"
UNKNOWN = "is not known, and without indentation its section is not known either"


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        pytest.param("interface Serial0/0\nbandwidth 512\n", (), id="a flat section is complete"),
        pytest.param(
            "hostname R1\nbandwidth 512\n", (f"r1.ios:2: `bandwidth 512` {MISPLACED}",),
            id="a line of an interface",
        ),
        pytest.param(
            "bandwidth 512\ntx-ring-limit 3\nip address dhcp\n",
            (f"r1.ios:1: `bandwidth 512` {MISPLACED}; likewise lines 2, 3",),
            id="several lines in one sentence",
        ),
        pytest.param(
            "tx-ring-limit 3\n" * 12,
            (f"r1.ios:1: `tx-ring-limit 3` {MISPLACED}; likewise lines 2, 3, 4, 5, 6, 7, 8, 9 and 3 more",),
            id="many lines, counted",
        ),
        pytest.param(
            "hostname R1\nfrobnicate\nip cef\n", (f"r1.ios:2: `<removed>` {UNKNOWN}",),
            id="an unknown line of a flat text",
        ),
        pytest.param(
            "interface Serial0/0\n<<<<<<< HEAD\n tx-ring-limit 64\n=======\n tx-ring-limit 3\n>>>>>>> x\n",
            (f"r1.ios:2: `<removed>` {CONFLICT}; likewise lines 6",),
            id="a merge that is not resolved",
        ),
        pytest.param(
            "hostname R1\n<<<<<<< HEAD\nip cef\n=======\n>>>>>>> x\n",
            (f"r1.ios:2: `<removed>` {CONFLICT}; likewise lines 5", f"r1.ios:4: `<removed>` {UNKNOWN}"),
            id="a merge that is not resolved, in a flat text",
        ),
    ],
)  # fmt: skip
def test_reasons_for_an_incomplete_verdict(text: str, reasons: tuple[str, ...]) -> None:
    reading = read_source(Source("r1.ios", text.encode()), Settings())
    assert reading.incomplete == reasons


def test_no_secret_stands_in_a_reason() -> None:
    text = "hostname R1\nkey-string 7 SeCrEtWoRd\nppp chap password SeCrEtWoRd\n"
    reading = read_source(Source("r1.ios", text.encode()), Settings())
    assert len(reading.incomplete) == 1
    assert "SeCrEtWoRd" not in reading.incomplete[0]


NOT_JUDGED = "is not understood, and is not judged"
HEAD = "policy-map P\n class C\n  bandwidth 64\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("policy-map P\n class C\n  priority 64 too small?\n", 3, id="words behind a rate"),
        pytest.param("policy-map P\n class C\n  prioirty 64\n", 3, id="a misspelt action"),
        pytest.param(HEAD + "interace Serial0\n tx-ring-limit 3\n", 4, id="a misspelt section"),
        pytest.param(HEAD + "interface Serial0\n bandwith 64\n", 5, id="a misspelt rate"),
        pytest.param(HEAD + "interface Serial0\n hold-queue 99999999 out\n", 5, id="out of range"),
        pytest.param(HEAD + "interface Serial0\n service-polcy output P\n", 5, id="a misspelt use"),
        pytest.param(HEAD + "interface Serial0\n bandwidth512\n", 5, id="a rate without its blank"),
        pytest.param(
            HEAD + "interface Serial0\n service-policyoutput P\n", 5, id="a use without its blank"
        ),
        pytest.param(
            HEAD + "interface Serial0\n service-policy-output P\n", 5, id="a hyphen for a blank"
        ),
        pytest.param(
            HEAD + "interface Serial0\n noservice-policy output P\n", 5, id="`no` without its blank"
        ),
        pytest.param(HEAD + "  queue-limit64\n", 4, id="an action without its blank"),
        pytest.param(HEAD + " classVOICE\n", 4, id="a class without its blank"),
        pytest.param(HEAD + "class-mapmatch-any VOICE\n", 4, id="a section without its blank"),
        pytest.param(HEAD + "dlswlocal-peer peer-id 10.0.0.1\n", 4, id="a peer without its blank"),
        pytest.param(HEAD + "ip access-listextended X\n", 4, id="a list without its blank"),
        pytest.param(
            HEAD + "interface ATM0\n pvc 0/100\n  vbr-nrt512 512\n", 6, id="a circuit without it"
        ),
        pytest.param(
            HEAD + "interface Gi0/1\n service instance 1 ethernet\n  queue-limit 40\n", 6,
            id="a queue of a service instance",
        ),
    ],
)  # fmt: skip
def test_line_that_would_change_the_verdict_makes_it_incomplete(text: str, line: int) -> None:
    (reason,) = read_source(Source("r1.ios", text.encode()), Settings()).incomplete
    assert reason.startswith(f"r1.ios:{line}: `")
    assert NOT_JUDGED in reason


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("descripton to HQ", id="a misspelt word that nothing is judged by"),
        pytest.param("frobnicate 3", id="a command of another feature"),
    ],
)
def test_line_that_changes_no_verdict_leaves_it_complete(line: str) -> None:
    text = f"{HEAD}interface Serial0\n {line}\n"
    assert read_source(Source("r1.ios", text.encode()), Settings()).incomplete == ()
