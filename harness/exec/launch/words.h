/* words.h - the command line and the environment that ranks are started with, and what a rank reads there. */
#ifndef NARROWS_HARNESS_EXEC_LAUNCH_WORDS_H
#define NARROWS_HARNESS_EXEC_LAUNCH_WORDS_H

#include "harness/exec/launch/launch.h"

enum { LAUNCH_WORDS = 512 };

#define LAUNCH_MARK "NARROWS_EXEC" /* of what one process has started: its number and start time */

/* mpirun's words (NULL: on this machine), then this program, its command and the arguments; NULL at the end. Not for
 * several threads at once. */
void launch_words(const struct launch *l, char *words[LAUNCH_WORDS]);

/* This process's environment with these entries, the mark, and the folder for what the MPI library writes; NULL:
 * no memory. */
char **launch_environment(char *const *more, const char *mark, const char *folder);
void launch_environment_free(char **environment);

#endif
