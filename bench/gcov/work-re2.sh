for test in parse simplify search; do
	obj/test/${test}_test > "$OUT/$test" 2>&1 || exit
done
