/* peers.h - one training in several processes. Each has a trainer with the same options but for 'peers'; the caller
 * gives the means to carry bytes between them.
 * Server     peer 0. Workers are dealt out in blocks: of W workers, peer p of P has those from p * W / P to
 *            (p + 1) * W / P. With P = W + 1 the server has none, and each of the others one. More peers are refused.
 * Step       every peer computes and encodes its own workers' gradients (push); the server gathers these messages,
 *            decodes and adds them up in the order of the workers, updates, and shares what it pulls with all peers,
 *            which decode it. So there is one order of sums, and the server's trainer has the bits of a single one.
 * Knows      the server alone knows what a step reports (losses aside), evaluates, and can be saved; trainer_collect()
 *            brings it what the others have of the state.
 * Tables     of embeddings are on every peer, each updated with the rows of all workers.
 * Calls      all peers make the same calls of trainer_share(), trainer_step() and trainer_collect() in the same order.
 * Errors     0 or a negative code, the reason in trainer_why(); other peers then wait for this one, so the caller has
 *            to end them. */
#ifndef NARROWS_TRAIN_TRAINER_PEERS_H
#define NARROWS_TRAIN_TRAINER_PEERS_H

#include <stddef.h>
#include <stdint.h>

/* bytes[]: TRAINER_HEAD bytes that belong to who carries it, then n of the message, and space for 'capacity'. */
enum { TRAINER_HEAD = 16 };
struct trainer_message {
    uint8_t *bytes;
    size_t n, capacity;
};

/* What a step consists of. Whoever waits for others waits in PUSH or PULL. */
enum trainer_part {
    TRAINER_COMPUTE, /* forward and backward, and the samples for it */
    TRAINER_ENCODE,
    TRAINER_PUSH,
    TRAINER_UPDATE, /* of the server: decoding, mean, update, policies, encoding of the pull; of all peers: tables */
    TRAINER_PULL,
    TRAINER_DECODE,
    TRAINER_PARTS
};

struct trainer_peers {
    int peer, peers;
    void *context;
    /* The others' messages arrive at the server: of peer p in theirs[p], whose capacity is enough. mine is the caller's
     * own, unused at the server, as theirs[] is elsewhere. 0, or negative with a reason in why[]. */
    int (*gather)(void *context, const struct trainer_message *mine, struct trainer_message *theirs, char *why,
                  size_t nwhy);
    /* The server's message arrives at all others, in the same struct, whose capacity is enough. */
    int (*share)(void *context, struct trainer_message *message, char *why, size_t nwhy);
    /* A part of the step begins, for which a caller may look at a clock; TRAINER_PARTS: the step is over. Where several
     * workers are computed at a time it is the first thread's. NULL: nobody wants to know. */
    void (*begins)(void *context, enum trainer_part part);
};

struct trainer;

/* Once, before the first step; the server may have been restored from a checkpoint: all peers take its state. */
int trainer_share(struct trainer *t);

/* The server's trainer_sections() are complete after it. */
int trainer_collect(struct trainer *t);

#endif
