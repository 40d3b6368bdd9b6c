"""raw_samples.py RAW: the lines of dump-raw (the texts, and the samples), read as cgview-raw(5) says. And
raw_samples.py RAW SYMBOLS PHASES: what is wrong with the times: SYMBOLS is nm's output, PHASES the lines
that the program phases printed; in the end for each thread the share of its timer's samples in h() that
were in the kernel, and what getrusage() said."""
import struct
import sys

PAGE, MODULE, SAMPLES = 4096, 1, 3
WAITING, MODULES, EVENT, CLOCK, ALLOCATED, USED, KERNEL, CENTRE = 4, 8, 16, 32, 64, 128, 1024, 2048
raw = open(sys.argv[1], "rb").read()
magic, version, size, _, length = struct.unpack_from("<8s4I", raw)
assert (magic, version, size) == (b"cgview-r", 1, 4096)
started, mono = struct.unpack_from("<QQ", raw, 24)
ended, flags = struct.unpack_from("<QQ", raw, 72)
texts = raw[104:104 + length].split(b"\0")
lines = ["%s %s" % (n, t.decode()) for n, t in zip(
    ["host", "rank", "ranks", "job", "label", "program", "directory"], texts)]
lines.append("arguments %d of %d" % (len(texts) - 8, struct.unpack_from("<I", raw, 52)[0]))
lines.append("wall %d" % (ended - started if ended else 0))
lines.append("kernel " + ("told" if flags & 512 else "not told"))

modules, samples, part, at = [], [], -1, PAGE
while at + PAGE <= len(raw):
    magic, _, kind, _, length, offset, _ = struct.unpack_from("<4I3Q", raw, at)
    if magic != 0x58454743 or length < PAGE:
        at += PAGE
        continue
    part += kind != MODULE
    if kind == MODULE:
        bias, _, _, begin, end = struct.unpack_from("<5Q", raw, at + 48)
        modules.append((begin, end, bias))
    if kind == SAMPLES:
        p, end = at + offset, at + offset + struct.unpack_from("<Q", raw, at + 96)[0]
        while p < end:
            tid, nr, bits, time, cpu, amount = struct.unpack_from("<IHHQQQ", raw, p)
            pc = struct.unpack_from("<Q", raw, p + 32)[0]
            p += 32 + 8 * nr
            centre = used = 0
            if bits & CENTRE:
                centre, p = struct.unpack_from("<Q", raw, p)[0], p + 8
            if bits & USED:
                used, p = struct.unpack_from("<Q", raw, p)[0], p + 8
            if bits & MODULES:
                continue
            for begin, stop, bias in modules:
                if begin <= pc < stop:
                    pc -= bias
                    break
            samples.append((tid, part, time, cpu, bits, centre, used, nr, pc))
            lines.append("sample %d %d %d %d %d %x %d %d %x" % samples[-1])
    at += length
if len(sys.argv) == 2:
    print("\n".join(lines))
    sys.exit()

wrong = []
symbols = sorted((int(x[0], 16), x[2]) for x in map(str.split, open(sys.argv[2])) if len(x) == 3 and x[1] in "tT")


def procedure(pc):
    found = [name for start, name in symbols if start <= pc]
    return found[-1] if found else ""


last, seen = {}, set()
for tid, part, time, cpu, bits, *_ in samples:
    if not 0 < time <= ended - started + 5000000:
        wrong.append("outside of the run: %d" % time)
    if time < last.get((tid, part), (0, 0))[0] or cpu < last.get((tid, part), (0, 0))[1]:
        wrong.append("not in order: %d" % time)
    last[tid, part] = time, cpu
for line in open(sys.argv[3]):
    thread, at_g, at_h, at_end, system, user = map(int, line.split())
    for tid, part, time, cpu, bits, _, _, _, pc in samples:
        name = procedure(pc)
        if tid != thread or name not in ("f", "g"):
            continue
        seen.add((tid, name))
        lo, hi = {"f": (0, at_g), "g": (at_g, at_h)}[name]
        if not lo - mono <= time <= hi - mono:
            wrong.append("%s: not in its phase: %d" % (name, time))
        if bits & KERNEL and bits & CLOCK:
            wrong.append("the event in the kernel: %d" % time)
    ticks = [bits & KERNEL != 0 for tid, _, time, _, bits, *_ in samples
             if tid == thread and not bits & (CLOCK | WAITING) and at_h <= time + mono <= at_end]
    early = [bits & KERNEL != 0 for tid, _, time, _, bits, *_ in samples
             if tid == thread and not bits & (CLOCK | WAITING) and time + mono < at_h]
    real = system / (system + user)
    if not ticks or abs(sum(ticks) / len(ticks) - real) > .35:
        wrong.append("kernel: %d of %d, and really %.2f" % (sum(ticks), len(ticks), real))
    if not early or sum(early) > len(early) * .2:
        wrong.append("kernel in f and g: %d of %d" % (sum(early), len(early)))
print(len(seen), "; ".join(wrong[:5]))
