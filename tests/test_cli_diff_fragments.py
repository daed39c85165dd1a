"""`diff` of fragments that one end of a link gets or loses, whether its rate is known or not."""

import json
from pathlib import Path

import pytest

from advisor.cli import run

Said = pytest.CaptureFixture[str]

QUEUES = (
    "class-map match-any VOICE\n match ip dscp ef\n"
    "policy-map EDGE\n class VOICE\n  priority 64\n class class-default\n  fair-queue\n"
)
FRAGMENT, DELAY = " frame-relay fragment 320\n", " ppp multilink fragment delay 10\n"
INTERLEAVE = " ppp multilink interleave\n"


def circuit(name: str, fragment: str, port: str = "") -> str:
    host = {"hub": 1, "spoke": 2}[name]
    return (
        f"version 12.4\nhostname {name}\n{QUEUES}interface Serial0/0\n"
        f" encapsulation frame-relay\n{port} frame-relay traffic-shaping\n"
        "interface Serial0/0.1 point-to-point\n"
        f" ip address 192.0.2.{host} 255.255.255.252\n frame-relay interface-dlci 100\n  class M\n"
        "map-class frame-relay M\n frame-relay cir 256000\n frame-relay mincir 256000\n"
        f"{fragment} service-policy output EDGE\nend\n"
    )


def bundle(fragments: str) -> str:
    return (
        f"version 12.4\nhostname hub\n{QUEUES}interface Multilink1\n ppp multilink\n"
        f" ppp multilink group 1\n{fragments} service-policy output EDGE\n"
        "interface Virtual-Template1\n ppp multilink group 1\nend\n"
    )


HUB, SPOKE = circuit("hub", FRAGMENT), circuit("spoke", FRAGMENT)
BARE_HUB, BARE_SPOKE = circuit("hub", ""), circuit("spoke", "")
CLOCKED = " clock rate 1536000\n"


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        pytest.param([HUB], [BARE_HUB], [True], id="taken away, and nobody knows the other end"),
        pytest.param([circuit("hub", FRAGMENT, CLOCKED)], [circuit("hub", "", CLOCKED)], [True],
                     id="with the delay, where the rate is known"),
        pytest.param([HUB, SPOKE], [BARE_HUB, SPOKE], [True], id="the other end still cuts"),
        pytest.param([circuit("hub", FRAGMENT, CLOCKED), SPOKE],
                     [circuit("hub", "", CLOCKED), BARE_SPOKE], [False, True],
                     id="at both ends: voice waits where no rate tells how long"),
        pytest.param([BARE_HUB], [HUB], [False], id="added, and nobody knows the other end"),
        pytest.param([BARE_HUB, BARE_SPOKE], [HUB, BARE_SPOKE], [True],
                     id="added, and the other end drops them"),
        pytest.param([HUB], [circuit("hub", " frame-relay fragment 640\n")], [], id="another size"),
        pytest.param([bundle(DELAY + INTERLEAVE)], [bundle("")], [True], id="no interleaving"),
        pytest.param([bundle("")], [bundle(DELAY + INTERLEAVE)], [], id="interleaving is agreed"),
    ],
)  # fmt: skip
def test_what_one_end_no_longer_cuts_is_told(
    old: list[str], new: list[str], counts: list[bool], tmp_path: Path, capsys: Said
) -> None:
    for name, texts in (("old", old), ("new", new)):
        (tmp_path / name).mkdir()
        for number, text in enumerate(texts):
            (tmp_path / name / f"{number}.cfg").write_text(text, "utf-8")

    run(["diff", str(tmp_path / "old"), str(tmp_path / "new"), "--format", "json"])

    said = json.loads(capsys.readouterr().out)["predictions"]
    found = sorted(each["counts"] for each in said if each["fragments"])
    assert found == counts


def test_the_words_name_both_ends(tmp_path: Path, capsys: Said) -> None:
    for name, text in (("old", HUB), ("new", BARE_HUB)):
        (tmp_path / f"{name}.cfg").write_text(text, "utf-8")

    code = run(["diff", str(tmp_path / "old.cfg"), str(tmp_path / "new.cfg")])

    said = capsys.readouterr().out
    assert code == 1
    assert "takes the fragments from Serial0/0.1 > dlci 100" in said
    assert "fragments of 320 bytes → none; VOICE waits behind whole packets" in said
