/* vary.c - the search for the number, and its ways from and to text. */
#include "harness/scenario/points/vary.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "harness/scenario/points/target.h"
#include "harness/scenario/yaml/numeral.h"
#include "harness/status.h"
#include "harness/text/suggest.h"
#include "sim/platform.h"

enum { LISTED = 6 };

struct search {
    const char *given;
    struct varied found; /* the first */
    char others[LISTED][VARY_PATH];
    size_t nfound;
    bool exact;  /* the whole path was given */
    bool a_word; /* it leads to a key, but to no number */
    char best[VARY_PATH];
    struct suggest near;
};

static bool is_number(const struct field *f)
{
    return !(f->flags & FIELD_SILENT) &&
           (f->type == FIELD_NUMBER || f->type == FIELD_INTEGER || f->type == FIELD_CODEC);
}

static void offer(void *context, const char *path, const struct field *f, void *at, const struct place *place)
{
    struct search *s = context;
    const char *before = s->near.best;

    (void)at;
    (void)place;
    if (!is_number(f) || strlen(path) >= VARY_PATH)
        return;
    suggest_offer(&s->near, path_end_like(path, s->given));
    if (s->near.best == before)
        return;
    snprintf(s->best, sizeof(s->best), "%s", s->near.best); /* the walker's path is gone after this call */
    s->near.best = s->best;
}

static void consider(void *context, const char *path, const struct field *f, void *at, const struct place *place)
{
    struct search *s = context;
    int how = path_matches(path, s->given);

    (void)place;
    if (!how || (s->exact && how == 2) || strlen(path) >= VARY_PATH)
        return;
    if (!is_number(f)) {
        s->a_word = true;
        return;
    }
    if (how == 1 && !s->exact)
        s->nfound = 0;
    s->exact |= how == 1;
    if (s->nfound < LISTED)
        snprintf(s->others[s->nfound], VARY_PATH, "%s", path);
    if (!s->nfound++) {
        s->found = (struct varied){ .field = f, .at = at };
        snprintf(s->found.path, VARY_PATH, "%s", path);
    }
}

static void explain(const struct search *s, const char *who, FILE *err)
{
    if (s->nfound > 1) {
        fprintf(err, "%s: expected a path with one meaning, got '%s': ", who, s->given);
        for (size_t i = 0; i < s->nfound && i < LISTED; i++)
            fprintf(err, "%s%s", i ? ", " : "", s->others[i]);
        fprintf(err, "%s\n", s->nfound > LISTED ? ", ..." : "");
        return;
    }
    fprintf(err, "%s: expected the path of a number that can change a result, got '%s'", who, s->given);
    if (s->a_word)
        fputs(", which is none", err);
    else if (suggest_result(&s->near))
        fprintf(err, "; did you mean '%s'?", suggest_result(&s->near));
    fputc('\n', err);
}

int vary_find(struct scenario *sc, const char *path, const char *who, FILE *err, struct varied *out)
{
    struct search s = { .given = path, .near = { .given = path } };

    schema_walk(&schema_point, sc, "", consider, &s);
    if (s.nfound == 1) {
        *out = s.found;
        return NW_OK;
    }
    /* Only now: to compare with every key takes longer than to find one. */
    schema_walk(&schema_point, sc, "", offer, &s);
    explain(&s, who, err);
    return NW_EINPUT;
}

struct varied vary_same(struct scenario *sc, const struct varied *v)
{
    struct varied out = *v;

    out.at = schema_find(&schema_point, sc, v->path, &out.field);
    if (!out.at)
        out.field = v->field;
    return out;
}

static double *rate_of(const struct varied *v)
{
    return (double *)(void *)((char *)v->at - v->field->offset + v->field->second);
}

double vary_value(const struct varied *v)
{
    int choice;

    switch (v->field->type) {
    case FIELD_INTEGER: return (double)*(const int64_t *)v->at;
    case FIELD_CODEC: memcpy(&choice, v->at, sizeof(choice)); return choice == CODEC_RATE_GIVEN ? *rate_of(v) : NAN;
    default: return *(const double *)v->at;
    }
}

void vary_set(const struct varied *v, double value)
{
    const int given = CODEC_RATE_GIVEN;

    switch (v->field->type) {
    case FIELD_INTEGER: *(int64_t *)v->at = (int64_t)llround(value); break;
    case FIELD_CODEC:
        memcpy(v->at, &given, sizeof(given));
        *rate_of(v) = value;
        break;
    default: *(double *)v->at = value; break;
    }
}

bool vary_whole(const struct varied *v)
{
    return v->field->type == FIELD_INTEGER;
}

const char *vary_unit(const struct varied *v)
{
    return unit_base(v->field->dimension);
}

void vary_range(const struct varied *v, double *smallest, double *largest)
{
    const struct field *f = v->field;

    *smallest = f->min;
    if (f->flags & FIELD_ABOVE)
        *smallest = vary_whole(v) ? f->min + 1 : nextafter(f->min, INFINITY);
    *largest = f->max > 0 ? f->max : INFINITY;
}

int vary_read(const struct varied *v, const char *text, const char *option, FILE *err, double *out)
{
    struct quantity_error error = { .why = NULL };
    const struct unit *unit;
    char expected[256];
    double smallest, largest, value;

    vary_range(v, &smallest, &largest);
    field_expected(v->field, expected, sizeof(expected));
    if (quantity_read(text, v->field->dimension, &value, &unit, &error)) {
        fprintf(err, "%s: %s: expected %s, got '%s'%s%s", option, v->path, expected, text, error.why ? ": " : "",
                error.why ? error.why : "");
        if (error.suggest)
            fprintf(err, "; did you mean '%s'?", error.suggest);
        fputc('\n', err);
        return NW_EINPUT;
    }
    if (!(value >= smallest && value <= largest) || (vary_whole(v) && value != floor(value))) {
        fprintf(err, "%s: %s: expected %s, got '%s': out of range\n", option, v->path, expected, text);
        return NW_EINPUT;
    }
    *out = value;
    return NW_OK;
}

static const struct prefix {
    double factor;
    const char *name;
} decimal[] = { { 1e15, "P" }, { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" }, { 1, "" } },
  small[] = { { 1, "" }, { 1e-3, "m" }, { 1e-6, "u" }, { 1e-9, "n" } };

/* Seven digits: more than the default tolerance can tell apart. */
static int with_prefix(const struct prefix *p, size_t n, double value, const char *unit, char *text, size_t size)
{
    while (n > 1 && fabs(value) < p->factor) {
        p++;
        n--;
    }
    return snprintf(text, size, "%.7g %s%s", value / p->factor, p->name, unit);
}

void vary_print(const struct varied *v, double value, char *text, size_t size)
{
    static const size_t ndecimal = sizeof(decimal) / sizeof(*decimal), nsmall = sizeof(small) / sizeof(*small);
    char bits[64];

    if (value == 0 && v->field->flags & FIELD_UNLIMITED) {
        snprintf(text, size, "unlimited");
        return;
    }
    switch (v->field->dimension) {
    case DIM_BYTES: with_prefix(decimal, ndecimal, value, "B", text, size); break;
    case DIM_BYTES_PER_S:
        with_prefix(decimal, ndecimal, 8 * value, "bit/s", bits, sizeof(bits));
        int n = with_prefix(decimal, ndecimal, value, "B/s", text, size);
        if (n > 0 && (size_t)n < size)
            snprintf(text + n, size - (size_t)n, " (%s)", bits);
        break;
    case DIM_SECONDS: with_prefix(small, nsmall, value, "s", text, size); break;
    case DIM_FLOPS: with_prefix(decimal, ndecimal, value, "FLOP/s", text, size); break;
    case DIM_HERTZ: with_prefix(decimal, ndecimal, value, "Hz", text, size); break;
    default: snprintf(text, size, "%.7g", value); break;
    }
}
