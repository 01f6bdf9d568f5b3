#include "harness/training/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/training/checkpoint.h"
#include "model/status.h"

/* An array of the record, as it is written to a checkpoint and read back. */
struct array {
    const char *name;
    void **items;
    size_t *n, *capacity, size;
};

enum { ARRAYS = 5 };

#define ARRAY(name)                                                                  \
    {                                                                                \
#name, (void **)&r->name, &r->n##name, &r->name##_capacity, sizeof(*r->name) \
    }

static void arrays_of(struct training_record *r, struct array arrays[ARRAYS])
{
    const struct array all[ARRAYS] = { ARRAY(steps), ARRAY(exchanges), ARRAY(bits), ARRAY(evaluations),
                                       ARRAY(thresholds) };

    memcpy(arrays, all, sizeof(all));
}

static int trainer_refused(const struct trainer *t, int rc)
{
    fprintf(stderr, "narrows: training: %s\n", trainer_why(t));
    return rc == E_NOMEM ? NW_ENOMEM : NW_EENV;
}

static int add_record(struct checkpoint_writer *w, struct training_record *r)
{
    struct array arrays[ARRAYS];
    int rc = checkpoint_add(w, "record.sums", &r->sums, sizeof(r->sums));

    rc = rc ? rc : checkpoint_add(w, "record.keep", r->bytes_per_weight, r->ntensors * sizeof(*r->bytes_per_weight));
    arrays_of(r, arrays);
    for (int i = 0; i < ARRAYS && !rc; i++) {
        char name[64];

        snprintf(name, sizeof(name), "record.%s", arrays[i].name);
        rc = checkpoint_add(w, name, *arrays[i].items, *arrays[i].n * arrays[i].size);
    }
    return rc;
}

int training_save(const char *path, const char *key, struct trainer *t, const struct training_record *r)
{
    struct training_record record = *r;
    struct trainer_section sections[TRAINER_SECTIONS];
    struct checkpoint_writer *w = NULL;
    size_t n;
    int rc = trainer_sections(t, sections, &n);

    if (rc)
        return trainer_refused(t, rc);
    rc = checkpoint_create(path, key, trainer_steps_done(t), &w);
    for (size_t i = 0; i < n && !rc; i++)
        rc = checkpoint_add(w, sections[i].name, sections[i].bytes, sections[i].nbytes);
    rc = rc ? rc : add_record(w, &record);
    if (!rc)
        return checkpoint_commit(w);
    checkpoint_discard(w);
    return rc;
}

static int read_array(struct checkpoint *c, const struct array *a)
{
    char name[64];
    size_t nbytes = 0;
    void *items;

    snprintf(name, sizeof(name), "record.%s", a->name);
    if (!checkpoint_has(c, name, &nbytes))
        return checkpoint_read(c, name, NULL, 0); /* prints that it is missing */
    items = malloc(nbytes + 1);
    if (!items)
        return NW_ENOMEM;
    int rc = checkpoint_read(c, name, items, nbytes);
    if (rc) {
        free(items);
        return rc;
    }
    free(*a->items);
    *a->items = items;
    *a->n = *a->capacity = nbytes / a->size;
    return NW_OK;
}

static int read_record(struct checkpoint *c, struct training_record *r)
{
    struct array arrays[ARRAYS];
    int rc = checkpoint_read(c, "record.sums", &r->sums, sizeof(r->sums));

    rc = rc ? rc : checkpoint_read(c, "record.keep", r->bytes_per_weight, r->ntensors * sizeof(*r->bytes_per_weight));
    arrays_of(r, arrays);
    for (int i = 0; i < ARRAYS && !rc; i++)
        rc = read_array(c, &arrays[i]);
    return rc;
}

int training_restore(const char *path, const char *key, struct trainer *t, struct training_record *r)
{
    struct trainer_section sections[TRAINER_SECTIONS];
    struct checkpoint *c = NULL;
    size_t n;
    int rc = checkpoint_open(path, key, &c);

    if (rc <= 0)
        return rc;
    rc = trainer_sections(t, sections, &n);
    if (rc)
        rc = trainer_refused(t, rc);
    for (size_t i = 0; i < n && !rc; i++)
        rc = checkpoint_read(c, sections[i].name, sections[i].bytes, sections[i].nbytes);
    rc = rc ? rc : read_record(c, r);
    checkpoint_close(c);
    if (!rc && trainer_restored(t))
        rc = trainer_refused(t, E_FAILED);
    return rc ? rc : 1;
}
