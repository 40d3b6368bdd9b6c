/* The commands of cgview: each gets its own name as argv[0] and returns the exit status. */
#ifndef CGVIEW_CMD_COMMANDS
#define CGVIEW_CMD_COMMANDS

int cmd_browse(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_watch(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_brief(int argc, char **argv);
int cmd_guide(int argc, char **argv);
int cmd_bands(int argc, char **argv);
int cmd_annotate(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_pin(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_reduce(int argc, char **argv);
int cmd_diff(int argc, char **argv);

#endif
