/* pack512.h - panels on AVX-512: copied step by step where a step's values are adjacent, transposed in registers, 16 by
 * 16, where a vector's are. */
#ifndef NARROWS_KERNELS_GEMM_PACK512_H
#define NARROWS_KERNELS_GEMM_PACK512_H

#include "kernels/gemm/host.h"
#include "kernels/shared/vector.h"

gemm_pack_fn pack512;

#endif
