#include "harness/import/kineto/kineto.h"

#include <stdlib.h>

#include "harness/import/kineto/trace.h"
#include "harness/status.h"

struct reading {
    struct kineto_trace trace;
    const char *name;
    FILE *err;
};

static int each(void *context, const struct event_text *e)
{
    struct reading *r = context;

    return kineto_read_event(&r->trace, r->name, e, r->err);
}

static int refuse(const struct reading *r, const char *why)
{
    fprintf(r->err, "%s: %s\n", r->name, why);
    return NW_EINPUT;
}

static int check(const struct reading *r, enum kineto_by by)
{
    const struct kineto_trace *t = &r->trace;

    if (by == KINETO_BY_MODULES && !t->layers.n)
        return refuse(r, "expected operators within calls of modules (profile(with_stack=True)), got none");
    if (by == KINETO_BY_ANNOTATIONS && !t->layers.n)
        return refuse(r, "expected operators within record_function() annotations, got none");
    if (!t->layers.n)
        return refuse(r, "expected operators of a forward pass ('cat': 'cpu_op'), got none");
    return NW_OK;
}

static int read_all(struct reading *r, int rc, enum kineto_by by, struct kineto_profile *out)
{
    *out = (struct kineto_profile){ 0 };
    r->trace.by = by;
    rc = rc ? rc : kineto_sort(&r->trace);
    rc = rc ? rc : kineto_sweep(&r->trace);
    rc = rc ? rc : check(r, by);
    rc = rc ? rc : kineto_link(&r->trace);
    if (!rc) {
        rc = kineto_sum_up(&r->trace, out);
        if (rc == NW_EINPUT)
            refuse(r, "expected layers times steps of at most 2^25, got more");
    }
    if (rc == NW_ENOMEM)
        fprintf(r->err, "%s: no memory for its events\n", r->name);
    kineto_trace_free(&r->trace);
    if (rc)
        kineto_free(out);
    return rc;
}

int kineto_read(const struct byte_source *from, enum kineto_by by, struct kineto_profile *out, FILE *err)
{
    struct reading r = { .name = from->name, .err = err };

    return read_all(&r, events_read(from, each, &r, err), by, out);
}

int kineto_read_file(const char *path, enum kineto_by by, struct kineto_profile *out, FILE *err)
{
    struct reading r = { .name = path, .err = err };

    return read_all(&r, events_read_file(path, each, &r, err), by, out);
}

void kineto_free(struct kineto_profile *p)
{
    for (size_t i = 0; i < p->nlayers; i++)
        free(p->layers[i].name);
    free(p->layers);
    *p = (struct kineto_profile){ 0 };
}

const char *kineto_by_name(enum kineto_by by)
{
    static const char *const names[] = { "any", "modules", "annotations", "operators" };

    return names[by];
}
