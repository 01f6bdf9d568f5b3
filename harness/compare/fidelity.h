/* fidelity.h - how much of a gradient arrives: sums over pairs of a true value and of what arrived in its place.
 * Pairs      whose true value is NaN or infinite are left out of every sum and counted.
 * Order      of additions is fixed: eight lanes in blocks of values, blocks added up with compensation; so results have
 *            the same bits on any number of threads. Sums of two tallies are sums of their pairs.
 * Units      none: every result is a ratio, but 'largest', which has the gradient's. */
#ifndef NARROWS_HARNESS_COMPARE_FIDELITY_H
#define NARROWS_HARNESS_COMPARE_FIDELITY_H

#include <stddef.h>

/* A sum and what was lost in rounding it (Neumaier). */
struct exact_sum {
    double sum, lost;
};

void exact_add(struct exact_sum *s, double x);
double exact_value(const struct exact_sum *s);

struct fidelity {
    struct exact_sum true2, arrived2, product, error2; /* sums of squares, and of true x arrived */
    double largest;                                    /* of |true - arrived| */
    size_t n, zeros, left_out; /* pairs counted; those of them that arrived as 0; pairs left out */
};

/* Initially all zero. */
void fidelity_add(struct fidelity *f, const float *values, const float *arrived, size_t n);
void fidelity_add_sums(struct fidelity *f, const double *values, const double *arrived, size_t n);
void fidelity_merge(struct fidelity *f, const struct fidelity *other);

/* NaN where nothing but zeros was to be sent, or what arrived is not finite. */
double fidelity_cosine(const struct fidelity *f);
/* ||true - arrived|| / ||true||; 0 for a gradient of zeros that arrived as such. */
double fidelity_relative_l2(const struct fidelity *f);
/* ||arrived||^2 / ||true||^2: above 1 where noise or changes of earlier steps arrive too. */
double fidelity_energy(const struct fidelity *f);
/* Of the values counted, those that arrived as 0. */
double fidelity_zeros(const struct fidelity *f);

#endif
