/* plain_math.h - powers, logarithms and roots of additions, multiplications and divisions alone, which IEEE 754 defines
 * to the bit: a library's differ in the last place from machine to machine, and a sample must not. Good to 1e-14 of the
 * value. */
#ifndef NARROWS_TRAIN_DATA_PLAIN_MATH_H
#define NARROWS_TRAIN_DATA_PLAIN_MATH_H

double plain_exp2(double x);     /* -1000 .. 1000 */
double plain_log2(double x);     /* of a normal number > 0 */
double plain_logistic(double x); /* 1 / (1 + e^-x) */

#endif
