/* traffic.c - the files of flows that a scenario names, each read once however many points play it. */
#include "harness/scenario/traffic.h"

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

struct traffic_reading {
    struct scenario_file *file;
    FILE *err;
    int rc; /* of the first that failed; none is read after it */
};

static void read_one(struct traffic_reading *r, const char *path)
{
    struct scenario_file *f = r->file;
    const struct reader *reader = f->loader.reader;
    struct flow_list *out;
    char digest[33] = "";

    if (r->rc || !path || !*path || find(f, path))
        return;
    out = ARENA_PUSH(&f->arena, f->flows, f->nflows);
    out->path = path;
    r->rc = reader->flows(reader->ctx, path, &out->list, &out->n, digest, r->err);
    out->digest = arena_text(&f->arena, digest);
}

static void read_setting(void *ctx, const struct setting *s)
{
    if (s->target.field && s->target.field->flags & FIELD_DIGEST)
        read_one(ctx, s->value.text);
}

int traffic_read(struct scenario_file *f, FILE *err)
{
    struct traffic_reading r = { f, err, NW_OK };

    if (f->head.method.kind != METHOD_FLOWS)
        return NW_OK;
    read_one(&r, f->head.method.flows.file); /* what is set for all points is there already */
    settings_visit_varied(f, read_setting, &r);
    return r.rc;
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
