/* copy.c - the group "copy": the ways to copy, and the anchors' slower rows, against the fastest one. */
#include "kernels/copy/copy.h"

#include <string.h>

#include "harness/bench/group/groups.h"
#include "harness/count.h"
#include "harness/status.h"
#include "kernels/anchor/anchor.h"

struct job {
    struct session *s;
    const struct copy_impl *copy;
    const struct anchor_impl *row;
    float *result;
};

static void run_copy(struct work *w)
{
    const struct job *job = w->arg;

    job->copy->run(session_result(job->s), session_change(job->s), 4 * session_values(job->s));
}

static void run_update(struct work *w)
{
    const struct job *job = w->arg;

    job->row->update(&job->row->impl, session_state(job->s), session_change(job->s), session_values(job->s));
}

static void run_scale(struct work *w)
{
    const struct job *job = w->arg;

    job->row->scale(&job->row->impl, session_state(job->s), session_values(job->s));
}

static void run_read(struct work *w)
{
    const struct job *job = w->arg;

    job->row->read(&job->row->impl, job->result, session_change(job->s), session_values(job->s));
}

static int time_copies(struct session *s)
{
    for (const struct copy_impl *im = copy_impls; im->impl.name; im++) {
        struct job job = { .s = s, .copy = im };
        struct work w = { .kernel = "copy",
                          .impl = im->impl.name,
                          .nbytes = 8 * (double)session_values(s),
                          .run = run_copy,
                          .arg = &job };
        int rc = session_wants(s, &im->impl) ? session_time(s, session_anchor(s, ANCHOR_COPY), &w, 1) : NW_OK;

        if (rc)
            return rc;
    }
    return NW_OK;
}

static int time_row(struct session *s, const struct anchor_impl *im)
{
    static const struct {
        enum anchor anchor;
        void (*run)(struct work *w);
    } loops[] = { { ANCHOR_UPDATE, run_update }, { ANCHOR_SCALE, run_scale }, { ANCHOR_READ, run_read } };
    struct job job = { .s = s, .row = im, .result = session_alloc(s, sizeof(float)) };
    int rc = job.result ? NW_OK : NW_ENOMEM;

    for (size_t i = 0; i < COUNT(loops) && !rc; i++) {
        struct work *anchor = session_anchor(s, loops[i].anchor), w = *anchor;

        w.impl = im->impl.name;
        w.run = loops[i].run;
        w.arg = &job;
        if (strcmp(w.impl, anchor->impl) != 0)
            rc = session_time(s, anchor, &w, 1);
    }
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
