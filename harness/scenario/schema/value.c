/* value.c - one function to read each type of field. */
#include "harness/scenario/schema/value.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "harness/count.h"
#include "harness/scenario/yaml/numeral.h"
#include "harness/text/suggest.h"
#include "sim/platform.h"

_Static_assert(sizeof(enum codec_rate) == sizeof(int), "choices are stored as int");

enum { EXPECTED = 256 };
static const double LARGEST_WHOLE = 9007199254740992.0; /* 2^53: every whole number up to it is a double */

/* Add an error; false. */
static bool wrong(struct loader *l, const struct field *f, const struct written *w, size_t offset, const char *why,
                  const char *suggest)
{
    char expected[EXPECTED];
    struct mark at = w->at;

    at.column += (unsigned)offset;
    field_expected(f, expected, sizeof(expected));
    if (!*w->text)
        diag_add(l->diag, at, w->key, suggest, "expected %s, got nothing", expected);
    else if (why)
        diag_add(l->diag, at, w->key, suggest, "expected %s, got '%s': %s", expected, diag_quote(l->diag, w->text),
                 why);
    else
        diag_add(l->diag, at, w->key, suggest, "expected %s, got '%s'", expected, diag_quote(l->diag, w->text));
    return false;
}

static bool in_range(const struct field *f, double v)
{
    if (v < f->min || (f->flags & FIELD_ABOVE && v == f->min))
        return false;
    return f->max <= 0 || v <= f->max;
}

static bool read_string(struct loader *l, const struct field *f, const struct written *w)
{
    char why[EXPECTED];

    if ((f->flags & FIELD_REQUIRED && !*w->text) || (f->max > 0 && strlen(w->text) > (size_t)f->max))
        return wrong(l, f, w, 0, *w->text ? "too long" : NULL, NULL);
    if (!f->form || f->form->right(w->text, why, sizeof(why)))
        return true;
    return wrong(l, f, w, 0, why, NULL);
}

static bool read_path(struct loader *l, const struct field *f, const struct written *w, struct value *out)
{
    char expected[EXPECTED];
    int error;

    if (!*w->text)
        return wrong(l, f, w, 0, NULL, NULL);
    out->text = load_path(l, w->at.source, w->text);
    error = l->reader->exists(l->reader->ctx, out->text);
    if (error == EISDIR && f->flags & FIELD_FOLDER)
        error = 0;
    field_expected(f, expected, sizeof(expected));
    if (error)
        diag_add(l->diag, w->at, w->key, NULL, "expected %s, got '%s': %s", expected, diag_quote(l->diag, out->text),
                 strerror(error));
    return !error;
}

/* Does this value of a FIELD_ENUM stand for all words that its form takes? */
static bool is_other(const struct field *f, int choice)
{
    return f->type == FIELD_ENUM && f->form && !f->names[choice + 1];
}

/* A word that is no name: taken by the form, or wrong. */
static bool read_other(struct loader *l, const struct field *f, const struct written *w, struct suggest *s,
                       const char *better, struct value *out)
{
    char why[EXPECTED] = "";

    if (f->form && f->form->right(w->text, why, sizeof(why))) {
        while (f->names[out->choice + 1])
            out->choice++;
        return true;
    }
    if (f->form && f->form->offer)
        f->form->offer(s);
    return wrong(l, f, w, 0, *why ? why : NULL, *why ? NULL : better ? better : suggest_result(s));
}

static bool read_choice(struct loader *l, const struct field *f, const struct written *w, struct value *out)
{
    static const char *const bools[] = { "false", "true", NULL };
    const char *const *names = f->type == FIELD_BOOL ? bools : f->names;
    static const char *const yes[] = { "yes", "on", "True", "TRUE", "y", "1" }, *const no[] = { "no",    "off", "False",
                                                                                                "FALSE", "n",   "0" };
    struct suggest s = { .given = w->text, .lengthened = true };
    const char *alias = f->alias ? f->alias(w->text) : NULL, *better = f->meant ? f->meant(w->text) : NULL;
    int of_alias = -1;

    for (int i = 0; names[i] && !is_other(f, i); i++) {
        if (!strcmp(names[i], w->text)) {
            out->choice = i;
            return true;
        }
        if (alias && !strcmp(names[i], alias))
            of_alias = i;
        suggest_offer(&s, names[i]);
    }
    if (of_alias >= 0) {
        out->choice = of_alias;
        return true;
    }
    for (size_t i = 0; f->type == FIELD_BOOL && i < COUNT(yes); i++)
        better = !strcmp(yes[i], w->text) ? "true" : !strcmp(no[i], w->text) ? "false" : better;
    return read_other(l, f, w, &s, better, out);
}

/* A word in place of a number. */
static bool read_word(const struct field *f, const char *text, struct value *out)
{
    out->number = 0;
    if (f->type == FIELD_CODEC && (!strcmp(text, "calibrated") || !strcmp(text, "measured"))) {
        out->choice = *text == 'c' ? CODEC_RATE_MEMORY : CODEC_RATE_MEASURED;
        return true;
    }
    if (f->flags & FIELD_CALIBRATED && !strcmp(text, "calibrated")) {
        out->number = NAN;
        return true;
    }
    if (f->flags & FIELD_OPEN && !strcmp(text, "default")) {
        out->number = -1;
        return true;
    }
    return f->flags & FIELD_UNLIMITED && !strcmp(text, "unlimited");
}

static const char *suggest_word(const struct field *f, const char *text)
{
    struct suggest s = { .given = text };

    if (f->flags & FIELD_CALIBRATED || f->type == FIELD_CODEC)
        suggest_offer(&s, "calibrated");
    if (f->type == FIELD_CODEC)
        suggest_offer(&s, "measured");
    if (f->flags & FIELD_UNLIMITED)
        suggest_offer(&s, "unlimited");
    if (f->flags & FIELD_OPEN)
        suggest_offer(&s, "default");
    return suggest_result(&s);
}

static bool read_number(struct loader *l, const struct field *f, const struct written *w, struct value *out)
{
    struct quantity_error error;
    const struct unit *unit;

    if (read_word(f, w->text, out))
        return true;
    out->choice = CODEC_RATE_GIVEN;
    if (quantity_read(w->text, f->dimension, &out->number, &unit, &error)) {
        if (!error.suggest)
            error.suggest = suggest_word(f, w->text);
        wrong(l, f, w, error.offset, error.why, error.suggest);
        return false;
    }
    if (!in_range(f, out->number))
        return wrong(l, f, w, 0, "out of range", NULL);
    return true;
}

static bool read_integer(struct loader *l, const struct field *f, const struct written *w, struct value *out)
{
    const char *why = NULL;

    if (f->dimension != DIM_NONE) {
        if (!read_number(l, f, w, out))
            return false;
        if (out->number != floor(out->number) || out->number > LARGEST_WHOLE)
            why = out->number > LARGEST_WHOLE ? "too large" : "not whole in base units";
        else
            out->integer = (int64_t)out->number;
    } else if (!numeral_integer(w->text, &out->integer, &why) && !in_range(f, (double)out->integer)) {
        why = "out of range";
    }
    if (why)
        wrong(l, f, w, 0, why, NULL);
    return !why;
}

static bool value_read(struct loader *l, const struct field *f, const struct written *w, struct value *out)
{
    *out = (struct value){ .text = w->text };
    switch (f->type) {
    case FIELD_STRING: return read_string(l, f, w);
    case FIELD_FILE: return read_path(l, f, w, out);
    case FIELD_BOOL:
    case FIELD_ENUM: return read_choice(l, f, w, out);
    case FIELD_INTEGER: return read_integer(l, f, w, out);
    default: return read_number(l, f, w, out);
    }
}

struct written value_written(const struct node *n, const char *key)
{
    struct written w = { n->text, n->at, key };

    w.at.column += n->quoted;
    return w;
}

static void check_source(struct loader *l, const struct entry *e, const char *key)
{
    if (e->value->kind != NODE_SCALAR || !*e->value->text)
        diag_add(l->diag, e->value->at, arena_printf(l->arena, "%s.source", key), NULL, "expected text, got %s",
                 tree_kind_name(e->value));
}

/* The node of the value alone: of a figure its 'value'. NULL after an error. */
static const struct node *value_node(struct loader *l, const struct field *f, const struct node *n, const char *key)
{
    bool text = f->type == FIELD_STRING || f->type == FIELD_FILE;
    char expected[EXPECTED];
    const struct entry *value = tree_entry(n, "value");

    if (n->kind == NODE_SCALAR)
        return n;
    if (n->kind == NODE_LIST || text || (value && value->value->kind != NODE_SCALAR)) {
        field_expected(f, expected, sizeof(expected));
        diag_add(l->diag, value ? value->value->at : n->at, key, NULL, "expected %s, got %s", expected,
                 tree_kind_name(value ? value->value : n));
        return NULL;
    }
    for (size_t i = 0; i < n->n; i++) {
        const struct entry *e = &n->entries[i];
        struct suggest s = { .given = e->key };

        suggest_offer(&s, "value");
        suggest_offer(&s, "source");
        if (!strcmp(e->key, "source"))
            check_source(l, e, key);
        else if (e != value)
            diag_add(l->diag, e->at, arena_printf(l->arena, "%s.%s", key, e->key), suggest_result(&s),
                     "expected 'value' or 'source', got an unknown key");
    }
    if (!value)
        diag_add(l->diag, n->at, key, NULL, "expected the key 'value', got none");
    return value ? value->value : NULL;
}

bool value_read_node(struct loader *l, const struct field *f, const struct node *n, const char *key, struct value *out)
{
    const struct node *value = value_node(l, f, n, key);
    struct written w;

    if (!value)
        return false;
    w = value_written(value, key);
    return value_read(l, f, &w, out);
}

void value_store(const struct field *f, const struct value *v, void *at)
{
    switch (f->type) {
    case FIELD_STRING:
    case FIELD_FILE: memcpy(at, &v->text, sizeof(v->text)); break;
    case FIELD_BOOL: *(bool *)at = v->choice != 0; break;
    case FIELD_INTEGER: *(int64_t *)at = v->integer; break;
    case FIELD_NUMBER: *(double *)at = v->number; break;
    case FIELD_CODEC: memcpy((char *)at - f->offset + f->second, &v->number, sizeof(v->number)); /* fall through */
    default: memcpy(at, &v->choice, sizeof(v->choice)); break;
    }
    if (f->type == FIELD_ENUM && f->form) {
        const char *word = is_other(f, v->choice) ? v->text : NULL;

        memcpy((char *)at - f->offset + f->second, &word, sizeof(word));
    }
}

struct value value_default(const struct field *f)
{
    struct value v = { .text = "" };
    struct quantity_error error;
    const struct unit *unit;
    const char *why;
    int failed = 0;

    if (!f->fallback)
        return v;
    v.text = f->fallback;
    if (f->type == FIELD_STRING)
        return v;
    if (f->type == FIELD_BOOL)
        v.choice = !strcmp(f->fallback, "true");
    else if (f->type == FIELD_ENUM)
        while (strcmp(f->names[v.choice], f->fallback))
            v.choice++;
    else if (f->type == FIELD_INTEGER && f->dimension == DIM_NONE)
        failed = numeral_integer(f->fallback, &v.integer, &why);
    else if (!read_word(f, f->fallback, &v))
        failed = quantity_read(f->fallback, f->dimension, &v.number, &unit, &error);
    if (f->type == FIELD_INTEGER && f->dimension != DIM_NONE)
        v.integer = (int64_t)v.number;
    assert(!failed);
    (void)failed;
    return v;
}

static int print_number(double v, int digits, char *buf, size_t size)
{
    return isnan(v) ? snprintf(buf, size, "calibrated") : snprintf(buf, size, "%.*g", digits, v);
}

const char *value_text(const struct field *f, const void *at)
{
    bool word = f->type == FIELD_ENUM && f->form;
    const char *text;

    if (f->type != FIELD_STRING && f->type != FIELD_FILE && !word)
        return NULL;
    memcpy(&text, word ? (const char *)at - f->offset + f->second : at, sizeof(text));
    return text || word ? text : "";
}

int value_print(const struct field *f, const void *at, int digits, char *buf, size_t size)
{
    static const char *const rates[] = { "calibrated", "measured" };
    const char *text = value_text(f, at);
    int choice;

    if (text)
        return snprintf(buf, size, "%s", text);
    switch (f->type) {
    case FIELD_BOOL: return snprintf(buf, size, "%s", *(const bool *)at ? "true" : "false");
    case FIELD_INTEGER: return snprintf(buf, size, "%lld", (long long)*(const int64_t *)at);
    case FIELD_NUMBER: return print_number(*(const double *)at, digits, buf, size);
    default: break;
    }
    memcpy(&choice, at, sizeof(choice));
    if (f->type == FIELD_CODEC && choice == CODEC_RATE_GIVEN)
        return print_number(*(const double *)((const char *)at - f->offset + f->second), digits, buf, size);
    return snprintf(buf, size, "%s", f->type == FIELD_CODEC ? rates[choice] : f->names[choice]);
}

double value_number(const struct field *f, const struct value *v)
{
    if (f->type == FIELD_INTEGER)
        return (double)v->integer;
    if (f->type == FIELD_NUMBER || (f->type == FIELD_CODEC && v->choice == CODEC_RATE_GIVEN))
        return v->number;
    return NAN;
}
