# The awk programs of gawk's own tests that depend on nothing but their input.
cd test || exit
export AWKPATH=. GAWKLOCALE=C TZ=UTC
for t in *.awk; do
	n=${t%.awk}
	case $n in
	*mpfr*|inetecht|inetecu|inet*|*fork*|readdir*|filefuncs|rwarray*|time*|strftime*|randtest|\
	pipeio*|poundbang|beginfile*|clos*|devfd*|argtest|double*|dbug*|longwrds|nofmtch|\
	fnmatch|ordchr*|revout|revtwoway|testext|rand|procinfs|ignrcas2|sigpipe*|printfbad*|\
	getlnhd|profile10|gsubind|manyfiles|numrange|iolint|pid|errno|readfile*|watchpoint1|backw|sandbox*)
		continue ;;
	esac
	input=/dev/null
	[ -e "$n.in" ] && input=$n.in
	timeout 60 ../gawk -f "$t" < "$input" > "$OUT/$n" 2> /dev/null
	timeout 60 ../gawk --lint=invalid -o"$OUT/$n.profile" -f "$t" < "$input" > /dev/null 2>&1
done
../gawk '{ n += NF; for (i = 1; i <= NF; i++) words[$i]++ }
END { m = asorti(words, w); print n, m; for (i = 1; i <= m; i++) print w[i], words[w[i]] }' \
	../awk.h ../ChangeLog > "$OUT/words"
../gawk -F: -v OFS=: '/[aeiou]{2}.*[^[:alnum:]_]$/ { gsub(/[[:space:]]+/, "."); $2 = toupper($2) } 1' \
	../ChangeLog > "$OUT/sub"
../gawk -p"$OUT/prof.raw" 'function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
BEGIN { print fib(18); printf "%5.2f %x %c %s %i\n", 3.14159, 255, 65, "x", 7.9 }' > "$OUT/fib"
rm "$OUT/prof.raw"
true
