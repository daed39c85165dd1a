"""Proofs cost what they touch: work is counted, not timed, and is linear in interfaces."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from advisor.device.device import Device
from advisor.device.reading import Source
from advisor.facts.read_interfaces import read_interface
from advisor.ground.questions import Together, forget
from advisor.lint import judge as lint_judge
from advisor.lint import prove as proof
from advisor.lint.cards import load_rules
from advisor.lint.judge import Hits
from advisor.lint.plan import RemedySelection, plan_run
from advisor.lint.run import review
from advisor.outlet import outlets
from advisor.outlet.class_bandwidth import class_rate
from advisor.outlet.outlet import Outlet
from advisor.predict.classes import solved
from advisor.settings import Settings

SETTINGS = Settings()
RULES = [rule for rule in load_rules(SETTINGS.budgets) if rule.card.id[:3] in ("TXR", "WRD", "LFI")]
HEAD = "hostname hub\nclass-map match-all VOICE\n match ip dscp ef\n"
SITE = (
    "policy-map WAN{0}\n class VOICE\n  priority 128\n class class-default\n  random-detect\n"
    "interface Serial{0}/0\n bandwidth {1}\n clock rate {1}000\n encapsulation ppp\n"
    " tx-ring-limit 64\n service-policy output WAN{0}\n"
)


class Work(Counter[str]):
    """How often a function did something."""


def counted(sites: int, rates_kbps: int, patched: pytest.MonkeyPatch) -> Work:
    """`counted_text` of a hub with a policy for each site."""
    sites_text = "".join(SITE.format(n, 512 + 8 * (n % rates_kbps)) for n in range(sites))
    return counted_text(HEAD + sites_text, patched)


def counted_text(text: str, patched: pytest.MonkeyPatch) -> Work:
    """Sections of interfaces that are read, and interfaces of the model that are solved."""
    work = Work()
    forget()
    solve = solved._solved

    def reading(*given: object) -> None:
        work["sections"] += 1
        read_interface(*given)  # type: ignore[arg-type]

    def solving(interfaces: object) -> object:
        work["solved"] += len(interfaces)  # type: ignore[arg-type]
        return solve(interfaces)  # type: ignore[arg-type]

    with patched.context() as patch:
        patch.setattr("advisor.facts.read_config.read_interface", reading)
        patch.setattr(solved, "_SOLUTIONS", Together(solving, 4096))  # type: ignore[arg-type]
        findings = review([Source("hub.ios", text.encode())], RULES, SETTINGS).findings
    work["remedies"] = sum(1 for each in findings if each.remedy and each.remedy.lines)
    return work


@pytest.mark.parametrize(("few", "many"), [(8, 16), (16, 32)])
def test_sections_are_read_in_proportion_to_the_interfaces(
    few: int, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = counted(few, 1, monkeypatch), counted(many, 1, monkeypatch)

    assert after["remedies"] == many / few * before["remedies"] > 0
    assert after["sections"] <= 1.1 * many / few * before["sections"]


def class_maps_judged(count: int, patched: pytest.MonkeyPatch) -> int:
    """Class-maps of all devices that are judged, where nothing uses any of so many."""
    forget()
    judged, rules = 0, load_rules(SETTINGS.budgets)
    judging = lint_judge._judged

    def counting(device: Device, *others: Any) -> Hits:
        nonlocal judged
        judged += len(device.facts.class_maps)
        return judging(device, *others)

    maps = "".join(f"class-map match-any C{n}\n match ip dscp {n}\n" for n in range(count))
    source = Source("r1.ios", f"version 12.4\nhostname r1\n{PLAIN}{maps}end\n".encode())
    with patched.context() as patch:
        patch.setattr(lint_judge, "_judged", counting)
        findings = review([source], rules, SETTINGS).findings
    assert sum(1 for each in findings if each.remedy and each.remedy.lines) == count
    return judged


PLAIN = "interface Serial0/0\n bandwidth 768\n ip address 10.0.0.1 255.255.255.252\n"


def test_class_maps_without_use_are_proven_each_on_its_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few, many = class_maps_judged(16, monkeypatch), class_maps_judged(32, monkeypatch)

    assert many <= 1.1 * 2 * few


def test_an_output_without_a_policy_and_a_hold_queue_is_none_to_judge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[object] = []
    monkeypatch.setattr("advisor.outlet.plain.outlet_at", asked.append)

    class_maps_judged(8, monkeypatch)

    assert not asked


def test_outputs_that_are_alike_are_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    one, alike = counted(1, 1, monkeypatch), counted(12, 1, monkeypatch)

    assert alike["solved"] == one["solved"] > 0


BUNDLE = (
    "interface Multilink{0}\n bandwidth 768\n ppp multilink\n ppp multilink group {0}\n"
    " service-policy output WAN\n"
    "interface Serial{0}/0\n bandwidth 384\n encapsulation ppp\n"
    " ppp multilink\n ppp multilink group {0}\n"
    "interface Serial{0}/1\n bandwidth 384\n encapsulation ppp\n"
    " ppp multilink\n ppp multilink group {0}\n"
)
SHARED = (
    "hostname hub\nclass-map match-all VOICE\n match ip dscp ef\n"
    "policy-map WAN\n class VOICE\n  priority 128\n class class-default\n  random-detect\n"
)


def test_bundles_that_differ_in_their_numbers_are_solved_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def solved(bundles: int) -> int:
        text = SHARED + "".join(BUNDLE.format(n + 1) for n in range(bundles))
        return counted_text(text, monkeypatch)["solved"]

    one, alike = solved(2), solved(12)

    assert alike == one > 0


def test_a_device_without_a_finding_is_searched_for_no_alike_interfaces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched = Work()

    def search(*_: object) -> None:
        searched["devices"] += 1

    monkeypatch.setattr("advisor.lint.alike_interfaces.judged_by_alike", search)
    ports = "".join(f"interface Serial{n}/0\n bandwidth {64 * n}\n" for n in range(1, 12))

    counted_text(f"hostname hub\n{ports}end\n", monkeypatch)
    assert searched["devices"] == 0

    sites = "".join(SITE.format(n, 512) for n in range(12))
    counted_text(HEAD + sites, monkeypatch)
    assert searched["devices"] == 1


REFUSED = (
    "interface Serial{0}/0\n bandwidth {1}\n encapsulation ppp\n tx-ring-limit 64\n"
    " service-policy output WAN\n"
)


def test_findings_that_a_refused_policy_makes_void_are_proven_for_two_ports_of_a_kind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = load_rules(SETTINGS.budgets)

    def proofs(ports: int) -> Work:
        work = Work()
        forget()
        prove = proof.prove

        def counted(*given: object) -> object:
            work["proofs"] += 1
            return prove(*given)  # type: ignore[arg-type]

        text = SHARED + "".join(REFUSED.format(n, (96, 512)[n % 2]) for n in range(ports))
        with monkeypatch.context() as patch:
            patch.setattr(proof, "prove", counted)
            findings = review([Source("hub.ios", text.encode())], rules, SETTINGS).findings
        work["void"] = sum(1 for each in findings if each.void_by is not None)
        return work

    few, many = proofs(12), proofs(48)

    assert many["void"] > 3 * few["void"] > 0
    assert many["proofs"] == few["proofs"]


OWN = (
    "class-map match-all C{0}\n match ip dscp ef\n"
    "policy-map P_{0}\n class C{0}\n  priority 64\n class class-default\n  random-detect\n"
    "interface Serial{0}/0\n bandwidth 512\n encapsulation ppp\n tx-ring-limit 64\n"
    " service-policy output P_{0}\n"
)


def test_sites_with_a_class_map_each_are_judged_by_two_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def work_of(sites: int) -> Work:
        text = "hostname hub\n" + "".join(OWN.format(n) for n in range(10, 10 + sites))
        return counted_text(text, monkeypatch)

    few, many = work_of(6), work_of(48)

    assert many["remedies"] == 8 * few["remedies"] > 0
    assert many["sections"] - few["sections"] == 48 - 6  # each is read once, and proven no more
    assert many["solved"] == few["solved"] > 0


CHANNEL = (
    "interface Serial1/{0}:{1}\n bandwidth 768\n ip address 10.{0}.{1}.1 255.255.255.252\n"
    " encapsulation ppp\n tx-ring-limit 16\n service-policy output WAN\n"
)
ALIKE = {
    "channels": "end\n",
    "channels of a capture that was cut": "interface Serial2/0\n bandwidth 7",
}


@pytest.mark.parametrize("tail", ALIKE.values(), ids=ALIKE)
def test_channels_that_are_alike_are_proven_once(
    tail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work_of(channels: int) -> Work:
        body = "".join(CHANNEL.format(n // 24, n % 24) for n in range(channels))
        return counted_text(f"Building configuration...\n{SHARED}{body}{tail}", monkeypatch)

    few, many = work_of(6), work_of(48)

    assert many["remedies"] == 8 * few["remedies"] > 0
    assert many["sections"] - few["sections"] == 48 - 6
    assert many["solved"] == few["solved"] > 0


def test_a_tuned_queue_at_a_ring_is_found_at_its_own_output_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def rates(channels: int) -> int:
        asked = Work()

        def counted(*given: Any) -> object:
            asked["rates"] += 1
            return class_rate(*given)

        body = "".join(CHANNEL.format(n // 24, n % 24) for n in range(channels))
        text = SHARED.replace("random-detect", "queue-limit 20") + f"{body}end\n"
        with monkeypatch.context() as patch:
            patch.setattr("advisor.outlet.class_service.class_rate", counted)
            counted_text(text, patch)
        return asked["rates"]

    few, many = rates(12), rates(48)

    assert 0 < many <= 1.1 * 4 * few


CUT = {"a whole capture": "end\n", "a capture that was cut": "interface Serial3/0\n bandwidth 7"}


@pytest.mark.parametrize("tail", CUT.values(), ids=CUT)
def test_a_proof_of_a_channel_reads_its_part_alone(
    tail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sections(channels: int) -> int:
        body = "".join(PORT.format(n, 512 + n, 64) for n in range(channels))
        return counted_text(f"Building configuration...\n{SHARED}{body}{tail}", monkeypatch)[
            "sections"
        ]

    assert sections(48) <= 1.1 * 2 * sections(24)


PORT = (
    "interface Serial1/0.1/1/{0}/1:0\n bandwidth {1}\n encapsulation ppp\n"
    " tx-ring-limit {2}\n service-policy output WAN\n"
)
CIRCUIT = (
    "interface ATM0/0.{0} point-to-point\n pvc 1/{0}\n  vbr-nrt 512 512\n"
    "  tx-ring-limit 40\n  service-policy output WAN\n"
)
NONE_ALIKE = {
    "channels with a rate each": lambda n: PORT.format(n, 512 + n, 64),
    "channels with a ring each": lambda n: PORT.format(n, 512, 20 + n),
    "circuits of one port": lambda n: CIRCUIT.format(n + 32),
}


@pytest.mark.parametrize("kind", NONE_ALIKE)
def test_a_proof_judges_no_more_outputs_where_a_policy_has_more_users(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judged(count: int) -> Work:
        work = Work()
        forget()
        find = outlets._outlets

        def counted(device: Device) -> Iterator[Outlet]:
            for outlet in find(device):
                work["outputs"] += 1
                yield outlet

        text = SHARED + "".join(NONE_ALIKE[kind](n) for n in range(1, count + 1))
        chosen = RemedySelection(tuple(rule.card.id for rule in RULES))
        with monkeypatch.context() as patch:
            patch.setattr(outlets, "_outlets", counted)
            plan = plan_run([Source("hub.ios", text.encode())], RULES, SETTINGS, chosen)
        work["steps"] = len(plan.devices[0].steps)
        return work

    few, many = judged(10), judged(30)

    assert many["steps"] > 2.8 * few["steps"] > 0
    assert many["outputs"] <= 3.5 * few["outputs"]


def test_a_port_with_a_longer_number_leaves_the_others_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sections(first: int) -> int:
        ports = (
            OWN.format(n).replace(f"Serial{n}/0", f"Serial0/{n}") for n in range(first, first + 24)
        )
        return counted_text("hostname hub\n" + "".join(ports), monkeypatch)["sections"]

    assert sections(988) == sections(100)
