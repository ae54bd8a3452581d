"""Checks a layout report against schema 1: every key of docs/design.md that a
located finding has, with its type and its words, and findings by score."""

import json
import sys

report = json.load(open(sys.argv[1]))


def check(value, shape, where):
    if isinstance(shape, dict):
        for key, inner in shape.items():
            optional = key.endswith("?")
            key = key.rstrip("?")
            if key in value:
                check(value[key], inner, f"{where}.{key}")
            else:
                assert optional, f"{where} has no {key}"
    elif isinstance(shape, list):
        assert isinstance(value, list), f"{where} is no list"
        for index, element in enumerate(value):
            check(element, shape[0], f"{where}[{index}]")
    elif isinstance(shape, set):
        assert value in shape, f"{where} is {value}, expected one of {shape}"
    elif shape is hex:
        assert value == hex(int(value, 16)), f"{where} is no address"
    else:
        assert isinstance(value, shape), f"{where} is no {shape}"


number = (int, float)
occupant = {
    "symbol": str,
    "name": str,
    "member?": str,
    "address": hex,
    "size": int,
    "source?": str,
    "reads": number,
    "writes": number,
    "atomics": number,
    "members?": [{"member": str, "address": hex, "size": int, "reads": number, "writes": number, "atomics": number}],
    "arrays?": [{"member": str, "elements": int, "stride": int, "per_line": number}],
    "sites": [{"function": str, "source?": str, "touches?": [str], "access": {"read", "write", "atomic"}, "weight": number}],
}
check(
    report,
    {
        "schema": {1},
        "tool": {"linesman"},
        "command": {"layout"},
        "binary": str,
        "line_size": int,
        "page_size": int,
        "notes": [str],
        "findings": [
            {
                "id": str,
                "rung": {"located"},
                "kind": {"true-sharing", "false-sharing", "mixed"},
                "score": number,
                "line": {"address": hex, "section": str},
                "occupants": [occupant],
                "remedy": {"kind": {"isolate", "group", "guard", "per-thread", "alignas"}, "text": str},
            }
        ],
    },
    "report",
)
findings = report["findings"]
assert findings, "there is nothing to check"
scores = [finding["score"] for finding in findings]
assert scores == sorted(scores, reverse=True), "findings are not ordered by score"
for finding in findings:
    line = int(finding["line"]["address"], 16)
    assert line % report["line_size"] == 0
    for o in finding["occupants"]:
        begin = int(o["address"], 16)
        assert line <= begin and begin + o["size"] <= line + report["line_size"], "occupant beyond its line"
