/* diag.c - collects, sorts, prints. */
#include "harness/scenario/yaml/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/yaml/excerpt.h"

enum { QUOTED = 60, PATH = 200 }; /* characters shown of a text, of a path */

static const char *quote(struct diag *d, const char *text, size_t limit)
{
    char out[PATH * 4 + 8];
    size_t size = strlen(text), used = 0, columns, shown = 0;

    for (size_t i = 0; i < size; shown++) {
        if (shown == limit) {
            memcpy(out + used, "...", 4);
            used += 3;
            break;
        }
        i += excerpt_character(text + i, size - i, out + used, sizeof(out) - used, &columns);
        used += strlen(out + used);
    }
    return arena_copy(d->arena, out, used);
}

void diag_add(struct diag *d, struct mark at, const char *path, const char *suggest, const char *format, ...)
{
    struct diag_error *f;
    char text[1024];
    va_list args;

    if (d->total++ >= DIAG_KEPT)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    f = ARENA_PUSH(d->arena, d->errors, d->nerrors);
    f->at = at;
    f->path = quote(d, path, PATH);
    f->text = arena_text(d->arena, text);
    f->suggest = suggest ? arena_text(d->arena, suggest) : NULL;
    f->order = d->nerrors;
}

static int compare(const void *left, const void *right)
{
    const struct diag_error *a = left, *b = right;

    if (a->at.source != b->at.source)
        return a->at.source->order < b->at.source->order ? -1 : 1;
    if (a->at.line != b->at.line)
        return a->at.line < b->at.line ? -1 : 1;
    if (a->at.column != b->at.column)
        return a->at.column < b->at.column ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static bool same(const struct diag_error *a, const struct diag_error *b)
{
    return a->at.source == b->at.source && a->at.line == b->at.line && a->at.column == b->at.column &&
           !strcmp(a->path, b->path) && !strcmp(a->text, b->text);
}

void diag_print_error(const struct diag_error *f, const char *note, FILE *out)
{
    fputs(f->at.source->name, out);
    if (f->at.line)
        fprintf(out, ":%u:%u", f->at.line, f->at.column);
    fprintf(out, ": %s%s%s%s", f->path, *f->path ? ": " : "", f->text, note);
    if (f->suggest)
        fprintf(out, "; did you mean '%s'?", f->suggest);
    fputc('\n', out);
    if (f->at.line)
        excerpt_print(f->at, out);
}

void diag_print(struct diag *d, FILE *out)
{
    size_t printed = 0, repeated = 0;

    if (!d->nerrors)
        return;
    qsort(d->errors, d->nerrors, sizeof(*d->errors), compare);
    for (size_t i = 0; i < d->nerrors; i++) {
        if (i && same(&d->errors[i - 1], &d->errors[i]))
            repeated++;
        else if (printed < DIAG_PRINTED) {
            diag_print_error(&d->errors[i], "", out);
            printed++;
        }
    }
    if (d->total - repeated > printed)
        fprintf(out, "and %zu more\n", d->total - repeated - printed);
}

const char *diag_quote(struct diag *d, const char *text)
{
    return quote(d, text, QUOTED);
}
