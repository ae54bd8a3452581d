# Inside the two-node machine: what each script begins with. The test writes BUILD,
# WORK and INPUTS before it.
cd /tmp
# Pages are born on node 0.
taskset -p 1 $$ >/dev/null
export BUILD WORK INPUTS
export PATH=$BUILD/bin:$PATH PYTHONDONTWRITEBYTECODE=1
# A program, and commands on it while it runs; without libc's pages, which are the
# same everywhere.
on() { python3 -S "$INPUTS/../../Runtime/Inputs/with_process.py" "$@" 2>&1 | grep -Ev '^  0x(1[d-e]...|33|34)...? '; }
