"""Stacks of a program as perf finds them: by DWARF, cut into procedures by addr2line. Nothing of cgview's is used."""
import re
import subprocess

FRAME = re.compile(r"\s*([0-9a-f]+) (.*) \((.*)\)$")
STACK_BYTES = 32768


class Stacks:
    """Samples of one run. Each is a list of procedures, the innermost first, inlined ones too."""

    def __init__(self):
        self.samples = []
        self.inlined = set()   # procedures that stood inlined in another one somewhere
        self.cut = 0           # stacks whose outer end perf did not find


def recording(data, hz=999):
    """What stands before a command line."""
    return ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(hz), "--call-graph", f"dwarf,{STACK_BYTES}",
            "-o", data, "--"]


def raw_stacks(binary, data):
    """([(address, symbol)], is it whole) of each sample: frames in BINARY only."""
    script = subprocess.run(["perf", "script", "-i", str(data), "--comms", binary.name[:15], "--no-inline",
                             "-F", "ip,sym,dso,symoff"],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    for sample in script.split("\n\n"):
        frames, first, kernel = [], True, False
        symbol = ""
        for line in sample.splitlines():
            frame = FRAME.match(line)
            if not frame:
                continue
            symbol = frame.group(2)
            if frame.group(3) == str(binary):
                # The clock's signal comes behind the instruction that took the time, and a return
                # address stands behind its call; only a page fault leaves pc at its instruction.
                back = not (first and (kernel or symbol.endswith("+0x0")))
                frames.append((int(frame.group(1), 16) - back, symbol))
            if frame.group(3).startswith("[kernel"):
                kernel = True
            else:
                first = False
        if symbol or frames:
            yield frames, bool(re.match(r"(_start|clone|__clone|thread_start)", symbol))


CALL = re.compile(r"\s*[0-9a-f]+:\s+call\s+[0-9a-f]+ <([^+>]+)>")
JUMP = re.compile(r"\s*[0-9a-f]+:\s+j[a-z]+\s+[0-9a-f]+ <([^+>]+)>")
SYMBOL = re.compile(r"[0-9a-f]+ <(.+)>:$")


def listing(binary):
    return subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(binary)], stdout=subprocess.PIPE, text=True,
                          check=True).stdout.splitlines()


def jumps(binary):
    """{procedure: those at whose first instruction its code jumps}, by name: how a call in tail position may end."""
    found, here = {}, None
    for line in listing(binary):
        symbol, jump = SYMBOL.match(line), JUMP.match(line)
        if symbol:
            here = plain_name(symbol.group(1))
        elif jump and plain_name(jump.group(1)) != here:
            found.setdefault(here, set()).add(plain_name(jump.group(1)))
    return found


def called_before(binary):
    """{address: symbol}: whom the direct call calls whose last or last but one byte is at the address: perf gives the
    one or the other, and 1 was taken off."""
    found, called = {}, None
    for line in listing(binary):
        if called and line.startswith(" "):
            behind = int(line[:line.index(":")], 16)
            found[behind - 1] = found[behind - 2] = called
        call = CALL.match(line)
        called = call and call.group(1)
    return found


def names_at(binary, addresses):
    """{address: [procedures there, the innermost first]}"""
    done = subprocess.run(["addr2line", "-f", "-i", "-a", "-e", str(binary)], stdout=subprocess.PIPE, text=True,
                          input="".join(f"{a:#x}\n" for a in addresses), check=True)
    names, at = {}, None
    lines = iter(done.stdout.splitlines())
    for line in lines:
        if line.startswith("0x"):
            at = names.setdefault(int(line, 16), [])
        else:
            at.append(plain_name(line))
            next(lines)
    return names


def plain_name(name):
    return re.sub(r"\.(part|isra|constprop|cold|lto_priv)\b.*", "", name)


def procedures(frames, names, called):
    """The rest of a procedure of which a part is inlined (x.part.0) is the same call. Whom the call in a frame calls, and is
    not on the stack, ended in a jump to who is."""
    found, part, inner = [], False, None
    for address, symbol in frames:
        here, target = names[address], called.get(address)
        if inner and target and plain_name(target) != inner and "@" not in target:
            found.append(plain_name(target))
            part = False
        inner = plain_name(symbol.rpartition("+")[0])
        found += here[1:] if part and found[-1] == here[0] else here
        part = ".part." in symbol
    return found


def load(binary, data):
    stacks, raw = Stacks(), list(raw_stacks(binary, data))
    names, called = names_at(binary, sorted({a for frames, _ in raw for a, _ in frames})), called_before(binary)
    for frames, whole in raw:
        if not frames:
            continue  # exec, the loader, the end: before the program began, or behind it
        stacks.samples.append(procedures(frames, names, called))
        stacks.cut += not whole
    for found in names.values():
        stacks.inlined.update(found[:-1])
    return stacks
