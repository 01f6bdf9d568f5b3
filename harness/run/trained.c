#include "harness/run/trained.h"

#include <stdlib.h>
#include <string.h>

#include "harness/run/interrupt.h"
#include "harness/status.h"
#include "harness/training/training_run.h"

static void replace(struct readings *all, const struct reading *r)
{
    for (size_t i = 0; i < all->n; i++)
        if (!strcmp(all->list[i].name, r->name)) {
            all->list[i] = *r;
            return;
        }
    reading_add(all, r->value, r->unit, "%s", r->name);
}

int trained_measure(const struct scenario *sc, int threads, struct measures *out, char *why, size_t nwhy)
{
    struct training_job job = { .scenario = sc, .threads = threads, .stop = interrupted };
    struct readings *came = calloc(1, sizeof(*came));
    int rc = came ? training_run(&job, came, why, nwhy) : NW_ENOMEM;

    for (size_t i = 0; !rc && i < came->n; i++)
        replace(&out->readings, &came->list[i]);
    free(came);
    if (!rc)
        measures_list(out);
    return rc;
}
