#include "harness/scenario/codec_asked.h"

#include <stdio.h>
#include <string.h>

#include "harness/tensor/codec_choice.h"
#include "harness/tensor/codec_table.h"
#include "sim/method/method_codecs.h"

_Static_assert(sizeof(((struct codec_asked *)0)->param) == sizeof(struct codec_params), "space for all parameters");

static struct codec_params params_of(const struct codec_asked *a)
{
    struct codec_params p;

    memcpy(&p, a->param, sizeof(p));
    return p;
}

static int64_t payload_bytes(const struct codec_asked *a, int64_t n)
{
    struct codec_params p = params_of(a);

    return (int64_t)codec_table_bytes(a->codec, (size_t)n, &p);
}

static int64_t state_bytes(const struct codec_asked *a, int64_t n)
{
    const struct codec *c = a->codec;
    struct codec_params p = params_of(a);

    return (int64_t)c->state_size((size_t)n, &p);
}

struct codec_asked codec_asked_of(const struct codec *c, const struct codec_params *p, const char *text)
{
    struct codec_asked a = { .text = text,
                             .codec = c,
                             .payload_bytes = payload_bytes,
                             .state_bytes = state_bytes,
                             .aggregation = c->class == CODEC_GATHERED    ? AGGREGATE_GATHER
                                            : c->class == CODEC_SCATTERED ? AGGREGATE_SCATTER
                                                                          : AGGREGATE_REDUCE };

    memcpy(a.param, p, sizeof(*p));
    return a;
}

void codec_asked_supply(struct method *m)
{
    struct codec_spec *specs[METHOD_CODECS_MAX];
    size_t n = method_codecs(m, specs, NULL, METHOD_CODECS_MAX);

    for (size_t i = 0; i < n; i++) {
        struct codec_asked *a = &specs[i]->asked;
        struct codec_params p;
        const struct codec *c;

        if (specs[i]->format == WIRE_ASKED && a->text && !codec_choice_read(a->text, &c, &p, stderr))
            *a = codec_asked_of(c, &p, a->text);
    }
}
