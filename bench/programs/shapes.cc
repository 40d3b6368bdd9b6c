// shapes [N]: a tree of expressions and a scene of shapes: virtual calls, with templates, several
// bases, and a visitor.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Number;
struct Sum;
struct Product;
struct Choice;
struct Visitor {
	virtual ~Visitor() = default;
	virtual void visit(const Number &) = 0;
	virtual void visit(const Sum &) = 0;
	virtual void visit(const Product &) = 0;
	virtual void visit(const Choice &) = 0;
};

struct Node {
	virtual ~Node() = default;
	virtual long value(long x) const = 0;
	virtual void accept(Visitor &v) const = 0;
	virtual int depth() const { return 1; }
};
using Tree = std::unique_ptr<Node>;

struct Number : Node {
	long n;
	explicit Number(long n_) : n(n_) {}
	long value(long x) const override { return n ? n : x; }
	void accept(Visitor &v) const override { v.visit(*this); }
};
struct Pair : Node {
	Tree left, right;
	Pair(Tree l, Tree r) : left(std::move(l)), right(std::move(r)) {}
	int depth() const override { return 1 + std::max(left->depth(), right->depth()); }
};
struct Sum : Pair {
	using Pair::Pair;
	long value(long x) const override { return left->value(x) + right->value(x); }
	void accept(Visitor &v) const override { v.visit(*this); }
};
struct Product : Pair {
	using Pair::Pair;
	long value(long x) const override { return left->value(x) * right->value(x); }
	void accept(Visitor &v) const override { v.visit(*this); }
};
struct Choice : Pair {
	using Pair::Pair;
	long value(long x) const override { return x & 1 ? left->value(x / 2) : right->value(x / 2); }
	void accept(Visitor &v) const override { v.visit(*this); }
};

struct Counter : Visitor {
	long numbers = 0, others = 0;
	void visit(const Number &) override { numbers++; }
	void both(const Pair &p)
	{
		others++;
		p.left->accept(*this);
		p.right->accept(*this);
	}
	void visit(const Sum &s) override { both(s); }
	void visit(const Product &p) override { both(p); }
	void visit(const Choice &c) override { c.left->accept(*this); }
};
struct Printer : Visitor {
	std::string text;
	void visit(const Number &n) override { text += std::to_string(n.n); }
	void pair(const Pair &p, char c)
	{
		text += '(';
		p.left->accept(*this);
		text += c;
		p.right->accept(*this);
		text += ')';
	}
	void visit(const Sum &s) override { pair(s, '+'); }
	void visit(const Product &p) override { pair(p, '*'); }
	void visit(const Choice &c) override { pair(c, '?'); }
};

static unsigned long state = 1;
static unsigned random_number()
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return state >> 40;
}

static Tree grow(int depth)
{
	if (!depth || random_number() % 9 == 0)
		return std::make_unique<Number>(random_number() % 10);
	switch (random_number() % 4) {
	case 0:
		return std::make_unique<Product>(grow(depth - 1), grow(depth - 1));
	case 1:
		return std::make_unique<Choice>(grow(depth - 1), grow(depth - 1));
	default:
		return std::make_unique<Sum>(grow(depth - 1), grow(depth - 1));
	}
}

struct Shape {
	virtual ~Shape() = default;
	virtual double area() const = 0;
	virtual bool hit(double x, double y) const = 0;
};
struct Moving {
	double dx = 0.1;
	virtual ~Moving() = default;
	virtual void step() = 0;
};
struct Circle : Shape, Moving {
	double x = 0, r = 1;
	double area() const override { return 3.14159 * r * r; }
	bool hit(double a, double b) const override { return (a - x) * (a - x) + b * b < r * r; }
	void step() override { x += dx; }
};
template <int Sides> struct Regular : Shape {
	double area() const override { return Sides * 0.5; }
	bool hit(double a, double b) const override { return a * Sides > b; }
};
struct Group : Shape, Moving {
	std::vector<std::unique_ptr<Shape>> parts;
	double area() const override
	{
		double sum = 0;

		for (auto &p : parts)
			sum += p->area();
		return sum;
	}
	bool hit(double a, double b) const override
	{
		for (auto &p : parts)
			if (p->hit(a, b))
				return true;
		return false;
	}
	void step() override
	{
		for (auto &p : parts)
			if (auto *m = dynamic_cast<Moving *>(p.get()))
				m->step();
	}
};

static std::unique_ptr<Shape> make(int depth)
{
	switch (random_number() % (depth ? 5 : 4)) {
	case 0:
		return std::make_unique<Circle>();
	case 1:
		return std::make_unique<Regular<3>>();
	case 2:
		return std::make_unique<Regular<4>>();
	case 3:
		return std::make_unique<Regular<6>>();
	default: {
		auto g = std::make_unique<Group>();
		for (int i = 0; i < 6; i++)
			g->parts.push_back(make(depth - 1));
		return g;
	}
	}
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? std::atoi(argv[1]) : 200;
	long total = 0, hits = 0;
	std::map<std::string, std::function<long(const Node &)>> questions = {
		{"value", [](const Node &t) { return t.value(5) & 0xff; }},
		{"depth", [](const Node &t) { return (long)t.depth(); }},
		{"numbers", [](const Node &t) { Counter c; t.accept(c); return c.numbers; }},
		{"text", [](const Node &t) { Printer p; t.accept(p); return (long)p.text.size(); }},
	};
	Group scene;

	for (int i = 0; i < 40; i++)
		scene.parts.push_back(make(3));
	for (int i = 0; i < n; i++) {
		Tree t = grow(7);

		for (auto &q : questions)
			total += q.second(*t);
		for (long x = 0; x < 20; x++)
			total += t->value(x) & 0xff;
		scene.step();
		for (int k = 0; k < 20; k++)
			hits += scene.hit(random_number() % 100 * 0.05 - 2, k * 0.1);
		total += (long)scene.area();
	}
	std::printf("%ld %ld\n", total, hits);
}
