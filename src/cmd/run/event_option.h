/* The option -e of record: which events of the kernel are to be measured. */
#ifndef CGVIEW_CMD_EVENT_OPTION_H
#define CGVIEW_CMD_EVENT_OPTION_H

#include <stdint.h>

/* Returns the events of LIST, a bit each (collect/events.h). Ends the program: with a message if a
 * name is none, or when LIST is "list", behind a line for each event there is. */
uint32_t event_option(const char *list);

#endif
