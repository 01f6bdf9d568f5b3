/* gemm.c - the group "gemm": square products in every precision, next to oneDNN's and OpenBLAS's in fp32, and the
 * fused multiply-add value by value. N is the root of the number of values, down to a multiple of 16, and at most
 * 1536. All products are compared with oneDNN's, else with OpenBLAS's, else with our own in fp32; those with bf16
 * accumulators with our own in fp32 too. */
#include "kernels/gemm/gemm.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "harness/bench/group/groups.h"
#include "harness/status.h"
#include "kernels/fma/fma.h"

#ifdef NW_HAVE_OPENBLAS
#include <cblas.h>
#endif
#ifdef NW_HAVE_DNNL
#include <dnnl.h>
#endif

/* The definition takes a minute for what the others do in a blink: only for small products. */
enum { MOST = 1536, MOST_SCALAR = 256, COUNTED = 1 << 20, MAX_WORKS = 32 };

struct job {
    const struct gemm_impl *row;
    struct gemm_problem p;
    void *work;
};

struct fma_job {
    struct session *s;
    const struct fma_impl *row;
    enum fma_mode mode;
};

static void run_row(struct work *w)
{
    const struct job *j = w->arg;

    j->row->run(&j->row->impl, &j->p, j->work);
}

/* OpenBLAS's threads look for more work for some 30 ms after a product, and take the time from whoever comes next. */
static void settle(struct work *w)
{
    const struct timespec wait = { .tv_nsec = 50000000 };

    (void)w;
    nanosleep(&wait, NULL);
}

#ifdef NW_HAVE_OPENBLAS
static void run_openblas(struct work *w)
{
    const struct gemm_problem *p = &((const struct job *)w->arg)->p;
    int n = (int)p->n;

    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, p->a, n, p->b, n, 0, p->c, n);
}
#endif

#ifdef NW_HAVE_DNNL
static void run_dnnl(struct work *w)
{
    const struct gemm_problem *p = &((const struct job *)w->arg)->p;
    dnnl_dim_t n = (dnnl_dim_t)p->n;

    dnnl_sgemm('N', 'N', n, n, n, 1, p->a, n, p->b, n, 0, p->c, n);
}
#endif

static struct work product(struct session *s, const char *impl, void (*run)(struct work *), struct job *j)
{
    double n = (double)j->p.n;
    struct work w = { .impl = impl, .flops = 2 * n * n * n, .nbytes = 12 * n * n, .run = run, .arg = j };

    w.kernel = j->p.mode == FMA_FP32   ? "gemm-fp32"
               : j->p.mode == FMA_MP   ? "gemm-mp"
               : j->p.mode == FMA_BF16 ? "gemm-bf16"
                                       : "gemm-bf16dot";
    w.before = s->threads > 1 && !s->device ? settle : NULL;
    snprintf(w.variant, sizeof(w.variant), "N=%zu", j->p.n);
    return w;
}

/* The first one there is becomes what the others are compared with. */
static size_t add_peers(struct session *s, struct job *peer, struct work *works, struct work *against)
{
    size_t n = 0;

    (void)peer;
    (void)works;
    (void)against;
    if (s->device)
        return 0;
#ifdef NW_HAVE_OPENBLAS
    openblas_set_num_threads(s->threads);
    *against = product(s, "openblas", run_openblas, peer);
    if (session_wants_peer(s, "openblas"))
        works[n++] = *against;
#endif
#ifdef NW_HAVE_DNNL
    *against = product(s, "dnnl", run_dnnl, peer);
    if (session_wants_peer(s, "dnnl"))
        works[n++] = *against;
#endif
    return n;
}

static size_t add_rows(struct session *s, struct job *jobs, const struct gemm_problem *p, void *work,
                       struct work *works, size_t n)
{
    for (enum fma_mode mode = 0; mode < FMA_NMODES; mode++)
        for (const struct gemm_impl *im = gemm_impls; im->impl.name && n < MAX_WORKS; im++) {
            bool definition = im->work_size(&im->impl, p) == 0 && im->impl.where == IMPL_HOST;

            if (!gemm_has(im, mode) || !session_wants(s, &im->impl) || (definition && p->n > MOST_SCALAR))
                continue;
            jobs[n] = (struct job){ im, *p, work };
            jobs[n].p.mode = mode;
            works[n] = product(s, im->impl.name, run_row, &jobs[n]);
            n++;
        }
    return n;
}

/* Our best row in fp32 that the session has, whether --impl asks for it or not. */
static bool own_fp32(struct session *s, struct job *j, const struct gemm_problem *p, void *work)
{
    for (const struct gemm_impl *im = gemm_impls; im->impl.name; im++)
        if (gemm_has(im, FMA_FP32) && session_fits(s, &im->impl)) {
            *j = (struct job){ im, *p, work };
            return true;
        }
    return false;
}

static int time_products(struct session *s, size_t side)
{
    struct gemm_problem p = { FMA_FP32, side, side, side, s->change, side, 0, s->state, side, 0, s->result, side, 0 };
    struct job jobs[MAX_WORKS], peer = { NULL, p, NULL }, own;
    struct work works[MAX_WORKS], bf16[MAX_WORKS], against = { 0 }, fp32;
    void *work = session_alloc(s, gemm_work_size(&p));
    size_t n, nbf16 = 0;
    int rc = NW_OK;

    if (!work)
        return NW_ENOMEM;
    if (!own_fp32(s, &own, &p, work))
        return NW_OK;
    fp32 = product(s, own.row->impl.name, run_row, &own);
    n = add_rows(s, jobs, &p, work, works, add_peers(s, &peer, works, &against));
    for (size_t i = 0; i < n; i++) {
        const struct job *j = works[i].arg;

        if (j->p.mode == FMA_BF16 || j->p.mode == FMA_BF16DOT)
            bf16[nbf16++] = works[i];
    }
    if (n)
        rc = session_time(s, against.run ? &against : &fp32, works, n);
    return rc || !nbf16 || !against.run ? rc : session_time(s, &fp32, bf16, nbf16);
}

static void run_fma(struct work *w)
{
    const struct fma_job *j = w->arg;

    j->row->run(&j->row->impl, j->mode, j->s->result, j->s->change, j->s->state, j->s->change, j->s->n);
}

/* Along with the bf16 one: of how many in a million random triples the second rounding changes the result. */
static int time_fma(struct session *s)
{
    static const char *const names[] = { "fma-fp32", "fma-mp", "fma-bf16" };
    size_t n = s->n, counted = n < COUNTED ? n : COUNTED;
    double share = 1e6 / (double)counted * (double)fma_rounded_twice(s->change, s->state, s->result, counted);
    int rc = NW_OK;

    for (enum fma_mode mode = FMA_FP32; mode <= FMA_BF16; mode++)
        for (const struct fma_impl *im = fma_impls; im->impl.name && !rc; im++) {
            struct fma_job j = { s, im, mode };
            struct work w = {
                .kernel = names[mode], .impl = im->impl.name, .nbytes = 12 * (double)n, .run = run_fma, .arg = &j
            };

            if (!session_wants(s, &im->impl))
                continue;
            if (mode == FMA_BF16)
                snprintf(w.variant, sizeof(w.variant), "rounded-twice=%.1fppm", share);
            rc = session_time(s, &s->anchors[ANCHOR_UPDATE], &w, 1);
        }
    return rc;
}

static int rows(struct session *s)
{
    size_t side = (size_t)sqrt((double)s->n) / 16 * 16;
    int rc = s->device || !s->n ? NW_OK : time_fma(s);

    if (rc || !side)
        return rc;
    return time_products(s, side < MOST ? side : MOST);
}

const struct group group_gemm = { "gemm", "matrix products and FMA in fp32, mixed and bf16 precision", rows };
