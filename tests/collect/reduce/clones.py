"""clones.py N DIRECTORY RAW...: N raw files of other processes, made of these; pid and start are others."""
import struct, sys

# offsets in struct raw_head
CHECKSUM, TEXT_LENGTH, STARTED, PID, END, TEXT = 16, 20, 24, 48, 56, 104

def fnv(data):
    h = 2166136261
    for c in data:
        h = (h ^ c) * 16777619 & 0xffffffff
    return h

number, directory, paths = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
originals = [bytearray(open(path, 'rb').read()) for path in paths]
for i in range(number):
    data = originals[i % len(originals)]
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
