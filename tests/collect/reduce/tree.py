"""tree.py CGVIEW SEED OUT RAW... [-- OPTION...]: adds them up as a random tree. Only raw profiles get the options."""
import random, subprocess, sys

cgview, seed, out, files = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
options = []
if '--' in files:
    files, options = files[:files.index('--')], files[files.index('--') + 1:]
random.seed(seed)
made = 0
while len(files) > 1 or not made:
    random.shuffle(files)
    most = random.randint(2, 7)
    some, files = files[:most], files[most:]
    made += 1
    name = f'tree-{made}.sum'
    raws = any(f.endswith('.raw') for f in some)
    subprocess.check_call([cgview, 'reduce', '--keep', '3', '-o', name] + (options if raws else []) + some)
    files.append(name)
subprocess.check_call(['mv', files[0], out])
