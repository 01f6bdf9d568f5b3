/* tokens.cu - the rows of a table for the words of sentences, and where they stand in them. */
#include "train/ops/cuda/launch.h"

#include "train/ops/cuda/device/grid.cuh"

/* A thread per value of a position: its wave is found once for the whole batch. */
__global__ static void tokens(float *y, int64_t batch, int64_t positions, int64_t dim, const int32_t *ids,
                              const float *table)
{
    float root = (float)sqrt((double)dim);

    for (int64_t at = static_cast<int64_t>(blockIdx.x) * GRID_THREADS + threadIdx.x; at < positions * dim;
         at += static_cast<int64_t>(gridDim.x) * GRID_THREADS) {
        int64_t p = at / dim, i = at % dim;
        double angle = (double)p / pow(10000.0, (double)(i / 2 * 2) / (double)dim);
        float place = (float)(i % 2 ? cos(angle) : sin(angle));

        for (int64_t b = 0; b < batch; b++)
            y[b * positions * dim + at] = root * table[ids[b * positions + p] * dim + i] + place;
    }
}

void launch_tokens(float *y, int64_t batch, int64_t positions, int64_t dim, const int32_t *ids, const float *table,
                   void *stream)
{
    NW_LAUNCH(tokens, grid_of_values(positions * dim), GRID_THREADS, 0, grid_stream(stream), y, batch, positions, dim,
              ids, table);
}
