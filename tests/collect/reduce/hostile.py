"""hostile.py CGVIEW SUM ROUNDS: sums that somebody made so: bytes are changed, and all checksums made right again. What
reads them refuses them in a line, or takes them; it never crashes."""
import random, struct, subprocess, sys

cgview, data, rounds = sys.argv[1], open(sys.argv[2], 'rb').read(), int(sys.argv[3])
PAGE = 4096

def fnv(b):
    h = 2166136261
    for c in b:
        h = (h ^ c) * 16777619 & 0xffffffff
    return h

def section(b, at):
    return struct.unpack_from('<QQ', b, at)

def mend(b):
    """Makes the checksums of members, of their heads and extents, of the tables and of the head right."""
    members, length = section(b, 32)
    for at in range(members, min(members + length, len(b) - 24), 24):
        start, size = section(b, at)
        if start + size > len(b) or size < PAGE:
            continue
        text, = struct.unpack_from('<I', b, start + 20)
        text = min(text, PAGE - 104)
        struct.pack_into('<I', b, start + 16, fnv(bytes(b[start + 24:start + 56]) + bytes(b[start + 104:start + 104 + text])))
        for page in range(start + PAGE, start + size - PAGE + 1, PAGE):
            if b[page:page + 4] == b'CGEX':
                struct.pack_into('<I', b, page + 4, fnv(bytes(b[page + 8:page + 96])))
        struct.pack_into('<I', b, at + 16, fnv(bytes(b[start:start + size])))
    with_spreads = struct.unpack_from('<I', b, 8) == (2,)
    for table in (32, 56, 80, 104)[:3 + with_spreads]:
        start, size = section(b, table)
        if start + size <= len(b):
            struct.pack_into('<I', b, table + 16, fnv(bytes(b[start:start + size])))
    struct.pack_into('<I', b, 12, fnv(bytes(b[16:128 if with_spreads else 104])))

members, length = section(data, 32)
extents = [at for at in range(PAGE, members, PAGE) if data[at:at + 4] == b'CGEX']
kinds = {at: struct.unpack_from('<I', data, at + 8)[0] for at in extents}
targets = []   # where something is told: heads of extents, facts, stacks, tables
for at in extents:
    used, = struct.unpack_from('<Q', data, at + 32)
    targets += [(at + 8, at + 104)]
    if kinds[at] >= 64 or kinds[at] in (1, 5, 6, 12, 14, 17):
        targets += [(at + 104, at + 104 + min(used, 600))]
targets += [(members, len(data) - 8), (PAGE, PAGE + 104), (16, 128)]
random.seed(int(sys.argv[4]) if len(sys.argv) > 4 else 7)
bad = []
for i in range(rounds):
    b = bytearray(data)
    for _ in range(random.randint(1, 3)):
        low, high = random.choice(targets)
        at = random.randrange(low, high) & ~7 if random.random() < .7 else random.randrange(low, high)
        if random.random() < .5:
            b[at] = random.randrange(256)
        else:
            struct.pack_into('<Q', b, min(at, len(b) - 8), random.choice((0, 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1, 2**36, 2**60)))
    mend(b)
    open('hostile.sum', 'wb').write(b)
    for command in (['reduce', '-o', 'hostile.out'], ['import', '-o', 'hostile.db']):
        r = subprocess.run([cgview, *command, 'hostile.sum'], capture_output=True)
        if r.returncode not in (0, 1) or (r.returncode and not r.stderr):
            bad.append((i, command[0], r.returncode, r.stderr[:300]))
            open(f'hostile-{i}.sum', 'wb').write(b)
print(bad)
sys.exit(bool(bad))
