"""Counts how many warnings and errors that could have lines to paste have them.

    python -m tools.remedy_share [PATH… | --composed [SEED]]

Of each PATH (default: the fixtures), or of the composed configurations, every standing warning and
error whose card has a template is counted: with lines, or withheld, and for which reason. Each path
is a run of its own.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from advisor import api
from advisor.lint.findings import Finding, Severity
from advisor.settings import Settings
from tools.production_configs import all_composed

_DEFAULT = ("fixtures/configs", "fixtures/bundles", "fixtures/dlsw/design", "fixtures/links")


class Share(Struct, frozen=True):
    """Findings with lines and without, by rule; the reasons of those without."""

    given: Counter[str]
    withheld: Counter[tuple[str, str]]

    @property
    def percent(self) -> float:
        most = self.given.total() + self.withheld.total()
        return 100.0 * self.given.total() / most if most else 100.0


def share_of(findings: Iterable[Finding]) -> Share:
    """Count the findings whose card has a template."""
    with_template = {
        rule.card.id for rule in api.in_force(Settings()).rules if rule.card.remedy is not None
    }
    share = Share(Counter(), Counter())
    for finding in findings:
        if finding.rule not in with_template or finding.severity is Severity.INFO:
            continue
        if finding.remedy is not None and finding.remedy.lines:
            share.given[finding.rule] += 1
        else:
            advice = "" if finding.remedy is None else finding.remedy.advice or ""
            share.withheld[finding.rule, advice] += 1
    return share


def _standing(path: str) -> tuple[Finding, ...]:
    run = api.read(path)
    return api.judged(run.sources, api.in_force(run.settings)).standing


def of_composed(configs: Mapping[str, str]) -> list[Finding]:
    """Standing findings of texts, each a run of its own."""
    rules = api.in_force(Settings())
    return [
        finding
        for name, text in configs.items()
        for finding in api.judged(api.of_texts({name: text}).sources, rules).standing
    ]


def main(paths: list[str]) -> None:
    """Print the share of the paths, and the reasons of what is withheld."""
    if paths[:1] == ["--composed"]:
        found = of_composed(all_composed(*map(int, paths[1:])))
    else:
        found = [finding for path in paths or _DEFAULT for finding in _standing(path)]
    share = share_of(found)
    print(f"{share.percent:.1f} % of {share.given.total() + share.withheld.total()} have lines")
    for (rule, reason), total in share.withheld.most_common():
        print(f"{total:4} {rule}  {reason}")


if __name__ == "__main__":
    main(sys.argv[1:])
