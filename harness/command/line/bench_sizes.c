#include "harness/command/line/bench_sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/line/command_line.h"
#include "harness/count.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"

/* The largest size: 2^34 values, 64 GiB. */
#define MAX_VALUES ((double)((size_t)1 << 34))

/* "1000000": so many values. "4MiB": values that take so many bytes as fp32. */
size_t bench_values(const char *text)
{
    static const struct {
        const char *suffix;
        double values;
    } units[] = { { "", 1 }, { "KiB", 0x1p8 }, { "MiB", 0x1p18 }, { "GiB", 0x1p28 } };
    char *end;
    double value = strtod(text, &end);

    for (size_t i = 0; i < COUNT(units) && end != text; i++)
        if (!strcmp(end, units[i].suffix)) {
            value *= units[i].values;
            if (value >= 1 && value <= MAX_VALUES && value == (double)(size_t)value)
                return (size_t)value;
        }
    command_misused("--size", "a number of values or bytes of fp32 as in 4MiB, up to 64GiB", text);
}

/* The weights of each layer that has any, *sizes from malloc. */
static int layer_sizes(const struct model *m, size_t **sizes, size_t *n)
{
    *n = 0;
    *sizes = malloc(m->nlayers * sizeof(**sizes));
    if (!*sizes)
        return NW_ENOMEM;
    for (size_t i = 0; i < m->nlayers; i++)
        if (m->layers[i].weights > 0)
            (*sizes)[(*n)++] = (size_t)m->layers[i].weights;
    if (*n)
        return NW_OK;
    return status_error(NW_EINPUT, "bench: %s has no weights\n", m->name);
}

int bench_load_model(const char *name, struct model_spec **spec, struct model *m)
{
    char path[4096], why[256];
    int rc = command_find("models", name, path, sizeof(path));

    if (!rc)
        rc = scenario_load_model(path, stderr, spec);
    if (!rc && model_infer(*spec, m, why, sizeof(why)))
        rc = status_error(NW_EINPUT, "%s: %s\n", path, why);
    if (!rc && !m->nlayers)
        rc = status_error(NW_EINPUT, "%s: expected a model without experts and latent attention\n", path);
    return rc;
}

static const size_t usual_sizes[] = { 1 << 14, 1 << 20, 1 << 26 }; /* 64 KiB, 4 MiB, 256 MiB */

int bench_sizes(const size_t *given, size_t ngiven, const struct model *m, size_t **layers, struct bench_size *sizes,
                size_t *nsizes)
{
    size_t n = 0;

    if (m) {
        int rc = layer_sizes(m, layers, &n);

        sizes[0] = (struct bench_size){ *layers, n };
        *nsizes = 1;
        return rc;
    }
    if (!ngiven) {
        given = usual_sizes;
        ngiven = COUNT(usual_sizes);
    }
    *nsizes = ngiven;
    *layers = malloc(*nsizes * sizeof(**layers));
    if (!*layers)
        return NW_ENOMEM;
    for (size_t i = 0; i < *nsizes; i++) {
        (*layers)[i] = given[i];
        sizes[i] = (struct bench_size){ *layers + i, 1 };
    }
    return NW_OK;
}
