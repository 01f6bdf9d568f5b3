/* shapes.c - infers a model's shapes, and reports what does not fit at the place of the layer. */
#include "harness/scenario/shapes.h"

#include <stdio.h>
#include <string.h>

#include "harness/scenario/file.h"
#include "model/status.h"

void shapes_check(struct scenario_file *f, const struct image *image, const char *prefix)
{
    const struct model_spec *spec = image->base;
    struct model m = { 0 };
    struct mark at;
    char why[512];
    int rc = model_infer(spec, &m, why, sizeof(why));

    if (rc == E_NOMEM)
        longjmp(*f->arena.oom, 1);
    if (!rc) {
        model_free(&m);
        return;
    }
    char *colon = strncmp(why, "layers[", 7) == 0 || strncmp(why, "gpt.", 4) == 0 ? strchr(why, ':') : NULL;
    if (colon)
        *colon = 0;
    const char *path = colon ? why : spec->gpt.hidden ? "gpt" : "layers";
    tree_locate(image->keys, path, &at);
    diag_add(&f->diag, at, arena_printf(&f->arena, "%s%s", prefix, path), NULL, "%s", colon ? colon + 2 : why);
}

static void note_layers(void *ctx, const struct setting *s)
{
    bool *changed = ctx;

    *changed |= s->target.section == SECTION_MODEL && s->target.field;
}

static bool changes_layers(const struct scenario_file *f)
{
    bool changed = false;

    for (size_t i = 0; i < f->sets.n; i++)
        note_layers(&changed, &f->sets.items[i]);
    for (size_t i = 0; i < f->command_sets.n; i++)
        note_layers(&changed, &f->command_sets.items[i]);
    settings_visit_varied(f, note_layers, &changed);
    return changed;
}

void shapes_check_all(struct scenario_file *f)
{
    const struct images *models = &f->images[SECTION_MODEL];
    size_t n = changes_layers(f) ? 0 : models->n;

    for (size_t i = 0; i < n; i++)
        shapes_check(f, &models->items[i], "model.");
}
