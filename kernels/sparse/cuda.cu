/* cuda.cu - compressing in one pass over memory: a block of threads masks a tile and keeps it in registers, finds out
 * how many values are sent before it (decoupled look-back, Merrill and Garland 2016), and writes what it has to where
 * that says. The bitmap and the values behind it go to where the bitmap form has them. Indices are noted in work as
 * long as they could still be the smaller form; if they are, three short kernels put that form together at the end. */
#include "kernels/sparse/tile.cuh"

/* Values of one launch: so that the tiles' states fit into work for any n. */
static const size_t LAUNCH_MAX = (size_t)1 << 30;

/* At the start of work; then the indices, then a word for each tile. */
struct sparse_sent {
    uint64_t total;  /* sent by all launches so far, written by a launch's last tile */
    uint64_t before; /* by those before this one: other tiles read it while the last one writes */
    unsigned ticket; /* tiles are taken in this order, so that a block only waits for one that has started */
};
enum { HEAD = 64, LINE = 64 };
static_assert(sizeof(struct sparse_sent) <= SPARSE_DEVICE_KEEP, "callers put something behind it");

struct sparse_sending {
    uint32_t *bitmap, *values;
    float *error; /* only read if 'keeping' */
    const float *change;
    const uint32_t *added; /* NULL, or where 1 says that 'error' holds the sum already */
    bool keeping;          /* what is sent stays in 'error' too */
    uint64_t n, from, to;  /* this launch has the values from .. to */
    const struct sparse_keep *keep;
    uint64_t most;
    struct sparse_sent *head;
    uint32_t *index;
    unsigned long long *state;
};

/* A tile's state: how many values it sends, or how many are sent up to its end. */
#define ITS_OWN ((unsigned long long)1 << 62)
#define ALL_UP_TO ((unsigned long long)2 << 62)
#define COUNT_OF(state) ((state) & (ITS_OWN - 1))

struct sparse_row {
    uint32_t word[VOTES], vote[VOTES];
};

/* error += change, the votes, what stays behind, and the bitmap. Returns how many values this warp sends. */
__device__ static unsigned mask_row(struct sparse_row *t, const struct sparse_sending &c,
                                    const struct sparse_keep &keep, uint64_t row)
{
    bool add = c.change && !(c.added && *c.added);
    uint32_t mine = 0;
    unsigned count = 0;

#pragma unroll
    for (int v = 0; v < VOTES; v++) {
        uint64_t i = row + 32 * v + lane_of();

        t->word[v] = 0;
        if (i < c.n)
            t->word[v] = add ? sparse_sum(c.error[i], c.change[i]) : sparse_word(c.error[i]);
    }
#pragma unroll
    for (int v = 0; v < VOTES; v++) {
        uint64_t i = row + 32 * v + lane_of();
        bool kept = i < c.n && sparse_keeps(keep, t->word[v], i);

        t->vote[v] = __ballot_sync(EVERY_LANE, kept);
        count += __popc(t->vote[v]);
        if (lane_of() == (unsigned)v)
            mine = t->vote[v];
        if (i < c.n && !c.keeping && (kept || add))
            c.error[i] = kept ? 0 : sparse_float(t->word[v]);
    }
    if (lane_of() < VOTES && row / 32 + lane_of() < sparse_bitmap_bytes(c.n) / 4)
        c.bitmap[row / 32 + lane_of()] = mine;
    return count;
}

/* How many values are sent before this tile; for all lanes of one warp. 32 states are looked at at a time, the nearest
 * in lane 0. Before the first tile of a launch stands what the launches before have sent. */
__device__ static uint64_t look_back(const struct sparse_sending &c, size_t tile, unsigned count)
{
    volatile unsigned long long *state = c.state;
    unsigned long long before = 0, there;
    unsigned complete;

    if (lane_of() == 0)
        atomicExch(&c.state[tile], ITS_OWN | count);
    for (long long at = (long long)tile - 1 - lane_of();; at -= 32) {
        do {
            there = at >= 0 ? state[at] : ALL_UP_TO | c.head->before;
        } while (!__all_sync(EVERY_LANE, there >> 62 != 0));
        complete = __ballot_sync(EVERY_LANE, there >> 63 != 0);
        /* The nearest one that says it all, and those between it and here. */
        there = complete && lane_of() > (unsigned)__ffs((int)complete) - 1 ? 0 : COUNT_OF(there);
        for (int half = 16; half; half /= 2)
            there += __shfl_xor_sync(EVERY_LANE, there, half);
        before += there;
        if (complete)
            break;
    }
    if (lane_of() == 0)
        atomicExch(&c.state[tile], ALL_UP_TO | (before + count));
    return before;
}

/* The values of a row, in order, to where the tile collects them, with their places in the tile. */
__device__ static void collect(uint32_t *words, uint16_t *places, const struct sparse_row &t, unsigned at)
{
#pragma unroll
    for (int v = 0; v < VOTES; v++) {
        if (t.vote[v] >> lane_of() & 1) {
            unsigned to = at + __popc(t.vote[v] & lanes_before());

            words[to] = t.word[v];
            places[to] = (uint16_t)(threadIdx.x / 32 * ROW + 32 * v + lane_of());
        }
        at += __popc(t.vote[v]);
    }
}

__global__ static void __launch_bounds__(THREADS) compress_tiles(struct sparse_sending c)
{
    __shared__ uint32_t words[TILE];
    __shared__ uint16_t places[TILE];
    __shared__ unsigned counts[WARPS], taken;
    __shared__ uint64_t before;
    unsigned warp = threadIdx.x / 32, at = 0, all = 0;
    struct sparse_keep keep = *c.keep;
    struct sparse_row t;

    if (threadIdx.x == 0)
        taken = atomicAdd(&c.head->ticket, 1u);
    __syncthreads();

    uint64_t first = c.from + (uint64_t)taken * TILE;
    unsigned count = mask_row(&t, c, keep, first + warp * ROW);

    if (lane_of() == 0)
        counts[warp] = count;
    __syncthreads();
    for (unsigned w = 0; w < WARPS; w++) {
        at += w < warp ? counts[w] : 0;
        all += counts[w];
    }
    if (warp == 0) {
        uint64_t sent = look_back(c, taken, all);

        if (lane_of() == 0)
            before = sent;
    }
    collect(words, places, t, at);
    __syncthreads();

    for (unsigned i = threadIdx.x; i < all; i += THREADS) {
        c.values[before + i] = words[i];
        if (before + i < c.most)
            c.index[before + i] = (uint32_t)(first + places[i]);
    }
    if (threadIdx.x == 0 && first + TILE >= c.to)
        c.head->total = before + all;
}

/* The header; then, if indices are smaller: indices over the bitmap ... */
__global__ static void finish(struct sparse_sending c, uint64_t *nbytes)
{
    uint64_t count = c.head->total, bitmap = sparse_bitmap_bytes(c.n);
    uint32_t form = c.most && sparse_takes_indices(c.n, count), *head = c.bitmap - SPARSE_HEADER / 4;

    if (first_of() == 0) {
        head[0] = form;
        head[1] = 0;
        head[2] = (uint32_t)count;
        head[3] = (uint32_t)(count >> 32);
        *nbytes = SPARSE_HEADER + (form ? 8 * count : bitmap + 4 * count);
    }
    for (uint64_t i = first_of(); form && i < count; i += step_of())
        c.bitmap[i] = c.index[i];
}

/* ... values to work, where the indices were, ... */
__global__ static void take_values(struct sparse_sending c)
{
    uint64_t count = c.head->total;

    if (sparse_takes_indices(c.n, count))
        for (uint64_t i = first_of(); i < count; i += step_of())
            c.index[i] = c.values[i];
}

/* ... and to behind the indices, which may be a part of where they were. */
__global__ static void put_values(struct sparse_sending c)
{
    uint64_t count = c.head->total;

    if (sparse_takes_indices(c.n, count))
        for (uint64_t i = first_of(); i < count; i += step_of())
            c.bitmap[count + i] = c.index[i];
}

/* What the launches before this one sent. */
__global__ static void go_on(struct sparse_sent *head)
{
    head->before = head->total;
}

static void send(cudaStream_t on, struct sparse_sending *c, void *work)
{
    uint8_t *index = static_cast<uint8_t *>(work) + HEAD;

    c->head = static_cast<struct sparse_sent *>(work);
    c->index = reinterpret_cast<uint32_t *>(index);
    c->state = reinterpret_cast<unsigned long long *>(index + (4 * c->most + LINE - 1) / LINE * LINE);
    cudaMemsetAsync(c->head, 0, sizeof(*c->head), on);
    for (; c->from < c->n; c->from = c->to) {
        c->to = c->n - c->from < LAUNCH_MAX ? c->n : c->from + LAUNCH_MAX;
        size_t tiles = tiles_of(c->to - c->from);

        NW_LAUNCH(go_on, 1, 1, 0, on, c->head);
        cudaMemsetAsync(c->state, 0, 8 * tiles, on);
        cudaMemsetAsync(&c->head->ticket, 0, sizeof(c->head->ticket), on);
        NW_LAUNCH(compress_tiles, (unsigned)tiles, THREADS, 0, on, *c);
    }
}

void sparse_compress_if_cuda(void *stream, const uint32_t *added, uint8_t *payload, uint64_t *nbytes, float *error,
                             const float *change, size_t n, const struct sparse_keep *keep, enum sparse_form form,
                             void *work)
{
    cudaStream_t on = static_cast<cudaStream_t>(stream);
    struct sparse_sending c = {};

    c.bitmap = reinterpret_cast<uint32_t *>(payload + SPARSE_HEADER);
    c.values = c.bitmap + sparse_bitmap_bytes(n) / 4;
    c.error = error, c.change = change, c.added = added, c.n = n, c.keep = keep;
    c.most = most_indices(n, form);
    send(on, &c, work);
    NW_LAUNCH(finish, c.most ? blocks_for(c.most) : 1, THREADS, 0, on, c, nbytes);
    if (c.most) {
        NW_LAUNCH(take_values, blocks_for(c.most), THREADS, 0, on, c);
        NW_LAUNCH(put_values, blocks_for(c.most), THREADS, 0, on, c);
    }
}

void sparse_compress_cuda(void *stream, uint8_t *payload, uint64_t *nbytes, float *error, const float *change, size_t n,
                          const struct sparse_keep *keep, enum sparse_form form, void *work)
{
    sparse_compress_if_cuda(stream, NULL, payload, nbytes, error, change, n, keep, form, work);
}

void sparse_mask_cuda(void *stream, uint64_t *bitmap, float *values, const float *x, size_t n,
                      const struct sparse_keep *keep, void *work)
{
    cudaStream_t on = static_cast<cudaStream_t>(stream);
    struct sparse_sending c = {};

    c.bitmap = reinterpret_cast<uint32_t *>(bitmap);
    c.values = reinterpret_cast<uint32_t *>(values);
    c.error = const_cast<float *>(x), c.n = n, c.keep = keep, c.keeping = true;
    send(on, &c, work);
}
