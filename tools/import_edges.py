"""Count the import arrows between the rooms of the house, now or at a git revision.

A room is a package or a module directly under `advisor`; inside `ios`, `theory`, `predict` and
`lint` the rooms of the second level are counted too. Every import statement counts, also one that
stands in a function or under `TYPE_CHECKING`, and `import_module` with a literal name.

    python -m tools.import_edges                     # the working tree
    python -m tools.import_edges --before v0.1       # beside a revision, with the ratio
    python -m tools.import_edges --rev HEAD --room lint
"""

import argparse
import io
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from tools.import_statements import Import, imports_of

PACKAGE = "advisor"
INNER = ("ios", "theory", "predict", "lint")
ROOT = Path(__file__).parents[1]

Arrow = tuple[str, str]


class Graph(Struct, frozen=True):
    """The rooms of one package and the imports behind each arrow between two of them."""

    package: str
    rooms: frozenset[str]
    arrows: Mapping[Arrow, Sequence[Import]]


class Figures(Struct, frozen=True):
    """Counts of one graph; `floors` is the longest chain, a cycle counted as one floor."""

    package: str
    rooms: int
    arrows: int
    floors: int
    cycles: tuple[tuple[str, ...], ...]


def sources_of_tree(root: Path) -> dict[str, str]:
    """Text of every module of the package in a working tree, by its path from `root`."""
    paths = sorted((root / PACKAGE).rglob("*.py"))
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in paths}


def sources_of_revision(revision: str, root: Path) -> dict[str, str]:
    """Text of every module of the package at a revision, read from git.

    Raises
    ------
    subprocess.CalledProcessError
        If git does not know the revision, or the revision has no such package.
    """
    command = ["git", "archive", "--format=tar", revision, "--", PACKAGE]
    archive = subprocess.run(command, cwd=root, check=True, capture_output=True).stdout  # noqa: S603
    sources = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar.getmembers():
            content = tar.extractfile(member) if member.name.endswith(".py") else None
            if content is not None:
                sources[member.name] = content.read().decode("utf-8")
    return sources


def graph_of(imports: Sequence[Import], modules: Sequence[str], package: str) -> Graph:
    """Rooms directly under a package, and the arrows between them."""
    arrows: dict[Arrow, list[Import]] = {}
    for statement in imports:
        start, end = (_room(name, package) for name in (statement.module, statement.target))
        if start is not None and end is not None and start != end:
            arrows.setdefault((start, end), []).append(statement)
    rooms = (_room(module, package) for module in modules)
    return Graph(package, frozenset(room for room in rooms if room is not None), arrows)


def _room(module: str, package: str) -> str | None:
    if module == package:
        return "__init__"
    path = module.removeprefix(f"{package}.")
    return None if path == module else path.partition(".")[0]


def graphs_of(sources: Mapping[str, str], inner: Sequence[str] = INNER) -> tuple[Graph, ...]:
    """The graph of the top level, then one for each inner package that exists."""
    modules, imports = imports_of(sources)
    packages = [PACKAGE, *(f"{PACKAGE}.{name}" for name in inner)]
    graphs = (graph_of(imports, modules, package) for package in packages)
    return tuple(graph for graph in graphs if len(graph.rooms) > 1)


def figures_of(graph: Graph) -> Figures:
    """Counts of one graph."""
    groups = _components(graph)
    cycles = sorted(tuple(sorted(group)) for group in set(groups.values()) if len(group) > 1)
    floors = _floors(graph, groups)
    return Figures(graph.package, len(graph.rooms), len(graph.arrows), floors, tuple(cycles))


def _reached(graph: Graph) -> dict[str, frozenset[str]]:
    followers: dict[str, set[str]] = {room: set() for room in graph.rooms}
    for start, end in graph.arrows:
        followers[start].add(end)
    reachable = {}
    for room in graph.rooms:
        visited: set[str] = set()
        waiting = list(followers[room])
        while waiting:
            follower = waiting.pop()
            if follower not in visited:
                visited.add(follower)
                waiting.extend(followers[follower])
        reachable[room] = frozenset(visited)
    return reachable


def _components(graph: Graph) -> dict[str, frozenset[str]]:
    """The rooms that reach each other, by room."""
    reachable = _reached(graph)
    return {
        room: frozenset(
            {room, *(neighbour for neighbour in reachable[room] if room in reachable[neighbour])}
        )
        for room in graph.rooms
    }


def _floors(graph: Graph, groups: Mapping[str, frozenset[str]]) -> int:
    groups_below: dict[frozenset[str], set[frozenset[str]]] = {
        group: set() for group in groups.values()
    }
    for start, end in graph.arrows:
        if groups[start] != groups[end]:
            groups_below[groups[start]].add(groups[end])
    heights: dict[frozenset[str], int] = {}
    while len(heights) < len(groups_below):
        ready = [
            member
            for member in groups_below
            if member not in heights and groups_below[member] <= heights.keys()
        ]
        heights |= {
            member: 1 + max((heights[lower] for lower in groups_below[member]), default=0)
            for member in ready
        }
    return max(heights.values(), default=0)


def table(figures: Sequence[Figures], old_figures: Sequence[Figures]) -> Iterator[str]:
    """Lines of the report; `old_figures` is empty where nothing is compared."""
    old = {counted.package: counted for counted in old_figures}
    for counted in figures:
        line = f"{counted.package}: {counted.rooms} rooms, {counted.arrows} arrows"
        if counted.package in old and old[counted.package].arrows:
            previous = old[counted.package]
            ratio = counted.arrows / previous.arrows
            line += f" ({ratio:.0%} of {previous.arrows} between {previous.rooms})"
        yield f"{line}, {counted.floors} floors, {len(counted.cycles)} cycles"
        yield from (f"  cycle: {', '.join(cycle)}" for cycle in counted.cycles)


def arrows_of_room(graph: Graph, room: str) -> Iterator[str]:
    """The arrows from and to a room, with the statements behind each."""
    for (start, end), statements in sorted(graph.arrows.items()):
        if room in {start, end}:
            yield f"{graph.package}: {start} -> {end}"
            for statement in statements:
                yield f"  {statement.file}:{statement.line} imports {statement.target}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tools.import_edges",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rev", help="a git revision instead of the working tree")
    parser.add_argument("--before", metavar="REV", help="a revision to compare with")
    parser.add_argument("--room", metavar="NAME", help="explain the arrows of one room")
    always = ", ".join(INNER)
    parser.add_argument(
        "--inner",
        metavar="NAME",
        action="append",
        default=[],
        help=f"count the rooms of this package too; always counted: {always}",
    )
    parser.add_argument("--json", action="store_true", help="figures and arrows as JSON")
    return parser.parse_args()


def main() -> int:
    """Print what is asked; 1 where there is a cycle, 2 where git does not know the revision."""
    options = _options()
    inner = tuple(dict.fromkeys((*INNER, *options.inner)))
    try:
        sources = sources_of_revision(options.rev, ROOT) if options.rev else sources_of_tree(ROOT)
        old = sources_of_revision(options.before, ROOT) if options.before else {}
    except subprocess.CalledProcessError as error:
        sys.stderr.write(error.stderr.decode("utf-8", "replace"))
        return 2
    graphs = graphs_of(sources, inner)
    figures = [figures_of(graph) for graph in graphs]
    if options.json:
        sys.stdout.write(_json(graphs, figures))
    elif options.room:
        lines = (line for graph in graphs for line in arrows_of_room(graph, options.room))
        sys.stdout.write("".join(f"{line}\n" for line in lines))
    else:
        old_figures = [figures_of(graph) for graph in graphs_of(old, inner)]
        sys.stdout.write("".join(f"{line}\n" for line in table(figures, old_figures)))
    return 1 if any(counted.cycles for counted in figures) else 0


def _json(graphs: Sequence[Graph], figures: Sequence[Figures]) -> str:
    parts = [
        {**msgspec.to_builtins(counted), "between": [list(arrow) for arrow in sorted(graph.arrows)]}
        for graph, counted in zip(graphs, figures, strict=True)
    ]
    return msgspec.json.format(msgspec.json.encode(parts), indent=1).decode() + "\n"


if __name__ == "__main__":
    sys.exit(main())
