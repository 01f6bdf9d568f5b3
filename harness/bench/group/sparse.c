/* sparse.c - the group "sparse": a step of DCT with a known threshold (add, mask, compact, keep the rest), and back.
 * Bytes that must move: 12 a value and the payload; back, the values once (stored) or twice (added to) and the payload,
 * but with indices only the payload and, twice, the values that it names. */
#include "kernels/sparse/sparse.h"

#include <stdbool.h>
#include <stdio.h>

#include "harness/bench/group/groups.h"
#include "harness/count.h"
#include "harness/status.h"
#include "kernels/select/select.h"

struct job {
    struct session *s;
    const struct sparse_impl *row;
    size_t n;
    float *error;
    uint8_t *payload;
    void *work;
    struct sparse_keep keep;
    uint64_t nbytes;
};

/* What a step leaves behind would be sent by the next: start each from changes too small to matter. */
static void start_over(struct work *w)
{
    struct job *job = w->arg;

    for (size_t i = 0; i < job->n; i++)
        job->error[i] = 1e-6f * (float)(1 + i % 7);
}

static void compress(struct work *w)
{
    struct job *job = w->arg;

    job->row->compress(&job->row->impl, job->payload, &job->nbytes, job->error, job->s->change, job->n, &job->keep,
                       SPARSE_SMALLER, job->work);
    w->nbytes = 12 * (double)job->n + (double)job->nbytes;
    w->bits = 8 * (double)job->nbytes / (double)job->n;
}

static void expand(struct work *w, enum codec_into into)
{
    struct job *job = w->arg;
    bool scattered = into == CODEC_ADD && job->payload[0];
    float *values = into == CODEC_ADD ? job->s->state : job->s->result;

    job->row->expand(&job->row->impl, values, job->n, into, job->payload, (size_t)job->nbytes, SPARSE_SMALLER,
                     job->work);
    w->nbytes =
        scattered ? 2 * (double)job->nbytes : (into == CODEC_ADD ? 8 : 4) * (double)job->n + (double)job->nbytes;
}

static void store(struct work *w)
{
    expand(w, CODEC_STORE);
}

static void add(struct work *w)
{
    expand(w, CODEC_ADD);
}

static const struct loop loops[] = { { "sparse", ANCHOR_UPDATE, 12, 0, compress, start_over },
                                     { "sparse store", ANCHOR_COPY, 12, 0, store, NULL },
                                     { "sparse add", ANCHOR_SCALE, 12, 0, add, NULL } };

static int time_share(struct job *job, double share)
{
    const struct select_impl *select = select_impls;
    struct select_result r;
    char variant[48];
    void *work = session_alloc(job->s, select_work(job->n));
    int rc = NW_OK;

    if (!work)
        return NW_ENOMEM;
    while (!session_wants(job->s, &select->impl) && select[1].impl.name)
        select++;
    select->kth(&select->impl, &r, job->s->change, job->n, (size_t)((double)job->n * share), work);
    job->keep = (struct sparse_keep){ UINT64_MAX, r.keep.threshold };
    snprintf(variant, sizeof(variant), "density=%g%%", 100 * share);
    for (job->row = sparse_impls; job->row->impl.name && !rc; job->row++)
        if (session_wants(job->s, &job->row->impl))
            rc = session_loops(job->s, loops, COUNT(loops), job->row->impl.name, variant, job);
    return rc;
}

static int rows(struct session *s)
{
    static const double shares[] = { 0.001, 0.01, 0.05, 0.25 };
    double asked = s->o->density;
    struct job job = { .s = s, .n = s->n };
    int rc = NW_OK;

    if (s->device)
        return NW_OK;
    job.error = session_alloc(s, 4 * job.n);
    job.payload = session_alloc(s, sparse_bound(job.n));
    job.work = session_alloc(s, sparse_work(job.n));
    if (!job.error || !job.payload || !job.work)
        return NW_ENOMEM;
    if (asked > 0)
        return time_share(&job, asked);
    for (size_t i = 0; i < COUNT(shares) && !rc; i++)
        rc = time_share(&job, shares[i]);
    return rc;
}

const struct group group_sparse = { "sparse", "values above a known threshold sent, the others kept; and back", rows };
