"""JSON Schema of scenario files, from the types that read them."""

from typing import Any

import msgspec

from advisor.settings.scenario import Scenario

VERSION = 1
_OPEN, _TCP = "Stream", "TcpGroup"
_TAG = "loop"  # the reader tells TCP by its keys: a file has no tag


def scenario_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a file of scenarios: one of them, or an array."""
    (scenario,), records = msgspec.json.schema_components(
        (Scenario,), ref_template="#/$defs/{name}"
    )
    del records["Scenario"]["properties"]["not_read"]
    for name in (_OPEN, _TCP):
        del records[name]["properties"][_TAG]
        records[name]["required"].remove(_TAG)
    records["Scenario"]["properties"]["traffic"]["items"].pop("discriminator")
    _name_by_group(records[_TCP])
    records[_OPEN]["properties"]["tcp_flows"] = False
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:ios-advisor:scenarios:{VERSION}",
        "title": "advisor predict --scenario FILE",
        "version": VERSION,
        "anyOf": [scenario, {"type": "array", "items": scenario, "minItems": 1}],
        "$defs": records,
    }


def _name_by_group(record: dict[str, Any]) -> None:
    """A group of TCP flows is named by `group`, or by `class` as other traffic is."""
    record["properties"]["group"] = record["properties"]["class"]
    record["required"].remove("class")
    record["anyOf"] = [{"required": ["group"]}, {"required": ["class"]}]
