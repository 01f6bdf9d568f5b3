/* campaign.h - the points of a scenario executed by processes that this one starts, sees, and if need be ends: what
 * dies or hangs costs its point, no more.
 * Groups     points whose ranks are on the same machines, with the same links, share one start of MPI.
 * Errors     a nw_status: NW_EIO if a point failed, after the others were executed; the message printed. */
#ifndef NARROWS_HARNESS_EXEC_CAMPAIGN_H
#define NARROWS_HARNESS_EXEC_CAMPAIGN_H

#include "harness/exec/session.h"

struct campaign {
    char *const *arguments; /* of this command, after its name: the ranks get the same */
    bool in_lab;
    const char *lab; /* one that is up; NULL: one of its own */
};

int campaign_run(struct session *s, const struct campaign *c);

/* The same in a process that was launched as a rank, by a campaign or by hand. */
int campaign_take_part(struct session *s);

#endif
