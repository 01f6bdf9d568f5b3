/* point.h - one combination of the axes and one variant, bound. */
#ifndef NARROWS_HARNESS_SCENARIO_POINTS_POINT_H
#define NARROWS_HARNESS_SCENARIO_POINTS_POINT_H

#include "harness/scenario/head.h"
#include "harness/scenario/points/setting.h"

struct variant {
    const char *name;
    struct settings settings;
};

/* What a point keeps besides its scenario. */
struct point_memory {
    struct arena arena;
    size_t image[SECTIONS];
};

/* The scenario and the variant of a point, as a template sees them. */
struct bound {
    struct head head;
    struct scenario *scenario;
    size_t image[SECTIONS];
    const struct variant *variant; /* NULL if there are none */
    size_t combination;
};

void point_bind(const struct scenario_file *f, struct arena *a, size_t index, struct scenario *out, struct bound *b);
void *bound_base(struct bound *b, enum section section);

typedef void setting_fn(void *ctx, const struct setting *s);

/* Every setting that applies to a combination of the axes and a variant (NULL: there are none), in order of precedence:
 * later ones win, the command line last. */
void settings_visit(const struct scenario_file *f, size_t combination, const struct variant *variant, setting_fn *visit,
                    void *ctx);

/* Every setting of a variant or an axis, whichever points it applies to. */
void settings_visit_varied(const struct scenario_file *f, setting_fn *visit, void *ctx);

#endif
