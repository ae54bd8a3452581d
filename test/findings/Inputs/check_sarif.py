"""Validates SARIF logs. Usage: check_sarif.py LOG...

Against sarif_schema.json, which has what linesman writes of the standard's schema
and allows nothing else; and, where LINESMAN_SARIF_SCHEMA names a copy of the
standard's own schema, against that. What a schema cannot say is checked here.
Prints "LOG: N results, R rules, F flows"."""

import json
import os
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None

schemas = [json.loads((pathlib.Path(__file__).parent / "sarif_schema.json").read_text())]
if official := os.environ.get("LINESMAN_SARIF_SCHEMA"):
    schemas.append(json.loads(pathlib.Path(official).read_text()))
problems = []


def check(value, schema, at="", root=schemas[0]):
    """The few words that sarif_schema.json uses, where there is no jsonschema."""
    if "$ref" in schema:
        return check(value, root["definitions"][schema["$ref"].rsplit("/", 1)[1]], at, root)
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
    if "type" in schema and not isinstance(value, kinds[schema["type"]]):
        problems.append(f"{at}: expected {schema['type']}")
        return
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        problems.append(f"{at}: {value!r} is not allowed")
    if "minimum" in schema and value < schema["minimum"]:
        problems.append(f"{at}: {value} is too small")
    if isinstance(value, dict):
        problems.extend(f"{at}: no {key}" for key in schema.get("required", []) if key not in value)
        for key, inner in value.items():
            rest = schema.get("additionalProperties", True)
            if key in schema.get("properties", {}):
                check(inner, schema["properties"][key], f"{at}/{key}", root)
            elif rest is False:
                problems.append(f"{at}: {key} is not of SARIF, or new here")
            elif isinstance(rest, dict):
                check(inner, rest, f"{at}/{key}", root)
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            problems.append(f"{at}: too few")
        for i, inner in enumerate(value):
            check(inner, schema.get("items", {}), f"{at}/{i}", root)


for path in sys.argv[1:]:
    log = json.loads(pathlib.Path(path).read_text())
    check(log, schemas[0], path)
    for schema in schemas if jsonschema else []:
        for problem in jsonschema.Draft7Validator(schema).iter_errors(log):
            problems.append(f"{path}: {list(problem.absolute_path)}: {problem.message[:200]}")
    run = log["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"].get("rules", [])]
    prints = set()
    flows = 0
    for result in run["results"]:
        if rules[result["ruleIndex"]] != result["ruleId"]:
            problems.append(f"{path}: rule {result['ruleIndex']} is not {result['ruleId']}")
        prints.add(json.dumps(result["partialFingerprints"]))
        ids = [related["id"] for related in result.get("relatedLocations", [])]
        if len(set(ids)) != len(ids):
            problems.append(f"{path}: related locations with one id")
        flows += len(result.get("codeFlows", []))
    if len(prints) != len(run["results"]):
        problems.append(f"{path}: two results have one fingerprint")
    print(f"{pathlib.Path(path).name}: {len(run['results'])} results, {len(rules)} rules, {flows} flows")
print("\n".join(problems))
sys.exit(bool(problems))
