-- A few seconds of everything an interpreter does: calls, closures, tables, strings, coroutines,
-- errors, garbage. The first argument scales the numeric parts (fib's by a power), the second one is how
-- often everything is done.
local scale = tonumber(arg and arg[1]) or 1
local rounds = tonumber(arg and arg[2]) or 1

local function fib(n)
	if n < 2 then return n end
	return fib(n - 1) + fib(n - 2)
end

local function sieve(n)
	local composite, primes = {}, 0
	for i = 2, n do
		if not composite[i] then
			primes = primes + 1
			for j = i * i, n, i do composite[j] = true end
		end
	end
	return primes
end

local function queens(n)
	local columns, up, down, found = {}, {}, {}, 0
	local function place(row)
		if row > n then found = found + 1 return end
		for c = 1, n do
			if not (columns[c] or up[row + c] or down[row - c]) then
				columns[c], up[row + c], down[row - c] = true, true, true
				place(row + 1)
				columns[c], up[row + c], down[row - c] = nil, nil, nil
			end
		end
	end
	place(1)
	return found
end

local function words(n)
	local parts, seen = {}, {}
	for i = 1, n do
		local w = string.format("w%d_%x", i % 97, i * 2654435761 % 4096)
		seen[w] = (seen[w] or 0) + 1
		if i % 7 == 0 then parts[#parts + 1] = w:upper():rep(2, "-") end
	end
	local text = table.concat(parts, " ")
	local matches = 0
	for _ in text:gmatch("W(%d+)_") do matches = matches + 1 end
	return matches, #text:gsub("%x+", "#")
end

local Shape = {}
Shape.__index = Shape
Shape.__add = function(a, b) return setmetatable({ size = a.size + b.size }, Shape) end
function Shape:grow(by) self.size = self.size + by return self end

local function shapes(n)
	local total = setmetatable({ size = 0 }, Shape)
	for i = 1, n do
		total = total + setmetatable({ size = i % 5 }, Shape):grow(1)
	end
	return total.size
end

local function pipeline(n)
	local source = coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end)
	local sum = 0
	for i in source do sum = sum + i % 3 end
	return sum
end

local function errors(n)
	local caught = 0
	for i = 1, n do
		if not pcall(function() if i % 2 == 0 then error({ i }) end end) then caught = caught + 1 end
	end
	return caught
end

local function sorted(n)
	local t, x = {}, 42
	for i = 1, n do
		x = (x * 1103515245 + 12345) % 2147483648
		t[i] = x
	end
	table.sort(t, function(a, b) return a < b end)
	return t[1], t[n]
end

for _ = 1, rounds do
	print(fib(24 + scale))
	print(sieve(200000 * scale))
	print(queens(7))
	print(words(30000 * scale))
	print(shapes(100000 * scale))
	print(pipeline(50000 * scale))
	print(errors(20000 * scale))
	print(sorted(30000 * scale))
	print(load("local a, b = ... ; return a // b, a % b, a ~ b, a << 2, a .. b")(17, 5))
end
