/* table.c - the codecs of this build. */
#include "kernels/blockwise/blockwise.h"
#include "kernels/cast/cast.h"
#include "kernels/codec/adt.h"
#include "kernels/codec/codec.h"
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

const struct codec *const codecs[] = {
    &codec_3lc,      &codec_3lc_quartic, &codec_plain,    &codec_bf16,        &codec_fp16,
    &codec_int8,     &codec_stochastic3, &codec_onebit,   &codec_local_steps, &codec_adt,
    &codec_dct,      &codec_sparsify,    &codec_dct_mp,   &codec_qsgd,        &codec_randomk,
    &codec_terngrad, &codec_natural,     &codec_powersgd, &codec_blockwise,   NULL,
};
