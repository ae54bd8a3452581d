"""Inside the two-node machine: ends linesman bisect in random windows, and looks
what it leaves: interrupt.py ORACLE TIMES SEED. Prints one line a time."""

import json
import os
import random
import signal
import subprocess
import sys
import time

oracle, times, seed = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
chance = random.Random(seed)


def places(pid):
    """The node of each private page, by module and address."""
    done = subprocess.run(["linesman", "pages", "--format=json", str(pid)], capture_output=True, text=True, check=True)
    result = {}
    for module in json.loads(done.stdout)["modules"]:
        for pages in module["pages"]:
            if pages["state"] == "private":
                for page in range(pages["count"]):
                    result[module["path"], int(pages["address"], 16) + page * 4096] = pages["node"]
    return result


def lines(log):
    try:
        with open(log) as file:
            return sum(1 for _ in file)
    except OSError:
        return 0


def running():
    """The oracles that run, as numbers of processes."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{name}/exe") == oracle:
                found.append(int(name))
        except OSError:
            pass
    return found


def end_in_window(command, log, number):
    """Starts the search, and ends it somewhere in the window of that number, or
    before the first (0)."""
    search = subprocess.Popen([*command[:2], "--log", log, *command[2:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    deadline = time.monotonic() + 300
    # The log has a head.
    while lines(log) <= number and search.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    time.sleep(chance.uniform(0, 0.4))
    at, by = lines(log), chance.choice([signal.SIGINT, signal.SIGINT, signal.SIGTERM])
    search.send_signal(by)
    text, _ = search.communicate(timeout=300)
    return text, search.returncode, f"{signal.Signals(by).name} after {max(0, at - 1)} windows"


failures = 0
for turn in range(times):
    log, number = f"log{turn}", chance.randrange(0, 20)
    host = ["slow", f"seed={turn}", "noise=5"]
    if turn % 2 == 0:
        with open("out", "w") as out:
            process = subprocess.Popen([oracle, *host], stdout=out, stderr=subprocess.DEVNULL)
        while lines("out") < 3:
            time.sleep(0.01)
        before = places(process.pid)
        text, code, when = end_in_window(
            ["linesman", "bisect", "--pid", str(process.pid), "--probe", "sleep 0.25; tail -n 2 out", "--match", "ops.([0-9.]+)", "--simulated"], log, number)
        after = places(process.pid)
        moved = [key for key, node in before.items() if after.get(key) != node]
        alive = process.poll() is None
        process.kill()
        process.wait()
        good = alive and not moved and before and (code == 0 or "put back: all" in text)
        said = f"{len(before)} pages, {len(moved)} elsewhere" + ("" if alive else ", and the program is dead")
    else:
        text, code, when = end_in_window(["linesman", "bisect", "--match=ops.([0-9.]+)", "--live=1", "--simulated", "--", oracle, *host], log, number)
        left = running()
        good, said = not left, f"{len(left)} processes left"
    # An end before the first window has nothing to go on with.
    partial = "stopped after" in text and "go on with: linesman bisect --resume" in text
    good = good and (code == 2) == (partial or number == 0 or "interrupt" in text)
    failures += not good
    print(f"{turn + 1}: {'--pid' if turn % 2 == 0 else '--live'}, {when}: {said}; exit {code}, {'partial verdict' if partial else 'no verdict' if code else 'verdict'}{'' if good else ' WRONG'}", flush=True)
    if not good:
        print(text)
print(f"{times - failures} of {times} put everything back")
sys.exit(failures != 0)
