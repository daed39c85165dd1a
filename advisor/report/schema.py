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
from advisor.predict.what_if import ClassPrediction, Unpredicted, UnstatedPrediction
from advisor.predict.what_if.path import PathPrediction
from advisor.predict.what_if.scenario_sweep import SharesPoint
from advisor.predict.what_if.sweep import Setting
from advisor.report.change import DiffJson
from advisor.report.fleet import AskedFleet, AuditJson
from advisor.report.json_report import SCHEMA_VERSION, FindingLine, Report, SummaryLine
from advisor.report.second_opinion_text import SecondOpinionJson
from advisor.report.snippet import Snippet
from advisor.size.answer import Answer

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_TYPES: Final[tuple[type[Struct], ...]] = (
    *(Report, ClassPrediction, UnstatedPrediction, Unpredicted, Setting, SharesPoint),
    *(
        PathPrediction,
        Snippet,
        Answer,
        WredDesign,
        EdgeDesign,
        RefusedDemand,
        AskedFleet,
        AuditJson,
        FindingLine,
        SummaryLine,
        DiffJson,
        Snapshot,
        SecondOpinionJson,
    ),
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
    return {
        "$schema": _DIALECT,
        "$id": f"urn:ios-advisor:report:{SCHEMA_VERSION}",
        "title": "advisor report",
        "version": SCHEMA_VERSION,
        **shapes["lint"],
        "outputs": shapes,
        "$defs": components,
    }


def output_schema(name: str) -> dict[str, Any]:
    """JSON Schema of one output.

    Raises
    ------
    KeyError
        If no command prints such an output; `output_names` has them all.
    """
    shapes, components = _shapes()
    return {
        "$schema": _DIALECT,
        "$id": f"urn:ios-advisor:{name.replace(' ', '-')}:{SCHEMA_VERSION}",
        "title": f"advisor {name} --format json",
        "version": SCHEMA_VERSION,
        **shapes[name],
        "$defs": components,
    }


def output_names() -> tuple[str, ...]:
    """Names of the outputs, as commands are typed."""
    return tuple(_shapes()[0])


def _shapes() -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """Schema of each output, and the records that the outputs use."""
    references, components = msgspec.json.schema_components(_TYPES, ref_template="#/$defs/{name}")
    references_by_type = dict(zip(_TYPES, references, strict=True))
    outcomes = (ClassPrediction, UnstatedPrediction, Unpredicted)
    predictions = _array({"anyOf": [references_by_type[outcome] for outcome in outcomes]})
    point = _object({"settings": _array(references_by_type[Setting]), "predictions": predictions})
    designs = (EdgeDesign, RefusedDemand)
    edge = {"anyOf": [references_by_type[outcome] for outcome in designs]}
    shapes = {
        "lint": references_by_type[Report],
        "lint --format jsonl": {
            "anyOf": [references_by_type[line] for line in (FindingLine, SummaryLine)]
        },
        "fix": _array(references_by_type[Snippet]),
        "predict": predictions,
        "predict --sweep": _array({"anyOf": [point, references_by_type[SharesPoint]]}),
        "predict --hops": references_by_type[PathPrediction],
        "predict --scenario": _array({"type": "object", "additionalProperties": _CELL}),
        "inspect": _inspection(),
        "inspect --second-opinion": references_by_type[SecondOpinionJson],
        "size dlsw": references_by_type[Answer],
        "design wred": references_by_type[WredDesign],
        **{f"design {name}": edge for name in ("llq", "lfi", "shape", "edge")},
        "collect": references_by_type[AskedFleet],
        "audit": references_by_type[AuditJson],
        "diff": references_by_type[DiffJson],
        "baseline": references_by_type[Snapshot],
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
