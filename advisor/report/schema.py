"""JSON Schema of every JSON output, generated from the Structs of the outputs.

The shapes are public: a name stays, a key may be added, and the version of a shape grows when a key
changes its meaning.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from advisor.design.edge import EdgeDesign, RefusedDemand
from advisor.design.wred import WredDesign
from advisor.lint.change.snapshot import Snapshot
from advisor.predict.size.answer import Answer
from advisor.predict.what_if.path import PathPrediction
from advisor.predict.what_if.prediction import ClassPrediction, Unpredicted, UnstatedPrediction
from advisor.predict.what_if.sweeps import Setting, SharesPoint
from advisor.report.change import DiffJson, DiffLine, FindingChangeLine, PredictionChangeLine
from advisor.report.fleet import AskedFleet, AuditJson
from advisor.report.json_report import SCHEMA_VERSION, FindingLine, Report, RuleCount, SummaryLine
from advisor.report.plans import Snippet
from advisor.report.trends import TrendPoint

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_TYPES: Final[tuple[type[Struct], ...]] = (
    *(Report, ClassPrediction, UnstatedPrediction, Unpredicted, Setting, SharesPoint),
    *(PathPrediction, Snippet, Answer, WredDesign, EdgeDesign, RefusedDemand, AskedFleet),
    *(AuditJson, FindingLine, SummaryLine, DiffJson, Snapshot),
    *(PredictionChangeLine, FindingChangeLine, DiffLine, RuleCount, TrendPoint),
)
_CELL: Final = {"type": ["number", "string", "boolean", "null"]}


def output_schemas() -> dict[str, Any]:
    """JSON Schema (2020-12) of all outputs, as docs/schema.json holds it.

    Returns
    -------
    dict
        The root describes `lint --format json`. `outputs` has a schema for each command, by name.
    """
    shapes, components = _shapes()
    shape = {**shapes["lint"], "outputs": shapes}
    return _schema("report", "advisor report", shape, components)


def output_schema(name: str) -> dict[str, Any]:
    """JSON Schema of one output.

    Raises
    ------
    KeyError
        If no command prints such an output; `output_names` has them all.
    """
    shapes, components = _shapes()
    title = f"advisor {name} --format json"
    return _schema(name.replace(" ", "-"), title, shapes[name], components)


def _schema(
    key: str, title: str, shape: Mapping[str, Any], components: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "$schema": _DIALECT,
        "$id": f"urn:ios-advisor:{key}:{SCHEMA_VERSION}",
        "title": title,
        "version": SCHEMA_VERSION,
        **shape,
        "$defs": components,
    }


def output_names() -> tuple[str, ...]:
    """Names of the outputs, as commands are typed."""
    return tuple(_shapes()[0])


def _shapes() -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """Schema of each output, and the records that the outputs use."""
    references, components = msgspec.json.schema_components(_TYPES, ref_template="#/$defs/{name}")
    of_type = dict(zip(_TYPES, references, strict=True))

    def any_of(*types: type[Struct]) -> dict[str, Any]:
        return {"anyOf": [of_type[shape] for shape in types]}

    predictions = _array(any_of(ClassPrediction, UnstatedPrediction, Unpredicted))
    point = _object({"settings": _array(of_type[Setting]), "predictions": predictions})
    edge = any_of(EdgeDesign, RefusedDemand)
    shapes = {
        "lint": of_type[Report],
        "lint --format jsonl": any_of(FindingLine, SummaryLine),
        "lint --statistics": _array(of_type[RuleCount]),
        "fix": _array(of_type[Snippet]),
        "predict": predictions,
        "predict --sweep": _array({"anyOf": [point, of_type[SharesPoint]]}),
        "predict --hops": of_type[PathPrediction],
        "predict --scenario": _array({"type": "object", "additionalProperties": _CELL}),
        "inspect": _inspection(),
        "size dlsw": of_type[Answer],
        "design wred": of_type[WredDesign],
        **{f"design {name}": edge for name in ("llq", "lfi", "shape", "edge")},
        "collect": of_type[AskedFleet],
        "audit": of_type[AuditJson],
        "diff": of_type[DiffJson],
        "diff --format jsonl": any_of(PredictionChangeLine, FindingChangeLine, DiffLine),
        "baseline": of_type[Snapshot],
        "trends": _array(of_type[TrendPoint]),
    }
    return shapes, components


def _array(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": dict(items)}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


def _inspection() -> dict[str, Any]:
    """A tree of facts and observations; its keys are their names."""
    text = {"type": "string"}
    device = {
        "type": "object",
        "properties": {"device": {}, "coverage": {"type": "object"}, "facts": {"type": "object"}},
        "required": ["device"],
    }
    return _object({"schema": {"type": "integer"}, "version": text, "devices": _array(device)})
