/* wire.h - messages between the ranks of an execution: non-blocking, and taken in whatever order they arrive.
 * Messages   of a transfer: a task's bytes to the rank that waits for them; a notice: that a task has ended, or what
 *            became of a group. A transfer that was given up is sent as a message of no bytes.
 * Fragments  a transfer is sent in pieces, few at a time, each small enough for an MPI library to send it without
 *            asking first (its eager limit): an answer would wait behind the data of the opposite direction.
 * Sharing    transfers to one rank that are under way at the same time take turns, piece by piece: each gets its share,
 *            as the simulation's flows do.
 * Progress   is made in wire_poll() alone, so it is called while others compute. One thread calls all of this.
 * Ownership  what is sent stays untouched until its 'sent' was called. What arrives belongs to whom 'received' gives
 *            it, who releases it with wire_release().
 * Errors     a nw_status; most MPI libraries end the program themselves. */
#ifndef NARROWS_HARNESS_EXEC_RANK_WIRE_H
#define NARROWS_HARNESS_EXEC_RANK_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wire;

enum notice_of { NOTICE_ENDED, NOTICE_VOID };

enum { WIRE_FRAGMENT = 64 * 1024, WIRE_FRAGMENTS = 3 }; /* so many to one rank at a time */

struct wire_events {
    /* The most bytes that a transfer may have; negative: no such transfer is expected. */
    int64_t (*most)(void *context, int32_t task);
    void (*sent)(void *context, int32_t act);
    void (*received)(void *context, int32_t task, void *bytes, size_t n);
    void (*noticed)(void *context, enum notice_of what, int32_t number, bool flag);
    void *context;
};

/* The first 'ranks' processes of the world; the others get no wire (*out NULL). Called by all. */
int wire_open(int ranks, struct wire **out);
void wire_close(struct wire *w); /* accepts NULL */

int wire_send(struct wire *w, int peer, int32_t task, const void *bytes, size_t n, int32_t act);
int wire_notify(struct wire *w, int peer, enum notice_of what, int32_t number, bool flag);

/* Sums values in place over all ranks, by the MPI library's own algorithm; all ranks call it in one order. 'sent' is
 * called when it is over. */
int wire_reduce(struct wire *w, float *values, size_t n, int32_t act);

/* Takes what happened since the last call. *some: anything did. */
int wire_poll(struct wire *w, const struct wire_events *on, bool *some);
void wire_release(struct wire *w, void *bytes);
bool wire_idle(const struct wire *w); /* all that was sent is on its way */

/* Among the ranks of the wire, blocking: outside of what is timed. */
void wire_barrier(struct wire *w);
void wire_share(struct wire *w, void *bytes, size_t n);                  /* rank 0's to all */
void wire_gather(struct wire *w, const void *mine, size_t n, void *all); /* n bytes of each, to rank 0 */
void wire_most(struct wire *w, int64_t values[], size_t n);              /* of each the largest, at every rank */

#endif
