/* cells.c - the sections 'compare' and 'calibrate', and the variants they name. */
#include "harness/scenario/points/cells.h"

#include <string.h>

#include "harness/scenario/file.h"
#include "harness/text/suggest.h"

static const char *const text_keys[CELL_TEXTS] = { "paper", "table", "row", "column", "measure" };

static void check_variant(struct scenario_file *f, const char *name, struct mark at, const char *key)
{
    struct suggest near = { .given = name };

    for (size_t i = 0; i < f->nvariants; i++) {
        if (!strcmp(f->variants[i].name, name))
            return;
        suggest_offer(&near, f->variants[i].name);
    }
    diag_add(&f->diag, at, key, suggest_result(&near), "expected the name of a variant, got '%s'",
             diag_quote(&f->diag, name));
}

/* The templates of a row, from the texts in 'map'. */
static struct cell_template read_cell(struct scenario_file *f, const struct node *map, const char *path)
{
    struct cell_template c = { .variant = "" };

    for (int i = 0; i < CELL_TEXTS; i++) {
        const struct entry *e = tree_entry(map, text_keys[i]);
        struct written w;

        if (!e || e->value->kind != NODE_SCALAR)
            continue;
        w = value_written(e->value, arena_printf(&f->arena, "%s.%s", path, text_keys[i]));
        c.texts[i] = template_compile(f, w.text, w.at, w.key);
    }
    return c;
}

static const struct node *list_items(const struct node *map, const char *key)
{
    const struct entry *e = tree_entry(map, key);

    return e && e->value->kind == NODE_LIST ? e->value : NULL;
}

static void read_compare(struct scenario_file *f, const struct node *rows)
{
    f->cells = ARENA_ARRAY(&f->arena, struct cell_template, rows->n);
    for (size_t i = 0; i < rows->n; i++) {
        const char *path = arena_printf(&f->arena, "compare[%zu]", i);
        const struct entry *variant = tree_entry(rows->items[i], "variant");
        struct cell_template *c = &f->cells[f->ncells++];

        *c = read_cell(f, rows->items[i], path);
        if (!variant || variant->value->kind != NODE_SCALAR)
            continue;
        c->variant = variant->value->text;
        check_variant(f, c->variant, variant->value->at, arena_printf(&f->arena, "%s.variant", path));
    }
}

static bool can_be_fitted(const struct target *t)
{
    bool method = t->section == SECTION_HEAD && !strncmp(t->path, "method.", 7);

    return (t->section != SECTION_HEAD || method) && t->field && t->field->type == FIELD_NUMBER;
}

static const char *fit_unit(const struct target *t)
{
    return t->field ? unit_base(t->field->dimension) : "";
}

/* Rates begin at a giga, sizes at a kilo, times at a millisecond, shares at a tenth. */
static double fit_start(const struct target *t)
{
    switch (t->field ? t->field->dimension : DIM_NONE) {
    case DIM_NONE: return 0.1;
    case DIM_SECONDS: return 1e-3;
    case DIM_BYTES: return 1e3;
    default: return 1e9;
    }
}

static void read_fits(struct scenario_file *f, const struct node *rows)
{
    f->fits = ARENA_ARRAY(&f->arena, struct fit, rows->n);
    f->fit_cells = ARENA_ARRAY(&f->arena, struct cell_template, rows->n);
    for (size_t i = 0; i < rows->n; i++) {
        const char *path = arena_printf(&f->arena, "calibrate.fit[%zu]", i);
        const char *key = arena_printf(&f->arena, "%s.constant", path);
        const struct entry *e = tree_entry(rows->items[i], "constant");
        struct target t = { 0 };

        if (e && e->value->kind == NODE_SCALAR)
            t = target_resolve(f, e->value->text, e->value->at, key);
        if (t.path && !can_be_fitted(&t))
            diag_add(&f->diag, e->value->at, key, NULL,
                     "expected the path of a number of the platform or the method, got '%s'", t.path);
        f->fit_cells[i] = read_cell(f, rows->items[i], path);
        double start = i < f->head.nfits ? f->head.fits[i].start : 0;
        f->fits[f->nfits++] = (struct fit){ .constant = t.path,
                                            .unit = fit_unit(&t),
                                            .start = start > 0 ? start : fit_start(&t),
                                            .most = t.field ? t.field->max : 0 };
    }
}

static void read_calibrate(struct scenario_file *f, const struct node *calibrate)
{
    const struct entry *variant = tree_entry(calibrate, "variant");
    const struct node *rows = list_items(calibrate, "fit");

    if (variant && variant->value->kind == NODE_SCALAR)
        check_variant(f, variant->value->text, variant->value->at, "calibrate.variant");
    else if (!variant && f->nvariants)
        diag_add(&f->diag, calibrate->at, "calibrate.variant", NULL,
                 "expected the key 'variant' with variants, got none");
    if (rows)
        read_fits(f, rows);
}

void cells_read(struct scenario_file *f, const struct node *root)
{
    const struct entry *calibrate = tree_entry(root, "calibrate"), *baseline = tree_entry(root, "baseline");
    const struct node *rows = list_items(root, "compare");

    if (f->head.baseline && *f->head.baseline)
        check_variant(f, f->head.baseline, baseline ? baseline->value->at : root->at, "baseline");
    if (rows)
        read_compare(f, rows);
    if (calibrate && calibrate->value->kind == NODE_MAP)
        read_calibrate(f, calibrate->value);
}

void fits_expand(struct scenario_file *f)
{
    struct scenario scenario;
    struct bound b;
    size_t index = 0;

    for (size_t i = 0; i < f->nvariants; i++)
        if (!strcmp(f->variants[i].name, f->head.fit_variant))
            index = i;
    if (!f->nfits)
        return;
    point_bind(f, &f->arena, index, &scenario, &b);
    for (size_t i = 0; i < f->nfits; i++)
        f->fits[i].cell = template_cell(f, &f->arena, &f->fit_cells[i], &b);
}
