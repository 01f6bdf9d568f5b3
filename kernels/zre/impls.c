/* impls.c - the table of zero-run coders. */
#include "kernels/shared/usable.h"
#include "kernels/zre/zre.h"

const struct zre_impl zre_impls[] = {
#ifdef NW_X86
    { { "avx512", IMPL_HOST, 0, usable_avx512_vbmi2 }, zre_encode_avx512, zre_decode_avx512, zre_expanded_avx512 },
    { { "avx2", IMPL_HOST, 0, usable_avx2_bmi }, zre_encode_avx2, zre_decode_avx2, zre_expanded_avx2 },
#endif
    { { "scalar", IMPL_HOST, 0, usable_always }, zre_encode_scalar, zre_decode_scalar, zre_expanded_scalar },
    { .impl = { 0 } },
};
