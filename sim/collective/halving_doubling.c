/* halving_doubling.c - in each step partners exchange halves of what they still share, then quarters, and so on, and
 * back. A rank above the largest power of two gives all it has to a partner first, and gets the result from it last.
 * Partners exchange when both are ready. */

#include "model/status.h"
#include "sim/collective/build.h"
#include "sim/collective/split.h"

static void give(struct build *b, int64_t from, int64_t to, int64_t bytes, bool add)
{
    int task = build_transfer(b, from, to, (struct part){ .bytes = bytes }, add);

    build_after(b, task, from);
    build_after(b, task, to);
    b->held[from] = b->held[to] = (struct held){ .sent = task, .got = task };
}

/* Ranks low and low + half send each other a half of the 2 half chunks from 'first' on: on the way to smaller parts the
 * half that is the other's, on the way back their own. */
static void exchange(struct build *b, int64_t low, int64_t half, int64_t first, int64_t core, int64_t bytes, bool add)
{
    int64_t high = low + half, middle = split_offset(bytes, core, first + half);
    struct part lower = { .offset = split_offset(bytes, core, first) }, upper = { .offset = middle };

    lower.bytes = middle - lower.offset;
    upper.bytes = split_offset(bytes, core, first + 2 * half) - middle;
    int up = build_transfer(b, low, high, add ? upper : lower, add);
    int down = build_transfer(b, high, low, add ? lower : upper, add);
    build_after(b, up, low);
    build_after(b, up, high);
    build_after(b, down, low);
    build_after(b, down, high);
    b->held[low] = (struct held){ .sent = up, .got = down };
    b->held[high] = (struct held){ .sent = down, .got = up };
}

static void exchange_all(struct build *b, int64_t half, int64_t core, int64_t bytes, bool add)
{
    for (int64_t rank = 0; rank < core; rank++)
        if (!(rank & half))
            exchange(b, rank, half, rank & ~(2 * half - 1), core, bytes, add);
}

int build_halving_doubling(struct build *b, int64_t bytes)
{
    int64_t n = b->place->ranks, core = (int64_t)1 << (63 - __builtin_clzll((unsigned long long)n));

    b->when_ready = core < n; /* whoever came early would slow down those that fold */
    for (int64_t r = core; r < n; r++)
        give(b, r, r - core, bytes, 1);
    for (int64_t half = core / 2; half; half /= 2)
        exchange_all(b, half, core, bytes, 1);
    for (int64_t half = 1; half < core; half *= 2)
        exchange_all(b, half, core, bytes, 0);
    for (int64_t r = core; r < n; r++)
        give(b, r - core, r, bytes, 0);
    return E_OK;
}
