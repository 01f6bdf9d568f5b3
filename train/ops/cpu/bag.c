/* bag.c - bags of embeddings. Tables exceed every cache, so the next rows are prefetched. */
#include <string.h>

#include "train/ops/cpu/cpu.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* Rows that are on their way from memory while one is added, and the values of a line of the cache. */
enum { AHEAD = 8, LINE = 16 };

int cpu_check_bag(struct ops *o, const struct bag_shape *s)
{
    if (s->batch < 1 || s->tables < 1 || s->lookups < 1 || s->dim < 1 || s->leading < 0)
        return cpu_fail(o, "bags: batch %lld, %lld tables, %lld lookups of %lld values, %lld before them",
                        (long long)s->batch, (long long)s->tables, (long long)s->lookups, (long long)s->dim,
                        (long long)s->leading);
    return 0;
}

static int64_t width(const struct bag_shape *s)
{
    return s->leading + s->tables * s->dim;
}

static inline void fetch(const float *row, int64_t dim)
{
    for (int64_t i = 0; i < dim; i += LINE)
        __builtin_prefetch(row + i);
}

static inline void add_row(int64_t dim, const float *restrict row, float *restrict sum)
{
    for (int64_t i = 0; i < dim; i++)
        sum[i] += row[i];
}

CPU_CLONES static void sum_bags(const struct bag_shape *s, const int32_t *ids, const float *table, float *y)
{
    int64_t n = s->tables * s->lookups;

    for (int64_t i = 0; i < n; i++) {
        const float *row = table + ids[i] * s->dim;
        float *sum = y + i / s->lookups * s->dim;

        if (i + AHEAD < n)
            fetch(table + ids[i + AHEAD] * s->dim, s->dim);
        if (i % s->lookups == 0)
            memcpy(sum, row, (size_t)s->dim * sizeof(*sum));
        else
            add_row(s->dim, row, sum);
    }
}

int cpu_bag_forward(struct ops *o, const struct bag_shape *s, const float *x, const int32_t *ids, const float *table,
                    float *y, void *stream)
{
    int64_t lookups = s->tables * s->lookups;
    int rc = cpu_check_bag(o, s);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(s->batch * (s->leading + lookups * s->dim))
    for (int64_t b = 0; b < s->batch; b++) {
        if (s->leading)
            memcpy(y + b * width(s), x + b * s->leading, (size_t)s->leading * sizeof(*y));
        sum_bags(s, ids + b * lookups, table, y + b * width(s) + s->leading);
    }
    return 0;
}

int cpu_bag_backward_data(struct ops *o, const struct bag_shape *s, const float *dy, float *dx, void *stream)
{
    int rc = cpu_check_bag(o, s);

    (void)stream;
    if (rc || !s->leading)
        return rc;
    for (int64_t b = 0; b < s->batch; b++)
        memcpy(dx + b * s->leading, dy + b * width(s), (size_t)s->leading * sizeof(*dx));
    return 0;
}

static inline void add_scaled(int64_t dim, float factor, const float *restrict error, float *restrict row)
{
    for (int64_t i = 0; i < dim; i++)
        row[i] += factor * error[i];
}

/* The rows whose number is 'part' modulo 'parts', whoever looks them up. */
CPU_CLONES static void scatter_part(const struct bag_shape *s, float factor, const int32_t *ids, const float *dy,
                                    float *table, uint32_t part, uint32_t parts)
{
    int64_t each = s->tables * s->lookups, n = s->batch * each;

    for (int64_t i = 0; i < n; i++) {
        const float *error = dy + i / each * width(s) + s->leading + i % each / s->lookups * s->dim;

        if (i + AHEAD < n && (uint32_t)ids[i + AHEAD] % parts == part)
            fetch(table + ids[i + AHEAD] * s->dim, s->dim);
        if ((uint32_t)ids[i] % parts == part)
            add_scaled(s->dim, factor, error, table + ids[i] * s->dim);
    }
}

/* A row is changed by one thread alone, in the order of the ids: how many there are makes no difference. */
void cpu_scatter_rows(const struct bag_shape *s, float factor, const int32_t *ids, const float *dy, float *table)
{
    int64_t parts = 1;

#ifdef _OPENMP
    parts = omp_get_max_threads();
#endif
    CPU_PARALLEL_FOR(s->batch * s->tables * s->lookups * s->dim)
    for (int64_t part = 0; part < parts; part++)
        scatter_part(s, factor, ids, dy, table, (uint32_t)part, (uint32_t)parts);
}

/* To subtract a product is to add that of the factor's negative, bit for bit. */
int cpu_bag_update(struct ops *o, const struct bag_shape *s, float rate, const int32_t *ids, const float *dy,
                   float *table, void *stream)
{
    int rc = cpu_check_bag(o, s);

    (void)stream;
    if (!rc)
        cpu_scatter_rows(s, -rate, ids, dy, table);
    return rc;
}
