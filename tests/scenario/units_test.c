/* units_test.c - quantities and ranges: what is read, to the last bit, and what is refused. */
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/points/range.h"
#include "harness/scenario/schema/units.h"
#include "harness/scenario/yaml/numeral.h"
#include "tests/test.h"

static const struct {
    const char *text;
    enum dimension dimension;
    double want;
} right[] = {
    { "7.88 GB/s", DIM_BYTES_PER_S, 7.88e9 },
    { "900 MB/s", DIM_BYTES_PER_S, 900e6 },
    { "900MB/s", DIM_BYTES_PER_S, 900e6 },
    { "1.5 kB/s", DIM_BYTES_PER_S, 1500 },
    { "2 TB/s", DIM_BYTES_PER_S, 2e12 },
    { "3 B/s", DIM_BYTES_PER_S, 3 },
    { "1 GiB/s", DIM_BYTES_PER_S, 1073741824 },
    { "1 KiB/s", DIM_BYTES_PER_S, 1024 },
    { "1 MiB/s", DIM_BYTES_PER_S, 1048576 },
    { "1 TiB/s", DIM_BYTES_PER_S, 1099511627776 },
    { "10 Gbit/s", DIM_BYTES_PER_S, 1.25e9 },
    { "100 Mbit/s", DIM_BYTES_PER_S, 12.5e6 },
    { "8 kbit/s", DIM_BYTES_PER_S, 1000 },
    { "1 Tbit/s", DIM_BYTES_PER_S, 0.125e12 },
    { "1 bit/s", DIM_BYTES_PER_S, 0.125 },
    { "16 GiB", DIM_BYTES, 17179869184 },
    { "4 GB", DIM_BYTES, 4e9 },
    { "1 kB", DIM_BYTES, 1000 },
    { "1 KiB", DIM_BYTES, 1024 },
    { "1 MB", DIM_BYTES, 1e6 },
    { "1 MiB", DIM_BYTES, 1048576 },
    { "1 TB", DIM_BYTES, 1e12 },
    { "1 TiB", DIM_BYTES, 1099511627776 },
    { "5 us", DIM_SECONDS, 5e-6 },
    { "0.3 us", DIM_SECONDS, 0.3e-6 },
    { "12 ns", DIM_SECONDS, 12e-9 },
    { "7 ms", DIM_SECONDS, 7e-3 },
    { "1.5 s", DIM_SECONDS, 1.5 },
    { "6.44 TFlop/s", DIM_FLOPS, 6.44e12 },
    { "6.44 TFLOP/s", DIM_FLOPS, 6.44e12 },
    { "2.8 GFlop/s", DIM_FLOPS, 2.8e9 },
    { "1 PFlop/s", DIM_FLOPS, 1e15 },
    { "2.4 GHz", DIM_HERTZ, 2.4e9 },
    { "800 MHz", DIM_HERTZ, 800e6 },
    { "1.25e3 MB/s", DIM_BYTES_PER_S, 1.25e9 },
    { "1E-3 s", DIM_SECONDS, 1e-3 },
    { "0.1", DIM_NONE, 0.1 },
    { "-2.5e+3", DIM_NONE, -2500 },
    { "0", DIM_NONE, 0 },
    { "0e-9999", DIM_NONE, 0 },
};

static const struct {
    const char *text;
    enum dimension dimension;
    const char *why, *suggest;
} wrong[] = {
    { "7.88", DIM_BYTES_PER_S, "a number without a unit", NULL },
    { "7.88 ", DIM_BYTES_PER_S, "a number without a unit", NULL },
    { "7.88 GB", DIM_BYTES_PER_S, "a unit of something else", "GB/s" },
    { "7.88 gb/s", DIM_BYTES_PER_S, "an unknown unit", "GB/s' or 'Gbit/s" },
    { "7.88 Mb/s", DIM_BYTES_PER_S, "an unknown unit", "MB/s' or 'Mbit/s" },
    { "7.88 Gbps", DIM_BYTES_PER_S, "an unknown unit", "GB/s' or 'Gbit/s" },
    { "7.88 KB/s", DIM_BYTES_PER_S, "an unknown unit", "kB/s" },
    { "16 gib", DIM_BYTES, "an unknown unit", "GiB" },
    { "16 GB/s", DIM_BYTES, "a unit of something else", NULL },
    { "5 US", DIM_SECONDS, "an unknown unit", "us" },
    { "5 min", DIM_SECONDS, "an unknown unit", NULL },
    { "5 us x", DIM_SECONDS, "an unknown unit", NULL },
    { "5", DIM_HERTZ, "a number without a unit", NULL },
    { "5 s", DIM_NONE, "more than a number", NULL },
    { "5%", DIM_NONE, "more than a number", NULL },
    { "1e", DIM_NONE, "more than a number", NULL },
    { "1_000", DIM_NONE, "more than a number", NULL },
    { "010", DIM_NONE, "a leading zero", NULL },
    { "00", DIM_NONE, "a leading zero", NULL },
    { "-01", DIM_NONE, "a leading zero", NULL },
    { "0x1p3", DIM_NONE, "hexadecimal", NULL },
    { "nan", DIM_NONE, "not a number", NULL },
    { "inf", DIM_NONE, "not a number", NULL },
    { "-inf", DIM_NONE, "not a number", NULL },
    { " 1", DIM_NONE, "not a number", NULL },
    { "", DIM_NONE, "nothing", NULL },
    { "+1", DIM_NONE, "a plus sign is not needed", NULL },
    { ".5", DIM_NONE, "a digit is needed before the point", NULL },
    { "5.", DIM_NONE, "a digit is needed after the point", NULL },
    { "1e999", DIM_NONE, "too large for a double", NULL },
    { "1e300 TB", DIM_BYTES, "too large for a double", NULL },
    { "1e-999", DIM_NONE, "too small for a double", NULL },
    { "1e99999999999999999999", DIM_NONE, "too large for a double", NULL },
};

static void quantities_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(right); i++) {
        struct quantity_error error;
        const struct unit *unit;
        double v = -3;

        if (quantity_read(right[i].text, right[i].dimension, &v, &unit, &error))
            fail_msg("'%s' refused: %s", right[i].text, error.why);
        if (memcmp(&v, &right[i].want, sizeof(v)))
            fail_msg("'%s': want %.17g, got %.17g", right[i].text, right[i].want, v);
    }
}

static void other_quantities_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct quantity_error error;
        const struct unit *unit;
        double v;

        if (!quantity_read(wrong[i].text, wrong[i].dimension, &v, &unit, &error))
            fail_msg("'%s' accepted as %.17g", wrong[i].text, v);
        if (strcmp(error.why, wrong[i].why))
            fail_msg("'%s': want '%s', got '%s'", wrong[i].text, wrong[i].why, error.why);
        if (wrong[i].suggest && (!error.suggest || strcmp(error.suggest, wrong[i].suggest)))
            fail_msg("'%s': want the suggestion '%s', got '%s'", wrong[i].text, wrong[i].suggest,
                     error.suggest ? error.suggest : "none");
    }
}

static const struct {
    const char *text;
    enum dimension dimension;
    const char *want; /* the points, separated by blanks around '|' */
} ranges[] = {
    { "1..4:lin:7", DIM_NONE, "1 | 1.5 | 2 | 2.5 | 3 | 3.5 | 4" },
    { "4..1:lin:4", DIM_NONE, "4 | 3 | 2 | 1" },
    { "2..32 GB/s:log:5", DIM_BYTES_PER_S, "2 GB/s | 4 GB/s | 8 GB/s | 16 GB/s | 32 GB/s" },
    { "2 GB/s..32 GB/s:log:3", DIM_BYTES_PER_S, "2 GB/s | 8 GB/s | 32 GB/s" },
    { "500 MB/s .. 2 GB/s:lin:4", DIM_BYTES_PER_S, "0.5 GB/s | 1 GB/s | 1.5 GB/s | 2 GB/s" },
    { "1 GiB..4 GiB:log:3", DIM_BYTES, "1 GiB | 2 GiB | 4 GiB" },
    { "0..1 us:lin:3", DIM_SECONDS, "0 us | 0.5 us | 1 us" },
    { "0.1..0.3:lin:3", DIM_NONE, "0.1 | 0.2 | 0.3" },
    { "1..10:log:3", DIM_NONE, "1 | 3.16227766017 | 10" },
    { "1..2:lin:4", DIM_NONE, "1 | 1.33333333333 | 1.66666666667 | 2" },
};

static void ranges_are_written_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ranges); i++) {
        struct quantity_error error;
        struct range r;
        char all[512] = "", point[96];

        if (range_read(ranges[i].text, ranges[i].dimension, 1000, &r, &error))
            fail_msg("'%s' refused: %s", ranges[i].text, error.why);
        for (size_t k = 0; k < r.n; k++) {
            range_point(&r, k, point, sizeof(point));
            strcat(strcat(all, k ? " | " : ""), point);
        }
        if (strcmp(all, ranges[i].want))
            fail_msg("'%s': want %s, got %s", ranges[i].text, ranges[i].want, all);
    }
}

static void quantities_are_printed_short(void **state)
{
    static const struct {
        double value;
        enum dimension d;
        const char *want;
    } cases[] = {
        { 5e-6, DIM_SECONDS, "5 us" },
        { 1e-5, DIM_SECONDS, "10 us" },
        { 0, DIM_SECONDS, "0 s" },
        { 1.25e9, DIM_BYTES_PER_S, "1.25 GB/s" },
        { 40e9, DIM_BYTES_PER_S, "40 GB/s" },
        { 26214400, DIM_BYTES, "25 MiB" },
        { 2344698, DIM_BYTES, "2.344698 MB" },
        { 15.7e12, DIM_FLOPS, "15.7 TFlop/s" },
        { 1.0 / 3, DIM_NONE, "0.3333333333333333" },
        { 100, DIM_NONE, "100" },
        { 1e-13, DIM_SECONDS, "1e-13 s" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct quantity_error error;
        const struct unit *unit;
        char text[64];
        double back;

        quantity_print(cases[i].value, cases[i].d, text, sizeof(text));
        assert_string_equal(text, cases[i].want);
        assert_int_equal(quantity_read(text, cases[i].d, &back, &unit, &error), 0);
        assert_true(back == cases[i].value);
    }
}

static void numbers_are_shortened_and_names_are_not(void **state)
{
    static const char *const cases[][2] = {
        { "bandwidth 2.15443469003 Gbit/s, batch 1000000", "bandwidth 2.1544 Gbit/s, batch 1000000" },
        { "11.313708499 GB/s", "11.314 GB/s" },
        { "1.25 GB/s", "1.25 GB/s" },
        { "resnet-1.50123456, v2.7182818284", "resnet-1.50123456, v2.7182818284" },
        { "0.000123456789", "0.00012346" },
        { "", "" },
    };
    char out[64];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_string_equal(quantity_short(cases[i][0], out, sizeof(out)), cases[i][1]);
    assert_string_equal(quantity_short("2.15443469003 Gbit/s", out, 5), "2.15");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_are_printed_short), cmocka_unit_test(numbers_are_shortened_and_names_are_not),
        cmocka_unit_test(quantities_are_read),          cmocka_unit_test(other_quantities_are_refused),
        cmocka_unit_test(ranges_are_written_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
