/* axis.c - the axes of a sweep: which path, which values, which advance together. */
#include "harness/scenario/points/axis.h"

#include <string.h>

#include "harness/scenario/file.h"
#include "harness/scenario/points/sweep.h"

static const char ZIP[] = "zip";

/* The axis' values, each checked by itself. False after an error. */
static bool read_values(struct scenario_file *f, const struct node *values, const char *key, struct axis *a)
{
    const struct node *list = sweep_values(f, a->target.field, values, key);
    size_t errors = f->diag.total;

    if (!list)
        return false;
    a->values = ARENA_ARRAY(&f->arena, struct setting, list->n);
    for (a->n = 0; a->n < list->n; a->n++) {
        const struct node *item = list->items[a->n];

        if (!setting_value(f, &a->target, item->at, item, key, true, &a->values[a->n]) &&
            (values->kind == NODE_SCALAR || f->diag.total - errors > DIAG_PRINTED))
            break; /* one error is enough for a range */
    }
    return f->diag.total == errors;
}

static bool same_path(const struct target *a, const struct target *b)
{
    return a->path && b->path && !strcmp(a->path, b->path);
}

static bool set_on_command_line(const struct scenario_file *f, const struct target *t)
{
    for (size_t i = 0; i < f->command_sets.n; i++)
        if (same_path(&f->command_sets.items[i].target, t))
            return true;
    return false;
}

static const struct axis *find_axis(const struct scenario_file *f, const struct target *t)
{
    for (size_t d = 0; d < f->ndims; d++)
        for (size_t i = 0; i < f->dims[d].naxes; i++)
            if (same_path(&f->dims[d].axes[i].target, t))
                return &f->dims[d].axes[i];
    return NULL;
}

/* Read one axis. False if there is none to add: after an error, or because the command line replaces it. */
static bool read_axis(struct scenario_file *f, const char *path, struct mark at, const struct node *values,
                      bool command, struct axis *out)
{
    const char *key = arena_printf(&f->arena, "sweep.%s", path);
    const struct axis *twin;
    bool read;

    *out = (struct axis){ .command = command, .at = at };
    if (f->references_only && reference_section(path) < 0)
        return false;
    if (!command && reference_section(path) >= 0 && f->exchanged[reference_section(path)])
        return false;
    out->target = target_resolve(f, path, at, key);
    if (!out->target.path)
        return false;
    read = read_values(f, values, key, out);
    if (f->references_only || !read)
        return false;
    twin = find_axis(f, &out->target);
    if (command && set_on_command_line(f, &out->target)) {
        diag_add(&f->diag, at, key, NULL, "expected --set or --sweep of a path, got both");
        return false;
    }
    if (twin && twin->command == command) {
        diag_add(&f->diag, at, key, NULL, "expected each path swept once, got '%s' again", out->target.path);
        return false;
    }
    return !twin && !set_on_command_line(f, &out->target);
}

static void add_axis(struct scenario_file *f, struct dimension_of_sweep *d, const struct axis *a)
{
    if (!d->naxes)
        d->n = a->n;
    else if (a->n != d->n)
        diag_add(&f->diag, a->at, "sweep.zip", NULL, "expected %zu values, as many as '%s' has, got %zu", d->n,
                 d->axes[0].target.path, a->n);
    *ARENA_PUSH(&f->arena, d->axes, d->naxes) = *a;
}

static void add_dimension(struct scenario_file *f, const struct dimension_of_sweep *d)
{
    if (d->naxes)
        *ARENA_PUSH(&f->arena, f->dims, f->ndims) = *d;
}

static void read_group(struct scenario_file *f, const struct node *group)
{
    struct dimension_of_sweep d = { 0 };
    struct axis a;

    if (group->kind != NODE_MAP || !group->n) {
        diag_add(&f->diag, group->at, "sweep.zip", NULL, "expected a mapping of paths to values, got %s",
                 group->kind == NODE_MAP ? "nothing" : tree_kind_name(group));
        return;
    }
    for (size_t i = 0; i < group->n; i++)
        if (read_axis(f, group->entries[i].key, group->entries[i].at, group->entries[i].value, false, &a))
            add_axis(f, &d, &a);
    add_dimension(f, &d);
}

static void read_zip(struct scenario_file *f, const struct node *zip)
{
    if (zip->kind != NODE_LIST) {
        read_group(f, zip);
        return;
    }
    for (size_t i = 0; i < zip->n; i++)
        read_group(f, zip->items[i]);
}

void axes_read_file(struct scenario_file *f, const struct node *sweep)
{
    struct axis a;

    if (sweep->kind != NODE_MAP) {
        diag_add(&f->diag, sweep->at, "sweep", NULL, "expected a mapping of paths to values, got %s",
                 tree_kind_name(sweep));
        return;
    }
    for (size_t i = 0; i < sweep->n; i++) {
        const struct entry *e = &sweep->entries[i];
        struct dimension_of_sweep d = { 0 };

        if (!strcmp(e->key, ZIP)) {
            read_zip(f, e->value);
        } else if (read_axis(f, e->key, e->at, e->value, false, &a)) {
            add_axis(f, &d, &a);
            add_dimension(f, &d);
        }
    }
}

void axes_read_command(struct scenario_file *f, const struct node *const *sweeps, size_t n)
{
    struct dimension_of_sweep zipped = { 0 };
    struct axis a;

    for (size_t i = 0; i < n; i++) {
        const struct entry *e = &sweeps[i]->entries[0];
        bool zip = !strncmp(e->key, "zip:", 4);
        struct dimension_of_sweep d = { 0 };

        if (!read_axis(f, e->key + (zip ? 4 : 0), e->at, e->value, true, &a))
            continue;
        add_axis(f, zip ? &zipped : &d, &a);
        add_dimension(f, &d);
    }
    add_dimension(f, &zipped);
}
