"""JSON Schema of every JSON output: generated from the Structs that the outputs are made of.

The shapes are public: a name stays, a key may be added, and the version of a shape grows when a key
changes its meaning.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from advisor.design.wred import WredDesign
from advisor.predict.what_if import ClassPrediction, Unpredicted
from advisor.predict.what_if.path import PathPrediction
from advisor.predict.what_if.scenario_sweep import SharesPoint
from advisor.predict.what_if.sweep import Setting
from advisor.report.fleet_report import AskedFleet, AuditJson
from advisor.report.json_report import SCHEMA_VERSION, Report
from advisor.report.snippet import Snippet
from advisor.size.answer import Answer

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_TYPES: Final[tuple[type[Struct], ...]] = (
    *(Report, ClassPrediction, Unpredicted, Setting, SharesPoint, PathPrediction),
    *(Snippet, Answer, WredDesign, AskedFleet, AuditJson),
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
    """Schema of each output, and the records that they are made of."""
    references, components = msgspec.json.schema_components(_TYPES, ref_template="#/$defs/{name}")
    of = dict(zip(_TYPES, references, strict=True))
    predictions = _array({"anyOf": [of[ClassPrediction], of[Unpredicted]]})
    point = _object({"settings": _array(of[Setting]), "predictions": predictions})
    shapes = {
        "lint": of[Report],
        "fix": _array(of[Snippet]),
        "predict": predictions,
        "predict --sweep": _array({"anyOf": [point, of[SharesPoint]]}),
        "predict --hops": of[PathPrediction],
        "predict --scenario": _array({"type": "object", "additionalProperties": _CELL}),
        "inspect": _inspection(),
        "size dlsw": of[Answer],
        "design wred": of[WredDesign],
        "collect": of[AskedFleet],
        "audit": of[AuditJson],
    }
    return shapes, components


def _array(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": dict(items)}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


def _inspection() -> dict[str, Any]:
    """A tree of what was understood; its keys are the names of facts and observations."""
    text = {"type": "string"}
    device = {
        "type": "object",
        "properties": {"device": {}, "coverage": {"type": "object"}, "facts": {"type": "object"}},
        "required": ["device"],
    }
    return _object({"schema": {"type": "integer"}, "version": text, "devices": _array(device)})
