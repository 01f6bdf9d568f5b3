/* launch.h - start this program again as ranks, see that they go on, and that nothing of them is left: not when they
 * end, not when a signal asks to end, and not when this process is killed.
 * Mark       the environment of every process of a launch has an entry of its own, by which all are found, in whatever
 *            session and process group the launcher has put them.
 * Life       a rank calls launch_lives() now and then: when none did for 'patience_s', all are ended.
 * Errors     a nw_status, the message printed: NW_EENV without mpirun; NW_EINTR on SIGINT or SIGTERM. */
#ifndef NARROWS_HARNESS_EXEC_LAUNCH_LAUNCH_H
#define NARROWS_HARNESS_EXEC_LAUNCH_LAUNCH_H

#include <stdbool.h>

#include "harness/exec/launch/last_words.h"

struct launch {
    char *const *words;       /* mpirun and its options, as lab_mpirun() gives them; NULL: on this machine */
    char *command;            /* of narrows: "exec" */
    char *const *arguments;   /* of the command, ending with NULL */
    char *const *environment; /* "NAME=VALUE", ending with NULL: besides this process's own */
    int ranks;
    double patience_s, hint_s; /* after hint_s without life, see whether a rank was stopped: it will be to blame */
    bool (*stop)(void);        /* asked often: a signal asked to end */
};

struct launch_end {
    int code;                /* the ranks' exit code; 0: all went well */
    struct last_words words; /* on what ended it */
};

int launch_ranks(const struct launch *l, struct launch_end *out);

/* In a rank: was it started by launch_ranks()? 1, 0, or NW_EIO, printed, if whoever did so has ended. */
int launch_ours(void);
void launch_lives(void);

#endif
