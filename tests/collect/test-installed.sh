#!/bin/bash
# Programs as they are installed, without debug information, most of them stripped: `record` has their CPU time, as far as
# getrusage() and the error of the samples tell, and of perf's own file what perf says. Two samplings of one program are not
# compared: one of twenty would be beyond two standard deviations.
set -u
. tests/e2e/lib.sh
need python3 sqlite3
cd "$TMP_DIR" || exit 1
seq 1 400000 | awk '{ print $1 * 7919 % 1000003, "line", $1 % 977, "of", "text" }' > text
mkdir tree && cp text tree/a && head -c 3000000 text > tree/b
gzip -k < text > text.gz
python3 - "$cgview" << 'END'
import json, math, os, re, shutil, sqlite3, subprocess, sys

cgview = sys.argv[1]
# Some tenths of a second each.
PROGRAMS = [
    ("gzip", "gzip -9c tree/b"), ("sort", "sort -k3n -k1 text"), ("mawk", "mawk '{ n[$3] += $1 } END { for (k in n) s += n[k]; print s }' text text text"),
    ("perl", "perl -ne '$n{$_ % 977} += length for split; END { print scalar keys %n }' text"),
    ("bash", "bash -c 'for ((i = 0; i < 60000; i++)); do x=$((x * 3 % 1009 + i)); done; echo $x'"),
    ("sed", "sed -E 's/([0-9]+) line ([0-9]+)/\\2 \\1/' text"), ("grep", "grep -cE '([0-9])[0-9]*\\1.*of' text"),
    ("xz", "xz -1c tree/b"), ("openssl", "openssl speed -seconds 1 -bytes 1024 sha256"), ("sha256sum", "sha256sum text text text text text"),
    ("tar", "tar -cJf archive.tar.xz tree"), ("bzip2", "bzip2 -c tree/b"), ("sqlite3", "sqlite3 :memory: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION "
     "ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT sum(i * i % 17) FROM n'"),
    ("diff", "diff text tree/b"), ("find", "find /usr/share -name 'a*[0-9]*'"), ("git", "git hash-object text tree/b"),
    ("python3", "python3 -c 'print(sum(i * i % 7 for i in range(1500000)))'"),
]
OK_STATUS = {"diff": {1}, "find": {0, 1}}
WANTED = 10
by_perf = shutil.which("perf") and not subprocess.run("perf record -q -e cpu-clock:u -o try.data true", shell=True,
                                                      capture_output=True).returncode

def verdict(good, name, *why):
    print("ok -" if good else "not ok -", name, *([] if good else why), flush=True)

def modules(db):
    rows = db.execute("SELECT coalesce(module, ''), sum(self_ns) FROM procedure GROUP BY 1")
    return {os.path.basename(m): ns for m, ns in rows if ns}

def rusage(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=open("err", "w"))
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used.ru_utime + used.ru_stime

tried = 0
for name, command in PROGRAMS:
    if tried == WANTED:
        break
    if not shutil.which(name):
        print("#", name, "is not installed")
        continue
    status, used = rusage([cgview, "record", "-o", "p.db", "--", "sh", "-c", "exec " + command])
    said = open("err").read()
    if re.search("may not sample it|cannot sample it|not permitted", said):
        print("skip - the kernel's events are not permitted:", said.strip().splitlines()[-1])
        break
    tried += 1
    verdict(status in OK_STATUS.get(name, {0}), f"{name}: the exit status is the program's", status, said[-300:])
    db = sqlite3.connect("p.db")
    cpu, samples, calls, rows, worse = db.execute(
        "SELECT (SELECT sum(cpu_ns) FROM run), (SELECT sum(self_samples) FROM procedure), (SELECT sum(calls) FROM procedure), "
        "(SELECT count(*) FROM procedure WHERE self_ns > 0), (SELECT count(*) FROM procedure WHERE total_ns < self_ns)").fetchone()
    ours = modules(db)
    whole, kernel = sum(ours.values()), "kernel" in said
    # The recorder's own time is in what getrusage() says of it and its children. 3 of 100 000 runs are beyond four errors.
    error = 4 * math.sqrt(samples or 1) / (samples or 1)
    verdict(0 < cpu / 1e9 <= used + 0.01, "... its CPU time is in that of all", cpu / 1e9, used)
    verdict(rows > 0 and not worse and not calls, "... it has self and total, and no counts", rows, worse, calls)
    verdict(whole <= cpu * (1 + error) + 2e7, "... samples are no more than it", whole, cpu, samples)
    db.close()
    if not by_perf:
        continue
    for left in "p.data", "i.db":
        if os.path.exists(left):
            os.unlink(left)
    subprocess.run(["perf", "record", "-q", "-F", "997", "-e", "cpu-clock:u", "-o", "p.data", "--", "sh", "-c", "exec " + command],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = subprocess.run(["perf", "report", "-i", "p.data", "--stdio", "--no-inline", "-s", "dso", "-F", "period,dso"],
                          capture_output=True, text=True).stdout
    perf = {m.group(2): int(m.group(1)) for m in re.finditer(r"^\s*(\d+)\s+(\S+)\s*$", text, re.M)}
    if not perf:
        print("# perf has recorded nothing of", name)
        continue
    subprocess.run([cgview, "import", "-o", "i.db", "p.data"], capture_output=True)
    db = sqlite3.connect("i.db")
    same = modules(db)
    db.close()
    verdict({k: v for k, v in same.items() if k in perf} == perf and sum(same.values()) == sum(perf.values()),
            "... of perf's file each object has what perf says", same, perf)
END
