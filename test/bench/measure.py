# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all benches share: commands in turn, what each costs by the kernel's own
account, ratios of pairs, and a row of the table that run.sh makes.

A row for a shell script:
    measure.py BENCH CASE MEASURED PEER RATIO LOW HIGH BOUND     ("-" for none)"""

import collections
import json
import os
import random
import statistics
import subprocess
import sys
import time

# Seconds of processor time of the process and of all that it waited for, seconds
# of the clock, bytes of the largest single process.
Cost = collections.namedtuple("Cost", "user system wall peak")
Ratio = collections.namedtuple("Ratio", "median low high")


def run(command, **options):
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed with {process.returncode}")
    return Cost(usage.ru_utime, usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss * 1024)


def in_turn(jobs, rounds, warm=True):
    """The costs of each job, a list for each name. A job is a command, or a function
    that returns a Cost. The order changes from round to round: what one leaves to
    the kernel is the next one's load."""
    perform = lambda job: job() if callable(job) else run(job)
    if warm:
        for job in jobs.values():
            perform(job)
    costs = {name: [] for name in jobs}
    for _ in range(rounds):
        for name in random.sample(list(jobs), len(jobs)):
            costs[name].append(perform(jobs[name]))
    return costs


def median(costs, field="user"):
    return statistics.median(getattr(cost, field) for cost in costs)


def ratio(costs, peers, field="user"):
    """Of the pairs of each round, so that a machine whose speed drifts does not decide."""
    least = 1e-9
    pairs = [getattr(a, field) / max(getattr(b, field), least) for a, b in zip(costs, peers)]
    return spread(pairs)


def spread(values):
    if len(values) < 2:
        return Ratio(values[0], values[0], values[0])
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return Ratio(middle, low, high)


def seconds(value):
    return f"{value * 1e3:.0f} ms" if value < 1 else f"{value:.2f} s"


def row(bench, case, measured, peer, result, bound=None):
    """Prints a result; with LINESMAN_BENCH_ROWS, also adds it to that file. True
    when it is within the bound, or has none."""
    within = bound is None or result.median <= bound
    limit = "" if bound is None else f" (bound {bound:g}{'' if within else ', MISSED'})"
    beside = f", {peer}" if peer else ""
    print(f"{bench}, {case}: {measured}{beside}: {result.median:.3f} [{result.low:.3f}, {result.high:.3f}]{limit}", flush=True)
    if "LINESMAN_BENCH_ROWS" in os.environ:
        with open(os.environ["LINESMAN_BENCH_ROWS"], "a") as rows:
            print(json.dumps({"bench": bench, "case": case, "measured": measured, "peer": peer, **result._asdict(), "bound": bound}), file=rows)
    return within


if __name__ == "__main__":
    if len(sys.argv) != 9:
        sys.exit(__doc__)
    bench, case, measured, peer, *numbers, bound = sys.argv[1:]
    within = row(bench, case, measured, "" if peer == "-" else peer, Ratio(*map(float, numbers)), None if bound == "-" else float(bound))
    sys.exit(not within)
