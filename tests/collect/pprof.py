#!/usr/bin/env python3
"""pprof.py addresses OUT PROGRAM BUILD-ID ADDRESS...: writes a profile of stacks of one address each, without names.
pprof.py hand|diff|bad-text OUT: writes a profile of pprof by hand, with every rule of the format.
pprof.py compare TOP CSV: is what `go tool pprof -top` prints the same as a report's rows (procedure, self, total)?"""
import csv
import gzip
import re
import struct
import sys


def varint(n):
    n &= (1 << 64) - 1
    out = b''
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n)


def message(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


texts = ['']


def text(t):
    if t not in texts:
        texts.append(t)
    return texts.index(t)


def value_type(field, kind, unit):
    return message(field, number(1, text(kind)) + number(2, text(unit)))


def sample(locations, values, packed=True, labels=b''):
    content = labels
    if packed:
        content += message(1, b''.join(map(varint, locations))) + message(2, b''.join(map(varint, values)))
    else:
        content += b''.join(number(1, i) for i in locations) + b''.join(number(2, v) for v in values)
    return message(2, content)


def function(i, name, file='', start=0, system=''):
    return message(5, number(1, i) + number(2, text(name)) + number(3, text(system)) + number(4, text(file)) +
                   number(5, start))


def location(i, lines, address=0, mapping=0):
    content = number(1, i) + number(2, mapping) + number(3, address)
    for line in lines:
        content += message(4, b''.join(number(k + 1, n) for k, n in enumerate(line)))
    return message(4, content)


def label(key, string='', n=0):
    return message(3, number(1, text(key)) + number(2, text(string)) + number(3, n))


def strings():
    return b''.join(message(6, t.encode('utf-8', 'surrogateescape')) for t in texts)


def hand():
    """work() at line 12 calls tiny(), which is inlined, and itself at line 14; lib is a library without names."""
    out = value_type(11, 'cpu', 'nanoseconds') + number(12, 10000000)
    out += value_type(1, 'samples', 'count') + value_type(1, 'cpu', 'milliseconds') + value_type(1, 'alloc', 'kb')
    out += sample([1, 3], [2, 20, 0])                      # tiny in work, from main
    out += sample([2, 2, 2, 3], [1, 10, 5], packed=False)  # work, from work, from work, from main
    out += sample([4, 3], [3, 30, 0], labels=label('thread', 'io worker') + label('thread_id', n=42))
    out += sample([3], [0, 0, 7], labels=label('colour', 'red'))
    out += b'\xa2\x06\x03abc' + b'\xad\x06\x01\x02\x03\x04'  # fields of a newer version: 100, and 101 of 4 bytes
    out += location(1, [(2, 31, 5), (1, 12)]) + location(2, [(1, 14)]) + location(3, [(3, 50)])
    out += location(4, [], address=0x7f0000001234, mapping=(1 << 40) + 3)
    out += message(3, number(1, (1 << 40) + 3) + number(2, 0x7f0000000000) + number(3, 0x7f0000100000) +
                   number(5, text('/nowhere/libodd.so.2')))
    out += function(1, 'work', '/nowhere/w.c', 10) + function(2, 'tiny', '/nowhere/w.h', 30)
    out += function(3, 'main', '/nowhere/w.c', 48)
    out += number(9, 1600000000 * 1000000000) + number(10, 3000000000)
    return gzip.compress(out + strings(), mtime=0)


def diff():
    """A difference: what is below 0 is less than before. What even has by two ways makes 0. Not packed by gzip."""
    return difference(1)


def opposite():
    """With diff it makes 0 everywhere."""
    return difference(-1)


def difference(sign):
    out = value_type(1, 'inuse_objects', 'count') + value_type(1, 'inuse_space', 'bytes')
    for stack, objects, space in (([1, 2], -3, -4096), ([2], 5, 100), ([3, 2], 2, 6000), ([1, 4, 2], 1, 1000),
                                  ([5, 2], 4, 500), ([5, 4, 2], -4, -500)):
        out += sample(stack, [sign * objects, sign * space])
    for n, name in enumerate(('less', 'main', 'more', 'other', 'even'), 1):
        out += location(n, [(n, 5 * n)]) + function(n, name, '/nowhere/diff.c')
    return out + strings()


def diff_time():
    """Of two profiles of CPU time."""
    out = value_type(1, 'samples', 'count') + value_type(1, 'cpu', 'nanoseconds')
    out += sample([1, 2], [-3, -30000000]) + sample([2], [5, 50000000])
    out += location(1, [(1, 5)]) + location(2, [(2, 9)]) + function(1, 'less') + function(2, 'main')
    return out + strings()


def bad_text():
    out = value_type(1, 'samples', 'count') + sample([1], [1]) + location(1, [(1, 5)])
    return out + message(5, number(1, 1) + number(2, 99)) + strings()


def addresses(program, build_id, *symbols):
    """The program is mapped at 0x7f0000000000 and on, as its headers say."""
    elf = open(program, 'rb').read()
    offset, size, nr = struct.unpack_from('<Q', elf, 32)[0], *struct.unpack_from('<HH', elf, 54)
    out = value_type(1, 'cpu', 'nanoseconds')
    for k in range(nr):
        kind, flags, at, address, _, length = struct.unpack_from('<IIQQQQ', elf, offset + k * size)
        if kind == 1 and flags & 1:
            out += message(3, number(1, 1) + number(2, 0x7f0000000000 + address) + number(3, 0x7f0000000000 + address + length) +
                           number(4, at) + number(5, text(program)) + number(6, text(build_id)))
    for k, symbol in enumerate(symbols, 1):
        out += sample([k], [1000 * k]) + location(k, [], 0x7f0000000000 + int(symbol, 16), 1)
    return out + strings()


def compare(top, report):
    rows = {}
    for line in open(top):
        m = re.match(r' *(-?\d+)\S* +\S+ +\S+ +(-?\d+)\S* +\S+ +(.+?)(?: \(inline\)| \(partial-inline\))?$', line)
        if m:
            rows[m.group(3)] = (int(m.group(1)), int(m.group(2)))
    ours = {r['procedure']: (int(list(r.values())[1] or 0), int(list(r.values())[2] or 0))
            for r in csv.DictReader(open(report))}
    ours = {name: v for name, v in ours.items() if v != (0, 0)}
    for name in sorted(set(rows) | set(ours)):
        if rows.get(name) != ours.get(name):
            print(name, 'theirs', rows.get(name), 'ours', ours.get(name))
    print(len(rows), 'rows')
    sys.exit(rows != ours or not rows)


def main():
    if sys.argv[1] == 'compare':
        compare(*sys.argv[2:])
    if sys.argv[1] == 'addresses':
        open(sys.argv[2], 'wb').write(addresses(*sys.argv[3:]))
        sys.exit()
    open(sys.argv[2], 'wb').write({'hand': hand, 'diff': diff, 'opposite': opposite, 'diff-time': diff_time,
                                   'bad-text': bad_text}[sys.argv[1]]())


if __name__ == '__main__':
    main()
