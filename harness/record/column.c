#include "harness/record/column.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRACTION_BITS = 52, SHORTEST_RUN = 4 };

void column_free(struct column *c)
{
    for (size_t i = 0; i < c->nwords; i++)
        free(c->words[i]);
    free(c->words);
    free(c->values);
    free(c->absent);
    *c = (struct column){ 0 };
}

/* Differences wrap around as unsigned numbers do, so there is one of any two values. */
static int64_t difference(const int64_t *x, size_t i)
{
    return (int64_t)((uint64_t)x[i] - (i ? (uint64_t)x[i - 1] : 0));
}

static size_t equal_from(const int64_t *x, size_t n, size_t i)
{
    size_t j = i + 1;

    while (j < n && difference(x, j) == difference(x, i))
        j++;
    return j - i;
}

/* By turns: how many differences stand each for itself, and these; how often the next one comes, and that one. */
static void put_values(struct bytes *to, const int64_t *x, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t run = 0, j = i;

        for (; j < n && (run = equal_from(x, n, j)) < SHORTEST_RUN; j += run)
            ;
        bytes_put_number(to, j - i);
        for (; i < j; i++)
            bytes_put_signed(to, difference(x, i));
        if (i < n) {
            bytes_put_number(to, run);
            bytes_put_signed(to, difference(x, i));
            i += run;
        }
    }
}

static void take_values(struct cursor *from, int64_t *x, size_t n)
{
    uint64_t last = 0;

    for (size_t i = 0; i < n && !from->failed;) {
        size_t end = i + cursor_count(from, n - i);

        for (; i < end; i++)
            x[i] = (int64_t)(last += (uint64_t)cursor_signed(from));
        if (i == n)
            break;
        end = i + cursor_count(from, n - i);
        uint64_t step = (uint64_t)cursor_signed(from);
        from->failed |= end == i;
        for (; i < end; i++)
            x[i] = (int64_t)(last += step);
    }
}

/* To the nearest with so many bits less; a number that would round to infinity is cut off. */
static int64_t shortened(int64_t bits, int dropped)
{
    uint64_t half = dropped ? (uint64_t)1 << (dropped - 1) : 0, up = (uint64_t)bits + half;
    double rounded;

    memcpy(&rounded, &up, sizeof(rounded));
    return (int64_t)((isfinite(rounded) ? up : (uint64_t)bits) >> dropped);
}

int64_t column_rounded(double value, int dropped)
{
    int64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return (int64_t)((uint64_t)shortened(bits, dropped) << dropped);
}

void column_put(struct bytes *to, const struct column *c, int dropped)
{
    int64_t *values = calloc(c->n + 1, sizeof(*values)), *flags = calloc(c->n + 1, sizeof(*flags));

    assert(dropped >= 0 && dropped < FRACTION_BITS && (!dropped || c->type == COLUMN_REAL));
    to->failed |= !values || !flags;
    for (size_t i = 0; !to->failed && i < c->n; i++) {
        flags[i] = c->absent && c->absent[i];
        values[i] = flags[i] ? i ? values[i - 1] : 0 : shortened(c->values[i], dropped);
    }
    bytes_put_number(to, c->type);
    bytes_put_number(to, (uint64_t)dropped);
    bytes_put_number(to, c->absent != NULL);
    if (!to->failed && c->absent)
        put_values(to, flags, c->n);
    bytes_put_number(to, c->nwords);
    for (size_t i = 0; i < c->nwords; i++)
        bytes_put_text(to, c->words[i]);
    if (!to->failed)
        put_values(to, values, c->n);
    free(values);
    free(flags);
}

static void take_absent(struct cursor *from, struct column *c)
{
    take_values(from, c->values, c->n);
    for (size_t i = 0; i < c->n && !from->failed; i++) {
        from->failed |= (c->values[i] & ~(int64_t)1) != 0;
        c->absent[i] = (unsigned char)c->values[i];
    }
}

static void take_words(struct cursor *from, struct column *c)
{
    size_t n = cursor_count(from, (size_t)(from->end - from->at));

    c->words = from->failed ? NULL : calloc(n + 1, sizeof(*c->words));
    from->failed |= !c->words;
    while (c->nwords < n && !from->failed) {
        c->words[c->nwords] = cursor_text(from);
        c->nwords += !from->failed;
    }
}

static void check(struct cursor *from, struct column *c, int dropped)
{
    for (size_t i = 0; i < c->n && !from->failed; i++) {
        if (c->absent && c->absent[i])
            continue;
        c->values[i] = (int64_t)((uint64_t)c->values[i] << dropped);
        from->failed |= c->type == COLUMN_TEXT && (uint64_t)c->values[i] >= c->nwords;
        from->failed |= c->type == COLUMN_REAL && !isfinite(column_real(c, i));
    }
}

struct column column_take(struct cursor *from, size_t n)
{
    struct column c = { .type = (enum column_type)cursor_count(from, COLUMN_TYPES - 1), .n = n };
    int dropped = (int)cursor_count(from, c.type == COLUMN_REAL ? FRACTION_BITS - 1 : 0);
    size_t absent = cursor_count(from, 1);

    c.values = from->failed ? NULL : calloc(n + 1, sizeof(*c.values));
    c.absent = absent ? calloc(n + 1, 1) : NULL;
    from->failed |= !c.values || (absent && !c.absent);
    if (!from->failed && absent)
        take_absent(from, &c);
    take_words(from, &c);
    if (!from->failed)
        take_values(from, c.values, n);
    check(from, &c, dropped);
    if (from->failed)
        column_free(&c);
    return c;
}

double column_real(const struct column *c, size_t i)
{
    double value;

    memcpy(&value, &c->values[i], sizeof(value));
    return value;
}
