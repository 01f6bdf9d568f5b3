/* natural_lane.h - the definition: the window of powers that a tensor has, and the code of one value. Powers are
 * numbered by the exponent field of the fp32 number, 1 .. 254. */
#ifndef NARROWS_KERNELS_NATURAL_LANE_H
#define NARROWS_KERNELS_NATURAL_LANE_H

#include <stdint.h>
#include <string.h>

#include "kernels/drawn/drawn.h"
#include "kernels/shared/lane.h"

enum { NATURAL_BITS = 8, NATURAL_POWERS = 127, NATURAL_SIGN = 128 };
#define NATURAL_MOST 254u

NW_LANE int32_t natural_field(float power)
{
    uint32_t bits;

    memcpy(&bits, &power, sizeof(bits));
    return (int32_t)(bits >> 23);
}

/* step: the largest power; levels: the field of code 0, those of the others follow. */
NW_LANE struct drawn_scale natural_scale(float largest)
{
    int32_t field = natural_field(largest);
    struct drawn_scale s = { 0.0f, 0.0f, largest, field > NATURAL_POWERS ? field - NATURAL_POWERS : 0, NATURAL_BITS };

    return s;
}

/* most: the largest finite magnitude (the bits, as of magnitude.h). */
NW_LANE struct drawn_scale natural_scale_of(uint32_t most)
{
    uint32_t field = (most >> 23) + ((most & 0x7fffff) != 0), bits;
    float largest;

    field = field < 1 ? 1 : field > NATURAL_MOST ? NATURAL_MOST : field;
    bits = field << 23;
    memcpy(&largest, &bits, sizeof(largest));
    return natural_scale(largest);
}

/* Goes up where 23 random bits are below the mantissa. */
NW_LANE uint32_t natural_code(float value, uint32_t drawn, struct drawn_scale s)
{
    int32_t field, most = natural_field(s.step);
    uint32_t bits, magnitude;

    memcpy(&bits, &value, sizeof(bits));
    magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return 0;
    field = (int32_t)(magnitude >> 23) + ((int32_t)(drawn >> 9) < (int32_t)(magnitude & 0x7fffff));
    field = (field < most ? field : most) - s.levels;
    return (uint32_t)(field > 0 ? field : 0) | bits >> 31 << 7;
}

NW_LANE float natural_value(uint32_t code, struct drawn_scale s)
{
    uint32_t power = code & (NATURAL_SIGN - 1);
    uint32_t bits = (power ? power + (uint32_t)s.levels : 0) << 23 | code >> 7 << 31;
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

NW_LANE int natural_power_is_valid(float power)
{
    uint32_t bits;

    memcpy(&bits, &power, sizeof(bits));
    return !(bits & 0x807fffff) && bits >> 23 >= 1 && bits >> 23 <= NATURAL_MOST;
}

/* Whatever the largest power is. */
NW_LANE struct drawn_form natural_form(float largest)
{
    struct drawn_scale s = natural_scale(largest);
    struct drawn_form f = { NATURAL_BITS, NATURAL_BITS - 1,
                            (uint32_t)(natural_field(largest) - s.levels) & (NATURAL_SIGN - 1) };

    return f;
}

#endif
