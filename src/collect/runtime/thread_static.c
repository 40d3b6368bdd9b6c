/* In a static program the linker (--wrap) sends calls of pthread_create and thrd_create here. */
#include "runtime.h"

#include <pthread.h>
#include <threads.h>

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

EXPORTED int
__wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
		      void *arg)
{
	return thread_create((create_function *)__real_pthread_create, thread, attr, start, arg);
}

EXPORTED int
__wrap_thrd_create(thrd_t *thread, thrd_start_t start, void *arg)
{
	return thread_create_c11((create_function *)__wrap_pthread_create, thread, start, arg);
}
