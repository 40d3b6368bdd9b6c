"""lives.py RAW EXPRESSION...: prints Python's value of each expression, over the records of the raw profile:
lives, all of them; used, those in use at any time; watch, the facts."""
import collections
import struct
import sys

PAGE = 4096
HEAD = struct.Struct("<IIIIQQQ")
Life = collections.namedtuple(
    "Life", "pc module flags slot reserved size mean born first_after first last_after last died seen")
LIFE = struct.Struct("<QIIII9Q")


def extents(data):
    at = PAGE
    while at + PAGE <= len(data):
        magic, _, kind, _, length, offset, _ = HEAD.unpack_from(data, at)
        if magic != 0x58454743:
            at += PAGE
            continue
        used, = struct.unpack_from("<Q", data, at + 96)
        yield kind, data[at + offset:at + offset + used]
        at += length


with open(sys.argv[1], "rb") as f:
    found = list(extents(f.read()))
lives = [Life(*LIFE.unpack_from(data, at)) for kind, data in found if kind == 16
         for at in range(0, len(data) - LIFE.size + 1, LIFE.size)]
used = [l for l in lives if l.first]
watch = [struct.unpack_from("<IIQQQ", data) for kind, data in found if kind == 15]
print(*(eval(e) for e in sys.argv[2:]))
