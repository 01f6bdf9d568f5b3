#include "harness/measure/codec_setting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "harness/count.h"

/* The setting's name, or none if the parameters are the preset ones. */
static void name(const struct codec *c, struct codec_setting *s, const char *what, double value, const char *unit)
{
    struct codec_params presets = codec_presets(c);

    s->option[0] = 0;
    if (memcmp(&presets, &s->params, sizeof(presets)))
        snprintf(s->option, sizeof(s->option), "%s=%g%s", what, value, unit);
}

void codec_setting_density(const struct codec *c, double density, struct codec_setting *s)
{
    double *p = s->params.value;

    if (!strcmp(c->name, "sparsify") || !strcmp(c->name, "randomk"))
        p[0] = density;
    else if (!strcmp(c->name, "dct"))
        p[0] = 1 - density;
    else if (!strcmp(c->name, "dct-mp"))
        p[1] = floor(density * p[0] + 0.5);
    else
        return;
    name(c, s, "density", 100 * density, "%");
}

void codec_setting_keep(int keep, struct codec_setting *s)
{
    s->params.value[0] = keep;
    name(codec_find("adt"), s, "keep", keep, "");
}

void codec_setting_sparsity(double sparsity, struct codec_setting *s)
{
    s->params.value[0] = sparsity;
    name(codec_find("3lc"), s, "s", sparsity, "");
}

void codec_setting_steps(int64_t k, struct codec_setting *s)
{
    s->params.value[0] = (double)k;
    name(codec_find("local"), s, "k", (double)k, "");
}

void codec_setting_levels(int64_t levels, struct codec_setting *s)
{
    s->params.value[0] = (double)levels;
    name(codec_find("qsgd"), s, "levels", (double)levels, "");
}

void codec_setting_blocks(int64_t bits, int64_t block, struct codec_setting *s)
{
    s->params.value[0] = (double)bits;
    s->params.value[1] = (double)block;
    name(codec_find("blockwise"), s, bits == 4 ? "bits=4,block" : "block", (double)block, "");
}

void codec_setting_rank(int64_t rank, struct codec_setting *s)
{
    s->params.value[1] = (double)rank;
    name(codec_find("powersgd"), s, "rank", (double)rank, "");
}

void codec_setting_params(const struct codec *c, const struct codec_params *p, struct codec_setting *s)
{
    struct codec_params presets = codec_presets(c);
    char text[CODEC_PARAMS * 64] = "";
    size_t used = 0;

    s->params = *p;
    for (int i = 0; c->param[i].name; i++)
        if (p->value[i] != presets.value[i])
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s=%.12g", used ? "," : "", c->param[i].name,
                                     p->value[i]);
    if (used < sizeof(s->option))
        memcpy(s->option, text, used + 1);
    else
        snprintf(s->option, sizeof(s->option), "#%016llx", (unsigned long long)XXH3_64bits(text, used));
}

static size_t nearest(const double *list, size_t n, double x)
{
    size_t best = 0;

    for (size_t i = 1; i < n; i++)
        if (fabs(log(list[i] / x)) < fabs(log(list[best] / x)))
            best = i;
    return best;
}

double codec_setting_rung(double density)
{
    static const double rungs[] = { 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1 };

    return density > 0 ? rungs[nearest(rungs, COUNT(rungs), density)] : rungs[0];
}

int64_t codec_setting_levels_rung(int64_t levels)
{
    int64_t most = 1;

    while (most < levels)
        most = 2 * most + 1;
    return most;
}

int64_t codec_setting_block_rung(int64_t block)
{
    static const double rungs[] = { 64, 256, 1024, 4096 };

    return (int64_t)rungs[nearest(rungs, COUNT(rungs), (double)block)];
}

double codec_setting_sparsity_of(double bits)
{
    static const double bits_of[] = { 0.812, 0.451, 0.298, 0.200 }, s[] = { 1, 1.5, 1.75, 1.9 };

    return s[nearest(bits_of, COUNT(bits_of), bits)];
}
