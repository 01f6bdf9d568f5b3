/* scalar.c - the reference. */
#include <string.h>

#include "kernels/magnitude/magnitude.h"

uint32_t magnitude_scalar(const float *values, size_t n)
{
    uint32_t most = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t bits;

        memcpy(&bits, values + i, sizeof(bits));
        bits &= 0x7fffffffu;
        most = bits > most ? bits : most;
    }
    return most;
}
