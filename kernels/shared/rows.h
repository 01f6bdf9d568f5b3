/* rows.h - the rows of a table of implementations, for the file that holds the table:
 *   IMPL_ROW(name, parallel, usable, with, functions...)     one row of the host
 *   IMPL_CUDA_ROW(functions...)                              the row of the device
 *   IMPL_ROWS(loops, usable_512, usable_256, functions...)   all rows of the host, best first: AVX-512, AVX2 and scalar
 *                                                            on all threads, then on one; 'with' is &loops_avx512,
 *                                                            &loops_avx2 or &loops_scalar
 *   CODEC_ROWS(codec, loops, usable_512, usable_256)         the whole table of a codec that has a row for the device
 *   CODEC_REDUCING_ROWS(the same)                            of one that has reductions, too
 * The functions of a codec are codec_compress(), codec_decompress() and codec_reduce(), on a device
 * codec_compress_cuda() and so on. */
#ifndef NARROWS_KERNELS_SHARED_ROWS_H
#define NARROWS_KERNELS_SHARED_ROWS_H

#include <stddef.h>

#include "kernels/shared/impl.h"
#include "kernels/shared/usable.h"

#define IMPL_ROW(name, parallel, usable, with, ...)              \
    {                                                            \
        { name, IMPL_HOST, parallel, usable, with }, __VA_ARGS__ \
    }
#define IMPL_CUDA_ROW(...)                                             \
    {                                                                  \
        { "cuda", IMPL_DEVICE, false, usable_cuda, NULL }, __VA_ARGS__ \
    }

#ifdef NW_X86
#define IMPL_X86_ROWS(suffix, parallel, loops, usable_512, usable_256, ...)        \
    IMPL_ROW("avx512" suffix, parallel, usable_512, &loops##_avx512, __VA_ARGS__), \
        IMPL_ROW("avx2" suffix, parallel, usable_256, &loops##_avx2, __VA_ARGS__),
#else
#define IMPL_X86_ROWS(suffix, parallel, loops, usable_512, usable_256, ...)
#endif

#define IMPL_WAY_ROWS(suffix, parallel, loops, usable_512, usable_256, ...)     \
    IMPL_X86_ROWS(suffix, parallel, loops, usable_512, usable_256, __VA_ARGS__) \
    IMPL_ROW("scalar" suffix, parallel, usable_always, &loops##_scalar, __VA_ARGS__)

#ifdef NW_OPENMP
#define IMPL_ROWS(loops, usable_512, usable_256, ...)                        \
    IMPL_WAY_ROWS("+omp", true, loops, usable_512, usable_256, __VA_ARGS__), \
        IMPL_WAY_ROWS("", false, loops, usable_512, usable_256, __VA_ARGS__)
#else
#define IMPL_ROWS(loops, usable_512, usable_256, ...) \
    IMPL_WAY_ROWS("", false, loops, usable_512, usable_256, __VA_ARGS__)
#endif

#ifdef NW_CUDA
#define CODEC_CUDA_ROW(codec, reduce) IMPL_CUDA_ROW(codec##_compress_cuda, codec##_decompress_cuda, reduce),
#else
#define CODEC_CUDA_ROW(codec, reduce)
#endif
#define CODEC_TABLE(codec, loops, usable_512, usable_256, reduce, reduce_cuda)                  \
    {                                                                                           \
        CODEC_CUDA_ROW(codec, reduce_cuda)                                                      \
        IMPL_ROWS(loops, usable_512, usable_256, codec##_compress, codec##_decompress, reduce), \
        {                                                                                       \
            .impl = { 0 }                                                                       \
        }                                                                                       \
    }
#define CODEC_ROWS(codec, loops, usable_512, usable_256) CODEC_TABLE(codec, loops, usable_512, usable_256, NULL, NULL)
#define CODEC_REDUCING_ROWS(codec, loops, usable_512, usable_256) \
    CODEC_TABLE(codec, loops, usable_512, usable_256, codec##_reduce, codec##_reduce_cuda)

#endif
