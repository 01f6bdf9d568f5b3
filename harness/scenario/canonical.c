/* canonical.c - a bound scenario as text, and its numbers by path, from the same tables as reading. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/scenario.h"
#include "harness/scenario/schema/value.h"
#include "harness/scenario/schema/walk.h"

static void print_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == '\\' || *text == 0x7f)
            fprintf(out, "\\x%02x", (unsigned char)*text);
        else
            fputc(*text, out);
    }
}

struct printing {
    FILE *out;
    bool modelled; /* else there is no model, and no batch */
    bool readable; /* for a person */
};

/* A number as written in a file. 0 means "unlimited", or "not given" if the key must be above 0. */
static void print_readable(const struct field *f, void *at, FILE *out)
{
    double value = f->type == FIELD_INTEGER ? (double)*(const int64_t *)at : *(const double *)at;
    char text[64];

    if (isnan(value)) {
        fputs("calibrated", out);
    } else if (value == 0 && f->flags & FIELD_UNLIMITED) {
        fputs("unlimited", out);
    } else if (value == 0 && f->flags & FIELD_ABOVE && f->min >= 0) {
        fputs("not given", out);
    } else if (f->type == FIELD_INTEGER && f->dimension == DIM_NONE) {
        fprintf(out, "%lld", (long long)value);
    } else {
        quantity_print(value, f->dimension, text, sizeof(text));
        fputs(text, out);
    }
}

static void print_line(void *ctx, const char *path, const struct field *f, void *at, const struct place *place)
{
    const struct printing *p = ctx;
    FILE *out = p->out;
    char buf[64];
    const char *unit = unit_base(f->dimension), *text, *identity;
    int digit;

    (void)place;
    if (f->flags & FIELD_SILENT || (!p->modelled && (!strncmp(path, "model.", 6) || !strcmp(path, "batch"))))
        return;
    if (f->flags & FIELD_DIGEST)
        at = (char *)at - f->offset + f->second;
    text = value_text(f, at);
    fprintf(out, "%s = ", path);
    if (text) {
        print_text(text, out);
        if (!p->readable && f->form && f->form->identity && (identity = f->form->identity(text)))
            fprintf(out, " %s", identity);
    } else if (p->readable && (f->type == FIELD_INTEGER || f->type == FIELD_NUMBER)) {
        print_readable(f, at, out);
    } else {
        value_print(f, at, 17, buf, sizeof(buf));
        digit = *buf >= '0' && *buf <= '9'; /* and not a word */
        fprintf(out, "%s%s%s", buf, *unit && digit ? " " : "", digit ? unit : "");
    }
    fputc('\n', out);
}

/* The walker takes a pointer to writable data, hence the copy. */
static void print_all(const struct scenario *sc, bool readable, FILE *out)
{
    struct printing p = { out, !sc->simulated || method_has_model(sc->method.kind), readable };
    struct scenario copy = *sc;

    schema_walk(&schema_point, &copy, "", print_line, &p);
}

char *scenario_canonical(const struct scenario *sc)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int failed;

    if (!out)
        return NULL;
    print_all(sc, false, out);
    failed = ferror(out);
    if (fclose(out) || failed) {
        free(text);
        return NULL;
    }
    return text;
}

void scenario_print(const struct scenario *sc, FILE *out)
{
    print_all(sc, true, out);
}

double *scenario_number(struct scenario *sc, const char *path)
{
    const struct field *f;
    char *at = schema_find(&schema_point, sc, path, &f);

    if (!at || (f->type != FIELD_NUMBER && f->type != FIELD_CODEC))
        return NULL;
    return (double *)(void *)(f->type == FIELD_CODEC ? at - f->offset + f->second : at);
}
