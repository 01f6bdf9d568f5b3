#include <stdio.h>

#include "harness/exec/content/private.h"
#include "harness/run/codec/curve.h"
#include "harness/status.h"

/* What is made of numbers that vectors.c can add. */
static bool is_added(const struct codec *codec)
{
    return codec->id == CODEC_ID_FP32 || codec->id == CODEC_ID_BF16 || codec->id == CODEC_ID_FP16 ||
           codec->id == CODEC_ID_RANDOMK;
}

static int check_codec(const struct codec_spec *spec, int64_t values, bool added, const char *key, char *why,
                       size_t nwhy)
{
    struct codec_curve curve;

    if (!codec_spec_codes(spec, values) || spec->format == WIRE_LOCAL)
        return NW_OK;
    if (!codec_curve_of(spec, &curve))
        snprintf(why, nwhy, "method.%s.format: expected a codec with a kernel (narrows list codecs) to execute, got %s",
                 key, codec_spec_name(spec));
    else if (curve.codec->class == CODEC_REDUCIBLE_TWICE)
        snprintf(why, nwhy, "method.%s.format: expected a codec of one round to execute, got %s", key,
                 curve.codec->name);
    else if (added && !content_gathers(curve.codec) && !is_added(curve.codec))
        snprintf(why, nwhy, "method.%s.format: expected fp32, bf16, fp16, randomk or a codec that is gathered, got %s",
                 key, curve.codec->name);
    else
        return NW_OK;
    return NW_EINPUT;
}

int content_check(const struct task_graph *g, char *why, size_t nwhy)
{
    int rc = NW_OK;

    for (size_t i = 0; !rc && i < g->ntensors; i++) {
        const struct graph_tensor *t = &g->tensors[i];
        rc = check_codec(&t->push, t->values, g->summed, g->summed ? "gradients" : "push", why, nwhy);
        if (!rc && !g->summed)
            rc = check_codec(&t->pull, t->values, false, "pull", why, nwhy);
    }
    return rc;
}
