/* plain_math.h - powers, logarithms and the logistic function from additions, multiplications and divisions only, which
 * IEEE 754 defines to the bit: results of libraries differ between machines, and samples must not. The relative error
 * is at most 1e-14. */
#ifndef NARROWS_TRAIN_DATA_PLAIN_MATH_H
#define NARROWS_TRAIN_DATA_PLAIN_MATH_H

double plain_exp2(double x);     /* -1000 .. 1000 */
double plain_log2(double x);     /* of a normal number > 0 */
double plain_logistic(double x); /* 1 / (1 + e^-x) */

#endif
