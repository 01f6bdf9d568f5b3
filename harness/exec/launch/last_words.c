#include "harness/exec/launch/last_words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/count.h"

/* Those that say most last. Open MPI:
 *   mpirun noticed that process rank 2 with PID 0 on node n exited on signal 9 (Killed).
 *   Process name: [[37961,1],2]          (of one that ended with an exit code)
 *   MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD
 *   ORTE has lost communication with a remote daemon.
 * MPICH:
 *   =   RANK 2 PID 1234 RUNNING AT n
 *   application called MPI_Abort(MPI_COMM_WORLD, 1) - process 2
 * A rank of ours begins a line with "rank 2: ". */
static const struct pattern {
    const char *before; /* the number of the rank */
    bool begins, ranked;
} patterns[] = {
    { "has lost communication with a remote daemon", false, false },
    { "MPI_ABORT was invoked on rank ", false, true },
    { "MPI_Abort(MPI_COMM_WORLD, ", false, true },
    { "Process name: [[", false, true },
    { "=   RANK ", true, true },
    { "process rank ", false, true },
    { "rank ", true, true },
};

/* The number is the last one of "[[37961,1],2]" and of "1) - process 2", else the first. */
static bool read_rank(const char *before, const char *after, int *rank)
{
    if (strstr(before, "[["))
        return sscanf(after, "%*d,%*d],%d", rank) == 1;
    if (strchr(before, '('))
        return sscanf(after, "%*d) - process %d", rank) == 1;
    return sscanf(after, "%d", rank) == 1;
}

static bool matches(const struct pattern *p, const char *line, int *rank)
{
    const char *at = strstr(line, p->before);

    *rank = -1;
    if (!at || (p->begins && at != line))
        return false;
    return !p->ranked || (read_rank(p->before, at + strlen(p->before), rank) && *rank >= 0);
}

void last_words_begin(struct last_words *w)
{
    *w = (struct last_words){ .rank = -1 };
}

struct last_words last_words_of(int rank, const char *reason)
{
    struct last_words w = { .rank = rank, .weight = COUNT(patterns) + 1 };

    snprintf(w.reason, sizeof(w.reason), "%s", reason);
    return w;
}

void last_words_hear(struct last_words *w, const char *line)
{
    int rank;

    while (isspace((unsigned char)*line))
        line++;
    for (int i = (int)COUNT(patterns); i > w->weight; i--) {
        if (!matches(&patterns[i - 1], line, &rank))
            continue;
        w->weight = i;
        w->rank = rank >= 0 ? rank : w->rank;
        snprintf(w->reason, sizeof(w->reason), "%s", line);
        return;
    }
}
