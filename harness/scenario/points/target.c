/* target.c - the search for a path among the slots of all images. */
#include "harness/scenario/points/target.h"

#include <string.h>

#include "harness/scenario/file.h"
#include "harness/text/suggest.h"

enum { LISTED = 6 };

struct indexing {
    struct arena *arena;
    struct image *image;
};

static void index_slot(void *ctx, const char *path, const struct field *f, void *at, const struct place *place)
{
    struct indexing *x = ctx;
    struct slot *s = ARENA_PUSH(x->arena, x->image->slots, x->image->nslots);

    (void)at;
    *s = (struct slot){ arena_text(x->arena, path), f, *place };
}

/* The values of a timing have slots in the head as well, which are the same place in a point. */
void image_index(struct scenario_file *f, enum section section, struct image *image)
{
    struct indexing x = { &f->arena, image };

    schema_walk(section_schema(section), image->base, section_path(section), index_slot, &x);
}

int path_matches(const char *full, const char *given)
{
    size_t nfull = strlen(full), ngiven = strlen(given);

    if (ngiven > nfull || strcmp(full + nfull - ngiven, given))
        return 0;
    return ngiven == nfull ? 1 : full[nfull - ngiven - 1] == '.' ? 2 : 0;
}

const char *path_end_like(const char *full, const char *given)
{
    const char *end = full + strlen(full);
    size_t dots = 0;

    for (const char *p = given; *p; p++)
        dots += *p == '.';
    while (end > full && (end[-1] != '.' || dots--))
        end--;
    return end;
}

struct search {
    const char *given;
    const char *found[LISTED]; /* distinct full paths */
    size_t nfound;
    bool exact;
    enum section section;
    const struct field *field;
};

static void consider(struct search *s, enum section section, const struct slot *slot)
{
    int how = path_matches(slot->path, s->given);

    if (!how || (s->exact && how == 2))
        return;
    if (how == 1 && !s->exact)
        s->nfound = 0;
    s->exact |= how == 1;
    for (size_t i = 0; i < s->nfound && i < LISTED; i++)
        if (!strcmp(s->found[i], slot->path))
            return;
    if (s->nfound < LISTED)
        s->found[s->nfound] = slot->path;
    if (!s->nfound++) {
        s->section = section;
        s->field = slot->field;
    }
}

static void ambiguous(struct scenario_file *f, const struct search *s, struct mark at, const char *key)
{
    const char *list = "";

    for (size_t i = 0; i < s->nfound && i < LISTED; i++)
        list = arena_printf(&f->arena, "%s%s%s", list, i ? ", " : "", s->found[i]);
    diag_add(&f->diag, at, key, NULL, "expected a path with one meaning, got '%s': %s%s", s->given, list,
             s->nfound > LISTED ? ", ..." : "");
}

static const struct slot *find_slot(const struct image *image, const char *path)
{
    for (size_t i = 0; i < image->nslots; i++)
        if (!strcmp(image->slots[i].path, path))
            return &image->slots[i];
    return NULL;
}

/* The place in every image of the section; an error if one has no such key. */
static const struct place *places(struct scenario_file *f, const struct search *s, struct mark at, const char *key)
{
    const struct images *images = &f->images[s->section];
    struct place *out = ARENA_ARRAY(&f->arena, struct place, images->n);

    for (size_t i = 0; i < images->n; i++) {
        const struct slot *slot = find_slot(&images->items[i], s->found[0]);

        if (!slot) {
            diag_add(&f->diag, at, key, NULL, "expected a path that every %s has, got '%s': '%s' has none",
                     section_name(s->section), s->found[0], image_name(f, s->section, i));
            return NULL;
        }
        out[i] = slot->place;
    }
    return out;
}

static void search(const struct scenario_file *f, struct search *s)
{
    for (int section = 0; section < SECTIONS; section++)
        for (size_t i = 0; i < f->images[section].n; i++)
            for (size_t k = 0; k < f->images[section].items[i].nslots; k++)
                consider(s, (enum section)section, &f->images[section].items[i].slots[k]);
}

static void unknown(struct scenario_file *f, const char *path, struct mark at, const char *key)
{
    struct suggest near = { .given = path };

    for (int section = 0; section < SECTIONS; section++)
        if (f->images[section].broken)
            return;
    for (int section = 0; section < SECTIONS; section++)
        for (size_t i = 0; i < f->images[section].n; i++)
            for (size_t k = 0; k < f->images[section].items[i].nslots; k++)
                suggest_offer(&near, path_end_like(f->images[section].items[i].slots[k].path, path));
    diag_add(&f->diag, at, key, suggest_result(&near), "expected the path of a key, got '%s'",
             diag_quote(&f->diag, path));
}

struct target target_resolve(struct scenario_file *f, const char *path, struct mark at, const char *key)
{
    struct search s = { .given = path };
    struct target t = { .path = NULL };
    int reference = reference_target(f, path);

    if (reference >= 0)
        return (struct target){ .path = section_path((enum section)reference), .section = (enum section)reference };
    search(f, &s);
    if (!s.nfound) {
        unknown(f, path, at, key);
    } else if (s.nfound > 1) {
        ambiguous(f, &s, at, key);
    } else if (s.field->flags & FIELD_FIXED) {
        diag_add(&f->diag, at, key, NULL, "expected a key that can be set, got '%s': it decides which keys there are",
                 s.found[0]);
    } else {
        t = (struct target){ NULL, s.section, s.field, places(f, &s, at, key) };
        t.path = t.places ? s.found[0] : NULL;
    }
    return t;
}
