"""Reads raw profiles as cgview-raw(5) describes them. Prints for each process the greatest counter
that it holds (the sum over its copies of the counters)."""
import struct
import sys

PAGE, COUNTERS = 4096, 2


def extents(data):
    at = PAGE
    while at + PAGE <= len(data):
        magic, _, kind, pid, length, offset, size, module, slot = struct.unpack_from(
            "<IIIIQQQII", data, at)
        if magic != 0x58454743 or length < PAGE:
            at += PAGE
            continue
        yield kind, pid, module, data[at + offset:at + offset + size]
        at += length


sums = {}
for path in sys.argv[1:]:
    with open(path, "rb") as f:
        raw = f.read()
    for kind, pid, module, body in extents(raw):
        if kind == COUNTERS:
            values = struct.unpack("<%dQ" % (len(body) // 8), body[:len(body) // 8 * 8])
            old = sums.setdefault((path, pid, module), [0] * len(values))
            sums[path, pid, module] = [a + b for a, b in zip(old, values)]
most = {}
for (path, pid, module), values in sums.items():
    # What is not a counter is an address: words of call sites hold some.
    counters = [v for v in values if v < 1 << 32]
    most[path, pid] = max([most.get((path, pid), 0)] + counters)
for value in most.values():
    print(value)
