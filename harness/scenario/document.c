/* document.c - the documentation of the keys, printed from the tables that read them. */
#include "harness/scenario/schema.h"

#include <string.h>

static void document(const struct schema *s, const char *prefix, int depth, FILE *out);

static void print_key(const struct schema *s, const struct field *f, const char *path, FILE *out)
{
    char expected[256];
    const struct field *selector = s->selector ? schema_field(s, s->selector) : NULL;

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
    for (size_t i = 0, n = 0; selector && f->only && selector->names[i]; i++)
        if (f->only & 1u << i)
            fprintf(out, "%s%s", n++ ? ", " : "; for ", selector->names[i]);
    fprintf(out, "\n    %s\n", f->doc);
}

static void document_field(const struct schema *s, const struct field *f, const char *prefix, int depth, FILE *out)
{
    static const char *const ends[] = { [FIELD_NAMED] = ".NAME", [FIELD_LIST] = "[0]" };
    char path[256];

    snprintf(path, sizeof(path), "%s%s%s", prefix, *prefix ? "." : "", f->key);
    print_key(s, f, path, out);
    if (!f->sub || f->sub == s || depth > 4)
        return;
    if (f->type != FIELD_MAP)
        strncat(path, ends[f->type], sizeof(path) - strlen(path) - 1);
    document(f->sub, path, depth + 1, out);
}

static void document(const struct schema *s, const char *prefix, int depth, FILE *out)
{
    for (size_t i = 0; i < s->nfields; i++)
        document_field(s, &s->fields[i], prefix, depth, out);
}

void schema_document(const struct schema *s, FILE *out)
{
    document(s, "", 0, out);
}
