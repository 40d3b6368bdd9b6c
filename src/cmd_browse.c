/* cgview DB: browse a profile in the terminal. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "commands.h"
#include "db/profile.h"
#include "dial.h"
#include "run_again.h"
#include "subset.h"
#include "tui/tui.h"
#include "util/error.h"

static const char usage[] =
	"usage: cgview [browse] [-m] [--light | --dark] [--config FILE] DB\n"
	"       cgview browse --print-keys [--config FILE]\n"
	"Browse a profile: where the time goes, how often things run, who calls whom.\n"
	"\n"
	"  -m, --mono   no colours (as with the environment variable NO_COLOR)\n"
	"  --light      colours for a light background\n"
	"  --dark       colours for a dark background\n"
	"  --config FILE  keys, colours and options of your own, in place of those in\n"
	"               ~/.config/cgview/config (cgview-config(5)); /dev/null: none\n"
	"  --print-keys print the keys as they are, and what is wrong in the file\n"
	"  -h, --help   this text\n"
	"\n"
	"In the browser ? shows all keys. Without a terminal: cgview report DB.\n";

static const struct option options[] = {
	{ "mono", no_argument, NULL, 'm' },
	{ "light", no_argument, NULL, 'l' },
	{ "dark", no_argument, NULL, 'd' },
	{ "config", required_argument, NULL, 'c' },
	{ "print-keys", no_argument, NULL, 'p' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static void
set_option(struct tui_options *tui, int c, bool *print_keys)
{
	switch (c) {
	case 'm':
		tui->mono = true;
		break;
	case 'l':
		tui->background = TUI_LIGHT;
		break;
	case 'd':
		tui->background = TUI_DARK;
		break;
	case 'c':
		tui->config = optarg;
		break;
	case 'p':
		*print_keys = true;
		break;
	case 'h':
		fputs(usage, stdout);
		exit(0);
	default:
		fputs(usage, stderr);
		exit(2);
	}
}

/* The profile is replaced, which the directory might allow where the file does not. */
static int
save_dial(struct dial *d, const char *path, struct error *err)
{
	if (access(path, W_OK) < 0)
		return error_set_errno(err, errno, "%s cannot be written", path);
	return dial_save(d, err);
}

static const struct tui_dial_ops dial_ops = {
	.open = dial_open,
	.close = dial_close,
	.model = dial_model,
	.interval = dial_interval,
	.turn = dial_turn,
	.let_go = dial_let_go,
	.let_go_all = dial_let_go_all,
	.estimator = dial_estimator,
	.pin = dial_pin,
	.changed = dial_changed,
	.save = save_dial,
};

static const struct tui_thread_ops thread_ops = { .open = subset_open };

int
cmd_browse(int argc, char **argv)
{
	struct tui_options tui = { .script = getenv("CGVIEW_SCRIPT"), .dial = &dial_ops,
				   .again = run_again, .threads = &thread_ops };
	struct error err = ERROR_INIT;
	struct profile *profile;
	bool print_keys = false;
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "mh", options, NULL)) != -1)
		set_option(&tui, c, &print_keys);
	if (print_keys && optind == argc)
		return tui_print_keys(tui.config, stdout) ? 1 : 0;
	if (optind + 1 != argc) {
		complain(optind == argc ? "which profile? cgview DB" : "one profile at a time");
		return 2;
	}
	if (tui.script && !*tui.script)
		tui.script = NULL;
	profile = profile_open(argv[optind], &err);
	if (!profile || tui_possible(&tui, &err) < 0 || tui_browse(&profile, &tui, &err) < 0)
		die(1, "%s", err.text);
	profile_close(profile);
	return 0;
}
