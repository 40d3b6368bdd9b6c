"""Real programs, built from Debian's sources as their makers do it, and a workload for each."""
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import workloads
from variants import TOP

EXPAT = """#define XML_NS 1
#define XML_DTD 1
#define XML_GE 1
#define XML_DEV_URANDOM 1
#define HAVE_MEMMOVE 1
#define HAVE_UNISTD_H 1
#define BYTEORDER 1234
#define XML_CONTEXT_BYTES 1024
#define PACKAGE_STRING "expat"
"""
AWK = "{ for (i = 1; i <= NF; i++) { n[tolower($i)]++; s += length($i) } gsub(/a+/, \"b\") } END { print NR, s, length(n) }"
SCRIPT = """function Node(k) { this.k = k; this.left = this.right = null }
Node.prototype.add = function (n) { var s = n.k < this.k ? 'left' : 'right'; if (this[s]) this[s].add(n); else this[s] = n }
var root = new Node(500), x = 7, text = '', a = []
for (var i = 0; i < 3000; i++) { x = (x * 1103 + 12345) % 65536; root.add(new Node(x)); a.push(x); text += x.toString(16) }
a.sort(function (p, q) { return p - q })
print(a[5], text.replace(/[0-9]+/g, '#').length, JSON.stringify(a).length)
"""


class Failed(Exception):
    pass


def run(command, cwd=None, **more):
    done = subprocess.run([str(c) for c in command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True, **more)
    if done.returncode:
        raise Failed(f"{command[0]}: {done.stderr[-500:]}")
    return done


def text(path, size):
    path.write_bytes(run([sys.executable, TOP / "tests/e2e/make-text.py", size]).stdout.encode())
    return path


def xml(path, rows):
    row = '<row n="%d" name="x%d"><a>text &amp; %d</a><b/><!-- c --></row>\n'
    path.write_text("<all>\n" + "".join(row % (i, i * 7, i % 13) for i in range(rows)) + "</all>\n")
    return path


class Program:
    """Built in a copy of its source for each variant: PACKAGE with build(directory, compilers), which returns
    the program; command(work) is its arguments."""
    cxx = False

    def __init__(self, name, package, build, command, cxx=False):
        self.name, self.package, self.build, self.command, self.cxx = name, package, build, command, cxx


def files(pattern, *flags, without=(), libraries=()):
    def build(directory, compiler):
        sources = [s for p in pattern.split() for s in sorted(directory.glob(p)) if s.name not in without]
        flags_here = [f.replace("@", str(directory)) for f in flags]
        run([compiler, "-O2", "-w", *flags_here, *sources, "-o", directory / "program", *libraries])
        return directory / "program"
    return build


def configured(program, *options):
    def build(directory, compiler):
        run(["./configure", f"CC={compiler}", "CFLAGS=-O2", *options], directory)
        if program == "gawk":
            run(["make", "-j2", "-C", "support"], directory)
        run(["make", "-j2", program], directory)
        return directory / program
    return build


def expat(directory, compiler):
    (directory / "expat/lib/expat_config.h").write_text(EXPAT)
    return files("expat/lib/*.c expat/xmlwf/xmlwf.c expat/xmlwf/xmlfile.c expat/xmlwf/codepage.c "
                 "expat/xmlwf/unixfilemap.c", "-DHAVE_EXPAT_CONFIG_H", "-I@/expat/lib",
                 without=("xmltok_impl.c", "xmltok_ns.c"))(directory, compiler)


def sqlite(directory, compiler):
    run(["./configure", "--disable-tcl", "--disable-readline"], directory)
    run(["make", "sqlite3.c"], directory)
    return files("sqlite3.c test/speedtest1.c", "-I@", libraries=["-lm", "-ldl", "-lpthread"])(directory, compiler)


def tinyxml(directory, compiler):
    (directory / "bench.cpp").write_text(workloads.Tinyxml.program)
    source = next(directory.rglob("tinyxml2.h")).parent
    return files(f"{source.relative_to(directory)}/tinyxml2.cpp bench.cpp", f"-I{source}")(directory, compiler)


def folder(path):
    path.mkdir(exist_ok=True)
    return path


def script(name, content):
    def path(work):
        (work / name).write_text(content)
        return [work / name]
    return path


PROGRAMS = [
    Program("lua", "lua5.4", files("src/*.c", "-DLUA_USE_LINUX", "-DLUA_COMPAT_5_3", "-Dluai_makeseed(L)=1999",
                                   without=("luac.c",), libraries=["-Wl,-E", "-lm", "-ldl"]),
            lambda work: [TOP / "tests/e2e/workload.lua", "5", "1"]),
    Program("sqlite", "sqlite3", sqlite, lambda work: ["--size", "3", ":memory:"]),
    Program("mawk", "mawk", configured("mawk"), lambda work: [AWK, text(work / "text", 300000)]),
    Program("gawk", "gawk", configured("gawk", "--disable-nls", "--without-readline", "--without-mpfr",
                                       "--disable-extensions"),
            lambda work: [AWK, text(work / "text", 300000)]),
    Program("xmlwf", "expat", expat, lambda work: [xml(work / "x.xml", 20000)]),
    Program("mujs", "mujs", files("main.c one.c", libraries=["-lm"]), script("x.js", SCRIPT)),
    Program("tinyxml2 (C++)", "tinyxml2", tinyxml, lambda work: [xml(work / "x.xml", 3000), "3"], cxx=True),
]


# ---- with loads that sampled stacks are taken of ----

SORTED = """function by_length(i, v, j, w) { return length(i) - length(j) }
function by_text(i, v, j, w) { return i < j ? -1 : i > j }
{ for (i = 1; i <= NF; i++) { n[tolower($i)]++; s += length($i) } gsub(/a+/, "b") }
END { PROCINFO["sorted_in"] = "by_length"; for (k in n) s += n[k]; asorti(n, m, "by_text"); print s, m[1] }
"""
SCHEME = """(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(define (make n) (if (= n 0) '() (cons (* n 7) (make (- n 1)))))
(define (fold f a l) (if (null? l) a (fold f (f a (car l)) (cdr l))))
(define (again n) (if (> n 0) (begin (fold + 0 (map (lambda (x) (* x x)) (make 200))) (again (- n 1)))))
(display (fib 18)) (newline) (again 100)
(display (string-append "a" (number->string 5))) (newline)
"""


def tinyscheme(directory, compiler):
    return files("scheme.c", "-DUSE_DL=0", "-DSTANDALONE=1", f"-DInitFile=\"{directory}/init.scm\"",
                 libraries=["-lm"])(directory, compiler)


def nginx(directory, compiler):
    run(["./configure", f"--with-cc={compiler}", "--with-cc-opt=-O2 -w", "--without-pcre", "--without-pcre2",
         "--without-http_rewrite_module", f"--prefix={directory}"], directory)
    run(["make", "-j2"], directory)
    return directory / "objs/nginx"


def redis(directory, compiler):
    run(["make", "-j2", "-C", "src", "redis-server", f"CC={compiler}", "MALLOC=libc", "OPTIMIZATION=-O2",
         "USE_SYSTEMD=no", "BUILD_TLS=no"], directory)
    return directory / "src/redis-server"


def await_port(port, process):
    for _ in range(200):
        try:
            return socket.create_connection(("127.0.0.1", port), 5)
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.05)
    raise Failed("the server does not answer")


def serve(command, port, talk, work, environment):
    """Runs the server COMMAND as long as TALK(connect) lasts."""
    process = subprocess.Popen([str(c) for c in command], cwd=work, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        await_port(port, process).close()
        talk(lambda: await_port(port, process))
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


NGINX = """daemon off; master_process off; error_log stderr crit; pid nginx.pid;
events { }
http { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path u;
scgi_temp_path s; gzip on; gzip_min_length 100; gzip_types text/plain;
server { listen 127.0.0.1:18731; root .; location /list { autoindex on; alias ./; } location /p {
proxy_pass http://127.0.0.1:18731/; } } }
"""


def load_nginx(program, work, environment):
    (work / "nginx.conf").write_text(NGINX)
    text(work / "page.txt", 30000)

    def talk(connect):
        paths = ["/page.txt", "/none", "/list/", "/p/page.txt", "/page.txt"]
        for i in range(9000):
            with connect() as s:
                zipped = "Accept-Encoding: gzip\r\n" if i % 3 == 0 else ""
                for path in paths:
                    s.sendall(f"GET {path} HTTP/1.1\r\nHost: h\r\n{zipped}X: y\r\n\r\n".encode())
                    s.recv(1 << 16)
                s.sendall(b"GET /page.txt HTTP/1.1\r\nHost: h\r\nRange: bytes=5-900\r\nConnection: close\r\n\r\n")
                while s.recv(1 << 16):
                    pass
    serve([program, "-p", work, "-c", work / "nginx.conf"], 18731, talk, work, environment)


def load_redis(program, work, environment):
    def talk(connect):
        with connect() as s:
            for i in range(20000):
                commands = ["SET k%d v%d" % (i % 900, i), "GET k%d" % (i % 700), "LPUSH l %d" % i, "HSET h%d f%d %d" % (i % 50, i, i),
                            "ZADD z %d m%d" % (i % 97, i), "ZRANGE z 0 10", "SADD s %d" % (i % 400), "SINTER s s", "INCR n",
                            "LRANGE l 0 20", "HGETALL h%d" % (i % 50), "SORT l LIMIT 0 5", "EXPIRE k%d 100" % (i % 900)]
                if i % 500 == 0:
                    commands += ["KEYS k1*", "EVAL \"return redis.call('get', 'n')\" 0", "DEBUG RELOAD", "SAVE"]
                s.sendall(("\r\n".join(commands) + "\r\n").encode())
                if i % 20 == 19:
                    s.settimeout(0.05)
                    try:
                        while s.recv(1 << 20):
                            pass
                    except TimeoutError:
                        pass
    serve([program, "--port", "18732", "--save", "", "--protected-mode", "no", "--enable-debug-command", "yes"], 18732, talk, work, environment)


def load(command, **more):
    def start(program, work, environment):
        run([program, *command(work)], work, env=environment, **more)
    return start


def by_name(name):
    return next(p for p in PROGRAMS if p.name == name)


LOADS = [  # recipe, load of seconds, what it does
    (by_name("lua"), load(lambda work: [TOP / "tests/e2e/workload.lua", "14", "1"]), "tests/e2e/workload.lua"),
    (by_name("sqlite"), load(lambda work: ["--size", "250", ":memory:"]), "speedtest1"),
    (by_name("mawk"), load(lambda work: [AWK, text(work / "text", 6000000)]), "words counted, substitutions"),
    (by_name("xmlwf"), load(lambda work: ["-m", "-d", folder(work / "out"), xml(work / "x.xml", 1500000)]),
     "xmlwf -m, a document of 1,500,000 rows"),
    (by_name("gawk"), load(lambda work: [SORTED, text(work / "text", 60000000)]), "words counted, sorted by procedures of the script"),
    (Program("nginx", "nginx", nginx, None), load_nginx, "pages, some zipped, a directory's list, a proxy"),
    (by_name("mujs"), load(script("x.js", SCRIPT.replace("3000", "20000"))), "a tree of objects, sorting, texts"),
    (Program("tinyscheme", "tinyscheme", tinyscheme, None), load(script("x.scm", SCHEME)), "recursion, lists, closures"),
    (Program("redis", "redis", redis, None), load_redis, "strings, lists, hashes, sets, a script"),
]
