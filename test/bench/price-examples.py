"""What watch predicts of the examples' lines, beside an A/B with the patched builds:
price-examples.py BUILD FOLDER. Makes the examples in FOLDER. Each line is watched
alone, three times for 5 s, in a program that runs for longer than that; the A/B is
of the commands of the examples' READMEs."""

import json
import pathlib
import subprocess
import sys

source = pathlib.Path(__file__).resolve().parents[2]
build, folder = (pathlib.Path(p).resolve() for p in sys.argv[1:])
linesman = str(build / "bin/linesman")
# What runs with how much to do, the patched build, and the line that threads meet on.
EXAMPLES = [
    ("nil_root", "store 2 {}", 4000000, "store-guarded", "store::Node<unsigned long>::nil_root"),
    ("broken_padding", "counters 2 {}", 8000000, "counters-padded", "Slots"),
    ("worker_stats", "workers 2 {}", 20000000, "workers-padded", "Stats"),
    ("refcount_empty", "strings 2 {}", 4000000, "strings-guarded", "(anonymous namespace)::Empty"),
    ("spsc_queue", "queue {}", 1000000, "queue-padded", "Jobs"),
    ("settings_and_counters", "server 2 {}", 20000000, "server-padded", "TheServer"),
]


def predict(where, command, finding):
    program = subprocess.Popen(command.split(), cwd=where, stdout=subprocess.DEVNULL)
    try:
        subprocess.run(
            [linesman, "watch", "--report=located.json", f"--finding={finding}", "--duration=5", "--format=json", "-o", "watched.json", f"--pid={program.pid}"],
            cwd=where,
            check=True,
            stderr=subprocess.DEVNULL,
        )
    finally:
        program.kill()
        program.wait()
    report = json.loads((where / "watched.json").read_text())
    seen = next(f["observed"] for f in report["findings"] if f["id"] == finding)
    if "predicted" not in seen:
        return seen.get("unpriced", seen["outcome"])
    share, ns = seen["predicted"]["share"], seen["predicted"]["transfer_ns"]
    high = f"to {100 * share['high']:.0f} %" if "high" in share else "% or more"
    return f"{100 * share['low']:.1f} {high} at {ns:.0f} ns"


for name, words, work, patched, finding in EXAMPLES:
    where = folder / name
    subprocess.run(["make", "-s", "-C", source / "examples" / name, f"OUT={where}", f"LINESMAN={build}"], check=True, stdout=subprocess.DEVNULL)
    binary = words.split()[0]
    subprocess.run([linesman, "layout", "--format=json", "-o", "located.json", binary], cwd=where, check=True)
    endless = "./" + words.format(4000000000)
    said = [predict(where, endless, finding) for _ in range(3)]
    given = "./" + words.format(work)
    subprocess.run(
        [linesman, "ab", "--match=([0-9]+)", "--time-limit=25", "--disturbed=last-resort", "--format=json", "-o", "compared.json", given, given.replace(binary, patched, 1)],
        cwd=where,
        stderr=subprocess.DEVNULL,
    )
    ab = json.loads((where / "compared.json").read_text())
    lost = [f"{100 * (1 - 1 / ab['ratio'][key]):.0f}" for key in ("median", "low", "high")]
    load = pathlib.Path("/proc/loadavg").read_text().split()[0]
    print(f"{name}: predicted {'; '.join(said)}; measured {lost[0]} % ({lost[1]} to {lost[2]}, {ab['verdict']}, {ab['disturbed_rounds']} of {ab['rounds']} disturbed); load {load}", flush=True)
