/* select.c - the group "select": the exact k-th magnitude, alone and with the k values, and the largest of each row.
 * Each is counted as reading the values once, so that a ratio of 0.5 to the anchor, which does that, means the time of
 * two such passes, whatever is written besides. */
#include "kernels/select/select.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/bench/group/groups.h"
#include "harness/count.h"
#include "harness/status.h"
#include "kernels/topk_rows/topk_rows.h"

enum { COLUMNS = 1024, KEPT = 51, SORT_MOST = 1 << 24 /* values: 3 s a repetition */ };

struct job {
    struct session *s;
    const struct select_impl *select;
    const struct topk_impl *topk;
    size_t n, k;
    uint64_t *bitmap;
    float *values;
    void *work;
    uint32_t *scratch, found;
};

/* Hoare's: the k-th largest of n words, which are put in another order. */
static uint32_t quickselect(uint32_t *words, size_t n, size_t k)
{
    ptrdiff_t first = 0, last = (ptrdiff_t)n - 1, wanted = (ptrdiff_t)k - 1;

    while (first < last) {
        uint32_t pivot = words[first + (last - first) / 2];
        ptrdiff_t i = first, j = last;

        while (i <= j) {
            while (words[i] > pivot)
                i++;
            while (words[j] < pivot)
                j--;
            if (i <= j) {
                uint32_t word = words[i];

                words[i++] = words[j];
                words[j--] = word;
            }
        }
        if (wanted > j && wanted < i)
            break;
        first = wanted >= i ? i : first;
        last = wanted <= j ? j : last;
    }
    return words[wanted];
}

static void magnitudes(uint32_t *words, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        words[i] = sparse_magnitude(sparse_word(x[i]));
}

static void run_quickselect(struct work *w)
{
    struct job *job = w->arg;

    magnitudes(job->scratch, job->s->change, job->n);
    job->found = quickselect(job->scratch, job->n, job->k);
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Algorithm 1 as it is written, lines 4 and 5: a copy, sorted whole, whatever k is. */
static void run_sort(struct work *w)
{
    struct job *job = w->arg;

    magnitudes(job->scratch, job->s->change, job->n);
    qsort(job->scratch, job->n, sizeof(*job->scratch), ascending);
    job->found = job->scratch[job->n - job->k];
}

static void run_quickselect_rows(struct work *w)
{
    struct job *job = w->arg;
    const float *x = job->s->change;

    for (size_t i = 0; i + COLUMNS <= job->n; i += COLUMNS) {
        magnitudes(job->scratch, x + i, COLUMNS);
        job->found ^= quickselect(job->scratch, COLUMNS, KEPT);
    }
}

static void run_kth(struct work *w)
{
    struct job *job = w->arg;
    struct select_result r;

    job->select->kth(&job->select->impl, &r, job->s->change, job->n, job->k, job->work);
    job->found = r.keep.threshold;
}

static void run_top(struct work *w)
{
    struct job *job = w->arg;
    struct select_result r;

    job->select->top(&job->select->impl, &r, job->bitmap, job->values, job->s->change, job->n, job->k, job->work);
    job->found = r.keep.threshold;
}

static void run_rows(struct work *w)
{
    struct job *job = w->arg;

    job->topk->select(&job->topk->impl, job->bitmap, job->values, job->s->change, job->n / COLUMNS, COLUMNS, KEPT,
                      job->work);
}

static int time_one(struct job *job, const char *kernel, const char *impl, double share, void (*run)(struct work *w))
{
    struct work w = { .kernel = kernel, .impl = impl, .nbytes = 4 * (double)job->n, .run = run, .arg = job };

    if (share > 0)
        snprintf(w.variant, sizeof(w.variant), "density=%g%%", 100 * share);
    else
        snprintf(w.variant, sizeof(w.variant), "%d of %d", KEPT, COLUMNS);
    return session_time(job->s, &job->s->anchors[ANCHOR_READ], &w, 1);
}

static int time_share(struct job *job, double share)
{
    int rc = NW_OK;

    job->k = (size_t)((double)job->n * share);
    if (!job->k)
        return NW_OK;
    for (job->select = select_impls; job->select->impl.name && !rc; job->select++) {
        if (!session_wants(job->s, &job->select->impl))
            continue;
        rc = time_one(job, "select", job->select->impl.name, share, run_kth);
        if (!rc)
            rc = time_one(job, "select top", job->select->impl.name, share, run_top);
    }
    if (!rc && session_wants_peer(job->s, "quickselect"))
        rc = time_one(job, "select", "quickselect", share, run_quickselect);
    return rc;
}

/* Its time does not depend on the share: once is enough, of sizes that a layer has. */
static int time_sort(struct job *job, double share)
{
    job->k = (size_t)((double)job->n * share);
    if (!job->k || job->n > SORT_MOST || job->s->threads > 1 || !session_wants_peer(job->s, "copy+sort"))
        return NW_OK;
    return time_one(job, "select", "copy+sort", share, run_sort);
}

static int time_rows(struct job *job)
{
    int rc = NW_OK;

    if (job->n < COLUMNS)
        return NW_OK;
    for (job->topk = topk_impls; job->topk->impl.name && !rc; job->topk++)
        if (session_wants(job->s, &job->topk->impl))
            rc = time_one(job, "select rows", job->topk->impl.name, 0, run_rows);
    if (!rc && session_wants_peer(job->s, "quickselect"))
        rc = time_one(job, "select rows", "quickselect", 0, run_quickselect_rows);
    return rc;
}

static size_t greater(size_t a, size_t b)
{
    return a > b ? a : b;
}

static int rows(struct session *s)
{
    static const double shares[] = { 0.001, 0.01, 0.05, 0.25 };
    double asked = s->o->density, most = asked > 0.25 ? asked : 0.25;
    struct job job = { .s = s, .n = s->n, .values = s->result };
    size_t k = (size_t)((double)job.n * most), words = job.n / 64 + job.n / COLUMNS + 1;
    int rc = NW_OK;

    if (s->device)
        return NW_OK;
    job.bitmap = session_alloc(s, 8 * words);
    job.work = session_alloc(s, greater(select_top_work(job.n, k), topk_work(job.n / COLUMNS, COLUMNS)));
    job.scratch = session_alloc(s, 4 * greater(job.n, COLUMNS));
    if (!job.bitmap || !job.work || !job.scratch)
        return NW_ENOMEM;
    if (asked > 0)
        rc = time_share(&job, asked);
    for (size_t i = 0; i < COUNT(shares) && !rc && asked <= 0; i++)
        rc = time_share(&job, shares[i]);
    if (!rc)
        rc = time_sort(&job, asked > 0 ? asked : 0.05);
    return rc ? rc : time_rows(&job);
}

const struct group group_select = { "select", "the exact k-th magnitude, and the largest of each row", rows };
