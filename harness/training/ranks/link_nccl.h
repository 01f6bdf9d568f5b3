/* link_nccl.h - the messages of link.h between the ranks' GPUs: lengths and words go by MPI, as link.h has them, what
 * the messages hold by NCCL. The ranks' host memory has the same bytes afterwards.
 * Errors     a nw_status, the reason in why[]: NW_EIO if what arrives is longer than its space, or NCCL fails. */
#ifndef NARROWS_HARNESS_TRAINING_RANKS_LINK_NCCL_H
#define NARROWS_HARNESS_TRAINING_RANKS_LINK_NCCL_H

#include <stdint.h>

#include "harness/mpi/world.h"
#include "train/trainer/peers.h"

/* Bytes that a message takes besides its own: the length, sent as a message of link.h. */
enum { LINK_NCCL_HEAD = TRAINER_HEAD + 8 };

struct link_nccl;

/* Called by all ranks of a world that is open, before anything is trained. Where a rank lacks NCCL or a GPU, or has
 * another rank's GPU or another NCCL, all get NW_EENV, and rank 0 has printed why. Where it cannot be begun after that,
 * the program ends with that code, as the others may be waiting inside NCCL. Rank 0 prints what is used. */
int link_nccl_open(const struct world *w, struct link_nccl **out);
void link_nccl_close(struct link_nccl *l); /* accepts NULL; called by all */

/* As link_gather() and link_share(). */
int link_nccl_gather(struct link_nccl *l, const struct trainer_message *mine, struct trainer_message *theirs,
                     uint64_t *word, char *why, size_t nwhy);
int link_nccl_share(struct link_nccl *l, struct trainer_message *message, uint64_t *word, char *why, size_t nwhy);

#endif
