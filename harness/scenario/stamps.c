/* stamps.c - stamps of the data that points train on, each made once, so that data put in the place of other data makes another
 * point. */
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/file.h"
#include "harness/status.h"

static const char PATH[] = "training.data.path";

static const struct stamp *find(const struct scenario_file *f, const char *path)
{
    for (size_t i = 0; i < f->nstamps; i++)
        if (!strcmp(f->stamps[i].path, path))
            return &f->stamps[i];
    return NULL;
}

static int stamp(struct scenario_file *f, const char *path, FILE *err)
{
    const struct reader *r = f->loader.reader;
    char digest[33];
    int error;

    if (!path || !*path || find(f, path))
        return NW_OK;
    error = r->stamp(r->ctx, path, digest);
    if (error) {
        fprintf(err, "%s: %s: %s\n", f->path, path, strerror(error));
        return NW_EIO;
    }
    *ARENA_PUSH(&f->arena, f->stamps, f->nstamps) = (struct stamp){ path, arena_text(&f->arena, digest) };
    return NW_OK;
}

static int stamp_settings(struct scenario_file *f, const struct setting *s, size_t n, FILE *err)
{
    int rc = NW_OK;

    for (size_t i = 0; i < n && !rc; i++)
        if (s[i].target.path && !strcmp(s[i].target.path, PATH))
            rc = stamp(f, s[i].value.text, err);
    return rc;
}

int stamps_read(struct scenario_file *f, FILE *err)
{
    int rc = f->head.trained ? stamp(f, f->head.training.data.path, err) : NW_OK; /* what is set for all stands there */

    for (size_t i = 0; i < f->nvariants && !rc; i++)
        rc = stamp_settings(f, f->variants[i].settings.items, f->variants[i].settings.n, err);
    for (size_t d = 0; d < f->ndims; d++)
        for (size_t i = 0; i < f->dims[d].naxes && !rc; i++)
            rc = stamp_settings(f, f->dims[d].axes[i].values, f->dims[d].axes[i].n, err);
    return rc;
}

void stamps_supply(const struct scenario_file *f, struct training_data *out)
{
    const struct stamp *s = out->path ? find(f, out->path) : NULL;

    if (s)
        out->digest = s->digest;
}
