"""covered.py CGVIEW DB GCDA: compares lines and branches of each procedure, and how many of them were executed, with
what gcov tells of a build of the same program at -O0."""
import csv, json, subprocess, sys

cgview, db, data = sys.argv[1:]


def output(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


theirs = {}
for file in json.loads(output("gcov", "--json-format", "--branch-probabilities", "--stdout", data))["files"]:
    for line in file["lines"]:
        sums = theirs.setdefault(line["function_name"], [0, 0, 0, 0])
        ways = [branch["count"] for branch in line["branches"]]
        for i, n in enumerate((1, line["count"] > 0, len(ways), sum(n > 0 for n in ways))):
            sums[i] += n
names = ("lines", "executed_lines", "branches", "executed_branches")
ours = {row["procedure"]: [int(row[n] or 0) for n in names]
        for row in csv.DictReader(output(cgview, "report", "--by", "covered", "--format", "csv", db).splitlines())}
for name in sorted(set(ours) | set(theirs)):
    if ours.get(name) != theirs.get(name):
        print(f"{name}: {ours.get(name)}, gcov has {theirs.get(name)}")
# What -f prints itself: "Function 'name'", "Lines executed:85.71% of 7".
printed = output("gcov", "-f", "-n", data).splitlines()
for head, figures in zip(printed, printed[1:]):
    if head.startswith("Function '"):
        lines, executed = ours[head[10:-1]][:2]
        if figures != f"Lines executed:{100 * executed / lines:.2f}% of {lines}":
            print(f"{head}: {executed} of {lines}, gcov prints {figures}")
            theirs = None
sys.exit(ours != theirs)
