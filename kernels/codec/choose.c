/* choose.c - finding a codec, its parameters and a row that can run. */
#include <math.h>
#include <string.h>

#include "kernels/codec/codec.h"

const struct codec *codec_find(const char *name)
{
    const struct codec *const *c = codecs;

    while (*c && strcmp((*c)->name, name) != 0)
        c++;
    return *c;
}

struct codec_params codec_presets(const struct codec *c)
{
    struct codec_params p = { { 0 } };

    for (int i = 0; c->param[i].name; i++)
        p.value[i] = c->param[i].preset;
    return p;
}

/* Written so that a NaN fails it. */
static bool is_within(const struct codec_param *p, double v)
{
    return v >= p->lowest && v <= p->highest && (p->multiple == 0 || fmod(v, p->multiple) == 0);
}

enum codec_error codec_check(const struct codec *c, const struct codec_params *p, int *which)
{
    int i = 0;

    for (; c->param[i].name; i++) {
        if (!is_within(&c->param[i], p->value[i])) {
            *which = i;
            return CODEC_PARAMETER;
        }
    }
    for (; i < CODEC_PARAMS; i++) {
        uint64_t bits;

        memcpy(&bits, &p->value[i], sizeof(bits)); /* -0 and NaN are not 0 either */
        if (bits) {
            *which = i;
            return CODEC_PARAMETER;
        }
    }
    return CODEC_OK;
}

/* "avx2" also means "avx2+omp". */
static bool is_called(const struct impl *im, const char *name)
{
    size_t length = name ? strlen(name) : 0;

    return !name || (strncmp(im->name, name, length) == 0 && (!im->name[length] || im->name[length] == '+'));
}

static const struct codec_impl *choose(const struct codec_impl *rows, const char *name, bool parallel)
{
    for (const struct codec_impl *im = rows; im && im->impl.name; im++)
        if (im->impl.where == IMPL_HOST && im->impl.parallel == parallel && is_called(&im->impl, name) &&
            im->impl.usable())
            return im;
    return NULL;
}

const struct codec_impl *codec_choose(const struct codec *c, const char *name, bool parallel)
{
    return choose(c->impls, name, parallel);
}

const struct codec_impl *codec_choose_pull(const struct codec *c, const char *name, bool parallel)
{
    return choose(c->pulls, name, parallel);
}
