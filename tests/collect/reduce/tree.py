"""tree.py CGVIEW SEED OUT RAW...: adds them up as a random tree."""
import random, subprocess, sys

cgview, seed, out, files = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
random.seed(seed)
made = 0
while len(files) > 1 or not made:
    random.shuffle(files)
    most = random.randint(2, 7)
    some, files = files[:most], files[most:]
    made += 1
    name = f'tree-{made}.sum'
    subprocess.check_call([cgview, 'reduce', '--keep', '3', '-o', name] + some)
    files.append(name)
subprocess.check_call(['mv', files[0], out])
