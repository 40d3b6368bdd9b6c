/* OpenMP: counts are exact in all threads. "//= N": the line is executed N times by all threads
 * together; "//: N": the procedure is entered N times. 4 threads. */
#include <omp.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

static int data[1000];

static int NOINLINE
work(int i) //: 1000
{
	if (i % 4 == 0)
		return 1; //= 250
	return 2; //= 750
}

static int
fibonacci(int n) //: 177
{
	int a, b;

	if (n < 2)
		return n; //= 89
#pragma omp task shared(a) if (n > 7)
	a = fibonacci(n - 1); //= 88
#pragma omp task shared(b) if (n > 7)
	{
		b = fibonacci(n - 2); //= 88
	}
#pragma omp taskwait
	return a + b; //= 88
}

static int NOINLINE
collapsed(void) //: 1
{
	int sum = 0;

#pragma omp parallel for collapse(2) reduction(+ : sum) num_threads(4) schedule(dynamic)
	for (int i = 0; i < 20; i++)
		for (int j = 0; j < 30; j++) {
			if (i == j)
				sum += 1; //= 20
			else
				sum += 2; //= 580
		}
	return sum; //= 1
}

static int NOINLINE
simd(const int *values, int n) //: 1
{
	int sum = 0;

#pragma omp simd reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += values[i]; //= 1000
	return sum; //= 1
}

#pragma omp declare simd
static int
many(int x) //: 10
{
	return x + 1; //= 10
}

int
main(void) //: 1
{
	int sum = 0, once = 0, atomics = 0, sections[2] = { 0, 0 }, result;

	omp_set_dynamic(0);
#pragma omp parallel for reduction(+ : sum) num_threads(4)
	for (int i = 0; i < 1000; i++) {
		data[i] = i; //= 1000
		sum += work(i); //= 1000
	}

#pragma omp parallel num_threads(4)
	{
		int mine = omp_get_thread_num(); //= 4

		if (mine == 3)
			mine++; //= 1
#pragma omp single
		once += 5; //= 1
#pragma omp barrier
#pragma omp critical
		{
			sum += mine; //= 4
		}
#pragma omp master
		once += 7; //= 1
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < 100; i++) {
#pragma omp atomic
			atomics += i; //= 100
		}
#pragma omp sections
		{
#pragma omp section
			sections[0] += 1; //= 1
#pragma omp section
			{
				sections[1] += 2; //= 1
			}
		}
	}

#pragma omp parallel num_threads(4)
#pragma omp single
	result = fibonacci(10); //= 1

	for (int i = 0; i < 10; i++)
		sum += many(i); //= 10
	sum += collapsed(); //= 1
	sum += simd(data, 1000); //= 1
	printf("%d %d %d %d %d %d\n", sum, once, atomics, sections[0], sections[1], result); //= 1
	return 0; //= 1
}
