/* loops.h - the x86 loops: groups of 64 values, in the order of kernels/copy/order.h. */
#include "kernels/anchor/host.h"
#include "kernels/shared/vector.h"

enum { GROUP = 64 };

void ISA(anchor_update)(float *y, const float *x, size_t n)
{
    size_t groups = n / GROUP;

    for (size_t g = 0; g < groups; g++) {
        size_t at = GROUP * stream_order(g, groups);

        for (size_t i = at; i < at + GROUP; i += VECTOR)
            MM(storeu_ps)(y + i, MM(add_ps)(MM(loadu_ps)(y + i), MM(loadu_ps)(x + i)));
    }
    anchor_update_scalar(y + GROUP * groups, x + GROUP * groups, n - GROUP * groups);
}

void ISA(anchor_scale)(float *y, size_t n)
{
    size_t groups = n / GROUP;

    for (size_t g = 0; g < groups; g++) {
        size_t at = GROUP * stream_order(g, groups);

        for (size_t i = at; i < at + GROUP; i += VECTOR)
            MM(storeu_ps)(y + i, MM(mul_ps)(MM(loadu_ps)(y + i), MM(set1_ps)(-1.0f)));
    }
    anchor_scale_scalar(y + GROUP * groups, n - GROUP * groups);
}

float ISA(anchor_read)(const float *x, size_t n)
{
    vec most[GROUP / VECTOR];
    float lane[GROUP], rest, result;
    size_t groups = n / GROUP;

    for (size_t r = 0; r < GROUP / VECTOR; r++)
        most[r] = MM(setzero_ps)();
    for (size_t g = 0; g < groups; g++) {
        size_t at = GROUP * stream_order(g, groups);

        for (size_t r = 0; r < GROUP / VECTOR; r++)
            most[r] = MM(max_ps)(most[r], vec_from_bits(vec_magnitude(vec_get_bits(x + at + r * VECTOR))));
    }
    for (size_t r = 0; r < GROUP / VECTOR; r++)
        MM(storeu_ps)(lane + r * VECTOR, most[r]);
    rest = anchor_read_scalar(x + GROUP * groups, n - GROUP * groups);
    result = anchor_read_scalar(lane, GROUP);
    return rest > result ? rest : result;
}
