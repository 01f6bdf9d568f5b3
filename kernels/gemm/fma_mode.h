/* fma_mode.h - the arithmetic of a fused multiply-add; fma_lane.h defines each mode. */
#ifndef NARROWS_KERNELS_GEMM_FMA_MODE_H
#define NARROWS_KERNELS_GEMM_FMA_MODE_H

enum fma_mode { FMA_FP32, FMA_MP, FMA_BF16, FMA_BF16DOT, FMA_NMODES };

#endif
