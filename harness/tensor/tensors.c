#include "harness/tensor/tensors.h"

#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/reading.h"

static const struct tensors_options plain;

int tensors_read(struct tensors *out, const char *path, const struct tensors_options *options, FILE *err)
{
    struct input in;
    int rc = input_open(&in, path, err);

    *out = (struct tensors){ 0 };
    if (rc)
        return rc;
    rc = reading_all(out, &in, options ? options : &plain);
    input_close(&in);
    return rc;
}

int tensors_parse(struct tensors *out, const char *name, const uint8_t *bytes, size_t nbytes,
                  const struct tensors_options *options, FILE *err)
{
    struct input in;

    input_memory(&in, name, bytes, nbytes, err);
    return reading_all(out, &in, options ? options : &plain);
}

static int refuse_many(const struct input *in, const struct tensors *all)
{
    char *names = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&names, &size);

    if (!f)
        return input_no_memory(in, 1);
    for (size_t i = 0; i < all->n && ftello(f) < 1000; i++)
        fprintf(f, "%s%.100s", i ? ", " : "", all->list[i].name);
    fputs(ftello(f) < 1000 ? "" : ", ...", f);
    if (!fclose(f))
        input_refuse(in, "expected one tensor, got %zu; --tensor NAME chooses one: %s", all->n, names);
    free(names);
    return NW_EINPUT;
}

int tensors_read_one(struct tensors *out, const char *path, const struct tensors_options *options, FILE *err)
{
    struct tensors_options o = options ? *options : plain;
    struct tensors all = { 0 };
    struct input in;
    int rc = input_open(&in, path, err);

    *out = (struct tensors){ 0 };
    if (rc)
        return rc;
    o.list = true;
    rc = reading_all(&all, &in, &o);
    if (!rc && all.n > 1)
        rc = refuse_many(&in, &all);
    if (!rc) {
        o.list = options && options->list;
        o.only = all.list[0].name;
        in.at = 0;
        rc = reading_all(out, &in, &o);
    }
    tensors_free(&all);
    input_close(&in);
    return rc;
}

void tensors_free(struct tensors *t)
{
    for (size_t i = 0; i < t->n; i++) {
        free(t->list[i].name);
        free(t->list[i].values);
    }
    free(t->list);
    *t = (struct tensors){ 0 };
}
