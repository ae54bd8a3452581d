"""Compares the verdicts of `linesman watch` and `linesman record` on one case of
ten.cpp: ten.py PLAIN RECORDED CASE ITERATIONS [WATCH-OPTION...]. Prints
"CASE: VERDICT" when they agree. That is "sharing" where watch cannot tell, in the
longest time, whether the bytes are the same. Where threads come and go, no time is
long enough, and the first answer counts.
"""

import json
import subprocess
import sys

plain, recorded, case, iterations, *watch_options = sys.argv[1:]


def verdict_of(report, wanted):
    for finding in report["findings"]:
        if wanted(finding):
            return finding["observed"]["verdict"]
    return "no finding"


options = [] if case == "heap" else ["--symbol", "Watched"]
record = subprocess.run(
    ["linesman", "record", "--format=json", *options, "--", recorded, case, iterations],
    stdout=subprocess.PIPE,
    check=True,
    timeout=120,
)


def is_wanted(finding):
    if case != "heap":
        return finding["id"].startswith("Watched")
    return any("makeHeapLine" in frame for frame in finding.get("allocation", {}).get("stack", []))


truth = verdict_of(json.loads(record.stdout), is_wanted)
target = subprocess.Popen([plain, case], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
_, _, address = target.stdout.readline().split()
# Where other tests have the processors, two seconds may be too few to see all,
# or to tell the bytes of a word apart: then, and only then, longer ones must do.
# What is confirmed or refuted must be right the first time.
for seconds in (2, 4, 8, 16, 32):
    watched = subprocess.run(
        ["linesman", "watch", "--pid", str(target.pid), "--address", address, "--format=json"]
        + [f"--duration={seconds}", *watch_options],
        stdout=subprocess.PIPE,
        check=True,
        timeout=120,
    )
    observed = json.loads(watched.stdout)["findings"][0]["observed"]
    seen = observed["verdict"]
    if observed["outcome"] in ("confirmed", "refuted") and (seen != "sharing" or case == "come-and-go"):
        break
target.stdin.close()
if target.wait(60) != 0:
    sys.exit("the watched program was harmed")
agrees = seen == truth or (seen == "sharing" and truth in ("true-sharing", "false-sharing", "mixed"))
if not agrees or observed["outcome"] not in ("confirmed", "refuted"):
    sys.exit(f"{case}: watch says {seen}, record says {truth}")
print(f"{case}: {seen}")
