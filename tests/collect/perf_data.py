"""Makes perf.data files by hand: perf_data.py KIND PROGRAM OUT, where PROGRAM has the procedures that are named below.
What each holds is said at its function; test-perf-data.sh has the figures."""
import struct
import subprocess
import sys

IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD, RAW, BRANCHES, IDENTIFIER = (
    1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 2048, 65536)
KERNEL, USER = 2**64 - 128, 2**64 - 512
MMAP, COMM, EXIT, FORK, SAMPLE, MMAP2, ROUND, ATTR, FEATURE, UPDATE = 1, 3, 4, 7, 9, 10, 68, 64, 80, 78
TYPES = IP | TID | TIME | CPU | PERIOD | READ | CALLCHAIN | RAW | BRANCHES | IDENTIFIER
BASE = 0x10000000


def u64(*values):
    return struct.pack(f'<{len(values)}Q', *(v % 2**64 for v in values))


def record(kind, body, misc=0):
    body += bytes(-len(body) % 8)
    return struct.pack('<IHH', kind, misc, 8 + len(body)) + body


def attr(config, sample_type=TYPES, read_format=4):
    # software events; sample_id_all
    return (struct.pack('<IIQQQQQ', 1, 112, config, 1000, sample_type, read_format, 1 << 18) + bytes(112 - 48))


def tail(pid, tid, time, ident=11):
    """What records that are no samples have at their end."""
    return struct.pack('<IIQIIQ', pid, tid, time, 0, 0, ident)


def text(s):
    b = s.encode() + b'\0'
    return b + bytes(-len(b) % 8)


class Program:
    def __init__(self, path):
        self.path = path
        self.at = {}
        for line in subprocess.run(['nm', path], capture_output=True, text=True, check=True).stdout.splitlines():
            words = line.split()
            if len(words) == 3 and words[1] in 'tT':
                self.at[words[2]] = int(words[0], 16)

    def map(self, pid, time, path=None, begin=BASE, length=0x10000, offset=0):
        body = struct.pack('<IIQQQ', pid, pid, begin, length, offset) + bytes(24) + struct.pack('<II', 5, 2)
        return record(MMAP2, body + text(path or self.path) + tail(pid, pid, time), 2)

    def call(self, name):
        """An address that is returned to, in the midst of a procedure."""
        return BASE + self.at[name] + 9

    def sample(self, pid, tid, time, stack, period=1000, ident=11, kernel=False, misc=2):
        """STACK: names, the innermost first; kernel: two addresses of it before them."""
        chain = [KERNEL, 2**63 + 0x1000, 2**63 + 0x2000] if kernel else []
        chain += [USER] + [self.call(s) - 4 * (not i) if isinstance(s, str) else s for i, s in enumerate(stack)]
        body = u64(ident, chain[1]) + struct.pack('<IIQIIQ', pid, tid, time, 0, 0, period) + u64(7, ident)
        body += u64(len(chain), *chain)
        body += struct.pack('<I', 12) + bytes(12)
        body += u64(1, 1, 2, 3)
        return record(SAMPLE, body, 1 if kernel else misc)


def comm(pid, tid, time, name, exec_=False):
    return record(COMM, struct.pack('<II', pid, tid) + text(name) + tail(pid, tid, time), 1 << 13 if exec_ else 0)


def fork(pid, tid, parent, ptid, time):
    return record(FORK, struct.pack('<IIII', pid, parent, tid, ptid) + u64(time) + tail(pid, tid, time))


def stream(p):
    """Two processors: the second one's records come later in the file and are partly earlier in time.
    Process 10: main 3 times below one() by thread 10, once by thread 11, once with the kernel; its child 20 has the
    same maps, then another program at their place. A sample of an unknown event, one that is too short."""
    first = comm(10, 10, 100, 'parent', True)
    first += p.sample(10, 10, 150, ['one', 'main'])
    first += p.sample(10, 10, 160, ['one', 'main'], 2000)
    first += p.sample(10, 10, 170, ['two', 'one', 'main'], kernel=True)
    first += p.sample(10, 10, 180, ['two', 'main'], 3, ident=21)
    first += fork(20, 20, 10, 10, 200)
    first += p.sample(20, 20, 250, ['two', 'main'], 4000)
    second = p.map(10, 110)
    second += fork(10, 11, 10, 10, 120) + comm(10, 11, 130, 'worker: 7')
    second += p.sample(10, 11, 155, ['two', 'one', 'main'], 8000)
    second += comm(20, 20, 300, 'child', True) + p.map(20, 310, '/nowhere/other')
    second += p.sample(20, 20, 320, ['two', 'main'], 16000)
    second += p.sample(20, 20, 330, ['two'], ident=99)
    second += record(SAMPLE, u64(11, 0, 1), 2)
    rounds = record(ROUND, b'')
    return first + rounds + second + rounds + rounds


def file_of(data, attrs, ids, names, command=('perf', 'record', './a b'), build=b''):
    """A file with a head, events, their identifiers, records, and what stands behind them."""
    def string(s):
        b = text(s)
        return struct.pack('<I', len(b)) + b
    at = 104
    id_bytes = b''.join(u64(*i) for i in ids)
    events = at + len(id_bytes)
    table = b''
    used = at
    for a, i in zip(attrs, ids):
        table += a + u64(used, 8 * len(i))
        used += 8 * len(i)
    begin = events + len(table)
    desc = struct.pack('<II', len(attrs), len(attrs[0]))
    for a, i, n in zip(attrs, ids, names):
        desc += a + struct.pack('<I', len(i)) + string(n) + u64(*i)
    parts = {3: string('tower'), 5: string('9.9'), 11: struct.pack('<I', len(command)) + b''.join(map(string, command)),
             12: desc}
    if build:
        parts[2] = build
    places, behind = b'', begin + len(data) + 16 * len(parts)
    for bit in sorted(parts):
        places += u64(behind, len(parts[bit]))
        behind += len(parts[bit])
    bits = sum(1 << bit for bit in parts)
    head = b'PERFILE2' + u64(104, len(attrs[0]) + 16, events, len(table), begin, len(data), 0, 0, bits, 0, 0, 0)
    return head + id_bytes + table + data + places + b''.join(parts[b] for b in sorted(parts))


EVENTS = [attr(0), attr(2)], [[11, 12], [21]], ['cpu-clock', 'page-faults:u']


def plain(p):
    return file_of(stream(p), *EVENTS)


def pipe(p):
    """The same through a pipe: events and all else are records."""
    attrs, ids, names = EVENTS
    out = b'PERFILE2' + u64(16)
    for a, i, n in zip(attrs, ids, names):
        out += record(ATTR, a + u64(*i)) + record(UPDATE, u64(2, i[0]) + text(n))
    host = text('tower')
    out += record(FEATURE, u64(3) + struct.pack('<I', len(host)) + host)
    return out + stream(p)


def jit(p):
    """Code that a compiler made at run time, in memory of no file, called by main."""
    made = 0x7000000000
    data = comm(JIT, JIT, 1, 'jit', True) + p.map(JIT, 2) + p.map(JIT, 3, '//anon', made)
    data += p.sample(JIT, JIT, 10, [made + 0x10, 'main']) + p.sample(JIT, JIT, 11, [made + 0x24, made + 0x11, 'main'])
    data += p.sample(JIT, JIT, 12, [made + 0x900, 'main'])
    return file_of(data, *EVENTS)


JIT = 4194303


def known(p):
    """As plain(), with the build of the program."""
    out = subprocess.run(['readelf', '-n', p.path], capture_output=True, text=True, check=True).stdout
    ident = bytes.fromhex(out.split('Build ID: ')[1].split()[0])
    build = record(67, struct.pack('<I', 10) + ident + bytes(24 - len(ident)) + text(p.path), 2)
    return file_of(stream(p), *EVENTS, build=build)


def hostile(p, out):
    """Files that lie, each at OUT.N."""
    good = plain(p)
    files = [good[:n] for n in range(0, len(good), 64)]
    # each number of the head, and of the first records, is replaced
    for i, at in enumerate(list(range(8, 104, 8)) + list(range(104, 900, 8))):
        for value in (0, 2**64 - 1, 2**63 - 1, 2**32 + 7)[i % 4 if at > 104 else 0:][:1 if at > 104 else 4]:
            files.append(good[:at] + u64(value) + good[at + 8:])
    attrs, ids, names = EVENTS
    def made(data):
        return file_of(data, attrs, ids, names)
    head = p.map(10, 5) + comm(10, 10, 6, 'a')
    sample = p.sample(10, 10, 10, ['one', 'main'])
    files += [
        made(head + struct.pack('<IHH', SAMPLE, 2, 0) + sample),
        made(head + struct.pack('<IHH', SAMPLE, 2, 7) + sample),
        made(head + struct.pack('<IHH', SAMPLE, 2, 65535) + sample),
        made(head + record(71, u64(2**64 - 1)) + sample),
        made(head + record(81, b'\x28\xb5\x2f\xfd' + bytes(50)) + sample),
        made(head + record(66, struct.pack('<I', 2**32 - 1)) + sample),
        made(p.map(10, 5, begin=2**64 - 0x1000, length=2**64 - 1) + p.map(10, 5, length=0) + head + sample),
        made(head + record(SAMPLE, u64(11, 1) + struct.pack('<IIQIIQ', 10, 10, 9, 0, 0, 5) + u64(7, 11, 2**61)) + sample),
        made(head + b''.join(fork(i, i, i - 1, i - 1, 6) + p.map(i, 6, begin=BASE + 0x100000 * i)
                             for i in range(11, 400)) + sample),
        b'2ELIFREP' + good[8:], b'PERFFILE' + good[8:],
    ]
    for i, f in enumerate(files):
        with open(f'{out}.{i}', 'wb') as to:
            to.write(f)
    print(len(files))


def main():
    kind, path, out = sys.argv[1:]
    p = Program(path)
    if kind == 'hostile':
        hostile(p, out)
        return
    with open(out, 'wb') as f:
        f.write({'plain': plain, 'pipe': pipe, 'jit': jit, 'known': known}[kind](p))


if __name__ == '__main__':
    main()
