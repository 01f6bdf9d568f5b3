/* contents.c - reads flows and stamps data, and supplies them to points. */
#include "harness/scenario/contents.h"

#include <stdlib.h>
#include <string.h>

#include "harness/scenario/file.h"
#include "harness/status.h"

static const struct content *find(const struct scenario_file *f, const char *path)
{
    for (size_t i = 0; path && i < f->ncontents; i++)
        if (!strcmp(f->contents[i].path, path))
            return &f->contents[i];
    return NULL;
}

struct content_reading {
    struct scenario_file *file;
    FILE *err;
    int rc; /* of the first that failed; none is read after it */
};

static int stamp(const struct scenario_file *f, const char *path, char digest[33], FILE *err)
{
    const struct reader *reader = f->loader.reader;
    int error = reader->stamp(reader->ctx, path, digest);

    if (error)
        fprintf(err, "%s: %s: %s\n", f->path, path, strerror(error));
    return error ? NW_EIO : NW_OK;
}

/* A scenario has flows or a training, never both. */
static void read_one(struct content_reading *r, const char *path)
{
    struct scenario_file *f = r->file;
    const struct reader *reader = f->loader.reader;
    struct content *out;
    char digest[33] = "";

    if (r->rc || !path || !*path || find(f, path))
        return;
    out = ARENA_PUSH(&f->arena, f->contents, f->ncontents);
    out->path = path;
    r->rc = f->head.trained ? stamp(f, path, digest, r->err)
                            : reader->flows(reader->ctx, path, &out->list, &out->n, digest, r->err);
    out->digest = arena_text(&f->arena, digest);
}

static void read_setting(void *ctx, const struct setting *s)
{
    if (s->target.field && s->target.field->flags & FIELD_DIGEST)
        read_one(ctx, s->value.text);
}

int contents_read(struct scenario_file *f, FILE *err)
{
    struct content_reading r = { f, err, NW_OK };

    if (!f->head.trained && f->head.method.kind != METHOD_FLOWS)
        return NW_OK;
    /* What is set for all points is in the head already. */
    read_one(&r, f->head.trained ? f->head.training.data.path : f->head.method.flows.file);
    settings_visit_varied(f, read_setting, &r);
    return r.rc;
}

void contents_free(struct scenario_file *f)
{
    for (size_t i = 0; i < f->ncontents; i++)
        free(f->contents[i].list);
}

void contents_supply(const struct scenario_file *f, struct scenario *out)
{
    const struct content *flows = out->method.kind == METHOD_FLOWS ? find(f, out->method.flows.file) : NULL;
    const struct content *data = find(f, out->training.data.path);

    if (flows) {
        out->method.flows.list = flows->list;
        out->method.flows.n = flows->n;
        out->method.flows.digest = flows->digest;
    }
    if (data)
        out->training.data.digest = data->digest;
}
