/* stamps.c - stamps of the data that points train on, each made once, so that data put in the place of other data makes another
 * point. */
#include "harness/scenario/stamps.h"

#include <stdlib.h>
#include <string.h>

#include "harness/scenario/file.h"
#include "harness/status.h"

static const struct stamp *find(const struct scenario_file *f, const char *path)
{
    for (size_t i = 0; i < f->nstamps; i++)
        if (!strcmp(f->stamps[i].path, path))
            return &f->stamps[i];
    return NULL;
}

struct stamping {
    struct scenario_file *file;
    FILE *err;
    int rc; /* of the first that failed; none is looked at after it */
};

static void stamp(struct stamping *r, const char *path)
{
    struct scenario_file *f = r->file;
    const struct reader *reader = f->loader.reader;
    char digest[33];
    int error;

    if (r->rc || !path || !*path || find(f, path))
        return;
    error = reader->stamp(reader->ctx, path, digest);
    if (error) {
        fprintf(r->err, "%s: %s: %s\n", f->path, path, strerror(error));
        r->rc = NW_EIO;
        return;
    }
    *ARENA_PUSH(&f->arena, f->stamps, f->nstamps) = (struct stamp){ path, arena_text(&f->arena, digest) };
}

static void stamp_setting(void *ctx, const struct setting *s)
{
    if (s->target.path && !strcmp(s->target.path, "training.data.path"))
        stamp(ctx, s->value.text);
}

int stamps_read(struct scenario_file *f, FILE *err)
{
    struct stamping r = { f, err, NW_OK };

    if (f->head.trained)
        stamp(&r, f->head.training.data.path); /* what is set for all points is there already */
    settings_visit_varied(f, stamp_setting, &r);
    return r.rc;
}

void stamps_supply(const struct scenario_file *f, struct training_data *out)
{
    const struct stamp *s = out->path ? find(f, out->path) : NULL;

    if (s)
        out->digest = s->digest;
}
