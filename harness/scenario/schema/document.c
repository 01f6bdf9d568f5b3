/* document.c - the documentation of the keys, printed from the tables that read them. */
#include "harness/scenario/schema/schema.h"

#include <string.h>

enum { PATH = 256, MOST_SCHEMAS = 64, DEEPEST = 4, WIDTH = 118 };

/* Keys that occur below several others are documented once. */
struct documented {
    const struct schema *schema;
    char where[PATH + 64];
};

struct document {
    FILE *out;
    const char *part; /* the value of the selector that has the keys at hand: "parameter-server"; NULL: any */
    struct documented done[MOST_SCHEMAS];
    size_t ndone;
};

static void document(struct document *d, const struct schema *s, const char *prefix, int depth);

/* Indented, and broken between words. */
static void print_text(FILE *out, const char *text)
{
    size_t column = 0; /* 0: nothing printed yet */

    for (size_t n; *(text += strspn(text, " ")); text += n) {
        n = strcspn(text, " ");
        if (column && column + 1 + n <= WIDTH) {
            column += (size_t)fprintf(out, " %.*s", (int)n, text);
        } else {
            fprintf(out, "%s    %.*s", column ? "\n" : "", (int)n, text);
            column = 4 + n;
        }
    }
    fputc('\n', out);
}

static void print_key(const struct document *d, const struct schema *s, const struct field *f, const char *path)
{
    const struct field *selector = s->selector ? schema_field(s, s->selector) : NULL;
    char expected[256];

    field_expected(f, expected, sizeof(expected));
    fprintf(d->out, "%s\n    ", path);
    if (f->type != FIELD_OTHER)
        fprintf(d->out, "%s; ", expected);
    if (f->flags & FIELD_REQUIRED || (f->only && f->needs == f->only))
        fputs("required", d->out);
    else if (f->fallback)
        fprintf(d->out, "default %s", f->fallback);
    else
        fputs("optional", d->out);
    for (size_t i = 0, n = 0; selector && f->only && selector->names[i]; i++)
        if (f->only & 1u << i)
            fprintf(d->out, "%s%s", n++ ? ", " : "; for ", selector->names[i]);
    fputc('\n', d->out);
    print_text(d->out, f->doc);
}

static const struct documented *documented_before(const struct document *d, const struct schema *s)
{
    for (size_t i = 0; i < d->ndone; i++)
        if (d->done[i].schema == s)
            return &d->done[i];
    return NULL;
}

static void document_below(struct document *d, const struct schema *below, const char *path, int depth)
{
    const struct documented *before = documented_before(d, below);

    if (before) {
        fprintf(d->out, "    its keys are those of %s\n", before->where);
        return;
    }
    if (d->ndone < MOST_SCHEMAS) {
        struct documented *t = &d->done[d->ndone++];
        t->schema = below;
        snprintf(t->where, sizeof(t->where), "%s%s%s", d->part ? d->part : "", d->part ? "'s " : "", path);
    }
    document(d, below, path, depth + 1);
    if (below->selector && below->fields[below->nfields - 1].type == FIELD_PART)
        fputc('\n', d->out); /* the end of the last part */
}

static void document_field(struct document *d, const struct schema *s, const struct field *f, const char *prefix,
                           int depth)
{
    static const char *const ends[] = { [FIELD_NAMED] = ".NAME", [FIELD_LIST] = "[0]" };
    char path[PATH];

    snprintf(path, sizeof(path), "%s%s%s", prefix, *prefix ? "." : "", f->key);
    print_key(d, s, f, path);
    if (!f->sub || f->sub == s || depth > DEEPEST)
        return;
    if (f->type != FIELD_MAP)
        strncat(path, ends[f->type], sizeof(path) - strlen(path) - 1);
    document_below(d, f->sub, path, depth);
}

/* The keys of one value of the selector, under its name. */
static void document_part(struct document *d, const struct schema *s, const struct field *f, const char *prefix,
                          int depth)
{
    const struct field *selector = schema_field(s, s->selector);
    const char *around = d->part;

    for (size_t i = 0; selector->names[i]; i++)
        if (f->only & 1u << i)
            d->part = selector->names[i];
    fprintf(d->out, "\n## %s: %s\n", s->selector, d->part);
    document(d, f->sub, prefix, depth);
    d->part = around;
}

static void document(struct document *d, const struct schema *s, const char *prefix, int depth)
{
    for (size_t i = 0; i < s->nfields; i++)
        if (s->fields[i].type == FIELD_PART)
            document_part(d, s, &s->fields[i], prefix, depth);
        else
            document_field(d, s, &s->fields[i], prefix, depth);
}

void schema_document(const struct schema *s, FILE *out)
{
    struct document d = { .out = out };

    document(&d, s, "", 0);
}
