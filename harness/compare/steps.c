#include "harness/compare/steps.h"

#include <stdlib.h>
#include <string.h>

#include "harness/compare/places.h"
#include "harness/status.h"
#include "harness/tensor/tensors.h"

static int list_tensors(struct step *s, size_t *ntensors)
{
    size_t n = 0;

    for (size_t i = 0; i < s->nfiles; i++)
        n += s->files[i].n;
    s->list = calloc(n + 1, sizeof(*s->list));
    if (!s->list)
        return NW_ENOMEM;
    *ntensors = n;
    n = 0;
    for (size_t i = 0; i < s->nfiles; i++)
        for (size_t k = 0; k < s->files[i].n; k++)
            s->list[n++] = &s->files[i].list[k];
    return NW_OK;
}

/* Read the files of places[0..n) as one step. */
static int read_step(struct step *s, size_t *ntensors, const struct place *places, size_t n,
                     const struct steps_options *o, FILE *err)
{
    size_t files = 0;
    int rc = NW_OK;

    for (size_t i = 0; i < n; i++)
        files += places[i].nfiles;
    s->name = strdup(places[0].name);
    s->files = calloc(files + 1, sizeof(*s->files));
    if (!s->name || !s->files)
        return NW_ENOMEM;
    for (size_t i = 0; i < n && !rc; i++)
        for (size_t k = 0; k < places[i].nfiles && !rc; k++)
            rc = tensors_read(&s->files[s->nfiles++], places[i].files[k], o->read, err);
    if (!rc)
        rc = list_tensors(s, ntensors);
    if (!rc && !*ntensors) {
        fprintf(err, "%s: expected tensors, got none\n", s->name);
        rc = NW_EINPUT;
    }
    return rc;
}

static void print_tensor(const struct step *s, const struct tensor *t, FILE *err)
{
    fprintf(err, "'%s' of", t->name);
    for (size_t i = 0; i < t->ndims; i++)
        fprintf(err, "%s%zu", i ? "x" : " ", t->dims[i]);
    fprintf(err, " (%zu value%s) in %s", t->n, t->n == 1 ? "" : "s", s->name);
}

static bool same_tensor(const struct tensor *a, const struct tensor *b, bool names)
{
    return (!names || !strcmp(a->name, b->name)) && a->n == b->n && a->ndims == b->ndims &&
           !memcmp(a->dims, b->dims, a->ndims * sizeof(*a->dims));
}

/* Names the first difference. */
static int check_same(const struct steps *s, size_t i, size_t ntensors, FILE *err)
{
    const struct step *first = &s->list[0], *other = &s->list[i];
    bool names = ntensors > 1 || s->ntensors > 1;
    size_t k = 0, fewer = ntensors < s->ntensors ? ntensors : s->ntensors;

    while (k < fewer && same_tensor(first->list[k], other->list[k], names))
        k++;
    if (k == fewer && ntensors == s->ntensors)
        return NW_OK;
    fputs("expected the same tensors in every step, got ", err);
    if (k < s->ntensors)
        print_tensor(first, first->list[k], err);
    else
        fprintf(err, "nothing more in %s", first->name);
    fputs(", but ", err);
    if (k < ntensors)
        print_tensor(other, other->list[k], err);
    else
        fprintf(err, "nothing more in %s", other->name);
    fputs(names ? "\n" : "; if these files are the tensors of one step, say --one-step\n", err);
    return NW_EINPUT;
}

static int read_all(struct steps *out, const struct places *p, const struct steps_options *o, FILE *err)
{
    size_t n = o->one ? 1 : p->n, ntensors = 0;
    int rc = NW_OK;

    out->list = calloc(n + 1, sizeof(*out->list));
    if (!out->list)
        return NW_ENOMEM;
    while (out->n < n && !rc) {
        size_t i = out->n++;

        rc = read_step(&out->list[i], &ntensors, &p->list[i], o->one ? p->n : 1, o, err);
        if (!rc && i == 0)
            out->ntensors = ntensors;
        if (!rc)
            rc = check_same(out, i, ntensors, err);
    }
    return rc;
}

int steps_read(struct steps *out, const char *const *inputs, size_t n, const struct steps_options *o, FILE *err)
{
    struct places p = { 0 };
    int rc = places_find(&p, inputs, n, o->read->raw, err);

    if (!rc)
        rc = read_all(out, &p, o, err);
    places_free(&p);
    return rc;
}

void steps_free(struct steps *s)
{
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->list[i].nfiles; k++)
            tensors_free(&s->list[i].files[k]);
        free(s->list[i].files);
        free(s->list[i].list);
        free(s->list[i].name);
    }
    free(s->list);
    *s = (struct steps){ 0 };
}
