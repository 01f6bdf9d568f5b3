/* loops.h - the x86 loops. */
#include "kernels/natural/host.h"

#include "kernels/drawn/vector.h"

#define REFERENCE natural_scalar.drawn

struct constants {
    vec_bits most, below;
};

INLINE struct constants constants_of(const struct drawn_scale *s)
{
    struct constants c = { MM(set1_epi32)(natural_field(s->step)), MM(set1_epi32)(s->levels) };

    return c;
}

INLINE vec_bits codes_of(vec value, vec_bits drawn, const struct constants *c)
{
    vec_bits bits = vec_to_bits(vec_unless_nan(value, MM(setzero_ps)())), magnitude = vec_magnitude(bits);
    vec_bits mantissa = vec_and(magnitude, MM(set1_epi32)(0x7fffff));
    vec_bits field = vec_add_where_below(MM(srli_epi32)(magnitude, 23), MM(srli_epi32)(drawn, 9), mantissa);
    vec_bits sign = MM(slli_epi32)(MM(srli_epi32)(bits, 31), 7);

    field = MM(sub_epi32)(MM(min_epi32)(field, c->most), c->below);
    return MM(add_epi32)(MM(max_epi32)(field, MM(set1_epi32)(0)), sign);
}

/* The minimum is 0 for code 0, and else the whole distance. */
INLINE vec values_of(vec_bits code, const struct constants *c)
{
    vec_bits power = vec_and(code, MM(set1_epi32)(NATURAL_SIGN - 1));
    vec_bits field = MM(add_epi32)(power, MM(min_epi32)(MM(slli_epi32)(power, 7), c->below));

    return vec_from_bits(MM(add_epi32)(MM(slli_epi32)(field, 23), MM(slli_epi32)(MM(srli_epi32)(code, 7), 31)));
}

#include "kernels/drawn/loops.h"

const struct natural_spans ISA(natural) = { { &ISA(plain), encode, decode }, ISA(magnitude) };
