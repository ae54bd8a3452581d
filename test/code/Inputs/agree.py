"""Holds facts of machine code against facts of the compiler, on one binary that
has both: which (function, object, kind of access) do both know?

    agree.py LEAST BINARY...

Prints every disagreement and fails when less than LEAST percent agree over all
binaries. docs/limits.md explains the kinds. Prints more with less to say: a
binary that has nothing to compare is an error.
"""

import json
import re
import subprocess
import sys

# Start-up files and libgcc's outlined atomics come without compiler facts.
OTHERS = re.compile(
    r"^(_start|_init|_fini|frame_dummy|\w*_tm_clones|__do_global_dtors_aux|_dl_relocate_static_pie"
    r"|__aarch64_\w+|init_have_lse_atomics|call_weak_fn)$"
)


def facts(binary, source):
    run = subprocess.run(
        ["linesman", "layout", "--format=json", "--all", f"--facts={source}", binary], check=True, capture_output=True
    )
    found = set()
    for line in json.loads(run.stdout)["lines"]:
        for occupant in line["occupants"]:
            for site in occupant.get("sites", []):
                # What a compiler splits off is still the function.
                function = re.sub(r" \[clone \.cold.*\]$|\.cold.*$", "", site["function"])
                if not OTHERS.match(function):
                    found.add((function, occupant["name"], site["access"]))
    return found


least, binaries = float(sys.argv[1]), sys.argv[2:]
same = total = 0
for binary in binaries:
    compiler, code = facts(binary, "compiler"), facts(binary, "code")
    assert compiler and code, f"{binary}: {len(compiler)} facts of the compiler, {len(code)} of machine code"
    for where in sorted(compiler - code):
        print(f"{binary}: compiler only:", *where, sep="\t")
    for where in sorted(code - compiler):
        print(f"{binary}: code only:", *where, sep="\t")
    same += len(compiler & code)
    total += len(compiler | code)
print(f"{same} of {total} agree: {100 * same / total:.1f} %")
sys.exit(100 * same < least * total)
