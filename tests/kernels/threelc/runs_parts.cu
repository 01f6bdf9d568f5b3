/* runs_parts.cu - parts of kernels/threelc/runs.cuh on their own: what a whole compression comes upon by chance
 * alone. */
#include "tests/kernels/threelc/runs_parts.h"

#include "kernels/threelc/runs.cuh"

__global__ static void look_back(unsigned long long *sum, unsigned long long *published, size_t chunk)
{
    runs_encoding e = { NULL, NULL, published, NULL, NULL, 0, 0 };

    sum[threadIdx.x] = runs_before(e, chunk);
}

void parts_look_back(unsigned long long *sum, unsigned long long *published, size_t chunk)
{
    NW_LAUNCH(look_back, 1, 32, 0, 0, sum, published, chunk);
}

/* The same scan several times in a row. */
__global__ static void scan_rows(unsigned *to, const unsigned *from, unsigned rows)
{
    unsigned before = 0;

    for (unsigned row = 0; row < rows; row++) {
        unsigned i = row * RUNS_THREADS + threadIdx.x, all, at = scan_block<scan_sum>(from[i], 0u, &all);

        to[i] = before + at;
        before += all;
    }
}

void parts_scan(unsigned *to, const unsigned *from, unsigned rows)
{
    NW_LAUNCH(scan_rows, 1, RUNS_THREADS, 0, 0, to, from, rows);
}

int parts_check_table(const uint8_t *payload, size_t nbytes, size_t bytes, size_t chunks, unsigned long long *place)
{
    int error = -1;
    runs_decoding d = { payload, nbytes, bytes, chunks, place, NULL, &error };

    NW_LAUNCH(runs_check_table, 1, RUNS_THREADS, 0, 0, d);
    return error;
}
