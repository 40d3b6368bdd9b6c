"""What is compared: a compiler with flags, and perhaps a tool that runs the program."""
import dataclasses
import os
import pathlib
import shutil
import subprocess
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
BUILD = (TOP / os.environ.get("BUILD", "build")).resolve()

COMPILERS = {  # for C and for C++
    "gcc": ("gcc", "g++"),
    "clang": ("clang", "clang++"),
    "cgcc": (str(BUILD / "cgcc"), str(BUILD / "cgg++")),
}


@dataclasses.dataclass
class Variant:
    name: str
    compiler: str
    what: str
    flags: list = dataclasses.field(default_factory=list)
    base: str = "gcc"         # None: it is a base
    environment: dict = dataclasses.field(default_factory=dict)
    tool: list = dataclasses.field(default_factory=list)  # {scratch}: a directory for its files
    slow: bool = False        # measured with smaller workloads and fewer pairs
    once: bool = False        # one pair is enough
    threads: bool = False     # exact with threads: measured with the program that has some
    counted: bool = False     # its executed instructions are
    level: str = "-O2"

    def command(self, cxx):
        return [COMPILERS[self.compiler][cxx], *self.flags]

    def needs(self):
        return [COMPILERS[self.compiler][0], COMPILERS[self.compiler][1], *self.tool[:1]]


def ours(name, what, flags="", time=False, **more):
    return Variant(name, "cgcc", what, [f"--cgview-flags={flags}"] if flags else [],
                   environment={} if time else {"CGVIEW_HZ": "0"}, **more)


VARIANTS = [
    Variant("gcc", "gcc", "gcc -O2", base=None, threads=True, counted=True),
    Variant("clang", "clang", "clang -O2", base=None),
    ours("cgcc-counts", "cgcc: counts, not exact with threads, no time", "counters=plain"),
    ours("cgcc-notime", "cgcc: counts, exact with threads, targets of C's calls through pointers, no time", threads=True),
    ours("cgcc", "cgcc: the default, the same and time", time=True, threads=True, counted=True),
    ours("cgcc-notargets", "cgcc: the default without targets of calls through pointers", "notargets", time=True,
         threads=True, counted=True),
    ours("cgcc-targets", "cgcc: the default and targets, also of C++", "targets", time=True, threads=True, counted=True),
    ours("cgcc-centres", "cgcc: the default and cost centres", "centres", time=True, threads=True),
    Variant("gcov", "gcc", "gcc --coverage: counts, not exact with threads", ["--coverage"], counted=True),
    Variant("gcc-O3", "gcc", "gcc -O3", base=None, counted=True, level="-O3"),
    ours("cgcc-O3", "cgcc -O3: the default, against gcc -O3", time=True, counted=True, base="gcc-O3", level="-O3"),
    Variant("gcov-O3", "gcc", "gcc -O3 --coverage, against gcc -O3", ["--coverage"], counted=True, base="gcc-O3",
            level="-O3"),
    Variant("gprof", "gcc", "gcc -pg: calls and time, no inlined procedures", ["-pg"]),
    Variant("clang-cov", "clang", "clang -fprofile-instr-generate -fcoverage-mapping, against clang",
            ["-fprofile-instr-generate", "-fcoverage-mapping"], base="clang"),
    ours("cgcc-atomic", "cgcc: atomic counters, time", "counters=atomic", time=True, slow=True,
         threads=True),
    ours("cgcc-block", "cgcc: a counter in every block, time", "mode=block", time=True, slow=True),
    Variant("gcov-atomic", "gcc", "gcc --coverage -fprofile-update=atomic: exact with threads",
            ["--coverage", "-fprofile-update=atomic"], slow=True, threads=True),
    Variant("perf", "gcc", "perf record -F 999 -g: time only; user CPU of the program and of perf",
            tool=["perf", "record", "-q", "-e", "cpu-clock", "-F", "999", "-g", "-o",
                  "{scratch}/perf.data", "--"], slow=True),
    Variant("uftrace", "gcc", "uftrace record --no-libcall, of a build with -pg", ["-pg"],
            tool=["uftrace", "record", "-d", "{scratch}/uftrace", "--no-libcall"], slow=True),
    Variant("callgrind", "gcc", "valgrind --tool=callgrind",
            tool=["valgrind", "-q", "--tool=callgrind",
                  "--callgrind-out-file={scratch}/callgrind.out"], slow=True, once=True),
]
BY_NAME = {v.name: v for v in VARIANTS}


def compiles(variant):
    """Its error, or None. Flags may be newer than the compiler, or libraries missing."""
    with tempfile.TemporaryDirectory() as directory:
        source = pathlib.Path(directory) / "empty.c"
        source.write_text("int main(void) { return 0; }\n")
        done = subprocess.run([*variant.command(False), str(source), "-o", "empty"], cwd=directory,
                              stderr=subprocess.PIPE, text=True)
        return done.stderr.strip().split("\n")[-1] if done.returncode else None


def available(names):
    """The variants NAMES and their bases as far as they can run here, and what to say of the others."""
    wanted = set(names) | {BY_NAME[n].base for n in names if BY_NAME[n].base} | {"gcc"}
    found, missing = [], []
    for variant in VARIANTS:
        if variant.name not in wanted:
            continue
        lacking = [c for c in variant.needs() if shutil.which(c) is None]
        error = f"{lacking[0]} is not installed" if lacking else compiles(variant)
        if error:
            missing.append(f"{variant.name} is left out: {error}")
        else:
            found.append(variant)
    there = {v.name for v in found}
    return [v for v in found if not v.base or v.base in there], missing
