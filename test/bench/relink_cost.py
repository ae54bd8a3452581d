"""The time of a relink beside that of its plain link: the ratio of the medians
of interleaved rounds. Analysis and verification are in it.

  plain   writes over its old output, as in a developer's build; mold takes that
          file's memory again
  beside  a plain link that leaves the old output alone until it is done, as a
          relink must: a copy of the output in memory more
  relink

What frees the old output after a relink has ended is in no figure.
"""
import json, os, resource, statistics, subprocess, sys, time

name, linker, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
output, links = f"{name}-{linker}", f"links-{name}-{linker}"
plain = json.load(open(f"{links}/link-000001.json"))["link"]
commands = {
    "plain": plain,
    "beside": [word if word != output else f"new-{output}" for word in plain],
    "relink": ["linesman", "relink", f"--plan={name}.json", f"--captured={output}", f"--links={links}", "-o", f"edited-{output}"],
}
assert commands["beside"] != plain
wall, cpu = {which: [] for which in commands}, {which: [] for which in commands}


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


for turn in range(rounds):
    # What one leaves to the kernel is the next one's load: the order rotates.
    order = list(commands)[turn % 3 :] + list(commands)[: turn % 3]
    for which in order:
        begin, before = time.monotonic(), processor_time()
        subprocess.run(commands[which], check=True, stdout=subprocess.DEVNULL)
        wall[which].append(time.monotonic() - begin)
        cpu[which].append(processor_time() - before)
        if which == "beside":
            os.rename(f"new-{output}", output)


def ratio(of, to):
    return statistics.median(of["relink"]) / statistics.median(of[to])


size = os.path.getsize(output) / 1e6
print(
    f"{name}, {linker}: {size:.0f} MB, relink with ten edits takes {ratio(wall, 'plain'):.2f} of the plain link's time, "
    f"{ratio(cpu, 'plain'):.2f} of its CPU time ({statistics.median(wall['plain']):.2f} s, {statistics.median(cpu['plain']):.2f} s; {rounds} rounds), "
    f"{ratio(wall, 'beside'):.2f} of the time of one beside its old output",
    flush=True,
)
sys.exit(ratio(wall, "plain") > 1.15 or size < 100)
