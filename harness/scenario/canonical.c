/* canonical.c - a bound scenario as text, and its numbers by path: both walk the tables that reading walked. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/scenario.h"
#include "harness/scenario/value.h"
#include "harness/scenario/walk.h"

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
    bool modelled; /* else there is no model to speak of, and no batch */
};

static void print_line(void *ctx, const char *path, const struct field *f, void *at, const struct place *place)
{
    const struct printing *p = ctx;
    FILE *out = p->out;
    char buf[64];
    const char *unit = unit_base(f->dimension);
    int digit;

    (void)place;
    if (f->flags & FIELD_SILENT || (!p->modelled && (!strncmp(path, "model.", 6) || !strcmp(path, "batch"))))
        return;
    if (f->flags & FIELD_DIGEST)
        at = (char *)at - f->offset + f->second;
    fprintf(out, "%s = ", path);
    if (f->type == FIELD_STRING || f->type == FIELD_FILE) {
        const char *text = *(const char *const *)at;

        print_text(text ? text : "", out);
    } else {
        value_print(f, at, 17, buf, sizeof(buf));
        digit = *buf >= '0' && *buf <= '9'; /* and not a word */
        fprintf(out, "%s%s%s", buf, *unit && digit ? " " : "", digit ? unit : "");
    }
    fputc('\n', out);
}

char *scenario_canonical(const struct scenario *sc)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct printing p = { .modelled = !sc->simulated || sc->method.kind != METHOD_FLOWS };
    struct scenario copy =
        *sc; /* the walker takes a pointer that it may give away for writing; nothing is written here */
    int failed;

    if (!out)
        return NULL;
    p.out = out;
    schema_walk(&schema_point, &copy, "", print_line, &p);
    failed = ferror(out);
    if (fclose(out) || failed) {
        free(text);
        return NULL;
    }
    return text;
}

double *scenario_number(struct scenario *sc, const char *path)
{
    const struct field *f;
    char *at = schema_find(&schema_point, sc, path, &f);

    if (!at || (f->type != FIELD_NUMBER && f->type != FIELD_CODEC))
        return NULL;
    return (double *)(void *)(f->type == FIELD_CODEC ? at - f->offset + f->second : at);
}
