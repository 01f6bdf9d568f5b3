/* Columns as bytes: whatever they hold comes back, and no bytes are read that are not there. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/record/column.h"
#include "tests/test.h"

static uint64_t state = 88172645463325252u;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static struct column again(const struct column *c, int dropped, size_t *nbytes)
{
    struct bytes b = { 0 };

    column_put(&b, c, dropped);
    assert_false(b.failed);
    struct cursor from = { b.data, b.data + b.n, 0 };
    struct column back = column_take(&from, c->n);
    assert_false(from.failed);
    assert_true(from.at == from.end);
    if (nbytes)
        *nbytes = b.n;
    free(b.data);
    return back;
}

static void check_same(const struct column *c)
{
    struct column back = again(c, 0, NULL);

    assert_int_equal(back.type, c->type);
    for (size_t i = 0; i < c->n; i++) {
        assert_int_equal(back.absent && back.absent[i], c->absent && c->absent[i]);
        if (!(c->absent && c->absent[i]) && c->type == COLUMN_TEXT)
            assert_string_equal(back.words[back.values[i]], c->words[c->values[i]]);
        else if (!(c->absent && c->absent[i]))
            assert_true(back.values[i] == c->values[i]);
    }
    column_free(&back);
}

static void whole_numbers_come_back(void **unused)
{
    static const int64_t edges[] = { 0, INT64_MAX, INT64_MIN, -1, INT64_MIN, INT64_MAX, 1, 1, 1,
                                     1, 1,         2,         3,  4,         5,         6, 6, 0 };
    int64_t x[300];
    struct column c = { .values = x };

    (void)unused;
    memcpy(x, edges, sizeof(edges));
    for (c.n = 0; c.n <= COUNT(edges); c.n++)
        check_same(&c);
    /* Runs and single values in all mixtures. */
    for (int round = 0; round < 2000; round++) {
        c.n = draw() % 300;
        for (size_t i = 0; i < c.n; i++)
            x[i] = draw() % 4 ? (i ? x[i - 1] + (int64_t)(draw() % 8 == 0) : 0) : (int64_t)(draw() >> draw() % 64);
        check_same(&c);
    }
}

static void texts_and_absent_values_come_back(void **unused)
{
    char *words[] = { "", "a", "conv1 \xc2\xb1" };
    int64_t x[40] = { 0 };
    unsigned char absent[40] = { 1, 1, 0, 1 };
    struct column c = { COLUMN_TEXT, COUNT(x), x, absent, words, COUNT(words) };

    (void)unused;
    for (size_t i = 0; i < COUNT(x); i++)
        x[i] = (int64_t)(i * i % 3);
    check_same(&c);
    x[3] = INT64_MAX; /* what is absent has no word */
    check_same(&c);
    memset(absent, 1, sizeof(absent));
    check_same(&c);
}

static void numbers_keep_the_bits_that_are_not_dropped(void **unused)
{
    static const double edges[] = {
        0, -0.0, 1, -1, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9e-324, 2.302585092994046, 1.0 / 3, 1e-300, -2.0 / 3
    };
    int64_t bits[COUNT(edges)];
    struct column c = { .type = COLUMN_REAL, .n = COUNT(edges), .values = bits };

    (void)unused;
    memcpy(bits, edges, sizeof(bits));
    check_same(&c);
    for (int dropped = 1; dropped < 52; dropped++) {
        struct column back = again(&c, dropped, NULL);
        for (size_t i = 0; i < COUNT(edges); i++) {
            double got = column_real(&back, i), most = fabs(edges[i]) * ldexp(1, dropped - 53);
            assert_true(isfinite(got) && signbit(got) == signbit(edges[i]));
            /* DBL_MAX has nothing above it to be rounded to; the smallest numbers have fewer bits. */
            if (fabs(edges[i]) < DBL_MAX && fabs(edges[i]) > DBL_MIN)
                assert_true(fabs(got - edges[i]) <= most);
        }
        column_free(&back);
    }
}

static void what_is_alike_is_short(void **unused)
{
    int64_t x[10000];
    struct column c = { .n = COUNT(x), .values = x };
    size_t n;
    struct column back;

    (void)unused;
    for (size_t i = 0; i < c.n; i++)
        x[i] = 1000000 + 7 * (int64_t)i;
    back = again(&c, 0, &n);
    assert_true(n < 32);
    column_free(&back);
}

/* Every beginning of it, and every byte changed: a failed cursor or other values, never more than there are. */
static void damage_is_met_with_care(void **unused)
{
    char *words[] = { "one", "two" };
    int64_t x[] = { 0, 1, 1, 1, 1, 1, 1, 0 };
    unsigned char absent[COUNT(x)] = { 0, 0, 1 };
    struct column c = { COLUMN_TEXT, COUNT(x), x, absent, words, COUNT(words) };
    struct bytes b = { 0 };
    size_t refused = 0;

    (void)unused;
    column_put(&b, &c, 0);
    for (size_t n = 0; n < b.n; n++) {
        unsigned char *part = malloc(n + 1); /* of its own, so that reading past its end is seen */
        memcpy(part, b.data, n);
        struct cursor from = { part, part + n, 0 };
        struct column back = column_take(&from, c.n);
        assert_true(from.failed);
        assert_null(back.values);
        free(part);
    }
    for (size_t i = 0; i < 256 * b.n; i++) {
        unsigned char *part = malloc(b.n);
        memcpy(part, b.data, b.n);
        part[i / 256] = (unsigned char)i;
        struct cursor from = { part, part + b.n, 0 };
        struct column back = column_take(&from, c.n);
        refused += from.failed;
        for (size_t k = 0; !from.failed && back.type == COLUMN_TEXT && k < c.n; k++)
            assert_true((back.absent && back.absent[k]) || (size_t)back.values[k] < back.nwords);
        column_free(&back);
        free(part);
    }
    assert_true(refused > 0);
    free(b.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_come_back),
        cmocka_unit_test(texts_and_absent_values_come_back),
        cmocka_unit_test(numbers_keep_the_bits_that_are_not_dropped),
        cmocka_unit_test(what_is_alike_is_short),
        cmocka_unit_test(damage_is_met_with_care),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
