/* ranks.h - the ranks of an MPI program that train together. Rank 0 is the one that a user sees: it has the database,
 * prints, evaluates, writes checkpoints, and says what is trained next; the others compute their workers' gradients.
 * Alone      a program of one rank has no struct ranks: where NULL is accepted it means that there is nobody else.
 * Stopping   is rank 0's decision, which travels with what it shares in each step: all ranks stop after the same one.
 *            A rank that is asked to stop asks rank 0.
 * Failures   before the first step are agreed on: every rank returns the first one's, and nothing has ended. Later a
 *            rank that fails says why and ends all of them.
 * Threads    one at a time.
 * Errors     a nw_status, the message printed. */
#ifndef NARROWS_HARNESS_TRAINING_RANKS_RANKS_H
#define NARROWS_HARNESS_TRAINING_RANKS_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/mpi/world.h"
#include "harness/store/trace.h"
#include "harness/training/ranks/link_nccl.h"
#include "train/trainer/peers.h"

struct ranks;

/* The ranks of a world that is open, for one scenario. nccl: what each step exchanges goes by it, and is the caller's;
 * NULL: by MPI, as all else. *out: NULL where there is only one. NW_EENV where the library has no threads. */
int ranks_open(const struct world *w, struct link_nccl *nccl, struct ranks **out);
void ranks_close(struct ranks *r); /* accepts NULL */

bool ranks_follow(const struct ranks *r); /* is this rank another than 0? */

/* Threads of each rank: 'jobs', but no more than the processors that its launcher bound it to. */
int ranks_threads(int jobs);

/* What rank 0 trains next: a point, whose key shows whether all ranks read the same file with the same program. */
struct ranks_order {
    int64_t point, over; /* over: nothing more; rc is rank 0's */
    int64_t rc;
    char key[40];
};
int ranks_give_order(struct ranks *r, const struct ranks_order *order);
int ranks_take_order(struct ranks *r, struct ranks_order *order);

/* Rank 0 has trained all there is, with this status, which it returns and the others get. Ends all at once if they
 * cannot be reached, being in the middle of a step. */
int ranks_dismiss(struct ranks *r, int rc);

/* The first failure of any rank becomes all ranks', with why[] as that rank has it. */
int ranks_agree(struct ranks *r, int rc, char *why, size_t nwhy);

/* A failure in the middle of a training. Does not return on a rank other than 0; rank 0 returns rc, and
 * ranks_dismiss() then ends the others. */
int ranks_fail(struct ranks *r, int rc, const char *why);

/* A training begins; 'stop' (or NULL) is asked in every step. */
const struct trainer_peers *ranks_begin(struct ranks *r, bool (*stop)(void));
bool ranks_stopping(const struct ranks *r);

/* The time that each part of each step took on each rank. At rank 0 *facts is allocated, which the caller frees; NULL
 * on the others. The first of the steps that were timed is 'first'. */
int ranks_times(struct ranks *r, int64_t first, struct trace_rank_fact **facts, size_t *n);

#endif
