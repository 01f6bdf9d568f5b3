/* blocks.c - the walk: for each block of k, pack both sides, then work on C tile by tile. Threads take panels, and then
 * pieces of C, from a counter; a barrier lies before each kind of work. Packing all panels of a block before the first
 * tile makes the memory needed independent of the threads, and nothing is packed twice. */
#include <string.h>

#include "kernels/gemm/range.h"

/* A piece of C: as many panels of A as stay in a second-level cache, next to as many of B. */
enum { PIECE_ROWS = 192, PIECE_COLUMNS = 128, LINE = 64 };

/* At the start of the work: what is to be taken next. Each counter is set back while the other is in use. */
struct heads {
    size_t next_panel, next_piece;
};

struct walk {
    const struct gemm_tiles *t;
    const struct gemm_problem *p;
    struct heads *heads;
    struct gemm_range *ranges; /* of A's panels, then of B's */
    float *panels;             /* A's, then B's; a panel of width w has w * stride floats */
    size_t na, nb, stride;     /* panels, and steps from one to the next */
    size_t from, steps;        /* the block of k */
};

static size_t divide_up(size_t n, size_t by)
{
    return n / by + (n % by != 0);
}

/* k is cut evenly, so that no block is short. Even, for the pairs of BF16DOT. */
static size_t block_steps(const struct gemm_problem *p)
{
    size_t blocks = divide_up(p->k, GEMM_KC);

    return blocks ? 2 * divide_up(divide_up(p->k, blocks), 2) : 0;
}

static size_t ranges_size(const struct gemm_tiles *t, const struct gemm_problem *p)
{
    size_t panels = divide_up(p->m, t->mr) + divide_up(p->n, t->nr);

    return LINE * divide_up(panels * sizeof(struct gemm_range), LINE);
}

size_t gemm_blocks_work(const struct gemm_tiles *t, const struct gemm_problem *p)
{
    const size_t limit = SIZE_MAX / (8 * GEMM_KC * sizeof(float));

    if (p->m > limit || p->n > limit)
        return SIZE_MAX;
    return LINE + ranges_size(t, p) +
           block_steps(p) * (divide_up(p->m, t->mr) * t->mr + divide_up(p->n, t->nr) * t->nr) * sizeof(float);
}

void gemm_blocks_begin(void *work)
{
    memset(work, 0, sizeof(struct heads));
}

static size_t take(size_t *counter)
{
    return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void set_back(size_t *counter)
{
    __atomic_store_n(counter, 0, __ATOMIC_RELAXED);
}

static float *panel_a(const struct walk *w, size_t i)
{
    return w->panels + i * w->t->mr * w->stride;
}

static float *panel_b(const struct walk *w, size_t j)
{
    return w->panels + (w->na * w->t->mr + j * w->t->nr) * w->stride;
}

/* Steps 2 i and 2 i + 1 to one word each, the odd step above. They are rounded, so nothing is lost. */
static void pair_up(float *panel, size_t width, size_t steps)
{
    uint32_t odd, even;

    if (steps % 2)
        memset(panel + steps * width, 0, width * sizeof(*panel));
    for (size_t s = 0; s < steps; s += 2)
        for (size_t v = 0; v < width; v++) {
            memcpy(&even, panel + s * width + v, sizeof(even));
            memcpy(&odd, panel + (s + 1) * width + v, sizeof(odd));
            odd |= even >> 16;
            memcpy(panel + s / 2 * width + v, &odd, sizeof(odd));
        }
}

static void pack_panel(const struct walk *w, size_t index)
{
    const struct gemm_problem *p = w->p;
    bool is_a = index < w->na, turned = is_a ? p->a_transposed : p->b_transposed;
    size_t width = is_a ? w->t->mr : w->t->nr, at = width * (is_a ? index : index - w->na);
    size_t all = is_a ? p->m : p->n, count = all - at < width ? all - at : width, ld = is_a ? p->lda : p->ldb;
    /* B's columns lie together unless it is transposed, A's rows only where it is. */
    size_t across = turned == is_a ? 1 : ld, along = turned == is_a ? ld : 1;
    float *panel = is_a ? panel_a(w, index) : panel_b(w, index - w->na);

    w->t->pack(panel, width, (is_a ? p->a : p->b) + at * across + w->from * along, across, along, count, w->steps,
               p->mode != FMA_FP32);
    if (p->mode == FMA_BF16DOT)
        pair_up(panel, width, w->steps);
    if (p->mode == FMA_BF16) {
        w->ranges[index] = gemm_range_empty();
        w->t->range(&w->ranges[index], panel, width * w->steps, 1, width * w->steps);
    }
}

static void look_ahead(struct gemm_ahead *ahead, const struct walk *w, size_t i, size_t j)
{
    const struct gemm_problem *p = w->p;
    size_t row = i * w->t->mr, rows = p->m - row < w->t->mr ? p->m - row : w->t->mr;
    size_t column = j * w->t->nr, columns = p->n - column < w->t->nr ? p->n - column : w->t->nr;

    ahead->n = 0;
    for (size_t r = 0; r < rows; r++) {
        const float *c = p->c + (row + r) * p->ldc + column;

        for (size_t at = 0; at + 1 < columns; at += LINE / sizeof(*c))
            ahead->line[ahead->n++] = c + at;
        ahead->line[ahead->n++] = c + columns - 1;
    }
}

static gemm_tile_fn *choose(const struct walk *w, size_t i, size_t j, const float *c, size_t ldc, bool from_c)
{
    struct gemm_range of_c = gemm_range_empty();

    if (w->p->mode != FMA_BF16)
        return w->t->tile[w->p->mode];
    if (from_c)
        w->t->range(&of_c, c, ldc, w->t->mr, w->t->nr);
    return gemm_range_exact(&w->ranges[i], &w->ranges[w->na + j], from_c ? &of_c : NULL) ? w->t->tile[FMA_BF16]
                                                                                         : w->t->careful;
}

static void run_tile(const struct walk *w, size_t i, size_t j, float *c, size_t ldc, const struct gemm_ahead *ahead)
{
    bool from_c = w->from > 0 || w->p->accumulate;
    size_t steps = w->p->mode == FMA_BF16DOT ? (w->steps + 1) / 2 : w->steps;

    choose(w, i, j, c, ldc, from_c)(c, ldc, panel_a(w, i), panel_b(w, j), steps, from_c, ahead);
}

/* A tile that C does not fill: worked on in a full one of zeros. */
static void run_edge(const struct walk *w, size_t i, size_t j, float *c, size_t rows, size_t columns,
                     const struct gemm_ahead *ahead)
{
    _Alignas(64) float tile[GEMM_MR_MAX * GEMM_NR_MAX] = { 0 };
    size_t nr = w->t->nr;

    if (w->from > 0 || w->p->accumulate)
        for (size_t r = 0; r < rows; r++)
            memcpy(tile + r * nr, c + r * w->p->ldc, columns * sizeof(*c));
    run_tile(w, i, j, tile, nr, ahead);
    for (size_t r = 0; r < rows; r++)
        memcpy(c + r * w->p->ldc, tile + r * nr, columns * sizeof(*c));
}

static void tile_at(const struct walk *w, size_t i, size_t j, const struct gemm_ahead *ahead)
{
    const struct gemm_problem *p = w->p;
    size_t row = i * w->t->mr, column = j * w->t->nr;
    float *c = p->c + row * p->ldc + column;

    if (p->m - row >= w->t->mr && p->n - column >= w->t->nr)
        run_tile(w, i, j, c, p->ldc, ahead);
    else
        run_edge(w, i, j, c, p->m - row < w->t->mr ? p->m - row : w->t->mr,
                 p->n - column < w->t->nr ? p->n - column : w->t->nr, ahead);
}

/* A panel of B stays near while the piece's panels of A pass by. */
static void run_pieces(const struct walk *w)
{
    size_t tall = PIECE_ROWS / w->t->mr, wide = PIECE_COLUMNS / w->t->nr, down = divide_up(w->na, tall);
    size_t pieces = down * divide_up(w->nb, wide);
    struct gemm_ahead ahead;

    for (size_t piece; (piece = take(&w->heads->next_piece)) < pieces;) {
        size_t i = piece % down * tall, i_end = w->na - i < tall ? w->na : i + tall;
        size_t j = piece / down * wide, j_end = w->nb - j < wide ? w->nb : j + wide;

        for (; j < j_end; j++)
            for (size_t at = i; at < i_end; at++) {
                bool last = at + 1 == i_end;

                ahead.n = 0;
                if (!last || j + 1 < j_end)
                    look_ahead(&ahead, w, last ? i : at + 1, last ? j + 1 : j);
                tile_at(w, at, j, &ahead);
            }
    }
}

void gemm_blocks(const struct gemm_tiles *t, const struct gemm_problem *p, void *work, int part,
                 gemm_barrier_fn *barrier)
{
    struct walk w = { t, p, work, (struct gemm_range *)((char *)work + LINE), NULL, 0, 0, 0, 0, 0 };

    if (!p->m || !p->n)
        return;
    w.panels = (float *)((char *)w.ranges + ranges_size(t, p));
    w.na = divide_up(p->m, t->mr);
    w.nb = divide_up(p->n, t->nr);
    w.stride = block_steps(p);
    do {
        w.steps = p->k - w.from < w.stride ? p->k - w.from : w.stride;
        if (part == 0)
            set_back(&w.heads->next_piece);
        for (size_t i; w.steps && (i = take(&w.heads->next_panel)) < w.na + w.nb;)
            pack_panel(&w, i);
        barrier();
        if (part == 0)
            set_back(&w.heads->next_panel);
        run_pieces(&w);
        barrier();
        w.from += w.steps;
    } while (w.from < p->k);
}

static void alone(void)
{
}

void gemm_blocks_serial(const struct gemm_tiles *t, const struct gemm_problem *p, void *work)
{
    gemm_blocks_begin(work);
    gemm_blocks(t, p, work, 0, alone);
}
