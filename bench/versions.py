"""Versions of programs as Debian's suites have them, and profiles with all of their procedures: libraries of what can
be compiled, and a program that does nothing."""
import dataclasses
import fcntl
import subprocess

from recipes import EXPAT
from variants import BUILD

SUITES = "bullseye bookworm trixie sid".split()
MIRROR = "http://deb.debian.org/debian"
CACHE = BUILD / "bench-sources"      # kept, so that nothing is fetched twice


class Missing(Exception):
    pass


@dataclasses.dataclass
class Version:
    package: str
    number: str                      # of upstream
    sources: str                     # patterns
    flags: str = ""
    files: dict = dataclasses.field(default_factory=dict)  # that are written before
    without: str = ""                # names of sources that are not taken


LUA = dict(sources="src/*.c", flags="-DLUA_COMPAT_5_3 -DLUA_USE_POSIX", without="lua luac print")
ZLIB = dict(sources="*.c", flags="-DHAVE_UNISTD_H -DHAVE_HIDDEN", without="example minigzip")
LZ4 = dict(sources="lib/*.c programs/*.c", flags="-Ilib")
CJSON = dict(sources="cJSON.c cJSON_Utils.c")
ZSTD = dict(sources="lib/common/*.c lib/compress/*.c lib/decompress/*.c lib/dictBuilder/*.c programs/*.c",
            flags="-Ilib -Ilib/common -Iprograms -DZSTD_DISABLE_ASM=1")
XMLWF = dict(sources="expat/lib/xmlparse.c expat/lib/xmlrole.c expat/lib/xmltok.c expat/xmlwf/xmlwf.c expat/xmlwf/xmlfile.c "
             "expat/xmlwf/codepage.c expat/xmlwf/unixfilemap.c", flags="-DHAVE_EXPAT_CONFIG_H -Iexpat/lib",
             files={"expat/lib/expat_config.h": EXPAT})
BROTLI = dict(sources="c/common/*.c c/enc/*.c c/dec/*.c c/tools/brotli.c", flags="-Ic/include")

# The first five were looked at when the limits of texts that are alike were chosen; those of what is around
# procedures were tried with all.
PAIRS = {
    "lua53": (Version("lua5.3", "5.3.6", **LUA), Version("lua5.4", "5.4.9", **LUA)),
    "lua51": (Version("lua5.1", "5.1.5", **LUA), Version("lua5.3", "5.3.3", **LUA)),
    "zlib": (Version("zlib", "1.2.11.dfsg", **ZLIB), Version("zlib", "1.3.dfsg+really1.3.2", **ZLIB)),
    "lz4": (Version("lz4", "1.9.4", **LZ4), Version("lz4", "1.10.0", **LZ4)),
    "cjson": (Version("cjson", "1.7.14", **CJSON), Version("cjson", "1.7.19", **CJSON)),
    "zstd": (Version("libzstd", "1.4.8+dfsg", **ZSTD), Version("libzstd", "1.5.7+dfsg", **ZSTD)),
    "expat": (Version("expat", "2.2.10", **XMLWF), Version("expat", "2.8.3", **XMLWF)),
    "brotli": (Version("brotli", "1.0.9", **BROTLI), Version("brotli", "1.2.0", **BROTLI)),
    "lua54": (Version("lua5.4", "5.4.2", **LUA), Version("lua5.4", "5.4.9", **LUA)),
}


def apt(*arguments, cwd=CACHE):
    """apt with lists and caches of its own; the system's configuration is read, never changed."""
    state = CACHE / "apt"
    options = {"Dir::Etc::sourcelist": "/dev/null", "Dir::Etc::sourceparts": state / "parts", "Dir::State": state / "state",
               "Dir::State::status": "/var/lib/dpkg/status", "Dir::Cache": state / "cache", "APT::Sandbox::User": "root",
               "APT::Get::List-Cleanup": "false", "Acquire::Languages": "none", "Acquire::http::Timeout": "20"}
    return subprocess.run([*arguments[:1], "-q", *(f"-o{k}={v}" for k, v in options.items()), *arguments[1:]], cwd=cwd,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def prepare_apt():
    for name in ("parts", "state/lists/partial", "cache/archives/partial"):
        (CACHE / "apt" / name).mkdir(parents=True, exist_ok=True)
    if (CACHE / "apt/updated").exists():
        return
    (CACHE / "apt/parts/suites.list").write_text("".join(f"deb-src {MIRROR} {s} main\n" for s in SUITES))
    if apt("apt-get", "update").returncode == 0:
        (CACHE / "apt/updated").touch()


def fetch(v):
    """The archive of a version as its makers released it. A mirror may not have what its lists name."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        pattern = f"{v.package}_{v.number.replace('+', '[+]')}.orig.tar.*"
        prepare_apt()
        shown = apt("apt-cache", "showsrc", "--only-source", v.package).stdout
        for line in shown.splitlines() if not list(CACHE.glob(pattern)) else ():
            full = line.partition("Version: ")[2]
            if line.startswith("Version: ") and full.rpartition("-")[0].rpartition(":")[2] == v.number:
                apt("apt-get", "source", "--download-only", "--tar-only", f"{v.package}={full}")
    found = [p for p in CACHE.glob(pattern) if p.suffix != ".asc"]
    if not found:
        raise Missing(f"{v.package} {v.number} could not be fetched (offline?)")
    return found[0]


def unpack(v, directory):
    directory.mkdir(parents=True)
    subprocess.run(["tar", "-xf", fetch(v), "-C", directory, "--strip-components=1"], check=True)
    for name, text in v.files.items():
        (directory / name).write_text(text)


def compile_all(v, directory):
    """Objects of all sources that can be compiled."""
    objects = []
    for source in sorted(p for pattern in v.sources.split() for p in directory.glob(pattern)):
        made = source.with_suffix(".bench.o")
        if source.stem not in v.without.split() and not subprocess.run(
                [BUILD / "cgcc", "-g", "-O1", "-w", "-fPIC", *v.flags.split(), "-c", source, "-o", made], cwd=directory,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            objects.append(made)
    return objects


def profile(v, work):
    """The path of a profile that has all procedures of a version, none of them executed."""
    directory = work / f"{v.package}-{v.number}"
    database = work / f"{v.package}-{v.number}.db"
    if database.exists():
        return database
    unpack(v, directory)
    library, program, main = (directory / n for n in ("bench.so", "bench.exe", "bench-main.c"))
    main.write_text("int main(void) { return 0; }\n")
    cgcc = BUILD / "cgcc"
    for command in ([cgcc, "-shared", "-o", library, *compile_all(v, directory)],
                    [cgcc, "-g", "-o", program, main, "-Wl,--no-as-needed", "-Wl,--unresolved-symbols=ignore-all", library],
                    [BUILD / "cgview", "record", "-F", "0", "-o", database, "--", program]):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise Missing(f"{v.package} {v.number}: {done.stdout[-300:]}")
    return database
