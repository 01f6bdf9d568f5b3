/* copy.c - the group "copy": the ways to copy, and the anchors' slower rows, against the fastest one. */
#include "kernels/copy/copy.h"

#include "harness/bench/group/groups.h"
#include "harness/status.h"
#include "kernels/anchor/anchor.h"

struct job {
    const struct session *s;
    const struct copy_impl *row;
};

static void run_copy(struct work *w)
{
    const struct job *j = w->arg;

    j->row->run(j->s->result, j->s->change, 4 * j->s->n);
}

static int time_copies(struct session *s)
{
    static const struct loop copy = { "copy", ANCHOR_COPY, 8, 0, run_copy, NULL };
    int rc = NW_OK;

    for (const struct copy_impl *im = copy_impls; im->impl.name && !rc; im++)
        if (session_wants(s, &im->impl))
            rc = session_loops(s, &copy, 1, im->impl.name, "", &(struct job){ s, im });
    return rc;
}

static int time_row(struct session *s, const struct anchor_impl *im)
{
    struct anchor_loops loops;
    int rc = NW_OK;

    session_anchor_loops(s, im, &loops);
    for (enum anchor i = ANCHOR_UPDATE; i < NANCHORS && !rc; i++)
        if (im != s->anchor_row)
            rc = session_time(s, &s->anchors[i], &loops.works[i], 1);
    return rc;
}

static int rows(struct session *s)
{
    int rc = time_copies(s);

    for (const struct anchor_impl *im = anchor_impls; im->impl.name && !rc; im++)
        if (session_wants(s, &im->impl))
            rc = time_row(s, im);
    return rc;
}

const struct group group_copy = { "copy", "copies, and slower forms of the loops compared with", rows };
