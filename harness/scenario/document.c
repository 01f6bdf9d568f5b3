/* document.c - the documentation of the keys, printed from the tables that read them. */
#include "harness/scenario/schema.h"

#include <string.h>

/* Which values of a selector have the keys: those of a part are the part's. */
struct chosen {
    const struct field *selector; /* NULL if there is none */
    unsigned only;                /* 0: all */
};

static void document(const struct schema *s, struct chosen c, const char *prefix, int depth, FILE *out);

static void print_key(struct chosen c, const struct field *f, const char *path, FILE *out)
{
    char expected[256];

    field_expected(f, expected, sizeof(expected));
    fprintf(out, "%s\n    ", path);
    if (f->type != FIELD_OTHER)
        fprintf(out, "%s; ", expected);
    if (f->flags & FIELD_REQUIRED || (f->only && f->needs == f->only))
        fputs("required", out);
    else if (f->fallback)
        fprintf(out, "default %s", f->fallback);
    else
        fputs("optional", out);
    for (size_t i = 0, n = 0; c.selector && c.only && c.selector->names[i]; i++)
        if (c.only & 1u << i)
            fprintf(out, "%s%s", n++ ? ", " : "; for ", c.selector->names[i]);
    fprintf(out, "\n    %s\n", f->doc);
}

static void document_field(const struct schema *s, struct chosen c, const struct field *f, const char *prefix,
                           int depth, FILE *out)
{
    static const char *const ends[] = { [FIELD_NAMED] = ".NAME", [FIELD_LIST] = "[0]" };
    char path[256];

    snprintf(path, sizeof(path), "%s%s%s", prefix, *prefix ? "." : "", f->key);
    print_key(c, f, path, out);
    if (!f->sub || f->sub == s || depth > 4)
        return;
    if (f->type != FIELD_MAP)
        strncat(path, ends[f->type], sizeof(path) - strlen(path) - 1);
    document(f->sub, (struct chosen){ 0 }, path, depth + 1, out);
}

static void document(const struct schema *s, struct chosen c, const char *prefix, int depth, FILE *out)
{
    if (s->selector)
        c.selector = schema_field(s, s->selector);
    for (size_t i = 0; i < s->nfields; i++) {
        const struct field *f = &s->fields[i];
        struct chosen here = { c.selector, f->only ? f->only : c.only };

        if (f->type == FIELD_PART)
            document(f->sub, here, prefix, depth, out);
        else
            document_field(s, here, f, prefix, depth, out);
    }
}

void schema_document(const struct schema *s, FILE *out)
{
    document(s, (struct chosen){ 0 }, "", 0, out);
}
