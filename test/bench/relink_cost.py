"""The time of a relink beside that of its plain link: the ratio of the medians
of rounds in which each runs once. Analysis and verification are in it.

  plain   writes over its old output, as in a developer's build; mold takes that
          file's memory again
  beside  a plain link that leaves the old output alone until it is done, as a
          relink must: a copy of the output in memory more
  least   the same, and a process of linesman that starts and ends
  relink

What frees the old output after a relink has ended is in no figure.
"""
import json, os, random, resource, statistics, subprocess, sys, time

from measure import row, seconds, spread

name, linker, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
output, links = f"{name}-{linker}", f"links-{name}-{linker}"
plain = json.load(open(f"{links}/link-000001.json"))["link"]
beside = [word if word != output else f"new-{output}" for word in plain]
assert beside != plain
commands = {
    "plain": [plain],
    "beside": [beside],
    "least": [["linesman", "--version"], beside],
    "relink": [["linesman", "relink", f"--plan={name}.json", f"--captured={output}", f"--links={links}", "-o", f"edited-{output}"]],
}
wall, cpu = {which: [] for which in commands}, {which: [] for which in commands}


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


for _ in range(rounds):
    # What one leaves to the kernel is the next one's load.
    for which in random.sample(list(commands), len(commands)):
        begin, before = time.monotonic(), processor_time()
        for command in commands[which]:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        wall[which].append(time.monotonic() - begin)
        cpu[which].append(processor_time() - before)
        if commands[which][-1] is beside:
            os.rename(f"new-{output}", output)
        time.sleep(0.1)


def ratio(which, costs, peer="plain"):
    return statistics.median(costs[which]) / statistics.median(costs[peer])


size = os.path.getsize(output) / 1e6
print(f"{name}, {linker}: {size:.0f} MB, the plain link takes {statistics.median(wall['plain']):.2f} s, {statistics.median(cpu['plain']):.2f} s of CPU time; {rounds} rounds")
for which in list(commands)[1:]:
    print(f"  {which:6}  {ratio(which, wall):.2f} of it, CPU time {ratio(which, cpu):.2f}", flush=True)
pairs = spread([mine / other for mine, other in zip(wall["relink"], wall["beside"])])
within = row("relink-cost", f"{name}, {linker}, {size:.0f} MB", f"relink {seconds(statistics.median(wall['relink']))}", f"a plain link into a new file {seconds(statistics.median(wall['beside']))}", pairs, 1.15)
sys.exit(not within or size < 100)
