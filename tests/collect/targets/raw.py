"""raw.py RAW: number of entries in the hash tables of targets, and the sum of the counts in these and
in the tables of sites, read with nothing but the description in cgview-raw(5)."""
import struct
import sys

data = open(sys.argv[1], "rb").read()
at, entries, calls = 4096, 0, 0
while at + 4096 <= len(data):
    magic, _, kind, _, length, offset, size = struct.unpack_from("<IIIIQQQ", data, at)
    if magic != 0x58454743:
        at += 4096
        continue
    for i in range(size // 24 if kind == 6 else 0):
        site, target, count = struct.unpack_from("<QQQ", data, at + offset + 24 * i)
        entries += site != 0
        calls += count if site and target else 0
    used = struct.unpack_from("<Q", data, at + offset)[0] if kind == 10 else 0
    begin = at + offset + 16
    end = begin + used
    while begin < end:
        site, number = struct.unpack_from("<QQ", data, begin)
        begin += 16
        for i in range(number):
            calls += struct.unpack_from("<QQ", data, begin)[1]
            begin += 16
    at += length
print(entries, calls)
