/* reference.c - finds, binds and checks platforms, models and timings. */
#include "harness/scenario/points/reference.h"

#include <string.h>

#include "harness/count.h"
#include "harness/scenario/file.h"
#include "harness/text/suggest.h"

static const struct {
    const char *path, *name;
    const struct schema *schema;
} sections[SECTIONS] = {
    [SECTION_HEAD] = { "", "", &schema_scenario },
    [SECTION_PLATFORM] = { "platform", "platform", &schema_platform },
    [SECTION_MODEL] = { "model", "model", &schema_model },
    [SECTION_TIMING] = { "method.timing", "timing", &schema_timing },
};

const char *section_path(enum section section)
{
    return sections[section].path;
}

const char *section_name(enum section section)
{
    return sections[section].name;
}

const struct schema *section_schema(enum section section)
{
    return sections[section].schema;
}

/* The path may omit its first components, as everywhere. */
int reference_section(const char *path)
{
    for (int i = SECTION_PLATFORM; i < SECTIONS; i++)
        if (!strcmp(path, sections[i].path) || !strcmp(path, sections[i].name))
            return i;
    return -1;
}

int reference_target(const struct scenario_file *f, const char *path)
{
    int section = reference_section(path);

    return section == SECTION_TIMING && f->head.method.kind != METHOD_MEMORY_PLAN ? -1 : section;
}

const struct entry *section_entry(const struct node *map, enum section section)
{
    const struct entry *e = tree_entry(map, sections[section].path);

    return e ? e : tree_entry(map, sections[section].name);
}

const char *image_name(const struct scenario_file *f, enum section section, size_t image)
{
    const void *base = f->images[section].items[image].base;
    const char *name = section == SECTION_PLATFORM ? ((const struct platform *)base)->name
                       : section == SECTION_MODEL  ? ((const struct model_spec *)base)->name
                                                   : ((const struct timing *)base)->name;

    return name ? name : "";
}

void reference_waive(struct scenario_file *f, struct binder *b, const struct image *image, const char *prefix)
{
    const struct platform *p = image->base;

    if (tree_entry(image->keys, "gpu"))
        return;
    bind_waive(b, arena_printf(&f->arena, "%speak", prefix));
    if (p->network.topology == TOPOLOGY_SINGLE)
        bind_waive(b, arena_printf(&f->arena, "%slink", prefix));
}

/* Bind the tree into a new image. reference_check() reports its missing keys, once the overrides are known. */
static size_t new_image(struct scenario_file *f, enum section section, const struct node *tree)
{
    struct images *images = &f->images[section];
    struct image *image = ARENA_PUSH(&f->arena, images->items, images->n);
    struct binder b = { .loader = &f->loader };

    image->tree = tree;
    image->keys = load_includes(&f->loader, tree, sections[section].path); /* in a file they are merged already */
    image->base = arena_alloc(&f->arena, sections[section].schema->size);
    bind_map(&b, sections[section].schema, image->keys, sections[section].path, image->base);
    if (section == SECTION_PLATFORM)
        reference_waive(f, &b, image, "platform.");
    images->broken |= b.unselected;
    image->missing = b.missing;
    image->nmissing = b.nmissing;
    image_index(f, section, image);
    return images->n - 1;
}

enum { SHORT_LIST = 120 }; /* characters of names that a message can hold */

struct offering {
    struct scenario_file *file;
    struct suggest *near;
    const char *list;
};

static void offer_name(void *argument, const char *name)
{
    struct offering *o = argument;

    name = arena_text(&o->file->arena, name);
    suggest_offer(o->near, name);
    o->list = arena_printf(&o->file->arena, "%s%s%s", o->list, *o->list ? ", " : "", name);
}

/* Neither a file nor a shipped name: suggest a shipped one. For "name.yaml" only if there is a close one. */
static bool guess_reference(struct scenario_file *f, enum section section, const struct node *n, const char *folder,
                            const char *key)
{
    const struct reader *r = f->loader.reader;
    const char *kind = sections[section].name;
    size_t size = strlen(n->text);
    bool yaml = size > 5 && !strcmp(n->text + size - 5, ".yaml");
    struct suggest near = { .given = arena_copy(&f->arena, n->text, yaml ? size - 5 : size) };
    struct offering o = { f, &near, "" };

    r->names(r->ctx, folder, offer_name, &o);
    if (yaml && !suggest_result(&near))
        return false;
    if (strlen(o.list) > SHORT_LIST || !*o.list)
        o.list = arena_printf(&f->arena, "narrows list %ss", kind);
    diag_add(&f->diag, n->at, key, suggest_result(&near),
             "expected the path of a file or the name of a shipped %s (%s), got '%s'", kind, o.list,
             diag_quote(&f->diag, n->text));
    return true;
}

/* An existing file takes precedence over a shipped one, as in 'narrows list'; a text with a slash is a path. */
static const struct loaded_file *reference_file(struct scenario_file *f, enum section section, const struct node *n,
                                                const char *key)
{
    const struct reader *r = f->loader.reader;
    const char *path = load_path(&f->loader, n->at.source, n->text), *folder, *shipped;

    if (strchr(n->text, '/') || !r->exists(r->ctx, path))
        return load_file(&f->loader, path, n->at, key);
    folder = arena_printf(&f->arena, "%s/scenarios/%ss", r->home(), sections[section].name);
    shipped = arena_printf(&f->arena, "%s/%s.yaml", folder, n->text);
    if (!r->exists(r->ctx, shipped))
        return load_file(&f->loader, shipped, n->at, key);
    return guess_reference(f, section, n, folder, key) ? NULL : load_file(&f->loader, path, n->at, key);
}

enum scenario_kind kind_of_tree(const struct node *tree)
{
    static const struct {
        const char *key;
        enum scenario_kind kind;
    } telling[] = {
        { "platform", KIND_SCENARIO }, { "model", KIND_SCENARIO }, { "method", KIND_SCENARIO },
        { "training", KIND_SCENARIO }, { "layers", KIND_MODEL },   { "rates", KIND_TIMING },
        { "cpu", KIND_PLATFORM },      { "gpu", KIND_PLATFORM },   { "link", KIND_PLATFORM },
        { "gpt", KIND_MODEL },
    };

    for (size_t i = 0; i < COUNT(telling); i++)
        if (tree_entry(tree, telling[i].key))
            return telling[i].kind;
    return KIND_UNKNOWN;
}

bool kind_right(struct scenario_file *f, const struct node *tree, enum section section, struct mark at, const char *key)
{
    static const enum scenario_kind kinds[SECTIONS] = { KIND_SCENARIO, KIND_PLATFORM, KIND_MODEL, KIND_TIMING };
    static const char *const names[] = { "", "a scenario", "a platform", "a model", "a timing" };
    enum scenario_kind is = kind_of_tree(tree);

    if (is == KIND_UNKNOWN || is == kinds[section])
        return true;
    diag_add(&f->diag, at, key, NULL, "expected %s, got %s", names[kinds[section]], names[is]);
    return false;
}

/* The identity of a reference: the keys of the file it names, or the inline mapping. */
static const struct node *reference_tree(struct scenario_file *f, enum section section, const struct node *n,
                                         const char *key)
{
    const struct loaded_file *file;

    if (n->kind == NODE_MAP)
        return n;
    if (n->kind == NODE_LIST || !*n->text) {
        diag_add(&f->diag, n->at, key, NULL, "expected the path of a %s file or its keys, got %s",
                 sections[section].name, tree_kind_name(n));
        return NULL;
    }
    file = reference_file(f, section, n, key);
    return file && kind_right(f, file->tree, section, n->at, key) ? file->tree : NULL;
}

bool reference_image(struct scenario_file *f, enum section section, const struct node *n, const char *key,
                     size_t *image)
{
    struct images *images = &f->images[section];
    const struct node *tree = reference_tree(f, section, n, key);

    if (!tree) {
        images->broken = true;
        return false;
    }
    for (*image = 0; *image < images->n; ++*image)
        if (images->items[*image].tree == tree)
            return true;
    *image = new_image(f, section, tree);
    return true;
}

/* The name of a link must be one of the same platform. An override is checked like the file's own value. */
static bool has_link(const struct platform *p, const char *name)
{
    for (size_t i = 0; i < p->nlinks; i++)
        if (!strcmp(p->links[i].name, name))
            return true;
    return false;
}

static void unknown_link(struct scenario_file *f, const struct platform *p, const char *name, struct mark at,
                         const char *key)
{
    struct suggest near = { .given = name, .lengthened = true };
    const char *list = "";

    for (size_t i = 0; i < p->nlinks; i++) {
        list = arena_printf(&f->arena, "%s%s%s", list, i ? ", " : "", p->links[i].name);
        suggest_offer(&near, p->links[i].name);
    }
    diag_add(&f->diag, at, key, suggest_result(&near), "expected the name of a link (%s), got '%s'", list,
             diag_quote(&f->diag, name));
}

struct link_check {
    struct scenario_file *file;
    const struct image *image;
};

static void check_link(void *ctx, const char *path, const struct field *field, void *at, const struct place *place)
{
    struct link_check *c = ctx;
    const struct platform *p = c->image->base;
    const char *name;
    struct mark mark;

    (void)place;
    if (!(field->flags & FIELD_LINK))
        return;
    name = *(const char *const *)at;
    if (!name || !*name || !p->nlinks || has_link(p, name))
        return;
    tree_locate(c->image->keys, path + strlen("platform."), &mark);
    unknown_link(c->file, p, name, mark, path);
}

static void check_platform(struct scenario_file *f, const struct image *image)
{
    struct link_check c = { f, image };

    schema_walk(&schema_platform, image->base, "platform", check_link, &c);
}

static bool has_classifier(const struct layer_spec *layers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (layers[i].kind == LAYER_CLASSIFIER ||
            has_classifier(layers[i].layers, layers[i].nlayers)) /* in a block or a concat; other layers have none */
            return true;
    return false;
}

static void check_model(struct scenario_file *f, const struct image *image, const char *const *given, size_t ngiven)
{
    const struct model_spec *m = image->base;
    bool set = m->classes > 0 || tree_entry(image->keys, "classes");

    for (size_t i = 0; i < ngiven; i++)
        set |= !strcmp(given[i], "model.classes");
    if (!set && has_classifier(m->layers, m->nlayers))
        diag_add(&f->diag, image->tree->at, "model.classes", NULL,
                 "expected the key 'classes' with a classifier, got none");
}

bool reference_link_ok(struct scenario_file *f, const char *name, struct mark at, const char *key)
{
    const struct images *images = &f->images[SECTION_PLATFORM];

    for (size_t i = 0; i < images->n; i++) {
        const struct platform *p = images->items[i].base;

        if (!has_link(p, name)) {
            unknown_link(f, p, name, at, key);
            return false;
        }
    }
    return true;
}

void reference_check(struct scenario_file *f, const char *const *given, size_t ngiven)
{
    for (int section = SECTION_PLATFORM; section < SECTIONS; section++) {
        for (size_t i = 0; i < f->images[section].n; i++) {
            const struct image *image = &f->images[section].items[i];
            struct binder b = { .loader = &f->loader, .missing = image->missing, .nmissing = image->nmissing };

            bind_missing(&b, given, ngiven);
            if (section == SECTION_PLATFORM)
                check_platform(f, image);
            else if (section == SECTION_MODEL)
                check_model(f, image, given, ngiven);
        }
    }
}
