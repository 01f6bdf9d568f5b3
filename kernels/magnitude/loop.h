/* loop.h - the x86 loop: groups of 64 values, in the order of kernels/copy/order.h. */
#include "kernels/magnitude/magnitude.h"
#include "kernels/shared/vector.h"

enum { REGISTERS = 64 / VECTOR };

uint32_t ISA(magnitude)(const float *values, size_t n)
{
    vec_bits most[REGISTERS];
    uint32_t lane[VECTOR], found;
    size_t groups = n / 64;

    for (size_t r = 0; r < REGISTERS; r++)
        most[r] = MM(set1_epi32)(0);
    for (size_t g = 0; g < groups; g++) {
        const float *at = values + 64 * stream_order(g, groups);

        ask_ahead(at, ASK_AHEAD, 256);
        for (size_t r = 0; r < REGISTERS; r++)
            most[r] = MM(max_epu32)(most[r], vec_magnitude(vec_get_bits(at + VECTOR * r)));
    }
    for (size_t r = 1; r < REGISTERS; r++)
        most[0] = MM(max_epu32)(most[0], most[r]);
    vec_put_bits(lane, most[0], false);
    found = magnitude_scalar(values + 64 * groups, n - 64 * groups);
    for (size_t r = 0; r < VECTOR; r++)
        found = lane[r] > found ? lane[r] : found;
    return found;
}
