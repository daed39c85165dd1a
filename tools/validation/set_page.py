"""Sections of docs/validation.md on sets of scenarios that are not part of the project."""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from tools.drawn.truth import PACKETS
from tools.drawn.truth import REPLICATIONS as TRUTH_REPLICATIONS
from tools.validation import scores, wred_scores
from tools.validation.kept import Model, computed, kept
from tools.validation.sets import Scored

RANDOM_COMMAND = "python benchmarks/random_scenarios.py"
_SHORT = "the run is short: 32 replications of 60,000 packets are within 5 % of the truth"
_SHORT_RUNS = (
    "N11-03 bulk",
    "N3-06 class-default",
    "N7-02 class-default",
    "Q-020 c1",
    "Q-030 c2",
    "Q-086 c1",
    "Q-086 c2",
    "Q-086 voice",
    "Q-108 class-default",
    "Q-118 class-default",
    "Q-137 c2",
    "Q-137 c3",
    "Q-185 c1",
    "Q-185 voice",
    "Q-197 c1",
    "Q-197 class-default",
    "Q-197 voice",
    "Q-202 c1",
    "Q-202 class-default",
    "R-008 c3",
    "R-011 chat",
    "R-012 c2",
    "R-028 class-default",
    "R-045 class-default",
    "R-058 class-default",
    "R-070 c1",
    "R-070 c2",
    "R-092 c2",
    "R-093 c1",
    "R-116 class-default",
    "R-117 class-default",
    "R-125 c2",
)
# Known reasons, by scenario and class; a class without an entry shows the parts of its scenario.
CAUSES: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(_SHORT_RUNS, _SHORT)
    | {
        "R-026 class-default": "the truth is too short a run for a queue of a minute: 3,200,000 "
        "packets make it 59.1 s ±1.8 %"
    }
)


class Sets(Struct, frozen=True):
    """The sets, predicted and true; None: not here. `seed` is that of the random one."""

    wide: Scored | None
    random: Scored | None
    seed: str | None


def set_sections(sets: Sets, model: Model, old_page: str) -> str:
    """Both sections as Markdown; what they say about absent scenarios is of the old page."""
    wide = _section("wide", None if sets.wide is None else _tables(sets.wide), model, old_page)
    random_text = None
    if sets.random is not None:
        names = {row.predicted.scenario_id for row in sets.random.delays}
        names |= {row.scenario for row in sets.random.groups}
        count = len(names) + len(sets.random.declined)
        random_text = f"Seed: `{sets.seed}`, its first {count}.\n\n{_tables(sets.random)}"
    random = _section("random", random_text, model, old_page)
    return f"""\
## Wide scenarios

A third set, simulated by the program of the tuning set, with every kind at its ends: 56 kb/s to
100 Mb/s, rings of 1 to 256 packets and of particles, LLQ of 5 to 95 % of the line, fragments of
mixed sizes, bursts, on/off, fair-queue, short and long queues, tail drop and WRED with TCP. Most
were drawn at random. It is not part of this repository. A true mean has its own 95 % interval
(±); "inside" allows for it, the errors do not. {wide}

## Random scenarios

Drawn afresh by `{RANDOM_COMMAND}`, in all kinds of the wide set and as often as there. The seed is
the hash of the last commit that touched the model when they were drawn, so nobody chose it, and the
model was not tuned on what it draws. Every scenario that was drawn is reported. Their truth is the
simulation in `advisor/simulate/`, of {PACKETS:,} packets in {TRUTH_REPLICATIONS} replications, the
medians of the wide set: where a queue remembers long, the true mean is itself some per cent
uncertain (±). The truth is kept outside the repository: the command makes it anew. {random}
"""


def _section(name: str, text: str | None, model: Model, old_page: str) -> str:
    return kept(name, old_page, model) if text is None else computed(name, text, model)


def _tables(found: Scored) -> str:
    rows, groups = found.delays, found.groups
    scenarios = len({row.predicted.scenario_id for row in rows})
    declined = "".join(f"- No answer to {line}\n" for line in found.declined)
    return f"""\
{len(rows)} classes of {scenarios} scenarios without TCP; {len(groups)} TCP groups of
{len({row.scenario for row in groups})} scenarios.

{declined}
{scores.goals(rows, wide=True)}
Errors by the mathematics that answered, absolute:

{scores.by_regime(rows)}
Errors by what scenarios are made of; a scenario of several parts is counted in each:

{scores.by_feature(rows)}
The {scores.WORST} means that are furthest off:

{scores.worst(rows, CAUSES)}
Bounds: {scores.broken_bounds(rows)}
True means outside low-high:

{scores.outside(rows) or "None."}
TCP and WRED:

{wred_scores.goals(groups, wide=True)}
{wred_scores.by_regime(groups)}
The {wred_scores.WORST} shares that are furthest off:

{wred_scores.worst(groups)}"""
