"""Edits of C sources, token by token, that do not change what a program does: procedures get another name, and
within them one to three places are written otherwise. What became of each token is known."""
import random
import re

TOKEN = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z_$][\w$]*|\.?\d[\w.]*|\s+|.""", re.S)
WORD = re.compile(r"[A-Za-z_$]")
KEYWORDS = set("""auto break case char const continue default do double else enum extern float for goto if inline int
long register return short signed sizeof static struct switch typedef union unsigned void volatile while""".split())


class Token:
    """Of the code if CODE; AT: line, column and those of its end in the old text, None if it is new."""
    __slots__ = ("text", "at", "code", "directive")

    def __init__(self, text, at, code, directive=False):
        self.text, self.at, self.code, self.directive = text, at, code, directive


def spread(text, line, column):
    """Where TEXT ends that begins there (its last byte), and where the next one begins."""
    lines = text.split("\n")
    if len(lines) == 1:
        return (line, column + len(text) - 1), (line, column + len(text))
    return (line + len(lines) - 1, len(lines[-1])), (line + len(lines) - 1, len(lines[-1]) + 1)


class Source:
    """A text in bytes as Latin 1, so that columns are bytes."""

    def __init__(self, path):
        self.path = path
        self.tokens = []
        line, column, directive, fresh = 1, 1, False, True
        for text in TOKEN.findall(path.read_text("latin1")):
            end, after = spread(text, line, column)
            blank, comment = text.isspace(), text.startswith(("/*", "//"))
            if blank and "\n" in text:
                directive &= self.tokens[-1].text == "\\" if self.tokens else False
                fresh = True
            elif text == "#" and fresh:
                directive = True
            fresh &= blank or comment
            self.tokens.append(Token(text, (line, column, *end), not blank and not comment, directive))
            line, column = after

    def text(self):
        return "".join(t.text for t in self.tokens)

    def moved(self):
        """{(line, column): (line, column)} of where tokens begin, and of where they end."""
        begins, ends = {}, {}
        line, column = 1, 1
        for t in self.tokens:
            end, after = spread(t.text, line, column)
            if t.at and t.code:
                begins[t.at[:2]] = (line, column)
                ends[t.at[2:]] = end
            line, column = after
        return begins, ends

    def rename(self, names):
        for t in self.tokens:
            if t.code and t.text in names:
                t.text = names[t.text]

    def body(self, line, column):
        """The tokens (first, end) from the one at that place of the old text to the } of its body."""
        first = next((i for i, t in enumerate(self.tokens) if t.at and t.at[:2] == (line, column)), None)
        depth = 0
        for i in range(first, len(self.tokens)) if first is not None else ():
            t = self.tokens[i]
            if t.directive and t.code:
                return None  # a condition of the preprocessor can cut anything in two
            if t.code and t.text in "{}":
                depth += 1 if t.text == "{" else -1
                if not depth:
                    return first, i + 1
        return None


def new(text):
    return [Token(t, None, not t.isspace()) for t in TOKEN.findall(text)]


def closing(tokens, i, end):
    depth = 0
    for k in range(i, end):
        depth += {"(": 1, ")": -1}.get(tokens[k].text, 0) if tokens[k].code else 0
        if not depth:
            return k
    return None


def next_code(tokens, i, end, step=1):
    i += step
    while 0 <= i < end and not tokens[i].code:
        i += step
    return i if 0 <= i < end else None


# Each edit returns whether there was a place for it; tokens FIRST..END of a procedure, from its name on.

def add_statement(tokens, first, end):
    """A statement more at the begin of a block."""
    places = []
    for i in range(first, end):
        before = next_code(tokens, i, end, -1)
        if tokens[i].code and tokens[i].text == "{" and before and tokens[before].text in (")", "else", "do"):
            places.append(i)
    if not places:
        return False
    at = random.choice(places)
    number = random.randint(1, 99)
    tokens[at + 1:at + 1] = new(random.choice([" (void)0;", f" {{ int step_{number} = {number}; (void)step_{number}; }}"]))
    return True


def test_otherwise(tokens, first, end):
    """if (x) becomes if ((x) != 0)."""
    places = [i for i in range(first, end) if tokens[i].code and tokens[i].text in ("if", "while")]
    random.shuffle(places)
    for i in places:
        opening = next_code(tokens, i, end)
        close = closing(tokens, opening, end) if opening and tokens[opening].text == "(" else None
        if close:
            tokens[close:close] = new(") != 0")
            tokens[opening + 1:opening + 1] = new("(")
            return True
    return False


def write_number(tokens, first, end):
    """A number n becomes (n + 0)."""
    places = [i for i in range(first, end) if tokens[i].code and re.fullmatch(r"\d+", tokens[i].text)]
    if not places:
        return False
    at = random.choice(places)
    tokens[at + 1:at + 1] = new(" + 0)")
    tokens[at:at] = new("(")
    return True


def bracket_result(tokens, first, end):
    """return x; becomes return (x);"""
    places = []
    for i in range(first, end):
        if tokens[i].code and tokens[i].text == "return":
            semicolon = next((k for k in range(i, end) if tokens[k].code and tokens[k].text == ";"), None)
            if semicolon and next_code(tokens, i, end) != semicolon:
                places.append((i, semicolon))
    if not places:
        return False
    at, semicolon = random.choice(places)
    tokens[semicolon:semicolon] = new(")")
    tokens[at + 1:at + 1] = new(" (")
    return True


def count_otherwise(tokens, first, end):
    """i++ as a statement, or as the last part of for, becomes i += 1."""
    for at in random.sample(range(first, end), end - first):
        if not tokens[at].code or tokens[at].text not in "+-":
            continue
        name, second = next_code(tokens, at, end, -1), next_code(tokens, at, end)
        if name is None or second is None or tokens[second].text != tokens[at].text or second != at + 1:
            continue
        before, behind = next_code(tokens, name, end, -1), next_code(tokens, second, end)
        if WORD.match(tokens[name].text) and tokens[before].text in (";", "{", "}") and tokens[behind].text in (";", ")"):
            tokens[at:second + 1] = new(" %s= 1" % tokens[at].text)
            return True
    return False


def name_otherwise(tokens, first, end):
    """A parameter gets another name."""
    opening = next_code(tokens, first, end)
    close = closing(tokens, opening, end) if opening and tokens[opening].text == "(" else None
    if not close:
        return False
    names = []
    for i in range(opening, close + 1):
        before = next_code(tokens, i, end, -1)
        if tokens[i].text in (",", ")") and WORD.match(tokens[before].text) and tokens[before].text not in KEYWORDS and \
           tokens[next_code(tokens, before, end, -1)].text not in ("(", ","):
            names.append(tokens[before].text)
    if not names:
        return False
    name = random.choice(names)
    other = random.choice(["given", "wanted", "it", "here", "that"]) + "_" + str(random.randint(1, 99))
    for i in range(first, end):
        before = next_code(tokens, i, end, -1)
        pointer = before and tokens[before].text == ">" and tokens[before - 1].text == "-"
        if tokens[i].code and tokens[i].text == name and tokens[before].text != "." and not pointer:
            tokens[i].text = other
    return True


EDITS = [add_statement, test_otherwise, write_number, bracket_result, count_otherwise, name_otherwise]


def edit(source, line, column):
    """Makes one to three edits of different kinds in the procedure at that place. Returns how many."""
    wanted, done = random.randint(1, 3), 0
    for kind in random.sample(EDITS, len(EDITS)):
        part = source.body(line, column)
        if part and done < wanted:
            done += kind(source.tokens, *part)
    return done
