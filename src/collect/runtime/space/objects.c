/* operator new and operator delete, all forms of them. By libstdc++'s own, a stack would be walked
 * for each object, and those of other allocators call no malloc(). If the program has one of its
 * own, all are left as they are: they call each other. */
#include "blocks.h"

#include <dlfcn.h>

/* NEW(name, what it calls itself or would call, parameters, arguments, alignment), DELETE(name,
 * parameters, arguments): by their names in object files, a std::nothrow_t being a pointer and a
 * std::align_val_t a number. */
#define OBJECTS(NEW, DELETE)                                                                       \
	NEW(_Znwm, _Znwm, (size_t n), (n), 0)                                                      \
	NEW(_Znam, _Znwm, (size_t n), (n), 0)                                                      \
	NEW(_ZnwmRKSt9nothrow_t, _ZnwmRKSt9nothrow_t, (size_t n, const void *no), (n, no), 0)      \
	NEW(_ZnamRKSt9nothrow_t, _ZnwmRKSt9nothrow_t, (size_t n, const void *no), (n, no), 0)      \
	NEW(_ZnwmSt11align_val_t, _ZnwmSt11align_val_t, (size_t n, size_t at), (n, at), at)        \
	NEW(_ZnamSt11align_val_t, _ZnwmSt11align_val_t, (size_t n, size_t at), (n, at), at)        \
	NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, _ZnwmSt11align_val_tRKSt9nothrow_t,                \
		(size_t n, size_t at, const void *no), (n, at, no), at)                            \
	NEW(_ZnamSt11align_val_tRKSt9nothrow_t, _ZnwmSt11align_val_tRKSt9nothrow_t,                \
		(size_t n, size_t at, const void *no), (n, at, no), at)                            \
	DELETE(_ZdlPv, (void *p), (p))                                                             \
	DELETE(_ZdaPv, (void *p), (p))                                                             \
	DELETE(_ZdlPvm, (void *p, size_t n), (p, n))                                               \
	DELETE(_ZdaPvm, (void *p, size_t n), (p, n))                                               \
	DELETE(_ZdlPvRKSt9nothrow_t, (void *p, const void *no), (p, no))                           \
	DELETE(_ZdaPvRKSt9nothrow_t, (void *p, const void *no), (p, no))                           \
	DELETE(_ZdlPvSt11align_val_t, (void *p, size_t at), (p, at))                               \
	DELETE(_ZdaPvSt11align_val_t, (void *p, size_t at), (p, at))                               \
	DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t n, size_t at), (p, n, at))                 \
	DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t n, size_t at), (p, n, at))                 \
	DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t,                                                \
		(void *p, size_t at, const void *no), (p, at, no))                                 \
	DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t,                                                \
		(void *p, size_t at, const void *no), (p, at, no))

static bool objects_are_ours;

void *OURS(malloc)(size_t n);
void *OURS(memalign)(size_t alignment, size_t n);
void OURS(free)(void *p);

static inline void *
make_object(size_t alignment, size_t n)
{
	void *p = NULL;

	if (LIKELY(!alignment))
		return next.malloc(with_record(n));
	if (next.memalign)
		return next.memalign(alignment, with_record(n));
	if (next.posix_memalign && next.posix_memalign(&p, alignment, with_record(n)))
		p = NULL;
	return p;
}

/* A block for one, which may have to be aligned. */
static APART void *
make_counted(size_t alignment, size_t n, const uint64_t *frame)
{
	return blocks_born(make_object(alignment, n), n, frame);
}

/* Where libstdc++ is not among what was there from the start, nothing can be thrown. */
static OUT_OF_THE_WAY void *
object_without_library(size_t alignment, size_t n)
{
	void *p = alignment ? OURS(memalign)(alignment, n) : OURS(malloc)(n);

	if (!p)
		__builtin_trap();
	return p;
}

/* The one that comes next throws if there is no memory, and calls the handler before that. */
#ifdef SPACE_STATIC
#define DECLARE(type, name, parameters) type __real_##name parameters;
#define FOLLOWING(name)			__real_##name
#else
#define DECLARE(type, name, parameters)
#define FOLLOWING(name) ((__typeof__(own_##name) *)calls_following(#name))
#endif

#define DEFINE_NEW(name, single, parameters, arguments, alignment)                                 \
	DECLARE(void *, name, parameters)                                                          \
	static void *own_##name parameters                                                         \
	{                                                                                          \
		__typeof__(own_##name) *following = NULL;                                          \
		void *p = NULL;                                                                    \
		                                                                                   \
		if (LIKELY(!(alignment) && n < next.short_object_size)) {                          \
			p = next.malloc(n + 8);                                                    \
			if (LIKELY(p != NULL))                                                     \
				return born_short(p, n, CALLED);                                   \
		}                                                                                  \
		if (counts(CALLED) && objects_are_ours) {                                          \
			p = make_counted(alignment, n, CALLED);                                    \
			following = p ? NULL : FOLLOWING(single);                                  \
		} else {                                                                           \
			following = FOLLOWING(name);                                               \
		}                                                                                  \
		if (LIKELY(p != NULL))                                                             \
			return p;                                                                  \
		return following ? following arguments : object_without_library(alignment, n);     \
	}                                                                                          \
	EXPORTED void *OURS(name) parameters __attribute__((alias("own_" #name)));

#define DEFINE_DELETE(name, parameters, arguments)                                                 \
	DECLARE(void, name, parameters)                                                            \
	static void own_##name parameters;                                                         \
	static APART void other_##name parameters                                                  \
	{                                                                                          \
		__typeof__(own_##name) *following = FOLLOWING(name);                               \
		                                                                                   \
		if (following)                                                                     \
			following arguments;                                                       \
		else                                                                               \
			OURS(free)(p);                                                             \
	}                                                                                          \
	static void own_##name parameters                                                          \
	{                                                                                          \
		if (LIKELY(next.short_object_size) || (counts(CALLED) && objects_are_ours)) {      \
			if (LIKELY(p != NULL))                                                     \
				give_back(p, CALLED);                                              \
			return;                                                                    \
		}                                                                                  \
		other_##name arguments;                                                            \
	}                                                                                          \
	EXPORTED void OURS(name) parameters __attribute__((alias("own_" #name)));

OBJECTS(DEFINE_NEW, DEFINE_DELETE)

/* Is this one the program's own? In a static program all have been linked: it is if it is counted
 * code. */
static inline bool
is_programs(const struct space_host *host, const char *name, const void *own, const void *following)
{
#ifdef SPACE_STATIC
	(void)name, (void)own;
	return host->module((uintptr_t)following);
#else
	void *used = dlsym(RTLD_DEFAULT, name);

	(void)host, (void)following;
	return used && used != own;
#endif
}

#ifdef SPACE_STATIC
#define LINKED(name) (void *)__real_##name
#else
#define LINKED(name) NULL
#endif

bool
objects_begin(const struct space_host *host)
{
	objects_are_ours = true;
#define LOOK(name, ...)                                                                            \
	if (is_programs(host, #name, (void *)own_##name, LINKED(name)))                            \
		objects_are_ours = false;
	OBJECTS(LOOK, LOOK)
#undef LOOK
	return objects_are_ours;
}
