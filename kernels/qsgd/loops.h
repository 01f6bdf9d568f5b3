/* loops.h - the x86 loops. */
#include "kernels/qsgd/host.h"

#include "kernels/drawn/vector.h"

#define REFERENCE qsgd_scalar.drawn

struct constants {
    vec lift, factor, most, step;
    vec_bits levels;
};

INLINE struct constants constants_of(const struct drawn_scale *s)
{
    struct constants c = { MM(set1_ps)(s->lift), MM(set1_ps)(s->factor), MM(set1_ps)((float)s->levels),
                           MM(set1_ps)(s->step), MM(set1_epi32)(s->levels) };

    return c;
}

/* The maximum is its second argument where the first is a NaN. */
INLINE vec_bits codes_of(vec value, vec_bits drawn, const struct constants *c)
{
    vec u = MM(mul_ps)(MM(mul_ps)(vec_from_bits(vec_magnitude(vec_to_bits(value))), c->lift), c->factor), lower;
    vec_bits threshold, level;

    u = MM(min_ps)(MM(max_ps)(u, MM(set1_ps)(0)), c->most);
    lower = vec_floor(u);
    threshold = MM(cvttps_epi32)(MM(mul_ps)(MM(sub_ps)(u, lower), MM(set1_ps)(0x1p31f)));
    level = vec_add_where_below(MM(cvttps_epi32)(lower), MM(srli_epi32)(drawn, 1), threshold);
    return MM(add_epi32)(vec_negate_where(level, vec_to_bits(value)), c->levels);
}

INLINE vec values_of(vec_bits code, const struct constants *c)
{
    return MM(mul_ps)(MM(cvtepi32_ps)(MM(sub_epi32)(code, c->levels)), c->step);
}

#include "kernels/drawn/loops.h"

const struct qsgd_spans
    ISA(qsgd) = { { &ISA(plain), encode, decode }, ISA(magnitude), { ISA(l2norm_add), ISA(l2norm_walks) } };
