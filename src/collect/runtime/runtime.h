/* The runtime: what is linked into a profiled program. Nothing but libc, no malloc, no stdio.
 *
 * Counters. A module's own counters (section cgview_cnt) are only used before the runtime starts.
 * Each thread has a slot; a slot has a displacement D, and for each module a shared mapping of the
 * raw file at (address of the module's counters + D). The thread's %gs base is D, and the code says
 * `incq %gs:counter(%rip)`. So counts are in the file at once, threads do not share counters,
 * and with %gs = 0 (before the start, in a program whose raw file could not be made) all still
 * works.
 */
#ifndef CGVIEW_RUNTIME_H
#define CGVIEW_RUNTIME_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "collect/events.h"
#include "collect/pattern.h"
#include "collect/raw.h"
#include "collect/recorder.h"
#include "kernel.h"

#define HIDDEN	 __attribute__((visibility("hidden")))
#define EXPORTED __attribute__((visibility("default")))
/* Stands before libc's, but not before one of that name in the program itself. */
#define INTERPOSED __attribute__((visibility("default"), weak))

/* A handler of a signal: an emulator may call it with a stack that is not as the ABI wants it. */
#define ALIGNING __attribute__((force_align_arg_pointer))

enum {
	MAX_MODULES = 1024,
	MAX_SLOTS = 16384,
	MAX_MAPPINGS = 65536,
	MAX_KEPT = 65536,
	MAX_FIRST_KEPT = 32,
	MAX_OBJECTS = 512,
	FEW_OBJECTS = 16,
	FEW_MAPPINGS = 16,
	FEW_MODULES = 4,
	FEW_MAPS = 1024,
	MAX_RULES = 4096,
	MAPS_ROOM = 256 * 1024,
	SAMPLES_CHUNK = 256 * 1024,
	NR_ROOMS = 3
};

/* One more of a counter, at this distance from here, is so many more runs of loops that have begun
 * and not ended. */
struct open_count {
	int64_t distance, runs;
};

/* A closed library keeps its place and its copies: it is mostly opened again where it was. */
enum module_state { MODULE_UNUSED, MODULE_LIVE, MODULE_CLOSED };

struct module {
	uint64_t *counters;
	uint64_t nr_counters;
	const int64_t *sites, *sites_end; /* see targets_clear() */
	const struct open_count *open, *open_end; /* see loops_wait() */
	void *kept;	    /* of a module that may go: copies of these two; NULL: there are none */
	uint64_t kept_bytes;
	uint64_t load_bias, text_start, text_end;
	unsigned char build_id[32];
	uint32_t build_id_length;
	uint32_t looks; /* checksum of what is seen of it, for want of a build-id; else 0 */
	uint32_t number; /* in the file */
	enum module_state state;
	bool seen; /* in drop_closed_modules() */
};

#define FOR_EACH_MODULE(i)                                                                         \
	for ((i) = 0; (i) < runtime.nr_modules; (i)++)                                             \
		if (runtime.modules[i].state != MODULE_UNUSED)

enum slot_state { SLOT_NEVER, SLOT_FREE, SLOT_USED, SLOT_ENDING };

/* Events of the kernel's: those of events.h, and the one that samples time. */
enum { CLOCK_SOURCE = NR_EVENT_SOURCES, NR_SLOT_EVENTS };

/* An event of the kernel's, by one source, in one thread. */
struct slot_event {
	void *_Atomic page; /* keeps it alive, as its descriptor is closed; NULL: there is none */
	int fd;		    /* that the descriptor was, which its signals name; 0: none yet */
	int before;	    /* that of the one before: its signals may be late; 0: none */
	uint32_t period;    /* a sample stands for so many, or ns */
	uint32_t owed;	    /* events that no sample stands for yet */
	bool renew;	    /* behind the first sample, which comes at random */
	bool due;	    /* it is to be opened anew */
	bool looks;	    /* a second page of it is mapped, with when its samples were due */
	_Atomic bool peeks; /* its thread reads that page */
};

/* Where samples of a kind go. */
struct sample_chunk {
	struct raw_extent *extent; /* the one being filled, NULL none yet */
	uint64_t key;		   /* runtime.maps_key when it was begun */
	uint32_t layout;	   /* runtime.layout that it tells of at its end */
};

struct slot {
	enum slot_state state;
	pid_t tid;
	intptr_t displacement;
	_Atomic intptr_t base;		       /* the displacement that its thread has taken */
	uintptr_t stack_lo, stack_hi;	       /* where frames may be read; 0, 0: unknown */
	_Atomic int timer;		       /* kernel id, -1 none */
	uint64_t system_ns, program_ns;	       /* CPU time at the timer's last sample */
	uint32_t walked;		       /* steps and words that the last sample took */
	uint64_t walk_ns;		       /* that of the timer's took, in the mean */
	uint64_t walk_after;		       /* CPU time from which on it may take as long */
	uint32_t left_out;		       /* timer's, not taken since the last one */
	struct slot_event events[NR_SLOT_EVENTS];
	struct raw_thread *record;	       /* in the file, NULL none */
	uint64_t record_cpu_ns;		       /* that was in it before */
	struct sample_chunk samples, paths;    /* paths: of blocks, by space.c */
	void *volatile targets[2];	       /* hash tables, see targets.c; NULL none yet */
	void *volatile rooms[NR_ROOMS];	       /* for tables of call sites; NULL none yet */
	bool no_targets;		       /* there was no room in the file */
	void *(*start)(void *);		       /* what the thread is to run; NULL: not known */
	void *argument;
	uintptr_t wanted_stack; /* bytes, from the creator */
	uint64_t mask;		/* the signals to block, to be set once it counts, if UNBLOCK */
	bool unblock;
	/* The sampling signals that it believes to block, a bit each. Before it has begun: those
	 * that its creator does. */
	uint64_t blocked;
	void *signal_stack;	/* see altstack.c; NULL none yet */
	stack_t wanted_signal_stack; /* which that stands for; ss_sp NULL: it does not */
	_Atomic uintptr_t owner; /* thread_pointer() of its thread; 0: not begun, or a clone */
};

struct object {
	uint64_t text_start, text_end;
	const unsigned char *table; /* .eh_frame_hdr */
};

struct kept {
	uint64_t key; /* 0: unused */
	uint64_t at;
};

struct mapping {
	_Atomic uintptr_t begin; /* 0: unmapped again */
	uintptr_t end;
};

/* Room for the largest programs; most programs touch one page of it. It is mapped when the runtime
 * starts, as no program shall be larger by it. A page that is touched costs 2 us, and as much again
 * where there are none around it: so the first of everything stand together, in the page where
 * OBJECTS, which are filled from their end, meet SLOTS. */
struct tables {
	char before[RAW_PAGE - (MAX_OBJECTS - FEW_OBJECTS) * sizeof(struct object) % RAW_PAGE];
	struct object objects[MAX_OBJECTS]; /* from the end; see unwind.c */
	struct kept first_kept[MAX_FIRST_KEPT]; /* see kept.c */
	struct mapping first_mappings[FEW_MAPPINGS]; /* see extent_owns() */
	struct module first_modules[FEW_MODULES];
	char first_maps[FEW_MAPS]; /* those of a small program */
	struct slot slots[MAX_SLOTS];
	struct mapping mappings[MAX_MAPPINGS];
	struct module modules[MAX_MODULES];
	struct kept kept[MAX_KEPT];
	struct cached {
		_Atomic uint64_t pc, rule;
	} rules[MAX_RULES]; /* see unwind.c */
	char maps[MAPS_ROOM];
};
_Static_assert(offsetof(struct tables, slots) / RAW_PAGE ==
		       (offsetof(struct tables, first_kept) - 1) / RAW_PAGE,
	       "one page");

/* Everything there is once. */
struct runtime {
	bool active;
	_Atomic bool closed; /* nothing new is written to the file */
	bool in_library;     /* the program itself has no runtime */
	bool forked;	     /* this process is a child of the one that began the file */
	uint32_t pid;
	int fd;
	dev_t device;
	ino_t inode;
	struct raw_head *head;
	uint64_t reserved; /* bytes of the file, while the runtime starts; then 0 */
	_Atomic uint32_t nr_modules;
	struct tables *tables; /* NULL before the start */
	struct module *modules; /* those of TABLES: the first few, or all when they are more */
	struct slot *slots;    /* those of TABLES */
	uint32_t nr_slots;
	intptr_t next_displacement; /* 0: begin with the first of DISPLACEMENT_WAY */
	uint32_t displacement_way;  /* in which displacements are looked for: slots.c */
	long interval_ns;
	bool rate_asked; /* that is what somebody wants, whatever it costs */
	bool asks_who_waits;
	bool enters_kernel; /* some module does, by assembly of its own */
	bool can_set_gs;
	uint64_t maps_key;	    /* of the latest MAPS extent */
	_Atomic uint32_t layout;    /* grows when a module may stand where another was */
	struct raw_extent *threads; /* table of raw_thread being filled; see slots.c */
	/* What most programs do not touch, at the end: the file's path, what is being told on
	 * stderr, and what a recorder holds, or CGVIEW_OUT with its words replaced. */
	char path[4096], told[8192], text[RECORDER_TEXT];
};
extern HIDDEN struct runtime runtime;

typedef int create_function(void *thread, const void *attr, void *(*start)(void *), void *arg);

typedef int sigaction_function(int signal, const struct sigaction *action, struct sigaction *old);
typedef int sigaction_passed(sigaction_function *set, int signal, const struct sigaction *action,
			     struct sigaction *old);
typedef int mask_function(int how, const uint64_t *set, uint64_t *old);

struct space_pool; /* see space_host.h */

/* How one runtime finds another in the same process: libraries that are opened on their own by a
 * program without one have one each, and only one may do the work. The note leads to it. */
struct runtime_door {
	const bool *started;
	void (*enter)(void); /* __cgview_register() of that runtime */
	/* The procedures of libc's that a library keeps to itself (a version script,
	 * -Bsymbolic) are those of its own runtime; the one that does the work must hear of
	 * their calls. */
	int (*create)(create_function *create, void *thread, const void *attr,
		      void *(*start)(void *), void *arg);
	void (*unload)(bool done); /* before and after dlclose() */
	void (*leave)(const uint64_t *counters); /* the library with these goes, if it does */
	void (*note_target)(uint64_t *words, uint64_t target, bool in_line);
	sigaction_passed *action;
	bool (*owns)(int signal);
	mask_function *mask;
	long (*call)(long number, long a, void *b, void *c, size_t size); /* of these two */
	void (*enter_sandbox)(void);
	void (*note_pool)(const uint64_t *frame, const struct space_pool *what);
};
extern HIDDEN struct runtime_door runtime_door;

/* ---- core.c ---- */
HIDDEN void runtime_start(int argc, char **argv, char **envp);
/* Note all modules that are loaded and not yet known. Called by each module's constructor. */
EXPORTED void __cgview_register(void);
/* The library with COUNTERS has run its last destructor. */
HIDDEN void runtime_leave(const uint64_t *counters);
/* The program is about to restrict its own system calls: from now on there are none of ours. */
HIDDEN void runtime_enter_sandbox(void);
/* Around fork, for the ways to it that pthread_atfork() does not see. */
HIDDEN void runtime_before_fork(void);
HIDDEN void runtime_after_fork(bool child);
/* Is the calling thread between these two? A thread that clone() has made without a thread pointer
 * of its own has its creator's, so that runtime_holds_lock() cannot tell them apart. */
HIDDEN bool runtime_is_forking(void);
/* Whoever holds the lock has all signals blocked but those of faults, as a handler that wants it,
 * too, would wait for ever, and one that jumps away would leave it held. Where the program has shut
 * itself in no mask is set: the runtime does nothing there that needs a handler to wait. What is
 * held across fork(2) is the child's as well. */
HIDDEN void runtime_lock(void);
HIDDEN void runtime_unlock(void);
HIDDEN bool runtime_holds_lock(void); /* does the calling thread? */
HIDDEN uint64_t runtime_mask(void); /* that of the holder before */
/* mmap(2) and munmap(2), past whatever a sanitizer has put in their place. */
HIDDEN void *sys_mmap(void *address, size_t length, int protection, int flags, int fd,
		      off_t offset);
HIDDEN void sys_munmap(void *address, size_t length);

/* ---- file.c ---- */
/* Makes the raw file. False: it was told why not. */
struct settings;
HIDDEN bool file_open(const struct settings *settings, int argc, char **argv);
HIDDEN const char *file_program(void); /* path of the program, ""; in the file's head */
HIDDEN bool file_is_ours(int fd); /* the profile's? */
/* A copy of FD where no program expects one; FD is closed. -1: there is none, and FD stays. */
HIDDEN int file_move_up(int fd);
/* The path of the directory that the process is in; false: it has none, or it does not fit. */
HIDDEN bool file_directory(char *buffer, size_t size);
/* SIZE bytes at AT; false: they are not there. */
HIDDEN bool file_read(void *data, size_t size, uint64_t at);
/* The file got shorter than what is mapped of it: told once, and nothing more is written to it. */
HIDDEN void file_was_cut(void);
/* A new extent of KIND with room for DATA_LENGTH bytes beginning OFFSET bytes into its data pages,
 * or, if COMPACT, as many into the page of its head, if they can be behind that.
 * Its data pages are mapped at ADDRESS (a page; NULL: anywhere); the head only if MAP_HEAD (then it
 * is returned with the data behind it, and extent_unmap() is for it). In a child of fork it may be
 * one that a dead child has left, with what is in it. NULL: no room, or ADDRESS is taken.
 * Async-signal-safe. */
struct extent_request {
	enum raw_kind kind;
	uint64_t data_length, offset;
	void *address;
	bool map_head, compact;
	uint64_t key;  /* MODULE, MAPS: the same in another process is the same extent; 0 none is */
	uint64_t room; /* SAMPLES: bytes free in one that is used again; 0: it never is */
	uint32_t module, slot;
	uint64_t *where; /* out: where the extent is in the file; NULL: nobody asks */
	bool *adopted;	 /* out: did a process that is gone have it before? NULL: nobody asks */
	uint64_t load_bias, counters, nr_counters, text_start, text_end, used;
	uint32_t build_id_length;
};
HIDDEN struct raw_extent *extent_new(const struct extent_request *request);
/* Maps the one at AT in the file again, as it is. */
HIDDEN struct raw_extent *extent_again(const struct extent_request *request, uint64_t at);
HIDDEN void extent_unmap(struct raw_extent *e);
HIDDEN bool extent_owns(uintptr_t address); /* is it in one that was mapped anywhere? */
/* A new extent that holds the NR PIECES, which are DATA_LENGTH bytes, and stays as it is. Returns
 * where it is in the file; 0: no room. */
enum { EXTENT_PIECES = 4 }; /* no more */
struct iovec;
HIDDEN uint64_t extent_write(const struct extent_request *request, const struct iovec *pieces,
			     int nr);
HIDDEN void complain(const char *what, int error);  /* a line on stderr; ERROR 0: no reason */
HIDDEN void tell_once(const char *what, int error); /* complain(), but only the first time */
HIDDEN void tell(const char *what, const char *text, const char *rest); /* one line, as is */
HIDDEN size_t add_text(char *buffer, size_t size, size_t at, const char *text);
HIDDEN size_t add_number(char *buffer, size_t size, size_t at, unsigned long n);
HIDDEN uint64_t clock_ns(clockid_t clock);

/* ---- maps.c ---- */
/* Puts the executable lines of /proc/self/maps into TEXT, which has ROOM; returns their length.
 * AT_START: of a program, by what the loader knows; paths may be those of symbolic links then. */
HIDDEN size_t maps_read(char *text, size_t room, bool at_start);
/* Only what the loader knows; 0: it does not know all, or there is no room. */
HIDDEN size_t maps_loaded(char *text, size_t room);

/* ---- settings.c ---- */
struct settings {
	long hz;	    /* samples a second of CPU time */
	bool hz_asked;	    /* somebody wants so many, whatever they cost */
	bool wall;	    /* is looked at where threads wait? */
	bool timer;	    /* is time sampled by timers only? */
	uint32_t events;    /* what is asked for of those of events.h, a bit each */
	bool space;	    /* are allocations to be counted? */
	bool times;	    /* and lifetimes told in time? */
	uint64_t space_every; /* bytes from one call path of a block to the next; 0: none */
	uint64_t space_seed;  /* of what is at random in that; 0: none is given */
	bool off;	    /* nothing is to be written */
	bool recorded;	    /* PREFIX is in a directory of record's */
	bool has_process;   /* PREFIX tells one process from another */
	struct pattern_told told; /* by a launcher; the label is the recorder's if none is told */
	const char *prefix; /* the raw file's name begins with it; belongs to ENVP, or is static */
};
HIDDEN void settings_read(struct settings *s, char **envp);

/* ---- share.c ---- */
HIDDEN void share_before_fork(void);
HIDDEN void share_after_fork(void); /* in the child */
/* An extent of a dead child that fits the request, now owned by this process; 0: none, or children
 * are still few. */
HIDDEN uint64_t extent_adopt(const struct extent_request *request);
HIDDEN void extent_share(const struct extent_request *request, uint64_t at); /* it is a new one */
HIDDEN uint64_t share_find(uint32_t kind, uint64_t key); /* whoever owns it; 0: there is none */
HIDDEN bool share_process_gone(uint32_t pid);

/* ---- signals.c ---- */
extern HIDDEN int sample_signal;	       /* that of the timers; 0: there is no sampling */
HIDDEN sigaction_function signals_real_action; /* libc's; start_dynamic.c, signals_static.c */
HIDDEN void signals_own_bus_error(void);
/* SEE is told of each SIGSEGV for something that the program did, before the program gets it. */
HIDDEN void signals_own_invalid_access(void (*see)(const siginfo_t *info,
						   const ucontext_t *context));
/* SIGNAL is the sampling signal from now on; one that was it before stays ours. */
HIDDEN void signals_own_sample(int signal, void (*take)(siginfo_t *info, void *context));
/* SIGNAL, which may be the sampling signal, is also that of events. TAKE says whether one was
 * ours. */
HIDDEN void signals_own_event(int signal, bool (*take)(siginfo_t *info, void *context));
/* Has the program set the sampling signal where nobody saw it? And if TAKE_BACK, what it has set is
 * its wish now, and the signal is ours again. */
HIDDEN bool signals_lost(bool take_back);
/* The program's calls of sigaction(2) and signal(2); SET is libc's sigaction. */
HIDDEN int signals_action(sigaction_function *set, int signal, const struct sigaction *action,
			  struct sigaction *old);
HIDDEN void (*signals_handler(sigaction_function *set, int signal, void (*handler)(int),
			      int flags))(int);
HIDDEN bool signals_owned(int signal);
/* What the runtime that works does then, and for others of the process (struct runtime_door). */
HIDDEN sigaction_passed signals_action_here;
HIDDEN bool signals_owned_here(int signal);
HIDDEN mask_function signals_mask_here; /* rt_sigprocmask(2) */
HIDDEN long signals_syscall_here(long number, long a, void *b, void *c, size_t size);
/* libc's procedures that set a mask: a sampling signal is never blocked, but told to be. */
HIDDEN int signals_libc_mask(int how, const sigset_t *set, sigset_t *old);
/* Becomes true before the program has a handler of a signal other than those of faults, if that is
 * not known to be seen, or if it has one. */
HIDDEN const _Atomic bool *signals_handled(void);
/* The program is about to call libc's signal(), which nobody else sees. */
HIDDEN void signals_note_signal(int signal, void (*handler)(int));
/* The sampling signals that the calling thread believes to block, a bit each. */
HIDDEN uint64_t signals_blocked(void);
/* The sampling signals that are never blocked, a bit each. */
HIDDEN uint64_t signals_never_blocked(void);
/* Blocks all signals but those of faults, and those in EXCEPT; returns which were blocked. */
HIDDEN uint64_t signals_hold(uint64_t except);
HIDDEN void signals_let_go(uint64_t mask); /* MASK is blocked again, and no more */
/* Code behind the call that lets in what the runtime itself has kept waiting. */
extern HIDDEN const unsigned char signals_let_in[];
HIDDEN void signals_let_in_own(uint64_t mask); /* signals_let_go(), by that call */
/* sysv_signal(3) and sigset(3), for any signal. */
HIDDEN __sighandler_t signals_system_v(int signal, __sighandler_t handler);
HIDDEN __sighandler_t signals_set(int signal, __sighandler_t handler);
/* syscall(NUMBER, A, B, C, SIZE) of rt_sigaction(2) or rt_sigprocmask(2). */
HIDDEN long signals_syscall(long number, long a, void *b, void *c, size_t size);

/* ---- altstack.c ---- */
/* The program's calls of sigaltstack(2). */
HIDDEN int altstack_set(const stack_t *stack, stack_t *old);

/* ---- kept.c: what has been written once, and is used again ---- */
/* Where the extent KEY is in the file; 0: there is none, or it has been forgotten. */
HIDDEN uint64_t kept_find(uint64_t key);
HIDDEN void kept_note(uint64_t key, uint64_t at);
/* Key of the copy of MODULE in SLOT of this process. */
HIDDEN uint64_t kept_copy(uint32_t module, uint32_t slot);

/* ---- slots.c ---- */
HIDDEN struct slot *slot_take(void); /* with counters mapped for all modules; NULL: none left */
HIDDEN void
slot_enter(struct slot *s); /* the calling thread counts and is sampled there from now on */
HIDDEN void slot_enter_clone(struct slot *s); /* it counts, without samples; it leaves by its end */
HIDDEN void slot_leave(struct slot *s);	      /* the calling thread ends */
HIDDEN void slot_cancel(struct slot *s);      /* it was taken but its thread was not started */
HIDDEN void slot_move_own_counts(const struct module *m, const struct slot *s);
HIDDEN bool slots_map_module(uint32_t module);	 /* new module: a copy for each slot in use */
HIDDEN void slots_unmap_module(uint32_t module); /* it is gone, so are its copies */
HIDDEN void slots_before_fork(void); /* children will share a table of threads that has room */
HIDDEN void slots_after_fork(void);		 /* in the child */
/* The calling thread's; NULL: it counts nowhere, or where the thread does that made it. */
HIDDEN struct slot *slot_self(void);
/* The same, but a thread of clone(2), which may have another's thread pointer, has its own. */
HIDDEN struct slot *slot_base(void);
HIDDEN void slots_take_base(void);	  /* of the calling thread's slot, which has moved */
HIDDEN bool slots_own(uintptr_t address); /* is it in one of the copies? */
HIDDEN void slots_mend(uintptr_t page);	  /* of a copy; others have put zeros there */
HIDDEN void slot_note_cpu(struct slot *s, uint64_t ns); /* CPU time of its thread until now */
HIDDEN void slot_note_name(struct slot *s); /* S is the calling thread's */
HIDDEN void slot_note_start(struct slot *s, uintptr_t start); /* what its thread began with */
HIDDEN void slots_note_process(void); /* this one was made past us: RAW_THREAD_UNSEEN */
/* No more counting, for which WHY and ERROR are told as by complain(): see slots.c. */
HIDDEN void slots_give_up(const char *why, int error);
HIDDEN bool slots_have_word(void); /* has a module that is known the word that slot_self() reads? */

/* ---- loops.c ---- */
/* The program ends: waits until no other thread is in a loop whose counts are stored where it is
 * left, for 50 ms at most. */
HIDDEN void loops_wait(void);

/* ---- process.c ---- */
HIDDEN void process_mark(void); /* this process is known */
HIDDEN bool process_is_unseen(void); /* it is not, as it was made past us */
HIDDEN void process_ends(void); /* it is told so if it was */

/* ---- sample.c ---- */
/* Where the program enters the kernel by assembly of its own, nobody sees what it does to signals
 * there: this one does no harm when it gets its default. The timers do not use it everywhere, since
 * there is but one of it, which others may have sent, and since it can be pending only once. Events
 * do: a real-time signal that cannot be queued would end the program. */
#define HARMLESS_SIGNAL SIGURG
HIDDEN bool in_profiled_text(uint64_t pc); /* of a module that counts, with the runtime's in it */
HIDDEN bool in_runtime_text(uint64_t pc);
/* Takes a sample of time of the calling thread, S, by the clock that FLAGS tell; it stands for
 * PERIOD ns. */
HIDDEN void sampling_take(struct slot *s, const void *context, uint16_t flags, uint64_t period);
/* Stores a sample of the calling thread, S: where it was interrupted and who called; the rest as in
 * WHAT. False: there is no room. */
HIDDEN bool sample_store(struct slot *s, const void *context, const struct raw_sample *what);
HIDDEN void sampling_install(void);
/* A module may have come that enters the kernel by assembly of its own. The lock is held. */
HIDDEN void sampling_beware(void);
/* Where a program has such modules: if it has set the signal, that is told in the file.
 * look_after() takes the signal back; look_back() is for the end of a thread. */
HIDDEN void sampling_look_after(void);
HIDDEN void sampling_look_back(void);
/* From now on there are no samples by SIGNAL, as the program needs it. Async-signal-safe. */
HIDDEN void sampling_end(int signal);
HIDDEN uint64_t sample_time_ns(void); /* that a sample has which is taken now */
/* Room that a sample, with two words more, and what tells the modules before it need. */
enum { SAMPLES_ROOM = 2 * (sizeof(struct raw_sample) + RAW_MAX_FRAMES * 8) + 16 };
/* Tells in E, which has room, which modules are loaded if it tells of an older *LAYOUT. */
HIDDEN void samples_tell_modules(struct raw_extent *e, uint32_t *layout);
HIDDEN void sampling_start(struct slot *s);
HIDDEN void sampling_stop(struct slot *s);

/* The calling thread's cost centre, 0 none; NULL: nothing that is loaded keeps any. */
extern HIDDEN uint64_t (*centre_read)(void);

/* ---- centre.c ---- */
extern EXPORTED __thread uint64_t __cgview_current
	__attribute__((tls_model("initial-exec"))); /* address of a procedure's first counter */
HIDDEN void centre_install(void);

/* ---- perf.c ---- */
/* ASKED (a bit each, as in events.h) are wanted, and CLOCK, the event that samples time: threads
 * that come have them. */
HIDDEN void events_install(uint32_t asked, bool clock);
HIDDEN void events_start(struct slot *s); /* S is the calling thread's */
HIDDEN void events_stop(struct slot *s);  /* maybe another's */
HIDDEN void events_forget(struct slot *s); /* after fork: they are not in this process */
HIDDEN void events_end(void);		   /* the program needs the signal */
/* What walking through a stack took in the last WALKS samples, roughly: MEAN, and now TOOK. */
enum { WALKS = 8 };
static inline uint64_t
mean_with(uint64_t mean, uint64_t took)
{
	mean = mean - mean / WALKS + took / WALKS;
	return mean < WALKS ? 0 : mean;
}

/* A sample of the clock walked through a deep stack for TOOK ns; 0: its stack was not deep. */
HIDDEN void events_walked(uint64_t took);
/* Behind a sample: what its own taking has caused counts for nothing. If there was a signal of
 * somebody else's instead, returns true, and *NEXT is that. */
HIDDEN bool events_settle(siginfo_t *next);

/* ---- targets.c ---- */
/* Before each call through a pointer whose target is to be noted the code jumps to the second if it
 * does not find the target itself; with -mcmodel=large it only calls the first. WORDS: the call
 * site's in the module's own counters. Async-signal-safe. */
EXPORTED void __cgview_target_note(uint64_t *words, const void *target);
EXPORTED void __cgview_target_missed(void);
/* What both do. IN_LINE: the code looks into the site's table itself. */
HIDDEN void targets_note(uint64_t *words, uint64_t target, bool in_line);
HIDDEN void targets_forget(struct slot *s); /* after fork: its thread is not in this process */
HIDDEN void targets_renew(struct slot *s);  /* after fork: it is, and counts anew */
/* S has got a copy of M's counters that another process has left: its tables are not here. */
HIDDEN void targets_clear(const struct module *m, const struct slot *s);

/* ---- wall.c ---- */
/* A thread of our own looks from now on at which threads wait, if this is wanted; nobody does so
 * far. */
HIDDEN void wall_start(void);
/* Returns the profile's descriptor in the thread that looks, which has descriptors of its own; -1
 * in other threads. */
HIDDEN int wall_descriptor(void);
/* No more looking: when this returns, the process has no thread but the program's. */
HIDDEN void wall_stop(void);

/* ---- space.c ---- */
/* Allocations are to be counted: looks for the library that does it. */
HIDDEN void space_start(const struct settings *s);
HIDDEN void space_moved(void);	    /* other code may stand now where there was some */
HIDDEN void space_after_fork(void); /* in the child, which has slots of its own by now */
HIDDEN void space_end(void);
/* A call of a pool's procedure, which the one with FRAME tells of: that is one of the next. */
HIDDEN void space_note_pool(const uint64_t *frame, const struct space_pool *what);
EXPORTED void __cgview_pool_counted(const void *block, uint64_t size);
EXPORTED void __cgview_pool_made(const void *block, uint64_t size, const void *pool,
				 const void *old);
EXPORTED void __cgview_pool_gone(const void *block);
EXPORTED void __cgview_pool_cut(const void *block, const void *pool);
EXPORTED void __cgview_pool_held(const void *pool, const void *parent, uint64_t is_block);

/* ---- start_dynamic.c, signals_static.c ---- */
/* The symbol NAME of the program or of what is loaded with it; NULL: there is none. */
HIDDEN void *runtime_symbol(const char *name);
/* The library that this runtime is in stays where it is until the program ends. */
HIDDEN void runtime_pin(void);
/* libc's clone(2), past ours. */
typedef int clone_function(int (*start)(void *), void *stack, int flags, void *argument, ...);
HIDDEN clone_function *runtime_real_clone(void);
/* Of what interposes _exit(2): it looks for libc's, which later nobody may. */
HIDDEN void runtime_find_exit(void);
/* Do the program's threads come by us? */
HIDDEN bool runtime_sees_threads(void);

/* ---- thread.c ---- */
struct clone_call {
	int (*start)(void *);
	void *stack;
	int flags;
	void *argument, *parent_tid, *tls, *child_tid;
};
HIDDEN int thread_clone(clone_function *next, const struct clone_call *c);
HIDDEN pid_t thread_bare_fork(pid_t (*next)(void)); /* _Fork(3), and NEXT is libc's */
/* Before syscall(NUMBER, A, SIZE), which may make a process (syscall.h), and behind it if that
 * returns true. */
HIDDEN bool thread_syscall_begins(long number, const void *a, size_t size);
HIDDEN void thread_syscall_ends(bool child);
/* The calling thread gets a slot if it has none: nobody saw it begin. The lock is held. */
HIDDEN void thread_adopt(void);
HIDDEN int thread_create_here(create_function *create, void *thread, const void *attr,
			      void *(*start)(void *), void *arg);
/* As thread_create_here(), but done by the runtime that does the work. */
HIDDEN int thread_create(create_function *create, void *thread, const void *attr,
			 void *(*start)(void *), void *arg);
/* thrd_create(3) in terms of pthread_create(3), CREATE. */
HIDDEN int thread_create_c11(create_function *create, void *thread, int (*start)(void *),
			     void *arg);
/* If EVENT asks for a thread: one that counts and is sampled. */
struct sigevent;
HIDDEN void thread_notify(struct sigevent *event);

/* Those of faults: blocked, they would end the program. */
#define SIGNAL_BIT(signal) (UINT64_C(1) << ((signal) - 1))
#define FAULT_SIGNALS                                                                              \
	(SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGBUS) | SIGNAL_BIT(SIGFPE) | SIGNAL_BIT(SIGILL) |      \
	 SIGNAL_BIT(SIGTRAP) | SIGNAL_BIT(SIGSYS))

/* Tells threads apart, without a call. */
static inline uintptr_t
thread_pointer(void)
{
	uintptr_t self;

	__asm__("movq %%fs:0, %0" : "=r"(self));
	return self;
}

static inline bool
runtime_closed(void)
{
	return atomic_load(&runtime.closed);
}

static inline uintptr_t
page_down(uintptr_t a)
{
	return a & ~(uintptr_t)(RAW_PAGE - 1);
}

static inline uintptr_t
page_up(uintptr_t a)
{
	return page_down(a + RAW_PAGE - 1);
}

#endif
