/* locate.c - where a point's value comes from, for errors found only when the point is put together. */
#include <string.h>

#include "harness/count.h"
#include "harness/scenario/file.h"

enum { NOTE = 2048 };

struct seeking {
    const char *path;
    const struct setting *found; /* of the path itself, or of a key below it */
};

/* An error in a layer is reported at the setting that changed the layer. */
static void seek(void *ctx, const struct setting *s)
{
    struct seeking *k = ctx;
    size_t n = strlen(k->path);

    if (!s->target.path || strncmp(s->target.path, k->path, n) != 0)
        return;
    if (!s->target.path[n] || (strchr(".[", s->target.path[n]) && strpbrk(k->path, ".[")))
        k->found = s;
}

static bool begins(const char *path, const char *section)
{
    size_t n = strlen(section);

    return !strncmp(path, section, n) && path[n] == '.';
}

static bool same_place(struct mark a, struct mark b)
{
    return a.source == b.source && a.line == b.line && a.column == b.column;
}

/* In the keys of the point's platform, model or timing. If those are inline and none is near, at the key of the
 * scenario that holds them. */
static struct mark in_image(const struct scenario_file *f, enum section section, const struct image *image,
                            const char *path)
{
    const char *rest = path + strlen(section_path(section)) + 1;
    const struct entry *method = tree_entry(f->root, "method");
    const struct node *around = section != SECTION_TIMING ? f->root : method ? method->value : image->keys;
    struct mark at;

    tree_locate(image->keys, rest, &at);
    for (size_t i = 0; same_place(at, image->keys->at) && i < around->n; i++)
        if (around->entries[i].value == image->tree)
            at = around->entries[i].at;
    return at;
}

/* What gives the point its value at the path, after the files: NULL if nothing does. */
static const struct setting *setting_of(const struct scenario_file *f, const struct point *p, const char *path)
{
    struct seeking k = { .path = path };

    settings_visit(f, p->combination, f->nvariants ? &f->variants[p->index % f->nvariants] : NULL, seek, &k);
    return k.found;
}

/* The platform, model or timing of the point that the path leads into; NULL if it leads into none. */
static const struct image *image_of(const struct scenario_file *f, const struct point *p, const char *path,
                                    enum section *section)
{
    const struct point_memory *m = p->arena;

    for (*section = SECTION_PLATFORM; *section < SECTIONS; ++*section)
        if (begins(path, section_path(*section)) && f->images[*section].n)
            return &f->images[*section].items[m->image[*section]];
    return NULL;
}

static struct mark locate(const struct scenario_file *f, const struct point *p, const char *path)
{
    const struct setting *setting = setting_of(f, p, path);
    enum section section;
    const struct image *image = image_of(f, p, path, &section);
    struct mark at;

    if (setting)
        return setting->value_at;
    if (image)
        return in_image(f, section, image, path);
    tree_locate(f->root, path, &at);
    return at;
}

static bool has_path(const struct node *at, const char *rest)
{
    while (at && *rest) {
        char key[WALK_PATH];
        size_t n = strcspn(rest, ".");

        if (n >= sizeof(key) || at->kind != NODE_MAP)
            return false;
        memcpy(key, rest, n);
        key[n] = '\0';
        const struct entry *e = tree_entry(at, key);
        at = e ? e->value : NULL;
        rest += n + (rest[n] == '.');
    }
    return at != NULL;
}

bool scenario_given(const struct scenario_file *f, const struct point *p, const char *path)
{
    enum section section;
    const struct image *image = image_of(f, p, path, &section);

    if (setting_of(f, p, path))
        return true;
    return image ? has_path(image->keys, path + strlen(section_path(section)) + 1) : has_path(f->root, path);
}

/* The path that a reason begins with, 0 characters if it begins with none. */
static size_t path_length(const char *why)
{
    static const char *const roots[] = { "platform", "model", "method", "training", "compare" };
    size_t n = strspn(why, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.[]");

    if (strncmp(why + n, ": ", 2) != 0)
        return 0;
    for (size_t i = 0; i < COUNT(roots); i++) {
        size_t root = strlen(roots[i]);

        if (root <= n && !strncmp(why, roots[i], root) && (root == n || strchr(".[", why[root])))
            return n;
    }
    return n == strlen("batch") && !strncmp(why, "batch", n) ? n : 0;
}

/* "point 3, variant packed, batch=16" */
static void name_point(const struct point *p, char *out, size_t size)
{
    FILE *text = fmemopen(out, size, "w");

    *out = '\0';
    if (!text)
        return;
    fprintf(text, "point %zu%s%s", p->index, *p->variant ? ", variant " : "", p->variant);
    for (size_t i = 0; i < p->nparams; i++)
        fprintf(text, ", %s=%s", p->params[i].path, p->params[i].text);
    fclose(text);
    out[size - 1] = '\0';
}

void scenario_refuse(const struct scenario_file *f, const struct point *p, const char *why, FILE *err)
{
    char path[WALK_PATH], name[NOTE], note[NOTE + 8] = "";
    size_t n = path_length(why);
    struct diag_error error = { .path = path, .text = why + n + 2 };

    name_point(p, name, sizeof(name));
    if (!n || n >= sizeof(path)) {
        fprintf(err, "%s: %s: %s\n", f->path, name, why);
        return;
    }
    memcpy(path, why, n);
    path[n] = '\0';
    error.at = locate(f, p, path);
    if (f->npoints > 1)
        snprintf(note, sizeof(note), " (%s)", name);
    diag_print_error(&error, note, err);
}

void scenario_error(const struct scenario_file *f, const char *path, const char *text, FILE *err)
{
    struct diag_error error = { .path = path, .text = text };

    tree_locate(f->root, path, &error.at);
    diag_print_error(&error, "", err);
}
