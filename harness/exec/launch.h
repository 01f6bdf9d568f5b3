/* launch.h - start this program again as ranks, and see that nothing of them is left: they run in a process group of
 * their own, which is ended with this process and on a signal.
 * Errors     a nw_status, the message printed: NW_EENV without mpirun; NW_EINTR on SIGINT or SIGTERM. */
#ifndef NARROWS_HARNESS_EXEC_LAUNCH_H
#define NARROWS_HARNESS_EXEC_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

struct launch {
    char *const *words;     /* mpirun and its options, as lab_mpirun() gives them; NULL: on this machine */
    char *const *arguments; /* of narrows exec, ending with NULL */
    int ranks;
    bool (*stop)(void); /* asked often: a signal asked to end */
};

struct launch_end {
    int code;         /* the ranks' exit code; 0: all went well */
    int rank;         /* the rank that ended it, if the launcher said so; -1 */
    char reason[256]; /* the launcher's last words on it; "" */
};

int launch_ranks(const struct launch *l, struct launch_end *out);

#endif
