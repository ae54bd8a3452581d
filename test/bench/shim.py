"""What the shim costs its host, as ratios in one run, interleaved:
shim.py BUILD {idle|dirty|start} [ROUNDS]"""

import os
import statistics
import subprocess
import sys
import time

from measure import Ratio, row, spread

build, what = os.path.abspath(sys.argv[1]), sys.argv[2]
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 21
here = os.path.dirname(os.path.abspath(__file__))
program = os.path.join(build, "test", "bench-work")
subprocess.run(["clang-22", "-O2", "-pthread", os.path.join(here, "work.c"), "-o", program], check=True)
linesman = os.path.join(build, "bin", "linesman")
# What a service is given.
with_shim = dict(os.environ, LD_PRELOAD=os.path.join(build, "lib", "liblinesman-shim.so"), LINESMAN_HOLD="1")


class Host:
    def __init__(self, environment, before=()):
        self.process = subprocess.Popen([*before, program, "20000000", "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        self.pid = self.process.stdout.readline().split()[1]

    def measure(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def ratio(measure_with, measure_without):
    """Of the medians; the quartiles of the pairs say how sure that is."""
    pairs = []
    for round in range(rounds):
        if round % 2:
            a, b = measure_with(), measure_without()
        else:
            b, a = measure_without(), measure_with()
        pairs.append((a, b))
    ratios = sorted(a / b for a, b in pairs)
    value = statistics.median(a for a, _ in pairs) / statistics.median(b for _, b in pairs)
    return value, ratios[len(ratios) // 4], ratios[3 * len(ratios) // 4]


if what == "idle":
    plain, shimmed = Host(None), Host(None, [linesman, "run", "--prepare", "--hold", "--"])
    value, low, high = ratio(shimmed.measure, plain.measure)
    within = row("shim-idle", f"{rounds} rounds", "prepared and held", "plain", Ratio(value, low, high), 1.01)
elif what == "dirty":
    host = Host(None, [linesman, "run", "--"])

    def scanned():
        scan = subprocess.Popen([linesman, "dirty", host.pid, "--duration", "1000"], stdout=subprocess.DEVNULL)
        time.sleep(0.3)  # The watch is on; this is a bench, not a test.
        value = host.measure()
        scan.terminate()
        scan.wait()
        return value

    value, low, high = ratio(scanned, host.measure)
    within = row("shim-dirty", f"{rounds} rounds", "ten scans a second", "none", Ratio(value, low, high), 1.03)
elif what == "start":
    count = 50

    def start(environment):
        begin = time.monotonic()
        for _ in range(count):
            subprocess.run([program, "0"], env=environment, stdout=subprocess.DEVNULL, check=True)
        return (time.monotonic() - begin) / count * 1000

    pairs = [(start(with_shim), start(None)) for _ in range(rounds)]
    cost = spread([a - b for a, b in pairs])
    plain = statistics.median(b for _, b in pairs)
    within = row("shim-start", f"{rounds} rounds of {count} starts", "milliseconds more", f"plain start {plain:.2f} ms", cost, 2)
else:
    sys.exit(__doc__)
sys.exit(not within)
