#!/usr/bin/env python3
"""Checks every row of `cgview diff --series --format json --at N` against least squares done here.

growth.py FILE N    The models are those of the manual; normal equations in exact fractions, cross-validation by
                    really leaving out one point after the other."""
import functools
import json
import math
import sys
from fractions import Fraction as F

LOG = {"log n": lambda n: math.log2(n), "sqrt n": math.sqrt, "n log n": lambda n: n * math.log2(n),
       "n^1.5": lambda n: n ** 1.5, "n^2 log n": lambda n: n * n * math.log2(n)}
MODELS = {"1": None, "log n": LOG["log n"], "sqrt n": LOG["sqrt n"], "n": lambda n: n, "n log n": LOG["n log n"],
          "n^1.5": LOG["n^1.5"], "n^2": lambda n: n * n, "n^2 log n": LOG["n^2 log n"], "n^3": lambda n: n ** 3,
          "2^n": lambda n: 2.0 ** n if n <= 1000 else math.inf}
SIMPLER = {"1": 0, "n": 1, "n^2": 1, "n^3": 1}


def weighted(points, term):
    """(constant, coefficient) of the least squares of the relative deviations; None: there are none."""
    w = [F(1) / F(max(abs(y), LEAST)) ** 2 for _, y in points]
    if term is None:
        return sum(k * F(y) for k, (_, y) in zip(w, points)) / sum(w), F(0)
    f = [F(term(n)) for n, _ in points]
    s, sf, sff = sum(w), sum(k * x for k, x in zip(w, f)), sum(k * x * x for k, x in zip(w, f))
    sy, sfy = sum(k * F(y) for k, (_, y) in zip(w, points)), sum(k * x * F(y) for k, x, (_, y) in zip(w, f, points))
    d = s * sff - sf * sf
    return ((sff * sy - sf * sfy) / d, (s * sfy - sf * sy) / d) if d else None


def value(fit, term, n):
    return float(fit[0] + (fit[1] * F(term(n)) if term else 0))


def relative(points, fit, term):
    return [float((F(y) - fit[0] - (fit[1] * F(term(n)) if term else 0)) / F(max(abs(y), LEAST))) for n, y in points]


def validate(points, term):
    squares = []
    for i in range(len(points)):
        fit = weighted(points[:i] + points[i + 1:], term)
        if fit is None:
            return math.inf, 0
        squares.append(relative(points[i:i + 1], fit, term)[0] ** 2)
    mean = sum(squares) / len(squares)
    return mean, math.sqrt(sum((s - mean) ** 2 for s in squares) / (len(squares) - 1) / len(squares))


def close(a, b, what):
    scale = max(abs(a), abs(b), 1e-12)
    assert abs(a - b) <= 1e-5 * scale, f"{what}: {a} instead of {b}"


@functools.cache
def student(freedom, share):
    """The quantile, by integration of the density (Simpson) and bisection."""
    c = math.gamma((freedom + 1) / 2) / math.gamma(freedom / 2) / math.sqrt(freedom * math.pi)

    def below(t, steps=4000):
        h = t / steps
        d = [c * (1 + (i * h) ** 2 / freedom) ** (-(freedom + 1) / 2) for i in range(steps + 1)]
        return 0.5 + h / 3 * (d[0] + d[-1] + 4 * sum(d[1:-1:2]) + 2 * sum(d[2:-1:2]))
    lo, hi = 0, 100
    for _ in range(60):
        t = (lo + hi) / 2
        lo, hi = (t, hi) if below(t) < share else (lo, t)
    return hi


def interval(points, name, at):
    term = MODELS[name]
    fit = weighted(points, term)
    freedom = len(points) - (2 if term else 1)
    rest = relative(points, fit, term)
    variance = sum(r * r for r in rest) / freedom
    w = [1 / max(abs(y), LEAST) ** 2 for _, y in points]
    if term:
        f = [term(n) for n, _ in points]
        s, sf, sff = (sum(F(k) * F(x) ** e for k, x in zip(w, f)) for e in (0, 1, 2))
        x = F(term(at))
        spread = float((sff - 2 * sf * x + s * x * x) / (s * sff - sf * sf))
    else:
        spread = 1 / sum(w)
    v = value(fit, term, at)
    e = student(freedom, 0.975) * math.sqrt(variance * (max(abs(v), LEAST) ** 2 + spread))
    return v, v - e, v + e


def line(points):
    """Least squares of the logarithms: constant and slope."""
    x, y = ([math.log(p[i]) for p in points] for i in (0, 1))
    mx, my = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
    return my - slope * mx, slope


def validate_power(points):
    if any(y <= 0 for _, y in points):
        return math.inf
    squares = []
    for i, (n, y) in enumerate(points):
        c, slope = line(points[:i] + points[i + 1:])
        squares.append((math.exp(c + slope * math.log(n)) / y - 1) ** 2)
    return sum(squares) / len(squares)


def interval_of_power(points, at):
    c, slope = line(points)
    x = [math.log(n) for n, _ in points]
    mean = sum(x) / len(x)
    freedom = len(points) - 2
    variance = sum((math.log(y) - c - slope * math.log(n)) ** 2 for n, y in points) / freedom
    v = c + slope * math.log(at)
    e = student(freedom, 0.975) * math.sqrt(variance * (1 + 1 / len(x) + (math.log(at) - mean) ** 2 /
                                                        sum((a - mean) ** 2 for a in x)))
    return math.exp(v), math.exp(v - e), math.exp(v + e)


def check(row, points, at):
    name = row["model"]
    scores = {m: validate(points, t) for m, t in MODELS.items() if all(t is None or t(n) < 1e200 for n, _ in points)}
    best = min(scores, key=lambda m: scores[m][0])
    also = [m for m in scores if scores[m][0] <= sum(scores[best]) + 1e-18]
    if name not in MODELS:  # nothing else comes near: a power or exponential
        power = validate_power(points)
        assert scores[best][0] > 0.02 ** 2 or scores[best][0] > max(0.003 ** 2, 100 * power), (row, scores)
        return name
    wanted = min(also, key=lambda m: (SIMPLER.get(m, 2), scores[m][0]))
    assert name == wanted or scores[wanted][0] < 1e-18, (row, scores, wanted)
    others = [m for m in also if m != name] if name != "1" else []
    assert sorted(filter(None, (row["or"] or "").split(", "))) == sorted(others), (row, also)
    fit = weighted(points, MODELS[name])
    exact = scores[name][0] < 1e-18
    close(row["coefficient"], float(fit[1] if MODELS[name] else fit[0]), "coefficient")
    if MODELS[name]:
        assert abs(row["constant"] - float(fit[0])) <= 1e-6 * max(y for _, y in points), row
    rest = relative(points, fit, MODELS[name])
    flat = relative(points, weighted(points, None), None)
    if not exact:
        close(row["left_out_error"], math.sqrt(scores[name][0]), "left_out_error")
        if name != "1":
            close(row["model_r2"], 1 - sum(r * r for r in rest) / sum(r * r for r in flat), "model_r2")
        half = points[len(points) // 2:]
        laws = [lambda p, m=m: interval(p, m, at) for m in [name, *others]]
        power = validate_power(points)
        if name != "1" and power <= 4 * (sum(scores[best]) + 1e-18):
            laws.append(lambda p: interval_of_power(p, at))
        bounds = [law(points) for law in laws]
        for law in laws if len(half) >= 4 else []:
            of_all, of_half = law(points)[0], law(half)
            drift = 1.5 * abs(of_half[0] - of_all)
            bounds += [of_half, (of_all, of_half[0] - drift, of_half[0] + drift)]
        close(row["at"], bounds[0][0], "at")
        close(row["at_lo"], max(min(b[1] for b in bounds), 0), "at_lo")
        close(row["at_hi"], max(b[2] for b in bounds), "at_hi")
    return name


def main():
    global LEAST
    result = json.load(open(sys.argv[1]))
    sizes, at, names = result["sizes"], float(sys.argv[2]), []
    totals, seen = {}, set()
    for row in result["rows"]:
        kind = row["kind"] == "procedure"
        totals[kind] = totals.get(kind, 0) + (row[chr(ord("a") + len(sizes) - 1)] or 0)
    for row in result["rows"]:
        values = [row[chr(ord("a") + i)] or 0 for i in range(len(sizes))]
        points = sorted(zip(sizes, values))
        first = next((i for i, (_, y) in enumerate(points) if y), len(points))
        assert (row["from"] or 0) == (points[first][0] if 0 < first < len(points) else 0), row
        if values[-1]:
            close(row["share"], values[-1] / totals[row["kind"] == "procedure"], "share")
        points = points[first:]
        if len(points) < 3:
            assert row["model"] is None and row["at"] is None, row
            continue
        if tuple(points) in seen:
            continue
        seen.add(tuple(points))
        LEAST = min(y for _, y in points if y > 0)
        names.append(check(row, points, at))
    assert len(names) >= 3, names
    print(len(names), "rows,", len(set(names)), "models")


main()
