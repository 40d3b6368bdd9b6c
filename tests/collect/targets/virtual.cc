// Virtual calls: through the first and the second base, covariant, pure, from a constructor.
#include <cstdio>

struct Shape {
	virtual ~Shape() {}
	virtual int area() const = 0;
	virtual Shape *copy() const = 0;
};
struct Named {
	virtual ~Named() {}
	virtual int name() const { return 1; }
	virtual Named *self() { return this; }
};
struct Square : Shape {
	int area() const override { return 4; }
	Square *copy() const override { return new Square(*this); }
};
struct Circle : Shape, Named {
	int area() const override { return 3; }
	Circle *copy() const override { return new Circle(*this); }
	int name() const override { return 2; }
	Circle *self() override { return this; }
};
struct Virtual : virtual Named {
	int name() const override { return 3; }
};
template <typename T> struct Times : Shape {
	T n;
	explicit Times(T n_) : n(n_) {}
	int area() const override { return (int)n; }
	Times *copy() const override { return new Times(n); }
};

static int __attribute__((noinline)) area(const Shape *s) { return s->area(); }
static int __attribute__((noinline)) name(const Named *n) { return n->name(); }
static Shape *__attribute__((noinline)) copy(const Shape *s) { return s->copy(); }
static Named *__attribute__((noinline)) self(Named *n) { return n->self(); }
static void __attribute__((noinline)) drop(Shape *s) { delete s; }

int main()
{
	Square square;
	Circle circle;
	Virtual v;
	Named named;
	Times<long> times(5);
	int sum = 0;

	for (int i = 0; i < 6; i++)
		sum += area(i % 2 ? (const Shape *)&square : &circle) + area(&times);
	for (int i = 0; i < 10; i++)
		sum += name(i < 3 ? (const Named *)&circle : i < 7 ? (const Named *)&v : &named);
	for (int i = 0; i < 4; i++)
		drop(copy(i ? (const Shape *)&circle : &square));
	self(&circle);
	self(&circle);
	self(&named);
	int (Shape::*method)() const = &Shape::area;
	sum += (square.*method)();
	std::printf("%d\n", sum);
}
