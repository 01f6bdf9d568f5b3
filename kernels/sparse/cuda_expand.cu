/* cuda_expand.cu - a payload is checked whole, then spread tile by tile. The bitmap is read twice for that, a thirtieth
 * of what is written. */
#include "kernels/sparse/tile.cuh"

/* At the start of work; then the rank of each tile's first value sent, and their number. */
struct sparse_verdict {
    uint64_t count;
    uint32_t indices, bad;
    int error; /* seen in the header */
};
enum { HEAD = 64, SCANNERS = 1024 };

struct sparse_spreading {
    float *values;
    uint64_t n, tiles;
    const uint32_t *payload;
    struct sparse_verdict *verdict;
    uint64_t *first;
};

__device__ static const uint32_t *places_of(const struct sparse_spreading &e)
{
    return e.payload + SPARSE_HEADER / 4;
}

__device__ static const uint32_t *words_of(const struct sparse_spreading &e)
{
    return places_of(e) + (e.verdict->indices ? e.verdict->count : sparse_bitmap_bytes(e.n) / 4);
}

__device__ static int error_of_header(struct sparse_verdict *v, const uint32_t *head, uint64_t n, uint64_t nbytes,
                                      enum sparse_form form)
{
    uint64_t size;

    if (nbytes < SPARSE_HEADER)
        return CODEC_SHORT;
    v->count = head[2] | (uint64_t)head[3] << 32;
    v->indices = form == SPARSE_SMALLER && v->count <= n && sparse_takes_indices(n, v->count);
    if (v->count > n || head[1] || head[0] != v->indices)
        return CODEC_CONTENT;
    size = SPARSE_HEADER + (v->indices ? 4 * v->count : sparse_bitmap_bytes(n)) + 4 * v->count;
    return nbytes < size ? CODEC_SHORT : nbytes > size ? CODEC_LONG : CODEC_OK;
}

__global__ static void open_payload(struct sparse_spreading e, uint64_t nbytes, enum sparse_form form)
{
    e.verdict->bad = 0;
    e.verdict->error = error_of_header(e.verdict, e.payload, e.n, nbytes, form);
}

/* A warp counts a tile's bits. */
__device__ static void count_bits(const struct sparse_spreading &e)
{
    uint64_t nwords = sparse_bitmap_bytes(e.n) / 4;

    for (uint64_t tile = first_of() / 32; tile < e.tiles; tile += step_of() / 32) {
        unsigned count = 0;

        for (uint64_t w = tile * (TILE / 32) + lane_of(); w < (tile + 1) * (TILE / 32) && w < nwords; w += 32) {
            uint32_t bits = places_of(e)[w], past = 32 * w >= e.n ? ~0u : e.n - 32 * w < 32 ? ~0u << (e.n - 32 * w) : 0;

            count += __popc(bits);
            if (bits & past)
                atomicOr(&e.verdict->bad, 1u);
        }
        for (int half = 16; half; half /= 2)
            count += __shfl_xor_sync(EVERY_LANE, count, half);
        if (lane_of() == 0)
            e.first[tile] = count;
    }
}

/* Index i, and the end, which stands behind the last tile, are where tiles begin if they are not in their
 * predecessor's. */
__device__ static void check_indices(const struct sparse_spreading &e)
{
    const uint32_t *index = places_of(e);
    uint64_t count = e.verdict->count;

    for (uint64_t i = first_of(); i <= count; i += step_of()) {
        uint64_t before = i ? index[i - 1] : 0, here = i < count ? index[i] : e.tiles * TILE;

        if ((i < count && here >= e.n) || (i && here <= before)) {
            atomicOr(&e.verdict->bad, 1u);
            continue;
        }
        for (uint64_t tile = i ? before / TILE + 1 : 0; tile <= here / TILE; tile++)
            e.first[tile] = i;
    }
}

__global__ static void check_places(struct sparse_spreading e)
{
    if (e.verdict->error)
        return;
    if (e.verdict->indices)
        check_indices(e);
    else
        count_bits(e);
}

/* Sum of what the threads before this one have, in a block of SCANNERS. */
__device__ static uint64_t scan(uint64_t mine, uint64_t *all)
{
    __shared__ unsigned long long sums[32];
    unsigned long long upto = mine, before = 0;

    *all = 0;
    for (int by = 1; by < 32; by *= 2) {
        unsigned long long other = __shfl_up_sync(EVERY_LANE, upto, by);

        upto += lane_of() >= (unsigned)by ? other : 0;
    }
    if (lane_of() == 31)
        sums[threadIdx.x / 32] = upto;
    __syncthreads();
    for (unsigned w = 0; w < 32; w++) {
        before += w < threadIdx.x / 32 ? sums[w] : 0;
        *all += sums[w];
    }
    return before + upto - mine;
}

/* One block: counts of tiles become ranks, and all is known. */
__global__ static void decide(struct sparse_spreading e, int *error)
{
    uint64_t share = (e.tiles + SCANNERS - 1) / SCANNERS, from = threadIdx.x * share, to = from + share, sum = 0, all;
    bool scanned = !e.verdict->error && !e.verdict->indices;

    to = to < e.tiles ? to : e.tiles;
    for (uint64_t t = from; scanned && t < to; t++)
        sum += e.first[t];
    uint64_t rank = scan(sum, &all);

    for (uint64_t t = from; scanned && t < to; t++) {
        uint64_t count = e.first[t];

        e.first[t] = rank;
        rank += count;
    }
    if (threadIdx.x == 0)
        *error = e.verdict->error                                         ? e.verdict->error
                 : e.verdict->bad || (scanned && all != e.verdict->count) ? CODEC_CONTENT
                                                                          : CODEC_OK;
}

__device__ static void put(float *value, enum codec_into into, uint32_t sent)
{
    *value = sparse_float(into == CODEC_ADD ? sparse_sum(*value, sparse_float(sent)) : sent);
}

__device__ static void spread_bits(const struct sparse_spreading &e, enum codec_into into)
{
    __shared__ unsigned counts[WARPS];
    uint64_t row = (uint64_t)blockIdx.x * TILE + threadIdx.x / 32 * ROW, rank = e.first[blockIdx.x];
    uint32_t mine = lane_of() < VOTES && row / 32 + lane_of() < sparse_bitmap_bytes(e.n) / 4
                        ? places_of(e)[row / 32 + lane_of()]
                        : 0;
    unsigned count = __popc(mine);

    for (int half = 16; half; half /= 2)
        count += __shfl_xor_sync(EVERY_LANE, count, half);
    if (lane_of() == 0)
        counts[threadIdx.x / 32] = count;
    __syncthreads();
    for (unsigned w = 0; w < threadIdx.x / 32; w++)
        rank += counts[w];
#pragma unroll
    for (int v = 0; v < VOTES; v++) {
        uint32_t vote = __shfl_sync(EVERY_LANE, mine, v);
        uint64_t i = row + 32 * v + lane_of();

        if (vote >> lane_of() & 1)
            put(&e.values[i], into, words_of(e)[rank + __popc(vote & lanes_before())]);
        else if (into == CODEC_STORE && i < e.n)
            e.values[i] = 0;
        rank += __popc(vote);
    }
}

__device__ static void spread_indices(const struct sparse_spreading &e, enum codec_into into)
{
    uint64_t from = (uint64_t)blockIdx.x * TILE, to = e.n - from < TILE ? e.n : from + TILE;

    for (uint64_t i = from + threadIdx.x; into == CODEC_STORE && i < to; i += THREADS)
        e.values[i] = 0;
    __syncthreads();
    for (uint64_t r = e.first[blockIdx.x] + threadIdx.x; r < e.first[blockIdx.x + 1]; r += THREADS)
        put(&e.values[places_of(e)[r]], into, words_of(e)[r]);
}

__global__ static void __launch_bounds__(THREADS)
    spread(struct sparse_spreading e, enum codec_into into, const int *error)
{
    if (*error)
        return;
    if (e.verdict->indices)
        spread_indices(e, into);
    else
        spread_bits(e, into);
}

void sparse_expand_cuda(void *stream, float *values, size_t n, enum codec_into into, const uint8_t *payload,
                        size_t nbytes, enum sparse_form form, void *work, int *error)
{
    cudaStream_t on = static_cast<cudaStream_t>(stream);
    struct sparse_spreading e = { values,
                                  n,
                                  tiles_of(n),
                                  reinterpret_cast<const uint32_t *>(payload),
                                  static_cast<struct sparse_verdict *>(work),
                                  reinterpret_cast<uint64_t *>(static_cast<uint8_t *>(work) + HEAD) };

    NW_LAUNCH(open_payload, 1, 1, 0, on, e, nbytes, form);
    if (n)
        NW_LAUNCH(check_places, blocks_for(n / 32 + 1), THREADS, 0, on, e);
    NW_LAUNCH(decide, 1, SCANNERS, 0, on, e, error);
    if (n)
        NW_LAUNCH(spread, (unsigned)e.tiles, THREADS, 0, on, e, into, error);
}
