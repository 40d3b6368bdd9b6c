#!/usr/bin/env python3
"""foreign.py DIRECTORY PROGRAM: small profiles of each format of other tools, DIRECTORY/FORMAT[-WHAT], which the fuzz
target and the test of mutations begin with. PROGRAM: the file that their addresses are in."""
import gzip
import os
import struct
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..')
sys.path.insert(0, os.path.join(TOP, 'tests/collect'))
import perf_data  # noqa: E402

TEXTS = {
    'heaptrack': 'v 10400 3\nX a\ns 4 main\ns 3 a.c\ni 10 0 1 2 3 1 2 5\nt 1 0\na 10 1\n+ 0\nc 5\n- 0\n+ 0\nc 9\n',
    'massif': 'desc: -\ncmd: a\ntime_unit: i\n#---\nsnapshot=0\n#---\ntime=5\nmem_heap_B=9\nmem_heap_extra_B=1\nmem_stacks_B=0\n'
              'heap_tree=peak\nn2: 9 (heap allocation functions) malloc\n n1: 8 0x1: f (a.c:3)\n  n0: 7 0x2: main (a.c:9)\n'
              " n0: 1 in 1 place, below massif's threshold (1.00%)\n",
    'dhat': '{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"tu":"instrs","cmd":"a","pid":1,"te":9,"tg":5,"pps":'
            '[{"tb":9,"tbk":1,"gb":9,"gbk":1,"eb":0,"ebk":0,"rb":1,"wb":2,"fs":[1,2]}],"ftbl":["[root]","0x1: malloc (in /x)",'
            '"0x2: main (a.c:9)"]}',
    'folded': 'app;main;f 3\napp;main;g (g.c:12) 5\napp;main;h_[k] 1\napp;lib`x;y - /a.rb:7 2.5\n# no\n',
    'folded-two': 'app;main;f 3 5\napp;main;g_[i] 5 0\n',
    'script': 'w 7/8 10.000001: 1000 cpu-clock:u:\n\t 30 leaf+0x5 (/nowhere/w)\n\t 20 main+0x2 (/nowhere/w)\n\n'
              'w 7/8 10.000002: 1 page-faults:\n\t 31 leaf+0x6 (inlined)\n\t 30 f+0x5 ([kernel.kallsyms])\n  a.c:3\n\n',
    'chrome': '{"traceEvents":[{"ph":"B","ts":1,"pid":1,"tid":2,"name":"f"},{"ph":"X","ts":2,"dur":1.5,"pid":1,"tid":2,'
              '"name":"g","args":{"detail":"x"}},\n{"ph":"E","ts":9,"pid":1,"tid":2},{"ph":"M","pid":1,"name":"thread_name",'
              '"args":{"name":"t"}}]}',
    'speedscope': '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"f","file":"a.c",'
                  '"line":3},{"name":"g"}]},"profiles":[{"type":"sampled","name":"n","unit":"seconds","samples":[[0,1],[0]],'
                  '"weights":[1,0.5]},{"type":"evented","name":"e","unit":"none","events":[{"type":"O","frame":0,"at":1},'
                  '{"type":"C","frame":0,"at":2}]}]}',
    'callgrind': '# callgrind format\nversion: 1\npositions: line\nevents: Ir\nfl=(1) a.c\nfn=(1) main\n3 5\ncfn=(2) f\n'
                 'calls=2 9\n4 7\nfn=(2)\n9 7\ntotals: 12\n',
    'callgrind-more': '# callgrind format\ncreator: callgrind-3\npid: 7\nthread: 2\npositions: instr line\nevents: Ir Dr\n'
                      'event: CEst = Ir + 10 Dr : cycles\nob=(1) /nowhere/w\nfl=(1) a.c\nfn=(1) f\n0x10 3 5 1\n+3 +1 2\n* * 1 1\n'
                      "fi=(2) a.h\n+1 7 1\nfe=(1)\ncob=(1)\ncfi=(2)\ncfn=(2) f'2\ncalls=3 0x20 9\n0x13 4 70 8\n"
                      "jump=2 0x10 3\n0x14 5\njcnd=1/2 0x10 3\n0x14 5\nfn=(2)\n0x20 9 70 8\ntotals: 86 11\n"
                      'part: 2\nevents: Dr Ir\nfn=(1) g\n1 1 1 1\n',
    'lcov': 'TN:\nSF:/nowhere/a.c\nFN:3,main\nFN:8,12,g\nFNDA:1,main\nFNL:0,3,9\nFNA:0,2,main\nDA:3,1\nDA:4,0\nBRDA:3,0,0,1\n'
            'BRDA:3,0,1,-\nLF:2\nLH:1\nend_of_record\n',
    'gcov': '{"format_version":"1","gcc_version":"12","data_file":"a.gcda","current_working_directory":"/nowhere","files":[{"file":'
            '"a.c","functions":[{"name":"main","demangled_name":"main","start_line":3,"start_column":5,"end_line":9,"end_column":1,'
            '"blocks":2,"blocks_executed":2,"execution_count":1}],"lines":[{"line_number":3,"count":1,"unexecuted_block":false,'
            '"function_name":"main","branches":[]}]}]}',
    'llvm': '{"data":[{"files":[],"functions":[{"name":"a.c:main","count":1,"filenames":["/nowhere/a.c","a.h"],"regions":'
            '[[3,1,9,2,1,0,0,0],[4,2,5,3,0,0,0,0],[5,1,5,9,7,0,1,1],[1,1,2,2,3,1,0,0]],"branches":[[4,2,4,5,1,0,0,0,4]]}],'
            '"totals":{}}],"type":"llvm.coverage.json.export","version":"2.0.1"}',
    'firefox': '{"meta":{"interval":2,"product":"prog","preprocessedProfileVersion":47},"libs":[{"name":"l","path":"/nowhere/l.so"}],'
               '"threads":[{"name":"GeckoMain","pid":"7","tid":8,"samples":{"stack":[2,1,0,null,3],"weight":[1,1,1,1,2],'
               '"weightType":"samples","length":5},"stackTable":{"frame":[0,1,2,3],"prefix":[null,0,1,0],"length":4},"frameTable":'
               '{"func":[0,1,2,3],"line":[50,12,31,null],"address":[-1,-1,-1,4660],"inlineDepth":[0,0,1,0],"length":4},"funcTable":'
               '{"name":[0,1,2,5],"fileName":[3,3,4,null],"lineNumber":[48,10,30,null],"resource":[-1,-1,-1,0],"length":4},'
               '"resourceTable":{"lib":[0],"length":1},"stringArray":["main","f","leaf","/w.c","/w.h","0x1234"]}]}',
    'firefox-newer': '{"meta":{"interval":0.5,"preprocessedProfileVersion":60},"shared":{"stackTable":{"frame":[0,1],"prefix":[null,0]},'
                     '"frameTable":{"func":[0,1],"line":[5,6]},"funcTable":{"name":[0,1],"source":[0,null],"lineNumber":[4,null],'
                     '"resource":[-1,-1]},"sources":{"filename":[2]},"stringArray":["main","f","/w.c"]},"threads":[{"pid":1,"tid":2,'
                     '"samples":{"stack":[1,0,1]}}]}',
}


def gperftools(program):
    base = 0x7f0000000000
    words = [0, 3, 0, 10000, 0, 1, 2, base + 0x1010, base + 0x1080, 1, 3, base + 0x1010, base + 0x1010, base + 0x1080,
             1, 1, 0x1234, 0, 1, 0]
    maps = f'{base:x}-{base + 0x8000:x} r-xp 00000000 08:01 99     {program}\n'
    return struct.pack(f'<{len(words)}Q', *words) + maps.encode()


def gmon():
    """A histogram, and an arc."""
    return (b'gmon' + struct.pack('<I12x', 1) +
            struct.pack('<BQQII15sc4H', 0, 4096, 4112, 4, 100, b'seconds', b's', 0, 3, 0, 9) +
            struct.pack('<BQQI', 1, 4100, 4108, 7) + struct.pack('<BIQQ', 2, 1, 4100, 5))


class Perf(perf_data.Program):
    """Its procedures are where they may be in any program."""

    def __init__(self, path):  # pylint: disable=super-init-not-called
        self.path = path
        self.at = {'main': 0x1100, 'one': 0x1200, 'two': 0x1300}


def perf_stacks(p):
    """Samples with registers and a copy of the stack, the second and third of them packed; identifiers at no place."""
    kinds = perf_data.IP | perf_data.TID | perf_data.TIME | perf_data.PERIOD | perf_data.CALLCHAIN | 1 << 12 | 1 << 13
    mask = 0xff01ff  # ax ... sp ip, r8 to r15
    attr = bytearray(perf_data.attr(0, kinds, 0))
    struct.pack_into('<Q', attr, 80, mask)
    struct.pack_into('<I', attr, 88, 256)
    stack = struct.pack('<8Q', 1, p.call('one'), 0x7ffc00001020, p.call('main'), 0x7ffc00001040, 5, p.call('two'), 0)

    def sample(time, name):
        body = perf_data.u64(p.call(name)) + struct.pack('<IIQQ', 7, 7, time, 1000)
        body += perf_data.u64(2, perf_data.USER, p.call(name))
        registers = [0] * bin(mask).count('1')
        registers[6], registers[7], registers[8] = 0x7ffc00001010, 0x7ffc00001000, p.call(name)
        body += perf_data.u64(2, *registers) + perf_data.u64(len(stack)) + stack + perf_data.u64(len(stack))
        return perf_data.record(perf_data.SAMPLE, body, 2)
    packed = sample(20, 'two') + sample(30, 'main')
    frame = b'\x28\xb5\x2f\xfd\x00\x58' + struct.pack('<I', len(packed) << 3 | 1)[:3] + packed # a block as it is
    begin = perf_data.record(perf_data.MMAP2, struct.pack('<IIQQQ', 7, 7, perf_data.BASE, 0x10000, 0) + bytes(24) +
                             struct.pack('<II', 5, 2) + perf_data.text(p.path) + struct.pack('<IIQ', 7, 7, 5), 2)
    data = begin + sample(10, 'one') + struct.pack('<IHH', 81, 0, 8 + len(frame)) + frame
    return perf_data.file_of(data, [bytes(attr)], [[]], ['cpu-clock:u'])


def build_ids(p):
    """As Program's plain one, with build ids: of the kernel and of the program, one with its length."""
    made = perf_data.record(67, struct.pack('<I', 10) + bytes(range(24)) + perf_data.text(p.path), 2)
    made += perf_data.record(67, struct.pack('<i', -1) + bytes(20) + b'\x08' + bytes(3) + perf_data.text('[kernel.kallsyms]'),
                             1 | 1 << 15)
    return perf_data.file_of(perf_data.stream(p), *perf_data.EVENTS, build=made)


def seeds(program, made):
    """Returns {name: bytes}; MADE: a path for what another script writes."""
    p = Perf(program)
    found = {name: text.encode() for name, text in TEXTS.items()}
    found |= {'gmon': gmon(), 'gperftools': gperftools(program), 'perf': build_ids(p), 'perf-pipe': perf_data.pipe(p),
              'perf-stacks': perf_stacks(p)}
    for name in 'hand', 'diff':
        script = os.path.join(TOP, 'tests/collect/pprof.py')
        if subprocess.run([sys.executable, script, name, made], check=False).returncode == 0:
            with open(made, 'rb') as f:
                data = f.read()
            found['pprof-' + name] = gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data
            os.remove(made)
    return found


def main():
    folder, program = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for name, data in seeds(program, os.path.join(folder, 'made')).items():
        with open(os.path.join(folder, name), 'wb') as f:
            f.write(data)


if __name__ == '__main__':
    main()
