/* The release that this program is of, and where its parts were installed. */
#ifndef CGVIEW_UTIL_INSTALLED
#define CGVIEW_UTIL_INSTALLED

/* What the file VERSION says: "1.2". */
extern const char installed_version[];

/* Returns the folder of our parts that has the file PART: lib/cgview beside this program, as it is
 * built, or the one that it was installed with. On the heap, as it was found (".." may be in it);
 * NULL: there is none. */
char *installed_folder(const char *part);

/* Returns the path of NAME in share/cgview, found in the same way; heap, NULL: it is not there. */
char *installed_shared(const char *name);

#endif
