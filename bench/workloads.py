"""The programs that are measured: sources, flags, and a command line that takes two to three seconds
with plain -O2 at scale 1."""
import math
import os
import pathlib
import random
import re
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


def make_xml(path, rows):
    row = '<row n="%d" name="x%d"><a>text &amp; %d</a><b/><!-- c --></row>\n'
    if not path.exists():
        with open(path, "w") as out:
            out.writelines(["<all>\n", *(row % (i, i * 7, i % 13) for i in range(rows)), "</all>\n"])
    return path


def make_picture(path, side):
    """A PPM of waves with a little noise."""
    if not path.exists():
        wave = [round(128 + 100 * math.sin(i / 37) + i * i % 29) % 256 for i in range(2 * side)]
        with open(path, "wb") as out:
            out.write(b"P6 %d %d 255\n" % (side, side))
            for y in range(side):
                line = bytearray(3 * side)
                line[0::3] = bytes(wave[y:y + side])
                line[1::3] = bytes(wave[side - y - 1:2 * side - y - 1])
                line[2::3] = bytes(wave[:side])
                out.write(line)
    return path


def executables(work, size):
    """The programs of this machine, one behind the other."""
    path = work / f"executables.{size}"
    if not path.exists():
        found = b"".join(p.read_bytes() for p in sorted(pathlib.Path("/usr/bin").iterdir())
                         if p.is_file() and not p.is_symlink() and p.stat().st_size < 1 << 21
                         and p.read_bytes()[:4] == b"\x7fELF")
        path.write_bytes((found * (size // len(found) + 1))[:size])
    return path


def noise(work, size):
    path = work / f"noise.{size}"
    if not path.exists():
        path.write_bytes(random.Random(1).randbytes(size))
    return path


def made(path, *command):
    """What COMMAND prints."""
    if not path.exists():
        with open(path, "wb") as out:
            subprocess.run([str(c) for c in command], stdout=out, check=True)
    return path


def quiet(*command, cwd):
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   stdin=subprocess.DEVNULL)


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

    def amount_of(self, scale, most):
        return max(1, round(most * scale))

    def whole(self, scale, most):
        return str(self.amount_of(scale, most))


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


class Bzip2Executables(Bzip2):
    name = "bzip2-exe"

    def command(self, scale):
        return ["-9", "-k", "-c", str(executables(self.work, int(24e6 * scale)))], None


class Bzip2Noise(Bzip2):
    name = "bzip2-noise"

    def command(self, scale):
        return ["-9", "-k", "-c", str(noise(self.work, int(16e6 * scale)))], None


class Bzip2Back(Bzip2):
    name = "bzip2-d"

    def command(self, scale):
        given = executables(self.work, int(24e6 * scale))
        return ["-d", "-c", *[str(made(self.work / f"{given.name}.bz2", "bzip2", "-9c", given))] * 3], None


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


class Gzip(Program):
    name = "gzip"
    defines = ["-DHAVE_CONFIG_H", "-DNO_ASM"]

    def prepare(self):
        fetch("gzip", self.source, "unpatched")
        quiet("./configure", cwd=self.source)
        quiet("make", "-j2", cwd=self.source)
        self.defines = [*self.defines, f"-I{self.source}", f"-I{self.source}/lib"]

    def command(self, scale):
        return ["-9", "-n", "-c", str(executables(self.work, int(48e6 * scale)))], None

    def sources(self):
        objects = [*self.source.glob("*.o"), *self.source.glob("lib/**/*.o")]
        return sorted(o.with_name(o.stem.removeprefix("libgzip_a-") + ".c") for o in objects
                      if "xalloc-die" not in o.name)  # gzip has its own


class Lz4(Program):
    name = "lz4"

    def prepare(self):
        fetch("lz4", self.source)
        self.defines = [f"-I{self.source}/lib", "-DXXH_NAMESPACE=LZ4_"]

    def command(self, scale):
        return ["-9", "-c", str(executables(self.work, int(72e6 * scale)))], None

    def sources(self):
        names = "lz4cli lz4io datagen bench lorem util timefn threadpool"
        programs = (self.source / f"programs/{n}.c" for n in names.split())
        return [*sorted((self.source / "lib").glob("*.c")), *(p for p in programs if p.exists())]


class Zstd(Program):
    name = "zstd"

    def prepare(self):
        fetch("libzstd", self.source)
        self.defines = [f"-I{self.source}/lib", f"-I{self.source}/lib/common", "-DXXH_NAMESPACE=ZSTD_",
                        "-DZSTD_DISABLE_ASM", "-DZSTD_NOBENCH", "-DZSTD_NODICT", "-DZSTD_NOTRACE"]

    def command(self, scale):
        return ["-12", "-c", "--single-thread", str(executables(self.work, int(48e6 * scale)))], None

    def sources(self):
        names = "zstdcli fileio fileio_asyncio util timefn datagen lorem"
        programs = (self.source / f"programs/{n}.c" for n in names.split())
        library = (p for part in ("common", "compress", "decompress") for p in (self.source / "lib" / part).glob("*.c"))
        return [*sorted(library), *(p for p in programs if p.exists())]


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


class Mawk(Program):
    name = "mawk"
    libraries = ["-lm"]
    script = """{ for (i = 1; i <= NF; i++) { n[tolower($i)]++; s += length($i) } gsub(/a+/, "b"); t = t < $0 ? $0 : t }
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
END { print NR, s, length(n), fib(FIB), t }"""
    texts, fib = 80, 32

    def prepare(self):
        fetch("mawk", self.source)
        quiet("./configure", cwd=self.source)
        quiet("make", "mawk", cwd=self.source)
        self.defines = [f"-I{self.source}", "-DHAVE_CONFIG_H", "-DLOCAL_REGEXP", "-D_DEFAULT_SOURCE",
                        "-D_XOPEN_SOURCE=500"]

    def command(self, scale):
        # A step of fib is 1.6 times the work.
        return ["-v", f"FIB={max(1, self.fib + round(math.log(scale, 1.618)))}", self.script,
                *[str(make_text(self.work / "words", 1000000))] * self.amount_of(scale, self.texts)], None

    def sources(self):
        return sorted(self.source / f"{o.stem}.c" for o in self.source.glob("*.o"))


class Gawk(Mawk):
    name = "gawk"
    texts, fib = 28, 31
    script = Mawk.script + """
function by_length(i1, v1, i2, v2) { return v1 < v2 ? -1 : v1 > v2 }
END { m = asort(n, sorted, "by_length"); print m, sorted[1], sorted[m] }"""

    def prepare(self):
        fetch("gawk", self.source)
        quiet("./configure", "--disable-nls", "--without-readline", "--without-mpfr", "--disable-extensions",
              "--disable-pma", cwd=self.source)
        self.defines = [f"-I{self.source}", f"-I{self.source}/support", "-DHAVE_CONFIG_H", "-DGAWK",
                        '-DDEFPATH="."', '-DDEFLIBPATH="."', '-DSHLIBEXT="so"', '-DLOCALEDIR="."', "-DNDEBUG"]

    def sources(self):
        names = ("array awkgram builtin cint_array command debug eval ext field floatcomp gawkapi gawkmisc "
                 "int_array io main mpfr msg node profile re replace str_array symbol version "
                 "support/dfa support/localeinfo support/getopt support/getopt1 support/random support/regex")
        return [self.source / f"{n}.c" for n in names.split()]


class Xmlwf(Program):
    name = "xmlwf"
    config = """#define XML_NS 1
#define XML_DTD 1
#define XML_GE 1
#define XML_DEV_URANDOM 1
#define HAVE_MEMMOVE 1
#define HAVE_UNISTD_H 1
#define BYTEORDER 1234
#define XML_CONTEXT_BYTES 1024
#define PACKAGE_STRING "expat"
"""

    def prepare(self):
        fetch("expat", self.source)
        (self.source / "expat/lib/expat_config.h").write_text(self.config)
        self.defines = ["-DHAVE_EXPAT_CONFIG_H", f"-I{self.source}/expat/lib"]

    def command(self, scale):
        return [str(make_xml(self.work / "xml", 100000))] * self.amount_of(scale, 54), None

    def sources(self):
        names = "lib/xmlparse lib/xmlrole lib/xmltok xmlwf/xmlwf xmlwf/xmlfile xmlwf/codepage xmlwf/unixfilemap"
        return [self.source / f"expat/{n}.c" for n in names.split()]


class Mujs(Program):
    name = "mujs"
    libraries = ["-lm"]
    script = """function Node(k) { this.k = k; this.left = this.right = null }
Node.prototype.add = function (n) { var s = n.k < this.k ? 'left' : 'right'; if (this[s]) this[s].add(n); else this[s] = n }
for (var round = 0; round < %d; round++) {
	var root = new Node(500), x = 7, text = '', a = []
	for (var i = 0; i < 3000; i++) { x = (x * 1103 + 12345) %% 65536; root.add(new Node(x)); a.push(x); text += x.toString(16) }
	a.sort(function (p, q) { return p - q })
}
print(a[5], text.replace(/[0-9]+/g, '#').length, JSON.stringify(a).length)
"""

    def prepare(self):
        fetch("mujs", self.source)

    def command(self, scale):
        path = self.work / f"{scale}.js"
        path.write_text(self.script % self.amount_of(scale, 100))
        return [str(path)], None

    def sources(self):
        return [self.source / "main.c", self.source / "one.c"]


class Tcc(Program):
    name = "tcc"
    libraries = ["-lm", "-ldl", "-lpthread"]

    def prepare(self):
        fetch("tcc", self.source)
        quiet("./configure", cwd=self.source)
        self.defines = [f"-I{self.source}", "-DONE_SOURCE=1", "-DTCC_TARGET_X86_64=1"]

    def command(self, scale):
        return ["-B", str(self.source), f"-I{self.source}/include",
                "-I/usr/include/x86_64-linux-gnu", *self.defines, "-c",
                *[str(self.source / "tcc.c")] * self.amount_of(scale, 100)], None

    def sources(self):
        return [self.source / "tcc.c"]


class Cjpeg(Program):
    """libjpeg-turbo without its assembly."""
    name = "cjpeg"
    config = """#define JPEG_LIB_VERSION 62
#define LIBJPEG_TURBO_VERSION 2
#define LIBJPEG_TURBO_VERSION_NUMBER 2001005
#define MEM_SRCDST_SUPPORTED 1
#define BITS_IN_JSAMPLE 8
#define BUILD ""
#define INLINE inline
#define THREAD_LOCAL __thread
#define PACKAGE_NAME "libjpeg-turbo"
#define VERSION "2"
#define SIZEOF_SIZE_T 8
#define HAVE_BUILTIN_CTZL
#define FALLTHROUGH
#define JVERSION "6b"
#define JCOPYRIGHT ""
#define JCOPYRIGHT_SHORT ""
"""

    def prepare(self):
        fetch("libjpeg-turbo", self.source)
        (self.source / "jconfig.h").write_text(self.config)
        for name in ("jconfigint.h", "jversion.h"):
            (self.source / name).write_text('#include "jconfig.h"\n')
        self.defines = [f"-I{self.source}", "-DPPM_SUPPORTED"]

    def command(self, scale):
        return ["-progressive", "-quality", "90",
                str(make_picture(self.work / f"picture.{scale}", round(13000 * math.sqrt(scale))))], None

    def sources(self):
        listed = (self.source / "CMakeLists.txt").read_text()
        library = re.search(r"set\(JPEG_SOURCES ([^)]*)\)", listed).group(1).split()
        return [self.source / n for n in [*library, "jsimd_none.c", "cjpeg.c", "cdjpeg.c", "rdppm.c", "rdswitch.c"]]


class Djpeg(Cjpeg):
    name = "djpeg"

    def command(self, scale):
        # What Cjpeg's program makes of its picture, whoever has measured that before.
        program = self.work / "cjpeg-plain"
        if not program.exists():
            quiet("gcc", "-O2", *self.defines, *super().sources(), "-o", program, cwd=self.work)
        return [str(made(self.work / f"picture.{scale}.jpg", program, *super().command(scale)[0]))], None

    def sources(self):
        other = {"cjpeg.c": "djpeg.c", "rdppm.c": "wrppm.c", "rdswitch.c": "rdcolmap.c"}
        return [p.with_name(other.get(p.name, p.name)) for p in super().sources()]


class Own(Program):
    """A program of bench/programs; its one argument is how much it does."""

    def command(self, scale):
        return [self.whole(scale, self.amount)], None

    def sources(self):
        return [TOP / "bench/programs" / self.file]


class Calls(Own):
    name, file, amount = "calls", "calls.c", 560


class Hash(Own):
    name, file, amount = "hash", "hash.c", 1400


class Interpreter(Own):
    name, file, amount = "interpreter", "interpreter.c", 2000


class Product(Own):
    name, file, amount = "product", "loops.c", 30000

    def command(self, scale):
        return ["product", self.whole(scale, self.amount)], None


class Objects(Own):
    name, file, amount, cxx = "objects", "objects.cc", 320, True


class Threads(Own):
    name, file, amount, threads = "threads", "threads.c", 100, True
    defines = ["-pthread"]


class Tinyxml(Program):
    name, cxx = "tinyxml2", True
    program = """#include "tinyxml2.h"
#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv) {
	size_t all = 0;
	for (int i = 0; i < atoi(argv[2]); i++) {
		tinyxml2::XMLDocument d;
		tinyxml2::XMLPrinter p;
		if (d.LoadFile(argv[1])) return 1;
		d.Print(&p);
		all += p.CStrSize();
	}
	printf("%zu\\n", all);
}
"""

    def prepare(self):
        fetch("tinyxml2", self.source)
        (self.source / "print.cpp").write_text(self.program)
        self.defines = [f"-I{self.source}"]

    def command(self, scale):
        return [str(make_xml(self.work / "tiny", 20000)), self.whole(scale, 120)], None

    def sources(self):
        return [self.source / "tinyxml2.cpp", self.source / "print.cpp"]


PROGRAMS = {c.name: c for c in (Lua, Bzip2, Bzip2Executables, Bzip2Noise, Bzip2Back, Zlib, Gzip, Lz4, Zstd,
                                Sqlite, Mawk, Xmlwf, Gawk, Mujs, Tcc, Cjpeg, Djpeg, Hash, Interpreter, Product, Calls,
                                Objects, Tinyxml, Threads)}
