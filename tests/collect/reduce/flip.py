"""flip.py CGVIEW SUM: changes single bytes of a sum, and cuts it; each must be refused in one line."""
import random, subprocess, sys

data = open(sys.argv[2], 'rb').read()
random.seed(3)

def is_refused(changed):
    open('bad.sum', 'wb').write(changed)
    r = subprocess.run([sys.argv[1], 'reduce', '-o', 'bad.out', 'bad.sum'], capture_output=True, text=True)
    return r.returncode == 1 and r.stderr.count('\n') == 1

missed = []
for at in [3, 8, 12, 16, 24, 32, 40, 60, 80] + [random.randrange(4096, len(data) - 16) for _ in range(40)]:
    bad = bytearray(data)
    bad[at] ^= 1 << random.randrange(8)
    if not is_refused(bad):
        missed.append(at)
missed += [f'cut at {n}' for n in (0, 7, 100, 4095, 4096, 5000, len(data) - 16) if not is_refused(data[:n])]
print(missed)
sys.exit(bool(missed))
