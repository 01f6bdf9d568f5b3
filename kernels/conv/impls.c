/* impls.c - the implementations of this build. */
#include "kernels/conv/host.h"
#include "kernels/shared/usable.h"

const struct conv_impl conv_impls[] = {
#ifdef NW_X86
    { { "avx512", IMPL_HOST, 0, usable_avx512 }, conv_sums_avx512, conv_gradients_avx512, conv_lay_avx512 },
    { { "avx2", IMPL_HOST, 0, usable_avx2_fma }, conv_sums_avx2, conv_gradients_avx2, conv_lay_scalar },
#endif
    { { "scalar", IMPL_HOST, 0, usable_always }, conv_sums_scalar, conv_gradients_scalar, conv_lay_scalar },
    { { 0 }, NULL, NULL, NULL },
};
