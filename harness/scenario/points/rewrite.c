/* rewrite.c - one point of a scenario as a scenario of its own. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/scenario/file.h"
#include "harness/status.h"

/* What one point leaves out. */
static bool left_out(const char *key)
{
    static const char *const keys[] = { "set",       "sweep",  "variants", "baseline", "include", "compare",
                                        "calibrate", "chosen", "figure",   "time",     "notes" };

    for (size_t i = 0; i < COUNT(keys); i++)
        if (!strcmp(keys[i], key))
            return true;
    return false;
}

/* In quotation marks, as YAML reads them. */
static void put_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text; text++)
        switch (*text) {
        case '"':
        case '\\': fprintf(out, "\\%c", *text); break;
        case '\n': fputs("\\n", out); break;
        case '\t': fputs("\\t", out); break;
        default: fputc(*text, out); break;
        }
    fputc('"', out);
}

/* A name of a shipped file stays; a path is of where the file lies that has it. */
static void put_reference(const char *from, const char *text, FILE *out)
{
    const char *slash = strrchr(from, '/');
    char path[PATH_MAX], full[PATH_MAX];
    size_t n = strlen(text);

    if (!strchr(text, '/') && (n < 5 || strcmp(text + n - 5, ".yaml") != 0)) {
        put_text(text, out);
        return;
    }
    snprintf(path, sizeof(path), "%.*s%s", *text == '/' || !slash ? 0 : (int)(slash + 1 - from), from, text);
    put_text(realpath(path, full) ? full : text, out);
}

static bool is_reference(const char *key)
{
    return !strcmp(key, "platform") || !strcmp(key, "model");
}

/* Maps and lists in braces and brackets, on one line. */
static void put_node(const struct node *n, FILE *out)
{
    switch (n->kind) {
    case NODE_SCALAR: put_text(n->text, out); break;
    case NODE_LIST:
        fputc('[', out);
        for (size_t i = 0; i < n->n; i++) {
            fputs(i ? ", " : "", out);
            put_node(n->items[i], out);
        }
        fputc(']', out);
        break;
    default:
        fputc('{', out);
        for (size_t i = 0; i < n->n; i++) {
            fputs(i ? ", " : "", out);
            put_text(n->entries[i].key, out);
            fputs(": ", out);
            put_node(n->entries[i].value, out);
        }
        fputc('}', out);
        break;
    }
}

static void put_section(const struct scenario_file *f, const struct entry *e, FILE *out)
{
    const struct node *n = e->value;

    fprintf(out, "%s:", e->key);
    if (n->kind == NODE_SCALAR) {
        fputc(' ', out);
        if (is_reference(e->key))
            put_reference(f->path, n->text, out);
        else
            put_text(n->text, out);
    } else if (n->kind == NODE_LIST) {
        fputc(' ', out);
        put_node(n, out);
    }
    fputc('\n', out);
    for (size_t i = 0; n->kind == NODE_MAP && i < n->n; i++) {
        fprintf(out, "  %s: ", n->entries[i].key);
        put_node(n->entries[i].value, out);
        fputc('\n', out);
    }
}

enum { MOST_SETTINGS = 1024 };

struct written_settings {
    const struct setting *list[MOST_SETTINGS];
    size_t n;
};

/* Later ones win: those of one path are written once. */
static void note(void *context, const struct setting *s)
{
    struct written_settings *w = context;
    size_t i = 0;

    while (i < w->n && strcmp(w->list[i]->target.path, s->target.path) != 0)
        i++;
    if (i == MOST_SETTINGS)
        return;
    w->n += i == w->n;
    w->list[i] = s;
}

/* A platform or a model that the setting exchanges: its file, or its keys. */
static void put_image(const struct scenario_file *f, const struct setting *s, FILE *out)
{
    const struct image *image = &f->images[s->target.section].items[s->image];

    if (!s->value.text)
        put_node(image->keys, out);
    else
        put_reference(s->value_at.source ? s->value_at.source->name : "", s->value.text, out);
}

static const struct variant *variant_of(const struct scenario_file *f, size_t point)
{
    return f->nvariants ? &f->variants[point % f->nvariants] : NULL;
}

static void put_settings(const struct scenario_file *f, size_t point, FILE *out)
{
    struct written_settings w = { .n = 0 };

    settings_visit(f, point / (f->nvariants ? f->nvariants : 1), variant_of(f, point), note, &w);
    fputs("set:\n", out);
    for (size_t i = 0; i < w.n; i++) {
        fprintf(out, "  %s: ", w.list[i]->target.path);
        if (w.list[i]->target.field)
            put_text(w.list[i]->value.text ? w.list[i]->value.text : "", out);
        else
            put_image(f, w.list[i], out);
        fputc('\n', out);
    }
}

int scenario_rewrite(const struct scenario_file *f, size_t point, const char *to)
{
    FILE *out = fopen(to, "w");
    bool failed;

    if (!out)
        return status_error(NW_EIO, "%s: %s\n", to, strerror(errno));
    for (size_t i = 0; i < f->root->n; i++)
        if (!left_out(f->root->entries[i].key))
            put_section(f, &f->root->entries[i], out);
    put_settings(f, point, out);
    failed = ferror(out);
    failed |= fclose(out) != 0;
    return failed ? status_error(NW_EIO, "%s: cannot be written: %s\n", to, strerror(errno)) : NW_OK;
}
