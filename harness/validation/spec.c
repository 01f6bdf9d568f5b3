#include "harness/validation/spec.h"

#include <stdlib.h>
#include <string.h>

#include "harness/scenario/reader.h"
#include "harness/scenario/schema/bind.h"
#include "harness/scenario/yaml/diag.h"
#include "harness/status.h"
#include "harness/validation/schema.h"

struct opened {
    struct validation spec; /* first, so that one is the other */
    struct arena arena;
    struct diag diag;
    struct loader loader;
    const struct node *tree;
};

/* Calls add() for each 'name: expression' of the map. */
static void read_map(struct opened *o, const char *key, bool required,
                     void (*add)(struct opened *o, const char *name, const char *expression))
{
    const struct entry *map = tree_entry(o->tree, key);

    if (!map && !required)
        return;
    if (!map || map->value->kind != NODE_MAP) {
        diag_add(&o->diag, map ? map->value->at : o->tree->at, key, NULL, "expected a mapping 'name: expression'");
        return;
    }
    for (size_t i = 0; i < map->value->n; i++) {
        const struct entry *e = &map->value->entries[i];
        if (e->value->kind == NODE_SCALAR)
            add(o, e->key, e->value->text);
        else
            diag_add(&o->diag, e->value->at, e->key, NULL, "expected an expression, got %s", tree_kind_name(e->value));
    }
}

static void add_bind(struct opened *o, const char *name, const char *expression)
{
    struct validation_bind *b = ARENA_PUSH(&o->arena, o->spec.binds, o->spec.nbinds);

    *b = (struct validation_bind){ name, expression };
}

static void add_column(struct opened *o, const char *name, const char *expression)
{
    struct validation_column *c = ARENA_PUSH(&o->arena, o->spec.columns, o->spec.ncolumns);

    *c = (struct validation_column){ name, expression };
}

static void check_rows(struct opened *o)
{
    const struct validation *v = &o->spec;
    bool file = v->data && *v->data, text = v->rows && *v->rows;

    if (file == text)
        diag_add(&o->diag, o->tree->at, "data", NULL, "expected either 'data' or 'rows', got %s",
                 file ? "both" : "neither");
    for (size_t i = 0; i < v->npeers; i++) {
        size_t k = 0;
        while (k < v->nsets && *v->peers[i].set && strcmp(v->sets[k].name, v->peers[i].set) != 0)
            k++;
        if (k == v->nsets)
            diag_add(&o->diag, o->tree->at, "peers", NULL, "expected the name of a set, got '%s'", v->peers[i].set);
    }
}

static void read_spec(struct opened *o, const char *path)
{
    const struct loaded_file *file = load_file(&o->loader, path, (struct mark){ 0 }, "");
    struct binder b = { .loader = &o->loader };

    if (!file || !file->tree)
        return;
    o->tree = file->tree;
    bind_map(&b, &schema_validation, o->tree, "", &o->spec);
    bind_missing(&b, NULL, 0);
    if (o->tree->kind == NODE_MAP) {
        read_map(o, "columns", false, add_column);
        read_map(o, "bind", true, add_bind);
        check_rows(o);
    }
}

int validation_open(const char *path, FILE *err, struct validation **out)
{
    struct opened *o = calloc(1, sizeof(*o));
    jmp_buf oom;

    if (!o)
        return NW_ENOMEM;
    o->arena.oom = &oom;
    o->diag.arena = &o->arena;
    o->loader = (struct loader){ .arena = &o->arena, .diag = &o->diag, .reader = &disk_reader };
    if (setjmp(oom)) {
        free(o->loader.text);
        validation_close(&o->spec);
        return NW_ENOMEM;
    }
    read_spec(o, path);
    if (!o->diag.total) {
        *out = &o->spec;
        return NW_OK;
    }
    diag_print(&o->diag, err);
    o->arena.oom = NULL;
    validation_close(&o->spec);
    return NW_EINPUT;
}

void validation_close(struct validation *v)
{
    struct opened *o = (struct opened *)(void *)v;

    if (o)
        arena_free(&o->arena);
    free(o);
}

int validation_complain(const struct validation *v, const char *path, const char *text, FILE *err)
{
    const struct opened *o = (const struct opened *)(const void *)v;
    struct diag_error e = { .path = path, .text = text };

    tree_locate(o->tree, path, &e.at);
    diag_print_error(&e, "", err);
    return NW_EINPUT;
}

bool validation_likely(const char *path)
{
    struct arena arena = { 0 };
    struct diag diag = { .arena = &arena };
    struct loader loader = { .arena = &arena, .diag = &diag, .reader = &disk_reader };
    volatile bool likely = 0;
    jmp_buf oom;

    arena.oom = &oom;
    if (strcmp(path, "-") && !setjmp(oom)) {
        const struct loaded_file *file = load_file(&loader, path, (struct mark){ 0 }, "");
        likely = file && file->tree && tree_entry(file->tree, "bind") && tree_entry(file->tree, "sets");
    }
    free(loader.text);
    arena_free(&arena);
    return likely;
}

void validation_document(FILE *out)
{
    schema_document(&schema_validation, out);
}
