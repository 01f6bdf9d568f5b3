/* load.c - the cache of files, the stack that finds cycles, and includes. */
#include "harness/scenario/yaml/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_there(const struct loader *l, const char *path)
{
    int error = l->reader->exists(l->reader->ctx, path);

    return !error || error == EISDIR;
}

const char *load_path(struct loader *l, const struct source *from, const char *path)
{
    const char *slash = strrchr(from->name, '/'), *user = l->reader->user(), *near = path, *shipped;

    if (user && *path == '~' && (!path[1] || path[1] == '/'))
        return arena_printf(l->arena, "%s%s", user, path + 1);
    if (*path != '/' && slash)
        near = arena_printf(l->arena, "%.*s%s", (int)(slash - from->name + 1), from->name, path);
    if (strncmp(path, "scenarios/", strlen("scenarios/")) != 0 || is_there(l, near))
        return near;
    shipped = arena_printf(l->arena, "%s/%s", l->reader->home(), path);
    return is_there(l, path) ? path : is_there(l, shipped) ? shipped : near;
}

/* Drop the last component of "a/b/": 'used' before and after. ".." itself and the root stay. */
static size_t without_last(const char *path, size_t used)
{
    size_t cut = used ? used - 1 : 0;

    while (cut && path[cut - 1] != '/')
        cut--;
    return used <= 1 || !strncmp(path + cut, "../", 3) ? used : cut;
}

/* The path without "." and "x/..", to compare files. It is never opened, so symbolic links in it do no harm. */
static const char *identity(struct loader *l, const char *path)
{
    char *out = arena_alloc(l->arena, strlen(path) + 2);
    size_t used = 0, n, kept;

    if (*path == '/')
        out[used++] = '/';
    for (const char *p = path; *p; p += n + strspn(p + n, "/")) {
        n = strcspn(p, "/");
        if (!n || (n == 1 && *p == '.'))
            continue;
        kept = without_last(out, used);
        if (n == 2 && !memcmp(p, "..", 2) && kept < used) {
            used = kept;
            continue;
        }
        memcpy(out + used, p, n);
        used += n;
        out[used++] = '/';
    }
    out[used] = '\0';
    return out;
}

static struct loaded_file *find(struct loader *l, const char *path)
{
    const char *id = identity(l, path);
    struct loaded_file *f;

    for (size_t i = 0; i < l->nfiles; i++)
        if (!strcmp(l->files[i]->identity, id))
            return l->files[i];
    f = ARENA_NEW(l->arena, struct loaded_file);
    f->path = path;
    f->identity = id;
    f->error = -1;
    *ARENA_PUSH(l->arena, l->files, l->nfiles) = f;
    return f;
}

static struct source *new_source(struct loader *l, const char *name)
{
    struct source *s = ARENA_NEW(l->arena, struct source);

    s->name = name;
    s->text = "";
    s->order = l->nsources++;
    return s;
}

const struct source *load_argument(struct loader *l, const char *name, const char *text)
{
    struct source *s = new_source(l, name);

    s->text = arena_text(l->arena, text);
    s->size = strlen(text);
    return s;
}

/* Read the text into the arena; errors of the file as a whole are reported without a line. NULL if it could not be
 * read, with *error set, or after an error. */
static const struct source *read_source(struct loader *l, const char *path, int *error)
{
    struct source *s = new_source(l, path);

    *error = l->reader->read(l->reader->ctx, path, &l->text, &s->size);
    if (*error)
        return NULL;
    if (s->size > SOURCE_MAX_BYTES) {
        s->size = 0;
        diag_add(l->diag, (struct mark){ s, 0, 0 }, "", NULL, "expected at most %d bytes (1 MiB), got more",
                 SOURCE_MAX_BYTES);
        s = NULL;
    } else {
        s->text = arena_copy(l->arena, l->text, s->size);
    }
    free(l->text);
    l->text = NULL;
    return s;
}

static void not_read(struct loader *l, const char *path, int error, struct mark named_at, const char *key)
{
    diag_add(l->diag, named_at, key, NULL, "expected a file, got '%s': %s", diag_quote(l->diag, path), strerror(error));
}

const struct source *load_text(struct loader *l, const char *path, struct mark named_at, const char *key)
{
    int error;
    const struct source *s = read_source(l, path, &error);

    if (error)
        not_read(l, path, error, named_at, key);
    return s;
}

void load_enter(struct loader *l, const struct loaded_file *file)
{
    l->stack[l->depth++] = file;
}

void load_leave(struct loader *l)
{
    l->depth--;
}

/* An error if the file is being read already, or if the stack is full. */
static bool cyclic(struct loader *l, const struct loaded_file *f, struct mark at, const char *key)
{
    const char *chain = "";

    for (size_t i = 0; i < l->depth; i++) {
        if (*chain || l->stack[i] == f)
            chain = arena_printf(l->arena, "%s%s -> ", chain, l->stack[i]->path);
    }
    if (*chain)
        diag_add(l->diag, at, key, NULL, "expected no cycle of files, got %s%s", chain, f->path);
    else if (l->depth == LOAD_MAX_NESTING)
        diag_add(l->diag, at, key, NULL, "expected at most %d files inside each other, got more", LOAD_MAX_NESTING);
    else
        return false;
    return true;
}

const struct loaded_file *load_file(struct loader *l, const char *path, struct mark named_at, const char *key)
{
    struct loaded_file *f = find(l, path);
    const struct source *s;
    const struct node *root;

    if (named_at.source && cyclic(l, f, named_at, key))
        return NULL;
    if (f->error < 0) {
        load_enter(l, f);
        s = read_source(l, f->path, &f->error);
        root = s ? tree_parse(l->arena, l->diag, s) : NULL;
        if (root && root->kind != NODE_MAP)
            diag_add(l->diag, root->at, "", NULL, "expected keys and values, got %s", tree_kind_name(root));
        else if (root)
            f->tree = load_includes(l, root, "");
        load_leave(l);
    }
    if (f->error > 0 && named_at.source)
        not_read(l, path, f->error, named_at, key);
    else if (f->error > 0)
        diag_add(l->diag, (struct mark){ new_source(l, f->path), 0, 0 }, "", NULL, "expected a file, got %s",
                 strerror(f->error));
    return f->tree ? f : NULL;
}

static const struct node *include_one(struct loader *l, const struct node *name, const char *key,
                                      const struct node *under)
{
    const struct loaded_file *f;

    if (name->kind != NODE_SCALAR || !*name->text) {
        diag_add(l->diag, name->at, key, NULL, "expected the path of a file, got %s", tree_kind_name(name));
        return NULL;
    }
    f = load_file(l, load_path(l, name->at.source, name->text), name->at, key);
    if (!f) {
        l->incomplete = true;
        return NULL;
    }
    return under ? tree_merge(l->arena, under, f->tree, NULL) : f->tree;
}

const struct node *load_includes(struct loader *l, const struct node *map, const char *path)
{
    const struct entry *e = tree_entry(map, "include");
    const char *key = *path ? arena_printf(l->arena, "%s.include", path) : "include";
    const struct node *under = NULL;
    struct node *empty;

    if (!e)
        return map;
    if (e->value->kind == NODE_SCALAR) {
        under = include_one(l, e->value, key, NULL);
    } else if (e->value->kind == NODE_MAP || !e->value->n || e->value->n > LOAD_MAX_INCLUDES) {
        diag_add(l->diag, e->value->at, key, NULL, "expected the path of a file or a list of 1 to %d of them, got %s",
                 LOAD_MAX_INCLUDES,
                 e->value->kind == NODE_MAP ? "a mapping"
                 : e->value->n              ? "more"
                                            : "an empty list");
    } else {
        for (size_t i = 0; i < e->value->n; i++) {
            const struct node *more = include_one(l, e->value->items[i], key, under);

            under = more ? more : under;
        }
    }
    empty = ARENA_NEW(l->arena, struct node);
    empty->kind = NODE_MAP;
    return tree_merge(l->arena, under ? under : empty, map, "include");
}
