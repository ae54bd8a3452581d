"""Random programs, and what they really write: facts against a trace.

    ground_truth.py LINESMAN CLANG PLUGIN [PROGRAMS [SEED]]

Each program has static objects whose addresses go on by one channel each (a
call, a chain of calls, a result, a member, a static pointer, ...), over three
units, in C or C++. Each object has pages of its own, which are write-protected
before main (write_trace.c): the first store to each is told, whoever makes it.
Two things must hold:
  - an object that is written has a write in the facts, unless its channel is
    one that docs/limits.md says is lost; those are counted;
  - an object that no code can write (a decoy, which only readers and guarded
    writers are given) has no certain write.
Prints a table of channels and exits 1 if one of them does not hold.
"""

import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

HEADER = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct Item { struct Item *next; long a; long b[4]; };
struct Outer { long x; struct Item in; };
struct Box { long n; struct Item *to; };
"""

PAGE = 65536  # as large as pages are anywhere

# Machine code is followed through calls in programs that start threads.
MAIN = "int main(void) { pthread_t t; return pthread_create(&t, 0, all, 0) || pthread_join(t, 0); }"

# By channel: how the object's address comes to a writer.
FOLLOWED = {"named", "call", "chain", "inner", "result", "through", "static", "table", "recursion", "select", "loop", "phi", "member", "nested"}
LOST = {"indirect", "copied", "heap-array", "integer"}
DECOYS = ["read-only", "guarded", "guarded-callee", "guarded-member"]


class Program:
    def __init__(self, rng, is_cpp):
        self.rng = rng
        self.is_cpp = is_cpp
        self.units = [[], [], []]
        self.header = []
        self.main = []
        self.channels = {}
        self.count = 0

    def unit(self):
        return self.rng.choice(self.units)

    def function(self, signature, body):
        self.header.append(signature + ";")
        self.unit().append(f"{signature} {{ {body} }}")

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def object(self, channel, type_name="struct Item"):
        name = self.name("obj_")
        self.header.append(f"extern {type_name} {name};")
        # Nothing but such objects is in that section.
        self.unit().append(f"{type_name} {name} __attribute__((aligned({PAGE}), section(\"traced\"))) = {{0}};")
        self.channels[name] = channel
        return name

    def write(self, p):
        """A statement that writes through p."""
        return self.rng.choice([
            f"{p}->a = sink;",
            f"{p}->a++;",
            f"{p}->b[{self.rng.randrange(4)}] += sink;",
            f"for (int i = 0; i < 4; ++i) {p}->b[i] = sink + i;",
            f"__atomic_fetch_add(&{p}->a, 1, __ATOMIC_RELAXED);",
            f"memset({p}->b, 0, sizeof {p}->b);",
        ])

    def writer(self):
        name = self.name("write_")
        self.function(f"void {name}(struct Item *p)", self.write("p"))
        return name

    def add(self, channel):
        o = self.object(channel, "struct Outer" if channel == "inner" else "struct Item")
        run = self.name("run_")
        body = getattr(self, channel.replace("-", "_"))(o)
        self.function(f"void {run}(void)", body)
        self.main.append(f"{run}();")

    def named(self, o):
        return self.write(f"(&{o})")

    def call(self, o):
        return f"{self.writer()}(&{o});"

    def chain(self, o):
        inner = self.writer()
        for _ in range(self.rng.randrange(1, 4)):
            outer = self.name("hand_")
            self.function(f"void {outer}(long n, struct Item *p)", f"{inner}({'n, ' if inner.startswith('hand_') else ''}p); sink += n;")
            inner = outer
        return f"{inner}(3, &{o});"

    def inner(self, o):
        hand = self.name("hand_")
        self.function(f"void {hand}(struct Outer *p)", f"{self.writer()}(&p->in);")
        return f"{hand}(&{o});"

    def result(self, o):
        get = self.name("get_")
        self.function(f"struct Item *{get}(void)", f"return &{o};")
        return f"struct Item *p = {get}(); {self.write('p')}"

    def through(self, o):
        get = self.name("pass_")
        self.function(f"struct Item *{get}(struct Item *p)", "sink++; return p;")
        return f"{self.writer()}({get}(&{o}));"

    def box(self, o, body):
        box = self.name("Box_")
        make, use = self.name("make_"), self.name("use_")
        self.header.append(f"struct {box} {{ long n; struct Item *to; }};")
        self.function(f"struct {box} *{make}(void)", f"struct {box} *b = (struct {box} *)malloc(sizeof *b); b->n = 0; b->to = &{o}; return b;")
        self.function(f"void {use}(struct {box} *b)", body)
        return f"{use}({make}());"

    def member(self, o):
        return self.box(o, self.write("b->to"))

    def nested(self, o):
        return self.box(o, f"{self.writer()}(b->to);")

    def static(self, o):
        pointer = self.name("pointer_")
        self.header.append(f"extern struct Item *{pointer};")
        if self.rng.random() < 0.5:
            self.unit().append(f"struct Item *{pointer} = &{o};")
            return f"struct Item *p = {pointer}; {self.write('p')}"
        self.unit().append(f"struct Item *{pointer};")
        self.function(f"void set_{pointer}(void)", f"{pointer} = &{o};")
        return f"set_{pointer}(); {self.writer()}({pointer});"

    def table(self, o):
        other = self.object("table")
        table = self.name("table_")
        self.header.append(f"extern struct Item *{table}[2];")
        self.unit().append(f"struct Item *{table}[2] = {{&{o}, &{other}}};")
        return f"for (int i = 0; i < 2; ++i) {self.writer()}({table}[i]);"

    def recursion(self, o):
        name = self.name("recurse_")
        self.function(f"void {name}(struct Item *p, int n)", f"{self.write('p')} if (n) {name}(p, n - 1); sink++;")
        return f"{name}(&{o}, 3);"

    def select(self, o):
        other = self.object("select")
        return f"for (int i = 0; i < 2; ++i) {self.writer()}(i ? &{o} : &{other});"

    def phi(self, o):
        other = self.object("phi")
        return f"struct Item *p = &{o}; for (int i = 0; i < 2; ++i) {{ {self.write('p')} p = &{other}; }}"

    def loop(self, o):
        name = self.name("fill_")
        self.function(f"void {name}(long *p, long n)", "for (long *e = p + n; p != e; ++p) *p = sink;")
        return f"{name}({o}.b, 4);"

    # Lost.
    def indirect(self, o):
        pointer = self.name("function_")
        self.header.append(f"extern void (*volatile {pointer})(struct Item *);")
        self.unit().append(f"void (*volatile {pointer})(struct Item *) = {self.writer()};")
        return f"{pointer}(&{o});"

    def copied(self, o):
        copy = self.name("copy_")
        self.function(f"void {copy}(void *to, void *from)", "for (int i = 0; i != 8; ++i) ((volatile char *)to)[i] = ((volatile char *)from)[i];")
        return f"struct Item *p = &{o}, *q; {copy}(&q, &p); {self.write('q')}"

    def heap_array(self, o):
        if self.is_cpp:
            return f"std::vector<struct Item *> v; v.push_back(&{o}); for (struct Item *p : v) {{ {self.write('p')} }}"
        make = self.name("array_")
        self.function(f"struct Item **{make}(void)", f"struct Item **v = (struct Item **)malloc(16); v[1] = &{o}; return v;")
        return f"struct Item *p = {make}()[1]; {self.write('p')}"

    def integer(self, o):
        number = self.name("number_")
        self.header.append(f"extern volatile unsigned long {number};")
        self.unit().append(f"volatile unsigned long {number};")
        return f"{number} = (unsigned long)&{o}; struct Item *p = (struct Item *){number}; {self.write('p')}"

    # Decoys: no code can write them.
    def read_only(self, o):
        name = self.name("read_")
        self.function(f"void {name}(struct Item *p)", "sink += p->a + p->b[1];")
        return f"{name}(&{o});"

    def guarded(self, o):
        name = self.name("guard_")
        self.function(f"void {name}(struct Item *p)", f"if (p == &{o}) return; {self.write('p')}")
        return f"{name}(&{o});"

    def guarded_callee(self, o):
        name = self.name("guard_")
        self.function(f"void {name}(struct Item *p)", f"if (p != &{o}) {self.writer()}(p);")
        return f"{name}(&{o});"

    def guarded_member(self, o):
        return self.box(o, f"struct Item *p = b->to; if (p != &{o}) {{ {self.write('p')} }}")

    def sources(self):
        includes = "#include <vector>\n" if self.is_cpp else ""
        header = includes + HEADER + "extern long sink;\n" + "\n".join(self.header)
        # Functions are declared first, whatever unit they are in.
        self.units[0].append("long sink;\nstatic void *all(void *p) { " + " ".join(self.main) + " return p; }\n" + MAIN)
        return header, ["#include \"all.h\"\n" + "\n".join(u) for u in self.units]


def written_objects(binary, tracer):
    """Names of the objects that are written when the program runs."""
    objects = objects_of(binary)
    begin, end = min(o[0] for o in objects), max(o[0] for o in objects) + PAGE
    trace = subprocess.run([f"./{binary}"], env={"LD_PRELOAD": tracer, "TRACED": f"{begin:x}-{end:x}"}, stderr=subprocess.PIPE, text=True)
    assert trace.returncode == 0, trace
    pages = {int(address, 16) // PAGE for address in trace.stderr.split()}
    return {name for address, _, name in objects if address // PAGE in pages}


def objects_of(binary):
    out = subprocess.run(["nm", "-S", binary], capture_output=True, text=True, check=True).stdout
    return [(int(m[1], 16), int(m[2], 16), m[3]) for m in re.finditer(r"^(\w+) (\w+) [bBdD] (obj_\w+)$", out, re.M)]


def facts_of(linesman, binary, source):
    """Objects with a write, and those with a certain one."""
    out = subprocess.run([linesman, "layout", f"--facts={source}", "--format=json", "--all", binary], capture_output=True, text=True, check=True).stdout
    written, certain = set(), set()
    for line in json.loads(out)["lines"]:
        for occupant in line["occupants"]:
            for site in occupant.get("sites", []):
                if site["access"] != "read":
                    written.add(occupant["symbol"])
                    if not site.get("perhaps"):
                        certain.add(occupant["symbol"])
    return written, certain


def main():
    linesman, clang, plugin = sys.argv[1:4]
    programs = int(sys.argv[4]) if len(sys.argv) > 4 else 200
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    table = collections.Counter()
    failures = []
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "write_trace.c")
    scratch = tempfile.TemporaryDirectory()
    os.chdir(scratch.name)
    tracer = os.path.join(scratch.name, "write_trace.so")
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", source, "-o", tracer], check=True)
    # Behind the last object.
    with open("end.c", "w") as f:
        f.write(f"char traced_end[{PAGE}] __attribute__((aligned({PAGE}), section(\"traced\"))) = {{1}};")
    subprocess.run(["gcc", "-c", "end.c"], check=True)
    for number in range(programs):
        rng = random.Random(seed * 1000003 + number)
        program = Program(rng, is_cpp=number % 2 == 1)
        for channel in sorted(FOLLOWED | LOST) + DECOYS:
            if rng.random() < 0.7:
                program.add(channel)
        rng.shuffle(program.main)
        header, units = program.sources()
        suffix = "cpp" if program.is_cpp else "c"
        with open("all.h", "w") as f:
            f.write(header)
        files = []
        for i, text in enumerate(units):
            files.append(f"unit{i}.{suffix}")
            with open(files[-1], "w") as f:
                f.write(text)
        by_gcc = number % 5 in (1, 4)
        level = f"-O{rng.randrange(1 if by_gcc else 0, 4)}"
        if by_gcc:
            compiler = ["g++" if program.is_cpp else "gcc"]
        else:
            compiler = [clang + ("++" if program.is_cpp else ""), f"-fpass-plugin={plugin}"]
        subprocess.run(compiler + [level, "-g", "-w", "-no-pie", "-pthread", *files, "end.o", "-o", "program"], check=True)
        really = written_objects("program", tracer)
        written, certain = facts_of(linesman, "program", "code" if by_gcc else "compiler")
        kind = "code" if by_gcc else "compiler"
        for name, channel in program.channels.items():
            where = f"program {number} {compiler[0]} {level} {name} ({channel})"
            if channel in DECOYS:
                assert name not in really, where
                table[kind, channel, "certain" if name in certain else "none"] += 1
                if name in certain:
                    failures.append(f"{where}: certain write to what is not written")
                continue
            assert name in really, where
            state = "certain" if name in certain else "perhaps" if name in written else "missing"
            table[kind, channel, state] += 1
            if state == "missing" and channel in FOLLOWED:
                failures.append(f"{where}: written, and not in the facts")
    for key, count in sorted(table.items()):
        print("{:10}{:16}{:10}{:6}".format(*key, count))
    for failure in failures:
        print(failure)
    print(f"{programs} programs, seed {seed}: {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
