#include "harness/compare/fidelity.h"

#include <math.h>

enum { BLOCK = 1024, LANES = 8 };

void exact_add(struct exact_sum *s, double x)
{
    double sum = s->sum + x;

    if (isfinite(sum))
        s->lost += fabs(s->sum) >= fabs(x) ? (s->sum - sum) + x : (x - sum) + s->sum;
    s->sum = sum;
}

double exact_value(const struct exact_sum *s)
{
    return s->sum + s->lost;
}

/* The lanes' sum, halves onto halves. */
static double folded(double lanes[LANES])
{
    for (size_t half = LANES / 2; half; half /= 2)
        for (size_t i = 0; i < half; i++)
            lanes[i] += lanes[i + half];
    return lanes[0];
}

/* Pairs with a true value that is a number, moved to the front. */
static size_t keep_finite(double *values, double *arrived, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i]))
            continue;
        values[kept] = values[i];
        arrived[kept++] = arrived[i];
    }
    return kept;
}

static void add_block(struct fidelity *f, double values[BLOCK], double arrived[BLOCK], size_t n)
{
    double true2[LANES] = { 0 }, arrived2[LANES] = { 0 }, product[LANES] = { 0 }, error2[LANES] = { 0 };
    size_t kept = keep_finite(values, arrived, n);

    for (size_t i = 0; i < kept; i++) {
        double g = values[i], a = arrived[i], error = g - a;

        true2[i % LANES] += g * g;
        arrived2[i % LANES] += a * a;
        product[i % LANES] += g * a;
        error2[i % LANES] += error * error;
        if (!(fabs(error) <= f->largest))
            f->largest = isnan(error) ? INFINITY : fabs(error);
        f->zeros += a == 0;
    }
    exact_add(&f->true2, folded(true2));
    exact_add(&f->arrived2, folded(arrived2));
    exact_add(&f->product, folded(product));
    exact_add(&f->error2, folded(error2));
    f->n += kept;
    f->left_out += n - kept;
}

void fidelity_add(struct fidelity *f, const float *values, const float *arrived, size_t n)
{
    double g[BLOCK], a[BLOCK];

    for (size_t at = 0; at < n; at += BLOCK) {
        size_t m = n - at < BLOCK ? n - at : BLOCK;

        for (size_t i = 0; i < m; i++) {
            g[i] = (double)values[at + i];
            a[i] = (double)arrived[at + i];
        }
        add_block(f, g, a, m);
    }
}

void fidelity_add_sums(struct fidelity *f, const double *values, const double *arrived, size_t n)
{
    double g[BLOCK], a[BLOCK];

    for (size_t at = 0; at < n; at += BLOCK) {
        size_t m = n - at < BLOCK ? n - at : BLOCK;

        for (size_t i = 0; i < m; i++) {
            g[i] = values[at + i];
            a[i] = arrived[at + i];
        }
        add_block(f, g, a, m);
    }
}

static void merge_sum(struct exact_sum *s, const struct exact_sum *other)
{
    exact_add(s, other->sum);
    s->lost += other->lost;
}

void fidelity_merge(struct fidelity *f, const struct fidelity *other)
{
    merge_sum(&f->true2, &other->true2);
    merge_sum(&f->arrived2, &other->arrived2);
    merge_sum(&f->product, &other->product);
    merge_sum(&f->error2, &other->error2);
    f->largest = fmax(f->largest, other->largest);
    f->n += other->n;
    f->zeros += other->zeros;
    f->left_out += other->left_out;
}

double fidelity_cosine(const struct fidelity *f)
{
    double true2 = exact_value(&f->true2), arrived2 = exact_value(&f->arrived2);

    if (!(true2 > 0) || !isfinite(arrived2))
        return NAN;
    return arrived2 > 0 ? exact_value(&f->product) / (sqrt(true2) * sqrt(arrived2)) : 0;
}

double fidelity_relative_l2(const struct fidelity *f)
{
    double true2 = exact_value(&f->true2), error2 = exact_value(&f->error2);

    if (!isfinite(error2))
        return INFINITY;
    return true2 > 0 ? sqrt(error2 / true2) : error2 > 0 ? INFINITY : 0;
}

double fidelity_energy(const struct fidelity *f)
{
    double true2 = exact_value(&f->true2), arrived2 = exact_value(&f->arrived2);

    return true2 > 0 && isfinite(arrived2) ? arrived2 / true2 : NAN;
}

double fidelity_zeros(const struct fidelity *f)
{
    return f->n ? (double)f->zeros / (double)f->n : NAN;
}
