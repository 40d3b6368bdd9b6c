#include "tui/screen/term.h"

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

#include "tui/screen/draw.h"
#include "tui/screen/paste.h"
#include "tui/screen/term_signals.h"

/* <term.h> defines words like `lines` as macros. */
extern int setupterm(const char *name, int fd, int *error);
extern char *tigetstr(const char *capability);

static struct {
	bool open, script;
	struct termios before;
	sigset_t open_mask;      /* to wait for input with */
	bool pastes;             /* it was asked to mark what is pasted */
	struct paste paste;      /* the last one */
} term;

static void
say_goodbye_with(const char *capability)
{
	const char *s = tigetstr(capability);

	if (s && s != (char *)-1)
		term_signals_goodbye(s, strlen(s));
}

/* Nearly all terminals that know control sequences know this one, and the others ignore it. */
static bool
may_mark_pastes(void)
{
	const char *s = tigetstr("cup");

	return s && !strncmp(s, "\033[", 2);
}

static void
prepare_goodbye(void)
{
	static const char mouse_off[] = "\033[?1006;1002;1000l";

	term.pastes = may_mark_pastes();
	if (term.pastes)
		term_signals_goodbye(PASTE_OFF, strlen(PASTE_OFF));
	if (tigetstr("kmous") && tigetstr("kmous") != (char *)-1)
		term_signals_goodbye(mouse_off, sizeof(mouse_off) - 1);
	say_goodbye_with("sgr0");
	say_goodbye_with("op");
	say_goodbye_with("rmkx");
	say_goodbye_with("cnorm");
	say_goodbye_with("rmcup");
}

/* Curses has no output pending between two frames. */
static void
put(const char *text, size_t n)
{
	ssize_t put = term.script ? 0 : write(STDOUT_FILENO, text, n);

	(void)put;
}

static void
mark_pastes(bool on)
{
	const char *s = on ? PASTE_ON : PASTE_OFF;

	if (term.pastes)
		put(s, strlen(s));
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

/* With less than 16 colours all are chosen to be readable on any background. */
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

/* A script has no terminal: the same code draws, nobody sees it. */
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

/* Keys that make signals are read as keys, and so are C-s and C-q: a C-s that is pasted must not
 * stop the output. */
static void
take_modes(void)
{
	struct termios working, waiting;

	if (term.script || tcgetattr(STDIN_FILENO, &working))
		return;
	working.c_iflag &= ~(tcflag_t)IXON;
	working.c_lflag |= term.before.c_lflag & ISIG;
	waiting = working;
	waiting.c_lflag &= ~(tcflag_t)ISIG;
	term_signals_modes(&waiting, &working);
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
	take_modes();
}

static bool background_is_known(const struct term_options *options);
static void ask_background(void);
static void expect_pastes(void);

/* The environment's size overrides the terminal's; a number that no terminal has would only take
 * memory, or be too much for curses. */
static void
bound_size(const char *name)
{
	enum { MOST = 1000 };
	const char *value = getenv(name);
	char bound[16];

	if (!value || strtol(value, NULL, 10) <= MOST)
		return;
	snprintf(bound, sizeof(bound), "%d", MOST);
	setenv(name, bound, 1);
}

int
term_open(const struct term_options *options, struct error *err)
{
	bool utf8;

	bound_size("LINES");
	bound_size("COLUMNS");

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	term.script = options->script;
	paste_init(&term.paste);
	if (!options->script) {
		if (term_possible(err) < 0)
			return -1;
		tcgetattr(STDIN_FILENO, &term.before);
		/* Curses itself crashes on a damaged description of the terminal. */
		prepare_goodbye();
		term_signals_catch(&term.before, &term.open_mask);
	}
	if (!(options->script ? new_script_screen() : newterm(NULL, stdout, stdin))) {
		term_signals_let_go();
		return error_set(err, "the terminal could not be set up; %s", instead);
	}
	term.open = true;
	draw_init(PALETTE_MONO, utf8 && !options->plain);
	if (!options->plain)
		choose_colours(options);
	set_modes();
	extended_alt_left = extended_key("kLFT3");
	extended_alt_right = extended_key("kRIT3");
	error_at_exit(term_close);
	atexit(term_close);
	if (!options->script) {
		expect_pastes();
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
	term_mouse_on(false);
	mark_pastes(false);
	term.open = false;
	term_signals_let_go();
	/* An answer on its way must not reach the shell. */
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

/* Would C make the signal of the special character WHICH if it were not read as a key? */
static bool
is_signal_key(wint_t c, int which)
{
	return (term.before.c_lflag & ISIG) && c && c == term.before.c_cc[which];
}

static tui_key
of_character(wint_t c)
{
	if (is_signal_key(c, VINTR))
		return K_INTERRUPT;
	if (is_signal_key(c, VSUSP))
		return raise(SIGTSTP), K_NONE;
	if (is_signal_key(c, VQUIT))
		return raise(SIGQUIT), K_NONE;
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

/* The user's option overrides the terminal's answer. */
static bool
background_is_known(const struct term_options *options)
{
	const char *name = getenv("TERM");

	return !background_matters() || options->background != BACKGROUND_ASK ||
	       getenv("COLORFGBG") || !name || !strncmp(name, "linux", 5);
}

/* Reads the rest of the answer, after its beginning. */
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
	/* A colour has one, two or four digits: the first two are enough. */
	if (sscanf(text, "rgb:%2x%*[0-9a-fA-F]/%2x%*[0-9a-fA-F]/%2x", &r, &g, &b) != 3 &&
	    sscanf(text, "rgb:%2x/%2x/%2x", &r, &g, &b) != 3)
		return K_NONE;
	term_background(299 * r + 587 * g + 114 * b > 127500 ? BACKGROUND_LIGHT : BACKGROUND_DARK);
	return K_COLOURS;
}

/* ---- pasted text ---- */

enum { KEY_PASTE = KEY_ANSWER + 1 };

enum {
	GAP_MS = 30000,  /* between two parts of a text: a network may stall */
	BEHIND_MS = 10,  /* after an end; a person types more slowly than that */
	MARK_MS = 1000,  /* where a mark has begun after that */
	PIECE_MS = 300,  /* between two parts of the mark at its begin */
};

static void
expect_pastes(void)
{
	if (!term.pastes)
		return;
	define_key(PASTE_BEGIN, KEY_PASTE);
	term_signals_wrap_stop(PASTE_OFF, PASTE_ON);
	mark_pastes(true);
}

/* Bytes right behind the end were typed ahead, unless they are too many or no plain keys. */
static void
push_back(const struct strbuf *s)
{
	enum { MOST = 32 };
	size_t n = s->len;

	if (n > MOST || memchr(s->buf, K_ESC, n))
		return;
	while (n)
		ungetch((unsigned char)s->buf[--n]);
}

static int64_t
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Does more come within MS? A new size of the screen is no reason to give up. */
static bool
more_comes(int ms)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	int64_t end = now_ms() + ms, left;

	while ((left = end - now_ms()) > 0)
		if (!wait_for_input((int)left) || term_signals_interrupt_waits())
			return false;
		else if (poll(&fd, 1, 0) > 0)
			return true;
	return false;
}

/* Curses has read the mark and no byte more. An interrupt, or its key alone when nothing else
 * comes, ends a text that has no end. */
static tui_key
take_paste(void)
{
	struct paste *p = &term.paste;
	char buf[16 << 10];
	ssize_t n;

	paste_release(p);
	while (more_comes(!p->ended ? GAP_MS : paste_goes_on(p) ? MARK_MS : BEHIND_MS)) {
		n = read(STDIN_FILENO, buf, sizeof(buf));
		if (n <= 0 || (n == 1 && is_signal_key((unsigned char)*buf, VINTR)))
			break;
		paste_feed(p, buf, (size_t)n);
	}
	push_back(&p->behind);
	return K_PASTE;
}

/* ---- reading keys ---- */

/* Returns the key that curses has, or K_NONE. */
static tui_key
next_key(void)
{
	wint_t c;
	int kind = wget_wch(stdscr, &c);

	if (kind == ERR)
		return K_NONE;
	if (kind == KEY_CODE_YES && c == KEY_ANSWER)
		return take_answer();
	if (kind == KEY_CODE_YES && c == KEY_PASTE)
		return take_paste();
	return kind == KEY_CODE_YES ? of_curses((int)c) : of_character(c);
}

/* Keys that were read ahead, and do not make up a mark. */
static tui_key held[8];
static int nr_held;

/* Checks whether KEY belongs to a mark, before pasted text, that came in pieces: then it looks like
 * keys, and those that have been handled already do no harm. */
static tui_key
mark_in_pieces(tui_key key)
{
	static const char mark[] = PASTE_BEGIN;
	static size_t matched;
	tui_key first = key;

	matched = key == mark[matched] ? matched + 1 : key == K_ESC;
	while (matched && mark[matched]) {
		key = next_key();
		if (key == K_NONE && matched > 1 && wait_for_input(PIECE_MS))
			key = next_key();
		if (key == K_NONE)
			return first;
		held[nr_held++] = key;
		if (key != mark[matched]) {
			matched = key == K_ESC;
			return first;
		}
		matched++;
	}
	if (!matched)
		return first;
	matched = 0;
	nr_held = 0;
	return take_paste();
}

/* The modes are those of the shell, or of another program that had the terminal. */
static tui_key
go_on(void)
{
	reset_prog_mode();
	take_modes();
	keypad(stdscr, TRUE);
	mark_pastes(true);
	curs_set(0);
	return K_COLOURS;
}

/* Returns a key that is there already, or K_NONE. */
static tui_key
read_key(void)
{
	tui_key key;

	term_signals_look();
	if (term_signals_interrupted())
		return K_INTERRUPT;
	if (term_signals_continued())
		return go_on();
	if (nr_held) {
		key = held[0];
		memmove(held, held + 1, (size_t)--nr_held * sizeof(*held));
		return key;
	}
	key = next_key();
	return key != K_NONE && term.pastes ? mark_in_pieces(key) : key;
}

/* Waits for input, at most MS milliseconds (-1: for ever). Signals are let in only here, so that
 * none is missed between look and wait. Returns false when the terminal is gone. */
static bool
wait_for_input(int ms)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	struct timespec limit = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };
	sigset_t interrupt, before;
	int result = 0, error = 0;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	sigprocmask(SIG_BLOCK, &interrupt, &before);
	if (!term_signals_interrupt_waits())
		result = ppoll(&fd, 1, ms < 0 ? NULL : &limit, &term.open_mask);
	error = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (result < 0)
		return error == EINTR;
	return !(fd.revents & (POLLHUP | POLLERR | POLLNVAL));
}

tui_key
term_key_within(int ms)
{
	int64_t end = now_ms() + ms, left = -1;
	tui_key key;
	int empty = 0;

	term_signals_busy(false);
	for (;;) {
		key = waiting != K_NONE ? waiting : read_key();
		waiting = K_NONE;
		if (ms >= 0)
			left = end - now_ms();
		if (key != K_NONE || (ms >= 0 && left <= 0)) {
			term_signals_busy(true);
			return key;
		}
		/* A terminal that is readable and gives nothing is at its end. */
		if (!wait_for_input((int)left) || ++empty > 200)
			return K_HANGUP;
	}
}

tui_key
term_key(void)
{
	return term_key_within(-1);
}

bool
term_stop_typed(void)
{
	tui_key key;

	if (term.script)
		return false;
	do
		key = read_key();
	while (key != K_NONE && key != K_ESC && key != K_INTERRUPT);
	return key != K_NONE;
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
	put(s.buf, s.len);
	strbuf_release(&s);
}

const struct paste *
term_paste(void)
{
	return &term.paste;
}

void
term_pretend_paste(const char *text)
{
	paste_release(&term.paste);
	paste_feed(&term.paste, text, strlen(text));
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
	term_signals_default();
	if (!directory || !chdir(directory))
		execvp(argv[0], argv);
	_exit(127);
}

/* Forks, and waits for the child. As in system(), ^C and ^\ are for the program, not for us. */
static int
run_and_wait(char *const argv[], const char *directory, int *status)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, interrupt, quit;
	pid_t child, got = -1;
	int error;

	/* They are ignored before a child could be meant; the child sets them anew. */
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
	term_signals_busy(false);
	def_prog_mode();
	mark_pastes(false);
	endwin();
	fflush(stdout);
}

static void
come_back(void)
{
	reset_prog_mode();
	take_modes();
	mark_pastes(true);
	if (!term.script)
		flushinp();
	term_signals_interrupted();
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

/* Waits until Enter is pressed, or there is no more input. */
static void
pause_until_read(void)
{
	static const char text[] = "\ncgview: Enter goes back to the browser ";
	char c = 0;
	ssize_t n = write(STDOUT_FILENO, text, sizeof(text) - 1);

	(void)n; /* a terminal that is gone is met by read() */
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
	/* A user who interrupts the program twice does not mean us. */
	sigaction(SIGINT, &ignore, &interrupt);
	if (!term.script)
		pause_until_read();
	sigaction(SIGINT, &interrupt, NULL);
	come_back();
	*status = WIFSIGNALED(got) ? 128 + WTERMSIG(got) : WEXITSTATUS(got);
	return result;
}
