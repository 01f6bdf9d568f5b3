#include "train/ops/attention.h"

#include "train/number.h"
#include "train/ops/cpu/cpu.h"

/* The four projections, as they lie in w and b. */
enum { QUERY, KEY, VALUE, OUTPUT };

/* Parts of the workspace begin at multiples of this many floats from where it begins. */
enum { UNIT = 64 };

struct parts {
    float *q, *k, *v, *c, *dc, *dk, *dv, *scratch; /* once c has been used, it takes errors of x or memory */
    int64_t total;                                 /* floats */
};

static int64_t take(float **part, float *workspace, int64_t at, int64_t n)
{
    *part = workspace ? workspace + at : NULL;
    return at + (n + UNIT - 1) / UNIT * UNIT;
}

static struct parts lay_out(const struct attention_core *core, const struct attention_shape *s, void *workspace)
{
    int64_t queries = s->batch * s->queries * s->dim, keys = s->batch * s->keys * s->dim, at = 0;
    struct parts p;

    at = take(&p.q, workspace, at, queries);
    at = take(&p.k, workspace, at, keys);
    at = take(&p.v, workspace, at, keys);
    at = take(&p.c, workspace, at, most(queries, keys));
    at = take(&p.dc, workspace, at, queries);
    at = take(&p.dk, workspace, at, keys);
    at = take(&p.dv, workspace, at, keys);
    p.total = take(&p.scratch, workspace, at, core->scratch(s));
    return p;
}

static int check_shape(struct ops *o, const struct attention_shape *s)
{
    if (s->batch < 1 || s->queries < 1 || s->keys < 1 || s->dim < 1 || s->heads < 1 || s->dim % s->heads ||
        (s->causal && s->queries != s->keys))
        return cpu_fail(o, "attention: batch %lld, %lld queries, %lld keys%s, %lld values in %lld heads",
                        (long long)s->batch, (long long)s->queries, (long long)s->keys, s->causal ? " (causal)" : "",
                        (long long)s->dim, (long long)s->heads);
    return 0;
}

size_t attention_workspace(struct ops *o, const struct attention_core *core, const struct attention_shape *s)
{
    return check_shape(o, s) ? 0 : (size_t)lay_out(core, s, NULL).total * sizeof(float);
}

static int check(struct ops *o, const struct attention_core *core, const struct attention_shape *s, const float *memory,
                 size_t nworkspace)
{
    size_t need = attention_workspace(o, core, s);

    if (!need)
        return -1;
    if (!memory && s->queries != s->keys)
        return cpu_fail(o, "attention to itself: %lld queries, %lld keys", (long long)s->queries, (long long)s->keys);
    if (nworkspace < need)
        return cpu_fail(o, "attention: a workspace of %zu bytes, not %zu", need, nworkspace);
    return 0;
}

/* --- forward ------------------------------------------------------------------------------------------------------ */

struct call {
    struct ops *o;
    const struct ops_backend *b;
    const struct attention_shape *s;
    const float *w, *bias;
    float *dw, *dbias;
    struct parts p;
    void *stream;
};

static int project(const struct call *c, int which, int64_t rows, const float *x, float *y)
{
    int64_t dim = c->s->dim;

    return c->b->fc_forward(c->o, rows, dim, dim, x, c->w + which * dim * dim, c->bias + which * dim, y, c->stream);
}

static int project_inputs(const struct call *c, const float *x, const float *memory)
{
    int64_t queries = c->s->batch * c->s->queries, keys = c->s->batch * c->s->keys;
    int rc = project(c, QUERY, queries, x, c->p.q);

    if (!rc)
        rc = project(c, KEY, keys, memory, c->p.k);
    return rc ? rc : project(c, VALUE, keys, memory, c->p.v);
}

int attention_forward(struct ops *o, const struct ops_backend *b, const struct attention_core *core,
                      const struct attention_shape *s, const float *x, const float *memory, const float *w,
                      const float *bias, float *y, void *workspace, size_t nworkspace, void *stream)
{
    struct call c = { .o = o, .b = b, .s = s, .w = w, .bias = bias, .stream = stream };
    int rc = check(o, core, s, memory, nworkspace);

    if (rc)
        return rc;
    c.p = lay_out(core, s, workspace);
    rc = project_inputs(&c, x, memory ? memory : x);
    if (!rc)
        rc = core->forward(o, s, c.p.q, c.p.k, c.p.v, c.p.c, c.p.scratch, stream);
    return rc ? rc : project(&c, OUTPUT, s->batch * s->queries, c.p.c, y);
}

/* --- backward ----------------------------------------------------------------------------------------------------- */

static int project_weights(const struct call *c, int which, int64_t rows, const float *x, const float *dy)
{
    int64_t dim = c->s->dim;

    return c->b->fc_backward_weights(c->o, rows, dim, dim, x, dy, c->dw + which * dim * dim, c->dbias + which * dim,
                                     c->stream);
}

static int project_data(const struct call *c, int which, int64_t rows, const float *dy, float *dx)
{
    int64_t dim = c->s->dim;

    return c->b->fc_backward_data(c->o, rows, dim, dim, dy, c->w + which * dim * dim, dx, c->stream);
}

/* One that is added to the errors that are there, by way of the place where c was. */
static int project_more_data(const struct call *c, int which, int64_t rows, const float *dy, float *dx)
{
    int rc = project_data(c, which, rows, dy, c->p.c);

    return rc ? rc : c->b->accumulate(c->o, rows * c->s->dim, dx, c->p.c, dx, c->stream);
}

static int weights_of_inputs(const struct call *c, const float *x, const float *memory)
{
    int64_t queries = c->s->batch * c->s->queries, keys = c->s->batch * c->s->keys;
    int rc = project_weights(c, QUERY, queries, x, c->p.dc);

    if (!rc)
        rc = project_weights(c, KEY, keys, memory, c->p.dk);
    return rc ? rc : project_weights(c, VALUE, keys, memory, c->p.dv);
}

static int errors_of_inputs(const struct call *c, float *dx, float *dmemory)
{
    int64_t queries = c->s->batch * c->s->queries, keys = c->s->batch * c->s->keys;
    int rc = project_data(c, QUERY, queries, c->p.dc, dx);

    if (!rc)
        rc = dmemory ? project_data(c, KEY, keys, c->p.dk, dmemory) : project_more_data(c, KEY, keys, c->p.dk, dx);
    return rc ? rc : project_more_data(c, VALUE, keys, c->p.dv, dmemory ? dmemory : dx);
}

int attention_backward(struct ops *o, const struct ops_backend *b, const struct attention_core *core,
                       const struct attention_shape *s, const float *x, const float *memory, const float *dy,
                       const float *w, const float *bias, float *dx, float *dmemory, float *dw, float *dbias,
                       void *workspace, size_t nworkspace, void *stream)
{
    struct call c = { .o = o, .b = b, .s = s, .w = w, .bias = bias, .dw = dw, .dbias = dbias, .stream = stream };
    int64_t queries = s->batch * s->queries;
    int rc = check(o, core, s, memory, nworkspace);

    if (!rc && (memory && memory != x) != (dmemory != NULL))
        rc = cpu_fail(o, "attention: %s", dmemory ? "errors of a memory that is not there" : "no errors of the memory");
    if (rc)
        return rc;
    c.p = lay_out(core, s, workspace);
    memory = memory ? memory : x;
    rc = project_inputs(&c, x, memory);
    if (!rc)
        rc = project_data(&c, OUTPUT, queries, dy, c.p.dc);
    if (!rc)
        rc = core->backward(o, s, c.p.q, c.p.k, c.p.v, c.p.c, c.p.dc, c.p.dk, c.p.dv, c.p.scratch, stream);
    if (!rc)
        rc = project_weights(&c, OUTPUT, queries, c.p.c, dy);
    if (!rc)
        rc = weights_of_inputs(&c, x, memory);
    return rc ? rc : errors_of_inputs(&c, dx, dmemory);
}
