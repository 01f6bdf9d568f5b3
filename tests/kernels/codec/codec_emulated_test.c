/* The CUDA rows of the codecs, emulated: what codec_cuda_test.c asks of a device. */
#include "kernels/blockwise/blockwise.h"
#include "kernels/cast/cast.h"
#include "kernels/int8/int8.h"
#include "kernels/local_steps/local_steps.h"
#include "kernels/natural/natural.h"
#include "kernels/onebit/onebit.h"
#include "kernels/plain/plain.h"
#include "kernels/powersgd/powersgd.h"
#include "kernels/qsgd/qsgd.h"
#include "kernels/randomk/randomk.h"
#include "kernels/stochastic3/stochastic3.h"
#include "kernels/terngrad/terngrad.h"
#include "kernels/threelc/threelc.h"
#include "tests/emulation/emulation.h"
#include "tests/kernels/codec/device_rows.h"

/* More than 32 chunks that look back, and tiles for each block of a pass that reduces; more than one tile of block
 * sums. Under the sanitizers that takes too long. */
#if defined(__SANITIZE_ADDRESS__)
enum { SOME = 100000, MANY = 250000, MOST = 250000 };
#else
enum { SOME = 250000, MANY = 5000011, MOST = 9000001 };
#endif

static struct codec pull, narrow;
static const struct device_row rows[] = {
    { &codec_plain, plain_compress_cuda, plain_decompress_cuda, SOME, NULL },
    { &codec_bf16, bf16_compress_cuda, bf16_decompress_cuda, SOME, NULL },
    { &codec_fp16, fp16_compress_cuda, fp16_decompress_cuda, SOME, NULL },
    { &codec_int8, int8_compress_cuda, int8_decompress_cuda, SOME, NULL },
    { &codec_local_steps, local_steps_compress_cuda, local_steps_decompress_cuda, SOME, NULL },
    { &codec_stochastic3, stochastic3_compress_cuda, stochastic3_decompress_cuda, SOME, NULL },
    { &codec_onebit, onebit_compress_cuda, onebit_decompress_cuda, MOST, NULL },
    { &codec_3lc_quartic, threelc_quartic_compress_cuda, threelc_quartic_decompress_cuda, SOME, NULL },
    { &codec_3lc, threelc_runs_compress_cuda, threelc_runs_decompress_cuda, MANY, NULL },
    { &codec_qsgd, qsgd_compress_cuda, qsgd_decompress_cuda, SOME, NULL },
    { &codec_randomk, randomk_compress_cuda, randomk_decompress_cuda, SOME, NULL },
    { &codec_terngrad, terngrad_compress_cuda, terngrad_decompress_cuda, SOME, NULL },
    { &codec_natural, natural_compress_cuda, natural_decompress_cuda, SOME, NULL },
    { &codec_powersgd, powersgd_compress_cuda, powersgd_decompress_cuda, SOME, NULL },
    { &narrow, powersgd_compress_cuda, powersgd_decompress_cuda, SOME / 10, NULL },
    { &pull, threelc_pull_compress_cuda, threelc_runs_decompress_cuda, SOME, NULL },
    { &codec_blockwise, blockwise_compress_cuda, blockwise_decompress_cuda, SOME, blockwise_reduce_cuda },
    { 0 },
};

static void order(size_t number)
{
    emulation_set_order(&emulation_orders[number % EMULATION_ORDERS]);
}

int main(void)
{
    pull = device_rows_pull();
    narrow = device_rows_narrow();
    return device_rows_test(rows, order);
}
