cp "$DATA/../../tests/e2e/workload.lua" . && src/lua workload.lua 4 > "$OUT/lua"
