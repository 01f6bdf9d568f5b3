/* nccl.h - payloads between the ranks' GPUs, by NCCL, looked for while the program runs (nccl.c; nccl_absent.c in a
 * build without CUDA). Each is copied to the GPU, travels, and is copied back.
 * Calls      all ranks join, and then make the same calls in the same order, with lengths that both sides know: nothing
 *            is sent where one is 0.
 * Waiting    looks often at first, then sleeps in between, and asks NCCL whether something went wrong meanwhile.
 * Errors     0, or -1 with the reason in why[]: the call, the rank, and NCCL's own text. NCCL is left then, so that no
 *            GPU waits for a rank that is gone: no more calls but nccl_close(). */
#ifndef NARROWS_HARNESS_TRAINING_RANKS_NCCL_H
#define NARROWS_HARNESS_TRAINING_RANKS_NCCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "train/trainer/peers.h"

/* What a rank has to take part with. */
struct nccl_offer {
    char lacks[256];  /* what is missing, what was expected, what is there; empty: nothing */
    int64_t version;  /* as NCCL counts: 22809 is 2.28.9 */
    uint8_t uuid[16]; /* of its GPU */
    char gpu[96];     /* its name and place */
};

struct nccl_id {
    char bytes[128];
};

struct nccl;

/* The library, and the current device. NULL where mine->lacks something. */
struct nccl *nccl_open(struct nccl_offer *mine);
void nccl_close(struct nccl *n); /* accepts NULL; called by all where all have joined */

/* Can these ranks take part together? False with the reason. */
bool nccl_offers_fit(const struct nccl_offer *offers, int ranks, char *why, size_t nwhy);

/* "2.28.9" */
void nccl_version_text(int64_t version, char *text, size_t ntext);

/* One rank's, for all to join by. */
int nccl_new_id(struct nccl *n, struct nccl_id *id, char *why, size_t nwhy);
int nccl_join(struct nccl *n, const struct nccl_id *id, int rank, int ranks, char *why, size_t nwhy);

/* Messages as of struct trainer_peers, their lengths known: at rank 0 those of theirs[1..ranks). */
int nccl_gather(struct nccl *n, const struct trainer_message *mine, struct trainer_message *theirs, char *why,
                size_t nwhy);
int nccl_share(struct nccl *n, struct trainer_message *message, char *why, size_t nwhy);

#endif
