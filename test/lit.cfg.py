"""How the tests run: lit over test/, with this build's tools first in PATH.

What a machine may lack is probed here once and becomes a feature; a test that
needs it says REQUIRES. test/run.sh prints what was skipped.
"""

import glob
import importlib.util
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "linesman"
if config.sanitizers:
    config.name = "linesman-tsan" if config.sanitizers == "thread" else "linesman-asan"
elif config.llvm_version != config.main_llvm_version:
    config.name = f"linesman-llvm{config.llvm_version}"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test", ".c", ".cpp", ".m", ".ll", ".s"]
config.excludes = ["Inputs", "bench", "unit", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_dir, "test")

# Plugins are built for one LLVM release; only they are tested against the others.
if config.llvm_version != config.main_llvm_version:
    config.excludes += [
        entry
        for entry in os.listdir(config.test_source_root)
        if os.path.isdir(os.path.join(config.test_source_root, entry)) and entry not in ("Tidy", "FactsPass")
    ]

bin_dir = os.path.join(config.build_dir, "bin")
lib_dir = os.path.join(config.build_dir, "lib")
# lit's own tools (FileCheck, not, split-file) come from the release under test.
config.environment["PATH"] = os.pathsep.join([bin_dir, config.llvm_tools, os.environ["PATH"]])
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"


def substitute(key, value):
    config.substitutions.append((key, value))


llvm_tool = lambda name: os.path.join(config.llvm_tools, name)
# The checks on a test file, every diagnostic accounted for.
substitute(
    "%check_tidy",
    f"{sys.executable} {os.path.join(config.source_dir, 'test/Tidy/check_linesman_tidy.py')}"
    f" -clang-tidy={llvm_tool('clang-tidy')} -plugin={os.path.join(lib_dir, 'linesman-tidy.so')}",
)
# What a file must not have; fails also where the file is missing.
substitute("%lacks", f"bash {os.path.join(config.source_dir, 'test/lacks.sh')}")
substitute("%clangxx", llvm_tool("clang++"))
substitute("%clang-tidy", llvm_tool("clang-tidy"))
substitute("%clang_tidy_diff", os.path.join(config.llvm_tools, "../share/clang/clang-tidy-diff.py"))
substitute("%run_clang_tidy", llvm_tool("run-clang-tidy"))
substitute("%clang", llvm_tool("clang"))
substitute("%opt", llvm_tool("opt"))
substitute("%python", sys.executable)
substitute("%facts_plugin", os.path.join(lib_dir, "linesman-facts.so"))
substitute("%tidy_plugin", os.path.join(lib_dir, "linesman-tidy.so"))
substitute("%shim", os.path.join(lib_dir, "liblinesman-shim.so"))
substitute("%llvm_version", config.llvm_version)
substitute("%source_dir", config.source_dir)
substitute("%build_dir", config.build_dir)

# A watcher rests in proportion to what it does itself: a sanitized one that lists a
# thousand threads comes to few of them.
substitute("%many_threads", "300" if config.sanitizers else "1000")
if config.sanitizers:
    config.available_features.add("sanitized")
    # Plugins run in clang, which is not sanitized, and neither are documents,
    # examples and packages; an emulator under a sanitizer would take an hour.
    config.excludes += ["Tidy", "FactsPass", "docs", "explain", "examples", "real", "numa", "hosts", "package", "tidy-command"]
    # These compare answers over many programs, compilers or linkers, or look at a page
    # in a browser. The release build does that; other tests run the same code sanitized.
    config.excludes += [
        "agreement.test", "agreement-aarch64.test", "atomic-pointers.test", "elements.test", "ground-truth.test", "html.test",
        "line-mates.test", "matrix-gnu-ld.test", "matrix-gold.test", "matrix-mold.test", "matrix-static.test",
        "member-pointers.test", "own-sections.test", "pointer-fields.test",
    ]
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
    # Thousands of short processes would spend a fifth of their time on the search
    # for leaks. Unit tests and fuzzing look for leaks.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
    if config.sanitizers == "thread":
        # What is parallel reads and writes files; those that watch other processes
        # have no time for it, and neither their shim nor the readers that scan gives
        # a limit have room beside its shadow memory.
        config.excludes += ["fuzz", "Watch", "Runtime", "hunt", "scan"]
else:
    config.excludes += ["fuzz"]
    # What damaged inputs do is seen better by sanitizers.
    config.environment["LINESMAN_MUTATIONS_PART"] = "4"
if config.llvm_version == config.main_llvm_version:
    config.available_features.add("main-llvm")

# Memory nodes and the kernel: written pages are listed from Linux 6.7 on.
nodes = open("/sys/devices/system/node/online").read().strip() if os.path.exists("/sys/devices/system/node/online") else "0"
if nodes == "0":
    config.available_features.add("one-node")
if tuple(int(part) for part in os.uname().release.split("-")[0].split("+")[0].split(".")[:2]) >= (6, 7):
    config.available_features.add("dirty-pages")
if os.geteuid() == 0:
    config.available_features.add("root")
# A file system of one's own, for tests of full disks; not in every container.
if subprocess.run(["unshare", "--mount", "--propagation", "private", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0:
    config.available_features.add("mount-namespace")
# Not in a container with process numbers of its own.
if os.path.exists("/proc/2/comm") and open("/proc/2/comm").read() == "kthreadd\n" and os.geteuid() == 0:
    config.available_features.add("kernel-thread")
# The simulated machine with two nodes; test/numa/make-image.sh makes it.
numa_image = os.path.join(config.build_dir, "test", "numa", "vm")
substitute("%numa_image", numa_image)
if shutil.which("qemu-system-x86_64") and os.path.exists(os.path.join(numa_image, "initrd.gz")):
    config.available_features.add("two-node-vm")

# Linkers, by the name that -fuse-ld= takes.
for feature, tool in (("lld", llvm_tool("ld.lld")), ("gnu-ld", "ld.bfd"), ("mold", "mold"), ("gold", "ld.gold"), ("wild", "ld.wild")):
    if shutil.which(tool):
        config.available_features.add(feature)
for feature, tool in (("dpkg-dev", "dpkg-scanpackages"), ("gcc", "g++"), ("ccache", "ccache"), ("meson", "meson"), ("mkdocs", "mkdocs"), ("rustc", "/usr/bin/rustc")):
    if shutil.which(tool):
        config.available_features.add(feature)
# Programs for AArch64: Debian's cross packages, and an emulator to run them.
if shutil.which("aarch64-linux-gnu-g++") and shutil.which("qemu-aarch64"):
    config.available_features.add("aarch64")
# Another release's clang-tidy, to load the wrong plugin into.
if config.llvm_version != "19" and shutil.which("clang-tidy-19"):
    config.available_features.add("clang-tidy-19")
# Another release's clang, for the same with the pass.
if config.llvm_version != "19" and shutil.which("clang-19"):
    config.available_features.add("clang-19")
# libstdc++'s own headers are test data for the checks.
if subprocess.run([llvm_tool("clang++"), "-fsyntax-only", "-xc++", "-include", "ext/vstring.h", "/dev/null"], capture_output=True).returncode == 0:
    config.available_features.add("libstdcxx")
# Libraries of headers, whose hazards examples/field has.
if all(os.path.exists(os.path.join("/usr/include", header)) for header in ("boost/smart_ptr.hpp", "oneapi/tbb.h", "eigen3/Eigen")):
    config.available_features.add("field-headers")
# A client of debuginfod, elfutils' or LLVM's own.
if shutil.which("debuginfod-find") or os.path.exists(llvm_tool("llvm-debuginfod-find")):
    config.available_features.add("debuginfod-client")
# A browser for the HTML report.
if importlib.util.find_spec("selenium") and shutil.which("chromium") and os.path.exists("/usr/bin/chromedriver"):
    config.available_features.add("browser")
# clang-tidy's own drivers, which the CI recipes use.
if os.path.exists(llvm_tool("run-clang-tidy")) and os.path.exists(os.path.join(config.llvm_tools, "../share/clang/clang-tidy-diff.py")) and shutil.which("git"):
    config.available_features.add("run-clang-tidy")


def has_hardware_watchpoints():
    """A virtual machine or a container may have none, or may drop them; the
    canary of linesman watch is the probe."""
    linesman = os.path.join(bin_dir, "linesman")
    if not os.path.exists(linesman):
        return False
    program = [sys.executable, "-c", "input()"]
    with subprocess.Popen(program, stdin=subprocess.PIPE) as target:
        maps = open(f"/proc/{target.pid}/maps").read().split("\n")
        address = "0x" + next(line for line in maps if " rw-p " in line).split("-")[0]
        command = [linesman, "watch", "--pid", str(target.pid), "--address", address, "--duration=0.01"]
        try:
            probe = subprocess.run(command, capture_output=True, text=True, timeout=60)
            problem = probe.stderr.strip() if probe.returncode else None
        except subprocess.TimeoutExpired:
            problem = "the probe took more than a minute"
        target.kill()
    if problem is not None:
        lit_config.note(f"no hardware watchpoints: {problem}")
    return problem is None


# Sanitized builds leave it out.
if os.path.exists(os.path.join(lib_dir, "linesman-tidy.so")):
    config.available_features.add("tidy-plugin")
if os.path.exists(os.path.join(config.build_dir, "llvm19", "lib", "linesman-tidy.so")):
    config.available_features.add("llvm19-plugins")
if has_hardware_watchpoints():
    config.available_features.add("hardware-watchpoints")


def can_fetch_sources():
    """test/real builds Debian's source packages: unpacked ones, or apt's archives within reach."""
    if glob.glob(os.path.join(config.build_dir, "sources", "*", "debian")):
        return True
    probe = subprocess.run(
        ["bash", os.path.join(config.test_source_root, "fetch-source.sh"), "--probe"], stdout=subprocess.PIPE, text=True
    )
    if probe.returncode:
        lit_config.note(f"tests of real programs are skipped: {probe.stdout.strip()}")
    return probe.returncode == 0


if "real" not in config.excludes and "main-llvm" in config.available_features and can_fetch_sources():
    config.available_features.add("source-packages")
