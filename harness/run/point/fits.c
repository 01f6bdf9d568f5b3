#include "harness/run/point/fits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/run/point/footprint.h"
#include "harness/status.h"
#include "harness/text/legible.h"

static const char key[] = "platform.gpu.memory: ";

enum { TRIES = 64 };

bool fits_reason(const struct scenario *sc, const char *why)
{
    return (footprint_counts(sc) || sc->method.kind == METHOD_SHARDED) && !strncmp(why, key, strlen(key));
}

static int bytes_with(const struct scenario *sc, const struct model *m, int64_t batch, double *bytes)
{
    struct scenario other = *sc;
    struct footprint f;

    other.batch = batch;
    int rc = footprint_of(&other, m, &f);
    *bytes = f.total;
    return rc;
}

static bool accepted(const struct scenario *sc, const struct model *m, int64_t batch)
{
    struct job job = { &sc->platform, m, &sc->method, batch };
    char why[256];

    return !method_check(&job, why, sizeof(why));
}

/* By what the batch keeps dividing, if it divides now. */
static int64_t divisor(const struct scenario *sc)
{
    const struct method *m = &sc->method;
    bool flows = m->kind == METHOD_MODEL_PARALLEL && m->model_parallel.schedule == MP_GPIPE;
    int64_t by = flows ? m->model_parallel.micro_batches : footprint_workers(sc);

    return by > 1 && sc->batch % by == 0 ? by : 1;
}

/* The largest batch that fits and that the method takes; 0: none. More samples need no less memory. */
static int largest_batch(const struct scenario *sc, const struct model *m, int64_t *batch)
{
    int64_t by = divisor(sc), fit = 0, too_many = sc->batch / by;
    int rc = NW_OK;

    while (!rc && too_many - fit > 1) {
        int64_t middle = fit + (too_many - fit) / 2;
        double bytes;

        rc = bytes_with(sc, m, middle * by, &bytes);
        *(bytes <= (double)sc->platform.gpu.memory_bytes ? &fit : &too_many) = middle;
    }
    for (int i = 0; !rc && i < TRIES && fit && !accepted(sc, m, fit * by); i++)
        fit--;
    *batch = fit * by;
    return rc;
}

static int advise(const struct scenario *sc, const struct model *m, char *text, size_t size)
{
    int64_t batch;
    int rc = largest_batch(sc, m, &batch);

    if (!rc && batch && accepted(sc, m, batch))
        snprintf(text, size, "what fits: batch=%lld", (long long)batch);
    else if (!rc && m->gpt.hidden)
        snprintf(text, size, "no batch fits: method.kind sharded with method.level 3 divides what a GPU holds");
    else if (!rc)
        snprintf(text, size, "no batch fits");
    return rc;
}

/* "weights 575 MB, gradients 575 MB" */
static void list_classes(const struct footprint *f, char *text, size_t size)
{
    size_t used = 0;
    char bytes[LEGIBLE];

    *text = 0;
    for (int c = 0; c < FOOTPRINT_CLASSES && used < size; c++)
        if (f->bytes[c] > 0)
            used += (size_t)snprintf(text + used, size - used, "%s%s %s", used ? ", " : "",
                                     footprint_class_name((enum footprint_class)c),
                                     legible_bytes(f->bytes[c], bytes, sizeof(bytes)));
}

static int refuse(const struct scenario *sc, const struct model *m, const struct footprint *f, char *why, size_t nwhy)
{
    char needed[LEGIBLE], there[LEGIBLE], classes[192], at[80] = "", advice[96] = "";
    int rc = advise(sc, m, advice, sizeof(advice));

    if (rc)
        return rc;
    list_classes(f, classes, sizeof(classes));
    if (f->layer >= 0)
        snprintf(at, sizeof(at), "; most in %s%s", m->layers[f->layer].name, f->backward ? " backward" : "");
    snprintf(why, nwhy, "%sa GPU needs %s of the %s that it has (%s, in fp32%s); %s", key,
             legible_bytes(f->total, needed, sizeof(needed)),
             legible_bytes((double)sc->platform.gpu.memory_bytes, there, sizeof(there)), classes, at, advice);
    return NW_EINPUT;
}

int fits_check(const struct scenario *sc, const struct model *m, char *why, size_t nwhy)
{
    struct footprint f;
    int rc;

    if (!sc->platform.gpu.memory_checked || !footprint_counts(sc))
        return NW_OK;
    rc = footprint_of(sc, m, &f);
    if (rc || !(f.total > (double)sc->platform.gpu.memory_bytes))
        return rc;
    return refuse(sc, m, &f, why, nwhy);
}
