/* The table of codecs: what commands, trainer, records, tests and fuzzers rely on when they walk it. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "kernels/codec/codec.h"
#include "tests/test.h"

#define FOR_EACH_CODEC(c) for (const struct codec *const *at_ = codecs, *c = *at_; c; c = *++at_)

static void names_and_numbers_are_unique(void **state)
{
    (void)state;
    assert_non_null(codecs[0]);
    FOR_EACH_CODEC(a)
    {
        assert_true(*a->name && *a->what && *a->source && a->id);
        for (const char *p = a->name; *p; p++)
            assert_true(islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '-');
        assert_ptr_equal(codec_find(a->name), a);
        for (const struct codec *const *b = codecs; *b; b++)
            if (*b != a && (!strcmp(a->name, (*b)->name) || a->id == (*b)->id))
                fail_msg("%s and %s share a name or a number", a->name, (*b)->name);
    }
    assert_null(codec_find(""));
    assert_null(codec_find("no such codec"));
}

/* A number in a header is forever. */
static void numbers_stay(void **state)
{
    static const struct {
        const char *name;
        int id;
    } given[] = { { "3lc", 1 },       { "3lc-quartic", 2 }, { "8bit", 3 },      { "stoch3", 4 },    { "1bit", 5 },
                  { "local", 6 },     { "fp32", 7 },        { "bf16", 8 },      { "fp16", 9 },      { "adt", 10 },
                  { "dct", 11 },      { "sparsify", 12 },   { "dct-mp", 13 },   { "qsgd", 14 },     { "randomk", 15 },
                  { "terngrad", 16 }, { "natural", 17 },    { "powersgd", 18 }, { "blockwise", 19 } };

    (void)state;
    for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++) {
        const struct codec *c = codec_find(given[i].name);

        if (!c || c->id != given[i].id)
            fail_msg("%s: number %d, want %d", given[i].name, c ? c->id : -1, given[i].id);
    }
}

static void the_reference_comes_last(void **state)
{
    (void)state;
    FOR_EACH_CODEC(c)
    {
        const struct codec_impl *im = c->impls;

        for (; im[1].impl.name; im++)
            assert_true(im->compress && im->decompress);
        assert_string_equal(im->impl.name, "scalar");
        assert_true(im->impl.usable() && !im->impl.parallel && im->impl.where == IMPL_HOST);
        assert_ptr_equal(codec_choose(c, "scalar", 0), im);
        assert_null(codec_choose(c, "scala", 0));
        assert_non_null(codec_choose(c, NULL, 0));
        if (codec_choose(c, "avx2", 0))
            assert_string_equal(codec_choose(c, "avx2", 0)->impl.name, "avx2");
    }
}

static void parameters_are_checked(void **state)
{
    (void)state;
    FOR_EACH_CODEC(c)
    {
        struct codec_params p = codec_presets(c);
        int which = -1, n = 0;

        assert_int_equal(codec_check(c, &p, &which), CODEC_OK);
        for (; c->param[n].name; n++) {
            const struct codec_param *q = &c->param[n];
            const double bad[] = { NAN,
                                   INFINITY,
                                   -INFINITY,
                                   nextafter(q->lowest, -INFINITY),
                                   nextafter(q->highest, INFINITY),
                                   q->multiple > 0 ? q->lowest + q->multiple / 2 : NAN };

            assert_true(q->lowest <= q->preset && q->preset <= q->highest && *q->what && q->unit);
            for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
                p.value[n] = bad[i];
                which = -1;
                assert_int_equal(codec_check(c, &p, &which), CODEC_PARAMETER);
                assert_int_equal(which, n);
            }
            p.value[n] = q->preset;
        }
        assert_in_range(n, 0, CODEC_PARAMS);
        for (; n < CODEC_PARAMS; n++) {
            p.value[n] = -0.0; /* what no codec reads must be 0, bit for bit */
            assert_int_equal(codec_check(c, &p, &which), CODEC_PARAMETER);
            assert_int_equal(which, n);
            p.value[n] = 0;
        }
    }
}

/* No tensor that a header may announce makes a size wrap around. */
static void sizes_do_not_overflow(void **state)
{
    (void)state;
    FOR_EACH_CODEC(c)
    for (int high = 0; high < 2; high++) {
        struct codec_params p = codec_presets(c);

        for (int i = 0; c->param[i].name; i++)
            p.value[i] = high ? c->param[i].highest : c->param[i].lowest;
        for (size_t n = 1; n <= CODEC_MAX_VALUES; n *= 2) {
            codec_size_fn *const sizes[] = { c->payload_bound, c->state_size, c->work_size };

            for (int i = 0; i < 3; i++) {
                size_t size = sizes[i](n, &p);

                if (size > 64 * n + (1 << 20) || size < sizes[i](n / 2, &p))
                    fail_msg("%s: size %d of %zu values is %zu", c->name, i, n, size);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_numbers_are_unique), cmocka_unit_test(numbers_stay),
        cmocka_unit_test(the_reference_comes_last),     cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(sizes_do_not_overflow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
