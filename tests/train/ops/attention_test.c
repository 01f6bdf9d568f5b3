/* Attention on every backend: by hand, against plain loops in double, its gradients against differences; what it must
 * not look at, what it needs, and what is refused. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/train/ops/difference.h"

/* The arguments in the order of forward's, then what backward gives. */
struct work {
    struct attention_shape shape;
    bool self; /* no memory */
    struct tensor x, memory, w, b, y, dy, dx, dmemory, dw, db, workspace;
};

static struct work make(const struct bench *t, const struct attention_shape *s, bool self)
{
    size_t nqueries = (size_t)(s->batch * s->queries * s->dim), nkeys = (size_t)(s->batch * s->keys * s->dim);
    size_t nw = (size_t)(4 * s->dim * s->dim), nb = (size_t)(4 * s->dim);

    return (struct work){ .shape = *s,
                          .self = self,
                          .x = tensor(t, nqueries, 1),
                          .memory = tensor(t, nkeys, 2),
                          .w = tensor(t, nw, 3),
                          .b = tensor(t, nb, 4),
                          .y = tensor(t, nqueries, 0),
                          .dy = tensor(t, nqueries, 5),
                          .dx = tensor(t, nqueries, 0),
                          .dmemory = tensor(t, nkeys, 0),
                          .dw = tensor(t, nw, 6),
                          .db = tensor(t, nb, 7),
                          .workspace = tensor(t, t->b->attention_workspace(t->o, s) / sizeof(float), 0) };
}

static void done(struct work *k)
{
    struct tensor *all[] = { &k->x,  &k->memory,  &k->w,  &k->b,  &k->y,        &k->dy,
                             &k->dx, &k->dmemory, &k->dw, &k->db, &k->workspace };

    for (size_t i = 0; i < COUNT(all); i++)
        tensor_done(all[i]);
}

static int forward(struct bench *t, struct work *k)
{
    return t->b->attention_forward(t->o, &k->shape, k->x.v, k->self ? NULL : k->memory.v, k->w.v, k->b.v, k->y.v,
                                   k->workspace.v, k->workspace.n * sizeof(float), NULL);
}

static int backward(struct bench *t, struct work *k)
{
    return t->b->attention_backward(t->o, &k->shape, k->x.v, k->self ? NULL : k->memory.v, k->dy.v, k->w.v, k->b.v,
                                    k->dx.v, k->self ? NULL : k->dmemory.v, k->dw.v, k->db.v, k->workspace.v,
                                    k->workspace.n * sizeof(float), NULL);
}

/* --- by hand ------------------------------------------------------------------------------------------------------ */

/* Queries and keys are the values of x as they are; values are doubled, with 10 and 20 on top; the output is turned
 * around, and a hundred added. */
static void set_weights(struct work *k)
{
    static const float w[4][4] = { { 1, 0, 0, 1 }, { 1, 0, 0, 1 }, { 2, 0, 0, 2 }, { 0, 1, 1, 0 } };
    static const float b[4][2] = { { 0, 0 }, { 0, 0 }, { 10, 20 }, { 100, 0 } };

    memcpy(k->w.v, w, sizeof(w));
    memcpy(k->b.v, b, sizeof(b));
}

/* With c^2 = sqrt(2) log 3 a query has three quarters of its own key, one of the other one. */
static void by_hand(struct bench *t)
{
    const float c = sqrtf(sqrtf(2) * logf(3));
    struct work k = make(t, &(struct attention_shape){ 1, 2, 2, 2, 1, false }, true);

    set_weights(&k);
    memcpy(k.x.v, (float[]){ c, 0, 0, c }, 4 * sizeof(float));
    worked(t, forward(t, &k), "attention");
    EXPECT(t, "attention", k.y, 1e-4, 120 + 0.5f * c, 10 + 1.5f * c, 120 + 1.5f * c, 10 + 0.5f * c);
    k.shape.causal = true;
    worked(t, forward(t, &k), "attention");
    EXPECT(t, "causal attention", k.y, 1e-4, 120, 10 + 2 * c, 120 + 1.5f * c, 10 + 0.5f * c);
    done(&k);
}

/* The first head sees log 3 and 0, the second one nothing that differs: half and half. */
static void heads_by_hand(struct bench *t)
{
    const float c = sqrtf(logf(3));
    struct work k = make(t, &(struct attention_shape){ 1, 2, 2, 2, 2, false }, true);

    set_weights(&k);
    memcpy(k.x.v, (float[]){ c, 0, 0, 0 }, 4 * sizeof(float));
    worked(t, forward(t, &k), "attention");
    EXPECT(t, "attention", k.y, 1e-4, 120, 10 + 1.5f * c, 120, 10 + c);
    done(&k);
}

/* --- against plain loops ------------------------------------------------------------------------------------------ */

static void project(const float *x, const float *w, const float *b, int64_t dim, double *y)
{
    for (int64_t i = 0; i < dim; i++) {
        y[i] = (double)b[i];
        for (int64_t j = 0; j < dim; j++)
            y[i] += (double)w[i * dim + j] * (double)x[j];
    }
}

enum { MOST_KEYS = 64, MOST_DIM = 64 };

/* What query i of sample n gets. */
static void plain(const struct work *k, int64_t n, int64_t i, float *out)
{
    const struct attention_shape *s = &k->shape;
    int64_t dim = s->dim, size = dim / s->heads, keys = s->causal ? i + 1 : s->keys;
    const float *memory = k->self ? k->x.v : k->memory.v, *w = k->w.v, *b = k->b.v;
    double q[MOST_DIM], key[MOST_KEYS][MOST_DIM], value[MOST_KEYS][MOST_DIM];
    float c[MOST_DIM] = { 0 };
    double y[MOST_DIM];

    project(k->x.v + (n * s->queries + i) * dim, w, b, dim, q);
    for (int64_t j = 0; j < keys; j++) {
        project(memory + (n * s->keys + j) * dim, w + dim * dim, b + dim, dim, key[j]);
        project(memory + (n * s->keys + j) * dim, w + 2 * dim * dim, b + 2 * dim, dim, value[j]);
    }
    for (int64_t d = 0; d < dim; d++) {
        double sum = 0, all = 0;

        for (int64_t j = 0; j < keys; j++) {
            double score = 0;

            for (int64_t e = d / size * size; e < d / size * size + size; e++)
                score += q[e] * key[j][e];
            all += exp(score / sqrt((double)size));
            sum += exp(score / sqrt((double)size)) * value[j][d];
        }
        c[d] = (float)(sum / all);
    }
    project(c, w + 3 * dim * dim, b + 3 * dim, dim, y);
    for (int64_t d = 0; d < dim; d++)
        out[d] = (float)y[d];
}

static const struct shape {
    const char *why;
    struct attention_shape shape;
    bool self;
} shapes[] = {
    { "to itself", { 3, 5, 5, 8, 2, false }, true },
    { "causal", { 2, 7, 7, 12, 3, true }, true },
    { "to a memory", { 2, 3, 11, 16, 4, false }, false },
    { "to a shorter memory", { 2, 9, 2, 6, 1, false }, false },
    { "causal to a memory", { 2, 4, 4, 4, 2, true }, false },
    { "one key", { 4, 3, 1, 6, 2, false }, false },
    { "a head for each value", { 1, 3, 4, 5, 5, false }, false },
    { "odd heads", { 1, 6, 6, 21, 3, true }, true },
    { "heads of ten", { 1, 3, 4, 20, 2, false }, false },
    { "long heads", { 1, 3, 5, 50, 2, false }, false },
    { "many keys", { 1, 33, 64, 8, 2, false }, false },
};

static void check_plain(struct bench *t)
{
    for (size_t c = 0; c < COUNT(shapes); c++) {
        const struct attention_shape *s = &shapes[c].shape;
        struct work k = make(t, s, shapes[c].self);

        worked(t, forward(t, &k), shapes[c].why);
        for (int64_t i = 0; i < s->batch * s->queries; i++) {
            float want[MOST_DIM];

            plain(&k, i / s->queries, i % s->queries, want);
            expect(t, shapes[c].why, k.y.v + i * s->dim, want, (size_t)s->dim, 2e-5);
        }
        done(&k);
    }
}

/* --- gradients ---------------------------------------------------------------------------------------------------- */

/* Inputs: x, w, b, memory. */
static size_t sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    const struct shape *c = op->shape;
    const struct attention_shape *s = &c->shape;

    nin[0] = (size_t)(s->batch * s->queries * s->dim);
    nin[1] = (size_t)(4 * s->dim * s->dim);
    nin[2] = (size_t)(4 * s->dim);
    nin[3] = c->self ? 0 : (size_t)(s->batch * s->keys * s->dim);
    return nin[0];
}

static int both(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y, struct tensor *dy,
                struct tensor *gradient)
{
    const struct shape *c = op->shape;
    struct tensor workspace = tensor(t, t->b->attention_workspace(t->o, &c->shape) / sizeof(float), 0);
    const float *memory = c->self ? NULL : in[3].v;
    int rc;

    if (!gradient)
        rc = t->b->attention_forward(t->o, &c->shape, in[0].v, memory, in[1].v, in[2].v, y->v, workspace.v,
                                     workspace.n * sizeof(float), NULL);
    else
        rc = t->b->attention_backward(t->o, &c->shape, in[0].v, memory, dy->v, in[1].v, in[2].v, gradient[0].v,
                                      c->self ? NULL : gradient[3].v, gradient[1].v, gradient[2].v, workspace.v,
                                      workspace.n * sizeof(float), NULL);
    worked(t, rc, op->name);
    tensor_done(&workspace);
    return 0;
}

static int difference_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    return both(t, op, in, y, NULL, NULL);
}

static void gradients(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(shapes) - 2; c++) { /* sums of many are too rough for differences */
        const struct operation op = { shapes[c].why, difference_forward, both, sizes, 6, SMOOTH,
                                      0.02f,         &shapes[c],         { 0 } };

        check_operations(&op, 1);
    }
}

/* --- what it must not look at, and what it needs ------------------------------------------------------------------ */

/* The first three queries get the same bits whatever comes after them, and so do their errors. */
static void later_words(struct bench *t)
{
    struct work k = make(t, &(struct attention_shape){ 1, 5, 5, 8, 2, true }, true), other = make(t, &k.shape, true);
    size_t same = 3 * 8;

    for (size_t i = same; i < k.x.n; i++) {
        other.x.v[i] += 1;
        k.dy.v[i] = other.dy.v[i] = 0;
    }
    worked(t, forward(t, &k), "attention");
    worked(t, forward(t, &other), "attention");
    assert_memory_equal(k.y.v, other.y.v, same * sizeof(float));
    worked(t, backward(t, &k), "attention backward");
    worked(t, backward(t, &other), "attention backward");
    assert_memory_equal(k.dx.v, other.dx.v, same * sizeof(float));
    for (size_t i = same; i < k.dx.n; i++)
        assert_true(k.dx.v[i] == 0 && k.y.v[i] != other.y.v[i]);
    done(&k);
    done(&other);
}

/* Scores that exp() could not hold: the highest one takes all. */
static void large_scores(struct bench *t)
{
    struct work k = make(t, &(struct attention_shape){ 1, 2, 2, 2, 1, false }, true);

    set_weights(&k);
    memcpy(k.x.v, (float[]){ 100, 0, 0, 100 }, 4 * sizeof(float));
    worked(t, forward(t, &k), "attention");
    EXPECT(t, "attention", k.y, 1e-4, 120, 210, 320, 10);
    worked(t, backward(t, &k), "attention backward");
    for (size_t i = 0; i < k.dx.n; i++)
        assert_true(isfinite(k.dx.v[i]));
    done(&k);
}

/* Wherever the highest one stands. */
static void one_large_score(struct bench *t)
{
    enum { KEYS = 21 };
    struct work k = make(t, &(struct attention_shape){ 1, 1, KEYS, 2, 1, false }, false);

    set_weights(&k);
    memcpy(k.x.v, (float[]){ 100, 0 }, 2 * sizeof(float));
    for (size_t j = 0; j < KEYS; j++) {
        memset(k.memory.v, 0, k.memory.n * sizeof(float));
        k.memory.v[2 * j] = 100;
        worked(t, forward(t, &k), "attention");
        EXPECT(t, "attention", k.y, 1e-4, 120, 210);
    }
    done(&k);
}

/* A memory that is x: the same output; the errors of both together are those of self attention. */
static void a_memory_that_is_x(struct bench *t)
{
    struct work k = make(t, &(struct attention_shape){ 2, 5, 5, 8, 4, false }, true), other = make(t, &k.shape, false);

    tensor_copy(&other.memory, &other.x);
    worked(t, forward(t, &k), "attention");
    worked(t, forward(t, &other), "attention");
    assert_int_equal(first_difference(&k.y, &other.y), -1);
    worked(t, backward(t, &k), "attention backward");
    worked(t, backward(t, &other), "attention backward");
    assert_int_equal(first_difference(&k.dw, &other.dw), -1);
    assert_int_equal(first_difference(&k.db, &other.db), -1);
    for (size_t i = 0; i < k.dx.n; i++)
        other.dx.v[i] += other.dmemory.v[i];
    expect(t, "self attention", k.dx.v, other.dx.v, k.dx.n, 1e-5);
    tensor_copy(&other.dx, &k.dx);
    tensor_fill(&k.dx, 0);
    tensor_fill(&k.dw, 6);
    worked(t,
           t->b->attention_backward(t->o, &k.shape, k.x.v, k.x.v, k.dy.v, k.w.v, k.b.v, k.dx.v, NULL, k.dw.v, k.db.v,
                                    k.workspace.v, k.workspace.n * sizeof(float), NULL),
           "attention backward");
    assert_int_equal(first_difference(&k.dx, &other.dx), -1);
    assert_int_equal(first_difference(&k.dw, &other.dw), -1);
    done(&k);
    done(&other);
}

/* Its contents mean nothing, and it may begin anywhere. */
static void any_workspace(struct bench *t)
{
    struct work k = make(t, &shapes[2].shape, false), other = make(t, &shapes[2].shape, false);
    struct tensor larger = tensor(t, other.workspace.n + 1, 9);
    const struct attention_shape *s = &k.shape;
    size_t nbytes = other.workspace.n * sizeof(float);

    worked(t, forward(t, &k), "attention");
    worked(t, backward(t, &k), "attention backward");
    worked(t, t->b->attention_forward(t->o, s, k.x.v, k.memory.v, k.w.v, k.b.v, other.y.v, larger.v + 1, nbytes, NULL),
           "attention");
    worked(t,
           t->b->attention_backward(t->o, s, k.x.v, k.memory.v, k.dy.v, k.w.v, k.b.v, other.dx.v, other.dmemory.v,
                                    other.dw.v, other.db.v, larger.v + 1, nbytes, NULL),
           "attention backward");
    expect(t, "y", other.y.v, k.y.v, k.y.n, t->b->on_device ? 1e-5 : 0);
    expect(t, "dx", other.dx.v, k.dx.v, k.dx.n, t->b->on_device ? 1e-5 : 0);
    expect(t, "dmemory", other.dmemory.v, k.dmemory.v, k.dmemory.n, t->b->on_device ? 1e-5 : 0);
    expect(t, "dw", other.dw.v, k.dw.v, k.dw.n, t->b->on_device ? 1e-4 : 0);
    tensor_done(&larger);
    done(&k);
    done(&other);
}

static void refused(struct bench *t, struct work *k, const char *why)
{
    if (forward(t, k) == 0 && backward(t, k) == 0)
        fail_msg("%s: attention: '%s' was not refused", t->b->name, why);
    if (!strstr(t->b->error(t->o), why))
        fail_msg("%s: attention: '%s' where '%s' was expected", t->b->name, t->b->error(t->o), why);
    for (size_t i = 0; i < k->y.n; i++)
        assert_true(k->y.v[i] == -777 && k->dx.v[i] == -777);
}

static void check_refused(struct bench *t)
{
    const struct attention_shape wrong[] = { { 0, 2, 2, 4, 2, 0 }, { 1, 0, 2, 4, 2, 0 }, { 1, 2, 0, 4, 2, 0 },
                                             { 1, 2, 2, 0, 2, 0 }, { 1, 2, 2, 4, 0, 0 }, { 1, 2, 2, 4, 3, 0 },
                                             { 1, 2, 3, 4, 2, 1 } };
    struct work k = make(t, &(struct attention_shape){ 1, 2, 2, 4, 2, false }, false);
    struct attention_shape right = k.shape;

    for (size_t i = 0; i < COUNT(wrong); i++) {
        k.shape = wrong[i];
        assert_int_equal(t->b->attention_workspace(t->o, &k.shape), 0);
        refused(t, &k, "attention: batch ");
    }
    k.shape = right;
    k.workspace.n--;
    refused(t, &k, "a workspace of");
    k.workspace.n++;
    k.self = true;
    k.shape.keys = 1;
    refused(t, &k, "attention to itself: 2 queries, 1 keys");
    k.shape = right;
    assert_true(t->b->attention_backward(t->o, &right, k.x.v, k.memory.v, k.dy.v, k.w.v, k.b.v, k.dx.v, NULL, k.dw.v,
                                         k.db.v, k.workspace.v, k.workspace.n * sizeof(float), NULL) < 0);
    assert_true(t->b->attention_backward(t->o, &right, k.x.v, NULL, k.dy.v, k.w.v, k.b.v, k.dx.v, k.dmemory.v, k.dw.v,
                                         k.db.v, k.workspace.v, k.workspace.n * sizeof(float), NULL) < 0);
    assert_true(k.dx.v[0] == -777);
    done(&k);
}

EACH(by_hand)
EACH(heads_by_hand)
EACH(check_plain)
EACH(later_words)
EACH(large_scores)
EACH(one_large_score)
EACH(a_memory_that_is_x)
EACH(any_workspace)
EACH(check_refused)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_by_hand),       cmocka_unit_test(each_heads_by_hand),
        cmocka_unit_test(each_check_plain),   cmocka_unit_test(gradients),
        cmocka_unit_test(each_later_words),   cmocka_unit_test(each_large_scores),
        cmocka_unit_test(each_any_workspace), cmocka_unit_test(each_a_memory_that_is_x),
        cmocka_unit_test(each_check_refused), cmocka_unit_test(each_one_large_score),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
