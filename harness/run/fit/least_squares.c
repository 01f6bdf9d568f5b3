#include "harness/run/fit/least_squares.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"

enum { N = LEAST_SQUARES_MOST };

/* Infinite if one of them is no finite number. */
static double sum_of_squares(const double r[], size_t m)
{
    double sum = 0;

    for (size_t i = 0; i < m; i++)
        sum += isfinite(r[i]) ? r[i] * r[i] : INFINITY;
    return sum;
}

static double largest(const double v[], size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, isnan(v[i]) ? INFINITY : fabs(v[i]));
    return most;
}

/* jacobian[i * n + k]: how residual i answers to constant k, from differences to r, the residuals at x; not at all
 * where one of the two is no finite number. */
static int differentiate(const struct least_squares *s, const double x[], const double r[], double jacobian[],
                         double moved_r[])
{
    double moved[N];

    memcpy(moved, x, s->n * sizeof(*x));
    for (size_t k = 0; k < s->n; k++) {
        moved[k] = x[k] + s->difference;
        int rc = s->residuals(s->context, moved, moved_r);
        if (rc)
            return rc;
        moved[k] = x[k];
        bool answered = false;
        for (size_t i = 0; i < s->m; i++) {
            double slope = (moved_r[i] - r[i]) / s->difference;
            jacobian[i * s->n + k] = isfinite(slope) ? slope : 0;
            answered |= jacobian[i * s->n + k] != 0;
        }
        if (s->idle)
            s->idle[k] = !answered;
    }
    return NW_OK;
}

/* Solve a x = b in place by elimination with pivots; false if a is singular. */
static bool eliminate(double a[N][N], double b[N], size_t n)
{
    for (size_t c = 0; c < n; c++) {
        size_t pivot = c;
        for (size_t i = c + 1; i < n; i++)
            if (fabs(a[i][c]) > fabs(a[pivot][c]))
                pivot = i;
        if (!(fabs(a[pivot][c]) > 0))
            return false;
        for (size_t k = 0; k < n; k++) {
            double t = a[c][k];
            a[c][k] = a[pivot][k];
            a[pivot][k] = t;
        }
        double t = b[c];
        b[c] = b[pivot];
        b[pivot] = t;
        for (size_t i = c + 1; i < n; i++) {
            double f = a[i][c] / a[c][c];
            for (size_t k = c; k < n; k++)
                a[i][k] -= f * a[c][k];
            b[i] -= f * b[c];
        }
    }
    for (size_t c = n; c-- > 0;) {
        for (size_t k = c + 1; k < n; k++)
            b[c] -= a[c][k] * b[k];
        b[c] /= a[c][c];
    }
    return true;
}

bool least_squares_step(const struct least_squares *s, const double jacobian[], const double r[], double damping,
                        double step[N])
{
    double a[N][N] = { { 0 } };

    for (size_t k = 0; k < s->n; k++) {
        step[k] = 0;
        for (size_t i = 0; i < s->m; i++) {
            if (isfinite(r[i]))
                step[k] -= jacobian[i * s->n + k] * r[i];
            for (size_t l = 0; l < s->n; l++)
                a[k][l] += jacobian[i * s->n + k] * jacobian[i * s->n + l];
        }
    }
    for (size_t k = 0; k < s->n; k++)
        a[k][k] = a[k][k] > 0 ? a[k][k] * (1 + damping) : 1;
    return eliminate(a, step, s->n);
}

/* Try ever shorter steps until one is better; *moved: how far it went, 0 if none is. */
static int improve(const struct least_squares *s, const double jacobian[], double x[], double r[], double *damping,
                   double *moved, double trial[])
{
    double step[N], next[N];

    *moved = 0;
    for (int tries = 0; tries < 6; tries++, *damping = fmax(*damping * 8, 1e-3)) {
        if (!least_squares_step(s, jacobian, r, *damping, step))
            continue;
        double shorter = fmin(1, s->longest_step / fmax(largest(step, s->n), 1e-300));
        for (size_t k = 0; k < s->n; k++) {
            step[k] *= shorter;
            next[k] = x[k] + step[k];
        }
        int rc = s->residuals(s->context, next, trial);
        if (rc)
            return rc;
        if (sum_of_squares(trial, s->m) < sum_of_squares(r, s->m)) {
            memcpy(x, next, s->n * sizeof(*x));
            memcpy(r, trial, s->m * sizeof(*r));
            *moved = largest(step, s->n);
            *damping /= 8;
            return NW_OK;
        }
    }
    return NW_OK;
}

int least_squares_solve(const struct least_squares *s, double x[], double r[])
{
    double *jacobian = calloc(s->n * s->m + s->m, sizeof(*jacobian)), damping = 0, moved = 1;
    int rc = jacobian ? s->residuals(s->context, x, r) : NW_ENOMEM;

    for (int round = 0; !rc && round < s->most_rounds; round++) {
        bool known = round || !s->idle; /* what answers to what */
        if (known && (largest(r, s->m) <= s->enough || moved <= s->enough))
            break;
        double *scratch = jacobian + s->n * s->m, before = sum_of_squares(r, s->m);
        rc = differentiate(s, x, r, jacobian, scratch);
        if (!rc)
            rc = improve(s, jacobian, x, r, &damping, &moved, scratch);
        bool cut_short = moved > 0.999 * s->longest_step;
        if (!cut_short && sum_of_squares(r, s->m) > s->worth_it * before)
            break;
    }
    free(jacobian);
    return rc;
}
