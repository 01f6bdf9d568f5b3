/* impls.c - the implementations of this build. */
#include "kernels/conv/host.h"
#include "kernels/shared/rows.h"

const struct conv_impl conv_impls[] = {
#ifdef NW_X86
    IMPL_ROW("avx512", false, usable_avx512, NULL, conv_sums_avx512, conv_gradients_avx512, conv_lay_avx512),
    IMPL_ROW("avx2", false, usable_avx2_fma, NULL, conv_sums_avx2, conv_gradients_avx2, conv_lay_scalar),
#endif
    IMPL_ROW("scalar", false, usable_always, NULL, conv_sums_scalar, conv_gradients_scalar, conv_lay_scalar),
    { .impl = { 0 } },
};
