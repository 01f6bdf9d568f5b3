/* session.h - private to what measures: a part's time, and where its results go. */
#ifndef NARROWS_HARNESS_NETWORK_SESSION_H
#define NARROWS_HARNESS_NETWORK_SESSION_H

#include "harness/network/measure.h"

enum { LEAST_REPETITIONS = 3 };

struct session {
    const struct transport *by;
    const struct network_options *options;
    struct network_result *out;
    int64_t end_ns; /* of the part now being measured */
};

/* Nanoseconds that the part has left, at least 0. */
int64_t session_left_ns(const struct session *s);

void session_note(const struct session *s, const char *what, int64_t bytes);

/* ladder.c: messages alone, collectives, each over a list of ascending sizes; every one is tried once to warm up and to
 * see how long it takes. *done: how many of the sizes there was time for. */
int session_ladder(struct session *s, enum pattern p, int peer, const int64_t *sizes, size_t n, size_t *done);

/* streams.c: the parts that are streams. */
int session_streams(struct session *s);    /* one way and both, with large messages and small ones */
int session_messages(struct session *s);   /* one way, by size of message */
int session_concurrent(struct session *s); /* all members at once */

#endif
