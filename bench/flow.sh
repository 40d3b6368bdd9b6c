#!/bin/bash
# The flow solver on large instances: bench/flow.sh [SCALE]; SCALE divides their size (1).
#
# Prints CPU time and peak memory of the whole solution per estimator, of intervals on demand and of
# turns of the dial; then CPU time of linear programming solvers for a single half of an interval, at
# a tenth of the size and (CLP only) at full size. Solvers that are not installed are left out.
set -eu
cd "$(dirname "$0")/.."
solve=${BUILD:-build}/flow-solve
scale=${1:-1}
limit=${LIMIT:-200}
[ -x "$solve" ] || { echo "bench/flow.sh: build first: make tests" >&2; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cpu() # cpu COMMAND...: its CPU seconds, "-" when it takes longer than the limit
{
	local t
	t=$({ TIMEFORMAT='%U'; time timeout "$limit" "$@" > "$dir/out" 2>&1; } 2>&1) && echo "$t" ||
		echo "- (more than $limit s)"
}

for kind in pure overlap giant; do
	python3 bench/flow-instance.py $kind "$scale" > "$dir/$kind"
	for estimator in entropy even; do
		printf '%-8s %-8s ' $kind $estimator
		"$solve" --quiet --stats --bounds small --estimator $estimator < "$dir/$kind" 2>&1
	done
	"$solve" --bounds small --probe 100 < "$dir/$kind" 2>&1 | sed "s/^/$kind     /"
done
for kind in pure overlap; do
	printf '%-8s all intervals exact: ' $kind
	"$solve" --quiet --stats --bounds exact < "$dir/$kind" 2>&1
done

program() # program SCALE: one linear program, from the instance `giant`
{
	python3 bench/flow-instance.py giant "$1" > "$dir/small"
	echo "giant / $1: $(head -1 "$dir/small" | cut -d' ' -f3) arcs; flow-solve, everything:" \
		"$(cpu "$solve" --quiet --bounds small < "$dir/small") s with reading"
	python3 bench/flow-lp.py < "$dir/small" > "$dir/lp.mps"
}

highs() # by scipy, of whatever python3 has it
{
	local python
	for python in python3 /usr/bin/python3; do
		"$python" -c 'import scipy' 2> /dev/null || continue
		echo "HiGHS, one bound: $(timeout "$limit" "$python" bench/flow-highs.py \
			< "$dir/small" || echo "- (more than $limit s)")"
		return
	done
}

program $((scale * 10))
highs
if command -v glpsol > /dev/null; then
	echo "glpsol, one bound: $(cpu glpsol --freemps "$dir/lp.mps") s"
fi
if command -v clp > /dev/null; then
	echo "clp, one bound: $(cpu clp "$dir/lp.mps" -primalsimplex) s"
	program "$scale"
	highs
	echo "clp, one bound: $(cpu clp "$dir/lp.mps" -primalsimplex) s"
fi
