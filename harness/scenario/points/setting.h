/* setting.h - a path and the value that 'set', a variant, --set or an axis gives it. */
#ifndef NARROWS_HARNESS_SCENARIO_POINTS_SETTING_H
#define NARROWS_HARNESS_SCENARIO_POINTS_SETTING_H

#include "harness/scenario/points/target.h"
#include "harness/scenario/schema/value.h"

struct setting {
    struct target target;
    struct value value;
    size_t image;   /* of a target without a field */
    struct mark at; /* of the path; on an axis, of the value */
    struct mark value_at;
};

struct settings {
    struct setting *items;
    size_t n;
};

/* The settings of a map 'path: value'. 'varies': the values differ between points, so the keys must be able to change a
 * result. */
void settings_read(struct scenario_file *f, const struct node *map, const char *key, bool varies, struct settings *out);

/* One setting of a known target. False after an error. */
bool setting_value(struct scenario_file *f, const struct target *t, struct mark at, const struct node *value,
                   const char *key, bool varies, struct setting *out);

#endif
