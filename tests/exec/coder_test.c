/* Codecs on tensors of an execution: what one rank encodes another decodes, the same at every rank; damage is found. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/exec/content/coder.h"
#include "harness/status.h"
#include "tests/test.h"

enum { N = 1001 };

static const enum wire_format formats[] = { WIRE_FP32,        WIRE_BF16, WIRE_FP16,     WIRE_8BIT,
                                            WIRE_3LC_QUARTIC, WIRE_3LC,  WIRE_STOCH3,   WIRE_1BIT,
                                            WIRE_SPARSIFY,    WIRE_DCT,  WIRE_BLOCKWISE };

static struct codec_spec spec_of(enum wire_format format)
{
    return (struct codec_spec){
        .format = format, .bits = 2, .density = 0.25, .code_bits = 4, .block = 64, .life = 1, .scale = 1, .threads = 1
    };
}

static void fill(float *values)
{
    for (int i = 0; i < N; i++)
        values[i] = (float)((i * 37) % 101 - 50) / 16;
}

static void test_round_trip(void **state)
{
    float values[N], decoded[N], twice[N];

    (void)state;
    fill(values);
    for (size_t i = 0; i < COUNT(formats); i++) {
        struct codec_spec spec = spec_of(formats[i]);
        struct coder from, to;
        double error = 0, size = 0;
        assert_int_equal(coder_open(&spec, N, 1, &from), 0);
        assert_int_equal(coder_open(&spec, N, 2, &to), 0);
        assert_non_null(from.codec);
        assert_int_equal(coder_encode(&from, values), 0);
        assert_true((int64_t)from.nstream <= coder_most(&spec, N));
        assert_int_equal(coder_decode(&to, from.stream, from.nstream, CODEC_STORE, decoded), 0);
        memcpy(twice, decoded, sizeof(twice));
        assert_int_equal(coder_decode(&to, from.stream, from.nstream, CODEC_ADD, twice), 0);
        for (int k = 0; k < N; k++) {
            assert_true(twice[k] == 2 * decoded[k]);
            error += fabs((double)(decoded[k] - values[k]));
            size += fabs((double)values[k]);
        }
        assert_true(error < 1.3 * size); /* lossy, but about these values */
        if (formats[i] == WIRE_FP32 || formats[i] == WIRE_BF16 || formats[i] == WIRE_FP16)
            assert_true(error == 0);
        coder_close(&from);
        coder_close(&to);
    }
}

/* Each byte of the stream in turn, its end, and a tensor of another length. */
static void test_damage(void **state)
{
    float values[N], decoded[N];

    (void)state;
    fill(values);
    for (size_t i = 0; i < COUNT(formats); i++) {
        struct codec_spec spec = spec_of(formats[i]);
        struct coder coder, other;
        assert_int_equal(coder_open(&spec, N, 1, &coder), 0);
        assert_int_equal(coder_encode(&coder, values), 0);
        for (size_t at = 0; at < coder.nstream; at += 1 + coder.nstream / 50) {
            coder.stream[at] ^= 0x10;
            assert_int_equal(coder_decode(&coder, coder.stream, coder.nstream, CODEC_STORE, decoded), NW_EIO);
            coder.stream[at] ^= 0x10;
        }
        assert_int_equal(coder_decode(&coder, coder.stream, coder.nstream - 1, CODEC_STORE, decoded), NW_EIO);
        assert_int_equal(coder_decode(&coder, coder.stream, 7, CODEC_STORE, decoded), NW_EIO);
        assert_int_equal(coder_open(&spec, N - 1, 1, &other), 0);
        assert_int_equal(coder_decode(&other, coder.stream, coder.nstream, CODEC_STORE, decoded), NW_EIO);
        coder_close(&other);
        coder_close(&coder);
    }
}

static void test_none(void **state)
{
    struct codec_spec none = spec_of(WIRE_NONE), own = spec_of(WIRE_RATIO), local = spec_of(WIRE_LOCAL);
    struct coder c;

    (void)state;
    own.ratio = 4;
    local.steps = 2;
    assert_int_equal(coder_open(&none, N, 1, &c), 0);
    assert_null(c.codec);
    assert_int_equal(coder_open(&local, N, 1, &c), 0);
    assert_null(c.codec);
    assert_int_equal(coder_open(&own, N, 1, &c), NW_EINPUT);
    coder_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_round_trip), cmocka_unit_test(test_damage),
                                        cmocka_unit_test(test_none) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
