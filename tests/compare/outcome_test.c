/* Codecs on tensors of a few values over several steps, with what arrives by hand: of each step, and of all. */
#include "harness/compare/outcome.h"

#include <math.h>

#include "harness/compare/shape.h"
#include "harness/tensor/tensors.h"
#include "kernels/codec/stream.h"
#include "tests/test.h"

enum { MOST_STEPS = 3, MOST = 4 };

/* Sums of squares and products over all steps: true^2, arrived^2, true x arrived, error^2. */
struct sums {
    double true2, arrived2, product, error2;
};

static const struct {
    const char *codec;
    size_t n, nsteps;
    float steps[MOST_STEPS][MOST];
    double payload_bytes;
    size_t zeros;
    double largest;
    struct sums each, arrived;
} cases[] = {
    /* As it is. */
    { "fp32", 2, 2, { { 3, 4 }, { 0, 1 } }, 16, 1, 0, { 26, 26, 26, 0 }, { 34, 34, 34, 0 } },
    /* Nothing, then 4 and 6, then nothing: the third step's 2 has not arrived. */
    { "local:k=2",
      2,
      3,
      { { 3, 4 }, { 1, 2 }, { 2, 0 } },
      8,
      4,
      4,
      { 25 + 5 + 4, 52, 4 + 12, 25 + 25 + 4 },
      { 72, 52, 24 + 36, 4 } },
    /* Means 2 and -3, left over 1 -1 1 -1; then 4 0 -1 -5, again 2 and -3. */
    { "1bit",
      4,
      2,
      { { 3, 1, -2, -4 }, { 3, 1, -2, -4 } },
      2 * (1 + 8),
      0,
      1,
      { 60, 52, 2 * (6 + 2 + 6 + 12), 8 },
      { 120, 104, 104, 16 } },
    /* Half stays behind: of 4 values floor(2) is the threshold's place, so three are sent: 3 -2 -4; 1 stays, and with
       the next 1 it is 2, which goes with the others. */
    { "dct:dropped=0.5,lifespan=1",
      4,
      2,
      { { 3, 1, -2, -4 }, { 0, 1, 0, -9 } },
      NAN,
      3,
      1,
      { 30 + 82, 29 + 85, 29 + 2 + 81, 1 + 1 },
      { 9 + 4 + 4 + 169, 9 + 4 + 4 + 169, 186, 0 } },
};

static void expect(double got, double want, const char *codec, const char *what)
{
    if (!isnan(want) && !(fabs(got - want) <= 1e-12 * fabs(want)))
        fail_msg("%s: %s: expected %.17g, got %.17g", codec, what, want, got);
}

static void check_sums(const struct fidelity *f, const struct sums *want, const char *codec, const char *what)
{
    expect(exact_value(&f->true2), want->true2, codec, what);
    expect(exact_value(&f->arrived2), want->arrived2, codec, what);
    expect(exact_value(&f->product), want->product, codec, what);
    expect(exact_value(&f->error2), want->error2, codec, what);
}

static void measure(size_t i, const char *impl, struct outcome *o)
{
    struct contenders c = { 0 };
    float values[MOST_STEPS][MOST];
    struct tensor tensors[MOST_STEPS];
    const struct tensor *steps[MOST_STEPS];

    for (size_t k = 0; k < cases[i].nsteps; k++) {
        for (size_t v = 0; v < MOST; v++)
            values[k][v] = cases[i].steps[k][v];
        tensors[k] = (struct tensor){ .values = values[k], .n = cases[i].n, .ndims = 1, .dims = { cases[i].n } };
        steps[k] = &tensors[k];
    }
    assert_int_equal(contenders_choose(&c, &cases[i].codec, 1, impl, stderr), 0);
    assert_int_equal(outcome_measure(&c.list[0], steps, cases[i].nsteps, 0, o), 0);
    contenders_free(&c);
}

static void steps_by_hand(void **state)
{
    static const char *const impls[] = { NULL, "scalar" };

    (void)state;
    for (size_t i = 0; i < COUNT(cases) * COUNT(impls); i++) {
        size_t k = i / COUNT(impls);
        struct outcome o;

        measure(k, impls[i % COUNT(impls)], &o);
        check_sums(&o.each, &cases[k].each, cases[k].codec, "each step");
        check_sums(&o.arrived, &cases[k].arrived, cases[k].codec, "all steps");
        expect(o.payload_bytes, cases[k].payload_bytes, cases[k].codec, "payload");
        expect(o.header_bytes, STREAM_HEADER * (double)cases[k].nsteps, cases[k].codec, "headers");
        expect(o.each.largest, cases[k].largest, cases[k].codec, "largest error");
        assert_int_equal(o.each.zeros, cases[k].zeros);
        assert_int_equal(o.values, cases[k].n * cases[k].nsteps);
        assert_true(o.encode_s > 0 && o.decode_s > 0);
    }
}

/* Bits of two tensors together: bytes add up, not bits. */
static void outcomes_add_up(void **state)
{
    struct outcome o = { .values = 10, .payload_bytes = 12, .header_bytes = 64, .encode_s = 2, .decode_s = 1 };
    const struct outcome other = {
        .values = 30, .payload_bytes = 20, .header_bytes = 64, .encode_s = 6, .decode_s = 1
    };

    (void)state;
    expect(outcome_bits(&o), 60.8, "", "bits");
    outcome_merge(&o, &other);
    expect(outcome_bits(&o), 32, "", "bits");
    expect(outcome_ratio(&o), 1, "", "ratio");
    expect(outcome_encode_Bps(&o), 20, "", "rate");
    expect(outcome_decode_Bps(&o), 80, "", "rate");
}

static void classes_by_dimensions(void **state)
{
    static const struct {
        struct tensor t;
        enum shape_class class;
    } shapes[] = {
        { { .n = 1, .ndims = 0 }, SHAPE_VECTOR },
        { { .n = 64, .ndims = 1, .dims = { 64 } }, SHAPE_VECTOR },
        { { .n = 64, .ndims = 4, .dims = { 1, 64, 1, 1 } }, SHAPE_VECTOR },
        { { .n = 65535, .ndims = 1, .dims = { 65535 } }, SHAPE_VECTOR },
        { { .n = 65536, .ndims = 1, .dims = { 65536 } }, SHAPE_FLAT },
        { { .n = 432, .ndims = 4, .dims = { 16, 3, 3, 3 } }, SHAPE_KERNEL },
        { { .n = 96, .ndims = 3, .dims = { 4, 8, 3 } }, SHAPE_KERNEL },
        { { .n = 512, .ndims = 4, .dims = { 32, 16, 1, 1 } }, SHAPE_MATRIX },
        { { .n = 65528, .ndims = 2, .dims = { 8191, 8 } }, SHAPE_MATRIX },
        { { .n = 65536, .ndims = 2, .dims = { 8192, 8 } }, SHAPE_EMBEDDING },
        { { .n = 8388608, .ndims = 2, .dims = { 8192, 1024 } }, SHAPE_EMBEDDING },
        { { .n = 8396800, .ndims = 2, .dims = { 8192, 1025 } }, SHAPE_MATRIX },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++)
        if (shape_class(&shapes[i].t) != shapes[i].class)
            fail_msg("shape %zu: expected %s, got %s", i, shape_class_name(shapes[i].class),
                     shape_class_name(shape_class(&shapes[i].t)));
}

/* powersgd's matrix: an output a row, unless it was given; a vector in one row. */
static void matrices_of_tensors(void **state)
{
    static const char *const names[] = { "powersgd:rank=2", "powersgd:columns=7", "dct-mp" };
    static const struct tensor kernel = { .n = 432, .ndims = 4, .dims = { 16, 3, 3, 3 } },
                               vector = { .n = 16, .ndims = 1, .dims = { 16 } },
                               flat = { .n = 70000, .ndims = 1, .dims = { 70000 } };
    static const double want[][3] = { { 27, 16, 1024 }, { 7, 7, 7 }, { 1024, 1024, 1024 } };
    struct contenders c = { 0 };

    (void)state;
    assert_int_equal(contenders_choose(&c, names, COUNT(names), NULL, stderr), 0);
    for (size_t i = 0; i < COUNT(names); i++) {
        expect(contender_params(&c.list[i], &kernel).value[0], want[i][0], names[i], "columns of a kernel");
        expect(contender_params(&c.list[i], &vector).value[0], want[i][1], names[i], "columns of a vector");
        expect(contender_params(&c.list[i], &flat).value[0], want[i][2], names[i], "columns of a bucket");
    }
    contenders_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_by_hand),
        cmocka_unit_test(outcomes_add_up),
        cmocka_unit_test(classes_by_dimensions),
        cmocka_unit_test(matrices_of_tensors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
