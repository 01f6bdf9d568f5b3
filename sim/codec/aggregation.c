/* aggregation.c - how payloads of a format become one result, by themselves or because a scenario asks for it. */
#include "model/refuse.h"
#include "model/status.h"
#include "sim/codec/codec_spec.h"

static enum codec_class_of own_class(const struct codec_spec *c)
{
    switch (c->format) {
    case WIRE_NONE:
    case WIRE_FP32:
    case WIRE_BF16:
    case WIRE_FP16:
    case WIRE_RANDOMK:
    case WIRE_POWERSGD:
    case WIRE_LOCAL: return AGGREGATE_REDUCE;
    case WIRE_BLOCKWISE: return AGGREGATE_SCATTER;
    case WIRE_ASKED: return c->asked.aggregation;
    default: return AGGREGATE_GATHER;
    }
}

enum codec_class_of codec_spec_aggregation(const struct codec_spec *c)
{
    enum codec_class_of own = own_class(c);

    if (c->format == WIRE_RATIO || (own != AGGREGATE_REDUCE && c->aggregation != AGGREGATE_REDUCE))
        return c->aggregation;
    return own;
}

bool codec_spec_scatters(const struct codec_spec *c)
{
    return c->format != WIRE_NONE && codec_spec_aggregation(c) == AGGREGATE_SCATTER;
}

static bool sparse(enum wire_format f)
{
    return f == WIRE_SPARSIFY || f == WIRE_DCT || f == WIRE_DCT_MP;
}

int codec_spec_check_aggregation(const struct codec_spec *c, char *why, size_t nwhy)
{
    if (c->format == WIRE_NONE || c->format == WIRE_RATIO || c->aggregation != AGGREGATE_SCATTER)
        return E_OK;
    if (sparse(c->format))
        return refuse(why, nwhy,
                      "aggregation: a sum of what %s keeps has more values than each term, and is no such payload: "
                      "expected gather",
                      codec_spec_name(c));
    if (own_class(c) == AGGREGATE_REDUCE)
        return refuse(why, nwhy,
                      "aggregation: payloads of %s add up in an allreduce, and none of them is decoded on its way: "
                      "expected reduce",
                      codec_spec_name(c));
    if (c->format == WIRE_ASKED && own_class(c) == AGGREGATE_GATHER)
        return refuse(why, nwhy, "aggregation: %s does not say that a sum of its payloads is one: expected gather",
                      codec_spec_name(c));
    return E_OK;
}
