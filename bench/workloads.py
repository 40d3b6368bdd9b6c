"""The programs that are measured: sources, flags, and a command line that takes two to three seconds
with plain -O2 at scale 1."""
import os
import subprocess
import sys

from variants import BUILD, TOP


def fetch(package, directory, patched="patched"):
    """Debian's source of PACKAGE, through the same door as the end-to-end tests."""
    script = '. tests/e2e/lib.sh; fetch_source "$1" "$2" "$3"'
    environment = dict(os.environ, TMP_DIR=str(directory.parent), BUILD=str(BUILD))
    done = subprocess.run(["bash", "-c", script, "bench", package, str(directory), patched],
                          cwd=TOP, env=environment, stdout=subprocess.PIPE, text=True)
    if not directory.is_dir():
        sys.exit(f"bench: {done.stdout.strip() or package + ' could not be fetched'}")


def make_text(path, size):
    if not path.exists():
        with open(path, "w") as out:
            subprocess.run([sys.executable, TOP / "tests/e2e/make-text.py", str(size)], stdout=out,
                           check=True)
    return path


class Program:
    libraries = []
    defines = []
    cxx = False
    output_is_fixed = True
    threads = False      # measured apart, with the variants that are exact then

    def __init__(self, work):
        self.work = work
        self.source = work / f"{self.name}-source"
        self.prepare()

    def prepare(self):
        pass

    def whole(self, scale, most):
        return str(max(1, round(most * scale)))


class Lua(Program):
    name = "lua"
    libraries = ["-Wl,-E", "-lm", "-ldl"]
    defines = ["-DLUA_USE_LINUX", "-DLUA_COMPAT_5_3", "-Dluai_makeseed(L)=1999"]

    def prepare(self):
        fetch("lua5.4", self.source, "unpatched")

    def command(self, scale):
        return [str(TOP / "tests/e2e/workload.lua"), "6", self.whole(scale, 4)], None

    def sources(self):
        return sorted(p for p in (self.source / "src").glob("*.c") if p.name != "luac.c")


class Bzip2(Program):
    name = "bzip2"
    defines = ["-D_FILE_OFFSET_BITS=64"]

    def prepare(self):
        fetch("bzip2", self.source)

    def command(self, scale):
        return ["-9", "-k", "-c", str(make_text(self.work / f"bzip2.{scale}", int(24e6 * scale)))], None

    def sources(self):
        names = "blocksort huffman crctable randtable compress decompress bzlib bzip2"
        return [self.source / f"{n}.c" for n in names.split()]


class Zlib(Program):
    name = "zlib"

    def prepare(self):
        fetch("zlib", self.source)
        self.defines = ["-DHAVE_UNISTD_H", "-DHAVE_HIDDEN", f"-I{self.source}"]

    def command(self, scale):
        return ["-9"], make_text(self.work / f"zlib.{scale}", int(14e6 * scale))

    def sources(self):
        names = ("adler32 compress crc32 deflate gzclose gzlib gzread gzwrite infback inffast inflate "
                 "inftrees trees uncompr zutil test/minigzip")
        return [self.source / f"{n}.c" for n in names.split()]


class Sqlite(Program):
    name = "sqlite"
    libraries = ["-lm", "-ldl", "-lpthread"]
    output_is_fixed = False  # it prints times

    def prepare(self):
        fetch("sqlite3", self.source)
        amalgamation = self.source / "bld"
        amalgamation.mkdir()
        log = subprocess.DEVNULL
        subprocess.run(["../configure", "--disable-tcl", "--disable-readline"], cwd=amalgamation,
                       check=True, stdout=log, stderr=log)
        subprocess.run(["make", "sqlite3.c"], cwd=amalgamation, check=True, stdout=log, stderr=log)
        self.defines = [f"-I{amalgamation}"]

    def command(self, scale):
        return ["--size", self.whole(scale, 100), ":memory:"], None

    def sources(self):
        return [self.source / "bld/sqlite3.c", self.source / "test/speedtest1.c"]


class Own(Program):
    """A program of bench/programs; its one argument is how much it does."""

    def command(self, scale):
        return [self.whole(scale, self.amount)], None

    def sources(self):
        return [TOP / "bench/programs" / self.file]


class Calls(Own):
    name, file, amount = "calls", "calls.c", 560


class Objects(Own):
    name, file, amount, cxx = "objects", "objects.cc", 320, True


class Threads(Own):
    name, file, amount, threads = "threads", "threads.c", 100, True
    defines = ["-pthread"]


PROGRAMS = {c.name: c for c in (Lua, Bzip2, Zlib, Sqlite, Calls, Objects, Threads)}
