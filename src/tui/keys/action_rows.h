/* Every action in one row, every key in one, and every view that an action opens: action.h makes
 * its enumeration of them, action.c its tables, views.h and browser.c know the views from here.
 * Whoever includes this defines ACTION(id, group, name, help, hint) or KEY(keymap, key, action),
 * each as in struct action_row or key_row, or VIEW(action, function that makes it). */
#ifdef ACTION
ACTION(NONE, REST, "none", "Nothing", NULL)

/* moving */
ACTION(DOWN, MOVING, "down", "One row down", NULL)
ACTION(UP, MOVING, "up", "One row up", NULL)
ACTION(PAGE_DOWN, MOVING, "page-down", "One page down", NULL)
ACTION(PAGE_UP, MOVING, "page-up", "One page up", NULL)
ACTION(HALF_DOWN, MOVING, "half-down", "Half a page down", NULL)
ACTION(HALF_UP, MOVING, "half-up", "Half a page up", NULL)
ACTION(FIRST, MOVING, "first", "To the first row", NULL)
ACTION(LAST, MOVING, "last", "To the last row, or with a count to that row", NULL)
ACTION(GOTO_LINE, MOVING, "goto-line",
       "In the source: ask for a line and go there; with a count, go to it", "line")
ACTION(EXPRESSION_NEXT, MOVING, "expression-next",
       "In the source: select the next expression of the line", "expression")
ACTION(EXPRESSION_PREVIOUS, MOVING, "expression-previous",
       "In the source: select the expression before", NULL)
ACTION(SCROLL_LEFT, MOVING, "scroll-left", "Scroll the text to the left", NULL)
ACTION(SCROLL_RIGHT, MOVING, "scroll-right", "Scroll the text to the right", NULL)
ACTION(SCROLL_BEGIN, MOVING, "scroll-begin", "In the source: back to the begin of the lines", NULL)
ACTION(SCROLL_END, MOVING, "scroll-end", "In the source: to the end of a long line", NULL)
ACTION(HOT_NEXT, MOVING, "hot-next",
       "To the hottest spot of the procedure, the file, other files; or the next error",
       "hot spots")
ACTION(HOT_PREVIOUS, MOVING, "hot-previous", "To the hot spot before, or the error", NULL)
ACTION(NEVER_NEXT, MOVING, "never-next",
       "To the next lines that were never executed, across files", NULL)
ACTION(NEVER_PREVIOUS, MOVING, "never-previous",
       "To those before that were never executed", NULL)
ACTION(ERROR_NEXT, MOVING, "error-next",
       "To the next error that memcheck, a sanitizer or --space found", NULL)
ACTION(ERROR_PREVIOUS, MOVING, "error-previous", "To the error before", NULL)

/* walking */
ACTION(OPEN, WALKING, "open",
       "Go to the source of the row; in the source: follow the call", "source")
ACTION(BACK, WALKING, "back", "Back to where I was", "back")
ACTION(FORWARD, WALKING, "forward", "Forward again", NULL)
ACTION(CALLERS, WALKING, "callers",
       "To the callers of the procedure; there: climb", "callers")
ACTION(CALLEES, WALKING, "callees",
       "To the callees of the procedure or call site; there: descend", "callees")
ACTION(SUMMARY, WALKING, "summary", "To the summary", NULL)
ACTION(SOURCE, WALKING, "source", "To the source", NULL)
ACTION(FILES, WALKING, "files", "Choose another source file", "files")
ACTION(OUTLINE, WALKING, "outline",
       "The procedures of this file in its order, the present one selected", "outline")
ACTION(COPIES, WALKING, "copies",
       "The copies of the procedure here: instances of a template or header", "copies")
ACTION(MACRO, WALKING, "macro",
       "In the source: the macro here, its definition's pieces and all its uses", "macro")
ACTION(INSTRUCTIONS, WALKING, "instructions",
       "In the source: the machine code of this expression, line or procedure", "code")
ACTION(CYCLES, WALKING, "cycles",
       "The cycles: procedures that call each other; Enter: their members", "cycles")
ACTION(NEVER, WALKING, "never",
       "What was never executed, the most first; v: by file; Enter: the source", "never run")
ACTION(ERRORS, WALKING, "errors",
       "Errors that memcheck, a sanitizer or --space found, with their stacks", "errors")
ACTION(STACKS, WALKING, "stacks",
       "There: the stacks of this one: how it came there, where its block is from", "stacks")
ACTION(DISPOSALS, WALKING, "disposals",
       "Which call freed what which call made, and how long it lived; v: by one", "freed")
ACTION(FREED_AT, WALKING, "freed-at",
       "There: to where the blocks were given back; Enter: to where they were made", "freed at")
ACTION(MATRIX, WALKING, "matrix",
       "There: as a matrix, rows for who made, columns for who freed; as a list",
       "matrix, list")
ACTION(MATRIX_CELLS, WALKING, "matrix-cells", "In the matrix: bytes, or blocks", "bytes, blocks")
ACTION(TREE, WALKING, "tree", "Callers and callees as a tree, and there as an icicle", "tree")
ACTION(BANDS, WALKING, "bands",
       "Live memory over time, in bands; Enter: the source of who asked for it", "memory")
ACTION(BANDS_PEAK, WALKING, "bands-peak", "In the bands: to the moment with most", "peak")
ACTION(BANDS_BY, WALKING, "bands-by",
       "In the bands: by producer, procedure, type, disposer and others in turn", "by")
ACTION(BANDS_MARK, WALKING, "bands-mark",
       "In the bands: mark a span's begin, its end; rows tell what came in it", "mark")
ACTION(BANDS_PROCESS, WALKING, "bands-process", "In the bands: the next process", NULL)
ACTION(THREADS, WALKING, "threads",
       "Runs and threads, what took most first: choose whose figures are shown", "threads")
ACTION(MARK_ROW, WALKING, "mark-row", "Mark this thread, or all of this run, or unmark it", "mark")
ACTION(SHOW, WALKING, "show",
       "Show only what the marked threads did, else those of the row; or the span", "show")
ACTION(ALL, WALKING, "show-all", "All runs and threads again, or all of the time", "all")
ACTION(TIMELINE, WALKING, "timeline",
       "The run along time, thread by thread: choose a span; once more: closed", "time")
ACTION(TIMELINE_MARK, WALKING, "timeline-mark",
       "In the time line: mark where a span begins; Enter shows its samples", "mark")
ACTION(TIMELINE_IN, WALKING, "timeline-in", "In the time line: half of the time", "closer")
ACTION(TIMELINE_OUT, WALKING, "timeline-out", "In the time line: twice as much", "farther")
ACTION(NEXT_PANE, WALKING, "next-pane", "To the next pane", "pane")
ACTION(PREVIOUS_PANE, WALKING, "previous-pane", "To the pane before", NULL)
ACTION(ZOOM, WALKING, "zoom", "This pane on the whole screen, or all panes again", "zoom")
ACTION(MARK_SET, WALKING, "mark-set", "Remember this place under the letter typed next", NULL)
ACTION(MARK_GO, WALKING, "mark-go", "Go to the place remembered under the letter typed next", NULL)

ACTION(REMARK, WALKING, "remark",
       "Write a remark on this place or procedure into the profile; empty: none",
       NULL)
ACTION(REMARKS, WALKING, "remarks", "All remarks; Enter: the source", NULL)

/* finding */
ACTION(GOTO, FINDING, "goto",
       "Go to a procedure, a file or FILE:LINE by a part of its name, from everywhere", "go to")
ACTION(SEARCH, FINDING, "search",
       "Search forward; a regular expression, capitals matter if there are any", "search")
ACTION(SEARCH_BACK, FINDING, "search-back", "Search backward", NULL)
ACTION(SEARCH_NEXT, FINDING, "search-next", "To the next hit", NULL)
ACTION(SEARCH_PREVIOUS, FINDING, "search-previous", "To the hit before", NULL)
ACTION(FILTER, FINDING, "filter",
       "Show only the rows in which a regular expression is found; empty: all", "filter")
ACTION(LEAST, FINDING, "least",
       "Only rows with 1% of what they are sorted by, or as many as counted", "cut")
ACTION(ONLY, FINDING, "only",
       "In the summary only what is in the file, or directory, of this row", "only there")

/* showing */
ACTION(SORT, SHOWING, "sort", "Sort by the next column; with a count, by that one", "sort")
ACTION(SORT_REVERSE, SHOWING, "sort-reverse", "Sort the other way round", NULL)
ACTION(COLUMN_TOGGLE, SHOWING, "column-toggle",
       "In the choice of columns: show this one, or hide it", "show, hide")
ACTION(COLUMN_LATER, SHOWING, "column-later",
       "In the choice of columns: move this one to the right", "right")
ACTION(COLUMN_EARLIER, SHOWING, "column-earlier",
       "In the choice of columns: move this one to the left", "left")
ACTION(COLUMN_RESET, SHOWING, "column-reset",
       "In the choice of columns: all as at the beginning", "reset")
ACTION(SUMMARY_NEXT, SHOWING, "summary-next",
       "Next summary: procedures, expressions, call sites, lines, files, directories", "view")
ACTION(SUMMARY_PREVIOUS, SHOWING, "summary-previous", "The summary before", NULL)
ACTION(METRIC, SHOWING, "metric", "Colour the source by the next measure", "heat")
ACTION(SCALE, SHOWING, "scale", "Heat in steps of a factor, or even steps", NULL)
ACTION(LEGEND, SHOWING, "legend",
       "What colours, marks, columns and words here mean; once more: closed", "legend")
ACTION(COLUMNS, SHOWING, "columns",
       "Choose the columns of this table, or of the source's margin", "columns")
ACTION(BACKGROUND, SHOWING, "background", "Colours for a light or a dark background", NULL)
ACTION(MOUSE, SHOWING, "mouse",
       "The mouse off or on; while it is on, Shift and drag selects as terminals do", NULL)
ACTION(REDRAW, SHOWING, "redraw", "Draw the screen anew", NULL)

/* in the tree of calls */
ACTION(TREE_EXPAND, TREE, "tree-expand",
       "Expand (a caller: its calls); if it is, one row down; icicle: to the right", "expand")
ACTION(TREE_COLLAPSE, TREE, "tree-collapse",
       "Collapse; if it is, to the row above; icicle: to the left", NULL)
ACTION(TREE_ALL, TREE, "tree-all",
       "Expand all below, down to 0.1%; with a count, to that percentage", "all")
ACTION(TREE_NONE, TREE, "tree-none", "Collapse this and all below", NULL)
ACTION(TREE_HOTTEST, TREE, "tree-hottest",
       "Expand along the hottest path, to where the time goes", "hottest")
ACTION(TREE_ZOOM, TREE, "tree-zoom", "Only what is below this, shares of it; again: all", "zoom")
ACTION(TREE_INVERT, TREE, "tree-invert",
       "Bottom-up: the callers of this procedure; again: top-down", "callers")
ACTION(TREE_INVERT_ALL, TREE, "tree-invert-all",
       "Bottom-up: all procedures by self time; again: top-down", "bottom-up")
ACTION(TREE_SOURCE, TREE, "tree-source",
       "From the sampled stacks, or from the arcs", "stacks, arcs")
ACTION(TREE_WAIT, TREE, "tree-wait", "The next measure: time, waiting, others", NULL)
ACTION(TREE_CHAINS, TREE, "tree-chains",
       "Chains of single callees in one row, or each in its own", "chains")
ACTION(TREE_ICICLE, TREE, "tree-icicle",
       "As an icicle, or as rows; elsewhere: callers and callees as an icicle", "icicle")

/* changing arcs; in this order */
ACTION(ARC_MORE, ARCS, "more-calls",
       "More calls by this arc, by a twentieth of what is possible; all else follows", "more")
ACTION(ARC_FEWER, ARCS, "fewer-calls", "Fewer calls by this arc", "fewer")
ACTION(ARC_SET, ARCS, "set-calls",
       "Ask for the number of calls by this arc; with a count, that number", "set")
ACTION(PIN, ARCS, "pin", "Hold this arc where it is, or release it", "hold, release")
ACTION(PINS, ARCS, "pins", "The arcs that are held; :pin NAME saves them in the profile", "pins")

/* comparing */
ACTION(COMPARE, COMPARING, "compare",
       "Ask for the expression that is compared by; live: what stood still with now", "expression")
ACTION(COMPARE_MENU, COMPARING, "expressions",
       "Choose one of the expressions that have a name", "choose")
ACTION(COMPARE_SIDES, COMPARING, "sides",
       "Only rows whose text changed, in one profile alone, in both; all again", "only a, b")
ACTION(COMPARE_CERTAIN, COMPARING, "certain",
       "Only rows that differ by two standard errors, or are exact; all again", "certain")
ACTION(COMPARE_TEXT, COMPARING, "other-text",
       "In the source: this place in the text of the other profile", "other text")
ACTION(COMPARE_BESIDE, COMPARING, "beside",
       "Both texts side by side, each with its figures", "beside")
ACTION(LEDGER, COMPARING, "why",
       "What makes the difference: more work, or slower work; Enter: the source", "why")
ACTION(COMPARE_NORMALISE, COMPARING, "normalise",
       "Make the totals the same, or the procedure here; neither", "normalise")
ACTION(COMPARE_OFF, COMPARING, "compare-off", "The last profile alone; the comparison again", NULL)

/* watching */
ACTION(RATES, LIVE, "rates", "What a second brings, or all so far", "a second")
ACTION(FREEZE, LIVE, "freeze", "The figures stand still; again: they go on", "freeze")
ACTION(FROM_ZERO, LIVE, "from-zero", "Count from here on; again: from the program's begin",
       "from here")

/* the rest */
ACTION(EDIT, REST, "edit",
       "Open $VISUAL or $EDITOR at this line, or what it became in a changed file", "edit")
ACTION(COPY, REST, "copy",
       "Send this row to the terminal's clipboard, if the configuration allows it", NULL)
ACTION(RUN_AGAIN, REST, "run-again",
       "Run the recorded command again, after asking; the old profile stays beside", NULL)
ACTION(YES, REST, "yes", "In the question of run-again: run it", "run it")
ACTION(DIAGNOSTICS, REST, "diagnostics",
       "What the profile is made of, and what is missing in it", "notes")
ACTION(COMMAND, REST, "command",
       "Command: one of those below, a line, or the name of an action", "command")
ACTION(HELP, REST, "help", "This list", "help")
ACTION(QUIT, REST, "quit", "Close this view; in the summary: leave", "close")
ACTION(QUIT_ALL, REST, "quit-all", "Leave the program", NULL)
ACTION(ESCAPE, REST, "escape",
       "Undo one thing: selection, search, filter, zoom; never leaves", NULL)
ACTION(CANCEL, REST, "cancel",
       "Stop what is under way; if nothing is, close this view, or leave", NULL)

/* in a prompt */
ACTION(PROMPT_ACCEPT, PROMPT, "prompt-accept", "Done", "done")
ACTION(PROMPT_CANCEL, PROMPT, "prompt-cancel", "Back to what was", "cancel")
ACTION(PROMPT_ERASE, PROMPT, "prompt-erase", "Erase the character before", NULL)
ACTION(PROMPT_DELETE, PROMPT, "prompt-delete", "Erase this character", NULL)
ACTION(PROMPT_ERASE_WORD, PROMPT, "prompt-erase-word", "Erase the word before", NULL)
ACTION(PROMPT_ERASE_ALL, PROMPT, "prompt-erase-all", "Erase all", "erase")
ACTION(PROMPT_LEFT, PROMPT, "prompt-left", "To the left", NULL)
ACTION(PROMPT_RIGHT, PROMPT, "prompt-right", "To the right", NULL)
ACTION(PROMPT_HOME, PROMPT, "prompt-home", "To the beginning", NULL)
ACTION(PROMPT_END, PROMPT, "prompt-end", "To the end", NULL)
ACTION(PROMPT_COMPLETE, PROMPT, "prompt-complete",
       "Complete a command, or tell what could stand here", NULL)
ACTION(PROMPT_OLDER, PROMPT, "prompt-older",
       "What was typed before; in a list of names: one row up", "older")
ACTION(PROMPT_NEWER, PROMPT, "prompt-newer",
       "What was typed after that; in a list of names: one row down", NULL)
#undef ACTION
#endif

/* Hints and messages have the first of several keys of an action. */
#ifdef KEY
#define CTRL(c) ((c) & 0x1f)
KEY(GENERIC, 'j', DOWN)
KEY(GENERIC, K_DOWN, DOWN)
KEY(GENERIC, CTRL('n'), DOWN)
KEY(GENERIC, 'k', UP)
KEY(GENERIC, K_UP, UP)
KEY(GENERIC, CTRL('p'), UP)
KEY(GENERIC, K_PAGE_DOWN, PAGE_DOWN)
KEY(GENERIC, ' ', PAGE_DOWN)
KEY(GENERIC, CTRL('f'), PAGE_DOWN)
KEY(GENERIC, K_PAGE_UP, PAGE_UP)
KEY(GENERIC, 'b', PAGE_UP)
KEY(GENERIC, CTRL('b'), PAGE_UP)
KEY(GENERIC, CTRL('d'), HALF_DOWN)
KEY(GENERIC, CTRL('u'), HALF_UP)
KEY(GENERIC, 'g', FIRST)
KEY(GENERIC, K_HOME, FIRST)
KEY(GENERIC, 'G', LAST)
KEY(GENERIC, K_END, LAST)
KEY(SOURCE, 'g', GOTO_LINE)
KEY(SOURCE, 'l', EXPRESSION_NEXT)
KEY(SOURCE, 'h', EXPRESSION_PREVIOUS)
KEY(SOURCE, K_LEFT, SCROLL_LEFT)
KEY(SOURCE, K_RIGHT, SCROLL_RIGHT)
KEY(SOURCE, '^', SCROLL_BEGIN)
KEY(SOURCE, '$', SCROLL_END)
KEY(SOURCE, 'f', COLUMNS)
KEY(TEXT, 'h', SCROLL_LEFT)
KEY(TEXT, 'l', SCROLL_RIGHT)
KEY(TEXT, K_LEFT, SCROLL_LEFT)
KEY(TEXT, K_RIGHT, SCROLL_RIGHT)
KEY(GENERIC, ']', HOT_NEXT)
KEY(GENERIC, '[', HOT_PREVIOUS)
KEY(GENERIC, ';', NEVER_NEXT)
KEY(GENERIC, ',', NEVER_PREVIOUS)
KEY(GENERIC, '#', NEVER)
KEY(GENERIC, K_ENTER, OPEN)
KEY(GENERIC, K_BACKSPACE, BACK)
KEY(GENERIC, CTRL('o'), BACK)
KEY(GENERIC, K_ALT_LEFT, BACK)
KEY(GENERIC, '{', BACK)
KEY(GENERIC, '}', FORWARD)
KEY(GENERIC, K_ALT_RIGHT, FORWARD)
KEY(GENERIC, 'c', CALLERS)
KEY(GENERIC, 'd', CALLEES)
KEY(GENERIC, 'u', SUMMARY)
KEY(GENERIC, 'x', SOURCE)
KEY(GENERIC, 'o', FILES)
KEY(GENERIC, 'O', OUTLINE)
KEY(GENERIC, 'I', COPIES)
KEY(SOURCE, 'X', MACRO)
KEY(SOURCE, 'a', INSTRUCTIONS)
KEY(GENERIC, 'C', CYCLES)
KEY(GENERIC, 'W', DISPOSALS)
KEY(GENERIC, '!', ERRORS)
KEY(TABLE, 'l', STACKS)
KEY(GENERIC, ')', ERROR_NEXT)
KEY(GENERIC, '(', ERROR_PREVIOUS)
KEY(TABLE, 'a', FREED_AT)
KEY(TABLE, 'i', MATRIX)
KEY(MATRIX, 'h', SCROLL_LEFT)
KEY(MATRIX, 'l', SCROLL_RIGHT)
KEY(MATRIX, K_LEFT, SCROLL_LEFT)
KEY(MATRIX, K_RIGHT, SCROLL_RIGHT)
KEY(MATRIX, '^', SCROLL_BEGIN)
KEY(MATRIX, '$', SCROLL_END)
KEY(MATRIX, 'a', FREED_AT)
KEY(MATRIX, 'i', MATRIX)
KEY(MATRIX, 'm', MATRIX_CELLS)
KEY(GENERIC, 't', TREE)
KEY(GENERIC, 'H', BANDS)
KEY(BANDS, 'h', SCROLL_LEFT)
KEY(BANDS, 'l', SCROLL_RIGHT)
KEY(BANDS, K_LEFT, SCROLL_LEFT)
KEY(BANDS, K_RIGHT, SCROLL_RIGHT)
KEY(BANDS, 'p', BANDS_PEAK)
KEY(BANDS, 's', BANDS_BY)
KEY(BANDS, 'a', BANDS_MARK)
KEY(BANDS, 'A', BANDS_PROCESS)
KEY(GENERIC, '@', TIMELINE)
KEY(TIMELINE, 'h', SCROLL_LEFT)
KEY(TIMELINE, 'l', SCROLL_RIGHT)
KEY(TIMELINE, K_LEFT, SCROLL_LEFT)
KEY(TIMELINE, K_RIGHT, SCROLL_RIGHT)
KEY(TIMELINE, '^', SCROLL_BEGIN)
KEY(TIMELINE, '$', SCROLL_END)
KEY(TIMELINE, '+', TIMELINE_IN)
KEY(TIMELINE, '-', TIMELINE_OUT)
KEY(TIMELINE, 'a', TIMELINE_MARK)
KEY(TIMELINE, K_ENTER, SHOW)
KEY(TIMELINE, 'A', ALL)
KEY(GENERIC, 'T', THREADS)
KEY(THREADS, ' ', MARK_ROW)
KEY(THREADS, K_ENTER, SHOW)
KEY(THREADS, 'a', SHOW)
KEY(THREADS, 'A', ALL)
KEY(THREADS, 's', SORT)
KEY(THREADS, 'S', SORT_REVERSE)
KEY(THREADS, 'l', TREE_EXPAND)
KEY(THREADS, K_RIGHT, TREE_EXPAND)
KEY(THREADS, 'h', TREE_COLLAPSE)
KEY(THREADS, K_LEFT, TREE_COLLAPSE)
KEY(GENERIC, K_TAB, NEXT_PANE)
KEY(GENERIC, K_BACK_TAB, PREVIOUS_PANE)
KEY(GENERIC, 'z', ZOOM)
KEY(GENERIC, '`', MARK_SET)
KEY(GENERIC, '\'', MARK_GO)
KEY(GENERIC, '"', REMARK)
KEY(GENERIC, 'J', REMARKS)
KEY(GENERIC, CTRL('t'), GOTO)
KEY(GENERIC, '/', SEARCH)
KEY(GENERIC, '?', HELP)
KEY(GENERIC, '\\', SEARCH_BACK)
KEY(GENERIC, 'n', SEARCH_NEXT)
KEY(GENERIC, 'N', SEARCH_PREVIOUS)
KEY(GENERIC, '&', FILTER)
KEY(QUERY, 's', SORT)
KEY(QUERY, 'S', SORT_REVERSE)
KEY(QUERY, 'h', SCROLL_LEFT)
KEY(QUERY, 'l', SCROLL_RIGHT)
KEY(QUERY, K_LEFT, SCROLL_LEFT)
KEY(QUERY, K_RIGHT, SCROLL_RIGHT)
KEY(TABLE, 's', SORT)
KEY(TABLE, 'S', SORT_REVERSE)
KEY(TABLE, 'f', COLUMNS)
KEY(ARCS, 'f', COLUMNS)
KEY(THREADS, 'f', COLUMNS)
KEY(COLUMNS, 'f', COLUMNS)
KEY(COLUMNS, ' ', COLUMN_TOGGLE)
KEY(COLUMNS, K_ENTER, COLUMN_TOGGLE)
KEY(COLUMNS, 'J', COLUMN_LATER)
KEY(COLUMNS, 'K', COLUMN_EARLIER)
KEY(COLUMNS, 'r', COLUMN_RESET)
KEY(COLUMNS, 's', SORT)
KEY(COLUMNS, 'S', SORT_REVERSE)
KEY(TABLE, '%', LEAST)
KEY(ARCS, '%', LEAST)
KEY(TABLE, '.', ONLY)
KEY(ARCS, 's', SORT)
KEY(ARCS, 'S', SORT_REVERSE)
KEY(ARCS, 'l', TREE_EXPAND)
KEY(ARCS, K_RIGHT, TREE_EXPAND)
KEY(ARCS, 'h', TREE_COLLAPSE)
KEY(ARCS, K_LEFT, TREE_COLLAPSE)
KEY(ARCS, '+', ARC_MORE)
KEY(ARCS, '>', ARC_MORE)
KEY(ARCS, '-', ARC_FEWER)
KEY(ARCS, '<', ARC_FEWER)
KEY(ARCS, '=', ARC_SET)
KEY(ARCS, 'p', PIN)
KEY(PINS, '+', ARC_MORE)
KEY(PINS, '>', ARC_MORE)
KEY(PINS, '-', ARC_FEWER)
KEY(PINS, '<', ARC_FEWER)
KEY(PINS, '=', ARC_SET)
KEY(PINS, 'p', PIN)
KEY(GENERIC, 'P', PINS)
KEY(GENERIC, 'v', SUMMARY_NEXT)
KEY(GENERIC, 'V', SUMMARY_PREVIOUS)
KEY(GENERIC, 'm', METRIC)
KEY(GENERIC, 'L', SCALE)
KEY(GENERIC, 'K', LEGEND)
KEY(GENERIC, 'B', BACKGROUND)
KEY(GENERIC, 'M', MOUSE)
KEY(GENERIC, CTRL('l'), REDRAW)
KEY(GENERIC, '=', COMPARE)
KEY(GENERIC, 'E', COMPARE_MENU)
KEY(GENERIC, 'F', COMPARE_SIDES)
KEY(GENERIC, 'U', COMPARE_CERTAIN)
KEY(GENERIC, 'w', COMPARE_TEXT)
KEY(GENERIC, '|', COMPARE_BESIDE)
KEY(GENERIC, 'Y', LEDGER)
KEY(GENERIC, 'Z', COMPARE_NORMALISE)
KEY(GENERIC, '~', COMPARE_OFF)
KEY(GENERIC, 'r', RATES)
KEY(GENERIC, '*', FREEZE)
KEY(GENERIC, '0', FROM_ZERO)
KEY(LEDGER, 'l', TREE_EXPAND)
KEY(LEDGER, K_RIGHT, TREE_EXPAND)
KEY(LEDGER, 'h', TREE_COLLAPSE)
KEY(LEDGER, K_LEFT, TREE_COLLAPSE)
KEY(BESIDE, 'h', SCROLL_LEFT)
KEY(BESIDE, 'l', SCROLL_RIGHT)
KEY(BESIDE, K_LEFT, SCROLL_LEFT)
KEY(BESIDE, K_RIGHT, SCROLL_RIGHT)
KEY(QUESTION, 'y', YES)
KEY(QUESTION, 'n', QUIT)
KEY(GENERIC, 'e', EDIT)
KEY(GENERIC, 'y', COPY)
KEY(GENERIC, 'R', RUN_AGAIN)
KEY(GENERIC, 'D', DIAGNOSTICS)
KEY(GENERIC, ':', COMMAND)
KEY(GENERIC, K_F1, HELP)
KEY(GENERIC, 'q', QUIT)
KEY(GENERIC, 'Q', QUIT_ALL)
KEY(GENERIC, K_ESC, ESCAPE)
KEY(GENERIC, K_INTERRUPT, CANCEL)
KEY(TREE, 'l', TREE_EXPAND)
KEY(TREE, K_RIGHT, TREE_EXPAND)
KEY(TREE, 'h', TREE_COLLAPSE)
KEY(TREE, K_LEFT, TREE_COLLAPSE)
KEY(TREE, 'H', TREE_HOTTEST)
KEY(TREE, 'z', TREE_ZOOM)
KEY(TREE, 'I', TREE_INVERT)
KEY(TREE, 'A', TREE_INVERT_ALL)
KEY(TREE, 'a', TREE_SOURCE)
KEY(TREE, 'w', TREE_WAIT)
KEY(TREE, 'm', TREE_WAIT)
KEY(TREE, 'i', TREE_ICICLE)
KEY(TREE, '*', TREE_ALL)
KEY(TREE, '-', TREE_NONE)
KEY(TREE, 'f', TREE_CHAINS)
KEY(TREE, 'x', OPEN)
KEY(ICICLE, 'l', TREE_EXPAND)
KEY(ICICLE, K_RIGHT, TREE_EXPAND)
KEY(ICICLE, 'h', TREE_COLLAPSE)
KEY(ICICLE, K_LEFT, TREE_COLLAPSE)
KEY(ICICLE, 'H', TREE_HOTTEST)
KEY(ICICLE, 'z', TREE_ZOOM)
KEY(ICICLE, 'I', TREE_INVERT)
KEY(ICICLE, 'A', TREE_INVERT_ALL)
KEY(ICICLE, 'a', TREE_SOURCE)
KEY(ICICLE, 'w', TREE_WAIT)
KEY(ICICLE, 'm', TREE_WAIT)
KEY(ICICLE, 'i', TREE_ICICLE)
KEY(GENERIC, '_', TREE_ICICLE)
KEY(ICICLE, K_ENTER, TREE_ZOOM)
KEY(ICICLE, 'x', OPEN)
KEY(PROMPT, K_ENTER, PROMPT_ACCEPT)
KEY(PROMPT, K_ESC, PROMPT_CANCEL)
KEY(PROMPT, CTRL('g'), PROMPT_CANCEL)
KEY(PROMPT, K_INTERRUPT, PROMPT_CANCEL)
KEY(PROMPT, K_BACKSPACE, PROMPT_ERASE)
KEY(PROMPT, K_DELETE, PROMPT_DELETE)
KEY(PROMPT, CTRL('w'), PROMPT_ERASE_WORD)
KEY(PROMPT, CTRL('u'), PROMPT_ERASE_ALL)
KEY(PROMPT, K_LEFT, PROMPT_LEFT)
KEY(PROMPT, K_RIGHT, PROMPT_RIGHT)
KEY(PROMPT, K_HOME, PROMPT_HOME)
KEY(PROMPT, CTRL('a'), PROMPT_HOME)
KEY(PROMPT, K_END, PROMPT_END)
KEY(PROMPT, CTRL('e'), PROMPT_END)
KEY(PROMPT, K_TAB, PROMPT_COMPLETE)
KEY(PROMPT, K_UP, PROMPT_OLDER)
KEY(PROMPT, CTRL('p'), PROMPT_OLDER)
KEY(PROMPT, K_DOWN, PROMPT_NEWER)
KEY(PROMPT, CTRL('n'), PROMPT_NEWER)
#undef KEY
#endif

#ifdef VIEW
VIEW(HELP, help_new)
VIEW(DIAGNOSTICS, diagnostics_new)
VIEW(FILES, files_new)
VIEW(OUTLINE, outline_new)       /* the procedures of the current file */
VIEW(COPIES, copies_new)         /* of the procedure here: of a template, of a header's code */
VIEW(MACRO, macro_new)           /* that the cursor of the source is on */
VIEW(INSTRUCTIONS, instructions_new) /* of what the cursor of the source is on */
VIEW(CYCLES, cycles_new)
VIEW(TREE, tree_new)             /* from the callers down, the cursor on the current procedure */
VIEW(THREADS, threads_new)
VIEW(TIMELINE, timeline_new)     /* the run along time */
VIEW(PINS, pins_new)             /* the arcs that are held */
VIEW(DISPOSALS, disposals_new)   /* pairs of calls: one made blocks, one gave them back */
VIEW(BANDS, bands_new)           /* live memory over time */
VIEW(ERRORS, errors_new)         /* that other tools found, and the stacks of one */
VIEW(LEDGER, ledger_new)         /* of two profiles that are compared */
VIEW(REMARKS, remarks_new)       /* what users wrote beside the source */
VIEW(NEVER, never_new)           /* what was never executed */
#undef VIEW
#endif
