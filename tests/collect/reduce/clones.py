"""clones.py [--mix] N DIRECTORY RAW...: N raw files of other processes, made of these; pid and start are others.

--mix: each sample gets the outer callers of others that have come to the same place, and so mostly a stack of its
own."""
import random, struct, sys

# offsets in struct raw_head
CHECKSUM, TEXT_LENGTH, STARTED, PID, END, TEXT = 16, 20, 24, 48, 56, 104

def fnv(data):
    h = 2166136261
    for c in data:
        h = (h ^ c) * 16777619 & 0xffffffff
    return h

PAGE, SAMPLES = 4096, 3

def samples(data):
    """Where each sample of DATA begins, and its number of frames."""
    at = PAGE
    while at + 104 <= len(data):
        kind, = struct.unpack_from('<I', data, at + 8)
        length, begin = struct.unpack_from('<QQ', data, at + 16)
        used, = struct.unpack_from('<Q', data, at + 96)
        if not length:
            break
        sample = at + begin
        while kind == SAMPLES and sample < at + begin + used:
            frames, flags = struct.unpack_from('<HH', data, sample + 4)
            yield sample, frames
            sample += 32 + 8 * (frames + bool(flags & 1 << 7) + bool(flags & 1 << 11))
        at += length

def mix(data, source):
    places = [(at + 32, at + 32 + 8 * frames) for at, frames in samples(data)]
    for begin, end in places * 8:
        other_begin, other_end = random.choice(places)
        most = min(end - begin, other_end - other_begin) // 8 - 1
        if most < 1:
            continue
        outer = 8 * random.randint(1, most) # bytes; the innermost of them is the same
        if data[end - outer:end - outer + 8] == source[other_end - outer:other_end - outer + 8]:
            data[end - outer:end] = source[other_end - outer:other_end]

random.seed(1)
mixed = sys.argv[1] == '--mix' and sys.argv.pop(1)
number, directory, paths = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
originals = [bytearray(open(path, 'rb').read()) for path in paths]
for i in range(number):
    data = bytearray(originals[i % len(originals)])
    if mixed:
        mix(data, originals[i % len(originals)])
    text, = struct.unpack_from('<I', data, TEXT_LENGTH)
    struct.pack_into('<QQ', data, STARTED, 10**18 + i, 10**9 + i)
    struct.pack_into('<I', data, PID, 100 + i)
    struct.pack_into('<I', data, CHECKSUM, fnv(bytes(data[STARTED:END]) + bytes(data[TEXT:TEXT + text])))
    with open(f'{directory}/{i}.raw', 'wb') as f: # with its holes
        for at in range(0, len(data), 4096):
            page = data[at:at + 4096]
            f.seek(at)
            if any(page):
                f.write(page)
        f.truncate(len(data))
