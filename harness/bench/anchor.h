/* anchor.h - the copy that a session compares with. */
#ifndef NARROWS_HARNESS_BENCH_ANCHOR_H
#define NARROWS_HARNESS_BENCH_ANCHOR_H

struct session;

/* The best copy for where the session's weights are and for its number of threads. */
void anchor_choose(struct session *s);

#endif
