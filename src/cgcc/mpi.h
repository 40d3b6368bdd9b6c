/* Wrappers of the MPI library's functions, by which these are procedures with counts, times and the
 * bytes that they send: generated from the mpi.h that is there, compiled once for each, and kept in
 * the user's cache. */
#ifndef CGVIEW_CGCC_MPI_H
#define CGVIEW_CGCC_MPI_H

#include <stdbool.h>

#include "cgcc/plugin.h"

/* Is ARG, a word of the compiler's command line, an MPI library? */
bool mpi_is_library(const char *arg);

/* Returns the path of the archive of wrappers, heap, for programs that COMMAND, a compiler and what
 * stands before it, links with ARGS, which say where mpi.h is. PARTS: the folder of our parts.
 * CENTRES: cost centres are kept. NULL: there is none, and a line was printed that says why. */
char *mpi_wrappers(const struct arguments *command, const struct arguments *args,
		   const char *parts, bool centres);

#endif
