/* open.c - from the files and the arguments to points: everything is read and checked here, all errors are reported. */
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/codec_rates.h"
#include "harness/scenario/contents.h"
#include "harness/scenario/file.h"
#include "harness/scenario/memory.h"
#include "harness/scenario/points/argument.h"
#include "harness/scenario/points/cells.h"
#include "harness/scenario/shapes.h"
#include "harness/scenario/times.h"
#include "harness/status.h"

struct arguments {
    const char *path;
    const char *const *sets;
    size_t nsets;
    const char *const *sweeps;
    size_t nsweeps;
};

struct parts {
    const struct node *root;
    const struct node **sets, **sweeps;
    size_t nsets, nsweeps;
};

static void read_variants(struct scenario_file *f, const struct node *variants)
{
    if (variants->kind != NODE_MAP || !variants->n) {
        diag_add(&f->diag, variants->at, "variants", NULL,
                 "expected names, each with a mapping of paths to values, got %s",
                 variants->kind == NODE_MAP ? "nothing" : tree_kind_name(variants));
        return;
    }
    f->variants = ARENA_ARRAY(&f->arena, struct variant, variants->n);
    f->nvariants = variants->n;
    for (size_t i = 0; i < variants->n; i++) {
        const struct entry *e = &variants->entries[i];

        f->variants[i].name = e->key;
        if (strlen(e->key) > 63)
            diag_add(&f->diag, e->at, "variants", NULL, "expected a name of at most 63 characters, got a longer one");
        if (e->value->kind != NODE_SCALAR || *e->value->text) /* "name:" alone changes nothing */
            settings_read(f, e->value, arena_printf(&f->arena, "variants.%s", e->key), true, &f->variants[i].settings);
    }
}

/* Everything that names a path. Run twice: first only what exchanges platforms, models and timings. */
static void read_paths(struct scenario_file *f, const struct parts *p)
{
    const struct entry *set = tree_entry(p->root, "set"), *variants = tree_entry(p->root, "variants"),
                       *sweep = tree_entry(p->root, "sweep");

    for (size_t i = 0; i < p->nsets; i++)
        settings_read(f, p->sets[i], "--set", false, &f->command_sets);
    axes_read_command(f, p->sweeps, p->nsweeps);
    if (set)
        settings_read(f, set->value, "set", false, &f->sets);
    if (variants)
        read_variants(f, variants->value);
    if (sweep)
        axes_read_file(f, sweep->value);
}

static void note_exchanges(struct scenario_file *f, const struct parts *p)
{
    for (size_t i = 0; i < p->nsets; i++)
        if (reference_section(p->sets[i]->entries[0].key) >= 0)
            f->exchanged[reference_section(p->sets[i]->entries[0].key)] = true;
    for (size_t i = 0; i < p->nsweeps; i++) {
        const char *path = p->sweeps[i]->entries[0].key;

        path += strncmp(path, "zip:", 4) ? 0 : 4;
        if (reference_section(path) >= 0)
            f->exchanged[reference_section(path)] = true;
    }
}

static bool in_sweep(const struct node *sweep, enum section section)
{
    const struct entry *zip = tree_entry(sweep, "zip");
    bool found = section_entry(sweep, section) != NULL;

    if (zip)
        found |= section_entry(zip->value, section) != NULL;
    for (size_t i = 0; zip && zip->value->kind == NODE_LIST && i < zip->value->n; i++)
        found |= section_entry(zip->value->items[i], section) != NULL;
    return found;
}

static bool in_variants(const struct node *variants, enum section section)
{
    for (size_t i = 0; variants->kind == NODE_MAP && i < variants->n; i++)
        if (section_entry(variants->entries[i].value, section))
            return true;
    return false;
}

/* A scenario that trains is simulated as well if it has a method or a platform; it then needs both. */
static void note_sections(struct scenario_file *f, const struct parts *p)
{
    const struct entry *set = tree_entry(p->root, "set"), *sweep = tree_entry(p->root, "sweep"),
                       *variants = tree_entry(p->root, "variants"), *batch = tree_entry(p->root, "batch");

    f->head.trained = tree_entry(p->root, "training") != NULL;
    f->head.simulated = !f->head.trained || tree_entry(p->root, "method") || tree_entry(p->root, "platform") ||
                        f->exchanged[SECTION_PLATFORM] || (set && section_entry(set->value, SECTION_PLATFORM)) ||
                        (sweep && in_sweep(sweep->value, SECTION_PLATFORM)) ||
                        (variants && in_variants(variants->value, SECTION_PLATFORM));
    if (batch && !f->head.simulated)
        diag_add(&f->diag, batch->at, "batch", "training.batch",
                 "expected no batch where nothing is simulated, for lack of a method");
}

/* Where the file names its platform, its model or its timing; NULL if it does not. */
static const struct entry *reference_entry(const struct parts *p, enum section section)
{
    const struct entry *method = tree_entry(p->root, "method");

    if (section == SECTION_TIMING)
        return method ? tree_entry(method->value, "timing") : NULL;
    return tree_entry(p->root, section_path(section));
}

/* Bytes alone: nothing that has a model. */
static void refuse_model(struct scenario_file *f, const struct parts *p, const struct entry *model)
{
    const char *kind = schema_field(&schema_method, "kind")->names[f->head.method.kind];

    if (model)
        diag_add(&f->diag, model->at, "model", NULL, "expected no model with the method '%s', got one", kind);
    if (f->head.trained)
        diag_add(&f->diag, tree_entry(p->root, "training")->at, "training", NULL,
                 "expected no training with the method '%s', got one", kind);
}

/* The file's own platform, model or timing, unless something replaces it in every point. */
static void read_reference(struct scenario_file *f, const struct parts *p, enum section section, struct binder *b)
{
    const char *key = section_path(section);
    const struct entry *e = reference_entry(p, section), *set = tree_entry(p->root, "set"),
                       *sweep = tree_entry(p->root, "sweep");

    f->images[section].broken = false;
    if (f->exchanged[section] || (set && section_entry(set->value, section)) ||
        (sweep && in_sweep(sweep->value, section)))
        return;
    if (section == SECTION_TIMING && f->head.method.kind != METHOD_MEMORY_PLAN)
        return;
    if (section == SECTION_PLATFORM && !f->head.simulated)
        return;
    if (section == SECTION_MODEL && !method_has_model(f->head.method.kind)) {
        refuse_model(f, p, e);
        return;
    }
    if (e)
        reference_image(f, section, e->value, key, &f->first_image[section]);
    else if (section != SECTION_TIMING) /* whose key is required among those of the method */
        *ARENA_PUSH(&f->arena, b->missing, b->nmissing) = (struct missing){ key, p->root->at };
    f->images[section].broken |= !e;
}

/* Paths that every point sets: their keys may be missing from the files. */
static const char **given_paths(struct scenario_file *f, size_t *n)
{
    const char **out = NULL;

    *n = 0;
    for (size_t i = 0; i < f->sets.n; i++)
        *ARENA_PUSH(&f->arena, out, *n) = f->sets.items[i].target.path;
    for (size_t i = 0; i < f->command_sets.n; i++)
        *ARENA_PUSH(&f->arena, out, *n) = f->command_sets.items[i].target.path;
    for (size_t d = 0; d < f->ndims; d++)
        for (size_t i = 0; i < f->dims[d].naxes; i++)
            *ARENA_PUSH(&f->arena, out, *n) = f->dims[d].axes[i].target.path;
    return out;
}

/* The file's axes before those of the command line, which were read first. */
static void order_axes(struct scenario_file *f)
{
    struct dimension_of_sweep *out = ARENA_ARRAY(&f->arena, struct dimension_of_sweep, f->ndims);
    size_t n = 0;

    for (int command = 0; command < 2; command++)
        for (size_t d = 0; d < f->ndims; d++)
            if (f->dims[d].axes[0].command == command)
                out[n++] = f->dims[d];
    f->dims = out;
}

static void count_points(struct scenario_file *f, const struct parts *p)
{
    f->npoints = f->nvariants ? f->nvariants : 1;
    for (size_t d = 0; d < f->ndims; d++) {
        if (f->dims[d].n > MAX_POINTS / f->npoints) {
            diag_add(&f->diag, p->root->at, "sweep", NULL, "expected at most %d points, got more", MAX_POINTS);
            f->npoints = 1;
            return;
        }
        f->npoints *= f->dims[d].n;
    }
}

/* Settings of texts that belong to no point: the name, the title, the notes. */
static void set_texts(struct scenario_file *f, const struct settings *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct target *t = &s->items[i].target;

        if (t->field && t->section == SECTION_HEAD)
            value_store(t->field, &s->items[i].value, place_in(&t->places[0], &f->head));
    }
}

static void bind_head(struct scenario_file *f, const struct parts *p, struct binder *b)
{
    struct image *image = ARENA_PUSH(&f->arena, f->images[SECTION_HEAD].items, f->images[SECTION_HEAD].n);

    note_sections(f, p);
    image->base = &f->head;
    bind_map(b, &schema_scenario, p->root, "", &f->head);
    f->images[SECTION_HEAD].broken = b->unselected;
    times_find(f);
    image_index(f, SECTION_HEAD, image);
}

static void read_file(struct scenario_file *f, const struct arguments *args)
{
    const struct loaded_file *file = load_file(&f->loader, f->path, (struct mark){ 0 }, "");
    struct parts p = { .nsets = args->nsets, .nsweeps = args->nsweeps };
    struct binder b = { .loader = &f->loader };
    const char **given;
    size_t ngiven;

    if (!file || !kind_right(f, file->tree, SECTION_HEAD, file->tree->at, ""))
        return;
    p.root = f->root = file->tree;
    p.sets = argument_nodes(f, "--set", args->sets, &p.nsets);
    p.sweeps = argument_nodes(f, "--sweep", args->sweeps, &p.nsweeps);
    note_exchanges(f, &p);
    load_enter(&f->loader, file);
    bind_head(f, &p, &b);
    if (!method_has_model(f->head.method.kind))
        bind_waive(&b, "batch");
    f->references_only = true;
    for (int section = SECTION_PLATFORM; section < SECTIONS; section++)
        read_reference(f, &p, (enum section)section, &b);
    read_paths(f, &p);
    f->references_only = false;
    f->sets.n = f->command_sets.n = f->ndims = 0;
    read_paths(f, &p);
    load_leave(&f->loader);
    set_texts(f, &f->sets);
    set_texts(f, &f->command_sets);
    order_axes(f);
    count_points(f, &p);
    given = given_paths(f, &ngiven);
    bind_missing(&b, given, ngiven);
    reference_check(f, given, ngiven);
    cells_read(f, p.root);
}

static int open_with(const struct reader *reader, const struct arguments *args, FILE *err, struct scenario_file **out)
{
    struct scenario_file *f = calloc(1, sizeof(*f));
    jmp_buf oom;
    int rc;

    if (!f)
        return NW_ENOMEM;
    f->arena.oom = &oom;
    f->diag.arena = &f->arena;
    f->loader = (struct loader){ .arena = &f->arena, .diag = &f->diag, .reader = reader };
    if (setjmp(oom)) {
        scenario_close(f);
        return NW_ENOMEM;
    }
    f->path = arena_text(&f->arena, args->path);
    read_file(f, args);
    if (!f->diag.total)
        shapes_check_all(f);
    rc = f->diag.total ? NW_EINPUT : contents_read(f, err);
    if (!rc && codec_rates_error()) {
        fprintf(err, "%s\n", codec_rates_error());
        rc = NW_EIO;
    }
    if (!rc)
        fits_expand(f);
    f->arena.oom = NULL;
    if (rc) {
        diag_print(&f->diag, err);
        scenario_close(f);
        return rc;
    }
    f->loader.reader = NULL;
    *out = f;
    return NW_OK;
}

int scenario_open(const char *path, const char *const *sets, size_t nsets, const char *const *sweeps, size_t nsweeps,
                  FILE *err, struct scenario_file **out)
{
    struct arguments args = { path, sets, nsets, sweeps, nsweeps };

    return open_with(&disk_reader, &args, err, out);
}

int scenario_open_memory(struct memory_files *files, const char *path, const char *const *sets, size_t nsets,
                         const char *const *sweeps, size_t nsweeps, FILE *err, struct scenario_file **out)
{
    struct arguments args = { path, sets, nsets, sweeps, nsweeps };
    struct reader reader = memory_reader(files);

    return open_with(&reader, &args, err, out);
}

void scenario_close(struct scenario_file *f)
{
    if (!f)
        return;
    free(f->loader.text);
    contents_free(f);
    arena_free(&f->arena);
    free(f);
}
