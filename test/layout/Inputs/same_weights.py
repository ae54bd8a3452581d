"""Compares findings of types of two reports: who, how much, and beside whom."""

import json
import sys


def read(file):
    return [
        (f["id"], f["kind"], round(f["score"], 6), f["type"]["size"], [(o["name"], round(o["writes"], 6)) for o in f["occupants"]])
        for f in json.load(open(file))["findings"]
    ]


a, b = map(read, sys.argv[1:3])
assert a, "no findings"
print("the same findings of types" if a == b else f"{a}\n{b}")
