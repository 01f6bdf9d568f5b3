/* standalone.c - a platform, a model or a timing file read by itself. */
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/scenario/file.h"
#include "harness/scenario/points/argument.h"
#include "harness/scenario/reader.h"
#include "harness/scenario/shapes.h"
#include "harness/status.h"

struct standalone {
    struct scenario_file file; /* only its arena, its errors and its loader are used, and the image */
    union {
        struct platform platform;
        struct model_spec model;
        struct timing timing;
    } bound;
};

/* What the command line sets: "link.eth.bandwidth=1 Gbit/s" as the tree of maps that a file would have for it. */
struct overrides {
    const char *const *sets;
    size_t n;
};

static const struct node *nested(struct arena *a, const struct entry *e)
{
    static const char platform[] = "platform."; /* as scenarios call it */
    const char *key = e->key + (strncmp(e->key, platform, strlen(platform)) ? 0 : strlen(platform));
    struct node *root = NULL, **at = &root;

    for (const char *dot = key; dot; key = dot ? dot + 1 : key) {
        struct mark place = { e->at.source, e->at.line, e->at.column + (unsigned)(key - e->key) };
        struct node *map = ARENA_NEW(a, struct node);
        dot = strchr(key, '.');
        *map = (struct node){ .kind = NODE_MAP, .at = place };
        struct entry *inner = ARENA_PUSH(a, map->entries, map->n);
        *inner = (struct entry){ arena_copy(a, key, dot ? (size_t)(dot - key) : strlen(key)), place, e->value };
        *at = map;
        at = (struct node **)(void *)&inner->value;
    }
    return root;
}

static const struct node *overridden(struct standalone *s, const struct node *tree, const struct overrides *over)
{
    size_t n = over->n;
    const struct node **sets = argument_nodes(&s->file, "--set", over->sets, &n);

    for (size_t i = 0; i < n; i++)
        tree = tree_merge(&s->file.arena, tree, nested(&s->file.arena, &sets[i]->entries[0]), NULL);
    return tree;
}

static void read_standalone(struct standalone *s, enum section section, const char *path, const struct overrides *over)
{
    const struct loaded_file *file = load_file(&s->file.loader, path, (struct mark){ 0 }, "");
    struct binder b = { .loader = &s->file.loader };
    const struct node *tree = file ? overridden(s, file->tree, over) : NULL;
    struct image *image;

    if (!file)
        return;
    image = ARENA_PUSH(&s->file.arena, s->file.images[section].items, s->file.images[section].n);
    image->tree = tree;
    image->keys = tree;
    image->base = &s->bound;
    bind_map(&b, section_schema(section), tree, "", &s->bound);
    if (section == SECTION_PLATFORM)
        reference_waive(&s->file, &b, image, "");
    bind_missing(&b, NULL, 0);
    reference_check(&s->file, NULL, 0);
    if (section == SECTION_MODEL && !s->file.diag.total)
        shapes_check(&s->file, image, "");
}

/* *bound: the platform, the model or the timing. */
static int open_standalone(enum section section, const char *path, const struct overrides *over, FILE *err,
                           void **bound)
{
    struct standalone *s = calloc(1, sizeof(*s));
    jmp_buf oom;

    if (!s)
        return NW_ENOMEM;
    s->file.arena.oom = &oom;
    s->file.diag.arena = &s->file.arena;
    s->file.loader = (struct loader){ .arena = &s->file.arena, .diag = &s->file.diag, .reader = &disk_reader };
    if (setjmp(oom)) {
        free(s->file.loader.text);
        arena_free(&s->file.arena);
        free(s);
        return NW_ENOMEM;
    }
    read_standalone(s, section, path, over);
    s->file.arena.oom = NULL;
    if (s->file.diag.total) {
        diag_print(&s->file.diag, err);
        arena_free(&s->file.arena);
        free(s);
        return NW_EINPUT;
    }
    *bound = &s->bound;
    return NW_OK;
}

int scenario_load_platform(const char *path, FILE *err, struct platform **out)
{
    return open_standalone(SECTION_PLATFORM, path, &(struct overrides){ 0 }, err, (void **)out);
}

int scenario_load_platform_set(const char *path, const char *const *sets, size_t nsets, FILE *err,
                               struct platform **out)
{
    return open_standalone(SECTION_PLATFORM, path, &(struct overrides){ sets, nsets }, err, (void **)out);
}

int scenario_load_model(const char *path, FILE *err, struct model_spec **out)
{
    return open_standalone(SECTION_MODEL, path, &(struct overrides){ 0 }, err, (void **)out);
}

int scenario_load_timing(const char *path, FILE *err, struct timing **out)
{
    return open_standalone(SECTION_TIMING, path, &(struct overrides){ 0 }, err, (void **)out);
}

static void free_bound(void *bound)
{
    struct standalone *s =
        bound ? (struct standalone *)(void *)((char *)bound - offsetof(struct standalone, bound)) : NULL;

    if (s)
        arena_free(&s->file.arena);
    free(s);
}

void scenario_free_platform(struct platform *p)
{
    free_bound(p);
}

void scenario_free_model(struct model_spec *m)
{
    free_bound(m);
}

void scenario_free_timing(struct timing *t)
{
    free_bound(t);
}

enum scenario_kind scenario_kind(const char *path)
{
    struct arena arena = { 0 };
    struct diag diag = { .arena = &arena };
    struct loader loader = { .arena = &arena, .diag = &diag, .reader = &disk_reader };
    const struct loaded_file *file;
    volatile enum scenario_kind kind = KIND_UNKNOWN;
    jmp_buf oom;

    if (!strcmp(path, "-")) /* it can be read only once */
        return KIND_UNKNOWN;
    arena.oom = &oom;
    if (!setjmp(oom)) {
        file = load_file(&loader, path, (struct mark){ 0 }, "");
        if (file)
            kind = kind_of_tree(file->tree);
    }
    free(loader.text);
    arena_free(&arena);
    return kind;
}

int scenario_document(const char *what, FILE *out)
{
    static const struct schema *const schemas[] = { &schema_platform, &schema_model,    &schema_method,
                                                    &schema_timing,   &schema_training, &schema_scenario };

    for (size_t i = 0; i < COUNT(schemas); i++) {
        size_t n = strlen(schemas[i]->name);

        if (!strncmp(schemas[i]->name, what, n) && (!what[n] || !strcmp(what + n, "s"))) { /* "models", too */
            schema_document(schemas[i], out);
            return NW_OK;
        }
    }
    return NW_EINPUT;
}
