/* An interpreter with a computed goto behind each instruction: interpreter AMOUNT. Its program adds
 * up how many steps the numbers below 1,000 AMOUNT take to get to 1 (n / 2, 3 n + 1). */
#include <stdio.h>
#include <stdlib.h>

enum op { MOVE, ADD, MULTIPLY, SHIFT, AND, JUMP, IF_EQUAL, IF_LESS, STOP };
enum variable { I, MOST, X, BIT, STEPS, ONE, THREE, VARIABLES };

struct instruction {
	enum op op;
	int to, a, b; /* variables; of jumps TO is the number of an instruction */
};

static const struct instruction program[] = {
	{MOVE, X, I, 0},
	{IF_EQUAL, 10, X, ONE},
	{ADD, STEPS, STEPS, ONE},
	{AND, BIT, X, ONE},
	{IF_EQUAL, 7, BIT, ONE},
	{SHIFT, X, X, ONE},
	{JUMP, 1, 0, 0},
	{MULTIPLY, X, X, THREE},
	{ADD, X, X, ONE},
	{JUMP, 1, 0, 0},
	{ADD, I, I, ONE},
	{IF_LESS, 0, I, MOST},
	{STOP, 0, 0, 0},
};

static void
run(unsigned long *v)
{
	static const void *const labels[] = {&&move,  &&add,	  &&multiply, &&shift, &&and,
					     &&jump, &&if_equal, &&if_less,  &&stop};
	const struct instruction *i = program;

	goto *labels[i->op];
move:
	v[i->to] = v[i->a];
	i++;
	goto *labels[i->op];
add:
	v[i->to] = v[i->a] + v[i->b];
	i++;
	goto *labels[i->op];
multiply:
	v[i->to] = v[i->a] * v[i->b];
	i++;
	goto *labels[i->op];
shift:
	v[i->to] = v[i->a] >> v[i->b];
	i++;
	goto *labels[i->op];
and:
	v[i->to] = v[i->a] & v[i->b];
	i++;
	goto *labels[i->op];
jump:
	i = &program[i->to];
	goto *labels[i->op];
if_equal:
	i = v[i->a] == v[i->b] ? &program[i->to] : i + 1;
	goto *labels[i->op];
if_less:
	i = v[i->a] < v[i->b] ? &program[i->to] : i + 1;
	goto *labels[i->op];
stop:
	return;
}

int
main(int argc, char **argv)
{
	unsigned long v[VARIABLES] = {[I] = 1, [ONE] = 1, [THREE] = 3};

	v[MOST] = 1000 * (argc > 1 ? strtoul(argv[1], NULL, 10) : 1);
	run(v);
	printf("%lu\n", v[STEPS]);
	return 0;
}
