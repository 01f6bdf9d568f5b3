/* traffic.c - the files of flows that a scenario names, each read once however many points play it. */
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/file.h"
#include "harness/status.h"

static const struct flow_list *find(const struct scenario_file *f, const char *path)
{
    for (size_t i = 0; i < f->nflows; i++)
        if (!strcmp(f->flows[i].path, path))
            return &f->flows[i];
    return NULL;
}

static int read_one(struct scenario_file *f, const char *path, FILE *err)
{
    const struct reader *r = f->loader.reader;
    struct flow_list *out;
    char digest[33] = "";
    int rc;

    if (!path || !*path || find(f, path))
        return NW_OK;
    out = ARENA_PUSH(&f->arena, f->flows, f->nflows);
    out->path = path;
    rc = r->flows(r->ctx, path, &out->list, &out->n, digest, err);
    out->digest = arena_text(&f->arena, digest);
    return rc;
}

static int read_settings(struct scenario_file *f, const struct setting *s, size_t n, FILE *err)
{
    int rc = NW_OK;

    for (size_t i = 0; i < n && !rc; i++)
        if (s[i].target.field && s[i].target.field->flags & FIELD_DIGEST)
            rc = read_one(f, s[i].value.text, err);
    return rc;
}

int traffic_read(struct scenario_file *f, FILE *err)
{
    int rc;

    if (f->head.method.kind != METHOD_FLOWS)
        return NW_OK;
    rc = read_one(f, f->head.method.flows.file, err); /* what is set for all points stands there already */
    for (size_t i = 0; i < f->nvariants && !rc; i++)
        rc = read_settings(f, f->variants[i].settings.items, f->variants[i].settings.n, err);
    for (size_t d = 0; d < f->ndims; d++)
        for (size_t i = 0; i < f->dims[d].naxes && !rc; i++)
            rc = read_settings(f, f->dims[d].axes[i].values, f->dims[d].axes[i].n, err);
    return rc;
}

void traffic_supply(const struct scenario_file *f, struct flows *out)
{
    const struct flow_list *l = out->file ? find(f, out->file) : NULL;

    if (l) {
        out->list = l->list;
        out->n = l->n;
        out->digest = l->digest;
    }
}

void traffic_free(struct scenario_file *f)
{
    for (size_t i = 0; i < f->nflows; i++)
        free(f->flows[i].list);
}
