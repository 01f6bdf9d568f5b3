/* template.c - cuts a text into pieces, and puts the values of a point in their place. */
#include "harness/scenario/points/template.h"

#include <string.h>

#include "harness/scenario/file.h"

static void add_text(struct scenario_file *f, struct template *t, const char *text, size_t n)
{
    if (n)
        *ARENA_PUSH(&f->arena, t->pieces, t->n) = (struct piece){ .text = arena_copy(&f->arena, text, n) };
}

/* The path in braces. False after an error. */
static bool add_path(struct scenario_file *f, struct template *t, const char *path, struct mark at, const char *key)
{
    struct piece p = { .variant = !strcmp(path, "variant") };

    if (!p.variant) {
        p.target = target_resolve(f, path, at, key);
        if (p.target.path && !p.target.field) {
            diag_add(&f->diag, at, key, NULL, "expected the path of a single value in braces, got '%s'", path);
            return false;
        }
        if (!p.target.path)
            return false;
    } else if (!f->nvariants) {
        diag_add(&f->diag, at, key, NULL, "expected a path in braces, got 'variant': the scenario has no variants");
        return false;
    }
    *ARENA_PUSH(&f->arena, t->pieces, t->n) = p;
    return true;
}

struct template template_compile(struct scenario_file *f, const char *text, struct mark at, const char *key)
{
    struct template t = { 0 };
    const char *start = text;

    while (*text) {
        size_t n = strcspn(text, "{}"), inside;

        add_text(f, &t, text, n);
        text += n;
        if (!*text)
            break;
        inside = strcspn(text + 1, "{}");
        at.column += (unsigned)(text - start);
        if (*text == '}' || text[1 + inside] != '}') {
            diag_add(&f->diag, at, key, NULL, "expected braces in pairs, got '%s'", diag_quote(&f->diag, start));
            break;
        }
        if (!add_path(f, &t, arena_copy(&f->arena, text + 1, inside), at, key))
            break;
        at.column -= (unsigned)(text - start);
        text += inside + 2;
    }
    return t;
}

/* The target's value as written on an axis: "7.88 GB/s" rather than 7880000000. NULL if no axis sets it. */
static const char *axis_text(const struct scenario_file *f, const struct target *t, const struct bound *b)
{
    size_t rest = b->combination;

    for (size_t d = f->ndims; d-- > 0;) {
        size_t value = rest % f->dims[d].n;

        rest /= f->dims[d].n;
        for (size_t i = 0; i < f->dims[d].naxes; i++)
            if (f->dims[d].axes[i].target.field && !strcmp(f->dims[d].axes[i].target.path, t->path))
                return f->dims[d].axes[i].values[value].value.text;
    }
    return NULL;
}

static const char *piece_text(const struct scenario_file *f, struct arena *a, const struct piece *p, struct bound *b)
{
    const char *text;
    const void *at;
    char buf[64];

    if (p->text)
        return p->text;
    if (p->variant)
        return b->variant ? b->variant->name : "";
    at = place_in(&p->target.places[b->image[p->target.section]], bound_base(b, p->target.section));
    if ((text = value_text(p->target.field, at)))
        return text;
    if (p->target.field->dimension != DIM_NONE && (text = axis_text(f, &p->target, b)))
        return text;
    value_print(p->target.field, at, 12, buf, sizeof(buf));
    return arena_text(a, buf);
}

static const char *expand(const struct scenario_file *f, struct arena *a, const struct template *t, struct bound *b)
{
    const char *out = t->n ? piece_text(f, a, &t->pieces[0], b) : "";

    for (size_t i = 1; i < t->n; i++)
        out = arena_printf(a, "%s%s", out, piece_text(f, a, &t->pieces[i], b));
    return out;
}

struct cell template_cell(const struct scenario_file *f, struct arena *a, const struct cell_template *c,
                          struct bound *b)
{
    const char *texts[CELL_TEXTS];

    for (int i = 0; i < CELL_TEXTS; i++)
        texts[i] = expand(f, a, &c->texts[i], b);
    return (struct cell){ texts[0], texts[1], texts[2], texts[3], texts[4], 0 };
}
