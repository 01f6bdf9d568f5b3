/* adt.c - ADT as a codec: "adt" keeps the leading bytes of each value (kernels/adt/adt.h, which says what becomes of
 * NaN and the rest). Meant for weights; as any codec it can be tried on changes.
 * Payload    bytes_per_weight * n bytes; every payload of that size is valid.
 * State      none. Work: none. */
#include "kernels/codec/adt.h"

#include "kernels/adt/host.h"
#include "kernels/shared/receive.h"
#include "kernels/shared/rows.h"

struct adt_codec_spans {
    const struct plain_spans *plain;
    adt_pack_span *pack;
    adt_unpack_span *unpack;
};

struct job {
    const struct adt_codec_spans *isa;
    uint8_t *packed;
    const uint8_t *sent;
    const float *values;
    int bytes_per_weight;
    bool stream;
};

static void pack(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->isa->pack(j->packed + (size_t)j->bytes_per_weight * from, j->values + from, to - from, j->bytes_per_weight,
                 j->stream);
}

static void adt_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                         const struct codec_params *p, void *state, void *work)
{
    struct job j = { .isa = im->with,
                     .packed = payload,
                     .values = values,
                     .bytes_per_weight = (int)p->value[0],
                     .stream = n >= ADT_STREAM_MIN };

    (void)state, (void)work;
    share_of(im)(pack, &j, n, 1024);
    *nbytes = (uint64_t)j.bytes_per_weight * n;
}

static void unpack(const void *job, float *dst, size_t from, size_t to, bool stream)
{
    const struct job *j = job;

    j->isa->unpack(dst, j->sent + (size_t)j->bytes_per_weight * from, to - from, j->bytes_per_weight, stream);
}

static void adt_decompress(const struct impl *im, float *values, size_t n, enum codec_into into, const uint8_t *payload,
                           size_t nbytes, const struct codec_params *p, void *work, int *error)
{
    struct job j = { .isa = im->with, .sent = payload, .bytes_per_weight = (int)p->value[0] };
    struct plain_decode d = { unpack, &j, 1024 };

    (void)work;
    *error = codec_size_error(nbytes, (size_t)j.bytes_per_weight * n);
    if (!*error)
        plain_receive(&d, j.isa->plain, share_of(im), values, n, into == CODEC_ADD);
}

static const struct adt_codec_spans adt_scalar = { &plain_scalar, adt_pack_span_scalar, adt_unpack_span_scalar };
#ifdef NW_X86
static const struct adt_codec_spans adt_avx2 = { &plain_avx2, adt_pack_span_avx2, adt_unpack_span_avx2 };
static const struct adt_codec_spans adt_avx512 = { &plain_avx512, adt_pack_span_avx512, adt_unpack_span_avx512 };
#endif

static const struct codec_impl impls[] = {
    IMPL_ROWS(adt, usable_avx512_vbmi, usable_avx2, adt_compress, adt_decompress, NULL),
    { .impl = { 0 } },
};

static size_t bound(size_t n, const struct codec_params *p)
{
    return (size_t)p->value[0] * n;
}

const struct codec codec_adt = {
    .name = "adt",
    .id = CODEC_ID_ADT,
    .what = "the leading bytes of each value",
    .source = "arXiv 2004.02297, section III",
    .class = CODEC_GATHERED,
    .param = { { "keep", "bytes", "of each value that are sent", 1, 4, 2, 1 } },
    .payload_bound = bound,
    .state_size = codec_no_bytes,
    .work_size = codec_no_bytes,
    .impls = impls,
};
