/* Does all that a codec's device row starts go to the caller's stream, which is its struct impl's 'with'? */
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "kernels/blockwise/blockwise.h"
#include "kernels/cast/cast.h"
#include "kernels/dct/dct.h"
#include "kernels/int8/int8.h"
#include "kernels/local_steps/local_steps.h"
#include "kernels/natural/natural.h"
#include "kernels/onebit/onebit.h"
#include "kernels/plain/plain.h"
#include "kernels/powersgd/powersgd.h"
#include "kernels/qsgd/qsgd.h"
#include "kernels/randomk/randomk.h"
#include "kernels/sparsify/sparsify.h"
#include "kernels/stochastic3/stochastic3.h"
#include "kernels/terngrad/terngrad.h"
#include "kernels/threelc/threelc.h"
#include "kernels/topk_rows/topk_rows.h"
#include "tests/emulation/emulation.h"
#include "tests/test.h"

enum { N = 5000 };

static const struct row {
    const struct codec *codec;
    codec_compress_fn *compress;
    codec_decompress_fn *decompress;
} rows[] = {
    { &codec_plain, plain_compress_cuda, plain_decompress_cuda },
    { &codec_bf16, bf16_compress_cuda, bf16_decompress_cuda },
    { &codec_fp16, fp16_compress_cuda, fp16_decompress_cuda },
    { &codec_int8, int8_compress_cuda, int8_decompress_cuda },
    { &codec_local_steps, local_steps_compress_cuda, local_steps_decompress_cuda },
    { &codec_stochastic3, stochastic3_compress_cuda, stochastic3_decompress_cuda },
    { &codec_onebit, onebit_compress_cuda, onebit_decompress_cuda },
    { &codec_3lc_quartic, threelc_quartic_compress_cuda, threelc_quartic_decompress_cuda },
    { &codec_3lc, threelc_runs_compress_cuda, threelc_runs_decompress_cuda },
    { &codec_3lc, threelc_pull_compress_cuda, threelc_runs_decompress_cuda },
    { &codec_dct, dct_compress_cuda, dct_decompress_cuda },
    { &codec_sparsify, sparsify_compress_cuda, sparsify_decompress_cuda },
    { &codec_dct_mp, topk_compress_cuda, topk_decompress_cuda },
    { &codec_qsgd, qsgd_compress_cuda, qsgd_decompress_cuda },
    { &codec_randomk, randomk_compress_cuda, randomk_decompress_cuda },
    { &codec_terngrad, terngrad_compress_cuda, terngrad_decompress_cuda },
    { &codec_natural, natural_compress_cuda, natural_decompress_cuda },
    { &codec_powersgd, powersgd_compress_cuda, powersgd_decompress_cuda },
    { &codec_blockwise, blockwise_compress_cuda, blockwise_decompress_cuda },
};

static char a_stream, another;

static void *zeroed(size_t nbytes)
{
    size_t whole = (nbytes + CODEC_ALIGN) / CODEC_ALIGN * CODEC_ALIGN;

    return memset(aligned_alloc(CODEC_ALIGN, whole), 0, whole);
}

/* What the row started on other streams than 'stream', while its struct impl names that one. */
static size_t strays_of(const struct row *r, void *stream)
{
    struct impl im = { .name = "cuda", .where = IMPL_DEVICE, .with = stream };
    const struct codec *c = r->codec;
    struct codec_params p = codec_presets(c);
    uint8_t *payload = zeroed(c->payload_bound(N, &p));
    uint8_t *state = zeroed(c->state_size(N, &p) + 4 * N), *work = zeroed(c->work_size(N, &p)); /* a pull's: a model */
    float *values = zeroed(4 * N), *decoded = zeroed(4 * N);
    uint64_t nbytes = 0;
    int error = 0;
    size_t strays;

    for (size_t i = 0; i < N; i++)
        values[i] = (float)(i % 37) - 17.5f;
    emulation_watch_stream(stream);
    r->compress(&im, payload, &nbytes, values, N, &p, state, work);
    r->decompress(&im, decoded, N, CODEC_ADD, payload, nbytes, &p, work, &error);
    strays = emulation_strays();
    assert_int_equal(error, CODEC_OK);
    assert_true(emulation_watched() > 0);
    free(payload);
    free(state);
    free(work);
    free(values);
    free(decoded);
    return strays;
}

static void rows_stay_on_their_stream(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t strays = strays_of(&rows[i], &a_stream);

        if (strays)
            fail_msg("%s (row %zu): %zu launches or fills on another stream", rows[i].codec->name, i, strays);
        assert_int_equal(strays_of(&rows[i], NULL), 0);
    }
}

static void reducing_stays_on_its_stream(void **state)
{
    struct impl im = { .name = "cuda", .where = IMPL_DEVICE, .with = &another };
    struct codec_params p = codec_presets(&codec_blockwise);
    size_t bound = codec_blockwise.payload_bound(N, &p);
    uint8_t *payloads = zeroed(bound), *sum = zeroed(bound), *work = zeroed(codec_blockwise.work_size(N, &p));
    float *values = zeroed(4 * N);
    uint64_t nbytes = 0;
    int error = 0;

    (void)state;
    emulation_watch_stream(&another);
    blockwise_compress_cuda(&im, payloads, &nbytes, values, N, &p, NULL, work);
    blockwise_reduce_cuda(&im, sum, &nbytes, &(struct codec_terms){ payloads, bound, nbytes, 1 }, N, &p, work, &error);
    assert_int_equal(error, CODEC_OK);
    assert_int_equal(emulation_strays(), 0);
    free(payloads);
    free(sum);
    free(work);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_stay_on_their_stream),
        cmocka_unit_test(reducing_stays_on_its_stream),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
