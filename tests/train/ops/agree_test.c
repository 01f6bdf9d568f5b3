/* Operations of recommendation models and Transformers on shapes that threads share: every backend says what the
 * reference says, and the same bits with one, two and three threads.
 * Tolerance  attention's scores are some tens, and exp() of them makes as many times more of what rounding left; a
 *            gradient sums 164 such. A lost or doubled product is off by some tenths. */
#include <math.h>
#include <string.h>

#include "tests/train/ops/help.h"

enum { ARRAYS = 10 };

/* Values in (-1, 1) or, if 'past' is not 0, integers from 'from' on and below it. */
struct array {
    size_t n;
    int32_t from, past;
};

struct agreement {
    const char *name;
    int (*run)(struct bench *t, struct tensor *a);
    struct array arrays[ARRAYS]; /* in the order of the arguments; what is written or added to, too */
    unsigned written;            /* bit i: array i */
    unsigned positive;           /* bit i: values in (0, 1) */
    double tolerance;            /* times 1 + |the value|; 0: to the bit */
};

#define RUN(name, call)                                \
    static int name(struct bench *t, struct tensor *a) \
    {                                                  \
        const struct ops_backend *b = t->b;            \
        struct ops *o = t->o;                          \
                                                       \
        return b->call;                                \
    }

static const struct bag_shape bags = { .batch = 300, .tables = 5, .lookups = 3, .dim = 18, .leading = 16 };
enum { NIDS = 300 * 15, NROWS = 700, NBAGS = 300 * (16 + 90), NLEADING = 300 * 16, NTABLE = NROWS * 18 };
RUN(bag_forward, bag_forward(o, &bags, a[0].v, ids_of(&a[1]), a[2].v, a[3].v, NULL))
RUN(bag_backward_data, bag_backward_data(o, &bags, a[0].v, a[1].v, NULL))
RUN(bag_update, bag_update(o, &bags, 0.1f, ids_of(&a[0]), a[1].v, a[2].v, NULL))

enum { NVECTORS = 200 * 9 * 21, NPAIRS = 200 * (21 + 36) };
RUN(interact_forward, interact_forward(o, 200, 9, 21, a[0].v, a[1].v, NULL))
RUN(interact_backward, interact_backward(o, 200, 9, 21, a[0].v, a[1].v, a[2].v, NULL))

enum { NCLICKS = 50000, NWORDS = 100, NCLASSES = 501 };
RUN(bce_backward, bce_backward(o, NCLICKS, a[0].v, ids_of(&a[1]), a[2].v, a[3].v, NULL))
RUN(softmax_backward, softmax_backward(o, NWORDS, NCLASSES, a[0].v, ids_of(&a[1]), a[2].v, a[3].v, NULL))

enum { NR = 203, ND = 301 };
RUN(layernorm_forward, layernorm_forward(o, NR, ND, a[0].v, a[1].v, a[2].v, a[3].v, a[4].v, a[5].v, NULL))
RUN(layernorm_backward,
    layernorm_backward(o, NR, ND, a[0].v, a[1].v, a[2].v, a[3].v, a[4].v, a[5].v, a[6].v, a[7].v, NULL))

enum { NTOKENS = 20 * 31, NVALUES = 270 };
RUN(tokens_forward, tokens_forward(o, 20, 31, NVALUES, ids_of(&a[0]), a[1].v, a[2].v, NULL))
RUN(tokens_backward, tokens_backward(o, 20, 31, NVALUES, ids_of(&a[0]), a[1].v, a[2].v, NULL))

static const struct image_shape first = { 40, 10, 9, 8 }, second = { 40, 5, 9, 8 };
RUN(concat, concat(o, &first, &second, a[0].v, a[1].v, a[2].v, NULL))
RUN(concat_backward, concat_backward(o, &first, &second, a[0].v, a[1].v, a[2].v, NULL))

static const struct attention_shape self = { 4, 41, 41, 64, 4, 1 }, cross = { 3, 30, 50, 40, 5, 0 };
enum { NSELF = 4 * 41 * 64, NASKS = 3 * 30 * 40, NTOLD = 3 * 50 * 40 };

/* x, memory or nothing, w, b, y; or x, memory, w, b, dy, dx, dmemory, dw, db. */
static int attend(struct bench *t, const struct attention_shape *s, struct tensor *a, int forward)
{
    struct tensor scratch = tensor(t, t->b->attention_workspace(t->o, s) / sizeof(float), 0);
    float *memory = a[1].n ? a[1].v : NULL, *dmemory = a[1].n ? a[6].v : NULL;
    size_t nscratch = scratch.n * sizeof(float);
    int rc;

    if (forward)
        rc = t->b->attention_forward(t->o, s, a[0].v, memory, a[2].v, a[3].v, a[4].v, scratch.v, nscratch, NULL);
    else
        rc = t->b->attention_backward(t->o, s, a[0].v, memory, a[4].v, a[2].v, a[3].v, a[5].v, dmemory, a[7].v, a[8].v,
                                      scratch.v, nscratch, NULL);
    worked(t, rc, "attention");
    tensor_done(&scratch);
    return 0;
}

static int self_forward(struct bench *t, struct tensor *a)
{
    return attend(t, &self, a, 1);
}

static int self_backward(struct bench *t, struct tensor *a)
{
    return attend(t, &self, a, 0);
}

static int cross_forward(struct bench *t, struct tensor *a)
{
    return attend(t, &cross, a, 1);
}

static int cross_backward(struct bench *t, struct tensor *a)
{
    return attend(t, &cross, a, 0);
}

#define F(n)    \
    {           \
        n, 0, 0 \
    }
#define W(dim) F(4 * (dim) * (dim)), F(4 * (dim))

static const struct agreement agreements[] = {
    { "bag_forward", bag_forward, { F(NLEADING), { NIDS, 0, NROWS }, F(NTABLE), F(NBAGS) }, 8, 0, 0 },
    { "bag_backward_data", bag_backward_data, { F(NBAGS), F(NLEADING) }, 2, 0, 0 },
    { "bag_update", bag_update, { { NIDS, 0, NROWS }, F(NBAGS), F(NTABLE) }, 4, 0, 0 },
    { "bag_update of few rows", bag_update, { { NIDS, 0, 3 }, F(NBAGS), F(NTABLE) }, 4, 0, 0 },
    { "interact_forward", interact_forward, { F(NVECTORS), F(NPAIRS) }, 2, 0, 0 },
    { "interact_backward", interact_backward, { F(NVECTORS), F(NPAIRS), F(NVECTORS) }, 4, 0, 0 },
    { "bce_backward", bce_backward, { F(NCLICKS), { NCLICKS, 0, 2 }, F(NCLICKS), F(1) }, 12, 1, 1e-6 },
    { "softmax_backward",
      softmax_backward,
      { F(NWORDS * NCLASSES), { NWORDS, 0, NCLASSES }, F(NWORDS *NCLASSES), F(1) },
      12,
      1,
      1e-6 },
    { "softmax_backward of some",
      softmax_backward,
      { F(NWORDS * NCLASSES), { NWORDS, -2, 4 }, F(NWORDS *NCLASSES), F(1) },
      12,
      1,
      1e-6 },
    { "layernorm_forward", layernorm_forward, { F(NR * ND), F(ND), F(ND), F(NR *ND), F(NR), F(NR) }, 56, 0, 1e-6 },
    { "layernorm_backward",
      layernorm_backward,
      { F(NR * ND), F(NR *ND), F(ND), F(NR), F(NR), F(NR *ND), F(ND), F(ND) },
      224,
      16,
      1e-5 },
    { "tokens_forward", tokens_forward, { { NTOKENS, 0, 50 }, F(50 * NVALUES), F(NTOKENS *NVALUES) }, 4, 0, 1e-6 },
    { "tokens_backward", tokens_backward, { { NTOKENS, 0, 50 }, F(NTOKENS *NVALUES), F(50 * NVALUES) }, 4, 0, 0 },
    { "concat", concat, { F(40 * 720), F(40 * 360), F(40 * 1080) }, 4, 0, 0 },
    { "concat_backward", concat_backward, { F(40 * 1080), F(40 * 720), F(40 * 360) }, 6, 0, 0 },
    { "attention_forward, self", self_forward, { F(NSELF), F(0), W(64), F(NSELF) }, 16, 0, 1e-4 },
    { "attention_backward, self",
      self_backward,
      { F(NSELF), F(0), W(64), F(NSELF), F(NSELF), F(0), W(64) },
      416,
      0,
      1e-3 },
    { "attention_forward, cross", cross_forward, { F(NASKS), F(NTOLD), W(40), F(NASKS) }, 16, 0, 1e-4 },
    { "attention_backward, cross",
      cross_backward,
      { F(NASKS), F(NTOLD), W(40), F(NASKS), F(NASKS), F(NTOLD), W(40) },
      480,
      0,
      1e-3 },
};

static void fill(const struct agreement *g, size_t i, struct tensor *x)
{
    const struct array *a = &g->arrays[i];

    tensor_fill(x, 21 + i);
    for (size_t j = 0; j < x->n; j++) {
        int32_t id = a->from + (int32_t)(((double)x->v[j] + 1) / 2 * (double)(a->past - a->from));

        if (a->past)
            memcpy(&x->v[j], &id, sizeof(id));
        else if (g->positive >> i & 1)
            x->v[j] = fabsf(x->v[j]);
    }
}

static void run(struct bench *t, const struct agreement *g, struct tensor *a)
{
    for (size_t i = 0; i < ARRAYS; i++) {
        a[i] = tensor(t, g->arrays[i].n, 0);
        fill(g, i, &a[i]);
    }
    worked(t, g->run(t, a), g->name);
}

static void done(struct tensor *a)
{
    for (size_t i = 0; i < ARRAYS; i++)
        tensor_done(&a[i]);
}

static void agree(struct bench *t, const struct agreement *g, const struct tensor *got, const struct tensor *want)
{
    for (size_t i = 0; i < ARRAYS; i++)
        for (size_t j = 0; j < want[i].n; j++) {
            double tolerance = g->written >> i & 1 ? g->tolerance * (1 + fabs((double)want[i].v[j])) : 0;
            double off = fabs((double)got[i].v[j] - (double)want[i].v[j]);

            if (tolerance > 0 ? !(off <= tolerance) : memcmp(&got[i].v[j], &want[i].v[j], sizeof(float)) != 0)
                fail_msg("%s: %s: array %zu, value %zu is %.9g, the reference says %.9g", t->b->name, g->name, i, j,
                         (double)got[i].v[j], (double)want[i].v[j]);
        }
}

/* An agreement, and what the reference makes of it. */
struct expected {
    const struct agreement *agreement;
    const struct tensor *arrays;
};

static void check(struct bench *t)
{
    const struct expected *e = t->with;
    struct tensor first_run[ARRAYS], next[ARRAYS];

    threads(1);
    run(t, e->agreement, first_run);
    agree(t, e->agreement, first_run, e->arrays);
    for (int n = 2; n <= 3; n++) {
        threads(n);
        run(t, e->agreement, next);
        for (size_t i = 0; i < ARRAYS; i++)
            if (first_difference(&first_run[i], &next[i]) >= 0)
                fail_msg("%s: %s: array %zu, value %lld is not the same with 1 thread and with %d", t->b->name,
                         e->agreement->name, i, (long long)first_difference(&first_run[i], &next[i]), n);
        done(next);
    }
    threads(2);
    done(first_run);
}

static void backends_agree(void **state)
{
    char why[256];
    struct bench reference = { &ops_reference, ops_reference.open(why, sizeof(why)), NULL };

    (void)state;
    assert_non_null(reference.o);
    for (size_t i = 0; i < COUNT(agreements); i++) {
        struct tensor want[ARRAYS];

        threads(2);
        run(&reference, &agreements[i], want);
        each_backend_with(check, &(struct expected){ &agreements[i], want });
        done(want);
    }
    ops_reference.close(reference.o);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(backends_agree) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
