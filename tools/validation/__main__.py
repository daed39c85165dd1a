"""Write docs/validation.md, docs/seeds.md and plots, or compare them with what would be written."""

import argparse
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from advisor.predict.size.platform_line import read_calibration
from advisor.settings.read_scenarios import read_scenarios
from advisor.settings.scenario import Scenario
from tools.drawn.truth import cache_file, model_seed
from tools.validation import claims, dlsw_claims, expedited, ip_sla, plots, semantics, wred_test
from tools.validation.errors import Compared, compared
from tools.validation.kept import model_of
from tools.validation.methods import own_classes
from tools.validation.page import COMMAND, Evidence, page
from tools.validation.published_page import Published
from tools.validation.seeds_page import seeds_of, seeds_page
from tools.validation.set_page import Sets
from tools.validation.sets import files_of, scored
from tools.validation.truth import TruthError, read_results, read_truth, simulated, written
from tools.validation.wred_claims import of_ring, wred_claims
from tools.validation.wred_errors import WredCompared, wred_compared, wred_truth
from tools.validation.wred_page import WredEvidence

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "fixtures/scenarios"
TUNING = ROOT.parent / "shared/validation/delay_tuning.json"
WRED_TUNING = ROOT.parent / "shared/validation/wred_tuning.json"
PAGE = ROOT / "docs/validation.md"
CALIBRATION = ROOT / "fixtures/dlsw/calibration-3640.toml"
NAMES = ("reference", "seams", "ip_sla")
WRED, SLOW = "wred_reference", "seams"


def scenarios_named(name: str) -> tuple[Scenario, ...]:
    """Scenarios of the project."""
    file = f"{name}.json"
    return read_scenarios((SCENARIOS / file).read_text("utf-8"), file)


def simulate_again() -> None:
    """Simulate the project's scenarios and store what comes out."""
    for name in NAMES:
        truth = written(simulated(scenarios_named(name), slow=name == SLOW))
        (SCENARIOS / f"{name}_truth.json").write_text(truth, "utf-8")
    truth = wred_truth(scenarios_named(WRED))
    (SCENARIOS / f"{WRED}_truth.json").write_text(truth, "utf-8")


def own_rows(name: str = "reference") -> list[Compared]:
    """Scenarios of the project, predicted and true."""
    file = f"{name}_truth.json"
    truths = read_truth((SCENARIOS / file).read_text("utf-8"), file)
    return compared(scenarios_named(name), truths)


@cache
def ip_sla_runs() -> tuple[ip_sla.Run, ...]:
    """The published IP SLA runs, predicted and measured."""
    file = "ip_sla_truth.json"
    measured = ip_sla.read_measured((ROOT / ip_sla.PUBLISHED).read_text("utf-8"))
    truths = read_truth((SCENARIOS / file).read_text("utf-8"), file)
    return ip_sla.runs(measured, scenarios_named("ip_sla"), truths)


def tuning_rows() -> list[Compared] | None:
    """The tuning scenarios; None where they are not here."""
    if not TUNING.is_file():
        return None
    text = TUNING.read_text("utf-8")
    return compared(read_scenarios(text, TUNING.name), read_results(text, TUNING.name))


def sets_here() -> Sets:
    """The wide scenarios and the random ones, as far as they are here."""
    wide, seed = files_of("wide"), _seed()
    drawn = None if seed is None else cache_file(seed)
    return Sets(
        wide=scored(wide) if all(path.is_file() for path in wide) else None,
        random=scored((drawn,)) if drawn is not None and drawn.is_file() else None,
        seed=seed,
    )


def _seed() -> str | None:
    """The seed of the present model; None outside its history."""
    try:
        return model_seed()
    except OSError:
        return None


def wred_evidence() -> WredEvidence:
    """The published test of WRED, and scenarios of TCP and WRED, predicted and true."""
    names = enumerate(wred_test.NAMES)
    tuning = WRED_TUNING.read_text("utf-8") if WRED_TUNING.is_file() else None
    return WredEvidence(
        balanced=wred_test.balanced(),
        unbalanced=tuple((name, wred_test.with_many(place), place) for place, name in names),
        claims=tuple(wred_claims()),
        rings=tuple((str(ring), *of_ring(ring)) for ring in wred_test.RINGS),
        reference=wred_rows(),
        tuning=None if tuning is None else wred_compared(tuning, tuning, WRED_TUNING.name),
    )


def wred_rows() -> list[WredCompared]:
    """The WRED scenarios of the project, predicted and true."""
    file = f"{WRED}_truth.json"
    texts = [(SCENARIOS / name).read_text("utf-8") for name in (f"{WRED}.json", file)]
    return wred_compared(texts[0], texts[1], file)


def evidence() -> Evidence:
    """Compute what the page and its plots show."""
    reference, runs = own_rows(), ip_sla_runs()
    points = [expedited.point(size) for size in expedited.SIZES_BYTES]
    wred = wred_evidence()
    answers: list[Struct] = [row.predicted for row in reference]
    answers += [row.predicted for row in wred.reference]
    return Evidence(
        model=model_of([*answers, *runs]),
        reference=reference,
        seams=own_rows("seams"),
        tuning=tuning_rows(),
        sets=sets_here(),
        semantics=semantics.checks(),
        published=Published(
            runs=runs,
            points=points,
            phases=expedited.phase_locked(),
            claims=(*claims.ring_claims(runs), *claims.ef_claims()),
        ),
        wred=wred,
        dlsw=tuple(dlsw_claims.dlsw_claims()),
        calibration=read_calibration(CALIBRATION),
        methods=own_classes(),
    )


def documents() -> Mapping[Path, str]:
    """The page and its plots, as they would be written now."""
    shown = evidence()
    folder = PAGE.with_suffix("")
    old_page = PAGE.read_text("utf-8") if PAGE.is_file() else ""
    seeds = seeds_of(shown.published, shown.wred.claims, shown.dlsw)
    return {
        PAGE: page(shown, old_page),
        PAGE.with_name("seeds.md"): seeds_page(seeds, shown.published),
        folder / "reference.svg": plots.reference(shown.reference),
        folder / "ip_sla.svg": plots.ip_sla(shown.published.runs),
        folder / "ef.svg": plots.ef_delay(shown.published.points),
        folder / "wred_balanced.svg": plots.wred_balanced(shown.wred.balanced),
        folder / "wred_unbalanced.svg": plots.wred_unbalanced(shown.wred.unbalanced),
        folder / "dlsw.svg": plots.dlsw_estimates(),
        folder / "dlsw_calibration.svg": plots.dlsw_calibration(shown.calibration),
    }


def absent() -> list[str]:
    """Parts of the page that cannot be computed here."""
    delay, wred = files_of("wide")
    files = {
        "tuning scenarios": TUNING,
        "WRED tuning scenarios": WRED_TUNING,
        "wide scenarios": delay,
        "WRED wide scenarios": wred,
    }
    return [name for name, path in files.items() if not path.is_file()]


def stale(documents_now: Mapping[Path, str]) -> list[str]:
    """Names of the files that do not hold what would be written."""
    return [
        str(path.relative_to(PAGE.parents[1]))
        for path, text in documents_now.items()
        if not path.is_file() or path.read_text("utf-8") != text
    ]


def main() -> int:
    """Run the command line and return its exit code."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--simulate", action="store_true", help="simulate the scenarios again")
    parser.add_argument("--check", action="store_true", help="exit 1 where a file is out of date")
    options = parser.parse_args()
    try:
        if options.simulate:
            simulate_again()
        pages = documents()
    except (TruthError, OSError) as error:
        sys.stderr.write(f"{COMMAND}: {error}\n")
        return 2
    sys.stderr.writelines(f"{COMMAND}: {name}: not computed here\n" for name in absent())
    if options.check:
        old = stale(pages)
        sys.stderr.writelines(f"{name} is out of date: run `{COMMAND}`\n" for name in old)
        return 1 if old else 0
    for path, text in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
