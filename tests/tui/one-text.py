"""one-text.py REPORT SCREEN: each row of a text report stands on the screen, its values in the same
words and in the same order. The values are the columns of REPORT on the left of its names."""
import re
import sys

VALUES = re.compile(r'self%|self|±|\+-|total%|total|calls|self/call|[ab]\.\w+|result|diff/noise')


def table(lines):
    """Pairs of the values and the name of each row. The browser has no column of changes in percent, and
    its sums are those of what is seen."""
    at = next(i for i, line in enumerate(lines) if re.match(r' *(self%|a\.)', line))
    heads = list(re.finditer(r'\S+', lines[at]))
    name = next(h.start() for h in heads if h.group() == 'procedure')
    columns, begin = [], 0
    for head in heads:
        if VALUES.fullmatch(head.group()):
            columns.append((begin, head.end()))
        begin = head.end()
    for line in lines[at + 1:]:
        cells = [line[a:b].strip() for a, b in columns]
        text = re.split('  +', line[name:].strip())[0]
        if re.match(r'\d+( of \d+)? procedures', line.strip()):
            break
        if text != 'total':
            yield [c for c in cells if c], text


def main():
    screen = open(sys.argv[2]).read().split('\n')
    wrong = nr = 0
    for values, name in table(open(sys.argv[1]).read().rstrip('\n').split('\n')):
        nr += 1
        pattern = r'(?:^|\s|>|▌)' + r'\s(?:.*\s)?'.join(map(re.escape, values)) + r'\s(?:.*\s)?' + \
            re.escape(name) + r'(?:\s|$)'
        if not any(re.search(pattern, line) for line in screen):
            print('# not on the screen:', *values, name, sep='  ')
            print(*['# ' + line for line in screen if name in line][:2], sep='\n')
            wrong += 1
    print('#', nr, 'rows')
    sys.exit(wrong or nr < 5)


main()
