/* jitter.c - random delays of workers, a function of seed, worker and step. */
#include <math.h>

#include "sim/method/parameter_server/play.h"

/* splitmix64's finalizer */
static uint64_t mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* 53 bits, in (0, 1]. */
static double unit(uint64_t bits)
{
    return (double)((bits >> 11) + 1) * 0x1p-53;
}

double ps_jitter(const struct parameter_server *m, uint64_t worker, uint64_t step)
{
    static const double two_pi = 6.283185307179586;
    uint64_t key = mix(mix(mix((uint64_t)m->seed) ^ worker) ^ step);
    double variance = log(1 + m->jitter * m->jitter); /* of the logarithm */

    if (!(m->jitter > 0))
        return 1;
    double normal = sqrt(-2 * log(unit(mix(key)))) * cos(two_pi * unit(mix(key + 1)));
    double factor = exp(sqrt(variance) * normal - variance / 2);
    return floor(factor * 0x1p32 + 0.5) * 0x1p-32; /* so that the last digits of a libm do not matter */
}
