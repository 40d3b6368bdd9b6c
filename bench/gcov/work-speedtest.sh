set -e
./speedtest1 --size 4 --verify :memory: > log
grep 'Verif' log > "$OUT/verify"
./speedtest1 --size 4 --testset cte :memory: > log
./speedtest1 --size 4 --testset orm :memory: > log
./speedtest1 --size 4 --utf16le --without-rowid --primarykey :memory: > log
