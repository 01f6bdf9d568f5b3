/* link.h - messages between rank 0 and the other ranks of an MPI program, of any length: what is longer than LINK_PIECE
 * goes in pieces, since MPI counts in int. All ranks make the same calls in the same order. Compiled where MPI was
 * found; elsewhere (link_absent.c) there is one rank, which has nobody to talk to.
 * Head       of a message (TRAINER_HEAD bytes): its length, and a word that the caller sends along.
 * Waiting    looks often at first, then sleeps in between, so that ranks that share processors do not take them from
 *            those that compute.
 * Errors     NW_EIO with a message if what arrives is longer than the space for it; all others end the program (MPI's
 *            own handling). */
#ifndef NARROWS_HARNESS_TRAINING_RANKS_LINK_H
#define NARROWS_HARNESS_TRAINING_RANKS_LINK_H

#include <stdint.h>

#include "harness/mpi/world.h"
#include "train/trainer/peers.h"

#define LINK_PIECE ((size_t)1 << 30)

/* Rank 0 gets theirs[1..ranks), the others give 'mine'. *word: what this rank sends; at rank 0 then the words of all,
 * one or'ed with the other. 'piece': LINK_PIECE, or less in tests. */
int link_gather(const struct world *w, const struct trainer_message *mine, struct trainer_message *theirs,
                uint64_t *word, size_t piece);

/* Rank 0 gives, the others get; *word becomes rank 0's. */
int link_share(const struct world *w, struct trainer_message *message, uint64_t *word, size_t piece);

#endif
