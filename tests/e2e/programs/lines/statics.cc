// What static variables begin with is run by procedures that C++ makes: they have no place in the text.
#include <cstdio>

static int ticks;

struct Tick {
	int n;
	Tick() : n(++ticks) {} //= 3
	~Tick() { ticks--; } //= 3
};

static Tick one; //= 1
static Tick two; //= 1
static Tick three; //= 1

int main()
{
	printf("%d\n", one.n + three.n); //= 1
}

__attribute__((used)) static void never(int n)
{
	printf("%d\n", n + one.n); //= 0
} //= 0
