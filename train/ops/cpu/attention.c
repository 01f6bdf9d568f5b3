/* attention.c - the core of attention (attention.h): a head of a sample at a time, some queries at a time; threads take
 * heads.
 * Order      scores and their errors are products of dot_lane.h, shares those of softmax_row.h, sums over a row of
 *            errors double, in cpu_sum()'s order; c, dq, dk and dv are fp32 chains, over the keys (or the queries) in
 *            rising order. */
#include <math.h>
#include <string.h>

#include "train/ops/attention.h"
#include "train/ops/cpu/cpu.h"
#include "train/ops/dot_lane.h"
#include "train/ops/softmax_row.h"
#include "train/ops/vectors.h"

/* Queries that backward takes at a time. */
enum { QUERIES = 16 };

/* Of one head of one sample: its first value in each tensor, and rows of scores (later shares) and of their errors. */
struct head {
    const struct attention_shape *s;
    const float *q, *k, *v;
    float *c, *dc, *dk, *dv, *shares, *errors;
    int64_t size; /* values of a vector that are the head's */
    float scale;
};

static int64_t scratch_floats(const struct attention_shape *s)
{
    return s->batch * s->heads * 2 * QUERIES * s->keys;
}

/* Where head n % heads of sample n / heads begins, of vectors 'each' to a sample. */
static int64_t place(const struct attention_shape *s, int64_t n, int64_t each)
{
    return n / s->heads * each * s->dim + n % s->heads * (s->dim / s->heads);
}

static struct head head_of(const struct attention_shape *s, int64_t n, const float *q, const float *k, const float *v,
                           float *scratch)
{
    int64_t size = s->dim / s->heads;
    struct head h = { .s = s, .size = size, .scale = (float)(1 / sqrt((double)size)) };

    h.q = q + place(s, n, s->queries);
    h.k = k + place(s, n, s->keys);
    h.v = v + place(s, n, s->keys);
    h.shares = scratch + n * 2 * QUERIES * s->keys;
    h.errors = h.shares + QUERIES * s->keys;
    return h;
}

static int64_t keys_seen(const struct head *h, int64_t query)
{
    return h->s->causal ? query + 1 : h->s->keys;
}

static void set_zero(const struct head *h, int64_t vectors, float *x)
{
    for (int64_t i = 0; i < vectors; i++)
        memset(x + i * h->s->dim, 0, (size_t)h->size * sizeof(*x));
}

/* Which share each of the keys has in what query 'i' gets. */
static void find_shares(const struct head *h, int64_t i, float *shares)
{
    int64_t count = keys_seen(h, i);

    vectors_products(h->q + i * h->s->dim, h->k, h->s->dim, count, h->size, shares);
    softmax_row(count, shares, h->scale, shares);
}

/* What the query gets. */
static void add_values(const struct head *h, int64_t i, const float *shares)
{
    float *c = h->c + i * h->s->dim;

    set_zero(h, 1, c);
    vectors_sum(shares, 1, h->v, h->s->dim, keys_seen(h, i), h->size, c);
}

static void forward_head(const struct head *h)
{
    for (int64_t i = 0; i < h->s->queries; i++) {
        find_shares(h, i, h->shares);
        add_values(h, i, h->shares);
    }
}

/* With p the shares and g = dc v^T: a score's error is p (g - sum of (p g)), and a score is scale q k. */
CPU_CLONES static void errors_of_scores(int64_t n, const float *restrict shares, float sum, float scale,
                                        float *restrict errors)
{
    for (int64_t j = 0; j < n; j++)
        errors[j] = shares[j] * (errors[j] - sum) * scale;
}

static void find_errors(const struct head *h, int64_t i, const float *shares, float *errors)
{
    int64_t count = keys_seen(h, i);

    vectors_products(h->dc + i * h->s->dim, h->v, h->s->dim, count, h->size, errors);
    errors_of_scores(count, shares, (float)cpu_dot(shares, errors, count), h->scale, errors);
}

/* The queries from 'first' on: what they get, what they add to keys and values, and their own errors in place of dc. */
static void backward_queries(const struct head *h, int64_t first, int64_t queries)
{
    int64_t dim = h->s->dim, keys = h->s->keys;

    for (int64_t i = 0; i < queries; i++) {
        find_shares(h, first + i, h->shares + i * keys);
        add_values(h, first + i, h->shares + i * keys);
        find_errors(h, first + i, h->shares + i * keys, h->errors + i * keys);
    }
    for (int64_t j = 0; j < keys_seen(h, first + queries - 1); j++) {
        int64_t from = h->s->causal && j > first ? j - first : 0, at = (first + from) * dim;

        vectors_sum(h->shares + from * keys + j, keys, h->dc + at, dim, queries - from, h->size, h->dv + j * dim);
        vectors_sum(h->errors + from * keys + j, keys, h->q + at, dim, queries - from, h->size, h->dk + j * dim);
    }
    set_zero(h, queries, h->dc + first * dim);
    for (int64_t i = first; i < first + queries; i++)
        vectors_sum(h->errors + (i - first) * keys, 1, h->k, dim, keys_seen(h, i), h->size, h->dc + i * dim);
}

static void backward_head(const struct head *h)
{
    set_zero(h, h->s->keys, h->dk);
    set_zero(h, h->s->keys, h->dv);
    for (int64_t first = 0; first < h->s->queries; first += QUERIES)
        backward_queries(h, first, h->s->queries - first < QUERIES ? h->s->queries - first : QUERIES);
}

static int forward(struct ops *o, const struct attention_shape *s, const float *q, const float *k, const float *v,
                   float *c, float *scratch, void *stream)
{
    (void)o;
    (void)stream;
    CPU_PARALLEL_FOR(s->batch * s->queries * s->keys * s->dim)
    for (int64_t n = 0; n < s->batch * s->heads; n++) {
        struct head h = head_of(s, n, q, k, v, scratch);

        h.c = c + place(s, n, s->queries);
        forward_head(&h);
    }
    return 0;
}

static int backward(struct ops *o, const struct attention_shape *s, const float *q, const float *k, const float *v,
                    float *c, float *dc, float *dk, float *dv, float *scratch, void *stream)
{
    (void)o;
    (void)stream;
    CPU_PARALLEL_FOR(s->batch * s->queries * s->keys * s->dim)
    for (int64_t n = 0; n < s->batch * s->heads; n++) {
        struct head h = head_of(s, n, q, k, v, scratch);

        h.c = c + place(s, n, s->queries);
        h.dc = dc + place(s, n, s->queries);
        h.dk = dk + place(s, n, s->keys);
        h.dv = dv + place(s, n, s->keys);
        backward_head(&h);
    }
    return 0;
}

static const struct attention_core core = { scratch_floats, forward, backward };

size_t cpu_attention_workspace(struct ops *o, const struct attention_shape *s)
{
    return attention_workspace(o, &core, s);
}

int cpu_attention_forward(struct ops *o, const struct attention_shape *s, const float *x, const float *memory,
                          const float *w, const float *b, float *y, void *workspace, size_t nworkspace, void *stream)
{
    return attention_forward(o, o->backend, &core, s, x, memory, w, b, y, workspace, nworkspace, stream);
}

int cpu_attention_backward(struct ops *o, const struct attention_shape *s, const float *x, const float *memory,
                           const float *dy, const float *w, const float *b, float *dx, float *dmemory, float *dw,
                           float *db, void *workspace, size_t nworkspace, void *stream)
{
    return attention_backward(o, o->backend, &core, s, x, memory, dy, w, b, dx, dmemory, dw, db, workspace, nworkspace,
                              stream);
}
