/* shapes.c - do a model's layers fit each other? A fault is told at the place of the layer. */
#include <stdio.h>
#include <string.h>

#include "harness/scenario/file.h"
#include "model/status.h"

void shapes_check(struct scenario_file *f, const struct image *image, const char *prefix)
{
    struct model m = { 0 };
    struct mark at;
    char why[512];
    int rc = model_infer(image->base, &m, why, sizeof(why));

    if (rc == SIM_ENOMEM)
        longjmp(*f->arena.oom, 1);
    if (!rc) {
        model_free(&m);
        return;
    }
    char *colon = strncmp(why, "layers[", 7) == 0 ? strchr(why, ':') : NULL;
    if (colon)
        *colon = 0;
    const char *path = colon ? why : "layers";
    tree_locate(image->keys, path, &at);
    diag_add(&f->diag, at, arena_printf(&f->arena, "%s%s", prefix, path), NULL, "%s", colon ? colon + 2 : why);
}

static bool touches_model(const struct settings *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->items[i].target.section == SECTION_MODEL && s->items[i].target.field)
            return true;
    return false;
}

/* A scenario that changes layers is judged point by point, when it is run or checked. */
static bool changes_layers(const struct scenario_file *f)
{
    bool changes = touches_model(&f->sets) || touches_model(&f->command_sets);

    for (size_t i = 0; i < f->nvariants; i++)
        changes = changes || touches_model(&f->variants[i].settings);
    for (size_t d = 0; d < f->ndims; d++)
        for (size_t i = 0; i < f->dims[d].naxes; i++)
            changes =
                changes || (f->dims[d].axes[i].target.section == SECTION_MODEL && f->dims[d].axes[i].target.field);
    return changes;
}

void shapes_check_all(struct scenario_file *f)
{
    const struct images *models = &f->images[SECTION_MODEL];

    for (size_t i = 0; !changes_layers(f) && i < models->n; i++)
        shapes_check(f, &models->items[i], "model.");
}
