/* tokens.c - rows of a table for the words of a sentence, and where they stand in it. */
#include <math.h>

#include "train/ops/cpu/cpu.h"

/* Values of a position that are made at a time. */
enum { PART = 256 };

int cpu_check_tokens(struct ops *o, int64_t batch, int64_t positions, int64_t dim)
{
    return batch < 1 || positions < 1 || dim < 1 ? cpu_fail(o, "tokens: batch %lld, %lld positions, %lld values",
                                                            (long long)batch, (long long)positions, (long long)dim)
                                                 : 0;
}

/* Values first .. first + count - 1 of the position's sinusoids; 'first' is even. */
static void sinusoids(int64_t position, int64_t dim, int64_t first, int64_t count, float *out)
{
    for (int64_t i = 0; i < count; i += 2) {
        double angle = (double)position / pow(10000, (double)(first + i) / (double)dim);

        out[i] = (float)sin(angle);
        if (i + 1 < count)
            out[i + 1] = (float)cos(angle);
    }
}

CPU_CLONES static void add_place(int64_t count, float root, const float *restrict row, const float *restrict place,
                                 float *restrict y)
{
    for (int64_t i = 0; i < count; i++)
        y[i] = root * row[i] + place[i];
}

int cpu_tokens_forward(struct ops *o, int64_t batch, int64_t positions, int64_t dim, const int32_t *ids,
                       const float *table, float *y, void *stream)
{
    float root = (float)sqrt((double)dim);
    int rc = cpu_check_tokens(o, batch, positions, dim);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(batch * positions * dim)
    for (int64_t p = 0; p < positions; p++)
        for (int64_t first = 0; first < dim; first += PART) {
            int64_t count = dim - first < PART ? dim - first : PART;
            float place[PART];

            sinusoids(p, dim, first, count, place);
            for (int64_t n = p; n < batch * positions; n += positions)
                add_place(count, root, table + ids[n] * dim + first, place, y + n * dim + first);
        }
    return 0;
}

/* As bags of one row: each position is a table, but for that they share their rows. */
int cpu_tokens_backward(struct ops *o, int64_t batch, int64_t positions, int64_t dim, const int32_t *ids,
                        const float *dy, float *dtable, void *stream)
{
    const struct bag_shape s = { .batch = batch, .tables = positions, .lookups = 1, .dim = dim };
    int rc = cpu_check_tokens(o, batch, positions, dim);

    (void)stream;
    if (!rc)
        cpu_scatter_rows(&s, (float)sqrt((double)dim), ids, dy, dtable);
    return rc;
}
