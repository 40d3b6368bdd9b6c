#include "tui/term.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>

#include "tui/draw.h"

/* <term.h> defines words like `lines` as macros. */
extern int setupterm(const char *name, int fd, int *error);
extern char *tigetstr(const char *capability);

/* Everything that the handler of a fatal signal needs to give the terminal back with nothing but
 * write() and tcsetattr(), both safe in a handler. */
static struct {
	volatile sig_atomic_t open;
	bool script;
	struct termios before;
	sigset_t mask_before;
	char goodbye[512];
	size_t goodbye_len;
} term;

static const int fatal_signals[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS,
				     SIGFPE, SIGILL, SIGXCPU };
enum { NR_FATAL = sizeof(fatal_signals) / sizeof(*fatal_signals) };

static void
on_fatal_signal(int sig)
{
	ssize_t n;

	if (term.open && !term.script) {
		n = write(STDOUT_FILENO, term.goodbye, term.goodbye_len);
		(void)n;
		tcsetattr(STDIN_FILENO, TCSANOW, &term.before);
	}
	term.open = 0;
	/* SA_RESETHAND: the second time the signal does what it does. */
	raise(sig);
}

/* A stack that overflowed cannot run its own handler. */
static void
use_alternate_stack(void)
{
	static char stack[64 * 1024];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };

	sigaltstack(&ss, NULL);
}

static void
block_resize_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, &term.mask_before);
	sigdelset(&term.mask_before, SIGWINCH);
}

static void
catch_fatal_signals(void)
{
	struct sigaction sa = { .sa_handler = on_fatal_signal,
				.sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK) };
	struct sigaction old;
	int i;

	use_alternate_stack();
	sigemptyset(&sa.sa_mask);
	for (i = 0; i < NR_FATAL; i++) {
		sigaction(fatal_signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(fatal_signals[i], &sa, NULL);
	}
}

static void
say_goodbye_with(const char *capability)
{
	const char *s = tigetstr(capability);
	size_t n;

	if (!s || s == (char *)-1)
		return;
	n = strlen(s);
	if (term.goodbye_len + n > sizeof(term.goodbye))
		return;
	memcpy(term.goodbye + term.goodbye_len, s, n);
	term.goodbye_len += n;
}

static void
prepare_goodbye(void)
{
	static const char mouse_off[] = "\033[?1006;1002;1000l";

	term.goodbye_len = 0;
	if (tigetstr("kmous") && tigetstr("kmous") != (char *)-1) {
		memcpy(term.goodbye, mouse_off, sizeof(mouse_off) - 1);
		term.goodbye_len = sizeof(mouse_off) - 1;
	}
	say_goodbye_with("sgr0");
	say_goodbye_with("op");
	say_goodbye_with("rmkx");
	say_goodbye_with("cnorm");
	say_goodbye_with("rmcup");
}

/* ---- opening ---- */

static const char instead[] = "use `cgview report` for text";

int
term_possible(struct error *err)
{
	const char *name = getenv("TERM");
	int found = 0;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return error_set(err, "the browser needs a terminal; %s", instead);
	if (!name || !*name)
		return error_set(err, "TERM is not set, so the terminal is unknown; %s", instead);
	if (setupterm(name, STDOUT_FILENO, &found) != OK)
		return error_set(err, "the terminal type TERM=%.100s is not known here: install "
				 "ncurses-term, or set TERM=xterm; %s", name, instead);
	if (!tigetstr("cup") || tigetstr("cup") == (char *)-1)
		return error_set(err, "TERM=%.100s cannot place text on the screen; %s", name,
				 instead);
	return 0;
}

static enum background
background_of_environment(void)
{
	const char *s = getenv("COLORFGBG");
	const char *semicolon = s ? strrchr(s, ';') : NULL;
	int bg;

	if (!semicolon)
		return BACKGROUND_DARK;
	bg = atoi(semicolon + 1);
	return bg == 7 || bg > 8 ? BACKGROUND_LIGHT : BACKGROUND_DARK;
}

static bool colours;

/* With less than 16 colours all are chosen to be seen on any. */
static bool
background_matters(void)
{
	return colours && COLORS >= 16;
}

bool
term_background(enum background background)
{
	static const enum palette palettes[2][2] = { { PALETTE_DARK_16, PALETTE_LIGHT_16 },
						     { PALETTE_DARK, PALETTE_LIGHT } };

	if (!background_matters())
		return false;
	if (background == BACKGROUND_ASK)
		background = background_of_environment();
	draw_palette(palettes[COLORS >= 256][background == BACKGROUND_LIGHT]);
	return true;
}

static void
choose_colours(const struct term_options *options)
{
	const char *no_color = getenv("NO_COLOR");

	colours = !options->mono && !(no_color && *no_color) && has_colors();
	if (!colours) {
		draw_palette(PALETTE_MONO);
		return;
	}
	start_color();
	use_default_colors();
	if (!term_background(options->background))
		draw_palette(COLORS >= 8 ? PALETTE_FEW : PALETTE_MONO);
}

/* Without a terminal, for scripts: the same code draws, nobody sees it. */
static SCREEN *
new_script_screen(void)
{
	FILE *out = fopen("/dev/null", "w");
	FILE *in = fopen("/dev/null", "r");

	if (!out || !in)
		return NULL;
	return newterm("xterm-256color", out, in);
}

static tui_key waiting = K_NONE; /* came while we waited for the answer below */
static bool waiting_for_answer;

static tui_key extended_alt_left, extended_alt_right;

/* Alt with an arrow has no number of its own in curses; terminfo's extended names give it one. */
static int
extended_key(const char *capability)
{
	const char *s = tigetstr(capability);

	if (!s || s == (char *)-1)
		return -1;
	return key_defined(s);
}

static void
set_modes(void)
{
	cbreak();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	scrollok(stdscr, FALSE);
	leaveok(stdscr, FALSE);
	set_escdelay(25);
	curs_set(0);
}

static bool background_is_known(const struct term_options *options);
static void ask_background(void);

int
term_open(const struct term_options *options, struct error *err)
{
	bool utf8;

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	term.script = options->script;
	if (!options->script) {
		if (term_possible(err) < 0)
			return -1;
		tcgetattr(STDIN_FILENO, &term.before);
		/* A damaged description of the terminal makes curses itself fall. */
		prepare_goodbye();
		catch_fatal_signals();
		term.open = 1;
	}
	if (!(options->script ? new_script_screen() : newterm(NULL, stdout, stdin))) {
		term.open = 0;
		return error_set(err, "the terminal could not be set up; %s", instead);
	}
	term.open = 1;
	draw_init(PALETTE_MONO, utf8);
	choose_colours(options);
	set_modes();
	extended_alt_left = extended_key("kLFT3");
	extended_alt_right = extended_key("kRIT3");
	error_at_exit(term_close);
	atexit(term_close);
	if (!options->script) {
		block_resize_signal();
		if (!background_is_known(options))
			ask_background();
	}
	return 0;
}

void
term_close(void)
{
	if (!term.open)
		return;
	term.open = 0;
	term_mouse_on(false);
	/* An answer on its way is not for the shell. */
	if (!term.script && waiting_for_answer)
		flushinp();
	endwin();
}

/* ---- keys ---- */

static const struct {
	int curses;
	tui_key key;
} curses_keys[] = {
	{ KEY_UP, K_UP }, { KEY_DOWN, K_DOWN }, { KEY_LEFT, K_LEFT }, { KEY_RIGHT, K_RIGHT },
	{ KEY_PPAGE, K_PAGE_UP }, { KEY_NPAGE, K_PAGE_DOWN }, { KEY_HOME, K_HOME },
	{ KEY_END, K_END }, { KEY_LL, K_END }, { KEY_ENTER, K_ENTER },
	{ KEY_BACKSPACE, K_BACKSPACE }, { KEY_BTAB, K_BACK_TAB }, { KEY_DC, K_DELETE },
	{ KEY_IC, K_INSERT }, { KEY_MOUSE, K_MOUSE }, { KEY_RESIZE, K_RESIZE },
};

static tui_key
of_curses(int key)
{
	size_t i;

	for (i = 0; i < sizeof(curses_keys) / sizeof(*curses_keys); i++)
		if (curses_keys[i].curses == key)
			return curses_keys[i].key;
	if (key >= KEY_F(1) && key <= KEY_F(12))
		return K_F1 + key - KEY_F(1);
	if (key > 0 && key == extended_alt_left)
		return K_ALT_LEFT;
	if (key > 0 && key == extended_alt_right)
		return K_ALT_RIGHT;
	return K_UNKNOWN;
}

static tui_key
of_character(wint_t c)
{
	if (c == '\r' || c == '\n')
		return K_ENTER;
	if (c == '\t')
		return K_TAB;
	if (c == 0x7f || c == 8)
		return K_BACKSPACE;
	return (tui_key)c;
}

static bool wait_for_input(int ms);

/* ---- the terminal's background ----
 * It is asked for with OSC 11; a terminal that knows the question answers, sooner or later, with
 * ESC ] 11 ; rgb:RRRR/GGGG/BBBB and BEL or ESC \. The answer's beginning is made a key, so that it
 * can come at any time; none is waited for longer than a moment. */

enum { KEY_ANSWER = 3000, ANSWER_WAIT_MS = 30 };
static const char answer_begin[] = "\033]11;";

/* What the user said goes before what the terminal says. */
static bool
background_is_known(const struct term_options *options)
{
	const char *name = getenv("TERM");

	return !background_matters() || options->background != BACKGROUND_ASK ||
	       getenv("COLORFGBG") || !name || !strncmp(name, "linux", 5);
}

/* The rest of the answer, after its beginning. */
static void
read_answer(char *text, size_t room)
{
	size_t n = 0;
	wint_t c;

	while (n + 1 < room) {
		if (wget_wch(stdscr, &c) == ERR) {
			if (!wait_for_input(100) || wget_wch(stdscr, &c) == ERR)
				break;
		}
		if (c == '\a' || c == '\\')
			break;
		if (c != '\033')
			text[n++] = c < 0x80 ? (char)c : '?';
	}
	text[n] = '\0';
}

static tui_key
take_answer(void)
{
	unsigned r, g, b;
	char text[64];

	waiting_for_answer = false;
	read_answer(text, sizeof(text));
	/* One, two or four digits a colour: the first two are enough. */
	if (sscanf(text, "rgb:%2x%*[0-9a-fA-F]/%2x%*[0-9a-fA-F]/%2x", &r, &g, &b) != 3 &&
	    sscanf(text, "rgb:%2x/%2x/%2x", &r, &g, &b) != 3)
		return K_NONE;
	term_background(299 * r + 587 * g + 114 * b > 127500 ? BACKGROUND_LIGHT : BACKGROUND_DARK);
	return K_COLOURS;
}

/* A key that is there already, or K_NONE. */
static tui_key
read_key(void)
{
	wint_t c;
	int kind = wget_wch(stdscr, &c);

	if (kind == ERR)
		return K_NONE;
	if (kind == KEY_CODE_YES && c == KEY_ANSWER)
		return take_answer();
	return kind == KEY_CODE_YES ? of_curses((int)c) : of_character(c);
}

/* Wait for input, at most MS milliseconds (-1: for ever). SIGWINCH gets in only here, so that none
 * is missed between look and wait. False: the terminal is gone. */
static bool
wait_for_input(int ms)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	struct timespec limit = { .tv_nsec = ms * 1000000L };

	if (ppoll(&fd, 1, ms < 0 ? NULL : &limit, &term.mask_before) < 0)
		return errno == EINTR;
	return !(fd.revents & (POLLHUP | POLLERR | POLLNVAL));
}

tui_key
term_key(void)
{
	tui_key key;
	int empty = 0;

	for (;;) {
		key = waiting != K_NONE ? waiting : read_key();
		waiting = K_NONE;
		if (key != K_NONE)
			return key;
		/* Readable but nothing comes: end of file. */
		if (!wait_for_input(-1) || ++empty > 200)
			return K_HANGUP;
	}
}

bool
term_stop_typed(void)
{
	tui_key key;

	if (term.script)
		return false;
	while ((key = read_key()) != K_NONE)
		if (key == K_ESC)
			return true;
	return false;
}

tui_key
term_peek(void)
{
	if (waiting == K_NONE && !term.script)
		waiting = read_key();
	return waiting;
}

static void
ask_background(void)
{
	static const char question[] = "\033]11;?\a";

	if (define_key(answer_begin, KEY_ANSWER) != OK ||
	    write(STDOUT_FILENO, question, sizeof(question) - 1) < 0)
		return;
	waiting_for_answer = true;
	wait_for_input(ANSWER_WAIT_MS);
	waiting = read_key();
	/* The palette is right from the first screen on. */
	if (waiting == K_COLOURS)
		waiting = K_NONE;
}

void
term_mouse_on(bool on)
{
	static bool now;

	if (term.script || on == now)
		return;
	now = on;
	mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
	mouseinterval(0);
}

/* Curses takes any two quick clicks for a double one, wherever they are. */
static bool
is_double(const struct term_mouse *mouse)
{
	static struct timespec before;
	static int y = -1, x = -1;
	struct timespec now;
	int64_t ms;
	bool same = mouse->y == y && mouse->x == x;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ms = (now.tv_sec - before.tv_sec) * 1000 + (now.tv_nsec - before.tv_nsec) / 1000000;
	before = now;
	y = mouse->y;
	x = mouse->x;
	if (!same || ms > 400)
		return false;
	y = -1; /* a third click is a new one */
	return true;
}

bool
term_mouse(struct term_mouse *mouse)
{
	MEVENT event;

	if (getmouse(&event) != OK)
		return false;
	mouse->y = event.y;
	mouse->x = event.x;
	if (event.bstate & BUTTON4_PRESSED)
		mouse->what = MOUSE_WHEEL_UP;
	else if (event.bstate & BUTTON5_PRESSED)
		mouse->what = MOUSE_WHEEL_DOWN;
	else if (event.bstate & BUTTON1_PRESSED)
		mouse->what = is_double(mouse) ? MOUSE_DOUBLE : MOUSE_CLICK;
	else
		return false;
	return true;
}

void
term_copy(const char *text, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	struct strbuf s = STRBUF_INIT;
	size_t i;
	unsigned v;
	ssize_t put;

	strbuf_str(&s, "\033]52;c;");
	for (i = 0; i < n; i += 3) {
		v = (unsigned)(unsigned char)text[i] << 16;
		v |= i + 1 < n ? (unsigned)(unsigned char)text[i + 1] << 8 : 0;
		v |= i + 2 < n ? (unsigned char)text[i + 2] : 0;
		strbuf_char(&s, digits[v >> 18]);
		strbuf_char(&s, digits[v >> 12 & 63]);
		strbuf_char(&s, i + 1 < n ? digits[v >> 6 & 63] : '=');
		strbuf_char(&s, i + 2 < n ? digits[v & 63] : '=');
	}
	strbuf_char(&s, '\a');
	/* Between two frames nothing of curses' own is on its way. */
	put = term.script ? 0 : write(STDOUT_FILENO, s.buf, s.len);
	(void)put;
	strbuf_release(&s);
}

void
term_resize(int rows, int columns)
{
	resizeterm(rows, columns);
}

/* ---- another program on our terminal ---- */

static void
run_in_child(char *const argv[], const char *directory)
{
	int i;

	for (i = 0; i < NR_FATAL; i++)
		signal(fatal_signals[i], SIG_DFL);
	if (!term.script)
		sigprocmask(SIG_SETMASK, &term.mask_before, NULL);
	if (!directory || !chdir(directory))
		execvp(argv[0], argv);
	_exit(127);
}

/* Fork, and wait for the child. As system() does: ^C and ^\ are for the program that runs, not for
 * us. */
static int
run_and_wait(char *const argv[], const char *directory, int *status)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, interrupt, quit;
	pid_t child, got = -1;
	int error;

	/* Ignored before there is somebody who could be meant; the child sets them anew. */
	sigaction(SIGINT, &ignore, &interrupt);
	sigaction(SIGQUIT, &ignore, &quit);
	child = fork();
	if (child == 0)
		run_in_child(argv, directory);
	error = errno;
	if (child > 0) {
		do
			got = waitpid(child, status, 0);
		while (got < 0 && errno == EINTR);
		error = errno;
	}
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	errno = error;
	return got < 0 ? -1 : 0;
}

static void
leave_screen(void)
{
	def_prog_mode();
	endwin();
	fflush(stdout);
}

static void
come_back(void)
{
	reset_prog_mode();
	if (!term.script)
		flushinp();
	curs_set(0);
}

int
term_run(char *const argv[], struct error *err)
{
	int status = 0, result;

	leave_screen();
	result = run_and_wait(argv, NULL, &status);
	come_back();
	if (result < 0)
		return error_set_errno(err, errno, "%s could not be started", argv[0]);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return error_set(err, "%s could not be started: is it installed?", argv[0]);
	if (WIFSIGNALED(status))
		return error_set(err, "%s was ended by signal %d", argv[0], WTERMSIG(status));
	return 0;
}

/* Until Enter is pressed, or there is no more input. */
static void
pause_until_read(void)
{
	static const char text[] = "\ncgview: Enter goes back to the browser ";
	char c = 0;
	ssize_t n = write(STDOUT_FILENO, text, sizeof(text) - 1);

	tcflush(STDIN_FILENO, TCIFLUSH);
	do
		n = read(STDIN_FILENO, &c, 1);
	while (n > 0 ? c != '\n' : n < 0 && errno == EINTR);
}

int
term_run_there(char *const argv[], const char *directory, int *status, struct error *err)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, interrupt;
	int result, got = 0;

	leave_screen();
	result = run_and_wait(argv, directory, &got);
	if (result < 0)
		error_set_errno(err, errno, "%s could not be started", argv[0]);
	/* Who interrupts the program twice does not mean us. */
	sigaction(SIGINT, &ignore, &interrupt);
	if (!term.script)
		pause_until_read();
	sigaction(SIGINT, &interrupt, NULL);
	come_back();
	*status = WIFSIGNALED(got) ? 128 + WTERMSIG(got) : WEXITSTATUS(got);
	return result;
}
