// objects AMOUNT: C++ as it is written: containers, virtual methods, templates, lambdas, exceptions.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct shape {
	virtual ~shape() = default;
	virtual long area() const = 0;
	virtual void grow(int by) = 0;
};

struct square : shape {
	explicit square(int a) : side(a) {}
	long area() const override { return long(side) * side; }
	void grow(int by) override { side = (side + by) % 1000; }
	int side;
};

struct oblong : shape {
	oblong(int a, int b) : width(a), height(b) {}
	long area() const override { return long(width) * height; }
	void grow(int by) override { width = (width + by) % 700; }
	int width, height;
};

struct random_source {
	unsigned state;
	unsigned next() { return state = state * 1664525 + 1013904223; }
	unsigned below(unsigned n) { return (next() >> 8) % n; }
};

long
shapes(random_source &r)
{
	std::vector<std::unique_ptr<shape>> all;
	long sum = 0;

	for (int i = 0; i < 2000; i++) {
		if (r.below(3))
			all.push_back(std::make_unique<square>(int(r.below(100))));
		else
			all.push_back(std::make_unique<oblong>(i % 100, int(r.below(50))));
	}
	for (int round = 0; round < 40; round++)
		for (const auto &s : all) {
			s->grow(round);
			sum += s->area();
		}
	return sum;
}

std::string
word(random_source &r)
{
	std::string text;

	for (unsigned n = 2 + r.below(6); n > 0; n--)
		text += char('a' + r.below(6));
	return text;
}

long
words(random_source &r)
{
	std::map<std::string, int> sorted;
	std::unordered_map<std::string, int> hashed;
	long sum = 0;

	for (int i = 0; i < 8000; i++) {
		std::string w = word(r);

		sorted[w]++;
		hashed[w] += i;
	}
	for (const auto &[w, n] : sorted)
		sum = sum * 7 % 1000003 + n + hashed.at(w) % 13;
	return sum;
}

template <typename T>
long
sorting(random_source &r)
{
	std::vector<T> v(20000);

	std::generate(v.begin(), v.end(), [&] { return T(r.below(100000)); });
	std::sort(v.begin(), v.end(), [](T a, T b) { return a > b; });
	v.erase(std::unique(v.begin(), v.end()), v.end());
	return std::accumulate(v.begin(), v.end(), 0L,
			       [](long a, T b) { return (a * 3 + long(b)) % 999983; });
}

int
checked(int depth, random_source &r)
{
	std::string kept = "kept";

	if (depth == 0) {
		if (r.below(4) == 0)
			throw std::out_of_range("low");
		return int(kept.size());
	}
	return checked(depth - 1, r) + 1;
}

long
exceptions(random_source &r)
{
	long sum = 0;

	for (int i = 0; i < 300; i++)
		try {
			sum += checked(5, r);
		} catch (const std::exception &e) {
			sum += e.what()[0];
		}
	return sum;
}

} // namespace

int
main(int argc, char **argv)
{
	random_source r{ 1 };
	long sum = 0;

	for (int i = argc > 1 ? std::atoi(argv[1]) : 1; i > 0; i--) {
		sum += shapes(r);
		sum += words(r);
		sum += sorting<int>(r);
		sum += sorting<double>(r);
		sum += exceptions(r);
	}
	std::printf("%ld\n", sum);
	return 0;
}
