"""A case: files, readers that read them, and commands that are run on them."""

from collections.abc import Callable
from random import Random
from typing import Final

from msgspec import Struct

from advisor.report.formats import VERDICTS
from tests.fuzz import absurd, documents, flags, grammar, material, octets
from tests.fuzz.lines import changed
from tests.fuzz.noise import with_free_secret, with_keyed_secrets

INPUT: Final = "input.cfg"
BUNDLE: Final = "bundle"
_OF_FORMULAS: Final = ("ring-bound", "llq-queue", "serialization", "unfinished-work", "dlsw-cpu")


class Call(Struct, frozen=True):
    """One run of the command line."""

    words: tuple[str, ...]
    stdin: str = ""  # name of the file that is given on standard input


class Case(Struct, frozen=True):
    """One input: `main` is the file that readers are given and that is shrunk."""

    seed: int
    index: int
    kind: str
    main: str
    files: dict[str, bytes]
    readers: tuple[str, ...]
    calls: tuple[Call, ...]
    command: str = "show version"  # what the main file is said to be the output of


def make_case(seed: int, index: int) -> Case | None:
    """The case of a seed and an index; None where it needs the corpus and there is none."""
    random = Random(f"{seed}:{index}")  # noqa: S311 -- repeatable is what it has to be
    kind = random.choices(_KINDS, _WEIGHTS)[0]
    made = _MAKERS[kind](random)
    if made is None:
        return None
    main, files, readers, calls, command = made
    return Case(seed, index, kind, main, files, readers, tuple(map(_possible, calls)), command)


def _possible(call: Call) -> Call:
    """No argument of a process can hold a NUL."""
    return Call(tuple(word.replace("\0", "") for word in call.words), call.stdin)


_Made = tuple[str, dict[str, bytes], tuple[str, ...], list[Call], str]
_TEXT_READERS: Final = ("capture", "config", "edit", "redact", "show")


def _of_text(text: str, command: str | None, random: Random) -> _Made:
    if random.random() < 0.6 and absurd.SECRET not in text:
        text = with_keyed_secrets(text, random)
    files = {INPUT: octets.encoded(text, random)}
    calls = [_on_file(random, files) for _ in range(random.choice((1, 2, 2, 3)))]
    shown = command or random.choice(material.ALL_COMMANDS)
    return INPUT, files, _TEXT_READERS, calls, shown


def _config(random: Random) -> _Made:
    if random.random() < 0.15:
        return _of_text(with_free_secret(_of_fixture(random), random), None, random)
    return _of_text(changed(random.choice(material.configs()).text, random), None, random)


def _show(random: Random) -> _Made:
    seed = random.choice(material.shows())
    return _of_text(changed(seed.text, random), seed.command, random)


def _corpus(random: Random) -> _Made | None:
    seeds = material.corpus()
    if not seeds:
        return None
    seed = random.choice(seeds)
    return _of_text(changed(seed.text, random), seed.command, random)


def _grammar(random: Random) -> _Made:
    text = grammar.config(random)
    return _of_text(changed(text, random) if random.random() < 0.4 else text, None, random)


def _pair(random: Random) -> _Made:
    """A configuration and a show output that may be of the same device."""
    main, files, readers, _, command = _config(random)
    files["show.txt"] = octets.encoded(
        changed(random.choice(material.shows()).text, random), random
    )
    calls = [Call(("lint", ".", *flags.rule_flags(random))), Call(("inspect", INPUT, "show.txt"))]
    return main, files, readers, random.sample(calls, 1), command


def _bundle(random: Random) -> _Made:
    files = documents.manifest(random)
    main = "manifest.json" if random.random() < 0.5 else random.choice(sorted(files))
    if main != "manifest.json":
        text = with_keyed_secrets(changed(files[main].decode("latin-1"), random), random)
        files[main] = octets.encoded(text, random)
    calls = [_on_path(BUNDLE, random), _on_path(BUNDLE, random)]
    named = {f"{BUNDLE}/{name}": payload for name, payload in files.items()}
    return f"{BUNDLE}/{main}", named, ("manifest", "bundle"), calls, "show version"


def _settings(random: Random) -> _Made:
    name = random.choice(("advisor.toml", "advisor.toml", "pyproject.toml"))
    text = documents.settings(random)
    if name == "pyproject.toml":
        text = "[tool.advisor]\n" + text.replace("[budgets]", "[tool.advisor.budgets]")
    files = {name: octets.document(text, random), INPUT: grammar.config(random).encode("utf-8")}
    calls = [Call(("config", "show"))]
    if random.random() < 0.5:
        calls = [_on_path(INPUT, random)]
    return name, files, ("settings",), calls, ""


def _traffic(random: Random) -> _Made:
    config = random.choice((_of_fixture, grammar.config))(random)
    files = {
        "traffic.toml": octets.document(documents.traffic(config, random), random),
        INPUT: config.encode("latin-1", "replace"),
    }
    words = (random.choice(("lint", "predict", "predict")), INPUT, "--traffic", "traffic.toml")
    form = random.choice((("--format", "json"), ()))
    return "traffic.toml", files, ("traffic",), [Call((*words, *form))], ""


def _of_fixture(random: Random) -> str:
    return random.choice(material.configs()).text


def _scenario(random: Random) -> _Made:
    files = {"scenarios.json": octets.document(documents.scenarios(random), random)}
    words: tuple[str, ...] = ("predict", "--scenario", "scenarios.json")
    if random.random() < 0.15:
        words += flags.sweep(random)
    form = random.choice(("", "", "full", "csv", "plot"))
    words += ("--format", form) if form else ()
    return "scenarios.json", files, ("scenarios",), [Call(words)], ""


def _hops(random: Random) -> _Made:
    files = {
        "hops.toml": octets.document(documents.hops(random), random),
        INPUT: _of_fixture(random).encode("latin-1"),
    }
    words = ("predict", "--hops", "hops.toml", *random.choice(((), ("--format", "json"))))
    return "hops.toml", files, ("hops",), [Call(words)], ""


def _sizing(random: Random) -> _Made:
    form = random.choice((("--format", "json"), ()))
    if random.random() < 0.5:
        main, text = "sites.csv", documents.sites(random)
        words: tuple[str, ...] = (
            "--table",
            main,
            "--platform",
            random.choice(("3640", "RSP4", "NPE-300")),
        )
    else:
        main, text = "calibration.toml", documents.calibration(random)
        words = ("--calibration", main, *flags.TRANSACTIONS)
    files = {main: octets.document(text, random)}
    calls = [Call(("size", "dlsw", *words, *form))]
    return main, files, (main.partition(".")[0],), calls, ""


def _inventory(random: Random) -> _Made:
    if random.random() < 0.3:
        main, files = (
            "hosts.txt",
            {"hosts.txt": octets.document(documents.host_list(random), random)},
        )
    else:
        main = "hosts.yaml"
        files = {main: octets.document(documents.hosts(random), random)}
        files["groups.yaml"] = documents.GROUPS.encode("utf-8")
    form = random.choice(((), ("--format", "json")))
    words = (random.choice(("collect", "audit")), "--inventory", main, "--dry-run", *form)
    words += ("--filter", "role=wan") if random.random() < 0.2 else ()
    return main, files, ("inventory",), [Call(words)], ""


def _flags(random: Random) -> _Made:
    kind = random.randrange(10)
    files = {INPUT: _of_fixture(random).encode("latin-1")}
    if kind < 3:
        words = flags.link(random)
    elif kind < 4:
        words = flags.size(random)
    elif kind < 6:
        words = flags.design(random)
    elif kind < 7:
        words = flags.words(random)
    elif kind < 8:
        moves = (*flags.assignment(random), *flags.assignment(random))
        words = ("predict", INPUT, *moves, "--interface", absurd.name(random))
    else:
        move = flags.assignment if random.random() < 0.6 else flags.sweep
        form = random.choice(("full", "json", "csv", "plot"))
        words = ("predict", INPUT, *move(random), "--format", form)
    return INPUT, files, (), [Call(words)], ""


def _odd_name(random: Random) -> _Made:
    """Files and folders that are called what nobody calls them."""
    name = absurd.name(random).replace("/", "").replace("\0", "")[:200].strip(".") or " "
    folder = random.choice(("", "", "sub/", f"{name}/"))
    file = f"{folder}{name}{random.choice(('', '.cfg', '.txt', '.toml'))}"
    files = {file: with_keyed_secrets(_of_fixture(random), random).encode("latin-1")}
    path = random.choice((f"./{file}", ".", f"./{folder}*", f"./{file[:-1]}?"))
    calls = [_on_path(path, random), Call(("redact", f"./{file}"))]
    wrong = ("predict", f"./{file}", random.choice(("--traffic", "--config")), f"./{file}")
    return file, files, ("redact",), random.sample([*calls, Call(wrong)], 2), ""


def _on_file(random: Random, files: dict[str, bytes]) -> Call:
    if random.random() < 0.05 and files:
        words = _on_path("-", random).words
        return Call(words, INPUT)
    if random.random() < 0.12:
        return Call(("redact", INPUT))
    return _on_path(INPUT, random)


def _on_path(path: str, random: Random) -> Call:
    output = ("--output", "report.out") if random.random() < 0.03 else ()
    return Call((*random.choices(_ON_PATH, _PATH_WEIGHTS)[0](path, random), *output))


def _swept(path: str, random: Random) -> tuple[str, ...]:
    range_of = random.choice(("tx-ring-limit=1..4", "bandwidth=64..512:64", "load=50..90:20"))
    form = random.choice(("full", "json", "csv", "plot"))
    return "predict", path, "--sweep", range_of, "--format", form


_VERDICTS: Final = tuple(VERDICTS)
_Words = Callable[[str, Random], tuple[str, ...]]
_ON_PATHS: Final[tuple[tuple[_Words, float], ...]] = (
    (lambda path, random: ("lint", path, *flags.rule_flags(random)), 3),
    (lambda path, random: ("lint", path, "--format", random.choice(_VERDICTS)), 2),
    (lambda path, _: ("lint", path, "--format", "json"), 3),
    (lambda path, _: ("lint", path, "-v"), 1),
    (lambda path, _: ("fix", path), 2),
    (lambda path, _: ("fix", path, "--format", "diff"), 1.5),
    (lambda path, _: ("fix", path, "--format", "json"), 1),
    (lambda path, _: ("predict", path), 2),
    (lambda path, _: ("predict", path, "--format", "json"), 2),
    (lambda path, random: ("predict", path, *flags.assignment(random)), 2),
    (_swept, 1),
    (lambda path, _: ("inspect", path), 2),
    (lambda path, _: ("inspect", path, "--format", "json"), 1.5),
    (
        lambda path, random: ("inspect", path, "--command", random.choice(material.ALL_COMMANDS)),
        0.7,
    ),
    (lambda path, random: flags.size(random, path), 1.5),
    (lambda path, random: ("explain", random.choice(_OF_FORMULAS), path), 0.7),
)
_ON_PATH: Final = tuple(words for words, _ in _ON_PATHS)
_PATH_WEIGHTS: Final = tuple(weight for _, weight in _ON_PATHS)
_MAKERS: Final[dict[str, Callable[[Random], _Made | None]]] = {
    "config": _config,
    "show": _show,
    "corpus": _corpus,
    "grammar": _grammar,
    "pair": _pair,
    "bundle": _bundle,
    "settings": _settings,
    "traffic": _traffic,
    "scenario": _scenario,
    "hops": _hops,
    "sizing": _sizing,
    "inventory": _inventory,
    "flags": _flags,
    "odd name": _odd_name,
}
_KINDS: Final = tuple(_MAKERS)
_WEIGHTS: Final = (22, 15, 10, 20, 3, 4, 4, 6, 4, 2, 3, 2, 6, 2)
