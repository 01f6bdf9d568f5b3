/* reference.c - platforms, models and timings: each file bound once, however many points use it. */
#include <string.h>

#include "harness/scenario/file.h"

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

/* As everywhere a path may omit its first components. */
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

/* Bind the tree into a new image. Keys missing from it are judged when the overrides are known: reference_check(). */
static size_t new_image(struct scenario_file *f, enum section section, const struct node *tree)
{
    struct images *images = &f->images[section];
    struct image *image = ARENA_PUSH(&f->arena, images->items, images->n);
    struct binder b = { .loader = &f->loader };

    image->tree = tree;
    image->keys = load_includes(&f->loader, tree, sections[section].path); /* those of a file are merged already */
    image->base = arena_alloc(&f->arena, sections[section].schema->size);
    bind_map(&b, sections[section].schema, image->keys, sections[section].path, image->base);
    if (section == SECTION_PLATFORM)
        reference_waive(f, &b, image, "platform.");
    image->missing = b.missing;
    image->nmissing = b.nmissing;
    image_index(f, section, image);
    return images->n - 1;
}

/* On the command line "resnet-152" may be the shipped scenarios/models/resnet-152.yaml, as in 'narrows list'; a path or the
 * name of a YAML file never is. */
static bool may_be_shipped(const struct node *n)
{
    size_t size = strlen(n->text);

    return n->at.source->argument && !strchr(n->text, '/') && (size < 5 || strcmp(n->text + size - 5, ".yaml") != 0);
}

/* A file that is there comes before one that is shipped. */
static const struct loaded_file *reference_file(struct scenario_file *f, enum section section, const struct node *n,
                                                const char *key)
{
    const struct reader *r = f->loader.reader;
    const char *path = load_path(&f->loader, n->at.source, n->text), *kind = sections[section].name, *shipped;

    if (!may_be_shipped(n) || !r->exists(r->ctx, path))
        return load_file(&f->loader, path, n->at, key);
    shipped = arena_printf(&f->arena, "%s/scenarios/%ss/%s.yaml", r->home(), kind, n->text);
    if (!r->exists(r->ctx, shipped))
        return load_file(&f->loader, shipped, n->at, key);
    diag_add(
        &f->diag, n->at, key, NULL,
        "expected a file or the name of a shipped %s (narrows list %ss), got '%s': there is neither a file '%s' nor '%s'",
        kind, kind, diag_quote(&f->diag, n->text), diag_quote(&f->diag, path), shipped);
    return NULL;
}

/* What tells one reference from another: the keys of the file it names, or the mapping that stands in its place. */
static const struct node *reference_tree(struct scenario_file *f, enum section section, const struct node *n,
                                         const char *key)
{
    const struct loaded_file *file;

    if (n->kind == NODE_MAP)
        return n;
    if (n->kind == NODE_LIST || !*n->text) {
        diag_add(&f->diag, n->at, key, NULL, "expected the path of a %s file or its keys, got %s",
                 sections[section].name, n->kind == NODE_LIST ? "a list" : "nothing");
        return NULL;
    }
    file = reference_file(f, section, n, key);
    return file ? file->tree : NULL;
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

/* What names a link names one of the same platform. An override of it is checked like the file's own value. */
static bool has_link(const struct platform *p, const char *name)
{
    for (size_t i = 0; i < p->nlinks; i++)
        if (!strcmp(p->links[i].name, name))
            return true;
    return false;
}

static const char *link_names(struct scenario_file *f, const struct platform *p)
{
    const char *list = "";

    for (size_t i = 0; i < p->nlinks; i++)
        list = arena_printf(&f->arena, "%s%s%s", list, i ? ", " : "", p->links[i].name);
    return list;
}

struct link_check {
    struct scenario_file *file;
    const struct image *image;
};

static void check_link(void *ctx, const char *path, const struct field *field, void *at, const struct place *place)
{
    struct link_check *c = ctx;
    const struct platform *p = c->image->base;
    const char *name = *(const char *const *)at;
    struct mark mark;

    (void)place;
    if (!(field->flags & FIELD_LINK) || !name || !*name || !p->nlinks || has_link(p, name))
        return;
    tree_locate(c->image->keys, path + strlen("platform."), &mark);
    diag_add(&c->file->diag, mark, path, NULL, "expected the name of a link (%s), got '%s'", link_names(c->file, p),
             diag_quote(&c->file->diag, name));
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
            has_classifier(layers[i].layers, layers[i].nlayers)) /* of a block or a concat; others have none */
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
                 "expected the key 'classes' beside a classifier, got none");
}

bool reference_link_ok(struct scenario_file *f, const char *name, struct mark at, const char *key)
{
    const struct images *images = &f->images[SECTION_PLATFORM];

    for (size_t i = 0; i < images->n; i++) {
        const struct platform *p = images->items[i].base;

        if (!has_link(p, name)) {
            diag_add(&f->diag, at, key, NULL, "expected the name of a link (%s), got '%s'", link_names(f, p),
                     diag_quote(&f->diag, name));
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
            struct binder b = { &f->loader, image->missing, image->nmissing };

            bind_missing(&b, given, ngiven);
            if (section == SECTION_PLATFORM)
                check_platform(f, image);
            else if (section == SECTION_MODEL)
                check_model(f, image, given, ngiven);
        }
    }
}
