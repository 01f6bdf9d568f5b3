/* variant.c - the points of one combination of the axes: one for each variant. */
#include <string.h>

#include "harness/scenario/file.h"
#include "harness/status.h"
#include "harness/text/suggest.h"

static void no_such_variant(const struct scenario_file *f, const char *variant, FILE *err)
{
    struct suggest near = { .given = variant };

    fprintf(err, "%s: expected %s", f->path,
            f->nvariants ? "one of the variants " : "no variant, since the scenario has none");
    for (size_t i = 0; i < f->nvariants; i++) {
        fprintf(err, "%s%s", i ? ", " : "", f->variants[i].name);
        suggest_offer(&near, f->variants[i].name);
    }
    fprintf(err, ", got '%s'", variant);
    if (suggest_result(&near))
        fprintf(err, "; did you mean '%s'?", suggest_result(&near));
    fputc('\n', err);
}

int scenario_point_variant(const struct scenario_file *f, size_t index, const char *variant, FILE *err,
                           struct point *out)
{
    if (index >= f->npoints) {
        fprintf(err, "%s: --point: expected 0..%zu, got %zu\n", f->path, f->npoints - 1, index);
        return NW_EINPUT;
    }
    if (!variant || (!f->nvariants && !*variant))
        return scenario_point(f, index, out);
    for (size_t i = 0; i < f->nvariants; i++)
        if (!strcmp(f->variants[i].name, variant))
            return scenario_point(f, index / f->nvariants * f->nvariants + i, out);
    no_such_variant(f, variant, err);
    return NW_EINPUT;
}
