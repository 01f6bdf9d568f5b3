#include "model/placement/exact/rising_state.h"

#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/placement/exact/rising.h"
#include "model/status.h"
#include "model/vec.h"

/* An item by what decides its rank. */
struct claim {
    int32_t item;
    double keys[3];
};

static int by_claim(const void *a, const void *b)
{
    const struct claim *x = a, *y = b;

    for (int k = 0; k < 3; k++)
        if (x->keys[k] != y->keys[k])
            return compare_doubles(y->keys[k], x->keys[k]);
    return compare64(x->item, y->item);
}

/* Long, large items in crowded sections come first, the three in different orders; from then on by chance as well. */
static struct claim claim_of(const struct rising *r, int32_t item, int variant)
{
    const struct item *it = &r->pool->items[item];
    double length = it->to - it->from, area = length * (double)it->size, crowd = 0, luck = 1;

    if (variant >= RISING_VARIANTS)
        luck += (double)(mix64((uint64_t)item << 32 | (uint32_t)variant) >> 40) / (1 << 24);
    length *= luck;
    area *= luck;
    for (int32_t s = it->from; s < it->to; s++)
        crowd = (double)r->left[s] > crowd ? (double)r->left[s] : crowd;
    switch (variant % RISING_VARIANTS) {
    case 0: return (struct claim){ item, { length, area, crowd } };
    case 1: return (struct claim){ item, { crowd, area, length } };
    default: return (struct claim){ item, { crowd, length, area } };
    }
}

void rising_reset(struct rising *r, int64_t height, int variant)
{
    const struct pool *pool = r->pool;

    r->height = height;
    r->nundo = r->nchoices = 0;
    pool_load(pool, r->left);
    for (int32_t i = 0; i < pool->n; i++) {
        r->claims[i] = claim_of(r, i, variant);
        r->list[i] = i;
        r->low[i] = 0;
        r->placed[i] = false;
    }
    qsort(r->claims, (size_t)pool->n, sizeof(*r->claims), by_claim);
    for (int32_t i = 0; i < pool->n; i++)
        r->rank[r->claims[i].item] = i;
}

/* An item by its lifetime, alignment and size, for finding equal ones. */
static int by_likeness(const struct pool *pool, int32_t a, int32_t b)
{
    const struct item *x = &pool->items[a], *y = &pool->items[b];
    int64_t at = pool_alignment(pool, a), bt = pool_alignment(pool, b);

    if (x->from != y->from)
        return compare64(x->from, y->from);
    if (x->to != y->to)
        return compare64(x->to, y->to);
    return x->size != y->size ? compare64(x->size, y->size) : compare64(at, bt);
}

/* Items in time order, so that equal ones are near; those with gaps are equal to none. */
static void find_same(struct rising *r)
{
    const struct pool *pool = r->pool;

    for (int32_t i = 0; i < pool->n; i++) {
        bool plain = !pool->parts || pool->first[i + 1] - pool->first[i] == 1;
        r->same[i] = -1;
        for (int32_t k = i - 1; plain && k >= 0 && k > i - 64 && pool->items[k].from == pool->items[i].from; k--)
            if ((!pool->parts || pool->first[k + 1] - pool->first[k] == 1) && !by_likeness(pool, k, i)) {
                r->same[i] = k;
                break;
            }
    }
}

struct rising *rising_make(const struct pool *pool)
{
    struct rising *r = calloc(1, sizeof(*r));
    size_t n = (size_t)pool->n + 1, sections = (size_t)pool->nsections + 1, levels = 1;

    if (!r)
        return NULL;
    while ((size_t)1 << levels <= sections)
        levels++;
    r->pool = pool;
    bool there = (r->low = calloc(n, sizeof(*r->low))) && (r->left = calloc(sections, sizeof(*r->left))) &&
                 (r->least = calloc(levels * sections, sizeof(*r->least))) &&
                 (r->crossing = calloc(sections, sizeof(*r->crossing))) && (r->list = calloc(n, sizeof(*r->list))) &&
                 (r->rank = calloc(n, sizeof(*r->rank))) && (r->same = calloc(n, sizeof(*r->same))) &&
                 (r->placed = calloc(n, sizeof(*r->placed))) && (r->claims = calloc(n, sizeof(*r->claims)));
    if (!there) {
        rising_free(r);
        return NULL;
    }
    find_same(r);
    return r;
}

void rising_free(struct rising *r)
{
    if (!r)
        return;
    void *owned[] = { r->low,  r->left,   r->least,  r->crossing, r->list,   r->rank,
                      r->same, r->placed, r->claims, r->undo,     r->choices };
    for (size_t i = 0; i < COUNT(owned); i++)
        free(owned[i]);
    free(r);
}

static void change_left(struct rising *r, int32_t item, int sign)
{
    const struct part *parts;
    struct part whole;
    int32_t n = pool_parts(r->pool, item, &whole, &parts);

    for (int32_t k = 0; k < n; k++)
        for (int32_t s = parts[k].from; s < parts[k].to; s++)
            r->left[s] += sign * (parts[k].high - parts[k].low);
}

static bool note(struct rising *r, int32_t item, bool placed)
{
    if (!VEC_RESERVE(r->undo, r->undo_capacity, r->nundo))
        return false;
    r->undo[r->nundo++] = (struct raised){ item, placed, r->low[item] };
    return true;
}

/* The lowest offset of an item above another at 'offset', or INT64_MIN if they never meet. */
static int64_t above(const struct pool *pool, int32_t item, int32_t other, int64_t offset)
{
    const struct part *a, *b;
    struct part whole_a, whole_b;
    int32_t na = pool_parts(pool, item, &whole_a, &a), nb = pool_parts(pool, other, &whole_b, &b);
    int64_t low = INT64_MIN;

    for (int32_t i = 0, k = 0; i < na && k < nb;) {
        if (a[i].from < b[k].to && b[k].from < a[i].to)
            low = max64(low, offset + b[k].high - a[i].low);
        if (a[i].to < b[k].to)
            i++;
        else
            k++;
    }
    return low;
}

bool rising_put(struct rising *r, const struct level *level, int32_t item)
{
    const struct item *items = r->pool->items, *it = &items[item];
    int64_t offset = r->low[item];

    if (!note(r, item, true))
        return false;
    r->placed[item] = true;
    change_left(r, item, -1);
    for (int32_t k = level->first; k < level->first + level->count; k++) {
        int32_t other = r->list[k];
        int64_t low = offset + it->size;
        if (items[other].from >= it->to || it->from >= items[other].to)
            continue;
        if (r->pool->parts)
            low = above(r->pool, other, item, offset);
        if (low <= r->low[other])
            continue;
        if (!note(r, other, false))
            return false;
        r->low[other] = align_up(low, pool_alignment(r->pool, other));
    }
    return true;
}

void rising_undo(struct rising *r, size_t nundo)
{
    while (r->nundo > nundo) {
        const struct raised *u = &r->undo[--r->nundo];
        r->low[u->item] = u->low;
        if (u->placed) {
            r->placed[u->item] = false;
            change_left(r, u->item, 1);
        }
    }
}

static int log2_of(int32_t n)
{
    return 31 - __builtin_clz((unsigned)n);
}

static void lower(int64_t *least, int64_t value)
{
    *least = min64(*least, value);
}

/* Fills 'least' of each section, and how many items are alive in it and the next. */
static void look_at(struct rising *r, const struct level *level)
{
    size_t row = (size_t)r->pool->nsections + 1;
    int most = log2_of(level->to - level->from);

    for (int k = 0; k <= most; k++)
        for (int32_t s = level->from; s < level->to; s++)
            r->least[(size_t)k * row + (size_t)s] = INT64_MAX;
    memset(r->crossing + level->from, 0, (size_t)(level->to - level->from) * sizeof(*r->crossing));
    for (int32_t i = level->first; i < level->first + level->count; i++) {
        const struct part *parts;
        struct part whole;
        int32_t item = r->list[i], n = pool_parts(r->pool, item, &whole, &parts);
        int64_t low = max64(r->low[item], level->offset);
        r->crossing[parts[0].from]++;
        r->crossing[parts[n - 1].to - 1]--;
        for (int32_t p = 0; p < n; p++) {
            int k = log2_of(parts[p].to - parts[p].from);
            int64_t *least = r->least + (size_t)k * row;
            lower(&least[parts[p].from], low + parts[p].low);
            lower(&least[parts[p].to - (1 << k)], low + parts[p].low);
        }
    }
    for (int k = most; k > 0; k--) {
        int64_t *least = r->least + (size_t)k * row, *half = least - row;
        for (int32_t s = level->from; s + (1 << k) <= level->to; s++) {
            lower(&half[s], least[s]);
            lower(&half[s + (1 << (k - 1))], least[s]);
        }
    }
}

bool rising_analyse(struct rising *r, const struct level *level, int64_t *lowest_top, bool *split)
{
    int32_t crossing = 0;

    *lowest_top = INT64_MAX;
    *split = false;
    for (int32_t k = level->first; k < level->first + level->count; k++) {
        int32_t item = r->list[k];
        int64_t size = r->pool->items[item].size;
        if (max64(r->low[item], level->offset) > r->height - size)
            return false; /* also of an item that is in use nowhere as a whole */
        *lowest_top = min64(*lowest_top, r->low[item] + size);
    }
    look_at(r, level);
    for (int32_t s = level->from; s < level->to; s++) {
        crossing += r->crossing[s];
        if (r->left[s] && r->least[s] > r->height - r->left[s])
            return false;
        *split |= !crossing && s + 1 < level->to;
    }
    return true;
}

static int by_index(const void *a, const void *b)
{
    return compare64(*(const int32_t *)a, *(const int32_t *)b);
}

void rising_sort(struct rising *r, const struct level *level)
{
    qsort(r->list + level->first, (size_t)level->count, sizeof(*r->list), by_index);
}

void rising_first_part(const struct rising *r, int32_t first, int32_t end, struct level *part)
{
    const struct item *items = r->pool->items;
    int32_t k = first;

    part->first = first;
    part->from = part->to = items[r->list[first]].from;
    do
        part->to = items[r->list[k]].to > part->to ? items[r->list[k]].to : part->to;
    while (++k < end && items[r->list[k]].from < part->to);
    part->count = k - first;
}
