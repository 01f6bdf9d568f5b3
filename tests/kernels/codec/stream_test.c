/* The header of a stream: golden bytes, and every way to spoil one. */
#include <string.h>

#include "kernels/codec/stream.h"
#include "tests/test.h"

enum { PAYLOAD = 40, WHOLE = STREAM_HEADER + PAYLOAD };

static uint8_t good[WHOLE + 1], bytes[WHOLE + 1];

static void make(void)
{
    struct codec_params p = codec_presets(codec_find("fp32"));

    for (int i = 0; i < PAYLOAD; i++)
        good[STREAM_HEADER + i] = (uint8_t)(7 * i + 1);
    assert_int_equal(stream_seal(good, codec_find("fp32"), &p, PAYLOAD / 4, PAYLOAD), WHOLE);
    memcpy(bytes, good, sizeof(bytes));
}

/* Seal again what a test changed in the header, so that the checksum is not what refuses it. */
static void seal_again(uint8_t *stream, size_t nbytes)
{
    uint64_t sum = stream_checksum(stream, stream + STREAM_HEADER, nbytes);

    for (int i = 0; i < 8; i++)
        stream[56 + i] = (uint8_t)(sum >> 8 * i);
}

/* The checksum below is what this code gave when the format was fixed: it must never change. */
static void golden_bytes(void **state)
{
    static const uint8_t header[STREAM_HEADER] = {
        'N', 'R', 'W', 'S', 1, 0, 7, 0, [40] = 10, [48] = PAYLOAD, [56] = 0x36, 0xd5, 0x6c, 0xa6, 0x5b, 0xd5, 0x45, 0x8c
    };

    (void)state;
    make();
    for (int i = 0; i < STREAM_HEADER; i++)
        if (good[i] != header[i])
            fail_msg("byte %d of the header is %#x, want %#x", i, good[i], header[i]);
}

static void opens_what_was_sealed(void **state)
{
    struct stream s;

    (void)state;
    make();
    assert_int_equal(stream_open(&s, bytes, WHOLE), CODEC_OK);
    assert_string_equal(s.codec->name, "fp32");
    assert_int_equal(s.n, PAYLOAD / 4);
    assert_int_equal(s.nbytes, PAYLOAD);
    assert_ptr_equal(s.payload, bytes + STREAM_HEADER);
}

static void parameters_travel(void **state)
{
    const struct codec *c = codec_find("3lc");
    struct codec_params p = { { 1.75 } };
    struct stream s;

    (void)state;
    assert_int_equal(stream_seal(bytes, c, &p, 3, 0), STREAM_HEADER);
    assert_int_equal(stream_open(&s, bytes, STREAM_HEADER), CODEC_OK);
    assert_ptr_equal(s.codec, c);
    assert_true(s.params.value[0] == 1.75);
}

static void every_flipped_bit_is_seen(void **state)
{
    struct stream s = { .n = 99 };

    (void)state;
    make();
    for (int bit = 0; bit < 8 * WHOLE; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (stream_open(&s, bytes, WHOLE) == CODEC_OK || s.n != 99)
            fail_msg("bit %d flipped and not seen", bit);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

static void every_length_but_the_right_one_is_refused(void **state)
{
    struct stream s;

    (void)state;
    make();
    for (size_t n = 0; n < WHOLE; n++)
        assert_int_equal(stream_open(&s, bytes, n), CODEC_SHORT);
    assert_int_equal(stream_open(&s, bytes, WHOLE + 1), CODEC_LONG);
}

/* What the checksum cannot see: a stream sealed by someone who means harm. */
static void hostile_headers(void **state)
{
    static const struct {
        const char *why;
        int at;
        uint8_t value;
        enum codec_error want;
    } cases[] = {
        { "another magic", 0, 'X', CODEC_FOREIGN },
        { "a later version", 4, 2, CODEC_FOREIGN },
        { "a version far away", 5, 1, CODEC_FOREIGN },
        { "no such codec", 6, 0, CODEC_UNKNOWN },
        { "no such codec either", 7, 0xff, CODEC_UNKNOWN },
        { "a parameter where the codec has none", 8, 1, CODEC_PARAMETER },
        { "a parameter that is NaN", 15, 0xff, CODEC_PARAMETER },
        { "more values than there can be", 46, 1, CODEC_COUNT },
        { "a count that would wrap around", 47, 0xff, CODEC_COUNT },
        { "more payload than there is", 48, PAYLOAD + 1, CODEC_SHORT },
        { "a payload that would wrap around", 55, 0xff, CODEC_SHORT },
        { "less payload than there is", 48, PAYLOAD - 1, CODEC_LONG },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct stream s = { .n = 99 };
        enum codec_error error;

        make();
        bytes[cases[i].at] = cases[i].value;
        seal_again(bytes, PAYLOAD);
        error = stream_open(&s, bytes, WHOLE);
        if (error != cases[i].want || s.n != 99)
            fail_msg("%s: %s", cases[i].why, codec_error_text(error));
    }
}

static void every_fault_has_words(void **state)
{
    (void)state;
    for (int error = CODEC_OK; error <= CODEC_CONTENT; error++)
        for (int other = CODEC_OK; other < error; other++)
            assert_string_not_equal(codec_error_text((enum codec_error)error),
                                    codec_error_text((enum codec_error)other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_bytes),
        cmocka_unit_test(opens_what_was_sealed),
        cmocka_unit_test(parameters_travel),
        cmocka_unit_test(every_flipped_bit_is_seen),
        cmocka_unit_test(every_length_but_the_right_one_is_refused),
        cmocka_unit_test(hostile_headers),
        cmocka_unit_test(every_fault_has_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
