"""Watches programs whose sharing is known, and judges the verdicts:

    known.py PROGRAM [--rounds N] [--loads N,N...] [--cases NAME,...] [--busy-machine] [-- WATCH-OPTION...]

Prints a row for each watch that is wrong or cannot tell, and a table. A load of
N are N busy processes beside the program. Exits with 1 when a verdict is wrong,
or when more than a fifth of the watches at a load of at most 8 cannot tell; on a
machine that others keep busy, when more than three quarters cannot, twice.
"""

import argparse
import collections
import json
import subprocess
import sys
import time

# What record says of the same programs: is the line shared, and in which ways
# that may be called. Kinds that are not listed are wrong.
KNOWN = {
    "private": {"private"},
    "one-byte": {"private"},
    "read-only": {"read-only"},
    "true": {"true-sharing"},
    "false": {"false-sharing"},
    "mixed": {"mixed"},
    "sleepy-writer": {"false-sharing"},
    "hand-on": {"true-sharing"},
    "come-and-go": {"true-sharing"},
    "phases": {"false-sharing"},
}
SHARED = {name for name, kinds in KNOWN.items() if kinds & {"true-sharing", "false-sharing", "mixed"}}

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("--rounds", type=int, default=1)
parser.add_argument("--loads", default="0")
parser.add_argument("--cases", default=",".join(KNOWN))
parser.add_argument("--busy-machine", action="store_true")
parser.add_argument("options", nargs="*")
arguments = parser.parse_args()


def watch(case):
    """The verdict, the outcome and the seconds of one watch."""
    target = subprocess.Popen(
        [arguments.program, case], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        _, pid, address = target.stdout.readline().split()
        begin = time.monotonic()
        run = subprocess.run(
            ["linesman", "watch", "--pid", pid, "--address", address, "--format=json", *arguments.options],
            stdout=subprocess.PIPE,
            check=True,
            timeout=300,
        )
        seconds = time.monotonic() - begin
        observed = json.loads(run.stdout)["findings"][0]["observed"]
        target.stdin.close()
        if target.wait(120) != 0:
            sys.exit(f"{case}: the watched program was harmed")
        return observed, seconds
    finally:
        target.kill()


def mistake(case, observed):
    """What is wrong with a verdict, or ""."""
    verdict, outcome = observed["verdict"], observed["outcome"]
    if case in SHARED:
        if outcome == "refuted":
            return "false refutation"
        # "sharing" leaves the kind open.
        if outcome == "confirmed" and verdict not in KNOWN[case] | {"sharing"}:
            return "wrong kind"
    else:
        if outcome == "confirmed":
            return "false confirmation"
        if outcome == "refuted" and verdict not in KNOWN[case]:
            return "wrong kind"
    if case == "one-byte":
        for word in observed["words"]:
            if word["exact"] and (word["offset"], word["size"]) != (21, 1):
                return "bytes claimed that nobody touched"
    return ""


def watch_all(load):
    """All cases beside so many busy processes: what came of them, and the seconds of each."""
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(load)]
    counts = collections.Counter()
    times = []
    try:
        for _ in range(arguments.rounds):
            for case in arguments.cases.split(","):
                observed, seconds = watch(case)
                times.append(seconds)
                problem = mistake(case, observed)
                outcome = observed["outcome"]
                counts[problem or outcome] += 1
                counts["wrong"] += problem != ""
                counts["kind open"] += outcome == "confirmed" and observed["verdict"] == "sharing"
                if problem or outcome in ("cannot-tell", "not-seen"):
                    evidence = {k: v for k, v in observed["evidence"].items() if k != "threads"}
                    print(f"load {load}: {case}: {observed['verdict']}, {outcome}: {problem} {evidence}", flush=True)
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
    return counts, sorted(times)


wrong = 0
unsure = 0
for load in [int(part) for part in arguments.loads.split(",")]:
    # What cannot be told may be told the next time, on a machine that others
    # keep busy. What is wrong stays wrong.
    for attempt in range(2 if arguments.busy_machine else 1):
        counts, times = watch_all(load)
        open_ones = counts["cannot-tell"] + counts["not-seen"]
        wrong += counts["wrong"]
        allowed = 0.75 if arguments.busy_machine else 0.2 if load <= 8 else 1
        is_unsure = open_ones > allowed * len(times)
        print(
            f"load {load}: {len(times)} watches: {counts['confirmed']} confirmed"
            f" ({counts['kind open']} of them with the kind open), {counts['refuted']} refuted,"
            f" {open_ones} cannot tell, {counts['wrong']} wrong; median {times[len(times) // 2]:.1f} s",
            flush=True,
        )
        if not is_unsure:
            break
    unsure += is_unsure
print("verdicts hold" if not wrong and not unsure else "verdicts do not hold")
sys.exit(wrong + unsure > 0)
