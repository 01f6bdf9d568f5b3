/* fives.cuh - from bytes of five three-valued digits to values on the device: digit k of byte j is value k bytes + j. A
 * thread takes single bytes, so that neighbouring threads write neighbouring values of each of the five parts, wherever
 * those begin. */
#ifndef NARROWS_KERNELS_SHARED_FIVES_CUH
#define NARROWS_KERNELS_SHARED_FIVES_CUH

#include "kernels/shared/quads.cuh"

enum { FIVES_TURNS = 4, FIVES_TILE = QUADS_THREADS * FIVES_TURNS };

/* 'Value' is a struct with __device__ void put(float *value, int digit) const; the digits are 0 .. 2. Nothing is done
 * after an error. */
template <class Value>
__global__ static void __launch_bounds__(QUADS_THREADS)
    fives_kernel(Value value, float *values, size_t n, const uint8_t *bytes, size_t count, const int *error)
{
    size_t first = static_cast<size_t>(blockIdx.x) * FIVES_TILE + threadIdx.x;
    unsigned byte[FIVES_TURNS];

    if (*error)
        return;
#pragma unroll
    for (int turn = 0; turn < FIVES_TURNS; turn++)
        byte[turn] = first + turn * QUADS_THREADS < count ? bytes[first + turn * QUADS_THREADS] : 0;
#pragma unroll
    for (int turn = 0; turn < FIVES_TURNS; turn++) {
        size_t j = first + turn * QUADS_THREADS;

        if (j >= count)
            continue;
#pragma unroll
        for (int part = 4; part >= 0; part--) {
            size_t i = part * count + j;

            if (i < n)
                value.put(values + i, static_cast<int>(byte[turn] % 3));
            byte[turn] /= 3;
        }
    }
}

template <class Value>
static inline void fives_run(cudaStream_t on, const Value &value, float *values, size_t n, const uint8_t *bytes,
                             size_t count, const int *error)
{
    NW_LAUNCH(fives_kernel<Value>, static_cast<unsigned>((count + FIVES_TILE - 1) / FIVES_TILE), QUADS_THREADS, 0, on,
              value, values, n, bytes, count, error);
}

#endif
