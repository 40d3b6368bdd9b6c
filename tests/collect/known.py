"""known.py DB SHARES: do the sampled times of a program of known shape agree with what it did?

SHARES: lines "procedure self total", parts of the whole. Self times: one chi-square test over all
procedures, as of many single tests at three standard errors one would fail now and then by chance. It fails
by chance once in a million runs. Total times overlap; each is tested alone, at the limit that all of them
together exceed as rarely (Bonferroni)."""
import math
import sqlite3
import statistics
import sys

CHANCE = 1e-6


def chi_square_limit(freedom, chance):
    """Wilson and Hilferty's approximation, a little too strict this far out."""
    z = statistics.NormalDist().inv_cdf(1 - chance)
    return freedom * (1 - 2 / (9 * freedom) + z * math.sqrt(2 / (9 * freedom))) ** 3


def main(path, shares):
    known = {w[0]: (int(w[1]), int(w[2])) for w in map(str.split, open(shares))}
    whole = sum(own for own, total in known.values())
    seen = {name: (own, total) for name, own, total in sqlite3.connect(path).execute(
        "SELECT name, self_samples, total_samples FROM procedure")}
    n = sum(seen[name][0] for name in known)
    everything = sum(own for own, total in seen.values())
    limit = -statistics.NormalDist().inv_cdf(CHANCE / 2 / len(known))
    chi_square, failed, beyond = 0, False, 0
    print(f"{'procedure':16} {'self':>7} {'known':>7} {'errors':>7}   {'total':>7} {'known':>7} {'errors':>7}")
    for name, (own, total) in known.items():
        row = f"{name:16}"
        for k, share in enumerate((own / whole, total / whole)):
            errors = (seen[name][k] - n * share) / math.sqrt(n * share * (1 - share))
            row += f" {seen[name][k] / n:7.2%} {share:7.2%} {errors:+7.2f}  "
            beyond += abs(errors) > 3
            if k == 0:
                chi_square += (seen[name][k] - n * share) ** 2 / (n * share)
            elif abs(errors) > limit:
                failed = True
                row += "too far"
        print(row)
    most = chi_square_limit(len(known) - 1, CHANCE)
    print(f"{n} samples of {everything}; chi-square {chi_square:.1f}, expected {len(known) - 1}, at most "
          f"{most:.1f}; {beyond} of {2 * len(known)} beyond 3 standard errors")
    return failed or chi_square > most or n < 100 or n < 0.9 * everything


sys.exit(main(*sys.argv[1:]))
