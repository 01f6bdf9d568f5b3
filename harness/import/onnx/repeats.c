/* repeats.c - entries of a list that come several times in a row become a block that repeats them. */
#include <string.h>

#include "harness/import/onnx/structure.h"

enum { LONGEST = 16 };

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool alike(const struct layer_spec *a, const struct layer_spec *b)
{
    struct layer_spec x = *a, y = *b;

    if (a->nlayers != b->nlayers || !same_text(a->name, b->name) || !same_text(a->shared, b->shared))
        return false;
    x.layers = y.layers = NULL;
    x.name = y.name = x.shared = y.shared = NULL;
    if (memcmp(&x, &y, sizeof(x)) != 0)
        return false;
    for (size_t i = 0; i < a->nlayers; i++)
        if (!alike(&a->layers[i], &b->layers[i]))
            return false;
    return true;
}

/* How many times the 'period' entries at list[0] follow one another. */
static size_t times_of(const struct layer_spec *list, size_t n, size_t period)
{
    size_t same = period;

    while (same < n && alike(&list[same], &list[same - period]))
        same++;
    return same / period;
}

static struct layer_spec repeat(struct net *n, const struct layer_spec *list, size_t period, size_t times)
{
    struct layer_spec s;

    memset(&s, 0, sizeof(s));
    if (period == 1) {
        s = list[0];
        s.repeat *= (int64_t)times;
        return s;
    }
    s.kind = LAYER_BLOCK;
    s.repeat = (int64_t)times;
    s.shortcut = SHORTCUT_NONE;
    s.layers = onnx_take(n, period * sizeof(*s.layers));
    memcpy(s.layers, list, period * sizeof(*s.layers));
    s.nlayers = period;
    return s;
}

void onnx_repeats(struct net *n, struct model_spec *spec)
{
    size_t kept = 0;

    for (size_t i = 0; i < spec->nlayers;) {
        size_t period = 1, times = 1;
        for (; spec->layers[i].kind == LAYER_BLOCK && period <= LONGEST && times < 2; period++)
            times = times_of(spec->layers + i, spec->nlayers - i, period);
        if (times < 2) {
            spec->layers[kept++] = spec->layers[i++];
            continue;
        }
        period--;
        spec->layers[kept++] = repeat(n, spec->layers + i, period, times);
        i += period * times;
    }
    spec->nlayers = kept;
}
