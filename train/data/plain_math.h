/* plain_math.h - powers, logarithms and roots by IEEE 754 operations alone: the same bits on every machine, which
 * libraries do not give, and samples need. Relative error 1e-14. */
#ifndef NARROWS_TRAIN_DATA_PLAIN_MATH_H
#define NARROWS_TRAIN_DATA_PLAIN_MATH_H

double plain_exp2(double x);     /* -1000 .. 1000 */
double plain_log2(double x);     /* of a normal number > 0 */
double plain_logistic(double x); /* 1 / (1 + e^-x) */

#endif
