/* impls.c - the table of zero-run coders. */
#include "kernels/shared/rows.h"
#include "kernels/zre/zre.h"

const struct zre_impl zre_impls[] = {
#ifdef NW_X86
    IMPL_ROW("avx512", false, usable_avx512_vbmi2, NULL, zre_encode_avx512, zre_decode_avx512, zre_expanded_avx512),
    IMPL_ROW("avx2", false, usable_avx2_bmi, NULL, zre_encode_avx2, zre_decode_avx2, zre_expanded_avx2),
#endif
    IMPL_ROW("scalar", false, usable_always, NULL, zre_encode_scalar, zre_decode_scalar, zre_expanded_scalar),
    { .impl = { 0 } },
};
