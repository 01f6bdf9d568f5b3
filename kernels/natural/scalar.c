/* scalar.c - the reference. */
#include "kernels/natural/host.h"

static uint32_t code_of(float value, uint32_t drawn, const struct drawn_scale *s)
{
    return natural_code(value, drawn, *s);
}

static float value_of(uint32_t code, const struct drawn_scale *s)
{
    return natural_value(code, *s);
}

#include "kernels/drawn/scalar.h"

const struct natural_spans natural_scalar = { { &plain_scalar, encode_scalar, decode_scalar }, magnitude_scalar };
