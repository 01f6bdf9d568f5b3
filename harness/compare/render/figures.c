#include "harness/compare/render/figures.h"

#include <math.h>

#include "harness/count.h"
#include "harness/text/legible.h"

static double cosine(const struct outcome *o)
{
    return fidelity_cosine(&o->each);
}

static double relative_l2(const struct outcome *o)
{
    return fidelity_relative_l2(&o->each);
}

static double energy(const struct outcome *o)
{
    return fidelity_energy(&o->each);
}

static double largest(const struct outcome *o)
{
    return o->each.n ? o->each.largest : NAN;
}

static double zeros(const struct outcome *o)
{
    return fidelity_zeros(&o->each);
}

static double arrived_cosine(const struct outcome *o)
{
    return fidelity_cosine(&o->arrived);
}

static double arrived_l2(const struct outcome *o)
{
    return fidelity_relative_l2(&o->arrived);
}

static double encode_GBps(const struct outcome *o)
{
    return 1e-9 * outcome_encode_Bps(o);
}

static double decode_GBps(const struct outcome *o)
{
    return 1e-9 * outcome_decode_Bps(o);
}

static double encode_ms(const struct outcome *o)
{
    return 1e3 * o->encode_s;
}

static double decode_ms(const struct outcome *o)
{
    return 1e3 * o->decode_s;
}

const struct figure figures[] = {
    { "bits", "bits", outcome_bits, "bits of a value on the wire, headers of streams included", false },
    { "ratio", "ratio", outcome_ratio, "fp32 bytes divided by those on the wire", false },
    { "cosine", "cosine", cosine, "of the angle between each step's gradient and what arrives in that step", false },
    { "relative_l2", "rel. l2", relative_l2, "length of their difference, divided by that of the gradient", false },
    { "energy", "energy", energy, "share of the gradient's squared length that arrives", false },
    { "largest_error", "largest error", largest, "largest difference of a value", false },
    { "zeros", "zeros", zeros, "share of the values that arrive as 0", false },
    { "arrived_cosine", "cosine, all", arrived_cosine,
      "after all steps: of the angle between the sum of the gradients and the sum of what arrived", true },
    { "arrived_relative_l2", "rel. l2, all", arrived_l2, "the same of the length of their difference", true },
    { "encode_GBps", "encode GB/s", encode_GBps, "fp32 bytes a second, median of repeated calls", false },
    { "decode_GBps", "decode GB/s", decode_GBps, "the same of decoding", false },
    { "encode_ms", "", encode_ms, "of all steps together", false },
    { "decode_ms", "", decode_ms, "of all steps together", false },
};
const size_t nfigures = COUNT(figures);

bool figure_shown(const struct figure *f, size_t steps)
{
    return *f->head && (steps > 1 || !f->after_all);
}

const char *figure_text(double value, char *text)
{
    if (isnan(value))
        snprintf(text, FIGURE_TEXT, "-");
    else if (isinf(value))
        snprintf(text, FIGURE_TEXT, "infinite");
    else if (value && fabs(value) < 1e-4)
        snprintf(text, FIGURE_TEXT, "%.2e", value);
    else
        legible_number(value, text, FIGURE_TEXT);
    return text;
}

void figure_file(double value, const char *none, FILE *out)
{
    if (isfinite(value))
        fprintf(out, "%.17g", value);
    else
        fputs(none, out);
}
