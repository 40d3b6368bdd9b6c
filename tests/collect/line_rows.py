"""What code has which position, by the line tables of a program as objdump prints them, opcode by opcode: only
what file they mean is worked out here. (addr2line has a fault there that libdwarf has, too.)

line_rows.py PROGRAM: "BEGIN END LINE DIRECTORY/FILE" for each piece of code, addresses in hex. Sequences at address 0
are of code that the linker has removed.
"""
import re
import subprocess
import sys


def rows(program):
    text = subprocess.run(["objdump", "--dwarf=rawline", program], check=True, capture_output=True,
                          text=True, errors="surrogateescape").stdout
    directories, files, table = {}, {}, None
    address, line, file, last, dead = 0, 1, 1, None, False
    for said in text.splitlines():
        if "DWARF Version:" in said:
            directories, files = {}, {}
        elif "The Directory Table" in said:
            table = directories
        elif "The File Name Table" in said:
            table = files
        elif "Line Number Statements" in said:
            table = None
        elif table is not None and (m := re.match(r"  (\d+)\t(.*)", said)):
            name = re.sub(r".*(\t|\): )", "", m[2])
            table[int(m[1])] = name if table is directories else (int(re.match(r"\d+", m[2])[0]), name)
        elif table is None and (m := re.match(r"  \[0x[0-9a-f]+\]\s+(.*)", said)):
            said = m[1]
            if n := re.match(r"Set File Name to entry (\d+)", said):
                file = int(n[1])
            if n := re.search(r"(?:set Address|advance (?:Address|PC) by .*?) to 0x([0-9a-f]+)", said, re.I):
                address = int(n[1], 16)
            if n := re.search(r"(?:Advance Line|and Line) by -?\d+ to (\d+)", said):
                line = int(n[1])
            ends = said.startswith("Extended opcode 1:")
            if ends or re.match(r"Special opcode|Copy", said):
                dead = dead or not last and not address
                if last and last[0] < address and not dead:
                    yield last[0], address, last[1], path(directories, files, last[2])
                last = (address, line, file)
            if ends:
                address, line, file, last, dead = 0, 1, 1, None, False


def path(directories, files, number):
    directory, name = files[number]
    return name if name.startswith("/") or not directory else f"{directories[directory]}/{name}"


if __name__ == "__main__":
    for begin, end, line, name in rows(sys.argv[1]):
        print(f"{begin:x} {end:x} {line} {name}")
