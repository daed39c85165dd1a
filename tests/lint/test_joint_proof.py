"""Remedies of several devices proven together: a backup peer needs a head end that accepts it."""

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Level
from advisor.lint.plan import DevicePlan, RemedySelection, plan_run
from advisor.settings import DlswDesign, Settings

RULES = load_rules(Settings().budgets)
SETTINGS = Settings(dlsw=DlswDesign(redundant_peers=(("10.0.0.1", "10.0.0.2"),)))
SELECTED = RemedySelection(("DLS003",))
BRANCH = "dlsw local-peer peer-id 10.1.1.1\ndlsw remote-peer 0 tcp 10.0.0.1\n"
FIRST = "dlsw local-peer peer-id 10.0.0.1\ndlsw remote-peer 0 tcp 10.1.1.1\n"
SECOND = "dlsw local-peer peer-id 10.0.0.2{}\ndlsw remote-peer 0 tcp 10.1.9.9\n"


def source(name: str, text: str) -> Source:
    return Source(f"{name}.ios", f"version 12.3\nhostname {name}\n{text}end\n".encode())


def plan_of_branch(*others: Source, settings: Settings = SETTINGS) -> DevicePlan:
    sources = [source("branch", BRANCH), *others]
    plan = plan_run(sources, RULES, settings, SELECTED)
    (found,) = (each for each in plan.devices if each.device == "branch")
    return found


def test_a_backup_peer_stands_where_its_head_end_accepts_it() -> None:
    plan = plan_of_branch(source("h1", FIRST), source("h2", SECOND.format(" promiscuous")))

    assert plan.lines == ("dlsw remote-peer 0 tcp 10.0.0.2 backup-peer 10.0.0.1",)


def test_a_backup_peer_that_its_head_end_refuses_has_no_lines() -> None:
    plan = plan_of_branch(source("h1", FIRST), source("h2", SECOND.format("")))

    assert plan.lines == ()
    (left,) = plan.by_hand
    assert left.remedy is not None
    assert left.remedy.level is Level.MANUAL
    assert "enter `dlsw remote-peer 0 tcp 10.1.1.1` on h2 first" in (left.remedy.advice or "")


def test_a_peer_that_is_too_many_for_its_head_end_has_no_lines() -> None:
    heads = [source(f"h{n}", f"dlsw local-peer peer-id 10.0.0.{n} promiscuous\n") for n in (1, 2)]
    both = "dlsw remote-peer 0 tcp 10.0.0.1\ndlsw remote-peer 0 tcp 10.0.0.2\n"
    others = [source(f"b{n}", f"dlsw local-peer peer-id 10.1.{n}.1\n{both}") for n in (8, 9)]
    settings = Settings(dlsw=DlswDesign(fault_domain_peers=2))

    plan = plan_of_branch(*heads, *others, settings=settings)

    assert plan.lines == ()
    (left,) = plan.by_hand
    assert left.remedy is not None
    assert "DLS012 would appear on h2: dlsw peers" in (left.remedy.advice or "")


def test_a_head_end_that_is_not_in_the_run_answers_nothing() -> None:
    plan = plan_of_branch(source("h1", FIRST))

    assert plan.lines == ("dlsw remote-peer 0 tcp 10.0.0.2 backup-peer 10.0.0.1",)
