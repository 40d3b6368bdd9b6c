/* Start, the raw file, the modules. */
#include "runtime.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "note.h"
#include "unwind.h"

struct runtime runtime;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static bool started;

void
runtime_lock(void)
{
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		sched_yield();
}

void
runtime_unlock(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

void *
sys_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}

void
sys_munmap(void *address, size_t length)
{
	syscall(SYS_munmap, address, length);
}

/* ---- small text ---- */

static size_t
add_text(char *buffer, size_t size, size_t at, const char *text)
{
	while (*text && at + 1 < size)
		buffer[at++] = *text++;
	buffer[at] = '\0';
	return at;
}

static size_t
add_number(char *buffer, size_t size, size_t at, unsigned long n)
{
	char digits[24];
	int i = sizeof(digits) - 1;

	digits[i] = '\0';
	do
		digits[--i] = (char)('0' + n % 10);
	while (n /= 10);
	return add_text(buffer, size, at, digits + i);
}

void
complain(const char *what, int error)
{
	char line[4600];
	size_t n = add_text(line, sizeof(line), 0, "cgview: ");
	ssize_t ignored;

	n = add_text(line, sizeof(line), n, what);
	n = add_text(line, sizeof(line), n, " ");
	n = add_text(line, sizeof(line), n, runtime.path);
	n = add_text(line, sizeof(line), n, ": ");
	n = add_text(line, sizeof(line), n,
		     strerrordesc_np(error) ? strerrordesc_np(error) : "error");
	n = add_text(line, sizeof(line), n,
		     "; the program goes on without being profiled further\n");
	ignored = write(STDERR_FILENO, line, n);
	(void)ignored;
}

static const char *
environment(char **envp, const char *name)
{
	size_t n = strlen(name);

	for (; envp && *envp; envp++)
		if (!strncmp(*envp, name, n) && (*envp)[n] == '=')
			return *envp + n + 1;
	return NULL;
}

static uint64_t
clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* ---- the file ---- */

/* The program may have closed our descriptor, or even opened something else under its number. */
static bool
descriptor_is_ours(void)
{
	struct stat st;

	return runtime.fd >= 0 && fstat(runtime.fd, &st) == 0 && st.st_dev == runtime.device &&
	       st.st_ino == runtime.inode;
}

static bool
file_usable(void)
{
	int fd;

	if (descriptor_is_ours())
		return true;
	fd = open(runtime.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return false;
	runtime.fd = fd;
	if (descriptor_is_ours())
		return true;
	close(fd);
	runtime.fd = -1;
	return false;
}

/* Space is reserved, so that a full disk is found here and not by SIGBUS later. */
static int
reserve(uint64_t offset, uint64_t length)
{
	static const char zeros[RAW_PAGE];
	uint64_t end = offset + length;
	struct rlimit limit;

	/* Beyond it the kernel would send SIGXFSZ. */
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && end > limit.rlim_cur)
		return EFBIG;
	if (fallocate(runtime.fd, 0, (off_t)offset, (off_t)length) == 0)
		return 0;
	if (errno != EOPNOTSUPP && errno != ENOSYS)
		return errno;
	for (; offset < end; offset += sizeof(zeros))
		if (pwrite(runtime.fd, zeros, sizeof(zeros), (off_t)offset) !=
		    (ssize_t)sizeof(zeros))
			return errno ? errno : ENOSPC;
	return 0;
}

static void
tell_once(const char *what, int error)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&told))
		complain(what, error);
}

static bool
write_extent_head(const struct extent_request *r, uint64_t at, uint64_t length)
{
	struct raw_extent e = {
		.magic = RAW_EXTENT_MAGIC,
		.kind = r->kind,
		.pid = (uint32_t)getpid(),
		.length = length,
		.data_offset = RAW_PAGE + r->offset,
		.data_length = r->data_length,
		.module = r->module,
		.slot = r->slot,
		.load_bias = r->load_bias,
		.counters = r->counters,
		.nr_counters = r->nr_counters,
		.text_start = r->text_start,
		.text_end = r->text_end,
		.build_id_length = r->build_id_length,
	};

	e.checksum = raw_extent_checksum(&e);
	return pwrite(runtime.fd, &e, sizeof(e), (off_t)at) == (ssize_t)sizeof(e);
}

struct raw_extent *
extent_new(const struct extent_request *r)
{
	uint64_t length = RAW_PAGE + page_up(r->offset + r->data_length), at, mapped, begin;
	int flags = MAP_SHARED | (r->address ? MAP_FIXED_NOREPLACE : 0), error;
	void *p;

	if (!runtime.head || !file_usable())
		return NULL;
	at = atomic_fetch_add((_Atomic uint64_t *)&runtime.head->end, length);
	error = reserve(at, length);
	if (error) {
		tell_once("cannot extend the profile", error);
		return NULL;
	}
	if (!write_extent_head(r, at, length))
		return NULL;
	begin = r->map_head ? at : at + RAW_PAGE;
	mapped = r->map_head ? length : length - RAW_PAGE;
	p = sys_mmap(r->address, mapped, PROT_READ | PROT_WRITE, flags, runtime.fd, (off_t)begin);
	if (p == MAP_FAILED)
		return NULL;
	if (r->address && p != r->address) { /* a kernel that does not know NOREPLACE */
		sys_munmap(p, mapped);
		return NULL;
	}
	return p;
}

static int
create_file(const char *prefix)
{
	char cwd[2048];
	size_t n = 0, stem;
	int fd, tries;

	if (*prefix != '/') {
		if (!getcwd(cwd, sizeof(cwd)))
			return -1;
		n = add_text(runtime.path, sizeof(runtime.path), 0, cwd);
		n = add_text(runtime.path, sizeof(runtime.path), n, "/");
	}
	n = add_text(runtime.path, sizeof(runtime.path), n, prefix);
	n = add_text(runtime.path, sizeof(runtime.path), n, ".");
	stem = add_number(runtime.path, sizeof(runtime.path), n, (unsigned long)getpid());
	for (tries = 0; tries < 10000; tries++) {
		n = stem;
		if (tries) { /* the same process again, after exec */
			n = add_text(runtime.path, sizeof(runtime.path), n, ".");
			n = add_number(runtime.path, sizeof(runtime.path), n, (unsigned long)tries);
		}
		add_text(runtime.path, sizeof(runtime.path), n, ".raw");
		fd = open(runtime.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* Programs that tidy up close low descriptors first. */
static void
move_descriptor_up(void)
{
	int fd = fcntl(runtime.fd, F_DUPFD_CLOEXEC, 600);

	if (fd < 0)
		return;
	close(runtime.fd);
	runtime.fd = fd;
}

static void
fill_head(int argc, char **argv)
{
	struct raw_head *h = runtime.head;
	char cwd[2048], exe[2048], host[256] = "";
	const char *texts[3] = {exe, cwd, host};
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	size_t at = 0;
	int i;

	exe[n > 0 ? n : 0] = '\0';
	if (!getcwd(cwd, sizeof(cwd)))
		cwd[0] = '\0';
	gethostname(host, sizeof(host) - 1);
	memcpy(h->magic, RAW_MAGIC, sizeof(h->magic));
	h->version = RAW_VERSION;
	h->size = sizeof(*h);
	h->started_ns = clock_ns(CLOCK_REALTIME);
	h->started_mono_ns = clock_ns(CLOCK_MONOTONIC);
	h->asked_interval_ns = (uint64_t)runtime.interval_ns;
	h->pid = (uint32_t)getpid();
	for (i = 0; i < argc + 3; i++) {
		const char *text = i < 3 ? texts[i] : argv[i - 3];

		if (at + strlen(text) + 1 > sizeof(h->text))
			break;
		at = add_text(h->text, sizeof(h->text), at, text) + 1;
		h->argc = i < 3 ? 0 : (uint32_t)(i - 2);
	}
	h->text_length = (uint32_t)at;
	h->end = RAW_PAGE;
	h->checksum = raw_head_checksum(h);
}

static bool
open_file(char **envp, int argc, char **argv)
{
	const char *prefix = environment(envp, "CGVIEW_OUT");
	struct stat st;
	int error;

	runtime.fd = create_file(prefix && *prefix ? prefix : "cgview");
	if (runtime.fd < 0 || fstat(runtime.fd, &st) < 0) {
		complain("cannot create the profile", errno);
		return false;
	}
	runtime.device = st.st_dev;
	runtime.inode = st.st_ino;
	move_descriptor_up();
	error = reserve(0, RAW_PAGE);
	runtime.head =
		error ? MAP_FAILED
		      : sys_mmap(NULL, RAW_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, runtime.fd, 0);
	if (runtime.head == MAP_FAILED) {
		runtime.head = NULL;
		complain("cannot write the profile", error ? error : errno);
		unlink(runtime.path);
		close(runtime.fd);
		return false;
	}
	fill_head(argc, argv);
	return true;
}

/* ---- modules ---- */

struct found {
	uint64_t *begin, *end;
	const unsigned char *build_id;
	uint32_t build_id_length;
};

static void
read_note(const Elf64_Nhdr *note, const char *name, const unsigned char *desc, struct found *f)
{
	const int64_t *distance = (const int64_t *)desc;

	if (note->n_namesz == sizeof(CGVIEW_NOTE_NAME) &&
	    !memcmp(name, CGVIEW_NOTE_NAME, note->n_namesz)) {
		f->begin = (uint64_t *)(desc + distance[0]);
		f->end = (uint64_t *)(desc + 8 + distance[1]);
	} else if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
		   !memcmp(name, "GNU", 4)) {
		f->build_id = desc;
		f->build_id_length = note->n_descsz;
	}
}

static void
read_notes(const char *p, size_t size, size_t align, struct found *f)
{
	const char *end = p + size;

	if (align < 4)
		align = 4;
	while ((size_t)(end - p) >= sizeof(Elf64_Nhdr)) {
		const Elf64_Nhdr *note = (const Elf64_Nhdr *)p;
		const char *name = p + sizeof(*note);
		const char *desc = p + ((sizeof(*note) + note->n_namesz + align - 1) & -align);

		if (desc + note->n_descsz > end)
			return;
		read_note(note, name, (const unsigned char *)desc, f);
		p = desc + ((note->n_descsz + align - 1) & -align);
	}
}

static bool
module_known(const uint64_t *counters)
{
	uint32_t i;

	FOR_EACH_MODULE(i)
	if (runtime.modules[i].state == MODULE_LIVE && runtime.modules[i].counters == counters)
		return true;
	return false;
}

static void
write_module(uint32_t id, const char *path)
{
	const struct module *m = &runtime.modules[id];
	struct extent_request r = {
		.kind = RAW_MODULE,
		.map_head = true,
		.module = m->number,
		.load_bias = m->load_bias,
		.counters = (uintptr_t)m->counters,
		.nr_counters = m->nr_counters,
		.text_start = m->text_start,
		.text_end = m->text_end,
		.build_id_length = m->build_id_length,
	};
	char full[4096], *data;
	struct raw_extent *e;
	ssize_t n;

	if (!*path) {
		n = readlink("/proc/self/exe", full, sizeof(full) - 1);
		full[n > 0 ? n : 0] = '\0';
		path = full;
	} else if (*path != '/' && getcwd(full, sizeof(full))) {
		n = (ssize_t)add_text(full, sizeof(full), strlen(full), "/");
		add_text(full, sizeof(full), (size_t)n, path);
		path = full;
	}
	r.data_length = strlen(path) + 1 + m->build_id_length;
	e = extent_new(&r);
	if (!e)
		return;
	data = (char *)e + RAW_PAGE;
	memcpy(data, path, strlen(path) + 1);
	memcpy(data + strlen(path) + 1, m->build_id, m->build_id_length);
	sys_munmap(e, RAW_PAGE + page_up(r.data_length));
}

static struct module
describe_module(const struct dl_phdr_info *info, const struct found *f)
{
	struct module m = {
		.counters = f->begin,
		.nr_counters = (uint64_t)(f->end - f->begin),
		.load_bias = info->dlpi_addr,
		.build_id_length = f->build_id_length,
		.state = MODULE_LIVE,
	};
	int i;

	if (m.build_id_length > sizeof(m.build_id))
		m.build_id_length = sizeof(m.build_id);
	memcpy(m.build_id, f->build_id, m.build_id_length);
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
			m.text_start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			m.text_end = m.text_start + info->dlpi_phdr[i].p_memsz;
		}
	return m;
}

/* The same library, opened again at the same place, goes on counting where it was. */
static bool
revive_module(const struct module *m)
{
	uint32_t i;

	FOR_EACH_MODULE(i)
	{
		struct module *old = &runtime.modules[i];

		if (old->state == MODULE_CLOSED && old->counters == m->counters &&
		    old->nr_counters == m->nr_counters && m->build_id_length &&
		    old->build_id_length == m->build_id_length &&
		    !memcmp(old->build_id, m->build_id, m->build_id_length)) {
			old->state = MODULE_LIVE;
			return true;
		}
	}
	return false;
}

/* A place in the table; closed modules give theirs up, as the new one may lie where they were. */
static uint32_t
place_for_module(void)
{
	uint32_t i, place = runtime.nr_modules;

	for (i = runtime.nr_modules; i-- > 0;) {
		if (runtime.modules[i].state == MODULE_CLOSED) {
			slots_unmap_module(i);
			runtime.modules[i].state = MODULE_UNUSED;
		}
		if (runtime.modules[i].state == MODULE_UNUSED)
			place = i;
	}
	return place;
}

static int
consider_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct found f = {0};
	struct module m;
	uint32_t place;
	int i;

	(void)size, (void)unused;
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_NOTE)
			read_notes((const char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
				   info->dlpi_phdr[i].p_memsz, info->dlpi_phdr[i].p_align, &f);
	if (!f.begin || f.end <= f.begin || module_known(f.begin))
		return 0;
	m = describe_module(info, &f);
	if (revive_module(&m))
		return 0;
	place = place_for_module();
	if (place == MAX_MODULES) {
		slots_give_up();
		return 1;
	}
	m.number = runtime.next_module_number++;
	runtime.modules[place] = m;
	write_module(place, info->dlpi_name);
	if (slots_map_module(place) && place == runtime.nr_modules)
		atomic_store(&runtime.nr_modules, place + 1);
	return 0;
}

static int
note_seen(struct dl_phdr_info *info, size_t size, void *seen)
{
	uint32_t i;
	int j;

	(void)size;
	FOR_EACH_MODULE(i)
	for (j = 0; j < info->dlpi_phnum; j++) {
		uint64_t begin = info->dlpi_addr + info->dlpi_phdr[j].p_vaddr;
		uint64_t at = (uintptr_t)runtime.modules[i].counters;

		if (info->dlpi_phdr[j].p_type == PT_LOAD && at >= begin &&
		    at < begin + info->dlpi_phdr[j].p_memsz)
			((bool *)seen)[i] = true;
	}
	return 0;
}

/* Modules that dlclose() took away. The lock is held. */
static void
drop_closed_modules(void)
{
	static bool seen[MAX_MODULES];
	uint32_t i;

	memset(seen, 0, sizeof(seen));
	dl_iterate_phdr(note_seen, seen);
	FOR_EACH_MODULE(i)
	if (!seen[i])
		runtime.modules[i].state = MODULE_CLOSED;
}

/* The executable lines of /proc/self/maps: which library a sampled address belongs to. What does
 * not fit is not told. */
static size_t
read_maps(char *text, size_t room)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t kept = 0, got = 0;
	char *line, *end;
	ssize_t n;

	if (fd < 0)
		return 0;
	while (got < room && (n = read(fd, text + got, room - got)) > 0) {
		got += (size_t)n;
		for (line = text + kept; (end = memchr(line, '\n', (size_t)(text + got - line)));
		     line = end + 1)
			if (memmem(line, (size_t)(end - line), " r-xp ", 6)) {
				memmove(text + kept, line, (size_t)(end + 1 - line));
				kept += (size_t)(end + 1 - line);
			}
		memmove(text + kept, line, (size_t)(text + got - line));
		got = kept + (size_t)(text + got - line);
	}
	close(fd);
	return kept;
}

/* Nothing is written when nothing has changed: a library may come and go a million times. */
static void
write_maps(void)
{
	static char text[256 * 1024];
	static uint32_t last;
	struct extent_request r = {.kind = RAW_MAPS, .map_head = true};
	struct raw_extent *e;
	uint32_t sum;

	r.data_length = read_maps(text, sizeof(text));
	sum = raw_checksum(RAW_CHECKSUM_START, text, r.data_length);
	if (!r.data_length || sum == last)
		return;
	e = extent_new(&r);
	if (!e)
		return;
	last = sum;
	memcpy((char *)e + RAW_PAGE, text, r.data_length);
	e->used = r.data_length;
	sys_munmap(e, RAW_PAGE + page_up(r.data_length));
}

void
__cgview_register(void)
{
	extern char **environ;
	static char *no_arguments[] = {NULL};

	if (!started) /* a library in a program that was not built with us */
		runtime_start(0, no_arguments, environ);
	if (!runtime.active)
		return;
	runtime_lock();
	drop_closed_modules();
	dl_iterate_phdr(consider_module, NULL);
	unwind_note_objects();
	write_maps();
	runtime_unlock();
}

void
runtime_closed(void)
{
	if (!runtime.active)
		return;
	runtime_lock();
	drop_closed_modules();
	unwind_note_objects();
	runtime_unlock();
}

/* ---- fork ---- */

static void
after_fork_in_child(void)
{
	unwind_after_fork();
	if (runtime.active)
		slots_after_fork();
	runtime_unlock();
}

/* ---- start and end ---- */

static void
read_options(char **envp)
{
	const char *hz = environment(envp, "CGVIEW_HZ");
	long rate = 1000;

	if (hz && *hz) {
		rate = 0;
		for (; *hz >= '0' && *hz <= '9' && rate < 1000000; hz++)
			rate = rate * 10 + (*hz - '0');
	}
	runtime.interval_ns = rate > 0 ? 1000000000 / rate : 0;
}

void
runtime_start(int argc, char **argv, char **envp)
{
	const char *out = environment(envp, "CGVIEW_OUT");
	struct slot *s;

	if (started)
		return;
	started = true;
	if (getauxval(AT_SECURE)) /* another user's privileges: no files, no environment */
		return;
	if (out && !strcmp(out, "off"))
		return;
#ifndef HWCAP2_FSGSBASE
#define HWCAP2_FSGSBASE (1 << 1)
#endif
	runtime.can_set_gs = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
	read_options(envp);
	if (!open_file(envp, argc, argv))
		return;
	runtime.active = true;
	runtime_lock();
	dl_iterate_phdr(consider_module, NULL);
	s = slot_take();
	if (!s) {
		runtime.active = false;
		runtime_unlock();
		complain("cannot map the counters of", errno);
		return;
	}
	s->stack_hi = (uintptr_t)envp;
	s->wanted_stack = 64 << 20;
	unwind_note_objects();
	sampling_install();
	slot_enter(s);
	write_maps();
	runtime_unlock();
	pthread_atfork(runtime_lock, runtime_unlock, after_fork_in_child);
}

__attribute__((destructor(101))) static void
runtime_end(void)
{
	struct slot *s = slot_self();
	uint32_t i;

	if (runtime.active)
		drop_closed_modules();
	if (s && runtime.active)
		FOR_EACH_MODULE(i)
	slot_move_own_counts(&runtime.modules[i], s);
	if (!runtime.active || runtime.head->pid != (uint32_t)getpid())
		return;
	if (s && s->record)
		s->record->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	runtime.head->ended_ns = clock_ns(CLOCK_REALTIME);
}
