/* campaign.h - the points of a scenario executed by processes that this one starts, sees, and if need be ends: what
 * dies or hangs costs its point, no more.
 * Groups     points whose ranks are on the same machines, with the same links, share one start of MPI.
 * Errors     a nw_status: NW_EIO if a point failed, after the others were executed; the message printed. */
#ifndef NARROWS_HARNESS_EXEC_CAMPAIGN_H
#define NARROWS_HARNESS_EXEC_CAMPAIGN_H

#include "harness/exec/session.h"

struct lab;

struct campaign {
    char *const *arguments; /* of narrows exec: what the ranks get */
    bool in_lab;
    const char *join; /* the lab of that name; NULL: one of its own */
    struct store *store;
    struct lab *lab; /* NULL until one is needed; kept for the next session, campaign_close() closes it */
    size_t failed;   /* points, so far */
};

/* What is predicted for the points of a session, stored; the points are then due. NW_EINPUT before anything ran for
 * what cannot be executed. */
int campaign_predict(struct campaign *c, struct session *s);

/* Execute those of them that are due. */
int campaign_execute(struct campaign *c, struct session *s);
void campaign_close(struct campaign *c);

/* The same in a process that was launched as a rank, by a campaign or by hand. */
int campaign_take_part(struct session *s);

#endif
