/* cuda.cu - a warp for each short row, which it reads once; a block for each long one. */
#include "kernels/topk_rows/rows.cuh"

__global__ static void __launch_bounds__(THREADS) select_short(struct topk_rows t)
{
    for (uint64_t row = ((uint64_t)blockIdx.x * THREADS + threadIdx.x) / 32; row < t.rows;
         row += (uint64_t)gridDim.x * THREADS / 32)
        choose_short(t, row);
}

__global__ static void __launch_bounds__(SAMPLERS) select_long(struct topk_rows t)
{
    for (uint64_t row = blockIdx.x; row < t.rows; row += gridDim.x)
        choose_long(t, row);
}

__global__ static void __launch_bounds__(THREADS) gather_rows(struct topk_rows t)
{
    for (uint64_t row = ((uint64_t)blockIdx.x * THREADS + threadIdx.x) / 32; row < t.rows;
         row += (uint64_t)gridDim.x * THREADS / 32) {
        const uint32_t *x = t.x + row * t.columns;
        uint32_t *values = t.values + row * t.kept;

        walk_mask(
            t.mask + row * mask_halves(t.columns), t.columns, [=](uint64_t j, uint64_t rank) { values[rank] = x[j]; },
            [](uint64_t) {});
    }
}

/* Only if *error, where there is one, is CODEC_OK. */
__global__ static void __launch_bounds__(THREADS)
    scatter_rows(struct topk_rows t, float *x, enum codec_into into, const int *error)
{
    if (error && *error)
        return;
    for (uint64_t row = ((uint64_t)blockIdx.x * THREADS + threadIdx.x) / 32; row < t.rows;
         row += (uint64_t)gridDim.x * THREADS / 32) {
        float *to = x + row * t.columns;
        const uint32_t *values = t.values + row * t.kept;

        walk_mask(
            t.mask + row * mask_halves(t.columns), t.columns,
            [=](uint64_t j, uint64_t rank) {
                float sent = sparse_float(values[rank]);

                to[j] = into == CODEC_ADD ? sparse_float(sparse_sum(to[j], sent)) : sent;
            },
            [=](uint64_t j) {
                if (into == CODEC_STORE)
                    to[j] = 0;
            });
    }
}

/* Has each row its number, and none behind its end? The error is only written, so it need not be alone. */
__global__ static void __launch_bounds__(THREADS) check_rows(struct topk_rows t, int *error)
{
    for (uint64_t row = ((uint64_t)blockIdx.x * THREADS + threadIdx.x) / 32; row < t.rows;
         row += (uint64_t)gridDim.x * THREADS / 32) {
        const uint32_t *mask = t.mask + row * mask_halves(t.columns);
        unsigned long long count = 0;

        for (uint64_t w = threadIdx.x % 32; w < mask_halves(t.columns); w += 32) {
            uint32_t past = 32 * w >= t.columns ? ~0u : t.columns - 32 * w < 32 ? ~0u << (t.columns - 32 * w) : 0;

            count += __popc(mask[w]);
            if (mask[w] & past)
                *error = CODEC_CONTENT;
        }
        for (int half = 16; half; half /= 2)
            count += __shfl_xor_sync(EVERY_LANE, count, half);
        if (threadIdx.x % 32 == 0 && count != t.kept)
            *error = CODEC_CONTENT;
    }
}

template <class T> __global__ static void set(T *to, T value)
{
    *to = value;
}

static struct topk_rows rows_of(const uint64_t *mask, const float *values, const float *x, size_t rows, size_t columns,
                                size_t kept)
{
    struct topk_rows t = { reinterpret_cast<uint32_t *>(const_cast<uint64_t *>(mask)),
                           reinterpret_cast<uint32_t *>(const_cast<float *>(values)),
                           reinterpret_cast<const uint32_t *>(x),
                           rows,
                           columns,
                           kept < columns ? kept : columns };

    return t;
}

static unsigned blocks_for(size_t rows, size_t each)
{
    size_t blocks = rows / each + 1;

    return blocks < TOPK_BLOCKS ? (unsigned)blocks : (unsigned)TOPK_BLOCKS;
}

void topk_select_cuda(const struct impl *im, uint64_t *mask, float *values, const float *x, size_t rows, size_t columns,
                      size_t kept, void *work)
{
    cudaStream_t on = stream_of(im);

    (void)work;
    if (!rows)
        return;
    if (!kept)
        cudaMemsetAsync(mask, 0, rows * (columns / 64 + (columns % 64 != 0)) * 8, on);
    else if (columns <= TOPK_SHORT)
        NW_LAUNCH(select_short, blocks_for(rows, THREADS / 32), THREADS, 0, on,
                  rows_of(mask, values, x, rows, columns, kept));
    else
        NW_LAUNCH(select_long, blocks_for(rows, 1), SAMPLERS, 0, on, rows_of(mask, values, x, rows, columns, kept));
}

void topk_gather_cuda(const struct impl *im, float *values, const uint64_t *mask, const float *x, size_t rows,
                      size_t columns, size_t kept)
{
    if (rows)
        NW_LAUNCH(gather_rows, blocks_for(rows, THREADS / 32), THREADS, 0, stream_of(im),
                  rows_of(mask, values, x, rows, columns, kept));
}

static void scatter(cudaStream_t on, float *x, enum codec_into into, const struct topk_rows &t, const int *error)
{
    if (t.rows)
        NW_LAUNCH(scatter_rows, blocks_for(t.rows, THREADS / 32), THREADS, 0, on, t, x, into, error);
}

void topk_scatter_cuda(const struct impl *im, float *x, enum codec_into into, const uint64_t *mask, const float *values,
                       size_t rows, size_t columns, size_t kept)
{
    scatter(stream_of(im), x, into, rows_of(mask, values, NULL, rows, columns, kept), NULL);
}

/* A payload's two parts: the whole rows, and a shorter one. */
struct topk_payload {
    struct topk_rows whole, rest;
    uint64_t nbytes;
};

static struct topk_payload payload_of(const uint8_t *payload, const float *x, size_t n, const struct codec_params *p)
{
    size_t columns = (size_t)p->value[0], kept = (size_t)p->value[1], rows = n / columns, rest = n % columns;
    size_t words = rows * ((columns + 63) / 64), rest_words = (rest + 63) / 64;
    size_t count = rows * (kept < columns ? kept : columns), rest_count = kept < rest ? kept : rest;
    const uint64_t *mask = reinterpret_cast<const uint64_t *>(payload);
    const float *values = reinterpret_cast<const float *>(mask + words + rest_words);
    struct topk_payload s = { rows_of(mask, values, x, rows, columns, kept),
                              rows_of(mask + words, values + count, x ? x + rows * columns : NULL, rest != 0, rest,
                                      kept),
                              8 * (words + rest_words) + 4 * (count + rest_count) };

    return s;
}

void topk_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                        const struct codec_params *p, void *state, void *work)
{
    cudaStream_t on = stream_of(im);
    struct topk_payload s = payload_of(payload, values, n, p);
    const struct topk_rows *parts[] = { &s.whole, &s.rest };

    (void)state;
    for (const struct topk_rows *t : parts)
        topk_select_cuda(im, reinterpret_cast<uint64_t *>(t->mask), reinterpret_cast<float *>(t->values),
                         reinterpret_cast<const float *>(t->x), t->rows, t->columns, t->kept, work);
    NW_LAUNCH(set<uint64_t>, 1, 1, 0, on, nbytes, s.nbytes);
}

void topk_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into, const uint8_t *payload,
                          size_t nbytes, const struct codec_params *p, void *work, int *error)
{
    cudaStream_t on = stream_of(im);
    struct topk_payload s = payload_of(payload, NULL, n, p);
    int wrong = nbytes < s.nbytes ? CODEC_SHORT : nbytes > s.nbytes ? CODEC_LONG : CODEC_OK;

    (void)work;
    NW_LAUNCH(set<int>, 1, 1, 0, on, error, wrong);
    if (wrong)
        return;
    if (s.whole.rows)
        NW_LAUNCH(check_rows, blocks_for(s.whole.rows, THREADS / 32), THREADS, 0, on, s.whole, error);
    if (s.rest.rows)
        NW_LAUNCH(check_rows, 1, THREADS, 0, on, s.rest, error);
    scatter(on, values, into, s.whole, error);
    scatter(on, values + s.whole.rows * s.whole.columns, into, s.rest, error);
}
